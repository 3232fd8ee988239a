// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Cone problems as matrices: made from bodies, found again as bodies in other coordinates, solved
// without bodies, with equations.
#include "cone_helper.h"
#include "solve/problem_bodies.h"
#include "solve/problem_make.h"

#include <stdlib.h>

static const kai_vec3 UP = {0.0, 0.0, 1.0};

// Balls and blocks on the ground and on each other; soft contacts, and a plate that moves.
static cone_fixture* make_heap(uint32_t bodies)
{
    cone_fixture* f = cone_begin();
    for (uint32_t i = 0; i < bodies; i++) {
        const double mass = 1.0 + 0.5 * helper_random(10 * i + 2);
        const kai_vec3 v = kai_vec3_add(helper_random_vec3(10 * i + 1), kai_vec3_neg(UP));
        if (i % 3 == 0)
            cone_block(f, mass, kai_vec3_make(0.5, 0.3, 0.4), helper_random_rotation(i), v);
        else
            cone_ball(f, mass, 0.5, v, helper_random_vec3(10 * i + 3));
    }
    const uint32_t plate = (uint32_t)f->problem.body_count++;
    f->start[plate] = (kai_cone_motion){.v = {0.3, 0.1, 0.05}, .w = {0.0, 0.0, 0.2}};
    for (uint32_t i = 0; 2 * i < 3 * bodies; i++) {
        const uint32_t b = 2 * i / 3, below = 1 + (i * 7) % 5;
        const uint32_t ground = i % 2 ? KAI_CONE_NONE : plate;
        const kai_vec3 n = kai_vec3_normalize(kai_vec3_mul_add(UP, helper_random_vec3(i), 0.4));
        kai_cone_contact* c = cone_touch(
            f, b < below ? ground : b - below, b, n,
            kai_vec3_mul_add(kai_vec3_scale(n, 0.5), helper_random_vec3(3 * i), 0.3),
            kai_vec3_mul_add(kai_vec3_scale(n, -0.4), helper_random_vec3(3 * i + 1), 0.3),
            0.5 + 0.3 * helper_random(5 * i));
        c->bias = 0.1 * helper_random(5 * i + 1);
        if (i % 5 == 0) c->compliance = 0.1;
    }
    f->problem.couple = NULL;
    return f;
}

static kai_problem* make(cone_fixture* f)
{
    kai_problem* p = NULL;
    memcpy(f->motion, f->start, f->problem.body_count * sizeof *f->motion);
    check_ok(kai_problem_make(&f->problem, false, &p, &f->err));
    if (kai_problem_check(p, &f->err) != KAI_OK) fail_msg("%s", f->err.message);
    return p;
}

static kai_problem_report solve(kai_problem* p, int32_t cone, double tolerance)
{
    kai_problem_def def = kai_problem_def_default();
    kai_problem_report report;
    kai_error err = {0};
    def.cone = cone;
    def.iterations = 50000;
    def.tolerance = tolerance;
    const kai_result r = kai_problem_solve(p, &def, &report, &err);
    if (r != KAI_OK) print_error("%s\n", err.message);
    check_ok(r);
    return report;
}

static void check_same(const double* a, const double* b, size_t count, double tolerance)
{
    for (size_t i = 0; i < count; i++)
        if (!(fabs(a[i] - b[i]) <= tolerance))
            fail_msg("number %zu: %.17g and %.17g", i, a[i], b[i]);
}

// What the matrices say of a solution is what the solver says of it.
static void test_residual(void** state)
{
    (void)state;
    for (int associated = 0; associated < 2; associated++) {
        cone_fixture* f = make_heap(20);
        kai_problem* p = make(f);
        f->options.iterations = 40;
        f->options.associated = associated;
        cone_solve(f, KAI_CONE_PSOR);
        check_ok(kai_problem_make_impulses(p, &f->problem, &f->err));
        double residual = 0.0;
        check_ok(kai_problem_measure(p, p->r, associated, &residual, &f->err));
        assert_true(residual > 1e-9);
        check_near(residual, f->result.residual, 1e-9, "kai_cone_solve");
        kai_problem_free(p);
        cone_end(f);
    }
}

