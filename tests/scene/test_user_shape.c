// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Shapes of a program's own: they collide, have mass, are hit by rays, are drawn, stand in scenes and
// are kept in files, with nothing but their points.
#include "model/world.h"
#include "record/trajectory/trajectory_surfaces.h"
#include "scene_helper.h"

#include <kairos/collision.h>
#include <kairos/shape.h>
#include <kairos/view.h>

typedef struct brick {
    kai_vec3 edges;
    bool triangles;
} brick;

/// The corners of a box, and its triangles where it is asked to be a mesh.
static kai_result brick_surface(const void* instance, kai_shape_surface* to, kai_error* err)
{
    static const uint32_t faces[12][3] = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6},
                                          {0, 1, 5}, {0, 5, 4}, {2, 6, 7}, {2, 7, 3},
                                          {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
    const brick* b = instance;
    for (int i = 0; i < 8; i++) {
        const kai_vec3 p = {b->edges.x * ((i & 1) - 0.5), b->edges.y * ((i >> 1 & 1) - 0.5),
                            b->edges.z * ((i >> 2) - 0.5)};
        const kai_result r = kai_shape_surface_point(to, p, err);
        if (r != KAI_OK) return r;
    }
    for (size_t i = 0; b->triangles && i < KAI_COUNT(faces); i++) {
        const kai_result r =
            kai_shape_surface_triangle(to, faces[i][0], faces[i][1], faces[i][2], err);
        if (r != KAI_OK) return r;
    }
    return KAI_OK;
}

static const kai_param BRICK_PARAMS[] = {
    KAI_PARAM(VEC3, brick, edges, .unit = "m", .required = true, .range = KAI_ABOVE(0.0),
              .doc = "Lengths of its edges."),
    KAI_PARAM(BOOL, brick, triangles, .doc = "Whether it is a mesh instead of a hull.")};

static const kai_shape_kind BRICK = {
    .kind = KAI_KIND("brick", brick, BRICK_PARAMS, KAI_SIZES(kai_shape_kind), .doc = "A box."),
    .surface = brick_surface};

static const kai_shape_kind* const SHAPES[] = {&BRICK, NULL};

#define GROUND "{'name': 'ground', 'fixed': true, 'shapes': [{'type': 'plane'}]}"

static kai_scene* open_bricks(const char* json, char** problems)
{
    char* text = quoted(json);
    kai_scene_def def = kai_scene_def_default();
    def.text = text;
    def.text_size = strlen(text);
    def.world.kinds.shapes = SHAPES;
    kai_scene* scene = NULL;
    kai_scene_open(&def, &scene, NULL);
    *problems = problems_text(scene);
    free(text);
    return scene;
}

static kai_scene* open_good(const char* json)
{
    char* problems;
    kai_scene* scene = open_bricks(json, &problems);
    assert_string_equal(problems, "");
    free(problems);
    return scene;
}

static void test_mass_is_that_of_the_surface(void** state)
{
    (void)state;
    for (int mesh = 0; mesh < 2; mesh++) {
        const brick b = {{1.0, 2.0, 3.0}, mesh};
        const kai_shape_box_params box = {b.edges};
        kai_mass_properties m, want;
        check_ok(kai_shape_mass(&BRICK, &b, 0.0, &m, NULL));
        check_ok(kai_shape_mass(&kai_shape_box, &box, 0.0, &want, NULL));
        check_near(m.mass, want.mass, 1e-14, "abc");
        check_near(m.inertia.m[0][0], want.inertia.m[0][0], 1e-13, "m (b² + c²) / 12");
        check_near(kai_vec3_norm(m.com), 0.0, 1e-15, "centre");
        check_ok(kai_shape_mass(&BRICK, &b, 0.1, &m, NULL));
        check_ok(kai_shape_mass(&kai_shape_box, &box, 0.1, &want, NULL));
        check_near(m.mass, want.mass, 1e-13, "grown like a box");
    }
}

