// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Friction of single bodies against closed forms, both methods. ctest-labels: validate
#include "contact/stage.h"

static const double MU = 0.3;

// The penalty method's steps: a tenth of the shortest period here, that of the block on its
// springs.
static double step_of(kai_contact_method method) { return method == KAI_CONTACT_NSC ? 1e-3 : 1e-4; }

// A block on a floor that is turned about y by `angle`: x points down the slope.
static kai_body block_on_slope(kai_world* world, double angle, const kai_material_def* surface)
{
    const kai_material material = stage_material(world, surface);
    const kai_vec3 up = kai_vec3_make(sin(angle), 0.0, cos(angle));
    const kai_quat turn = kai_quat_from_axis_angle(kai_vec3_axis(1), angle);
    stage_plane(world, kai_vec3_zero(), up, material);
    return stage_box(world, kai_vec3_make(0.2, 0.2, 0.1), 1.0, kai_vec3_scale(up, 0.05), turn,
                     material);
}

// How far a point is down the slope.
static double along(kai_vec3 p, double angle) { return p.x * cos(angle) - p.z * sin(angle); }

// A block at 5 m/s stops after v²/(2 μ g) = 4.24737 m.
// NSC: friction is μ m g in every step but the last, where it is what stops the block: the end is
// off by at most μ g h² / 8 = 4e-7 m. Penalty: the floor gives way by δ = 6e-5 m. Friction follows
// the push, so that the way grows by μ δ, and the block springs back by at most μ m g / kt ≈ δ.
static void test_block_stops(void** state)
{
    for (int method = KAI_CONTACT_NSC; method <= KAI_CONTACT_SMC; method++) {
        kai_world* world = stage_world(method, 1);
        const kai_material_def surface = stage_rough(MU);
        const kai_body block = block_on_slope(world, 0.0, &surface);
        stage_push(world, block, kai_vec3_make(5.0, 0.0, 0.0), kai_vec3_zero());
        const double h = step_of(method);
        stage_steps(world, (int)lround(2.0 / h), h);
        const kai_vec3 end = kai_body_position(world, block);
        const double tolerance = method == KAI_CONTACT_NSC ? 4e-7 : 8e-5;
        check_near(end.x, 25.0 / (2.0 * MU * STAGE_G), tolerance, "v² / (2 μ g)");
        check_near(end.y, 0.0, 1e-9, "straight");
        check_near(kai_vec3_norm(kai_body_velocity(world, block)), 0.0, 1e-6, "at rest");
        kai_world_destroy(world);
    }
}

// The associated law lifts a body that slides at v to a gap of h μ v: an artefact that Coulomb's
// law, the default, does not have. The block begins at that height: from the floor it would jump.
static void test_lift_of_associated_law(void** state)
{
    for (int friction = KAI_CONTACT_COULOMB; friction <= KAI_CONTACT_ASSOCIATED; friction++) {
        kai_world* world = stage_world(KAI_CONTACT_NSC, 1);
        kai_contact_def def = kai_contact_get(world);
        def.friction = friction;
        check_ok(kai_contact_set(world, &def));
        const kai_material_def surface = stage_rough(MU);
        const kai_body block = block_on_slope(world, 0.0, &surface);
        const double h = 1e-3;
        kai_frame frame = kai_body_frame(world, block);
        if (friction == KAI_CONTACT_ASSOCIATED) frame.position.z += h * MU * 5.0;
        check_ok(kai_body_set_frame(world, block, frame));
        stage_push(world, block, kai_vec3_make(5.0, 0.0, 0.0), kai_vec3_zero());
        stage_steps(world, 100, h);
        const double v = kai_body_velocity(world, block).x,
                     gap = kai_body_position(world, block).z - 0.05;
        // The gap is that in the middle of a step; v has changed by μ g h meanwhile.
        const double lift = friction == KAI_CONTACT_ASSOCIATED ? h * MU * v : 0.0;
        check_near(gap, lift, h * MU * MU * STAGE_G * h + 1e-12, "h μ v; 0");
        kai_world_destroy(world);
    }
}