// Solved from the matrices, the velocities are those of the bodies.
static void test_bodies_found(void** state)
{
    (void)state;
    cone_fixture* f = make_heap(20);
    kai_problem* p = make(f);
    const kai_problem_report report = solve(p, KAI_SOLVER_CONE_PSOR, 1e-12);
    if (!report.bodies) fail_msg("%s", report.why);
    assert_true(report.residual <= 2e-12);
    f->options.iterations = 50000;
    f->options.tolerance = 1e-12;
    cone_solve(f, KAI_CONE_PSOR);
    size_t at = 0; // all bodies are touched, and have six velocities
    for (uint32_t i = 0; i < 20; i++, at += 6) {
        check_vec3(kai_vec3_make(p->v[at], p->v[at + 1], p->v[at + 2]), f->motion[i].v, 1e-9,
                   "kai_cone_solve");
        check_vec3(kai_vec3_make(p->v[at + 3], p->v[at + 4], p->v[at + 5]), f->motion[i].w, 1e-9,
                   "kai_cone_solve");
    }
    kai_problem_free(p);
    cone_end(f);
}

// Other coordinates ------------------------------------------------------------------------------

// y = T v with six by six blocks for the bodies: M' = T⁻ᵀ M T⁻¹, H' = T⁻ᵀ H, f' = T⁻ᵀ f. `B` is T⁻ᵀ.
static void transform_columns(kai_problem_matrix* a, double (*B)[36], size_t bodies)
{
    const size_t n = a->rows;
    uint32_t *i = malloc(n * a->columns * sizeof *i), *j = malloc(n * a->columns * sizeof *j);
    double *x = malloc(n * a->columns * sizeof *x), *column = malloc(n * sizeof *column);
    size_t count = 0;
    assert_true(i && j && x && column);
    for (size_t c = 0; c < a->columns; c++) {
        memset(column, 0, n * sizeof *column);
        for (size_t k = a->first[c]; k < a->first[c + 1]; k++) column[a->row[k]] = a->value[k];
        for (size_t r = 0; r < n; r++) {
            double sum = column[r];
            if (r < 6 * bodies) {
                sum = 0.0;
                for (size_t k = 0; k < 6; k++)
                    sum += B[r / 6][r % 6 * 6 + k] * column[r / 6 * 6 + k];
            }
            i[count] = (uint32_t)r;
            j[count] = (uint32_t)c;
            x[count++] = sum;
        }
    }
    const size_t rows = a->rows, columns = a->columns;
    kai_problem_matrix_free(a);
    check_ok(kai_problem_matrix_make(rows, columns, count, i, j, x, a, NULL));
    free(i);
    free(j);
    free(x);
    free(column);
}

static void transpose(kai_problem_matrix* a)
{
    const size_t count = a->first[a->columns];
    uint32_t* j = malloc((count + 1) * sizeof *j);
    for (size_t c = 0; c < a->columns; c++)
        for (size_t k = a->first[c]; k < a->first[c + 1]; k++) j[k] = (uint32_t)c;
    kai_problem_matrix out;
    check_ok(kai_problem_matrix_make(a->columns, a->rows, count, j, a->row, a->value, &out, NULL));
    free(j);
    kai_problem_matrix_free(a);
    *a = out;
}

static void transform(kai_problem* p, double (*B)[36], size_t bodies)
{
    transform_columns(&p->M, B, bodies);
    transpose(&p->M);
    transform_columns(&p->M, B, bodies);
    transform_columns(&p->H, B, bodies);
    for (size_t b = 0; b < bodies; b++) {
        double f[6];
        memcpy(f, &p->f[6 * b], sizeof f);
        for (size_t r = 0; r < 6; r++) {
            p->f[6 * b + r] = 0.0;
            for (size_t k = 0; k < 6; k++) p->f[6 * b + r] += B[b][r * 6 + k] * f[k];
        }
    }
    check_ok(kai_problem_check(p, NULL));
}

