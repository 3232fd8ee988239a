// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Elements in a world: statics, every implicit method, euler, conservation, threads, resume. Bars
// do: what is tested here is what all kinds share.
#include "fea/reload.h"

#include <kairos/kairos.h>
#include <math.h>

static kai_world* make_world(kai_vec3 gravity, int threads, const kai_integrator_kind* integrator)
{
    kai_world_def def = kai_world_def_default();
    def.gravity = gravity;
    def.threads = threads;
    kai_world* world;
    kai_error err = {0};
    check_ok(kai_world_create(&def, &world, &err));
    if (integrator) check_ok(kai_integrator_set(world, integrator, NULL));
    return world;
}

static kai_solid add_solid(kai_world* world, double young, double density, double damping)
{
    kai_solid_elastic_params p;
    kai_solid solid;
    kai_kind_defaults(&kai_solid_elastic.kind, &p);
    p.young = young;
    p.base.density = density;
    p.base.damping = damping;
    check_ok(kai_solid_create(world, &kai_solid_elastic, &p, NULL, &solid));
    return solid;
}

static kai_node add_node(kai_world* world, double x, double y, double z, int64_t fixed)
{
    kai_node_def def = kai_node_def_default();
    kai_node node;
    def.position = kai_vec3_make(x, y, z);
    def.fixed = fixed;
    check_ok(kai_node_create(world, &def, NULL, &node));
    return node;
}

static void add_bar(kai_world* world, kai_solid solid, kai_node a, kai_node b, double area)
{
    const kai_element_bar_params p = {{a, b}, solid, area};
    kai_element element;
    if (kai_element_create(world, &kai_element_bar, &p, NULL, &element) != KAI_OK)
        fail_msg("%s", kai_world_error(world)->message);
}

static kai_vec3 position(const kai_world* world, kai_node node)
{
    kai_node_def def;
    check_ok(kai_node_get(world, node, &def));
    return def.position;
}

static void step(kai_world* world, double h, int count)
{
    for (int i = 0; i < count; i++)
        if (kai_world_step(world, h) != KAI_OK) fail_msg("%s", kai_world_error(world)->message);
}

/// A bar from the origin to (1, 0, 0), EA = 1000 N, that can only move along itself.
static kai_node one_bar(kai_world* world, double damping)
{
    const kai_solid solid = add_solid(world, 1e7, 1000.0, damping);
    const kai_node a = add_node(world, 0, 0, 0, KAI_NODE_FIX_ALL),
                   b = add_node(world, 1, 0, 0, KAI_NODE_FIX_ALL & ~1);
    add_bar(world, solid, a, b, 1e-4);
    return b;
}

// P = E A λ (λ² - 1) / 2 for St Venant-Kirchhoff under a pull.
static void a_bar_stretches(void** state)
{
    kai_world* world = make_world(kai_vec3_zero(), 1, NULL);
    const kai_node tip = one_bar(world, 0.0);
    check_ok(kai_node_set_force(world, tip, kai_vec3_make(200.0, 0, 0)));
    if (kai_world_statics(world) != KAI_OK) fail_msg("%s", kai_world_error(world)->message);
    const double stretch = position(world, tip).x;
    check_relative(1000.0 * stretch * (stretch * stretch - 1.0) / 2.0, 200.0, 1e-9,
                   "St Venant-Kirchhoff");
    kai_world_destroy(world);
}

/// Time of the second upward crossing of x = 1 minus that of the first.
static double measured_period(kai_world* world, kai_node tip, double h, int steps)
{
    double first = -1.0, before = position(world, tip).x - 1.0;
    for (int i = 0; i < steps; i++) {
        step(world, h, 1);
        const double now = position(world, tip).x - 1.0;
        if (before < 0.0 && now >= 0.0) {
            const double t = kai_world_time(world) - h * now / (now - before);
            if (first >= 0.0) return t - first;
            first = t;
        }
        before = now;
    }
    return (double)NAN;
}

// A bar of consistent mass with one end held: ω² = 3 E / ρ L².
static void a_bar_swings(void** state)
{
    const kai_integrator_kind* kinds[] = {&kai_integrator_trapezoidal, &kai_integrator_hht,
                                          &kai_integrator_newmark};
    for (size_t i = 0; i < KAI_COUNT(kinds); i++) {
        kai_world* world = make_world(kai_vec3_zero(), 1, kinds[i]);
        const kai_node tip = one_bar(world, 0.0);
        const kai_vec3 v = kai_vec3_make(1e-3, 0, 0);
        check_ok(kai_node_set_motion(world, tip, NULL, &v));
        const double period = 2.0 * acos(-1.0) / sqrt(3.0 * 1e7 / 1000.0);
        // order 2 at 400 steps a period: (2π/400)²/12 = 2e-5; newmark's default damps, order 1
        check_relative(measured_period(world, tip, period / 400.0, 2000), period, 1e-3,
                       "sqrt(3 E / rho) / L");
        kai_world_destroy(world);
    }
}

