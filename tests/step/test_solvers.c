// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Solvers of the joints' system: the same motion by each of them, least-norm reactions, any number
// of threads, what auto picks, and what is said when iterations do not converge.
#include "model/solver.h"
#include "step/joints.h"

#include <kairos/solver.h>
#include <string.h>

static const kai_solver_type ITERATIVE[] = {KAI_SOLVER_MINRES, KAI_SOLVER_GMRES,
                                            KAI_SOLVER_BICGSTAB};

static void choose(kai_world* world, kai_solver_type type, double tolerance)
{
    kai_solver_def def = kai_solver_def_default();
    def.type = type;
    def.tolerance = tolerance;
    check_ok(kai_solver_set(world, &def));
}

// Mechanisms -------------------------------------------------------------------------------------

/// Bars of 1 m in a row, each at its own angle, on revolutes; they hang from the ground.
static void make_chain(kai_world* world, kai_body ground, int links, bool closed)
{
    kai_vec3 at = kai_vec3_zero();
    kai_body before = ground;
    const kai_vec3 y = kai_vec3_axis(1);
    for (int i = 0; i < links; i++) {
        const double theta = 0.6 + 0.5 * i;
        const kai_body_def def = joints_bar(1.0 + 0.2 * i, 0.1, at, 0.5, theta, 0.0);
        const kai_body bar = joints_add(world, &def);
        joints_simple(world, &kai_joint_revolute, before, bar, at, y);
        at = kai_vec3_mul_add(at, kai_vec3_make(sin(theta), 0.0, -cos(theta)), 1.0);
        before = bar;
    }
    if (closed) joints_simple(world, &kai_joint_revolute, ground, before, at, y);
}

/// A pendulum, a chain of five, and a four-bar of revolutes in space, three rows of which are
/// redundant.
static kai_world* make_mechanisms(const kai_integrator_kind* integrator)
{
    kai_world* world = joints_world(integrator, 0.0);
    const kai_body ground = joints_ground(world);
    make_chain(world, ground, 1, false);
    make_chain(world, ground, 5, false);
    make_chain(world, ground, 3, true);
    return world;
}

/// Largest distance of two worlds' bodies.
static double apart(const kai_world* a, const kai_world* b)
{
    double most = 0.0;
    for (size_t i = 0; i < kai_body_count(a); i++)
        most = fmax(most, kai_vec3_distance(kai_body_position(a, kai_body_at(a, i)),
                                            kai_body_position(b, kai_body_at(b, i))));
    return most;
}

static void every_solver_gives_the_same_motion(void** state)
{
    (void)state;
    static const kai_integrator_kind* const kinds[] = {
        &kai_integrator_euler,       &kai_integrator_rk4,     &kai_integrator_euler_implicit,
        &kai_integrator_trapezoidal, &kai_integrator_newmark, &kai_integrator_hht};
    for (size_t k = 0; k < KAI_COUNT(kinds); k++) {
        kai_world* direct = make_mechanisms(kinds[k]);
        choose(direct, KAI_SOLVER_DIRECT, 0.0);
        joints_run(direct, 0.05, 1e-3);
        assert_string_equal(kai_solver_measured(direct).name, "direct");
        for (size_t s = 0; s < KAI_COUNT(ITERATIVE); s++) {
            kai_world* world = make_mechanisms(kinds[k]);
            choose(world, ITERATIVE[s], 1e-12);
            joints_run(world, 0.05, 1e-3);
            const kai_solver_figures f = kai_solver_measured(world);
            // Residuals: 1e-12, and 1e-10 of a thousand times b where rows are redundant.
            // 50 solutions, each off by 1e-12 of momenta of a few kg m/s; the pace of Newton's
            // method, whose tolerance is 1e-10 m.
            check_near(apart(world, direct), 0.0, 2e-9, "the direct solver");
            assert_true(f.iterations_mean > 5.0 && f.iterations > 0);
            assert_true(f.residual_max <= 2e-7 && f.residual_mean <= f.residual_max);
            kai_world_destroy(world);
        }
        kai_world_destroy(direct);
    }
}

