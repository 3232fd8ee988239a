// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Springs, bushings and drag at one state: curves, what their outputs say, action and reaction,
// power against energy, and the messages for wrong parameters.
#include "helper.h"

#include <kairos/joint.h>
#include <kairos/world.h>

static kai_world* make_world(void)
{
    kai_world_def def = kai_world_def_default();
    kai_world* world = NULL;
    def.gravity = kai_vec3_zero();
    def.threads = 1;
    check_ok(kai_world_create(&def, &world, NULL));
    check_ok(kai_integrator_set(world, &kai_integrator_rk4, NULL));
    return world;
}

static kai_body make_body(kai_world* world, uint64_t seed)
{
    kai_body_def def = kai_body_def_default();
    kai_body body;
    def.mass = 1.0;
    def.inertia = (kai_inertia){1.0, 2.0, 2.5, 0.1, 0.2, -0.1};
    def.com = kai_vec3_make(0.1, 0.2, -0.1);
    def.position = helper_random_vec3(seed);
    def.rotation = helper_random_rotation(seed);
    def.velocity = helper_random_vec3(seed + 100);
    def.angular_velocity = helper_random_vec3(seed + 200);
    check_ok(kai_body_create(world, &def, &body));
    return body;
}

static kai_body make_ground(kai_world* world)
{
    kai_body_def def = kai_body_def_default();
    kai_body body;
    def.fixed = true;
    check_ok(kai_body_create(world, &def, &body));
    return body;
}

static bool says(const kai_world* world, const char* text)
{
    const bool found = strstr(kai_world_error(world)->message, text) != NULL;
    if (!found) print_error("'%s' is not in: %s\n", text, kai_world_error(world)->message);
    return found;
}

// Curves -----------------------------------------------------------------------------------------

static void curves(void** state)
{
    (void)state;
    const double rows[] = {-1.0, -4.0, 0.0, 0.0, 1.0, 1.0, 3.0, 7.0};
    const kai_curve line = kai_curve_line(2.5), bent = {0.0, {rows, 4, 2}};
    double slope;
    check_near(kai_curve_at(&line, -2.0, &slope), -5.0, 0.0, "a line");
    check_near(slope, 2.5, 0.0, "its slope");
    check_near(kai_curve_integral(&line, -2.0), 5.0, 0.0, "½ s x²");
    check_near(kai_curve_at(&bent, 2.0, &slope), 4.0, 1e-15, "between two points");
    check_near(slope, 3.0, 1e-15, "between two points");
    check_near(kai_curve_at(&bent, 1.0, &slope), 1.0, 1e-15, "at a point");
    check_near(slope, 3.0, 1e-15, "the slope after it");
    check_near(kai_curve_at(&bent, 5.0, &slope), 13.0, 1e-15, "goes on with the last slope");
    check_near(kai_curve_at(&bent, -2.0, NULL), -8.0, 1e-15, "and with the first");
    // Against a fine midpoint sum, which is exact but where it crosses a bend.
    for (double x = -2.3; x < 5.0; x += 0.7) {
        double sum = 0.0;
        for (int i = 0; i < 100000; i++)
            sum += kai_curve_at(&bent, x * (i + 0.5) / 1e5, NULL) * x / 1e5;
        check_near(kai_curve_integral(&bent, x), sum, 1e-8, "midpoint sum");
    }
}

// Outputs of the elements ------------------------------------------------------------------------

