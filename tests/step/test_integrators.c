// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// What every integrator must show: its order of convergence, closed forms, conservation, the same
// bits for any number of threads. Runs over the built-in list.
// ctest-labels: validate
#include "step/scene.h"

static const double TWO_PI = 6.283185307179586476925;

// Torque-free asymmetric body in closed form -----------------------------------------------------

/// Jacobi's sn, cn, dn by the arithmetic-geometric mean (Abramowitz & Stegun 16.4).
static void jacobi(double u, double m, double* sn, double* cn, double* dn)
{
    double a[16] = {1.0}, c[16] = {sqrt(m)}, b = sqrt(1.0 - m);
    int n = 0;
    while (fabs(c[n]) > 1e-17 && n < 15) {
        a[n + 1] = 0.5 * (a[n] + b);
        c[n + 1] = 0.5 * (a[n] - b);
        b = sqrt(a[n] * b);
        n++;
    }
    double phi = ldexp(a[n] * u, n), before = phi;
    for (; n > 0; n--) {
        before = phi;
        phi = 0.5 * (phi + asin(c[n] * sin(phi) / a[n]));
    }
    *sn = sin(phi);
    *cn = cos(phi);
    *dn = fabs(cos(before - phi)) > 0.0 ? *cn / cos(before - phi) : sqrt(1.0 - m * *sn * *sn);
}

// I1 < I2 < I3 and L² > 2 E I2 (Landau & Lifshitz, Mechanics, § 37), started at ω2 = 0:
//     ω1 = A cn τ, ω2 = B sn τ, ω3 = C dn τ  with
static const kai_vec3 MOMENTS = {1.0, 2.0, 3.0};
static const kai_vec3 OMEGA = {1.0, 0.0, 2.0};

static kai_vec3 exact_spin(double t)
{
    const double i1 = MOMENTS.x, i2 = MOMENTS.y, i3 = MOMENTS.z;
    const double energy2 = i1 * OMEGA.x * OMEGA.x + i3 * OMEGA.z * OMEGA.z;
    const double l2 = i1 * i1 * OMEGA.x * OMEGA.x + i3 * i3 * OMEGA.z * OMEGA.z;
    assert_true(l2 > energy2 * i2);
    const double rate = sqrt((i3 - i2) * (l2 - energy2 * i1) / (i1 * i2 * i3));
    const double m = (i2 - i1) * (energy2 * i3 - l2) / ((i3 - i2) * (l2 - energy2 * i1));
    double sn, cn, dn;
    jacobi(rate * t, m, &sn, &cn, &dn);
    return kai_vec3_make(sqrt((energy2 * i3 - l2) / (i1 * (i3 - i1))) * cn,
                         sqrt((energy2 * i3 - l2) / (i2 * (i3 - i2))) * sn,
                         sqrt((l2 - energy2 * i1) / (i3 * (i3 - i1))) * dn);
}

/// Error of the spin in the body frame after `end` seconds in n steps.
static double spin_error(const kai_integrator_kind* integrator, int n, double end)
{
    kai_world* world = scene_world(integrator, 1);
    const kai_body body = scene_body(world, MOMENTS, OMEGA);
    scene_steps(world, n, end / n);
    const kai_vec3 spin =
        kai_body_vector_from_world(world, body, kai_body_angular_velocity(world, body));
    kai_world_destroy(world);
    return kai_vec3_distance(spin, exact_spin(end));
}

/// log2 of the ratio of errors for n and 2 n steps: the order, for n large enough.
static void check_order(double coarse, double fine, int order, const char* what)
{
    char source[128];
    snprintf(source, sizeof source, "order of %s; 0.1 for the higher terms that are left", what);
    check_near(log2(coarse / fine), (double)order, 0.1, source);
}

static void order_of_free_rotation(void** state)
{
    (void)state;
    const kai_integrator_kind* k;
    for (size_t i = 0; (k = kai_integrator_built_in(i)); i++) {
        const int n = k->order == 1 ? 8000 : k->order == 2 ? 1000 : 100;
        check_order(spin_error(k, n, 2.0), spin_error(k, 2 * n, 2.0), k->order, k->kind.name);
    }
}

static void accuracy_of_free_rotation(void** state)
{
    (void)state;
    // The largest rate is |ω| = 2.2 rad/s: h = 0.01 gives (ω h)⁴ = 2.4e-7, and likewise for the
    // others.
    check_near(spin_error(&kai_integrator_rk4, 200, 2.0), 0.0, 2.4e-7, "Landau & Lifshitz § 37");
    check_near(spin_error(&kai_integrator_leapfrog, 2000, 2.0), 0.0, 5e-6,
               "Landau & Lifshitz § 37");
    // Order 1: h |ω|² t = 9.7e-4.
    check_near(spin_error(&kai_integrator_euler, 20000, 2.0), 0.0, 9.7e-4,
               "Landau & Lifshitz § 37");
}

