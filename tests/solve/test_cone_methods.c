// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// All methods for cone problems, on the same problems: residuals, agreement, energy, threads,
// joints, hard cases.
#include "cone_helper.h"

static const struct {
    const char* name;
    kai_cone_method method;
    uint32_t iterations; // enough for 1e-9 on what is below
} METHODS[] = {{"psor", KAI_CONE_PSOR, 20000},
               {"bb", KAI_CONE_BB, 20000},
               {"apgd", KAI_CONE_APGD, 20000},
               {"admm", KAI_CONE_ADMM, 2000},
               {"newton", KAI_CONE_NEWTON, 200}};
enum { METHOD_COUNT = sizeof METHODS / sizeof METHODS[0] };

static const kai_vec3 UP = {0.0, 0.0, 1.0};

// A heap: balls and blocks that fall on each other, the lowest on the ground. Normals point up, so
// that all may separate at once: there is a solution. Three contacts for two bodies: with more, the
// slower methods take too long for a test.
static cone_fixture* make_heap(uint32_t bodies, double friction, double couples)
{
    cone_fixture* f = cone_begin();
    for (uint32_t i = 0; i < bodies; i++) {
        const double size = 0.5 + 0.3 * helper_random(10 * i);
        const double mass = 1.0 + 0.5 * helper_random(10 * i + 2);
        const kai_vec3 v = kai_vec3_add(helper_random_vec3(10 * i + 1), kai_vec3_scale(UP, -1.0));
        if (i % 3 == 0)
            cone_block(f, mass, kai_vec3_make(size, 0.7 * size, 0.4), helper_random_rotation(i), v);
        else
            cone_ball(f, mass, size, v, helper_random_vec3(10 * i + 3));
    }
    for (uint32_t i = 0; 2 * i < 3 * bodies; i++) {
        const uint32_t b = 2 * i / 3, below = 1 + (i * 7) % 9;
        const bool ground = b < below;
        // Upwards, so that all may separate at once.
        kai_vec3 n = kai_vec3_mul_add(UP, helper_random_vec3(i), 0.4);
        n = kai_vec3_normalize(n);
        kai_vec3 arm_a = kai_vec3_scale(n, 0.5), arm_b = kai_vec3_scale(n, -0.4);
        if (i % 2 == 0) {
            arm_a = kai_vec3_mul_add(arm_a, helper_random_vec3(3 * i), 0.3);
            arm_b = kai_vec3_mul_add(arm_b, helper_random_vec3(3 * i + 1), 0.3);
        }
        kai_cone_contact* c = cone_touch(f, ground ? KAI_CONE_NONE : b - below, b, n, arm_a, arm_b,
                                         friction * (1.0 + 0.5 * helper_random(5 * i)));
        c->bias = 0.1 * (1.0 + helper_random(5 * i + 1));
        if (i % 5 == 0) c->compliance = 0.1;
        if (couples > 0.0 && i % 2 == 0) {
            c->rolling = couples * (1.0 + helper_random(5 * i + 2));
            c->spinning = couples * (1.0 + helper_random(5 * i + 3));
        }
    }
    return f;
}

static void solve_to(cone_fixture* f, int method, double tolerance)
{
    f->options.iterations = METHODS[method].iterations;
    f->options.tolerance = tolerance;
    cone_forget(f);
    cone_solve(f, METHODS[method].method);
    if (f->result.residual > tolerance)
        print_error("%s: %u iterations, residual %g\n", METHODS[method].name, f->result.iterations,
                    f->result.residual);
    assert_true(f->result.residual <= tolerance);
}

static void test_residuals(void** state)
{
    (void)state;
    for (int k = 0; k < METHOD_COUNT * 4; k++) {
        cone_fixture* f = make_heap(20, 0.5, k % 2 ? 0.05 : 0.0);
        f->options.associated = k / 2 % 2 == 1;
        solve_to(f, k / 4, 1e-9);
        check_near(cone_residual(f, f->options.associated), f->result.residual, 1e-12,
                   "plain formulas");
        check_near(cone_momentum_error(f), 0.0, 1e-12, "v0 + M⁻¹ D γ");
        cone_end(f);
    }
}