static void a_tolerance_bounds_the_error(void** state)
{
    (void)state;
    double error[2];
    for (int i = 0; i < 2; i++) {
        kai_world* direct = make_mechanisms(&kai_integrator_euler);
        kai_world* world = make_mechanisms(&kai_integrator_euler);
        choose(world, KAI_SOLVER_MINRES, i == 0 ? 1e-5 : 1e-9);
        joints_run(direct, 0.1, 1e-3);
        joints_run(world, 0.1, 1e-3);
        error[i] = apart(world, direct);
        assert_true(kai_solver_measured(world).residual_max <= (i == 0 ? 1e-5 : 1e-9));
        kai_world_destroy(world);
        kai_world_destroy(direct);
    }
    assert_true(error[0] < 1e-3);
    assert_true(error[1] < 1e-2 * error[0]);
}

// Orders -----------------------------------------------------------------------------------------

static void orders_are_kept(void** state)
{
    (void)state;
    static const struct {
        const kai_integrator_kind* kind;
        double order;
    } all[] = {{&kai_integrator_euler, 2.0},
               {&kai_integrator_euler_implicit, 1.0},
               {&kai_integrator_trapezoidal, 2.0},
               {&kai_integrator_rk4, 4.0}};
    for (size_t k = 0; k < KAI_COUNT(all); k++) {
        kai_vec3 end[3];
        for (int i = 0; i < 3; i++) {
            kai_world* world = joints_world(all[k].kind, 1e-12);
            make_chain(world, joints_ground(world), 2, false);
            choose(world, KAI_SOLVER_MINRES, 1e-13);
            joints_run(world, 0.2, 0.01 / (1 << i));
            end[i] = kai_body_position(world, kai_body_at(world, 2));
            kai_world_destroy(world);
        }
        const double order =
            log2(kai_vec3_distance(end[0], end[1]) / kai_vec3_distance(end[1], end[2]));
        check_near(order, all[k].order, 0.2, all[k].kind->kind.name);
    }
}

// Redundant and bounded rows ---------------------------------------------------------------------

static const double LEG_X[4] = {0.5, -0.5, -0.5, 0.5}, LEG_Y[4] = {0.3, 0.3, -0.3, -0.3};

typedef struct messages {
    int count, infos;
    char last[512], info[512];
} messages;

static void note(void* context, kai_log_level level, const char* message)
{
    messages* m = context;
    if (level == KAI_LOG_INFO) {
        m->infos++;
        snprintf(m->info, sizeof m->info, "%s", message);
    }
    if (level != KAI_LOG_WARNING) return;
    m->count++;
    snprintf(m->last, sizeof m->last, "%s", message);
}

static kai_world* make_noted(messages* log, const kai_integrator_kind* kind)
{
    kai_world_def def = kai_world_def_default();
    kai_world* world = NULL;
    def.threads = 1;
    def.log = note;
    def.log_context = log;
    check_ok(kai_world_create(&def, &world, NULL));
    _Alignas(64) char buffer[SCENE_PARAMS];
    check_ok(kai_integrator_set(world, kind, scene_equal_steps(kind, buffer)));
    return world;
}

