// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Floors of several shapes that lie level: what slides or rolls over their seams does so as on one
// face. The edge of the next tile is not seen; a step is.
#include "contact/stage.h"

static const double MU = 0.3, SPEED = 2.0;

// Where tiles begin, and how many there are of 0.25 m.
enum { TILES = 14 };

static const double FIRST = -0.625, TILE = 0.25;

typedef enum floor_kind {
    WHOLE,  // no seams
    SHAPES, // of one fixed body
    CHESS,  // … in both directions
    BODIES, // fixed
    PLANKS, // bodies that may move, on a bed
    SPACED, // fixed bodies with 2 cm between them
    HULLS,
    MESHES,
    FLOORS
} floor_kind;

typedef enum thing { BRICK, TURNED, DISC, PRISM, LYING, WHEEL, BALL, THINGS } thing;

static double step_of(kai_contact_method method) { return method == KAI_CONTACT_NSC ? 1e-3 : 1e-4; }

static void tile(kai_world* world, floor_kind kind, kai_body body, kai_vec3 at, double width,
                 kai_material material)
{
    const double x = 0.5 * width;
    if (kind == HULLS) {
        const double points[] = {-x, -1.0, -0.05, -x, -1.0, 0.05, -x, 1.0, -0.05, -x, 1.0, 0.05,
                                 x,  -1.0, -0.05, x,  -1.0, 0.05, x,  1.0, -0.05, x,  1.0, 0.05};
        const kai_shape_hull_params hull = {.points = {points, 8, 3}, .scale = 1.0};
        stage_shape(world, body, &kai_shape_hull, &hull, at, material);
    } else if (kind == MESHES) {
        const double points[] = {-x, -1.0, 0.05, x, -1.0, 0.05, x, 1.0, 0.05, -x, 1.0, 0.05};
        const double rows[] = {0, 1, 2, 0, 2, 3};
        kai_shape_mesh_params mesh;
        kai_kind_defaults(&kai_shape_mesh.kind, &mesh);
        mesh.vertices = (kai_table){points, 4, 3};
        mesh.triangles = (kai_table){rows, 2, 3};
        stage_shape(world, body, &kai_shape_mesh, &mesh, at, material);
    } else {
        const kai_shape_box_params box = {{width, 2.0, 0.1}};
        stage_shape(world, body, &kai_shape_box, &box, at, material);
    }
}

// Tiles from FIRST on, level at z = 0.
static void lay(kai_world* world, floor_kind kind, kai_material material)
{
    kai_body_def def = kai_body_def_default();
    def.fixed = true;
    if (kind == WHOLE) {
        tile(world, kind, stage_body(world, &def), kai_vec3_make(0.0, 0.0, -0.05), 6.0, material);
        return;
    }
    if (kind == SHAPES || kind == CHESS) {
        const kai_body body = stage_body(world, &def);
        for (int i = 0; i < TILES; i++) {
            const double x = FIRST + (i + 0.5) * TILE;
            if (kind == SHAPES)
                tile(world, kind, body, kai_vec3_make(x, 0.0, -0.05), TILE, material);
            for (int k = 0; kind == CHESS && k < 4; k++) {
                const kai_shape_box_params box = {{TILE, TILE, 0.1}};
                stage_shape(world, body, &kai_shape_box, &box,
                            kai_vec3_make(x, (k - 1.5) * TILE, -0.05), material);
            }
        }
        return;
    }
    const double width = kind == SPACED ? TILE - 0.02 : TILE;
    for (int i = 0; i < TILES; i++) {
        const kai_vec3 at = kai_vec3_make(FIRST + (i + 0.5) * TILE, 0.0, -0.05);
        def.position = at;
        if (kind == PLANKS)
            stage_box(world, kai_vec3_make(TILE, 2.0, 0.1), 50.0, at, kai_quat_identity(),
                      material);
        else
            tile(world, kind, stage_body(world, &def), kai_vec3_zero(), width, material);
    }
    if (kind == PLANKS)
        stage_plane(world, kai_vec3_make(0.0, 0.0, -0.1), kai_vec3_axis(2), material);
}