static void test_all_agree(void** state)
{
    (void)state;
    // The associated problem is convex: velocities are unique, and as far off as the residual says,
    // times a condition that is about 10 here.
    for (int couples = 0; couples < 2; couples++) {
        cone_fixture *f = make_heap(20, 0.5, 0.05 * couples),
                     *g = make_heap(20, 0.5, 0.05 * couples);
        f->options.associated = g->options.associated = true;
        solve_to(f, METHOD_COUNT - 1, 1e-10); // admm
        for (int k = 0; k + 1 < METHOD_COUNT; k++) {
            solve_to(g, k, 1e-10);
            for (uint32_t i = 0; i < 20; i++) {
                check_vec3(g->motion[i].v, f->motion[i].v, 1e-8, METHODS[k].name);
                check_vec3(g->motion[i].w, f->motion[i].w, 1e-8, METHODS[k].name);
            }
        }
        cone_end(f);
        cone_end(g);
    }
}

static double energy(const cone_fixture* f, const kai_cone_motion* m)
{
    double sum = 0.0;
    for (size_t i = 0; i < f->problem.body_count; i++) {
        sum += 0.5 * kai_vec3_norm2(m[i].v) / m[i].inverse_mass;
        if (m[i].inverse_moment > 0.0) sum += 0.5 * kai_vec3_norm2(m[i].w) / m[i].inverse_moment;
    }
    return sum;
}

static void test_energy_never_grows(void** state)
{
    (void)state;
    // γ·u ≤ 0 at every solution with bias 0; solved to 1e-9, energy is off by as much.
    for (int k = 0; k < METHOD_COUNT * 2; k++) {
        cone_fixture* f = make_heap(20, 0.7, 0.05);
        for (uint32_t i = 0; i < 20; i++)
            if (f->start[i].inverse_moment < 0.0) f->start[i].inverse_moment = 1.0;
        for (size_t i = 0; i < f->problem.contact_count; i++) f->contacts[i].bias = 0.0;
        f->options.associated = k % 2 == 1;
        if (METHODS[k / 2].method == KAI_CONE_NEWTON && !f->options.associated) {
            // Where all collide at once its steps under Coulomb's law need to begin near the
            // solution, as they do in a simulation.
            f->options.iterations = 1000;
            cone_solve(f, KAI_CONE_PSOR);
            f->options.iterations = 100;
            f->options.tolerance = 1e-9;
            cone_solve(f, KAI_CONE_NEWTON);
            assert_true(f->result.residual <= 1e-9 && f->result.iterations <= 100);
        } else {
            solve_to(f, k / 2, 1e-9);
        }
        assert_true(energy(f, f->motion) < energy(f, f->start) + 1e-8);
        cone_end(f);
    }
}

static void test_coulomb_slides_without_lift(void** state)
{
    (void)state;
    for (int k = 0; k < METHOD_COUNT; k++) {
        cone_fixture* f = make_heap(20, 0.2, 0.0);
        size_t sliding = 0;
        solve_to(f, k, 1e-10);
        for (size_t i = 0; i < f->problem.contact_count; i++) {
            const kai_cone_contact* c = &f->contacts[i];
            const kai_vec3 u = cone_speed(f, i), g = f->impulse[i];
            const double un = kai_vec3_dot(u, c->normal), gn = kai_vec3_dot(g, c->normal);
            const kai_vec3 ut = kai_vec3_mul_add(u, c->normal, -un);
            const kai_vec3 gt = kai_vec3_mul_add(g, c->normal, -gn);
            if (gn < 1e-3 || kai_vec3_norm(ut) < 1e-3) continue;
            sliding++;
            check_near(un + c->bias + c->compliance * gn, 0.0, 1e-8, "no lift");
            check_vec3(gt, kai_vec3_scale(ut, -c->friction * gn / kai_vec3_norm(ut)), 1e-6,
                       "μ γ_n against the sliding; 1e-10 over 1e-3 m/s, some condition");
        }
        assert_true(sliding > 3);
        cone_end(f);
    }
}