static void spring_output(void** state)
{
    (void)state;
    kai_world* world = make_world();
    const kai_body ground = make_ground(world), body = make_body(world, 1);
    check_ok(kai_body_set_velocity(world, body, kai_vec3_make(0.0, 0.0, 2.0), kai_vec3_zero()));
    kai_load_spring_params p;
    kai_load load;
    kai_load_state s;
    kai_kind_defaults(&kai_load_spring.kind, &p);
    p.bodies[0] = ground, p.bodies[1] = body;
    p.points[0] = kai_vec3_make(1.0, 2.0, 3.0);
    p.points[1] = kai_vec3_make(1.0, 2.0, 5.0);
    p.stiffness = kai_curve_line(7.0);
    p.damping = kai_curve_line(0.5);
    p.preload = 0.25;
    check_ok(kai_load_create(world, &kai_load_spring, &p, "s", &load));
    const void* kept;
    check_ok(kai_load_get(world, load, NULL, &kept));
    check_near(((const kai_load_spring_params*)kept)->rest_length, 2.0, 0.0,
               "distance of the points");
    check_ok(kai_load_output(world, load, &s));
    check_near(s.length, 2.0, 1e-15, "distance");
    check_near(s.rate, 2.0, 1e-15, "velocity along the line");
    check_near(s.force, 0.25 + 0.5 * 2.0, 1e-15, "preload + c rate");
    p.rest_length = 1.5;
    check_ok(kai_load_set(world, load, &p));
    check_ok(kai_load_output(world, load, &s));
    check_near(s.force, 0.25 + 0.5 * 2.0 + 7.0 * 0.5, 1e-14, "and k d");
    check_ok(kai_world_evaluate(world));
    kai_vec3 force, torque;
    check_ok(kai_body_force(world, ground, &force, &torque));
    check_vec3(force, kai_vec3_make(0.0, 0.0, s.force), 1e-14,
               "a stretched spring pulls a towards b");
    check_vec3(torque, kai_vec3_cross(p.points[0], force), 1e-13, "at its point");
    check_error(kai_body_destroy(world, ground), KAI_ERROR_ARGUMENT);
    check_error(kai_body_destroy(world, body), KAI_ERROR_ARGUMENT);
    check_ok(kai_load_destroy(world, load));
    check_ok(kai_body_destroy(world, body));
    kai_world_destroy(world);
}

static void rotational_spring_counts_turns(void** state)
{
    (void)state;
    kai_world* world = make_world();
    const kai_body ground = make_ground(world), body = make_body(world, 2);
    kai_load_rotational_spring_params p;
    kai_load load;
    kai_load_state s;
    kai_kind_defaults(&kai_load_rotational_spring.kind, &p);
    p.base.bodies[0] = ground, p.base.bodies[1] = body;
    p.base.at = kai_vec3_zero();
    p.base.axis = kai_vec3_make(0.0, 3.0, 0.0);
    p.stiffness = kai_curve_line(2.0);
    check_ok(kai_load_create(world, &kai_load_rotational_spring, &p, NULL, &load));
    const kai_frame start = kai_body_frame(world, body);
    for (int i = 1; i <= 40; i++) { // ten turns, a quarter at a time
        const kai_quat q = kai_quat_from_axis_angle(kai_vec3_make(0.0, 1.0, 0.0), 0.5 * KAI_PI * i);
        check_ok(kai_body_set_frame(
            world, body, kai_frame_make(start.position, kai_quat_mul(q, start.rotation))));
        check_ok(kai_world_evaluate(world));
        check_ok(kai_load_output(world, load, &s));
        check_near(s.angle, 0.5 * KAI_PI * i, 1e-12, "quarter turns");
        check_near(s.torque, -KAI_PI * i, 1e-12, "-k θ on b");
        kai_vec3 force, torque;
        check_ok(kai_body_force(world, body, &force, &torque));
        check_vec3(torque, kai_vec3_make(0.0, s.torque, 0.0), 1e-12, "about the axis");
    }
    // Changing a parameter keeps the count.
    const void* kept;
    check_ok(kai_load_get(world, load, NULL, &kept));
    p = *(const kai_load_rotational_spring_params*)kept;
    p.stiffness = kai_curve_line(1.0);
    check_ok(kai_load_set(world, load, &p));
    check_ok(kai_load_output(world, load, &s));
    check_near(s.angle, 20.0 * KAI_PI, 1e-12, "ten turns");
    kai_world_destroy(world);
}