// Loads in closed form ---------------------------------------------------------------------------

// Force A sin(w t + p) on mass m from rest, w = 2π f: x = A/(m w) (t cos p - (sin(w t + p) - sin p)
// / w). The phase keeps the force from starting at zero, where euler would happen to be of order 2.
static double shaken_error(const kai_integrator_kind* integrator, int n)
{
    kai_world* world = scene_world(integrator, 1);
    const kai_body body = scene_body(world, MOMENTS, kai_vec3_zero());
    const kai_function_sine_params sine = {.amplitude = 3.0, .frequency = 0.7, .phase = 1.0};
    kai_load_force_params force;
    kai_load load;
    kai_kind_defaults(&kai_load_force.kind, &force);
    force.body = body;
    check_ok(kai_function_create(world, &kai_function_sine, &sine, &force.value.y.function));
    check_ok(kai_load_create(world, &kai_load_force, &force, "shaker", &load));
    scene_steps(world, n, 1.0 / n);
    const double w = TWO_PI * 0.7,
                 exact = 3.0 / (2.0 * w) * (cos(1.0) - (sin(w + 1.0) - sin(1.0)) / w);
    const double error = fabs(kai_body_position(world, body).y - exact);
    kai_world_destroy(world);
    return error;
}

static void order_with_a_load_in_time(void** state)
{
    (void)state;
    const kai_integrator_kind* k;
    for (size_t i = 0; (k = kai_integrator_built_in(i)); i++) {
        const int n = k->order == 4 ? 20 : 400;
        // Euler's order 1 is that of the gyroscopic term.
        const int order = k == &kai_integrator_euler ? 2 : k->order;
        check_order(shaken_error(k, n), shaken_error(k, 2 * n), order, k->kind.name);
    }
}

typedef struct drag_params {
    kai_body body;
    double rate;
} drag_params;

static void drag_apply(const kai_load_batch* b)
{
    for (size_t i = b->begin; i < b->end; i++) {
        const drag_params* p = KAI_LOAD_AT(b, drag_params, i);
        b->out[i].force = kai_vec3_scale(b->motion[b->slot[i]].velocity, -p->rate);
    }
}

static const kai_param DRAG_PARAMS[] = {
    {.name = "body",
     .type = KAI_PARAM_BODY,
     .offset = offsetof(drag_params, body),
     .required = true,
     .doc = "Body."},
    {.name = "rate",
     .type = KAI_PARAM_REAL,
     .offset = offsetof(drag_params, rate),
     .doc = "Force at 1 m/s."},
};

static const kai_load_kind DRAG = {.kind = {KAI_SIZES(kai_load_kind), .name = "slowing",
                                            .doc = "Linear drag.", .size = sizeof(drag_params),
                                            .params = DRAG_PARAMS,
                                            .param_count = KAI_COUNT(DRAG_PARAMS)},
                                   .apply = drag_apply,
                                   .needs_velocity = true};

// m v̇ = -c v: v = v0 exp(-c t / m). A kind of the user's own, whose force depends on velocity.
static double dragged_error(const kai_integrator_kind* integrator, int n)
{
    kai_world* world = scene_world(integrator, 1);
    const kai_body body = scene_body(world, MOMENTS, kai_vec3_zero());
    check_ok(kai_body_set_velocity(world, body, kai_vec3_make(5.0, 0.0, 0.0), kai_vec3_zero()));
    check_ok(kai_load_register(world, &DRAG));
    const drag_params params = {body, 3.0};
    kai_load load;
    check_ok(kai_load_create(world, &DRAG, &params, NULL, &load));
    scene_steps(world, n, 1.0 / n);
    const double error = fabs(kai_body_velocity(world, body).x - 5.0 * exp(-1.5));
    kai_world_destroy(world);
    return error;
}

static void order_with_drag(void** state)
{
    (void)state;
    const kai_integrator_kind* k;
    for (size_t i = 0; (k = kai_integrator_built_in(i)); i++) {
        const int n = k->order == 4 ? 20 : 200;
        const int order = k == &kai_integrator_euler ? 2 : k->order;
        check_order(dragged_error(k, n), dragged_error(k, 2 * n), order, k->kind.name);
    }
}