static void test_residuals_fall(void** state)
{
    (void)state;
    for (int k = 0; k < METHOD_COUNT; k++) {
        double trace[301], seconds[301];
        cone_fixture* f = make_heap(200, 0.5, 0.02);
        f->options.iterations = 300;
        f->options.trace = trace;
        f->options.trace_seconds = seconds;
        cone_solve(f, METHODS[k].method);
        assert_true(trace[300] < 0.05 * trace[1]);
        assert_true(trace[300] < 0.5 * trace[50]);
        check_near(trace[300], f->result.residual, 1e-12, "the last; velocities are summed anew");
        for (int i = 1; i <= 300; i++) assert_true(seconds[i] >= seconds[i - 1]);
        // From the solution: stays there.
        f->options.tolerance = 1.01 * f->result.residual;
        cone_solve(f, METHODS[k].method);
        assert_int_equal(f->result.iterations, 0);
        cone_end(f);
    }
}

static void test_any_number_of_threads(void** state)
{
    (void)state;
    static const int threads[] = {2, 5, 16};
    for (int m = 0; m < METHOD_COUNT; m++) {
        const uint32_t bodies = METHODS[m].method == KAI_CONE_ADMM ? 300 : 3000;
        cone_fixture *f = make_heap(bodies, 0.5, 0.02), *g = make_heap(bodies, 0.5, 0.02);
        f->options.iterations = g->options.iterations = 12;
        cone_solve(f, METHODS[m].method);
        for (int k = 0; k < 3; k++) {
            g->options.threads = threads[k];
            cone_forget(g);
            cone_solve(g, METHODS[m].method);
            assert_memory_equal(f->motion, g->motion, bodies * sizeof *f->motion);
            assert_memory_equal(f->impulse, g->impulse, sizeof f->impulse);
            assert_memory_equal(f->couple, g->couple, sizeof f->couple);
            assert_true(f->result.residual == g->result.residual);
        }
        cone_end(f);
        cone_end(g);
    }
}

// Joints -----------------------------------------------------------------------------------------

// Bodies 2 i and 2 i + 1 are welded as far as lines go: they share momentum.
typedef struct welds {
    uint32_t count;
    kai_vec3 impulse[64]; // on the first of each pair
} welds;

static kai_result weld(void* context, kai_cone_motion* m, bool fresh, kai_error* err)
{
    welds* w = context;
    (void)err;
    for (uint32_t i = 0; i < w->count; i++, m += 2) {
        const double m0 = 1.0 / m[0].inverse_mass, m1 = 1.0 / m[1].inverse_mass;
        const kai_vec3 p = kai_vec3_add(kai_vec3_scale(m[0].v, m0), kai_vec3_scale(m[1].v, m1));
        const kai_vec3 v = kai_vec3_scale(p, 1.0 / (m0 + m1));
        if (fresh) w->impulse[i] = kai_vec3_zero();
        w->impulse[i] = kai_vec3_mul_add(w->impulse[i], kai_vec3_sub(v, m[0].v), m0);
        m[0].v = m[1].v = v;
    }
    return KAI_OK;
}

// The same welds as rows: impulses are then the multipliers.
typedef struct weld_rows {
    kai_cone_row rows[30];
    kai_cone_piece pieces[60];
    double multiplier[30];
} weld_rows;