/// A brick that falls comes to rest on the ground like a box; so does one kept in a file.
static void test_it_collides_and_is_saved(void** state)
{
    (void)state;
    kai_scene* scene = open_good(SCENE(
        "'contact': {'method': 'nsc'}, 'materials': {'m': {'density': 1000, 'friction': 0.5}}, "
        "'bodies': [" GROUND ", "
        "{'name': 'hull', 'position': [0, 0, 0.5], 'shapes': "
        "[{'type': 'brick', 'edges': [0.2, 0.2, 0.4], 'material': 'm'}]}, "
        "{'name': 'second', 'position': [3, 0, 0.5], 'shapes': "
        "[{'type': 'brick', 'edges': [0.2, 0.2, 0.4], 'material': 'm'}]}, "
        "{'name': 'mesh', 'position': [1, 0, 0.5], 'shapes': "
        "[{'type': 'brick', 'edges': [0.2, 0.2, 0.4], 'triangles': true, 'material': 'm'}]}, "
        "{'name': 'top', 'position': [0, 0, 1.0], 'shapes': "
        "[{'type': 'sphere', 'radius': 0.1, 'material': 'm'}]}]"));
    kai_world* world = kai_scene_world(scene);
    check_ok(kai_world_step_until(world, 0.2, 1e-3));
    char path[64];
    snprintf(path, sizeof path, "user-shape-%d.h5", (int)getpid());
    check_ok(kai_world_save(world, path));
    kai_world_def def = kai_world_def_default();
    def.kinds.shapes = SHAPES;
    kai_world* back = NULL;
    check_ok(kai_world_load(&def, path, &back, NULL));
    assert_int_equal(unlink(path), 0);
    check_ok(kai_world_step_until(world, 1.0, 1e-3));
    check_ok(kai_world_step_until(back, 1.0, 1e-3));
    assert_true(kai_world_hash(world) == kai_world_hash(back));
    kai_world_destroy(back);
    // Rest within the depth that contacts of this method keep.
    check_near(kai_body_position(world, kai_body_find(world, "hull")).z, 0.2, 1e-3, "half height");
    check_near(kai_body_position(world, kai_body_find(world, "mesh")).z, 0.2, 1e-3, "half height");
    check_near(kai_body_position(world, kai_body_find(world, "top")).z, 0.5, 2e-3, "on top");

    // Its kind and parameters are what the program gave; equal ones are made again.
    const kai_body hull = kai_body_find(world, "hull");
    const kai_shape_kind* kind;
    const void* params;
    check_ok(kai_shape_get(world, kai_shape_first(world, hull), &kind, &params, NULL, NULL));
    assert_ptr_equal(kind, &BRICK);
    check_near(((const brick*)params)->edges.z, 0.4, 0.0, "as given");
    const kai_shape_def common = kai_shape_def_default();
    kai_shape made;
    check_ok(
        kai_shape_create(world, hull, &BRICK, &(brick){{0.1, 0.1, 0.1}, false}, &common, &made));
    check_ok(kai_shape_destroy(world, made));

    // It is drawn by twelve triangles, once for equal ones.
    kai_trajectory_surfaces set;
    kai_trajectory_surface drawn[3];
    kai_trajectory_surfaces_init(&set);
    const kai_store_entry* entry = kai_store_entry_of(
        &world->shapes, kai_shape_first(world, kai_body_find(world, "hull")).index);
    for (size_t i = 0; i < 3; i++) {
        check_ok(kai_trajectory_surfaces_add(&set, &world->shapes.batches[entry->batch], i,
                                             &drawn[i], NULL));
        assert_int_equal(drawn[i].triangle_count, 12);
    }
    assert_int_equal(drawn[0].first_triangle, drawn[1].first_triangle);
    kai_trajectory_surfaces_free(&set);

    // A ray meets it.
    const kai_collision_ray ray = {.from = {1.0, 0.0, 5.0}, .direction = {0.0, 0.0, -1.0}};
    kai_collision_hit hit;
    check_ok(kai_collision_rays(world, &ray, 1, &hit));
    check_near(5.0 - hit.distance, 0.4, 1e-3, "its upper face");
    kai_scene_close(scene);
}

/// A brick with a part of its own.
typedef struct stamped {
    brick given;
    double stamp;
} stamped;

static const kai_param STAMPED_PARAMS[] = {
    KAI_PARAM(VEC3, brick, edges, .unit = "m", .required = true, .range = KAI_ABOVE(0.0),
              .doc = "Lengths of its edges."),
    KAI_PARAM(REAL, stamped, stamp, .initial = {7.0}, .hidden = true)};

static const kai_shape_kind STAMPED = {
    .kind = KAI_KIND("stamped", stamped, STAMPED_PARAMS, KAI_SIZES(kai_shape_kind),
                     .given = sizeof(brick), .doc = "A box with a stamp."),
    .surface = brick_surface};

