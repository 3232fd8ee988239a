// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// A sampler of your own
// =====================
// Particle groups of scenes get a sampler `sunflower`: points on a spiral, as seeds lie in a flower,
// layer above layer. Units, formulas, messages and "did you mean" come with the description.
// The same file is a plug-in for the command line:
//     cc -shared -fPIC user_sampler.c -o sunflower.so -lkairos && kairos run scene.json --load ./sunflower.so
// Point n of a layer lies at r = c √n, φ = n (3 - √5) π: every point has the area π c² (H. Vogel,
// A better way to construct the sunflower head, Mathematical Biosciences 44, 1979).
#include <kairos/kairos.h>
#include <stdio.h>

// 1 Its parameters.
typedef struct sunflower {
    double spread; // c / diameter of a particle's ball
} sunflower;

static const kai_param PARAMS[] = {
    KAI_PARAM(REAL, sunflower, spread, .initial = {0.6}, .range = KAI_AT_LEAST(0.56),
              .doc = "Distance of the spiral's turns, in diameters of a particle."),
};

// 2 The points: those outside of the domain are left out by kai_sampler_add.
static kai_result sample(const kai_sampler_view* view, kai_error* err)
{
    const double d = 2.0 * view->radius, c = ((const sunflower*)view->instance)->spread * d;
    const double x0 = (view->low.x + view->high.x) / 2.0, y0 = (view->low.y + view->high.y) / 2.0;
    const double most = hypot(view->high.x - x0, view->high.y - y0);
    const double each = ceil(most * most / (c * c));
    const double layers = floor((view->high.z - view->low.z) / d + 1e-9);
    KAI_TRY(kai_sampler_expect(view, each * layers, 0.0, err)); // before it takes long
    for (double k = 0.0; k < layers; k++)
        for (double n = 1.0; n <= each; n++) {
            const double r = c * sqrt(n), angle = n * KAI_PI * (3.0 - sqrt(5.0));
            const kai_sampler_point point = {.position = {x0 + r * cos(angle), y0 + r * sin(angle),
                                                          view->low.z + (k + 0.5) * d}};
            KAI_TRY(kai_sampler_add(view, &point, err));
        }
    return KAI_OK;
}

// 3 The table.
static const kai_sampler_kind SUNFLOWER = {.kind = KAI_KIND("sunflower", sunflower, PARAMS,
                                                            KAI_SIZES(kai_sampler_kind),
                                                            .doc = "A spiral, layer by layer."),
                                           .sample = sample};

static kai_result add(kai_world* world, kai_error* err)
{
    (void)err;
    return kai_sampler_register(world, &SUNFLOWER);
}

KAI_PLUGIN("sunflower", add)

// 4 A scene that uses it, here without a plug-in.
static const char SCENE[] =
    "{\"kairos\": 1, \"end\": 1, \"parameters\": {\"r\": {\"value\": 0.005, \"unit\": \"m\"}},"
    " \"particles\": [{\"name\": \"seeds\", \"shape\": {\"type\": \"sphere\", \"radius\": \"r\"}, \"density\": 1000,"
    "  \"sampler\": {\"type\": \"sunflower\", \"domain\": {\"type\": \"cylinder\", \"radius\": \"40 * r\", \"length\": \"4 * r\"}}}]}";

int main(void)
{
    static const kai_sampler_kind* const samplers[] = {&SUNFLOWER, NULL};
    kai_scene_def def = kai_scene_def_default();
    def.text = SCENE;
    def.text_size = sizeof SCENE - 1;
    def.world.kinds.samplers = samplers;
    kai_scene* scene;
    if (kai_scene_open(&def, &scene, NULL)) return 1;
    kai_world* world = kai_scene_world(scene);
    const size_t count = kai_particles_count(world, kai_particles_find(world, "seeds"));
    // Two layers of radius 39 r, each point with the area π (1.2 r)².
    printf("%zu seeds, by their area 2 * %.0f\n", count, floor(39.0 * 39.0 / (1.2 * 1.2)));

    // The same without a scene.
    sunflower given;
    kai_kind_defaults(&SUNFLOWER.kind, &given);
    const kai_shape_sphere_params ball = {0.1};
    kai_sampler_domain domain = kai_sampler_domain_default();
    domain.shape = &kai_shape_sphere;
    domain.params = &ball;
    kai_sampler_points* points;
    if (kai_sampler_sample(world, &SUNFLOWER, &given, &domain, 0.005, &points)) return 1;
    printf("%zu in a ball\n", kai_sampler_table(points).count);
    kai_sampler_free(points);

    given.spread = 0.2; // a wrong value is told in the words of the description
    if (kai_sampler_sample(world, &SUNFLOWER, &given, &domain, 0.005, &points) != KAI_OK)
        printf("%s\n", kai_world_error(world)->message);
    kai_scene_close(scene);
    return 0;
}