static void give_rows(cone_fixture* f, weld_rows* w, uint32_t count)
{
    *w = (weld_rows){0};
    for (uint32_t r = 0; r < 3 * count; r++) {
        w->rows[r] = (kai_cone_row){
            .first = 2 * r, .count = 2, .low = -(double)INFINITY, .high = (double)INFINITY};
        for (uint32_t side = 0; side < 2; side++) {
            w->pieces[2 * r + side].body = 2 * (r / 3) + side;
            w->pieces[2 * r + side].factor[r % 3] = side ? -1.0 : 1.0;
        }
    }
    f->problem.row_count = 3 * count;
    f->problem.rows = w->rows;
    f->problem.pieces = w->pieces;
    f->problem.multiplier = w->multiplier;
}

static void test_joints(void** state)
{
    (void)state;
    cone_fixture *f = make_heap(20, 0.5, 0.0), *g = make_heap(20, 0.5, 0.0);
    welds w = {.count = 10}, first = {.count = 0};
    weld_rows rows;
    for (int k = 0; k < METHOD_COUNT; k++) {
        cone_fixture* h = k == 0 ? f : g;
        h->problem.project = weld;
        h->problem.project_context = &w;
        h->options.associated = true;
        const bool newton = METHODS[k].method == KAI_CONE_NEWTON;
        if (newton) give_rows(h, &rows, 10);
        solve_to(h, k, 1e-10);
        for (uint32_t i = 0; newton && i < 10; i++)
            w.impulse[i] = kai_vec3_make(rows.multiplier[3 * i], rows.multiplier[3 * i + 1],
                                         rows.multiplier[3 * i + 2]);
        if (k == 0) first = w;
        for (uint32_t i = 0; i < 20; i++) {
            check_vec3(h->motion[i].v, h->motion[i ^ 1].v, newton ? 1e-10 : 1e-14, "welded");
            check_vec3(h->motion[i].v, f->motion[i].v, 1e-8, METHODS[k].name);
            check_vec3(w.impulse[i / 2], first.impulse[i / 2], 1e-7, METHODS[k].name);
        }
    }
    cone_end(f);
    cone_end(g);
}

// Hard cases -------------------------------------------------------------------------------------

// Boxes of side 1 m on each other and the ground; 4 or 8 contacts a face.
static cone_fixture* make_stack(uint32_t boxes, int per_face, double ratio)
{
    cone_fixture* f = cone_begin();
    const kai_vec3 half = {0.5, 0.5, 0.5}, fall = {0.0, 0.0, -9.81e-3};
    for (uint32_t i = 0; i < boxes; i++) {
        cone_block(f, i + 1 == boxes ? ratio : 1.0, half, kai_quat_identity(), fall);
        for (int k = 0; k < per_face; k++) {
            const double x = k % 2 ? 0.5 : -0.5, y = k / 2 % 2 ? 0.5 : -0.5;
            const double s = k < 4 ? 1.0 : 0.5;
            cone_touch(f, i == 0 ? KAI_CONE_NONE : i - 1, i, UP, kai_vec3_make(s * x, s * y, 0.5),
                       kai_vec3_make(s * x, s * y, -0.5), 0.5);
        }
    }
    return f;
}

static void test_stacks(void** state)
{
    (void)state;
    static const struct {
        uint32_t boxes;
        int per_face;
        double ratio;
    } cases[] = {{20, 4, 1.0}, {20, 8, 1.0}, {2, 4, 1000.0}, {10, 4, 1000.0}};
    for (int i = 0; i < 4; i++) {
        cone_fixture* f = make_stack(cases[i].boxes, cases[i].per_face, cases[i].ratio);
        f->options.iterations = 500;
        f->options.tolerance = 1e-10;
        cone_solve(f, KAI_CONE_ADMM);
        assert_true(f->result.residual <= 1e-10);
        double weight = 0.0, carried = 0.0;
        for (uint32_t k = 0; k < cases[i].boxes; k++) weight += 9.81e-3 / f->start[k].inverse_mass;
        for (int k = 0; k < cases[i].per_face; k++) carried += f->impulse[k].z;
        check_relative(carried, weight, 1e-7,
                       "the lowest face carries all: 1e-10 m/s a box, of 0.01");
        cone_end(f);
    }
}