// Power against energy ---------------------------------------------------------------------------

/// A world of two free bodies and one load; dE/dt by a tiny step against what the balance says.
static void check_balance(kai_world* world, const char* what)
{
    kai_energy before, after;
    kai_vec3 linear[2], angular[2];
    check_ok(kai_world_energy(world, &before));
    check_ok(kai_world_momentum(world, &linear[0], &angular[0]));
    for (int i = 0; i < 100; i++) check_ok(kai_world_step(world, 1e-3));
    check_ok(kai_world_energy(world, &after));
    check_ok(kai_world_momentum(world, &linear[1], &angular[1]));
    check_near(after.drift, 0.0, 1e-8, what); // (h · 50 /s)⁴ of 1 J, 100 steps of 1e-3 s
    assert_true(fabs(after.elastic - before.elastic) > 1e-5);
    assert_true(after.dissipated > 1e-5);
    check_near(after.work, 0.0, 0.0, what);
    check_vec3(linear[1], linear[0], 1e-12, what);
    check_vec3(angular[1], angular[0], 1e-9, what); // x × p is quadratic: order 4
}

static void elements_balance(void** state)
{
    (void)state;
    double k[36] = {0}, c[36] = {0};
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++) {
            k[6 * i + j] =
                (i == j ? 20.0 : 0.0) + helper_random((uint64_t)(i < j ? 6 * i + j : 6 * j + i));
            c[6 * i + j] = (i == j ? 2.0 : 0.0) + 0.3 * helper_random((uint64_t)(100 + 6 * i + j));
        }
    const double drag[] = {-1.0, -3.0, 1.0, 3.0}; // straight: rk4 keeps its order
    for (uint64_t seed = 0; seed < 5; seed++) {
        kai_load load;
        kai_world* world = make_world();
        kai_body a = make_body(world, 10 * seed), b = make_body(world, 10 * seed + 5);
        kai_load_spring_params spring;
        kai_kind_defaults(&kai_load_spring.kind, &spring);
        spring.bodies[0] = a, spring.bodies[1] = b;
        spring.points[0] = helper_random_vec3(seed),
        spring.points[1] = helper_random_vec3(seed + 50);
        spring.stiffness = kai_curve_line(20.0);
        spring.damping.points = (kai_table){drag, 2, 2};
        spring.preload = 2.0;
        check_ok(kai_load_create(world, &kai_load_spring, &spring, NULL, &load));
        check_balance(world, "spring, order 4");
        kai_world_destroy(world);

        world = make_world();
        a = make_body(world, 10 * seed), b = make_body(world, 10 * seed + 5);
        kai_load_rotational_spring_params twist;
        kai_kind_defaults(&kai_load_rotational_spring.kind, &twist);
        twist.base.bodies[0] = a, twist.base.bodies[1] = b;
        twist.base.at = helper_random_vec3(seed);
        twist.base.axis = helper_random_direction(seed);
        twist.rest_angle = 0.7;
        twist.stiffness = kai_curve_line(3.0);
        twist.damping = kai_curve_line(0.5);
        twist.preload = 1.0;
        check_ok(kai_load_create(world, &kai_load_rotational_spring, &twist, NULL, &load));
        check_balance(world, "rotational-spring, order 4");
        kai_world_destroy(world);

        world = make_world();
        a = make_body(world, 10 * seed), b = make_body(world, 10 * seed + 5);
        kai_load_bushing_params bushing;
        kai_kind_defaults(&kai_load_bushing.kind, &bushing);
        bushing.base.bodies[0] = a, bushing.base.bodies[1] = b;
        bushing.base.at = helper_random_vec3(seed);
        bushing.base.axis = helper_random_direction(seed);
        bushing.stiffness = (kai_table){k, 6, 6};
        bushing.damping = (kai_table){c, 6, 6};
        check_ok(kai_load_create(world, &kai_load_bushing, &bushing, NULL, &load));
        check_balance(world, "bushing, order 4");
        kai_world_destroy(world);
    }
}

