// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Motors at one state: what they take from a joint, their rows against finite differences, and the
// messages for wrong parameters.
#include "helper.h"

#include <kairos/joint.h>
#include <kairos/world.h>

static const kai_joint_kind* const KINDS[] = {
    &kai_joint_motor_rotation_angle, &kai_joint_motor_rotation_speed,
    &kai_joint_motor_linear_position, &kai_joint_motor_linear_speed};

typedef struct pair {
    kai_world* world;
    kai_body a, b;
} pair;

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

static pair make_pair(uint64_t seed)
{
    kai_world_def def = kai_world_def_default();
    pair p;
    def.gravity = kai_vec3_zero();
    def.threads = 1;
    check_ok(kai_world_create(&def, &p.world, NULL));
    p.a = make_body(p.world, seed);
    p.b = make_body(p.world, seed + 7);
    return p;
}

static kai_joint_motor_params motor_params(const pair* p, const kai_joint_kind* kind, uint64_t seed)
{
    kai_joint_motor_params m;
    kai_kind_defaults(&kind->kind, &m);
    m.base.bodies[0] = p->a, m.base.bodies[1] = p->b;
    m.base.at = helper_random_vec3(seed + 1);
    m.base.axis = helper_random_direction(seed + 2);
    const kai_function_sine_params sine = {0.7, 0.5, 1.0, 0.2};
    check_ok(kai_function_create(p->world, &kai_function_sine, &sine, &m.value.function));
    return m;
}

static bool says(const kai_world* world, const char* text)
{
    const bool found = strstr(kai_world_error(world)->message, text) != NULL;
    if (!found) print_error("'%s' is not in: %s\n", text, kai_world_error(world)->message);
    return found;
}

// Rates ------------------------------------------------------------------------------------------

/// Two free bodies, turned against each other by any angle: the rates of the coordinates are those
/// of the coordinates. A tiny step of rk4 without forces is the motion.
static void rates_of_coordinates(void** state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 20; seed++) {
        const pair p = make_pair(11 * seed);
        const kai_joint_motor_params m = motor_params(&p, &kai_joint_motor_rotation_angle, seed);
        kai_joint_motor_params off = m;
        kai_joint joint;
        off.base.active = false;
        check_ok(kai_integrator_set(p.world, &kai_integrator_rk4, NULL));
        check_ok(kai_joint_create(p.world, &kai_joint_motor_rotation_angle, &off, NULL, &joint));
        for (int i = 0; i < 50; i++) check_ok(kai_world_step(p.world, 2e-2));
        double angle[3], travel[3], rate[2];
        check_ok(kai_joint_coordinates(p.world, joint, &angle[0], &travel[0]));
        check_ok(kai_world_step(p.world, 1e-4));
        check_ok(kai_joint_rates(p.world, joint, &rate[0], &rate[1]));
        check_ok(kai_joint_coordinates(p.world, joint, &angle[1], &travel[1]));
        check_ok(kai_world_step(p.world, 1e-4));
        check_ok(kai_joint_coordinates(p.world, joint, &angle[2], &travel[2]));
        const double turn = remainder(angle[2] - angle[0], 2.0 * KAI_PI);
        // The angle is steep where b's x axis comes near a's z axis; so is its third derivative.
        check_near(rate[0], turn / 2e-4, 1e-5 * (1.0 + pow(fabs(rate[0]), 3.0)),
                   "central difference");
        check_near(rate[1], (travel[2] - travel[0]) / 2e-4, 1e-5, "central difference");
        kai_world_destroy(p.world);
    }
}

// Rows -------------------------------------------------------------------------------------------

typedef struct poses {
    kai_pose pose[2];
    kai_motion motion[2];
} poses;

static kai_joint_row evaluate(const pair* p, kai_joint motor, const poses* at, double time)
{
    static const uint32_t slot[2] = {0, 1};
    const kai_joint_kind* kind;
    const void* params;
    kai_joint_row row;
    check_ok(kai_joint_get(p->world, motor, &kind, &params));
    const kai_joint_motor_params* m = params;
    kai_joint_motor_params still = *m;
    kai_jet value;
    check_ok(kai_function_at(p->world, m->value.function, time, &value));
    // A constant value stands for the function at this time; its rate is checked apart.
    still.value = kai_value_constant(value.y);
    const kai_joint_batch batch = {.world = p->world,
                                   .time = time,
                                   .instances = &still,
                                   .size = sizeof still,
                                   .end = 1,
                                   .slot = slot,
                                   .pose = at->pose,
                                   .motion = at->motion,
                                   .rows = &row};
    kind->evaluate(&batch);
    return row;
}

static kai_pose nudge(kai_pose pose, int i, double by)
{
    const kai_vec3 e = kai_vec3_scale(kai_vec3_axis(i % 3), by);
    if (i < 3)
        pose.position = kai_vec3_add(pose.position, e);
    else
        pose.rotation = kai_quat_mul(pose.rotation, kai_quat_from_rotation_vector(e));
    return pose;
}