// Everything has 12 kg; wheels and balls roll.
static kai_body put(kai_world* world, thing what, kai_material material)
{
    kai_body_def def = kai_body_def_default();
    const kai_shape_round_params round = {0.1, 0.2}, disc = {0.15, 0.1};
    const kai_shape_sphere_params ball = {0.1};
    const bool rolls = what == WHEEL || what == BALL;
    double points[6 * 2 * 3];
    for (int i = 0; i < 12; i++) {
        const double angle = KAI_PI / 3.0 * (i % 6) + 0.2;
        points[3 * i] = 0.15 * cos(angle);
        points[3 * i + 1] = 0.15 * sin(angle);
        points[3 * i + 2] = i < 6 ? -0.1 : 0.1;
    }
    const kai_shape_hull_params prism = {.points = {points, 12, 3}, .scale = 1.0};
    def.position = kai_vec3_make(-0.3, 0.0, what == DISC ? 0.05 : 0.1);
    if (what == LYING) def.rotation = kai_quat_from_axis_angle(kai_vec3_axis(1), 0.5 * KAI_PI);
    if (what == WHEEL) def.rotation = kai_quat_from_axis_angle(kai_vec3_axis(0), 0.5 * KAI_PI);
    if (what == BRICK || what == TURNED) {
        const kai_quat turn =
            kai_quat_from_axis_angle(kai_vec3_axis(2), what == TURNED ? 0.5 : 0.0);
        const kai_body body =
            stage_box(world, kai_vec3_make(0.3, 0.2, 0.2), 12.0, def.position, turn, material);
        stage_push(world, body, kai_vec3_make(SPEED, 0.0, 0.0), kai_vec3_zero());
        return body;
    }
    def.mass = 12.0;
    def.inertia = (kai_inertia){.xx = 0.08, .yy = 0.08, .zz = 0.08};
    const kai_body body = stage_body(world, &def);
    if (what == DISC)
        stage_shape(world, body, &kai_shape_cylinder, &disc, kai_vec3_zero(), material);
    if (what == PRISM) stage_shape(world, body, &kai_shape_hull, &prism, kai_vec3_zero(), material);
    if (what == LYING)
        stage_shape(world, body, &kai_shape_capsule, &round, kai_vec3_zero(), material);
    if (what == WHEEL)
        stage_shape(world, body, &kai_shape_cylinder, &round, kai_vec3_zero(), material);
    if (what == BALL) stage_shape(world, body, &kai_shape_sphere, &ball, kai_vec3_zero(), material);
    const kai_vec3 spin = kai_vec3_make(0.0, SPEED / 0.1, 0.0);
    stage_push(world, body, kai_vec3_make(SPEED, 0.0, 0.0), rolls ? spin : kai_vec3_zero());
    return body;
}

// How far a thing comes in 0.8 s.
static double way_of(kai_contact_method method, floor_kind floor, thing what)
{
    kai_world* world = stage_world(method, 1);
    const double h = step_of(method);
    stage_solver(world, KAI_SOLVER_APGD, 500, 1e-8);
    const kai_material_def surface = stage_rough(MU);
    const kai_material material = stage_material(world, &surface);
    lay(world, floor, material);
    const kai_body body = put(world, what, material);
    stage_steps(world, (int)lround(0.8 / h), h);
    const kai_vec3 end = kai_body_position(world, body);
    if (!(fabs(end.y) < (method == KAI_CONTACT_NSC ? 1e-4 : 1e-3)))
        fail_msg("floor %d, thing %d: y %g", floor, what, end.y);
    kai_world_destroy(world);
    return end.x + 0.3;
}

// Sliding things stop after v² / (2 μ g) = 0.67958 m, rolling ones are still at their speed.
static double expected(thing what)
{
    const bool rolls = what == WHEEL || what == BALL;
    return rolls ? 0.8 * SPEED : SPEED * SPEED / (2.0 * MU * STAGE_G);
}