/// Users give the brick alone; a surface is built of it in shapes, masses and probes.
static void test_part_of_its_own(void** state)
{
    (void)state;
    static const kai_shape_kind* const shapes[] = {&STAMPED, NULL};
    kai_world_def def = kai_world_def_default();
    def.kinds.shapes = shapes;
    kai_world* world = NULL;
    check_ok(kai_world_create(&def, &world, NULL));
    brick* given = malloc(sizeof *given); // reading on would be found by the sanitizer
    assert_non_null(given);
    *given = (brick){{1.0, 2.0, 3.0}, false};
    kai_mass_properties mass;
    check_ok(kai_shape_mass(&STAMPED, given, 0.0, &mass, NULL));
    check_near(mass.mass, 6.0, 1e-14, "abc");
    kai_body_def body_def = kai_body_def_default();
    const kai_shape_def common = kai_shape_def_default();
    kai_body body;
    kai_shape shape, touched[1];
    body_def.fixed = true;
    check_ok(kai_body_create(world, &body_def, &body));
    check_ok(kai_shape_create(world, body, &STAMPED, given, &common, &shape));
    const void* instance;
    check_ok(kai_shape_get(world, shape, NULL, &instance, NULL, NULL));
    assert_true(((const stamped*)instance)->stamp == 7.0);
    const kai_collision_probe probe = {
        .kind = &STAMPED, .params = given, .at = {0.9, 0.0, 0.0}, .rotation = kai_quat_identity()};
    size_t first[2];
    check_ok(kai_collision_overlap(world, &probe, 1, first, touched, 1));
    assert_int_equal(first[1] - first[0], 1);
    assert_int_equal(touched[0].index, shape.index);
    free(given);
    kai_world_destroy(world);
}

static void test_its_word_is_known(void** state)
{
    (void)state;
    char* problems;
    kai_scene* scene = open_bricks(
        SCENE("'bodies': [{'name': 'a', 'mass': 1, 'shapes': [{'type': 'brik', 'edges': [1, 1, 1]},"
              " {'type': 'brick', 'edges': [1, 0, 1]}, {'type': 'brick', 'edgs': [1, 1, 1]}]}]"),
        &problems);
    const char* wanted[] = {"did you mean \"brick\"", "edges[1] is 0 m; must be > 0",
                            "did you mean \"edges\""};
    for (size_t i = 0; i < KAI_COUNT(wanted); i++)
        if (!strstr(problems, wanted[i])) fail_msg("'%s' is not in:\n%s", wanted[i], problems);
    free(problems);
    kai_scene_close(scene);
}

static kai_result bad_surface(const void* instance, kai_shape_surface* to, kai_error* err)
{
    (void)instance;
    kai_shape_surface_point(to, kai_vec3_zero(), err);
    return kai_shape_surface_triangle(to, 0, 1, 2, err);
}

static kai_result flat_surface(const void* instance, kai_shape_surface* to, kai_error* err)
{
    (void)instance;
    for (int i = 0; i < 3; i++) kai_shape_surface_point(to, kai_vec3_axis(i), err);
    return kai_shape_surface_triangle(to, 0, 1, 2, err);
}

static void test_bad_surfaces_are_refused(void** state)
{
    (void)state;
    kai_shape_kind bad = BRICK, flat = BRICK;
    const brick b = {{1.0, 1.0, 1.0}, false};
    kai_mass_properties mass;
    kai_error err = {0};
    bad.surface = bad_surface;
    flat.surface = flat_surface;
    check_error(kai_shape_mass(&bad, &b, 0.0, &mass, &err), KAI_ERROR_ARGUMENT);
    assert_string_equal(err.message, "brick: triangle 0 has point 1; there are 1, counted from 0");
    check_error(kai_shape_mass(&flat, &b, 0.0, &mass, &err), KAI_ERROR_ARGUMENT);
    assert_string_equal(err.message, "brick: its surface encloses no volume");
    check_error(kai_shape_surface_point(NULL, kai_vec3_zero(), NULL), KAI_ERROR_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mass_is_that_of_the_surface),
        cmocka_unit_test(test_it_collides_and_is_saved),
        cmocka_unit_test(test_part_of_its_own),
        cmocka_unit_test(test_its_word_is_known),
        cmocka_unit_test(test_bad_surfaces_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