// Messages ---------------------------------------------------------------------------------------

static void wrong_springs(void** state)
{
    (void)state;
    kai_world* world = make_world();
    const kai_body ground = make_ground(world), body = make_body(world, 3);
    kai_load load;
    kai_load_spring_params p, good;
    kai_kind_defaults(&kai_load_spring.kind, &good);
    good.bodies[0] = ground, good.bodies[1] = body;
    p = good, p.bodies[1] = ground;
    check_error(kai_load_create(world, &kai_load_spring, &p, NULL, &load), KAI_ERROR_ARGUMENT);
    assert_true(says(world, "both bodies are the same"));
    p = good, p.bodies[1] = (kai_body){0};
    check_error(kai_load_create(world, &kai_load_spring, &p, NULL, &load), KAI_ERROR_ARGUMENT);
    assert_true(says(world, "bodies is missing"));
    p = good, p.rest_length = -1.0;
    check_error(kai_load_create(world, &kai_load_spring, &p, NULL, &load), KAI_ERROR_ARGUMENT);
    assert_true(says(world, "rest_length is -1 m; must be >= 0"));
    p = good, p.damping.slope = -2.0;
    check_error(kai_load_create(world, &kai_load_spring, &p, NULL, &load), KAI_ERROR_ARGUMENT);
    assert_true(says(world, "damping is -2 N s/m; must be >= 0"));
    const double back[] = {0.0, 0.0, 1.0, 2.0, 1.0, 3.0}, wild[] = {0.0, 0.0, 1.0, HUGE_VAL};
    p = good, p.stiffness.points = (kai_table){back, 3, 2};
    check_error(kai_load_create(world, &kai_load_spring, &p, NULL, &load), KAI_ERROR_ARGUMENT);
    assert_true(says(world, "x = 1 after 1 (row 3); must increase"));
    p.stiffness.points = (kai_table){wild, 2, 2};
    check_error(kai_load_create(world, &kai_load_spring, &p, NULL, &load), KAI_ERROR_ARGUMENT);
    assert_true(says(world, "must be finite"));
    p.stiffness.points = (kai_table){wild, 1, 2};
    check_error(kai_load_create(world, &kai_load_spring, &p, NULL, &load), KAI_ERROR_ARGUMENT);
    assert_true(says(world, "two or more rows"));
    assert_int_equal(kai_load_count(world), 0);
    kai_world_destroy(world);
}

static void wrong_frames(void** state)
{
    (void)state;
    kai_world* world = make_world();
    const kai_body ground = make_ground(world), body = make_body(world, 3);
    kai_load load;
    kai_load_rotational_spring_params p;
    kai_kind_defaults(&kai_load_rotational_spring.kind, &p);
    check_error(kai_load_create(world, &kai_load_rotational_spring, &p, NULL, &load),
                KAI_ERROR_ARGUMENT);
    assert_true(says(world, "joint is missing; give it, or bodies with at and axis"));
    p.base.bodies[0] = ground, p.base.bodies[1] = body;
    check_error(kai_load_create(world, &kai_load_rotational_spring, &p, NULL, &load),
                KAI_ERROR_ARGUMENT);
    assert_true(says(world, "at is missing"));
    kai_joint_base ball;
    kai_joint joint;
    kai_kind_defaults(&kai_joint_spherical.kind, &ball);
    ball.bodies[0] = ground, ball.bodies[1] = body;
    ball.at = kai_vec3_zero();
    check_ok(kai_joint_create(world, &kai_joint_spherical, &ball, NULL, &joint));
    p.joint = joint;
    check_error(kai_load_create(world, &kai_load_rotational_spring, &p, NULL, &load),
                KAI_ERROR_ARGUMENT);
    assert_true(says(world, "spherical joint, which has no angle"));
    check_ok(kai_joint_destroy(world, joint));
    check_error(kai_load_create(world, &kai_load_rotational_spring, &p, NULL, &load), KAI_ERROR_ID);
    kai_world_destroy(world);
}