// NSC is right to what the solver leaves. Floors with gaps are no floors for wheels.
static void test_seams(void** state)
{
    for (floor_kind floor = WHOLE; floor < FLOORS; floor++) {
        for (thing what = BRICK; what < THINGS; what++) {
            if (floor == SPACED && (what == WHEEL || what == BALL)) continue;
            const double way = way_of(KAI_CONTACT_NSC, floor, what);
            // Planks may move apart: edges seen at less than a degree stay.
            if (fabs(way - expected(what)) > (floor == PLANKS ? 1e-3 : 2e-4))
                fail_msg("floor %d, thing %d: %.6f m, not %.6f", floor, what, way, expected(what));
        }
    }
}

// By penalty a thing sinks by 0.1 … 0.6 mm, moving planks with it, and rolling on what gives way
// takes some speed on one face too: what it does there is right.
static void test_seams_of_penalty(void** state)
{
    for (thing what = BRICK; what < THINGS; what++) {
        const double whole = way_of(KAI_CONTACT_SMC, WHOLE, what);
        check_near(whole, expected(what), 3e-3, "on one face");
        for (floor_kind floor = SHAPES; floor <= PLANKS; floor += PLANKS - SHAPES) {
            const double way = way_of(KAI_CONTACT_SMC, floor, what);
            if (fabs(way - whole) > 1e-3 * whole)
                fail_msg("floor %d, thing %d: %.6f m, not %.6f", floor, what, way, whole);
        }
    }
}

// How far a brick gets whose floor rises by `step` at x = 0.
static double over_step(kai_contact_method method, double step)
{
    kai_world* world = stage_world(method, 1);
    const double h = step_of(method);
    const kai_material_def surface = stage_rough(MU);
    const kai_material material = stage_material(world, &surface);
    const kai_shape_box_params box = {{2.0, 2.0, 0.1}};
    kai_body_def def = kai_body_def_default();
    def.fixed = true;
    const kai_body body = stage_body(world, &def);
    stage_shape(world, body, &kai_shape_box, &box, kai_vec3_make(-1.0, 0.0, -0.05), material);
    stage_shape(world, body, &kai_shape_box, &box, kai_vec3_make(1.0, 0.0, step - 0.05), material);
    const kai_body brick = put(world, BRICK, material);
    stage_steps(world, (int)lround(0.8 / h), h);
    const double x = kai_body_position(world, brick).x;
    kai_world_destroy(world);
    return x;
}

// A brick of 0.2 m is stopped by a step of half a millimetre, and lifted by what it cannot feel.
static void test_steps_are_steps(void** state)
{
    for (int method = KAI_CONTACT_NSC; method <= KAI_CONTACT_SMC; method++) {
        assert_true(over_step(method, 5e-4) < -0.14);
        assert_true(over_step(method, 5e-3) < -0.14);
    }
    check_near(over_step(KAI_CONTACT_NSC, 5e-5), SPEED * SPEED / (2.0 * MU * STAGE_G) - 0.3, 1e-3,
               "over 0.05 mm");
}

// A board without friction slides down a wall until its foot is in the corner of a floor and a
// second wall. Both hold it there: neither is a neighbour that lies level with the other.
static void test_corner_holds(void** state)
{
    kai_world* world = stage_world(KAI_CONTACT_NSC, 1);
    const kai_material_def surface = stage_rough(0.0);
    const kai_material material = stage_material(world, &surface);
    const double lean = 0.6, x = cos(lean);
    const kai_shape_box_params floor = {{4.0, 2.0, 0.1}}, wall = {{0.1, 2.0, 2.0}};
    kai_body_def def = kai_body_def_default();
    def.fixed = true;
    const kai_body body = stage_body(world, &def);
    stage_shape(world, body, &kai_shape_box, &floor, kai_vec3_make(0.0, 0.0, -0.05), material);
    stage_shape(world, body, &kai_shape_box, &wall, kai_vec3_make(-0.05, 0.0, 1.0), material);
    stage_shape(world, body, &kai_shape_box, &wall, kai_vec3_make(x + 0.04, 0.0, 1.0), material);
    const kai_body board = stage_box(world, kai_vec3_make(1.0, 0.3, 0.02), 5.0,
                                     kai_vec3_make(0.5 * x + 0.011, 0.0, 0.5 * sin(lean) + 0.012),
                                     kai_quat_from_axis_angle(kai_vec3_axis(1), -lean), material);
    stage_steps(world, 2000, 1e-3);
    const kai_vec3 at = kai_body_position(world, board);
    assert_true(at.z > 0.28 && at.z < 0.32 && at.x > 0.38 && at.x < 0.43);
    assert_true(kai_vec3_norm(kai_body_velocity(world, board)) < 1e-3);
    kai_world_destroy(world);
}