enum { BODIES = 12 };

// Spins in the axes of each body, spins first, and velocities that are mixed at random.
static void make_blocks(int what, double (*B)[36])
{
    memset(B, 0, BODIES * sizeof *B);
    for (size_t b = 0; b < BODIES; b++) {
        const kai_mat33 Q = kai_quat_to_mat33(helper_random_rotation(50 + b));
        for (int i = 0; i < 6; i++) {
            if (what == 2)
                for (int k = 0; k < 6; k++)
                    B[b][6 * i + k] =
                        (i == k ? 2.0 : 0.0) + 0.3 * helper_random(1000 + 36 * b + 6 * i + k);
            else if (what == 1 || i < 3)
                B[b][6 * i + (what == 1 ? (i + 3) % 6 : i)] = 1.0;
            else
                for (int k = 0; k < 3; k++) B[b][6 * i + 3 + k] = Q.m[k][i - 3];
        }
    }
}

static void test_coordinates(void** state)
{
    (void)state;
    double B[BODIES][36];
    for (int what = 0; what < 3; what++) {
        cone_fixture* f = make_heap(BODIES);
        kai_problem *p = make(f), *q = make(f);
        make_blocks(what, B);
        transform(q, B, BODIES);
        const double tolerance = 1e-10;
        solve(p, KAI_SOLVER_CONE_APGD, tolerance);
        for (int cone = KAI_SOLVER_CONE_PSOR; cone <= KAI_SOLVER_CONE_APGD; cone++) {
            if (what == 2 && cone == KAI_SOLVER_CONE_BB) continue;
            const kai_problem_report report = solve(q, cone, tolerance);
            assert_int_equal(report.bodies, what < 2);
            assert_true(report.residual <= 2.0 * tolerance);
            check_same(p->u, q->u, 3 * p->contacts, 1e-7);
        }
        kai_problem_free(p);
        kai_problem_free(q);
        cone_end(f);
    }
}

// W = Hᵀ M⁻¹ H and q, column by column.
static kai_problem* reduce(kai_problem* p)
{
    const size_t n = 3 * p->contacts;
    kai_problem* q = kai_problem_new();
    uint32_t *i = malloc(n * n * sizeof *i), *j = malloc(n * n * sizeof *j);
    double *x = malloc(n * n * sizeof *x), *r = kai_problem_numbers(n),
           *v = kai_problem_numbers(p->velocities), *u = kai_problem_numbers(n);
    assert_true(q && i && j && x && r && v && u);
    q->contacts = p->contacts;
    q->w = kai_problem_numbers(n);
    q->mu = kai_problem_numbers(p->contacts);
    memcpy(q->mu, p->mu, p->contacts * sizeof *q->mu);
    check_ok(kai_problem_system_make(p, 1, NULL));
    check_ok(kai_problem_system_apply(p, 1, r, v, NULL, q->w, NULL));
    for (size_t c = 0; c < n; c++) {
        memset(r, 0, n * sizeof *r);
        r[c] = 1.0;
        check_ok(kai_problem_system_apply(p, 1, r, v, NULL, u, NULL));
        for (size_t k = 0; k < n; k++) {
            i[c * n + k] = (uint32_t)k;
            j[c * n + k] = (uint32_t)c;
            x[c * n + k] = u[k] - q->w[k];
        }
    }
    check_ok(kai_problem_matrix_make(n, n, n * n, i, j, x, &q->W, NULL));
    check_ok(kai_problem_check(q, NULL));
    void* const blocks[] = {i, j, x, r, v, u};
    for (size_t k = 0; k < sizeof blocks / sizeof *blocks; k++) free(blocks[k]);
    return q;
}

