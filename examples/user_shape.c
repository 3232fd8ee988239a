// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// A shape of your own
// ===================
// A wedge, which Kairos does not know. Its surface() says six points; collision, mass, bounds, rays
// and pictures follow from their convex hull, and scenes and checkpoints know its word.
//
// A wedge with a slope of 30 degrees stands on the ground, and a ball rolls down on it without
// slipping. In closed form it is s = 5/7 g sin 30° t²/2 further down after t.
#include <kairos/kairos.h>
#include <kairos/scene.h>
#include <stdio.h>
#include <string.h>

// 1 One instance.
typedef struct wedge {
    double length, width, height;
} wedge;

// 2 What its parameters are.
static const kai_param PARAMS[] = {KAI_PARAM(REAL, wedge, length, .unit = "m", .required = true,
                                             .range = KAI_ABOVE(0.0),
                                             .doc = "Along x; it is high at x = 0."),
                                   KAI_PARAM(REAL, wedge, width, .unit = "m", .required = true,
                                             .range = KAI_ABOVE(0.0), .doc = "Along y, centred."),
                                   KAI_PARAM(REAL, wedge, height, .unit = "m", .required = true,
                                             .range = KAI_ABOVE(0.0), .doc = "Along z.")};

// 3 Its surface.
static kai_result surface(const void* instance, kai_shape_surface* to, kai_error* err)
{
    const wedge* w = instance;
    for (int side = -1; side <= 1; side += 2) {
        const double y = 0.5 * side * w->width;
        const kai_vec3 points[] = {{0.0, y, 0.0}, {w->length, y, 0.0}, {0.0, y, w->height}};
        for (int i = 0; i < 3; i++)
            if (kai_shape_surface_point(to, points[i], err) != KAI_OK) return err->code;
    }
    return KAI_OK;
}

static const kai_shape_kind WEDGE = {
    .kind = KAI_KIND("wedge", wedge, PARAMS, KAI_SIZES(kai_shape_kind), .doc = "A wedge."),
    .surface = surface};

// 4 A scene that uses its word.
static const char SCENE[] =
    "{\"kairos\": 1, \"step\": 0.0005, \"end\": 0.5, \"contact\": {\"method\": \"nsc\"},"
    " \"materials\": {\"rough\": {\"density\": 1000, \"friction\": 1}}, \"bodies\": ["
    "  {\"name\": \"ramp\", \"fixed\": true, \"shapes\": [{\"type\": \"wedge\", \"length\": 3.4641016,"
    "    \"width\": 1, \"height\": 2, \"material\": \"rough\"}]},"
    "  {\"name\": \"ball\", \"position\": [0.55, 0, 1.7979941], \"shapes\": ["
    "    {\"type\": \"sphere\", \"radius\": 0.1, \"material\": \"rough\"}]}]}";

int main(void)
{
    static const kai_shape_kind* const kinds[] = {&WEDGE, NULL};
    kai_scene_def def = kai_scene_def_default();
    kai_scene* scene = NULL;
    kai_error err = {0};
    def.text = SCENE;
    def.text_size = strlen(SCENE);
    def.world.kinds.shapes = kinds;
    if (kai_scene_open(&def, &scene, &err) != KAI_OK) {
        fprintf(stderr, "%s\n", err.message);
        return 1;
    }
    kai_world* world = kai_scene_world(scene);
    const kai_body ball = kai_body_find(world, "ball");
    const kai_vec3 start = kai_body_position(world, ball);
    printf("time   way      closed form\n");
    for (int i = 1; i <= 5; i++) {
        const double t = 0.1 * i;
        if (kai_world_step_until(world, t, 5e-4) != KAI_OK) {
            fprintf(stderr, "%s\n", kai_world_error(world)->message);
            return 1;
        }
        const double way = kai_vec3_distance(kai_body_position(world, ball), start);
        printf("%.1f s  %.4f m %.4f m\n", t, way, 5.0 / 7.0 * 9.81 * 0.5 * t * t / 2.0);
    }
    kai_scene_close(scene);
    return 0;
}