// Two wheels run against one kerb, one a trace ahead. Neither stands for the other, though each is
// level with the other one's contact: they move on their own, and both are stopped.
static void test_wheels_on_kerb(void** state)
{
    kai_world* world = stage_world(KAI_CONTACT_NSC, 1);
    const kai_material_def surface = stage_rough(MU);
    const kai_material material = stage_material(world, &surface);
    const kai_shape_box_params kerb = {{1.0, 2.0, 0.08}};
    const kai_shape_round_params wheel = {0.3, 0.2};
    const double touch = -sqrt(0.3 * 0.3 - 0.22 * 0.22);
    kai_body_def def = kai_body_def_default();
    kai_body body[2];
    stage_floor(world, material);
    def.fixed = true;
    def.position = kai_vec3_make(0.5, 0.0, 0.04);
    stage_shape(world, stage_body(world, &def), &kai_shape_box, &kerb, kai_vec3_zero(), material);
    def.fixed = false;
    def.mass = 10.0;
    def.inertia = (kai_inertia){.xx = 0.4, .yy = 0.4, .zz = 0.4};
    def.rotation = kai_quat_from_axis_angle(kai_vec3_axis(0), 0.5 * KAI_PI);
    for (int k = 0; k < 2; k++) {
        def.position = kai_vec3_make(touch - 0.01 - 1e-4 * k, 0.8 * k - 0.4, 0.3);
        body[k] = stage_body(world, &def);
        stage_shape(world, body[k], &kai_shape_cylinder, &wheel, kai_vec3_zero(), material);
        stage_push(world, body[k], kai_vec3_make(0.3, 0.0, 0.0), kai_vec3_make(0.0, 1.0, 0.0));
    }
    for (int i = 0; i < 200; i++) {
        stage_steps(world, 1, 1e-3);
        for (int k = 0; k < 2; k++) {
            // From the kerb's edge.
            const kai_vec3 x = kai_body_position(world, body[k]);
            assert_true(x.x > 0.0 || hypot(x.x, x.z - 0.08) > 0.2999);
        }
    }
    kai_world_destroy(world);
}

// The same bits on any number of threads, where 60 bricks slide over a floor of tiles.
static void test_threads(void** state)
{
    kai_vec3 end[60];
    for (int threads = 1; threads <= 5; threads += 2) {
        kai_world* world = stage_world(KAI_CONTACT_NSC, threads);
        stage_solver(world, KAI_SOLVER_PSOR, 30, 1e-8);
        const kai_material_def surface = stage_rough(MU);
        const kai_material material = stage_material(world, &surface);
        kai_body body[60];
        lay(world, CHESS, material);
        for (int i = 0; i < 60; i++) {
            const kai_vec3 at =
                kai_vec3_make(-0.4 + 0.21 * (i % 10), -0.35 + 0.14 * (i / 10), 0.05);
            body[i] = stage_box(world, kai_vec3_make(0.1, 0.1, 0.1), 1.0, at,
                                kai_quat_from_axis_angle(kai_vec3_axis(2), 0.1 * i), material);
            stage_push(world, body[i], kai_vec3_make(1.0, 0.1 * (i % 5), 0.0), kai_vec3_zero());
        }
        stage_steps(world, 100, 2e-3);
        for (int i = 0; i < 60; i++) {
            const kai_vec3 x = kai_body_position(world, body[i]);
            if (threads == 1)
                end[i] = x;
            else
                assert_memory_equal(&end[i], &x, sizeof x);
        }
        kai_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_seams),           cmocka_unit_test(test_seams_of_penalty),
        cmocka_unit_test(test_steps_are_steps), cmocka_unit_test(test_corner_holds),
        cmocka_unit_test(test_wheels_on_kerb),  cmocka_unit_test(test_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
