// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Contacts without friction, which have one number each, and layouts that are kept from one problem
// to the next: the answers must be those of a workspace that has seen nothing before.
#include "cone_helper.h"

enum { LARGE = 3000 };

// Some contacts, or all of them, without friction.
static void smooth(cone_fixture* f, size_t each)
{
    for (size_t i = 0; i < f->problem.contact_count; i += each)
        f->contacts[i].friction = f->contacts[i].rolling = f->contacts[i].spinning = 0.0;
}

static void test_residual_is_the_plain_one(void** state)
{
    (void)state;
    for (size_t each = 1; each < 4; each++) {
        cone_fixture* f = cone_random_heap(30, 70, each == 2 ? 0.1 : 0.0);
        smooth(f, each);
        f->options.iterations = 3;
        cone_solve(f, KAI_CONE_PSOR);
        assert_true(f->result.residual > 1e-6);
        check_relative(f->result.residual, cone_residual(f, false), 1e-10, "plain formulas");
        check_near(cone_momentum_error(f), 0.0, 1e-12, "v0 + M⁻¹ D γ");
        cone_end(f);
    }
}

// A ball falls on two others that lie apart, no friction: each normal part is one equation.
static void test_closed_form(void** state)
{
    (void)state;
    cone_fixture* f = cone_begin();
    const uint32_t top = cone_ball(f, 1.0, 0.5, kai_vec3_make(0.0, 0.0, -1.0), kai_vec3_axis(1));
    const kai_vec3 zero = kai_vec3_zero();
    for (int side = -1; side < 2; side += 2) {
        const uint32_t low = cone_ball(f, 1.0, 0.5, zero, zero);
        const kai_vec3 n = kai_vec3_make(-0.6 * side, 0.0, 0.8);
        cone_touch(f, low, top, n, kai_vec3_scale(n, 0.5), kai_vec3_scale(n, -0.5), 0.0);
        cone_touch(f, KAI_CONE_NONE, low, kai_vec3_axis(2), zero, kai_vec3_make(0.0, 0.0, -0.5),
                   0.0);
    }
    f->options.iterations = 1000;
    cone_solve(f, KAI_CONE_PSOR);
    // Lower balls roll out at s, the upper one falls at w with 0.8 w = 0.6 s; impulses γ along the
    // normals: s = 0.6 γ and w = 1 - 1.6 γ, so γ = 0.8 / 1.64.
    const double impulse = 0.8 / 1.64;
    check_near(f->motion[0].v.z, 1.6 * impulse - 1.0, 1e-12, "falls on");
    check_near(f->motion[1].v.x, -0.6 * impulse, 1e-12, "pushed out");
    check_near(f->motion[2].v.x, 0.6 * impulse, 1e-12, "pushed out");
    check_vec3(f->motion[0].w, kai_vec3_axis(1), 0.0, "nothing turns it");
    check_vec3(f->impulse[0], kai_vec3_make(0.6 * impulse, 0.0, 0.8 * impulse), 1e-12, "along n");
    cone_end(f);
}

static void test_agrees_with_gradients(void** state)
{
    (void)state;
    cone_fixture* f = cone_random_heap(40, 60, 0.0);
    kai_vec3 v[40];
    smooth(f, 1);
    f->options.iterations = 20000;
    f->options.tolerance = 1e-12;
    cone_solve(f, KAI_CONE_PSOR);
    assert_true(f->result.residual <= 1e-12);
    for (int i = 0; i < 40; i++) v[i] = f->motion[i].v;
    cone_forget(f);
    cone_solve(f, KAI_CONE_BB);
    assert_true(f->result.residual <= 1e-12);
    // Velocities are unique; residuals of 1e-12 leave them free by their number.
    for (int i = 0; i < 40; i++) check_vec3(f->motion[i].v, v[i], 1e-10, "bb");
    cone_end(f);
}

// `smooth` is what coefficients of 0 are.
static void test_smooth_problem(void** state)
{
    (void)state;
    cone_fixture *f = cone_random_heap(30, 70, 0.0), *g = cone_random_heap(30, 70, 0.0);
    smooth(f, 1);
    g->problem.smooth = true;
    for (int m = KAI_CONE_PSOR; m <= KAI_CONE_ADMM; m++) {
        cone_forget(f);
        cone_forget(g);
        cone_solve(f, (kai_cone_method)m);
        cone_solve(g, (kai_cone_method)m);
        assert_memory_equal(f->motion, g->motion, 30 * sizeof *f->motion);
        assert_memory_equal(f->impulse, g->impulse, sizeof f->impulse);
    }
    cone_end(f);
    cone_end(g);
}