static void legs_of_a_table_share_the_load(void** state)
{
    (void)state;
    static const kai_integrator_kind* const kinds[] = {&kai_integrator_euler, &kai_integrator_hht};
    for (size_t s = 0; s < 2 * KAI_COUNT(ITERATIVE); s++) {
        messages log = {0};
        kai_joint legs[4];
        kai_world* world = make_noted(&log, kinds[s % 2]);
        choose(world, ITERATIVE[s / 2], 1e-13);
        const kai_body ground = joints_ground(world);
        kai_body_def body = joints_body_def(20.0, 1.0, 2.0, 2.5);
        body.position = kai_vec3_make(0.1, -0.05, 0.7);
        const kai_body table = joints_add(world, &body);
        for (int i = 0; i < 4; i++)
            legs[i] = joints_simple(world, &kai_joint_point_on_plane, ground, table,
                                    kai_vec3_make(LEG_X[i], LEG_Y[i], 0.0), kai_vec3_axis(2));
        joints_run(world, 0.05, 1e-3);
        assert_int_equal(log.count, 1); // the redundant row is told, and nothing else
        assert_non_null(strstr(log.last, "redundant"));
        double f[4], sum = 0.0;
        for (int i = 0; i < 4; i++) {
            kai_vec3 force, torque;
            check_ok(kai_joint_reaction(world, legs[i], &force, &torque));
            sum += f[i] = force.z;
        }
        check_near(sum, 20.0 * JOINTS_G, 1e-5, "balance");
        check_near(f[0] - f[1] + f[2] - f[3], 0.0, 1e-5, "least norm: nothing along the null row");
        kai_world_destroy(world);
    }
}

static void ropes_and_limits(void** state)
{
    (void)state;
    kai_vec3 end[4];
    for (int s = 0; s < 4; s++) {
        kai_world* world = joints_world(&kai_integrator_euler, 0.0);
        const kai_body ground = joints_ground(world);
        choose(world, s == 0 ? KAI_SOLVER_DIRECT : ITERATIVE[s - 1], 1e-13);
        kai_body_def def = joints_body_def(2.0, 0.1, 0.1, 0.1);
        def.position = kai_vec3_make(0.5, 0.0, -0.2);
        kai_joint_distance_params rope;
        kai_kind_defaults(&kai_joint_rope.kind, &rope);
        rope.base.bodies[0] = ground;
        rope.base.bodies[1] = joints_add(world, &def);
        rope.points[0] = kai_vec3_zero();
        rope.length = 1.0;
        rope.points[1] = def.position;
        joints_make(world, &kai_joint_rope, &rope);
        joints_run(world, 0.6, 1e-3); // falls, is caught, swings
        end[s] = kai_body_position(world, kai_body_at(world, 1));
        assert_true(kai_vec3_norm(end[s]) < 1.0 + 1e-5);
        check_vec3(end[s], end[0], 1e-9, "the direct solver");
        kai_world_destroy(world);
    }
}

// Statics and assembly ---------------------------------------------------------------------------

static void analyses_work_with_every_solver(void** state)
{
    (void)state;
    for (size_t s = 0; s < KAI_COUNT(ITERATIVE); s++) {
        kai_world* world = joints_world(&kai_integrator_euler, 0.0);
        choose(world, ITERATIVE[s], 1e-12);
        const kai_body ground = joints_ground(world);
        make_chain(world, ground, 3, false);
        if (kai_world_statics(world) != KAI_OK) fail_msg("%s", kai_world_error(world)->message);
        for (size_t i = 1; i <= 3; i++)
            check_vec3(kai_body_position(world, kai_body_at(world, i)),
                       kai_vec3_make(0.0, 0.0, 0.5 - (double)i), 1e-6, "it hangs straight down");
        // The end is pulled off its place, and assembly brings it back.
        const kai_body last = kai_body_at(world, 3);
        const kai_frame off = {kai_vec3_make(0.1, 0.0, -2.4), kai_quat_identity()};
        check_ok(kai_body_set_frame(world, last, off));
        check_ok(kai_world_assemble(world));
        check_near(joints_violation(world), 0.0, 1e-11, "assembled");
        kai_world_destroy(world);
    }
}

// Nets: what auto picks --------------------------------------------------------------------------

/// A place in the net; off a plane, for a flat net could not move at all.
static kai_vec3 knot(int column, int row)
{
    return kai_vec3_make(column, 0.3 * sin(2.1 * column + 1.3 * row), -row - 1.0);
}

