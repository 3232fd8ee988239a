// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Particles that do not rotate, beside bodies that do. Without friction nothing turns a ball: they
// must do what others do, with less. With friction they slide like blocks.
#include "contact/stage.h"

#include <kairos/joint.h>
#include <kairos/particles.h>
#include <unistd.h>

static const double R = 5e-3;

/// Balls on a shaken grid of n × n × n in a box (three times as wide for n = 3), and a plank above
/// them that comes down askew.
static kai_world* pool(kai_contact_method method, int n, double friction, bool rotates, int threads,
                       kai_body* plank)
{
    kai_world* world = stage_world(method, threads);
    kai_material_def surface = stage_rough(friction);
    surface.young = 1e6;
    const kai_material material = stage_material(world, &surface);
    const double pitch = 2.2 * R, half = 0.5 * pitch * n;
    double* x = malloc(3 * (size_t)(n * n * n) * sizeof *x);
    assert_non_null(x);
    const size_t count = (size_t)(n * n * n);
    stage_solver(world, KAI_SOLVER_PSOR, 60, 1e-10);
    stage_floor(world, material);
    for (int k = 0; k < 4; k++) {
        const double sign = k % 2 ? 1.0 : -1.0;
        const kai_vec3 out = kai_vec3_scale(kai_vec3_axis(k / 2), sign);
        stage_plane(world, kai_vec3_scale(out, n == 3 ? 3.0 * half : half),
                    kai_vec3_scale(out, -1.0), material);
    }
    for (size_t i = 0; i < count; i++) {
        const size_t m = (size_t)n;
        const kai_vec3 shake = kai_vec3_scale(helper_random_vec3(i), 0.05 * R);
        x[i] = pitch * ((double)(i % m) + 0.5) - half + shake.x;
        x[count + i] = pitch * ((double)(i / m % m) + 0.5) - half + shake.y;
        x[2 * count + i] = pitch * ((double)(i / m / m) + 0.5) + shake.z;
    }
    const kai_shape_sphere_params sphere = {R};
    kai_particles_def def = kai_particles_def_default();
    kai_particles group;
    def.shape = &kai_shape_sphere;
    def.shape_params = &sphere;
    def.common.material = material;
    def.density = 1000.0;
    def.rotates = rotates;
    def.table = (kai_particle_table){.count = count, .x = x, .y = x + count, .z = x + 2 * count};
    check_ok(kai_particles_create(world, &def, &group));
    free(x);
    *plank = stage_box(world, kai_vec3_make(half, 0.6 * half, 0.2 * half), 0.02,
                       kai_vec3_make(0.1 * half, 0.0, pitch * n + half), helper_random_rotation(1),
                       material);
    return world;
}

static void check_same(const kai_world* a, const kai_world* b, double tolerance)
{
    assert_int_equal(kai_body_count(a), kai_body_count(b));
    for (size_t i = 0; i < kai_body_count(a); i++) {
        const kai_body x = kai_body_at(a, i), y = kai_body_at(b, i);
        check_vec3(kai_body_position(a, x), kai_body_position(b, y), tolerance, "balls that turn");
        check_vec3(kai_body_com_velocity(a, x), kai_body_com_velocity(b, y), 1e2 * tolerance,
                   "balls that turn");
    }
}

