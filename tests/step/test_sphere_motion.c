// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The step of spheres eight at a time, against the formulas of integrator_euler.c one by one.
#include "helper.h"
#include "step/integrators/sphere_motion.h"

enum { COUNT = 21 }; // two eights and a rest
static const double STEP = 1e-3, MASS = 0.3, MOMENT = 0.02;
static const kai_vec3 GRAVITY = {1.0, -2.0, -9.81};

typedef struct bodies {
    kai_pose pose[COUNT];
    kai_motion motion[COUNT];
    kai_sphere_motion_row sums[COUNT];
} bodies;

/// Some spin so fast that half a step turns them by more than two radians.
static void draw(bodies* b)
{
    for (uint64_t i = 0; i < COUNT; i++) {
        const double fast = i % 5 == 3 ? 2e4 : 50.0;
        const kai_vec3 force = kai_vec3_scale(helper_random_vec3(5 * i + 2), 10.0),
                       moment =
                           kai_vec3_scale(helper_random_vec3(5 * i + 3), i % 7 == 6 ? 1e6 : 2.0);
        b->pose[i] = (kai_pose){.position = helper_random_vec3(5 * i),
                                .rotation = kai_quat_from_rotation_vector(
                                    kai_vec3_scale(helper_random_vec3(5 * i + 4), 3.0))};
        b->motion[i] = (kai_motion){.velocity = helper_random_vec3(5 * i + 1),
                                    .spin = kai_vec3_scale(helper_random_vec3(5 * i + 3), fast),
                                    .flags = KAI_BODY_ISOTROPIC};
        const double row[8] = {force.x, force.y, force.z, 0.0, 0.0, moment.x, moment.y, moment.z};
        memcpy(b->sums[i], row, sizeof row);
    }
}

static void step_one(kai_pose* pose, kai_motion* motion, const double* sum)
{
    const double half = 0.5 * STEP;
    const kai_vec3 force = kai_vec3_make(sum[0], sum[1], sum[2]),
                   moment = kai_vec3_make(sum[5], sum[6], sum[7]);
    const kai_quat middle = kai_quat_mul(
        pose->rotation, kai_quat_from_rotation_vector(kai_vec3_scale(motion->spin, half)));
    pose->position = kai_vec3_mul_add(pose->position, motion->velocity, half);
    motion->velocity =
        kai_vec3_mul_add(kai_vec3_mul_add(motion->velocity, force, STEP / MASS), GRAVITY, STEP);
    motion->spin = kai_vec3_mul_add(motion->spin, kai_quat_unrotate(middle, moment), STEP / MOMENT);
    pose->position = kai_vec3_mul_add(pose->position, motion->velocity, half);
    pose->rotation =
        kai_quat_mul(middle, kai_quat_from_rotation_vector(kai_vec3_scale(motion->spin, half)));
}

static kai_sphere_motion common(void)
{
    return (kai_sphere_motion){.h = STEP,
                               .kick = STEP / MASS,
                               .turn = STEP / MOMENT,
                               .pull = {STEP * GRAVITY.x, STEP * GRAVITY.y, STEP * GRAVITY.z}};
}

static void test_step(void** state)
{
    static bodies b, one;
    const kai_sphere_motion m = common();
    draw(&b);
    draw(&one);
    assert_true(kai_sphere_motion_step(&m, (kai_sphere_motion_row*)b.pose,
                                       (kai_sphere_motion_row*)b.motion,
                                       (const kai_sphere_motion_row*)b.sums, NULL, COUNT));
    for (size_t i = 0; i < COUNT; i++) {
        step_one(&one.pose[i], &one.motion[i], one.sums[i]);
        const kai_quat p = b.pose[i].rotation, q = one.pose[i].rotation;
        const double spin = kai_vec3_norm(one.motion[i].spin);
        check_vec3(b.pose[i].position, one.pose[i].position, 1e-15, "one by one");
        check_vec3(b.motion[i].velocity, one.motion[i].velocity, 1e-15, "one by one");
        check_vec3(b.motion[i].spin, one.motion[i].spin, 1e-15 * (spin + 1e5), "one by one");
        // Angles of up to 25,000 radians, where a moment is large, have 4e-12 as their last digit.
        check_near(p.w * q.w + p.x * q.x + p.y * q.y + p.z * q.z, 1.0,
                   1e-15 + 1e-15 * spin * STEP * spin * STEP, "one by one");
        assert_int_equal(b.motion[i].flags, KAI_BODY_ISOTROPIC);
    }
}

/// What a body does must not depend on its place.
static void test_places(void** state)
{
    static bodies all, some;
    const kai_sphere_motion m = common();
    for (size_t first = 0; first < COUNT; first++) {
        draw(&all);
        draw(&some);
        kai_sphere_motion_step(&m, (kai_sphere_motion_row*)all.pose,
                               (kai_sphere_motion_row*)all.motion,
                               (const kai_sphere_motion_row*)all.sums, NULL, COUNT);
        kai_sphere_motion_step(&m, (kai_sphere_motion_row*)(some.pose + first),
                               (kai_sphere_motion_row*)(some.motion + first),
                               (const kai_sphere_motion_row*)(some.sums + first), NULL,
                               COUNT - first);
        const size_t bytes = COUNT - first;
        assert_memory_equal(all.pose + first, some.pose + first, bytes * sizeof *all.pose);
        assert_memory_equal(all.motion + first, some.motion + first, bytes * sizeof *all.motion);
    }
}

/// Cages around where the next step will look; one that ends too early, on one side, is noticed.
static void test_look(void** state)
{
    static bodies b;
    kai_grains_skin_box skin_boxes[COUNT];
    kai_sphere_motion m = common();
    m.look = true;
    m.radius = 0.1;
    m.origin[0] = 0.5, m.origin[1] = -0.25, m.origin[2] = 2.0;
    for (int small = -1; small < 6 * COUNT; small++) {
        draw(&b);
        for (size_t i = 0; i < COUNT; i++) {
            kai_pose pose = b.pose[i];
            kai_motion motion = b.motion[i];
            step_one(&pose, &motion, b.sums[i]);
            const kai_vec3 at = kai_vec3_mul_add(pose.position, motion.velocity, 0.5 * STEP);
            const double x[3] = {at.x, at.y, at.z};
            skin_boxes[i].width = 0.20004f;
            for (int k = 0; k < 3; k++) {
                const int side = small / 6 == (int)i && small >= 0 ? small % 6 : -1;
                const double off = side == k ? 1e-4 : side == k + 3 ? -1e-4 : 0.0;
                skin_boxes[i].low[k] = (float)(x[k] - m.origin[k] - 0.10002 + off);
            }
        }
        const bool inside = kai_sphere_motion_step(
            &m, (kai_sphere_motion_row*)b.pose, (kai_sphere_motion_row*)b.motion,
            (const kai_sphere_motion_row*)b.sums, skin_boxes, COUNT);
        assert_true(inside == (small < 0));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_step), cmocka_unit_test(test_places),
                                       cmocka_unit_test(test_look)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