static void test_local(void** state)
{
    (void)state;
    cone_fixture* f = make_heap(BODIES);
    kai_problem *p = make(f), *q = reduce(p), *reduced = reduce(p);
    double residual = 0.0;
    solve(p, KAI_SOLVER_CONE_APGD, 1e-10);
    const kai_problem_report report = solve(q, KAI_SOLVER_CONE_AUTO, 1e-10);
    assert_false(report.bodies);
    assert_true(report.residual <= 1e-10);
    // Methods that compute with masses say so.
    kai_problem_def def = kai_problem_def_default();
    kai_problem_report other;
    def.cone = KAI_SOLVER_CONE_BB;
    check_error(kai_problem_solve(reduced, &def, &other, &f->err), KAI_ERROR_UNSUPPORTED);
    assert_string_equal(f->err.message,
                        "bb solves problems of rigid bodies and points: the problem "
                        "is local; must be apgd or psor");
    assert_false(kai_problem_get_info(reduced).solved);
    kai_problem_free(reduced);
    check_same(p->u, q->u, 3 * p->contacts, 1e-7);
    check_ok(kai_problem_measure(p, q->r, false, &residual, &f->err));
    assert_true(residual <= 1e-9);
    kai_problem_free(p);
    kai_problem_free(q);
    cone_end(f);
}

// Equations --------------------------------------------------------------------------------------

static void set_equations(kai_problem* p, size_t count, const uint32_t* i, const uint32_t* j,
                          const double* x, size_t equations)
{
    kai_problem_matrix_free(&p->G);
    free(p->b);
    p->equations = equations;
    p->b = kai_problem_numbers(equations);
    check_ok(kai_problem_matrix_make(p->velocities, equations, count, i, j, x, &p->G, NULL));
    check_ok(kai_problem_check(p, NULL));
}

// Two points of 2 and 3 kg are held together, and one of them lands: the impulse is that of 5 kg. An
// equation that stands there twice changes nothing, but for its own multiplier.
static void test_joint(void** state)
{
    (void)state;
    static const uint32_t i[] = {0, 3, 1, 4, 2, 5, 2, 5}, j[] = {0, 0, 1, 1, 2, 2, 3, 3};
    static const double x[] = {1.0, -1.0, 1.0, -1.0, 1.0, -1.0, 1.0, -1.0};
    for (int twice = 0; twice < 2; twice++) {
        for (int cone = KAI_SOLVER_CONE_PSOR; cone <= KAI_SOLVER_CONE_NEWTON; cone++) {
            cone_fixture* f = cone_begin();
            f->problem.couple = NULL;
            for (int k = 0; k < 2; k++)
                f->start[k] = (kai_cone_motion){.v = {0.1, 0.0, k == 0 ? -1.0 : -2.0},
                                                .inverse_mass = k == 0 ? 0.5 : 1.0 / 3.0};
            f->problem.body_count = 2;
            cone_touch(f, KAI_CONE_NONE, 0, UP, kai_vec3_zero(), kai_vec3_zero(), 0.5);
            cone_touch(f, KAI_CONE_NONE, 1, UP, kai_vec3_zero(), kai_vec3_zero(), 0.5)->bias = 1.0;
            kai_problem* p = make(f);
            set_equations(p, twice ? 8 : 6, i, j, x, twice ? 4 : 3);
            const kai_problem_report report = solve(p, cone, 1e-12);
            assert_true(report.bodies);
            assert_true(report.residual <= 1e-12);
            check_near(p->r[0], 2.0 * 1.0 + 3.0 * 2.0, 1e-9, "closed form"); // stops all
            check_near(hypot(p->r[1], p->r[2]), 5.0 * 0.1, 1e-9, "closed form");
            check_near(p->r[3], 0.0, 1e-9, "closed form");
            check_near(p->v[5], 0.0, 1e-9, "closed form");
            check_near(p->l[2] + (twice ? p->l[3] : 0.0), -3.0 * 2.0, 1e-9, "closed form");
            kai_problem_free(p);
            cone_end(f);
        }
    }
}