// NSC: contacts of both are one number each, and the numbers are the same. SMC: forces across the
// normal, and so torques, are rounding.
static void test_same_without_friction(void** state)
{
    for (int method = KAI_CONTACT_NSC; method <= KAI_CONTACT_SMC; method++) {
        const bool nsc = method == KAI_CONTACT_NSC;
        kai_body plank_a, plank_b;
        kai_world* a = pool(method, 5, 0.0, false, 1, &plank_a);
        kai_world* b = pool(method, 5, 0.0, true, 2, &plank_b);
        for (int i = 0; i < 6; i++) {
            stage_steps(a, nsc ? 20 : 200, nsc ? 1e-3 : 1e-4);
            stage_steps(b, nsc ? 20 : 200, nsc ? 1e-3 : 1e-4);
            // Once the plank has come down: arms of balls that turn are askew by rounding.
            check_same(a, b, i > 2 ? 1e-12 : nsc ? 0.0 : 1e-15);
        }
        assert_true(kai_contact_report_count(a) > 150);
        // The plank has come down and lies on the others, turned by them.
        assert_true(fabs(stage_force(a, plank_a).z) > 0.0);
        assert_true(kai_vec3_norm(kai_body_angular_velocity(a, plank_a)) > 1e-3);
        for (size_t i = 0; i < 5; i++)
            check_vec3(
                kai_body_angular_velocity(a, kai_particles_body(a, kai_particles_at(a, 0), i)),
                kai_vec3_zero(), 0.0, "does not turn");
        // Nothing turns the others either, however fast the plank came.
        for (size_t i = 0; i < 125; i++)
            check_vec3(
                kai_body_angular_velocity(b, kai_particles_body(b, kai_particles_at(b, 0), i)),
                kai_vec3_zero(), 1e-9, "no friction");
        kai_world_destroy(a);
        kai_world_destroy(b);
    }
}

// Momentum of the balls and the plank, without walls in the way: only gravity changes it.
static void test_momentum(void** state)
{
    kai_body plank;
    kai_world* world = pool(KAI_CONTACT_NSC, 3, 0.5, false, 2, &plank);
    kai_vec3 before, after, spin;
    kai_mass_properties ball;
    check_ok(kai_body_mass(world, kai_particles_body(world, kai_particles_at(world, 0), 0), &ball));
    const double mass = 27.0 * ball.mass + 0.02;
    for (size_t i = 0; i < 27; i++)
        stage_push(world, kai_particles_body(world, kai_particles_at(world, 0), i),
                   kai_vec3_make(0.0, 0.0, 3.0), kai_vec3_zero());
    check_ok(kai_world_momentum(world, &before, &spin));
    size_t contacts = 0;
    for (int i = 0; i < 20; i++, contacts += kai_contact_report_count(world))
        stage_steps(world, 1, 1e-3);
    check_ok(kai_world_momentum(world, &after, &spin));
    assert_true(contacts > 50);
    check_vec3(after, kai_vec3_mul_add(before, kai_vec3_make(0.0, 0.0, -STAGE_G), 0.02 * mass),
               1e-15, "m g t");
    kai_world_destroy(world);
}

// A ball that does not turn slides down a slope as a block does: a = g (sin α - μ cos α), and stays
// where tan α < μ. One that turns would roll in both cases.
static void test_slides_like_a_block(void** state)
{
    const double slope = 0.5, h = 1e-3, x0[1] = {0.0};
    for (int method = KAI_CONTACT_NSC; method <= KAI_CONTACT_SMC; method++) {
        const bool nsc = method == KAI_CONTACT_NSC;
        for (int k = 0; k < 2; k++) {
            const double friction = k ? 0.8 : 0.3;
            kai_world* world = stage_world(method, 1);
            const kai_material_def surface = stage_rough(friction);
            const kai_material material = stage_material(world, &surface);
            const kai_vec3 normal = kai_vec3_make(sin(slope), 0.0, cos(slope)),
                           down = kai_vec3_make(cos(slope), 0.0, -sin(slope));
            const double z = R, at_x = z * normal.x, at_z = z * normal.z;
            stage_plane(world, kai_vec3_zero(), normal, material);
            const kai_shape_sphere_params sphere = {R};
            kai_particles_def def = kai_particles_def_default();
            kai_particles group;
            def.shape = &kai_shape_sphere;
            def.shape_params = &sphere;
            def.common.material = material;
            def.density = 1000.0;
            def.rotates = false;
            def.table = (kai_particle_table){.count = 1, .x = &at_x, .y = x0, .z = &at_z};
            check_ok(kai_particles_create(world, &def, &group));
            const kai_body ball = kai_particles_body(world, group, 0);
            stage_steps(world, nsc ? 500 : 20000, nsc ? h : 2.5e-5);
            const double v = kai_vec3_dot(kai_body_com_velocity(world, ball), down);
            const double exact = k ? 0.0 : 0.5 * STAGE_G * (sin(slope) - friction * cos(slope));
            // SMC begins without the overlap that carries the weight: it bounces for a few ms.
            check_near(v, exact, nsc ? 1e-10 : 2e-3, "a block on a slope");
            check_vec3(kai_body_angular_velocity(world, ball), kai_vec3_zero(), 0.0, "never turns");
            kai_world_destroy(world);
        }
    }
}