// A constant body-frame torque about z: ω = T t / I, angle = T t² / 2 I; and constant gravity: a
// parabola.
static void constant_torque_and_gravity(void** state)
{
    (void)state;
    const kai_integrator_kind* k;
    for (size_t i = 0; (k = kai_integrator_built_in(i)); i++) {
        kai_world* world = scene_world(k, 1);
        const kai_body body = scene_body(world, kai_vec3_make(1.0, 2.0, 2.5), kai_vec3_zero());
        kai_load_torque_params torque;
        kai_load load;
        kai_kind_defaults(&kai_load_torque.kind, &torque);
        torque.body = body;
        torque.frame = KAI_LOAD_BODY;
        torque.value.z = kai_value_constant(4.0);
        check_ok(kai_load_create(world, &kai_load_torque, &torque, NULL, &load));
        check_ok(kai_world_set_gravity(world, kai_vec3_make(0.0, 0.0, -9.81)));
        check_ok(kai_body_set_velocity(world, body, kai_vec3_make(1.0, 0.0, 5.0), kai_vec3_zero()));
        scene_steps(world, 1000, 1e-3);
        // The two Euler methods take the new velocity for the whole step: off by h/2 · acceleration
        // · t.
        const double first = k == &kai_integrator_euler_implicit ? 1.0 : 0.0;
        check_near(kai_body_angular_velocity(world, body).z, 1.6, 1e-12, "T t / I");
        const double angle = 0.5 * 1.6 + first * 0.5e-3 * 1.6;
        check_rotation(kai_body_rotation(world, body),
                       kai_quat_from_axis_angle(kai_vec3_make(0.0, 0.0, 1.0), angle), 1e-12,
                       "T t² / 2 I");
        check_vec3(kai_body_velocity(world, body), kai_vec3_make(1.0, 0.0, 5.0 - 9.81), 1e-12,
                   "v0 + g t");
        check_vec3(kai_body_position(world, body),
                   kai_vec3_make(1.0, 0.0, 5.0 - 0.5 * 9.81 - first * 0.5e-3 * 9.81), 1e-12,
                   "v0 t + g t² / 2");
        kai_world_destroy(world);
    }
}

// Conservation -----------------------------------------------------------------------------------

static void rk4_keeps_energy_and_momentum(void** state)
{
    (void)state;
    kai_world* world = scene_world(&kai_integrator_rk4, 1);
    scene_body(world, MOMENTS, kai_vec3_make(1.0, 0.01, 2.0));
    const double energy = scene_energy(world);
    const kai_vec3 momentum = scene_momentum(world);
    scene_steps(world, 100000, 1e-3);
    check_relative(scene_energy(world), energy, 1e-9, "issue: 100 s at h = 1e-3");
    check_near(kai_vec3_distance(scene_momentum(world), momentum) / kai_vec3_norm(momentum), 0.0,
               1e-9, "issue: 100 s at h = 1e-3");
    kai_world_destroy(world);
}

/// 1000 rad/s near the unstable axis, one radian a step: |L| stays, so ω does; energy lies between
/// its bounds.
static void fast_spin_is_bounded(const kai_integrator_kind* integrator, double momentum_tolerance)
{
    kai_world* world = scene_world(integrator, 1);
    const kai_body body = scene_body(world, MOMENTS, kai_vec3_make(10.0, 1000.0, 10.0));
    const double l = kai_vec3_norm(scene_momentum(world));
    for (int i = 0; i < 20000; i++) {
        check_ok(kai_world_step(world, 1e-3));
        const kai_vec3 omega = kai_body_angular_velocity(world, body);
        assert_true(kai_vec3_norm(omega) <= 1.001 * l / MOMENTS.x);
    }
    check_relative(kai_vec3_norm(scene_momentum(world)), l, momentum_tolerance,
                   "length of I ω is kept by every turn");
    const double energy = scene_energy(world);
    assert_true(energy >= 0.999 * l * l / (2.0 * MOMENTS.z) &&
                energy <= 1.001 * l * l / (2.0 * MOMENTS.x));
    kai_world_destroy(world);
}

static void fast_spin(void** state)
{
    (void)state;
    fast_spin_is_bounded(&kai_integrator_euler, 1e-10);
    fast_spin_is_bounded(&kai_integrator_leapfrog, 1e-10);
}

/// Symplectic: the energy error of leapfrog oscillates and does not grow. h ω = 0.02, 10⁵ steps.
static void leapfrog_energy_is_bounded(void** state)
{
    (void)state;
    kai_world* world = scene_world(&kai_integrator_leapfrog, 1);
    scene_body(world, MOMENTS, kai_vec3_make(1.0, 0.01, 2.0));
    const double energy = scene_energy(world);
    const kai_vec3 momentum = scene_momentum(world);
    double early = 0.0, late = 0.0;
    for (int i = 0; i < 100000; i++) {
        check_ok(kai_world_step(world, 1e-2));
        const double off = fabs(scene_energy(world) - energy) / energy;
        if (i < 10000) early = fmax(early, off);
        if (i >= 90000) late = fmax(late, off);
    }
    assert_true(early < 1e-4);
    assert_true(late < 1.05 * early);
    check_vec3(scene_momentum(world), momentum, 1e-10, "kept to rounding: 10⁵ steps of a few ε");
    kai_world_destroy(world);
}