// euler is implicit in elements: at h = 100 periods nothing grows, and the bar comes to rest where
// statics has it.
static void euler_is_stable_at_any_step(void** state)
{
    kai_world* world = make_world(kai_vec3_zero(), 1, NULL);
    const kai_node tip = one_bar(world, 0.0);
    check_ok(kai_node_set_force(world, tip, kai_vec3_make(20.0, 0, 0)));
    step(world, 3.6, 40);
    const double stretch = position(world, tip).x;
    check_relative(1000.0 * stretch * (stretch * stretch - 1.0) / 2.0, 20.0, 1e-9, "equilibrium");
    kai_world_destroy(world);
}

// The error of euler falls with h: order 1, with damping and without.
static void euler_converges(void** state)
{
    for (int damped = 0; damped < 2; damped++) {
        const double beta = damped ? 2e-3 : 0.0, omega = sqrt(3.0 * 1e7 / 1000.0),
                     end = 1.0 / omega;
        // x'' + β ω² x' + ω² x = 0
        const double zeta = 0.5 * beta * omega, turn = omega * sqrt(1.0 - zeta * zeta);
        const double exact = 1e-3 / turn * exp(-zeta * omega * end) * sin(turn * end);
        double error[2];
        for (int k = 0; k < 2; k++) {
            kai_world* world = make_world(kai_vec3_zero(), 1, NULL);
            const kai_node tip = one_bar(world, beta);
            const kai_vec3 v = kai_vec3_make(1e-3, 0, 0);
            check_ok(kai_node_set_motion(world, tip, NULL, &v));
            const int n = k ? 1600 : 800;
            step(world, end / n, n);
            error[k] = fabs(position(world, tip).x - 1.0 - exact);
            kai_world_destroy(world);
        }
        check_relative(error[0] / error[1], 2.0, 0.05, "order 1");
        assert_true(error[0] < 2e-3 * exact);
    }
}

// Damping far beyond critical, at a large step: it creeps, and nothing grows.
static void euler_takes_any_damping(void** state)
{
    kai_world* world = make_world(kai_vec3_zero(), 1, NULL);
    const kai_node tip = one_bar(world, 10.0);
    const kai_vec3 v = kai_vec3_make(1.0, 0, 0);
    check_ok(kai_node_set_motion(world, tip, NULL, &v));
    double before = HUGE_VAL;
    for (int i = 0; i < 50; i++) {
        step(world, 1e-2, 1);
        kai_energy energy;
        check_ok(kai_world_energy(world, &energy));
        assert_true(energy.kinetic + energy.elastic <= before);
        before = energy.kinetic + energy.elastic;
    }
    kai_world_destroy(world);
}

/// A tetrahedron of six bars with masses, turning and swinging in free flight.
static void add_truss(kai_world* world, double damping)
{
    const kai_solid solid = add_solid(world, 1e6, 1000.0, damping);
    const double x[4][3] = {{0, 0, 0}, {1, 0, 0.1}, {0.2, 1, 0}, {0.3, 0.4, 1}};
    kai_node nodes[4];
    for (int i = 0; i < 4; i++) {
        nodes[i] = add_node(world, x[i][0], x[i][1], x[i][2], 0);
        const kai_vec3 v = kai_vec3_make(2.0 - 3.0 * x[i][1], 3.0 * x[i][0], 1.0 + 0.5 * i);
        check_ok(kai_node_set_motion(world, nodes[i], NULL, &v));
        for (int j = 0; j < i; j++) add_bar(world, solid, nodes[i], nodes[j], 1e-3);
    }
}

static double total(kai_world* world)
{
    kai_energy e;
    check_ok(kai_world_energy(world, &e));
    return e.kinetic + e.potential + e.elastic;
}

static void free_flight_conserves(void** state)
{
    kai_world* world = make_world(kai_vec3_zero(), 1, &kai_integrator_trapezoidal);
    add_truss(world, 0.0);
    kai_vec3 p0, l0, p1, l1;
    check_ok(kai_world_momentum(world, &p0, &l0));
    const double e0 = total(world);
    step(world, 1e-4, 2000);
    check_ok(kai_world_momentum(world, &p1, &l1));
    check_vec3(p1, p0, 1e-9 * kai_vec3_norm(p0), "no force from outside");
    // The trapezoidal rule keeps L and E to its order: (h ω)² with ω ~ 60/s, h ω ~ 6e-3
    check_vec3(l1, l0, 1e-4 * kai_vec3_norm(l0), "no torque from outside, order 2");
    check_relative(total(world), e0, 1e-4, "order 2");
    kai_world_destroy(world);
}