static void rows_against_differences(void** state)
{
    (void)state;
    const kai_joint_kind* kinds[] = {KINDS[0], KINDS[2]};
    for (size_t k = 0; k < KAI_COUNT(kinds); k++) {
        for (uint64_t seed = 0; seed < 20; seed++) {
            const pair p = make_pair(13 * seed);
            const kai_joint_motor_params m = motor_params(&p, kinds[k], seed);
            kai_joint motor;
            check_ok(kai_joint_create(p.world, kinds[k], &m, NULL, &motor));
            poses at = {0};
            for (uint64_t i = 0; i < 2; i++) {
                at.pose[i].position = helper_random_vec3(1000 + 2 * seed + i);
                at.pose[i].rotation = helper_random_rotation(1000 + 2 * seed + i);
            }
            const kai_joint_row row = evaluate(&p, motor, &at, 0.3);
            for (int body = 0; body < 2; body++) {
                const double* g = (const double*)(body ? &row.b : &row.a);
                for (int i = 0; i < 6; i++) {
                    poses to = at, from = at;
                    to.pose[body] = nudge(at.pose[body], i, 1e-6);
                    from.pose[body] = nudge(at.pose[body], i, -1e-6);
                    const double d =
                        evaluate(&p, motor, &to, 0.3).g - evaluate(&p, motor, &from, 0.3).g;
                    check_near(g[i], remainder(d, 2.0 * KAI_PI) / 2e-6,
                               1e-6 * (1.0 + pow(fabs(g[i]), 3.0)), kinds[k]->kind.name);
                }
            }
            kai_world_destroy(p.world);
        }
    }
}

// From a joint -----------------------------------------------------------------------------------

static void takes_bodies_and_frames(void** state)
{
    (void)state;
    const pair p = make_pair(3);
    kai_joint_base slide;
    kai_joint joint, motor;
    kai_kind_defaults(&kai_joint_cylindrical.kind, &slide);
    slide.bodies[0] = p.a, slide.bodies[1] = p.b;
    slide.at = kai_vec3_make(0.1, 0.2, 0.3);
    slide.axis = kai_vec3_make(1.0, 1.0, 0.0);
    check_ok(kai_joint_create(p.world, &kai_joint_cylindrical, &slide, "joint", &joint));
    const void *of_joint, *of_motor;
    check_ok(kai_joint_get(p.world, joint, NULL, &of_joint));
    const kai_joint_base from = *(const kai_joint_base*)of_joint;
    for (size_t k = 0; k < KAI_COUNT(KINDS); k++) {
        kai_joint_motor_params m;
        kai_kind_defaults(&KINDS[k]->kind, &m);
        m.joint = joint;
        check_ok(kai_joint_create(p.world, KINDS[k], &m, NULL, &motor));
        check_ok(kai_joint_get(p.world, motor, NULL, &of_motor));
        const kai_joint_base* base = of_motor;
        assert_memory_equal(base->inner, from.inner, sizeof from.inner);
        assert_memory_equal(base->bodies, from.bodies, sizeof from.bodies);
        double angle, travel;
        check_ok(kai_joint_coordinates(p.world, motor, &angle, &travel));
        check_near(angle, 0.0, 1e-14, "zero at creation");
        check_near(travel, 0.0, 1e-14, "zero at creation");
        check_ok(kai_joint_destroy(p.world, motor));
    }
    kai_world_destroy(p.world);
}

static void wrong_motors(void** state)
{
    (void)state;
    const pair p = make_pair(3);
    kai_joint_base slide;
    kai_joint joint, motor;
    kai_load load;
    kai_kind_defaults(&kai_joint_prismatic.kind, &slide);
    slide.bodies[0] = p.a, slide.bodies[1] = p.b;
    slide.at = kai_vec3_zero();
    check_ok(kai_joint_create(p.world, &kai_joint_prismatic, &slide, "slide", &joint));
    kai_joint_motor_params m;
    kai_kind_defaults(&kai_joint_motor_rotation_angle.kind, &m);
    check_error(kai_joint_create(p.world, KINDS[0], &m, NULL, &motor), KAI_ERROR_ARGUMENT);
    assert_true(
        says(p.world, "rotation-angle: joint is missing; give it, or bodies with at and axis"));
    m.joint = joint;
    check_error(kai_joint_create(p.world, KINDS[0], &m, NULL, &motor), KAI_ERROR_ARGUMENT);
    assert_true(says(p.world, "rotation-angle: joint is a prismatic joint, which has no angle"));
    check_error(kai_load_create(p.world, &kai_load_motor_rotation_torque, &m, NULL, &load),
                KAI_ERROR_ARGUMENT);
    assert_true(says(p.world, "rotation-torque: joint is a prismatic joint, which has no angle"));
    m.coordinate = KAI_JOINT_TRAVEL;
    check_error(kai_joint_create(p.world, KINDS[0], &m, NULL, &motor), KAI_ERROR_ARGUMENT);
    assert_true(says(p.world, "rotation-angle: coordinate is travel; must be angle"));
    m.base.at = kai_vec3_zero();
    check_error(kai_joint_create(p.world, KINDS[2], &m, NULL, &motor), KAI_ERROR_ARGUMENT);
    assert_true(
        says(p.world, "linear-position: joint is given, and bodies or a frame as well; give one"));
    m.base.at = kai_vec3_make((double)NAN, (double)NAN, (double)NAN);
    check_ok(kai_joint_create(p.world, KINDS[2], &m, NULL, &motor));
    check_ok(kai_joint_destroy(p.world, joint));
    check_error(kai_joint_create(p.world, KINDS[2], &m, NULL, &motor), KAI_ERROR_ID);
    assert_true(says(p.world, "linear-position: joint"));
    double rate;
    check_error(kai_joint_rates(p.world, joint, &rate, &rate), KAI_ERROR_ID);
    check_error(kai_joint_effort(p.world, joint, &rate), KAI_ERROR_ID);
    kai_world_destroy(p.world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rates_of_coordinates),
        cmocka_unit_test(rows_against_differences),
        cmocka_unit_test(takes_bodies_and_frames),
        cmocka_unit_test(wrong_motors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