// An incline of 30°: with μ = 0.3 a = g (sin - μ cos) = 2.35629 m/s². The rule of midpoints is
// exact for constant forces, so NSC has rounding and the solver's residual; by penalty the block
// sinks while it gathers speed, which takes μ z' from it: the end of 1 s feels less than 1e-4 m/s.
static void test_incline_slips(void** state)
{
    const double angle = KAI_PI / 6.0, a = STAGE_G * (sin(angle) - MU * cos(angle));
    check_near(a, 2.35629, 5e-6, "reference table");
    for (int method = KAI_CONTACT_NSC; method <= KAI_CONTACT_SMC; method++) {
        kai_world* world = stage_world(method, 1);
        const kai_material_def surface = stage_rough(MU);
        const kai_body block = block_on_slope(world, angle, &surface);
        const double h = step_of(method), tolerance = method == KAI_CONTACT_NSC ? 1e-9 : 1e-4;
        stage_steps(world, (int)lround(1.0 / h), h);
        check_near(along(kai_body_velocity(world, block), angle), a, tolerance, "a t, t = 1 s");
        check_near(along(kai_body_position(world, block), angle), 0.5 * a, tolerance, "a t² / 2");
        kai_world_destroy(world);
    }
}

// With μ = 0.6 > tan 30° it sticks: less than 1e-6 m of creep in 5 s, once the springs of the
// penalty method have taken up the load.
static void test_incline_sticks(void** state)
{
    const double angle = KAI_PI / 6.0;
    for (int method = KAI_CONTACT_NSC; method <= KAI_CONTACT_SMC; method++) {
        kai_world* world = stage_world(method, 1);
        const kai_material_def surface = stage_rough(0.6);
        const kai_body block = block_on_slope(world, angle, &surface);
        const double h = step_of(method);
        stage_steps(world, (int)lround(0.5 / h), h);
        const double start = along(kai_body_position(world, block), angle);
        stage_steps(world, (int)lround(5.0 / h), h);
        check_near(along(kai_body_position(world, block), angle), start, 1e-6, "sticks");
        kai_world_destroy(world);
    }
}

// A ball that slides at v0 = 5 m/s without spin. The angular momentum about a point of the floor
// stays: it rolls with 5/7 v0 from t = 2 v0 / (7 μ g) on. The slip falls by 7/2 μ g a second.
static void test_slip_to_roll(void** state)
{
    const double v0 = 5.0, radius = 0.1, t = 2.0 * v0 / (7.0 * MU * STAGE_G);
    check_near(t, 0.485413, 5e-7, "reference table");
    for (int method = KAI_CONTACT_NSC; method <= KAI_CONTACT_SMC; method++) {
        kai_world* world = stage_world(method, 1);
        const kai_material_def surface = stage_rough(MU);
        const kai_material material = stage_material(world, &surface);
        const double h = step_of(method);
        stage_floor(world, material);
        const kai_body ball = stage_ball(world, radius, 1.0, kai_vec3_make(0, 0, radius), material);
        stage_push(world, ball, kai_vec3_make(v0, 0.0, 0.0), kai_vec3_zero());
        double slip[2];
        for (int i = 0; i < 2; i++) {
            stage_steps(world, (int)lround(0.2 / h), h);
            slip[i] = kai_body_velocity(world, ball).x -
                      radius * kai_body_angular_velocity(world, ball).y;
        }
        // NSC is exact up to the solver's residual. Penalty: the floor gives way by δ = 1e-4 m and
        // the arm of friction is shorter by half of that, δ / 2R = 5e-4 of the spin.
        const double rough = method == KAI_CONTACT_NSC ? 1e-9 : 1e-3;
        check_relative(0.2 + 0.2 * slip[0] / (slip[0] - slip[1]), t, rough, "2 v0 / (7 μ g)");
        stage_steps(world, (int)lround(0.2 / h), h);
        check_relative(kai_body_velocity(world, ball).x, 5.0 / 7.0 * v0, rough, "5/7 v0");
        check_relative(radius * kai_body_angular_velocity(world, ball).y, 5.0 / 7.0 * v0, rough,
                       "rolls");
        kai_world_destroy(world);
    }
}