static void damping_takes_energy(void** state)
{
    kai_world* world = make_world(kai_vec3_zero(), 1, &kai_integrator_hht);
    add_truss(world, 1e-3);
    double before = total(world);
    for (int i = 0; i < 50; i++) {
        step(world, 1e-3, 4);
        const double now = total(world);
        assert_true(now <= before * (1.0 + 1e-9));
        before = now;
    }
    kai_world_destroy(world);
}

/// A curtain of n × n nodes and bars, held along its top.
static void add_curtain(kai_world* world, int n)
{
    const kai_solid solid = add_solid(world, 1e7, 1000.0, 1e-3);
    kai_node* nodes = calloc((size_t)(n * n), sizeof *nodes);
    for (int i = 0; i < n * n; i++) {
        const int r = i / n, c = i % n;
        nodes[i] = add_node(world, 0.1 * c, 0.02 * sin(c + r), -0.1 * r,
                            r == 0 ? KAI_NODE_FIX_POSITION : 0);
        if (c > 0) add_bar(world, solid, nodes[i], nodes[i - 1], 1e-5);
        if (r > 0) add_bar(world, solid, nodes[i], nodes[i - n], 1e-5);
    }
    free(nodes);
}

static uint64_t run_curtain(int threads, const kai_integrator_kind* kind, bool resume)
{
    kai_world* world = make_world(kai_vec3_make(0, 0.3, -9.81), threads, kind);
    add_curtain(world, 20);
    step(world, 1e-3, 10);
    if (resume) world = reload(world, threads);
    step(world, 1e-3, 10);
    const uint64_t hash = kai_world_hash(world);
    kai_world_destroy(world);
    return hash;
}

static void threads_and_resume_change_no_bit(void** state)
{
    const kai_integrator_kind* kinds[] = {&kai_integrator_euler, &kai_integrator_hht};
    for (size_t i = 0; i < KAI_COUNT(kinds); i++) {
        const uint64_t one = run_curtain(1, kinds[i], false);
        assert_true(run_curtain(2, kinds[i], false) == one);
        assert_true(run_curtain(5, kinds[i], false) == one);
        assert_true(run_curtain(1, kinds[i], true) == one);
    }
}

static void bad_input_is_named(void** state)
{
    kai_world* world = make_world(kai_vec3_zero(), 1, NULL);
    const kai_solid solid = add_solid(world, 1e7, 1000.0, 0.0);
    const kai_node a = add_node(world, 0, 0, 0, 0), b = add_node(world, 0, 0, 0, 0);
    kai_element element;
    kai_element_bar_params p = {{a, b}, solid, 1.0};
    check_error(kai_element_create(world, &kai_element_bar, &p, "rod", &element),
                KAI_ERROR_ARGUMENT);
    assert_non_null(strstr(kai_world_error(world)->message, "bar 'rod': its length is 0 m"));
    p.nodes[1] = a;
    check_error(kai_element_create(world, &kai_element_bar, &p, NULL, &element),
                KAI_ERROR_ARGUMENT);
    assert_non_null(strstr(kai_world_error(world)->message, "stands twice"));
    // A node that nothing holds has no mass.
    check_error(kai_world_step(world, 1e-3), KAI_ERROR_ARGUMENT);
    assert_non_null(strstr(kai_world_error(world)->message, "has no mass"));
    kai_world_destroy(world);
}

static void explicit_methods_say_no(void** state)
{
    kai_world* world = make_world(kai_vec3_zero(), 1, &kai_integrator_rk4);
    one_bar(world, 0.0);
    check_error(kai_world_step(world, 1e-3), KAI_ERROR_UNSUPPORTED);
    kai_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_bar_stretches),
        cmocka_unit_test(a_bar_swings),
        cmocka_unit_test(euler_is_stable_at_any_step),
        cmocka_unit_test(euler_converges),
        cmocka_unit_test(euler_takes_any_damping),
        cmocka_unit_test(free_flight_conserves),
        cmocka_unit_test(damping_takes_energy),
        cmocka_unit_test(threads_and_resume_change_no_bit),
        cmocka_unit_test(bad_input_is_named),
        cmocka_unit_test(explicit_methods_say_no),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