/// n × n balls, each joined to its neighbours on both sides; the first row to the ground.
static void make_net(kai_world* world, int n)
{
    const kai_body ground = joints_ground(world);
    const kai_vec3 z = kai_vec3_axis(2);
    for (int i = 0; i < n * n; i++) {
        const int column = i % n, row = i / n;
        kai_body_def def = joints_body_def(1.0, 0.1, 0.1, 0.1);
        def.position = knot(column, row);
        const kai_body ball = joints_add(world, &def);
        const size_t number = (size_t)i + 1;
        joints_simple(world, &kai_joint_spherical,
                      row == 0 ? ground : kai_body_at(world, number - (size_t)n), ball,
                      kai_vec3_lerp(knot(column, row - 1), knot(column, row), 0.5), z);
        if (column > 0)
            joints_simple(world, &kai_joint_spherical, kai_body_at(world, number - 1), ball,
                          kai_vec3_lerp(knot(column - 1, row), knot(column, row), 0.5), z);
    }
}

static void auto_counts_the_fill(void** state)
{
    (void)state;
    kai_world* worlds[2];
    messages log[2] = {{0}, {0}};
    for (int k = 0; k < 2; k++) {
        worlds[k] = make_noted(&log[k], &kai_integrator_euler);
        kai_solver_def def = kai_solver_get(worlds[k]);
        assert_int_equal(def.type, KAI_SOLVER_AUTO);
        def.memory = k == 0 ? def.memory : 1e5;
        def.tolerance =
            1e-11; // 1e-12 is below what rounding leaves where there is no fused multiply-add
        check_ok(kai_solver_set(worlds[k], &def));
        make_net(worlds[k], 8);
        check_ok(kai_body_set_velocity(worlds[k], kai_body_at(worlds[k], 64),
                                       kai_vec3_make(0.0, 1.0, 0.0), kai_vec3_zero()));
        assert_string_equal(kai_solver_measured(worlds[k]).name, "none");
        joints_run(worlds[k], 0.01, 1e-3);
        assert_int_equal(log[k].count, 0);
        assert_int_equal(log[k].infos, 1);
    }
    assert_string_equal(kai_solver_measured(worlds[0]).name, "direct");
    assert_string_equal(kai_solver_measured(worlds[1]).name, "minres");
    assert_non_null(strstr(log[0].info, "solver: direct"));
    assert_non_null(strstr(log[1].info, "memory"));
    assert_int_equal(kai_solver_measured(worlds[0]).iterations, 1);
    check_near(apart(worlds[0], worlds[1]), 0.0, 1e-9, "both solvers");
    for (int k = 0; k < 2; k++) kai_world_destroy(worlds[k]);
}

static void threads_change_no_bit(void** state)
{
    (void)state;
    static const int threads[] = {1, 2, 5, 16};
    for (size_t s = 0; s < KAI_COUNT(ITERATIVE); s++) {
        uint64_t hash = 0;
        for (size_t t = 0; t < KAI_COUNT(threads); t++) {
            kai_world_def def = kai_world_def_default();
            kai_world* world = NULL;
            def.threads = threads[t];
            check_ok(kai_world_create(&def, &world, NULL));
            make_net(world, 8);
            choose(world, ITERATIVE[s], 1e-4);
            check_ok(kai_body_set_velocity(world, kai_body_at(world, 64),
                                           kai_vec3_make(0.0, 1.0, 0.0), kai_vec3_zero()));
            joints_run(world, 2e-3, 1e-3);
            if (t == 0) hash = kai_world_hash(world);
            assert_true(kai_world_hash(world) == hash);
            kai_world_destroy(world);
        }
    }
}

// What goes wrong --------------------------------------------------------------------------------