/// The work of loads closes the energy balance: drift shrinks with the order of the integrator.
static void energy_balance(void** state)
{
    (void)state;
    const double allowed[] = {0, 1e-2, 1e-5, 0, 1e-10};
    const kai_integrator_kind* k;
    for (size_t i = 0; (k = kai_integrator_built_in(i)); i++) {
        kai_world* world = scene_world(k, 1);
        check_ok(kai_world_set_gravity(world, kai_vec3_make(0.0, 0.0, -9.81)));
        const kai_body body = scene_body(world, MOMENTS, OMEGA);
        kai_load_force_params force;
        kai_load load;
        kai_kind_defaults(&kai_load_force.kind, &force);
        force.body = body;
        force.at_body = kai_vec3_make(0.1, 0.2, 0.0);
        force.frame = KAI_LOAD_BODY;
        force.value.x = kai_value_constant(2.0);
        check_ok(kai_load_create(world, &kai_load_force, &force, NULL, &load));
        scene_steps(world, 1000, 1e-3);
        kai_energy e;
        check_ok(kai_world_energy(world, &e));
        assert_true(fabs(e.work) > 0.1);
        check_near(e.drift / e.kinetic, 0.0, allowed[k->order], k->kind.name);
        kai_world_destroy(world);
    }
}

// Repeatability ----------------------------------------------------------------------------------

static void every_integrator_is_found_by_name(void** state)
{
    (void)state;
    const kai_integrator_kind* k;
    for (size_t i = 0; (k = kai_integrator_built_in(i)); i++)
        assert_ptr_equal(kai_integrator_find(k->kind.name), k);
    assert_null(kai_integrator_find("no such"));
}

static kai_world* crowd(const kai_integrator_kind* integrator, int threads)
{
    kai_world* world = scene_world(integrator, threads);
    check_ok(kai_world_set_gravity(world, kai_vec3_make(0.0, 0.0, -9.81)));
    const kai_function_sine_params sine = {.amplitude = 3.0, .frequency = 2.0};
    kai_function wave;
    check_ok(kai_function_create(world, &kai_function_sine, &sine, &wave));
    for (uint64_t i = 0; i < 5003; i++) {
        const double iso = i % 3 ? 1.0 : 1.7;
        const kai_body body =
            scene_body(world, kai_vec3_make(1.0, iso, iso), helper_random_vec3(i));
        if (i % 11 == 0) check_ok(kai_body_set_fixed(world, body, true));
        if (i % 7) continue;
        for (int n = 0; n < 3; n++) {
            kai_load_force_params force;
            kai_load load;
            kai_kind_defaults(&kai_load_force.kind, &force);
            force.body = body;
            force.at = helper_random_vec3(10 * i + (uint64_t)n);
            force.value.x.function = wave;
            force.value.z = kai_value_constant(helper_random(i));
            check_ok(kai_load_create(world, &kai_load_force, &force, NULL, &load));
        }
    }
    return world;
}

static void same_bits_for_any_threads(void** state)
{
    (void)state;
    const int threads[] = {1, 2, 3, 7, 16};
    const kai_integrator_kind* k;
    for (size_t i = 0; (k = kai_integrator_built_in(i)); i++) {
        uint64_t hash = 0, energy_bits = 0;
        for (size_t t = 0; t < KAI_COUNT(threads); t++) {
            kai_world* world = crowd(k, threads[t]);
            scene_steps(world, 20, 1e-3);
            kai_energy e;
            check_ok(kai_world_energy(world, &e));
            uint64_t bits;
            memcpy(&bits, &e.drift, sizeof bits);
            if (t == 0) hash = kai_world_hash(world), energy_bits = bits;
            assert_int_equal(kai_world_hash(world), hash);
            assert_int_equal(bits, energy_bits);
            kai_world_destroy(world);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(order_of_free_rotation),
        cmocka_unit_test(accuracy_of_free_rotation),
        cmocka_unit_test(order_with_a_load_in_time),
        cmocka_unit_test(order_with_drag),
        cmocka_unit_test(constant_torque_and_gravity),
        cmocka_unit_test(rk4_keeps_energy_and_momentum),
        cmocka_unit_test(fast_spin),
        cmocka_unit_test(leapfrog_energy_is_bounded),
        cmocka_unit_test(energy_balance),
        cmocka_unit_test(every_integrator_is_found_by_name),
        cmocka_unit_test(same_bits_for_any_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