// Contacts without friction take less memory of the solver: 64 bytes for 112, and of a body that
// does not turn nothing is read but its velocity.
static void test_memory_of_contacts(void** state)
{
    kai_body plank;
    size_t bytes[2];
    for (int k = 0; k < 2; k++) {
        kai_world* world = pool(KAI_CONTACT_NSC, 8, k ? 0.5 : 0.0, k, 1, &plank);
        stage_steps(world, 30, 1e-3);
        bytes[k] = kai_world_stats(world).bytes;
        kai_world_destroy(world);
    }
    assert_true(bytes[0] < bytes[1]);
}

static void test_save_and_load(void** state)
{
    char path[64];
    snprintf(path, sizeof path, "test_straight_%ld.h5", (long)getpid());
    kai_body plank;
    kai_world *world = pool(KAI_CONTACT_NSC, 4, 0.4, false, 1, &plank), *again = NULL;
    stage_steps(world, 40, 1e-3);
    check_ok(kai_world_save(world, path));
    kai_world_def def = kai_world_def_default();
    def.threads = 2;
    check_ok(kai_world_load(&def, path, &again, NULL));
    remove(path);
    stage_steps(world, 40, 1e-3);
    stage_steps(again, 40, 1e-3);
    assert_int_equal(kai_world_hash(again), kai_world_hash(world));
    const kai_body ball = kai_particles_body(again, kai_particles_at(again, 0), 0);
    check_vec3(kai_body_angular_velocity(again, ball), kai_vec3_zero(), 0.0, "still does not turn");
    check_ok(kai_body_set_fixed(again, ball, true));
    check_ok(kai_body_set_fixed(again, ball, false));
    stage_push(again, ball, kai_vec3_zero(), kai_vec3_axis(0));
    check_vec3(kai_body_angular_velocity(again, ball), kai_vec3_zero(), 0.0, "nor when told to");
    kai_world_destroy(world);
    kai_world_destroy(again);
}

static void test_refused(void** state)
{
    kai_body plank;
    kai_world* world = pool(KAI_CONTACT_NSC, 2, 0.4, false, 1, &plank);
    kai_joint_base base;
    kai_joint joint;
    kai_kind_defaults(&kai_joint_spherical.kind, &base);
    base.bodies[0] = plank;
    base.bodies[1] = kai_particles_body(world, kai_particles_at(world, 0), 0);
    check_error(kai_joint_create(world, &kai_joint_spherical, &base, NULL, &joint),
                KAI_ERROR_ARGUMENT);
    assert_string_equal(kai_world_error(world)->message,
                        "kai_joint_create: spherical: bodies[1] is a particle that does not "
                        "rotate; joints need bodies that do");
    const double zero = 0.0;
    const kai_shape_sphere_params sphere = {R};
    kai_particles_def def = kai_particles_def_default();
    kai_particles group;
    def.shape = &kai_shape_sphere;
    def.shape_params = &sphere;
    def.density = 1.0;
    def.rotates = false;
    def.table = (kai_particle_table){
        .count = 1, .x = &zero, .y = &zero, .z = &zero, .wx = &zero, .wy = &zero, .wz = &zero};
    check_error(kai_particles_create(world, &def, &group), KAI_ERROR_ARGUMENT);
    assert_string_equal(kai_world_error(world)->message,
                        "kai_particles_create: particles: rotates is false, but the table has "
                        "spins wx, wy, wz");
    kai_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_without_friction), cmocka_unit_test(test_momentum),
        cmocka_unit_test(test_slides_like_a_block),   cmocka_unit_test(test_memory_of_contacts),
        cmocka_unit_test(test_save_and_load),         cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