static void what_does_not_converge_is_told(void** state)
{
    (void)state;
    for (int hopeless = 0; hopeless < 2; hopeless++) {
        messages log = {0};
        kai_world* world = make_noted(&log, &kai_integrator_euler);
        kai_solver_def def = kai_solver_def_default();
        def.type = KAI_SOLVER_MINRES;
        def.iterations = hopeless ? 1 : 60;
        def.tolerance = 1e-14;
        check_ok(kai_solver_set(world, &def));
        make_net(world, 12);
        const kai_result r = kai_world_step_until(world, 5e-3, 1e-3);
        if (hopeless) {
            assert_int_equal(r, KAI_ERROR_DIVERGED);
            assert_non_null(strstr(kai_world_error(world)->message, "after 1 iterations"));
            check_near(kai_world_time(world), 0.0, 0.0, "nothing has changed");
        } else {
            assert_int_equal(r, KAI_OK);
            assert_int_equal(log.count, 1);
            assert_non_null(strstr(log.last, "minres: not converged after 60 iterations"));
            assert_non_null(strstr(log.last, "residual"));
        }
        for (size_t i = 0; i < kai_body_count(world); i++)
            assert_true(kai_vec3_is_finite(kai_body_position(world, kai_body_at(world, i))));
        kai_world_destroy(world);
    }
}

static void settings_have_rules(void** state)
{
    (void)state;
    kai_world* world = joints_world(&kai_integrator_euler, 0.0);
    kai_solver_def def = kai_solver_def_default(), none = {0};
    assert_int_equal(kai_solver_set(world, NULL), KAI_ERROR_ARGUMENT);
    assert_int_equal(kai_solver_set(world, &none), KAI_ERROR_ARGUMENT);
    def.iterations = -1;
    assert_int_equal(kai_solver_set(world, &def), KAI_ERROR_ARGUMENT);
    assert_non_null(strstr(kai_world_error(world)->message, "iterations is -1"));
    def.iterations = 10;
    def.type = 99;
    assert_int_equal(kai_solver_set(world, &def), KAI_ERROR_ARGUMENT);
    assert_int_equal(kai_solver_get(world).type, KAI_SOLVER_AUTO);
    kai_world_destroy(world);
}

// What `iterations` holds for: contacts too, unless a linear solver is named alone.
static void iterations_are_for_whom(void** state)
{
    (void)state;
    const struct {
        int32_t type, linear, cone;
        uint32_t contacts;
    } cases[] = {{KAI_SOLVER_AUTO, 0, 0, 7},
                 {KAI_SOLVER_PSOR, 0, 0, 7},
                 {KAI_SOLVER_MINRES, 0, 0, 100},
                 {KAI_SOLVER_AUTO, KAI_SOLVER_LINEAR_MINRES, 0, 100},
                 {KAI_SOLVER_AUTO, KAI_SOLVER_LINEAR_MINRES, KAI_SOLVER_CONE_APGD, 7}};
    for (size_t i = 0; i < KAI_COUNT(cases); i++) {
        kai_solver_def def = kai_solver_def_default();
        assert_int_equal(kai_solver_cone_iterations(&def), 100);
        def.type = cases[i].type;
        def.linear = cases[i].linear;
        def.cone = cases[i].cone;
        def.iterations = 7;
        assert_int_equal(kai_solver_cone_iterations(&def), cases[i].contacts);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_solver_gives_the_same_motion),
        cmocka_unit_test(a_tolerance_bounds_the_error),
        cmocka_unit_test(orders_are_kept),
        cmocka_unit_test(legs_of_a_table_share_the_load),
        cmocka_unit_test(ropes_and_limits),
        cmocka_unit_test(analyses_work_with_every_solver),
        cmocka_unit_test(auto_counts_the_fill),
        cmocka_unit_test(threads_change_no_bit),
        cmocka_unit_test(what_does_not_converge_is_told),
        cmocka_unit_test(settings_have_rules),
        cmocka_unit_test(iterations_are_for_whom),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