// Rows of joints as FCLIB has them. A block of 2 kg slides at 1 m/s on the ground, pressed by a row
// that pushes with at least 0.5 N s, held by a row with friction of 0.3 N s, and stopped upwards by a
// limit 1 m/s away.
static void test_rows(void** state)
{
    (void)state;
    cone_fixture* f = cone_begin();
    f->problem.couple = NULL;
    f->problem.body_count = 1;
    f->start[0] = (kai_cone_motion){.v = {1.0, 0.0, -1.0}, .inverse_mass = 0.5};
    cone_touch(f, KAI_CONE_NONE, 0, UP, kai_vec3_zero(), kai_vec3_zero(), 0.1);
    const double infinite = (double)INFINITY;
    const kai_cone_piece pieces[] = {
        {0, {0.0, 0.0, -1.0}}, {0, {1.0}}, {0, {0.0, 0.0, 1.0}}, {0, {0.0, 1.0}}};
    const kai_cone_row rows[] = {
        {0, 1, -5.0, 0.5, infinite},        // G v ≥ -5 with λ = low: it pushes down
        {1, 1, 0.0, -0.2, 0.4},             // a band about 0.1
        {2, 1, 1.0, -infinite, 0.0},        // v ≤ 1 upwards: far
        {3, 1, 0.25, -infinite, infinite}}; // v_y = 0.25
    double multiplier[4] = {0.0};
    f->problem.row_count = 4;
    f->problem.rows = rows;
    f->problem.pieces = pieces;
    f->problem.multiplier = multiplier;
    kai_problem *p = make(f), *q = NULL;
    assert_int_equal(p->contacts, 4);
    assert_int_equal(p->equations, 1);
    const kai_problem_report report = solve(p, KAI_SOLVER_CONE_PSOR, 1e-12);
    assert_true(report.residual <= 1e-12);
    check_near(p->r[0], 2.5, 1e-9, "what falls, and the push");
    check_near(p->v[1], 0.25, 1e-9, "the equation");
    check_near(p->v[2], 0.0, 1e-9, "the ground");
    // μ r = 0.25 N s against the direction of sliding, and the band's -0.2.
    const double along = p->v[0], across = p->v[1];
    check_near(2.0 * (along - 1.0), -0.25 * along / hypot(along, across) - 0.2, 1e-9, "Coulomb");
    // newton finds the rows again.
    double v[3];
    memcpy(v, p->v, sizeof v);
    assert_false(report.bodies);
    const kai_problem_report again = solve(p, KAI_SOLVER_CONE_NEWTON, 1e-12);
    if (!again.bodies) fail_msg("%s", again.why);
    assert_true(again.residual <= 1e-11);
    check_same(p->v, v, 3, 1e-9);
    check_error(kai_problem_make(&f->problem, true, &q, &f->err), KAI_ERROR_UNSUPPORTED);
    assert_non_null(strstr(f->err.message, "row 1 of joints"));
    kai_problem_free(p);
    cone_end(f);
}

// The same in coordinates that are not those of points.
static void test_joint_general(void** state)
{
    (void)state;
    double B[BODIES][36];
    cone_fixture* f = make_heap(BODIES);
    kai_problem *p = make(f), *q = make(f);
    const size_t n = 3;
    uint32_t i[18], j[18];
    double x[18];
    for (size_t k = 0; k < 18; k++) {
        i[k] = (uint32_t)(k / n < 3 ? k / n : 12 + k / n); // bodies 0 and 2
        j[k] = (uint32_t)(k % n);
        x[k] = helper_random(700 + k);
    }
    set_equations(p, 18, i, j, x, n);
    set_equations(q, 18, i, j, x, n);
    make_blocks(2, B);
    transform(q, B, BODIES);
    transform_columns(&q->G, B, BODIES);
    solve(p, KAI_SOLVER_CONE_APGD, 1e-10);
    const kai_problem_report report = solve(q, KAI_SOLVER_CONE_APGD, 1e-10);
    assert_false(report.bodies);
    check_same(p->u, q->u, 3 * p->contacts, 1e-7);
    double g[3] = {0.0};
    kai_problem_multiply_transposed(&p->G, 1.0, p->v, g);
    check_same(g, (double[3]){0.0}, 3, 1e-10);
    kai_problem_free(p);
    kai_problem_free(q);
    cone_end(f);
}