// The layout of a problem with friction and couples serves one without.
static void test_again(void** state)
{
    (void)state;
    cone_fixture* f = cone_random_heap(40, 60, 0.1);
    kai_cone_motion v[40];
    f->options.iterations = 20000;
    f->options.tolerance = 1e-12;
    kai_vec3* couple = f->problem.couple;
    f->problem.couple = NULL;
    f->problem.smooth = true;
    cone_solve(f, KAI_CONE_PSOR);
    memcpy(v, f->motion, sizeof v);
    for (int m = KAI_CONE_PSOR; m <= KAI_CONE_APGD; m++) {
        f->problem.couple = couple;
        f->problem.smooth = f->problem.again = false;
        cone_forget(f);
        cone_solve(f, (kai_cone_method)m);
        f->problem.couple = NULL;
        f->problem.smooth = f->problem.again = true;
        cone_forget(f);
        cone_solve(f, KAI_CONE_PSOR);
        assert_true(f->result.residual <= 1e-12);
        for (int i = 0; i < 40; i++) check_vec3(f->motion[i].v, v[i].v, 1e-10, "laid out anew");
    }
    cone_end(f);
}

static void check_same(cone_fixture* f, int threads)
{
    cone_fixture* g = cone_begin();
    memcpy(g->start, f->start, sizeof f->start);
    memcpy(g->inertia, f->inertia, sizeof f->inertia);
    memcpy(g->contacts, f->contacts, sizeof f->contacts);
    g->problem.body_count = f->problem.body_count;
    g->problem.contact_count = f->problem.contact_count;
    g->options = f->options;
    g->options.threads = threads;
    cone_forget(f);
    cone_solve(f, KAI_CONE_PSOR);
    cone_solve(g, KAI_CONE_PSOR);
    assert_memory_equal(f->motion, g->motion, f->problem.body_count * sizeof *f->motion);
    assert_memory_equal(f->impulse, g->impulse, sizeof f->impulse);
    assert_memory_equal(f->couple, g->couple, sizeof f->couple);
    cone_end(g);
}

// Whatever changes the graph is seen; what does not, keeps the layout.
static void test_kept_layout(void** state)
{
    (void)state;
    static const int threads[] = {1, 2, 7, 16};
    cone_fixture* f = cone_large_heap();
    smooth(f, 7);
    f->options.iterations = 5;
    check_same(f, 1);
    for (int k = 0; k < 4; k++) check_same(f, threads[k]);
    f->contacts[20].bias += 1.0; // no change of the graph
    check_same(f, 2);
    f->contacts[20].friction = 0.0; // another kind
    check_same(f, 2);
    f->contacts[20].b = 1999;
    check_same(f, 2);
    f->start[50].inverse_mass = f->start[50].inverse_moment = 0.0;
    check_same(f, 2);
    f->problem.contact_count--;
    check_same(f, 2);
    f->problem.contact_count++;
    check_same(f, 2);
    f->problem.contact_count = 100; // few: one block
    check_same(f, 2);
    f->problem.body_count = LARGE - 500;
    check_same(f, 2);
    cone_end(f);
}

// A lattice of balls, in order, so that most contacts are inside of blocks of them or between two. One
// ball touches balls everywhere: it is in more blocks than a task may have. Joined: the first two
// balls share their velocity along x.
static cone_fixture* lattice(uint32_t nx, uint32_t ny, uint32_t nz, bool hub)
{
    cone_fixture* f = cone_begin();
    const uint32_t count = nx * ny * nz;
    for (uint32_t i = 0; i < count; i++)
        cone_ball(f, 1.0 + helper_random(3 * i), 0.5, helper_random_vec3(2 * i),
                  helper_random_vec3(2 * i + 1));
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t at[3] = {i % nx, i / nx % ny, i / nx / ny}, most[3] = {nx, ny, nz},
                       step[3] = {1, nx, nx * ny};
        for (int k = 0; k < 3; k++) {
            if (at[k] + 1 == most[k]) continue;
            const kai_vec3 n = kai_vec3_axis(k);
            cone_touch(f, i, i + step[k], n, kai_vec3_scale(n, 0.5),
                       kai_vec3_scale(n, i % 5 ? -0.5 : -0.4), i % 7 ? 0.5 : 0.3);
        }
        const kai_vec3 up = kai_vec3_axis(2);
        if (at[2] == 0)
            cone_touch(f, KAI_CONE_NONE, i, up, kai_vec3_zero(), kai_vec3_scale(up, -0.5), 0.8);
        if (hub && i % 9 == 4)
            cone_touch(f, 0, i, helper_random_direction(i), helper_random_vec3(i), kai_vec3_zero(),
                       0.2);
    }
    f->options.iterations = 15;
    return f;
}