static void wrong_bushings(void** state)
{
    (void)state;
    kai_world* world = make_world();
    const kai_body ground = make_ground(world), body = make_body(world, 3);
    kai_load load;
    double k[36] = {0};
    k[1] = 2.0;
    kai_load_bushing_params p;
    kai_kind_defaults(&kai_load_bushing.kind, &p);
    p.base.bodies[0] = ground, p.base.bodies[1] = body;
    p.base.at = kai_vec3_zero();
    check_error(kai_load_create(world, &kai_load_bushing, &p, NULL, &load), KAI_ERROR_ARGUMENT);
    assert_true(says(world, "stiffness has 0 rows"));
    p.stiffness = (kai_table){k, 6, 6};
    check_error(kai_load_create(world, &kai_load_bushing, &p, NULL, &load), KAI_ERROR_ARGUMENT);
    assert_true(says(world, "must be symmetric"));
    p.stiffness.rows = 3;
    check_error(kai_load_create(world, &kai_load_bushing, &p, NULL, &load), KAI_ERROR_ARGUMENT);
    assert_true(says(world, "stiffness has 3 rows; must have 6, or 1"));
    p.stiffness.rows = 1;
    check_ok(kai_load_create(world, &kai_load_bushing, &p, NULL, &load));
    kai_load_state s;
    kai_load_drag_params drag;
    kai_kind_defaults(&kai_load_drag.kind, &drag);
    drag.body = body;
    drag.linear = -1.0;
    check_error(kai_load_create(world, &kai_load_drag, &drag, NULL, &load), KAI_ERROR_ARGUMENT);
    kai_load_force_params force;
    kai_kind_defaults(&kai_load_force.kind, &force);
    force.body = body;
    check_ok(kai_load_create(world, &kai_load_force, &force, NULL, &load));
    check_error(kai_load_output(world, load, &s), KAI_ERROR_UNSUPPORTED);
    kai_world_destroy(world);
}

// Memory -----------------------------------------------------------------------------------------

/// Every allocation may fail: nothing leaks, and the load is there or not.
static void curves_without_memory(void** state)
{
    (void)state;
    const double rows[] = {0.0, 0.0, 1.0, 5.0};
    for (uint64_t fail = 1; fail < 12; fail++) {
        helper_allocator counter = {0};
        kai_world_def def = kai_world_def_default();
        kai_world* world = NULL;
        def.allocator = helper_allocator_make(&counter);
        def.threads = 1;
        check_ok(kai_world_create(&def, &world, NULL));
        const kai_body ground = make_ground(world), body = make_body(world, 1);
        kai_load_spring_params p;
        kai_load load;
        kai_kind_defaults(&kai_load_spring.kind, &p);
        p.bodies[0] = ground, p.bodies[1] = body;
        p.stiffness.points = p.damping.points = (kai_table){rows, 2, 2};
        counter.fail_at = counter.calls + fail;
        const kai_result r = kai_load_create(world, &kai_load_spring, &p, "s", &load);
        counter.fail_at = 0;
        assert_int_equal(kai_load_count(world), r == KAI_OK ? 1 : 0);
        if (r == KAI_OK) check_ok(kai_load_set(world, load, &p));
        kai_world_destroy(world);
        assert_int_equal(counter.blocks, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(curves),
        cmocka_unit_test(spring_output),
        cmocka_unit_test(rotational_spring_counts_turns),
        cmocka_unit_test(elements_balance),
        cmocka_unit_test(wrong_springs),
        cmocka_unit_test(wrong_frames),
        cmocka_unit_test(wrong_bushings),
        cmocka_unit_test(curves_without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