// Static friction 0.6 holds up to a slope of tan = 0.6; once the block slips, 0.3 acts. Gravity is
// turned slowly, so that the springs of the penalty method do not swing beyond the limit, and the
// mass centre is on the floor, so that all corners press alike.
static void test_static_friction(void** state)
{
    for (int method = KAI_CONTACT_NSC; method <= KAI_CONTACT_SMC; method++) {
        kai_world* world = stage_world(method, 1);
        kai_material_def surface = stage_rough(MU);
        surface.static_friction = 0.6;
        const kai_material material = stage_material(world, &surface);
        const kai_shape_box_params box = {kai_vec3_make(0.2, 0.2, 0.1)};
        kai_body_def def = kai_body_def_default();
        def.mass = 1.0;
        def.inertia = (kai_inertia){.xx = 0.01, .yy = 0.01, .zz = 0.01};
        const kai_body block = stage_body(world, &def);
        stage_shape(world, block, &kai_shape_box, &box, kai_vec3_make(0.0, 0.0, 0.05), material);
        stage_floor(world, material);
        const double h = step_of(method);
        double angle = 0.0, stuck = 0.0;
        // 0.1 rad/s; noted is the angle at which it begins to slip
        while (kai_body_velocity(world, block).x < 1e-2 && angle < 1.0) {
            angle += 0.1 * h;
            check_ok(kai_world_set_gravity(
                world, kai_vec3_make(STAGE_G * sin(angle), 0.0, -STAGE_G * cos(angle))));
            if (angle <= 0.99 * atan(0.6)) stuck = kai_body_position(world, block).x;
            stage_steps(world, 1, h);
        }
        // Past the limit static friction leaves 0.1 t g / cos of acceleration until the block has
        // the 1e-4 m/s that count as slipping, which takes 0.013 s; from there to 0.01 m/s it is
        // 4e-3 s: 1.7e-3 rad in all.
        check_near(angle, atan(0.6), 2e-3, "atan of static friction");
        check_near(stuck, 0.0, method == KAI_CONTACT_NSC ? 1e-9 : 1e-4, "sticks but for springs");
        const double a = STAGE_G * (sin(angle) - MU * cos(angle)),
                     v = kai_body_velocity(world, block).x;
        stage_steps(world, (int)lround(1.0 / h), h);
        check_near(kai_body_velocity(world, block).x, v + a,
                   (0.6 - MU) * STAGE_G * h + (method == KAI_CONTACT_NSC ? 1e-9 : 1e-3),
                   "v + g (sin - μ cos) t");
        kai_world_destroy(world);
    }
}

// Limits of μ: none at all, and far more than any surface has.
static void test_extremes(void** state)
{
    for (int method = KAI_CONTACT_NSC; method <= KAI_CONTACT_SMC; method++) {
        const double h = step_of(method), angle = KAI_PI / 6.0;
        kai_world* world = stage_world(method, 1);
        kai_material_def surface = stage_rough(0.0);
        kai_body block = block_on_slope(world, angle, &surface);
        stage_steps(world, (int)lround(0.5 / h), h);
        check_near(along(kai_body_velocity(world, block), angle), 0.5 * STAGE_G * sin(angle), 1e-9,
                   "g sin t: nothing resists");
        kai_world_destroy(world);
        world = stage_world(method, 1);
        surface = stage_rough(10.0);
        block = block_on_slope(world, KAI_PI / 5.0, &surface); // tan = 0.73: does not tip over
        stage_steps(world, (int)lround(0.5 / h), h);
        const double start = along(kai_body_position(world, block), KAI_PI / 5.0);
        stage_steps(world, (int)lround(0.5 / h), h);
        check_near(along(kai_body_position(world, block), KAI_PI / 5.0), start, 1e-6, "sticks");
        kai_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_block_stops),   cmocka_unit_test(test_lift_of_associated_law),
        cmocka_unit_test(test_incline_slips), cmocka_unit_test(test_incline_sticks),
        cmocka_unit_test(test_slip_to_roll),  cmocka_unit_test(test_static_friction),
        cmocka_unit_test(test_extremes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