static kai_result join(void* context, kai_cone_motion* m, bool fresh, kai_error* err)
{
    (void)context, (void)fresh, (void)err;
    const double m0 = 1.0 / m[0].inverse_mass, m1 = 1.0 / m[1].inverse_mass;
    m[0].v.x = m[1].v.x = (m0 * m[0].v.x + m1 * m[1].v.x) / (m0 + m1);
    return KAI_OK;
}

// Tasks of all sorts: the same bits on any number of threads, in whatever order these come.
static void test_tasks_on_threads(void** state)
{
    (void)state;
    static const int threads[] = {1, 2, 5, 16};
    for (int c = 0; c < 8; c++) {
        cone_fixture* f = c % 2 ? lattice(11, 12, 29, c & 4) : lattice(200, 19, 1, c & 4);
        static cone_fixture first;
        f->problem.project = c & 2 ? join : NULL;
        for (int m = KAI_CONE_PSOR; m <= KAI_CONE_APGD; m++) {
            for (int k = 0; k < 4; k++) {
                f->options.threads = threads[k];
                f->cone.laid = false;
                cone_forget(f);
                cone_solve(f, (kai_cone_method)m);
                if (k == 0) {
                    memcpy(&first, f, sizeof first);
                    check_near(cone_momentum_error(f) * !(c & 2), 0.0, 1e-10, "v0 + M⁻¹ D γ");
                }
                assert_true(f->cone.tasks.count > 16);
                assert_memory_equal(f->motion, first.motion, sizeof f->motion);
                assert_memory_equal(f->impulse, first.impulse, sizeof f->impulse);
                assert_true(f->result.residual == first.result.residual);
            }
        }
        cone_end(f);
    }
}

// Balls that share friction and compliance, but for every `odd`th contact. Radii are equal where
// `twins` says so.
static cone_fixture* alike_heap(double friction, double compliance, uint32_t odd, uint32_t twins)
{
    cone_fixture* f = cone_begin();
    for (uint32_t i = 0; i < LARGE; i++)
        cone_ball(f, 1.0 + 0.5 * helper_random(10 * i), 0.5, helper_random_vec3(10 * i + 1),
                  helper_random_vec3(10 * i + 2));
    for (uint32_t i = 0; i < 3 * LARGE; i++) {
        const uint32_t a = i % LARGE, b = (a + 1 + i / LARGE * 7) % LARGE;
        const kai_vec3 n = helper_random_direction(i);
        const bool ground = i % 11 == 0, ceiling = i % 13 == 0 && !ground;
        kai_cone_contact* c =
            cone_touch(f, ground ? KAI_CONE_NONE : a, ceiling ? KAI_CONE_NONE : b, n,
                       kai_vec3_scale(n, i % twins ? 0.4 : 0.5), kai_vec3_scale(n, -0.5),
                       i % odd == odd - 1 ? 0.5 * friction : friction);
        c->bias = 0.2 * helper_random(5 * i + 1);
        c->compliance = compliance;
    }
    // Velocities that stay; two such bodies have a contact that nothing moves.
    for (uint32_t i = 100; i < 102 && compliance == 0.0; i++)
        f->start[i].inverse_mass = f->start[i].inverse_moment = 0.0;
    f->options.iterations = 5;
    return f;
}

// Friction that differs in its last bits has all rows.
static void tell_apart(cone_fixture* f)
{
    for (size_t k = 0; k < f->problem.contact_count; k++)
        f->contacts[k].friction *= 1.0 + 1e-14 * (double)(k + 1);
}