// ------------------------------------------------------------------------------------------------

static void test_matrix(void** state)
{
    (void)state;
    static const uint32_t i[] = {2, 0, 1, 2, 0, 1}, j[] = {1, 1, 0, 1, 1, 0};
    static const double x[] = {1.0, 2.0, 3.0, 4.0, 5.0, -3.0};
    kai_problem_matrix a;
    check_ok(kai_problem_matrix_make(3, 2, 6, i, j, x, &a, NULL));
    assert_int_equal(a.first[1], 0); // what adds up to zero is dropped
    assert_int_equal(a.first[2], 2);
    assert_int_equal(a.row[0], 0);
    assert_int_equal(a.row[1], 2);
    check_near(a.value[0], 7.0, 0.0, "closed form");
    check_near(a.value[1], 5.0, 0.0, "closed form");
    kai_problem_matrix_free(&a);
}

// The nearest admissible impulse: within, on the side, at the tip, and of cones that are closed.
static void test_projection(void** state)
{
    (void)state;
    static const double cases[][7] = {
        // μ, r, nearest
        {0.5, 2.0, 0.6, 0.8, 2.0, 0.6, 0.8},  {1.0, 0.0, 2.0, 0.0, 1.0, 1.0, 0.0},
        {0.5, -3.0, 1.0, 0.0, 0.0, 0.0, 0.0}, {0.0, 3.0, 4.0, 0.0, 3.0, 0.0, 0.0},
        {0.0, -3.0, 0.0, 0.0, 0.0, 0.0, 0.0}, {0.5, -3.0, 0.0, 0.0, 0.0, 0.0, 0.0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double to[3];
        kai_problem_measure_project(cases[i][0], &cases[i][1], to);
        check_same(to, &cases[i][4], 3, 1e-15);
    }
}

static void check_refused(kai_problem* p, const char* word)
{
    kai_error err = {0};
    check_error(kai_problem_check(p, &err), KAI_ERROR_FORMAT);
    if (strstr(err.message, word) == NULL) fail_msg("%s", err.message);
}

static void test_checks(void** state)
{
    (void)state;
    cone_fixture* f = make_heap(3);
    kai_problem* p = make(f);
    p->mu[1] = -0.5;
    check_refused(p, "mu(1) is -0.5; must be >= 0 and finite");
    p->mu[1] = 0.5;
    p->w[2] = (double)NAN;
    check_refused(p, "w(2) is nan; must be finite");
    p->w[2] = 0.0;
    const double m = p->M.value[0];
    p->M.value[0] = -m;
    check_refused(p, "M(0, 0) is -");
    p->M.value[0] = m;
    p->H.value[0] = (double)INFINITY;
    check_refused(p, "H(");
    kai_problem_free(p);
    // Rolling friction and joints are no part of the form.
    f->problem.couple = f->couple;
    f->contacts[1].rolling = 0.1;
    check_error(kai_problem_make(&f->problem, false, &p, &f->err), KAI_ERROR_UNSUPPORTED);
    assert_non_null(strstr(f->err.message, "contact 1 has rolling"));
    cone_end(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_matrix),        cmocka_unit_test(test_projection),
        cmocka_unit_test(test_checks),        cmocka_unit_test(test_residual),
        cmocka_unit_test(test_bodies_found),  cmocka_unit_test(test_coordinates),
        cmocka_unit_test(test_local),         cmocka_unit_test(test_joint),
        cmocka_unit_test(test_joint_general), cmocka_unit_test(test_rows)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