// No friction, much of it, particles, contacts twice: something sane from all methods.
static void test_odd_cases(void** state)
{
    (void)state;
    for (int k = 0; k < METHOD_COUNT * 4; k++) {
        const int odd = k % 4;
        cone_fixture* f = make_heap(20, odd == 0 ? 0.0 : odd == 1 ? 10.0 : 0.5, 0.02);
        for (uint32_t i = 0; odd == 2 && i < 20; i++) f->start[i].inverse_moment = 0.0;
        for (uint32_t i = 0; odd == 2 && i < 20; i++) f->start[i].w = kai_vec3_zero();
        const size_t n = f->problem.contact_count;
        if (odd == 3) {
            memcpy(f->contacts + n, f->contacts, n * sizeof *f->contacts);
            f->problem.contact_count = 2 * n;
        }
        // Blocks that wedge with μ = 10 need not have a solution under Coulomb's law.
        f->options.associated = odd == 1;
        f->options.iterations = 500;
        f->options.tolerance = 1e-6;
        cone_solve(f, METHODS[k / 4].method);
        assert_true(f->result.residual < 0.05); // of speeds of 2 m/s
        check_near(cone_momentum_error(f), 0.0, 1e-11, "v0 + M⁻¹ D γ");
        for (uint32_t i = 0; odd == 2 && i < 20; i++)
            check_vec3(f->motion[i].w, kai_vec3_zero(), 0.0, "particles do not turn");
        cone_end(f);
    }
}

static void test_bad_numbers(void** state)
{
    (void)state;
    for (int k = 0; k < METHOD_COUNT; k++) {
        cone_fixture* f = make_heap(20, 0.5, 0.02);
        f->options.method = METHODS[k].method;
        f->options.iterations = 20;
        f->contacts[7].bias = (double)NAN;
        memcpy(f->motion, f->start, sizeof f->motion);
        check_error(kai_cone_solve(&f->cone, &f->problem, &f->options, &f->result, &f->err),
                    KAI_ERROR_DIVERGED);
        assert_non_null(strstr(f->err.message, "contact 7 of bodies"));
        assert_memory_equal(f->motion, f->start, sizeof f->motion);
        cone_end(f);
    }
}

static void test_memory(void** state)
{
    (void)state;
    for (int m = 0; m < METHOD_COUNT; m++) {
        welds w = {.count = 5};
        bool done = false;
        for (uint64_t n = 1; !done; n++) {
            cone_fixture* f = make_heap(10, 0.5, 0.02);
            f->problem.project = weld;
            f->problem.project_context = &w;
            f->options.method = METHODS[m].method;
            f->options.iterations = 3;
            memcpy(f->motion, f->start, sizeof f->motion);
            f->counter.fail_at = n;
            const kai_result r =
                kai_cone_solve(&f->cone, &f->problem, &f->options, &f->result, &f->err);
            assert_true(r == KAI_OK || r == KAI_ERROR_MEMORY);
            done = r == KAI_OK;
            f->counter.fail_at = 0;
            cone_solve(f, METHODS[m].method);
            const uint64_t calls = f->counter.calls;
            cone_solve(f, METHODS[m].method);
            // admm orders its matrix anew, and that takes memory for a moment.
            if (METHODS[m].method != KAI_CONE_ADMM) assert_int_equal(f->counter.calls, calls);
            cone_end(f);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_residuals),
        cmocka_unit_test(test_all_agree),
        cmocka_unit_test(test_energy_never_grows),
        cmocka_unit_test(test_coulomb_slides_without_lift),
        cmocka_unit_test(test_residuals_fall),
        cmocka_unit_test(test_any_number_of_threads),
        cmocka_unit_test(test_joints),
        cmocka_unit_test(test_stacks),
        cmocka_unit_test(test_odd_cases),
        cmocka_unit_test(test_bad_numbers),
        cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