// Spheres that have friction, compliance or size in common have fewer rows: what is found and what
// is measured is the same. Masses are lengths of steps and have 24 bits there: they are in the
// residual to 6e-8. A group has one kind of contacts: where there are several, their order is another
// one when all have all rows, and solutions are compared in the place of iterates. Contacts that give
// way have one.
static void test_alike(void** state)
{
    (void)state;
    static const struct {
        double friction, compliance;
        uint32_t odd, twins;
        bool mixed;
    } cases[] = {{0.5, 0.0, 10000, 1, false},
                 {0.5, 0.1, 10000, 2, false},
                 {0.3, 0.5, 5, 3, true},
                 {0.3, 0.2, 2, 1, true}};
    static kai_cone_motion v[LARGE];
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        cone_fixture* f =
            alike_heap(cases[i].friction, cases[i].compliance, cases[i].odd, cases[i].twins);
        // The contact that others are compared with is no sphere's.
        kai_cone_contact* c = &f->contacts[f->problem.contact_count / 2];
        c->arm_b = kai_vec3_add(c->arm_b, kai_vec3_scale(helper_random_direction(7), 1e-3));
        check_same(f, 1);
        check_relative(f->result.residual, cone_residual(f, false), 2e-7, "plain formulas");
        check_near(cone_momentum_error(f), 0.0, 1e-11, "v0 + M⁻¹ D γ");
        check_same(f, 3);
        if (cases[i].mixed) f->options.iterations = 20000, f->options.tolerance = 1e-12;
        cone_forget(f);
        cone_solve(f, KAI_CONE_PSOR);
        memcpy(v, f->motion, sizeof v);
        tell_apart(f);
        cone_forget(f);
        cone_solve(f, KAI_CONE_PSOR);
        if (cases[i].mixed) assert_true(f->result.residual <= 1e-12);
        for (int k = 0; k < LARGE; k++) check_vec3(f->motion[k].v, v[k].v, 1e-7, "all rows");
        // The associated law has rows of its own.
        f->options.iterations = 5;
        f->options.associated = true;
        f->options.tolerance = 0.0;
        cone_solve(f, KAI_CONE_PSOR);
        check_relative(f->result.residual, cone_residual(f, true), 1e-9, "associated");
        cone_end(f);
    }
}

// Normal parts in the place of impulses, apart from each other.
static void test_along(void** state)
{
    (void)state;
    enum { STRIDE = 3 };
    cone_fixture* f = alike_heap(0.5, 0.0, 5, 2);
    const size_t n = f->problem.contact_count;
    kai_vec3* found = calloc(n, sizeof *found);
    double* along = calloc(n, STRIDE * sizeof *along);
    assert_true(found && along);
    f->problem.couple = NULL;
    f->problem.smooth = true;
    cone_solve(f, KAI_CONE_PSOR);
    memcpy(found, f->impulse, n * sizeof *found);
    cone_forget(f);
    f->problem.along = along;
    f->problem.stride = STRIDE;
    cone_solve(f, KAI_CONE_PSOR);
    for (size_t i = 0; i < n; i++) {
        const kai_cone_contact* c = &f->contacts[i];
        check_vec3(kai_vec3_scale(c->normal, along[i * STRIDE]), found[i], 1e-12, "normal part");
        assert_true(along[i * STRIDE + 1] == 0.0 && f->impulse[i].x == 0.0);
    }
    along[4 * STRIDE] = (double)NAN;
    memcpy(f->motion, f->start, f->problem.body_count * sizeof *f->motion);
    assert_int_equal(kai_cone_solve(&f->cone, &f->problem, &f->options, &f->result, &f->err),
                     KAI_ERROR_DIVERGED);
    assert_non_null(strstr(f->err.message, "contact 4 "));
    free(found);
    free(along);
    cone_end(f);
}

// Few contacts, spread over colours of one group or two, and bodies that have more of them than
// there are colours: every contact is there once, and no two of a group share a body.
static void test_crowded_bodies(void** state)
{
    (void)state;
    static const uint32_t contacts[] = {7, 380, 890, 900, 1780, 1800}, crowd[] = {0, 50, 120, 300};
    for (int n = 0; n < 6; n++) {
        for (int c = 0; c < 4; c++) {
            cone_fixture* f = cone_random_heap(200, contacts[n], n % 2 ? 0.1 : 0.0);
            for (uint32_t i = 0; i < crowd[c] && i < contacts[n]; i++) {
                f->contacts[i].a = 0;
                f->contacts[i].b = i % 199 + 1;
            }
            smooth(f, 5);
            f->options.iterations = 3;
            cone_solve(f, KAI_CONE_PSOR);
            check_relative(f->result.residual, cone_residual(f, false), 1e-9, "plain formulas");
            check_near(cone_momentum_error(f), 0.0, 1e-11, "v0 + M⁻¹ D γ");
            check_same(f, 2);
            cone_end(f);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_residual_is_the_plain_one),
        cmocka_unit_test(test_closed_form),
        cmocka_unit_test(test_agrees_with_gradients),
        cmocka_unit_test(test_smooth_problem),
        cmocka_unit_test(test_again),
        cmocka_unit_test(test_kept_layout),
        cmocka_unit_test(test_tasks_on_threads),
        cmocka_unit_test(test_crowded_bodies),
        cmocka_unit_test(test_alike),
        cmocka_unit_test(test_along),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
