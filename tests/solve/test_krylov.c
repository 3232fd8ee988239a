// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Krylov methods: against dense elimination and known eigenvalues, on singular and contradictory
// systems, on bad numbers; the same bits on any number of threads; memory.
#include "helper.h"
#include "solve/krylov.h"

enum { MOST = 64 };

static const kai_krylov_method* const METHODS[] = {&kai_krylov_minres, &kai_krylov_gmres,
                                                   &kai_krylov_bicgstab};
enum { METHOD_COUNT = sizeof METHODS / sizeof METHODS[0] };

/// A dense matrix and its solver.
typedef struct fixture {
    helper_allocator counter;
    kai_allocator allocator;
    kai_memory memory;
    kai_krylov work;
    int n;
    double a[MOST][MOST];
    double inverse_diagonal[MOST]; // of a preconditioner
    double b[MOST], x[MOST];
    kai_krylov_options options;
    kai_krylov_result result;
} fixture;

static void begin(fixture* f, int n)
{
    memset(f, 0, sizeof *f);
    f->n = n;
    f->allocator = helper_allocator_make(&f->counter);
    kai_memory_init(&f->memory, &f->allocator);
    kai_krylov_init(&f->work, &f->memory);
    f->options = kai_krylov_options_default();
}

static void end(fixture* f)
{
    kai_krylov_free(&f->work);
    assert_int_equal(f->counter.blocks, 0);
}

static void apply(void* context, const double* x, double* y)
{
    const fixture* f = context;
    for (int i = 0; i < f->n; i++) {
        y[i] = 0.0;
        for (int k = 0; k < f->n; k++) y[i] += f->a[i][k] * x[k];
    }
}

static void precondition(void* context, const double* x, double* y)
{
    const fixture* f = context;
    for (int i = 0; i < f->n; i++) y[i] = f->inverse_diagonal[i] * x[i];
}

static void solve(fixture* f, const kai_krylov_method* method, bool preconditioned)
{
    const kai_krylov_problem problem = {.count = (size_t)f->n,
                                        .apply = apply,
                                        .matrix = f,
                                        .precondition = preconditioned ? precondition : NULL,
                                        .preconditioner = f};
    check_ok(
        kai_krylov_solve(&f->work, method, &problem, &f->options, f->b, f->x, &f->result, NULL));
    for (int i = 0; i < f->n; i++) assert_true(isfinite(f->x[i]));
    // What is reported is what x has.
    double y[MOST], sum = 0.0;
    apply(f, f->x, y);
    for (int i = 0; i < f->n; i++) sum += (f->b[i] - y[i]) * (f->b[i] - y[i]);
    if (isfinite(sum))
        check_near(f->result.residual, sqrt(sum), 1e-12 * (1.0 + sqrt(sum)), "|b - A x|");
}

/// A := Q diag(eigenvalues) Qᵀ with Q a product of reflections.
static void set_spectrum(fixture* f, const double* eigenvalues, uint64_t seed)
{
    const int n = f->n;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++) f->a[i][k] = i == k ? eigenvalues[i] : 0.0;
    for (int round = 0; round < 3; round++) {
        double u[MOST], norm2 = 0.0;
        for (int i = 0; i < n; i++) {
            u[i] = helper_random(seed++);
            norm2 += u[i] * u[i];
        }
        for (int side = 0; side < 2; side++) {
            for (int k = 0; k < n; k++) {
                double dot = 0.0;
                for (int i = 0; i < n; i++) dot += u[i] * (side ? f->a[k][i] : f->a[i][k]);
                for (int i = 0; i < n; i++)
                    *(side ? &f->a[k][i] : &f->a[i][k]) -= 2.0 / norm2 * dot * u[i];
            }
        }
    }
    for (int i = 0; i < n; i++)
        for (int k = 0; k < i; k++) f->a[i][k] = f->a[k][i] = 0.5 * (f->a[i][k] + f->a[k][i]);
}

static void set_random(double* b, int n, uint64_t seed)
{
    for (int i = 0; i < n; i++) b[i] = helper_random(seed++);
}

/// Gaussian elimination with pivots, for matrices that are regular.
static void eliminate(const fixture* f, double* x)
{
    static double a[MOST][MOST + 1];
    const int n = f->n;
    for (int i = 0; i < n; i++) {
        memcpy(a[i], f->a[i], sizeof f->a[i]);
        a[i][n] = f->b[i];
    }
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int i = k; i < n; i++)
            if (fabs(a[i][k]) > fabs(a[best][k])) best = i;
        for (int c = 0; c <= n; c++) {
            const double swap = a[k][c];
            a[k][c] = a[best][c];
            a[best][c] = swap;
        }
        for (int i = k + 1; i < n; i++) {
            const double s = a[i][k] / a[k][k];
            for (int c = k; c <= n; c++) a[i][c] -= s * a[k][c];
        }
    }
    for (int k = n; k-- > 0;) {
        x[k] = a[k][n];
        for (int c = k + 1; c < n; c++) x[k] -= a[k][c] * x[c];
        x[k] /= a[k][k];
    }
}

static double norm(const double* a, int n)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++) sum += a[i] * a[i];
    return sqrt(sum);
}

static double distance(const double* a, const double* b, int n)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++) sum += (a[i] - b[i]) * (a[i] - b[i]);
    return sqrt(sum);
}

// Regular systems --------------------------------------------------------------------------------

static void matches_elimination(void** state)
{
    (void)state;
    fixture f;
    begin(&f, 40);
    for (int m = 0; m < METHOD_COUNT; m++) {
        for (uint64_t seed = 0; seed < 10; seed++) {
            double eigenvalues[MOST], expected[MOST];
            // Positive definite for bicgstab, which has no answer to eigenvalues of both signs.
            for (int i = 0; i < f.n; i++)
                eigenvalues[i] = (1.0 + 99.0 * i / (f.n - 1)) * (m < 2 && i % 2 ? -1.0 : 1.0);
            set_spectrum(&f, eigenvalues, 1000 * seed);
            set_random(f.b, f.n, 500 + 1000 * seed);
            eliminate(&f, expected);
            for (int i = 0; i < f.n; i++) f.inverse_diagonal[i] = 1.0 + 0.5 * helper_random(i);
            for (int preconditioned = 0; preconditioned < 2; preconditioned++) {
                memset(f.x, 0, sizeof f.x);
                solve(&f, METHODS[m], preconditioned);
                assert_true(f.result.converged);
                assert_int_equal(f.result.breakdown, KAI_KRYLOV_FINE);
                check_near(distance(f.x, expected, f.n), 0.0, 1e-10 * norm(f.b, f.n),
                           "|A⁻¹| = 1, residual 1e-10 |b|");
            }
        }
    }
    end(&f);
}

static void unsymmetric_matrices(void** state)
{
    (void)state;
    fixture f;
    begin(&f, 50);
    f.options.restart = 20; // less than the system: several cycles
    for (int m = 1; m < METHOD_COUNT; m++) {
        for (uint64_t seed = 0; seed < 10; seed++) {
            double expected[MOST];
            set_random(&f.a[0][0], MOST * MOST, 10000 * seed);
            for (int i = 0; i < f.n; i++) f.a[i][i] += 8.0;
            set_random(f.b, f.n, 777 + seed);
            eliminate(&f, expected);
            memset(f.x, 0, sizeof f.x);
            for (int i = 0; i < f.n; i++) f.inverse_diagonal[i] = 1.0 / f.a[i][i];
            solve(&f, METHODS[m], seed % 2);
            assert_true(f.result.converged);
            check_near(distance(f.x, expected, f.n), 0.0, 1e-9 * norm(f.b, f.n),
                       "residual 1e-10, and eigenvalues in a disc of radius √(50/3) about 8");
        }
    }
    end(&f);
}

/// In exact arithmetic a method needs as many iterations as there are distinct eigenvalues.
static void one_iteration_an_eigenvalue(void** state)
{
    (void)state;
    static const double DISTINCT[] = {-3.0, -1.0, 0.5, 2.0, 5.0};
    fixture f;
    begin(&f, 60);
    f.options.relative = 1e-12;
    for (int count = 1; count <= 5; count++) {
        double eigenvalues[MOST];
        for (int i = 0; i < f.n; i++) eigenvalues[i] = DISTINCT[5 - count + i % count];
        set_spectrum(&f, eigenvalues, 5);
        set_random(f.b, f.n, 99);
        for (int m = 0; m < METHOD_COUNT; m++) {
            if (METHODS[m] == &kai_krylov_bicgstab && count > 3) continue; // of both signs
            memset(f.x, 0, sizeof f.x);
            solve(&f, METHODS[m], false);
            assert_true(f.result.converged);
            assert_true(f.result.iterations <= (uint32_t)count);
        }
    }
    end(&f);
}

static void a_good_guess_is_used(void** state)
{
    (void)state;
    fixture f;
    begin(&f, 30);
    for (int m = 0; m < METHOD_COUNT; m++) {
        double eigenvalues[MOST];
        for (int i = 0; i < f.n; i++) eigenvalues[i] = 1.0 + i;
        set_spectrum(&f, eigenvalues, 3);
        set_random(f.x, f.n, 4);
        apply(&f, f.x, f.b);
        double guess[MOST];
        memcpy(guess, f.x, sizeof guess);
        solve(&f, METHODS[m], false);
        assert_int_equal(f.result.iterations, 0);
        assert_memory_equal(guess, f.x, (size_t)f.n * sizeof(double));
        f.x[3] += 1.0;
        solve(&f, METHODS[m], false);
        check_near(distance(f.x, guess, f.n), 0.0, 1e-10 * norm(f.b, f.n), "|A⁻¹| = 1");
    }
    end(&f);
}

static void badly_scaled_with_a_preconditioner(void** state)
{
    (void)state;
    fixture f;
    begin(&f, 40);
    // D A D with D from 1e-3 to 1e3: masses from 1e-6 to 1e6.
    for (int m = 0; m < METHOD_COUNT; m++) {
        double eigenvalues[MOST], scale[MOST], expected[MOST];
        for (int i = 0; i < f.n; i++) {
            eigenvalues[i] = 1.0 + i % 7;
            scale[i] = pow(10.0, -3.0 + 6.0 * i / (f.n - 1));
        }
        set_spectrum(&f, eigenvalues, 11);
        for (int i = 0; i < f.n; i++) {
            for (int k = 0; k < f.n; k++) f.a[i][k] *= scale[i] * scale[k];
            f.b[i] = scale[i] * helper_random((uint64_t)i);
            f.inverse_diagonal[i] = 1.0 / f.a[i][i];
        }
        eliminate(&f, expected);
        memset(f.x, 0, sizeof f.x);
        f.options.relative = 1e-13;
        solve(&f, METHODS[m], true);
        // Each unknown by its own scale: the residual of 1e-13 is measured against the largest
        // entry of b, 1e3, and the smallest is 1e-3.
        for (int i = 0; i < f.n; i++)
            check_near(scale[i] * f.x[i], scale[i] * expected[i], 1e-6, "|A⁻¹| = 1");
        assert_true(f.result.residual <= 1e-12 * norm(f.b, f.n));
    }
    end(&f);
}

static void small_and_empty(void** state)
{
    (void)state;
    fixture f;
    for (int m = 0; m < METHOD_COUNT; m++) {
        begin(&f, 1);
        f.a[0][0] = -4.0;
        f.b[0] = 2.0;
        solve(&f, METHODS[m], false);
        check_near(f.x[0], -0.5, 1e-15, "2 / -4");
        assert_int_equal(f.result.iterations, 1);
        // Nothing on the right: zero, whatever the guess.
        f.b[0] = 0.0;
        solve(&f, METHODS[m], false);
        assert_true(f.x[0] == 0.0 && f.result.converged && f.result.iterations == 0);
        f.n = 0;
        solve(&f, METHODS[m], false);
        assert_true(f.result.converged);
        end(&f);
    }
}

// Singular systems -------------------------------------------------------------------------------

/// Projects b onto the range of A (for eigenvalue 0), or adds what is outside.
static void set_singular(fixture* f, int zeros, double outside, uint64_t seed, double* least)
{
    double eigenvalues[MOST], y[MOST], z[MOST];
    for (int i = 0; i < f->n; i++)
        eigenvalues[i] = i < zeros ? 0.0 : (i % 2 ? -1.0 : 1.0) * (1.0 + 9.0 * i / f->n);
    set_spectrum(f, eigenvalues, seed);
    // x = A y has no part in the null space: the solution of least norm of A x = b.
    set_random(y, f->n, seed + 1000);
    apply(f, y, least);
    apply(f, least, f->b);
    if (outside == 0.0) return;
    // What A⁺A leaves of a vector lies in the null space: A is regular on the rest, so solve there.
    double solution[MOST], right[MOST];
    set_random(z, f->n, seed + 2000);
    memcpy(right, f->b, sizeof right);
    apply(f, z, f->b);
    memset(f->x, 0, sizeof f->x);
    f->options.relative = 1e-14;
    solve(f, &kai_krylov_minres, false);
    memcpy(solution, f->x, sizeof solution);
    f->options.relative = 1e-10;
    for (int i = 0; i < f->n; i++) z[i] -= solution[i];
    const double size = norm(z, f->n);
    for (int i = 0; i < f->n; i++) f->b[i] = right[i] + outside * z[i] / size;
}

static void singular_systems_are_solved(void** state)
{
    (void)state;
    fixture f;
    begin(&f, 40);
    for (int zeros = 1; zeros <= 12; zeros += 3) {
        double least[MOST];
        set_singular(&f, zeros, 0.0, 50, least);
        for (int m = 0; m < METHOD_COUNT; m++) {
            memset(f.x, 0, sizeof f.x);
            solve(&f, METHODS[m], false);
            assert_true(f.result.converged);
            // All three start at zero and move within the range of A, which is symmetric.
            check_near(distance(f.x, least, f.n), 0.0, 1e-9 * norm(least, f.n),
                       "residual 1e-10 |b|, |A⁺| = 1, |b| < 10 |x|");
        }
    }
    end(&f);
}

static void contradictory_systems_end_at_the_least_residual(void** state)
{
    (void)state;
    fixture f;
    begin(&f, 40);
    for (int zeros = 1; zeros <= 12; zeros += 3) {
        double least[MOST];
        set_singular(&f, zeros, 0.25, 50, least);
        for (int m = 0; m < METHOD_COUNT; m++) {
            memset(f.x, 0, sizeof f.x);
            solve(&f, METHODS[m], false);
            assert_false(f.result.converged);
            assert_true(f.result.iterations < f.options.limit);
            if (METHODS[m] == &kai_krylov_bicgstab) { // keeps the best x that it met
                assert_int_equal(f.result.breakdown, KAI_KRYLOV_STAGNATED);
                check_near(f.result.residual, 0.25, 0.025, "10 % is worth keeping");
                continue;
            }
            assert_int_equal(f.result.breakdown, KAI_KRYLOV_SINGULAR);
            check_near(f.result.residual, 0.25, 1e-12, "what lies outside of the range");
            if (METHODS[m] == &kai_krylov_minres)
                check_near(distance(f.x, least, f.n), 0.0, 1e-6 * norm(least, f.n),
                           "|A r| ≤ 1e-8 |A| |r|, |A⁺| = 1, |A| = 10");
        }
    }
    end(&f);
}

// Bad numbers ------------------------------------------------------------------------------------

static void bad_numbers_are_reported(void** state)
{
    (void)state;
    fixture f;
    begin(&f, 20);
    double eigenvalues[MOST];
    for (int i = 0; i < f.n; i++) eigenvalues[i] = 1.0 + i;
    for (int m = 0; m < METHOD_COUNT; m++) {
        set_spectrum(&f, eigenvalues, 3);
        set_random(f.b, f.n, 4);
        for (int i = 0; i < f.n; i++) f.inverse_diagonal[i] = 1.0;
        double* const places[] = {&f.b[3], &f.a[5][7], &f.inverse_diagonal[9]};
        for (int p = 0; p < 3; p++) {
            const double good = *places[p];
            const double bad[] = {(double)NAN, HUGE_VAL};
            for (int k = 0; k < 2; k++) {
                *places[p] = bad[k];
                memset(f.x, 0, sizeof f.x);
                solve(&f, METHODS[m], true);
                assert_false(f.result.converged);
                assert_int_equal(f.result.breakdown, KAI_KRYLOV_NOT_FINITE);
                for (int i = 0; i < f.n; i++) assert_true(f.x[i] == 0.0);
            }
            *places[p] = good;
        }
    }
    // A preconditioner that is not positive definite, or zero.
    f.inverse_diagonal[2] = -1e6;
    solve(&f, &kai_krylov_minres, true);
    assert_int_equal(f.result.breakdown, KAI_KRYLOV_INDEFINITE);
    memset(f.inverse_diagonal, 0, sizeof f.inverse_diagonal);
    solve(&f, &kai_krylov_minres, true);
    assert_int_equal(f.result.breakdown, KAI_KRYLOV_INDEFINITE);
    end(&f);
}

static void hard_cases_end(void** state)
{
    (void)state;
    fixture f;
    for (int m = 0; m < METHOD_COUNT; m++) {
        // A = 0: b cannot be reached at all.
        begin(&f, 5);
        f.b[0] = 1.0;
        solve(&f, METHODS[m], false);
        assert_false(f.result.converged);
        check_near(f.result.residual, 1.0, 0.0, "x = 0 is as good as any");
        assert_int_not_equal(f.result.breakdown, KAI_KRYLOV_FINE);
        end(&f);
        // A swap: r · A r = 0 at the very start.
        begin(&f, 2);
        f.a[0][1] = f.a[1][0] = 1.0;
        f.b[0] = 1.0;
        solve(&f, METHODS[m], false);
        assert_true(f.result.converged);
        check_near(f.x[1], 1.0, 1e-10, "the swap of b");
        end(&f);
    }
    // A turn by 90°: eigenvalues ±i, which MINRES (not symmetric) is not asked.
    begin(&f, 2);
    f.a[0][1] = 1.0;
    f.a[1][0] = -1.0;
    f.b[0] = 1.0;
    solve(&f, &kai_krylov_gmres, false);
    check_near(f.x[1], 1.0, 1e-10, "closed form");
    memset(f.x, 0, sizeof f.x);
    solve(&f, &kai_krylov_bicgstab, false);
    assert_true(f.result.converged || f.result.breakdown == KAI_KRYLOV_STAGNATED);
    end(&f);
}

static void limits_hold(void** state)
{
    (void)state;
    fixture f;
    begin(&f, 60);
    double eigenvalues[MOST];
    for (int i = 0; i < f.n; i++) eigenvalues[i] = pow(10.0, 6.0 * i / f.n);
    set_spectrum(&f, eigenvalues, 3);
    set_random(f.b, f.n, 4);
    for (int m = 0; m < METHOD_COUNT; m++) {
        memset(f.x, 0, sizeof f.x);
        f.options = kai_krylov_options_default();
        f.options.limit = 7;
        solve(&f, METHODS[m], false);
        assert_int_equal(f.result.iterations, 7);
        assert_false(f.result.converged);
        assert_int_equal(f.result.breakdown, KAI_KRYLOV_FINE);
        assert_true(f.result.residual <= norm(f.b, f.n));
        // A residual that rounding does not allow: the end is found, and said.
        f.options.limit = 100000;
        f.options.relative = 1e-30;
        solve(&f, METHODS[m], false);
        assert_false(f.result.converged);
        assert_true(f.result.iterations < f.options.limit);
        assert_true(f.result.breakdown == KAI_KRYLOV_STAGNATED ||
                    f.result.breakdown == KAI_KRYLOV_SINGULAR);
        // An absolute tolerance counts as well.
        memset(f.x, 0, sizeof f.x);
        f.options.absolute = 0.5 * norm(f.b, f.n);
        solve(&f, METHODS[m], false);
        assert_true(f.result.converged && f.result.residual <= f.options.absolute);
    }
    end(&f);
}

static void bad_options_are_refused(void** state)
{
    (void)state;
    fixture f;
    begin(&f, 2);
    const kai_krylov_problem problem = {.count = 2, .apply = apply, .matrix = &f};
    kai_error err;
    for (int i = 0; i < 3; i++) {
        kai_krylov_options o = kai_krylov_options_default();
        if (i == 0) o.relative = (double)NAN;
        if (i == 1) o.absolute = -1.0;
        if (i == 2) o.restart = 0;
        check_error(kai_krylov_solve(&f.work, METHODS[i], &problem, &o, f.b, f.x, &f.result, &err),
                    KAI_ERROR_ARGUMENT);
    }
    assert_string_equal(err.message, "restart is 0; must be at least 1");
    end(&f);
}

static void a_stop_is_heeded(void** state)
{
    (void)state;
    static const volatile int now = 1;
    fixture f;
    begin(&f, 2);
    f.b[0] = 1.0;
    const kai_krylov_problem problem = {.count = 2, .apply = apply, .matrix = &f};
    for (int i = 0; i < 3; i++) {
        kai_krylov_options o = kai_krylov_options_default();
        o.stop = &now;
        check_error(kai_krylov_solve(&f.work, METHODS[i], &problem, &o, f.b, f.x, &f.result, NULL),
                    KAI_ERROR_STOPPED);
        assert_int_equal(f.result.iterations, 0);
    }
    end(&f);
}

// Threads and memory -----------------------------------------------------------------------------

enum { LARGE = 20000 }; // several blocks of vectors

/// A convection-diffusion row, -1 - c, 2 + s, -1 + c.
typedef struct stencil {
    double c, s;
} stencil;

static void apply_stencil(void* context, const double* x, double* y)
{
    const stencil* s = context;
    for (int i = 0; i < LARGE; i++) {
        y[i] = (2.0 + s->s) * x[i];
        if (i > 0) y[i] -= (1.0 + s->c) * x[i - 1];
        if (i + 1 < LARGE) y[i] -= (1.0 - s->c) * x[i + 1];
    }
}

static void same_bits_on_any_threads(void** state)
{
    (void)state;
    static const int THREADS[] = {1, 2, 5, 16};
    static double b[LARGE], x[4][LARGE];
    fixture f;
    begin(&f, 0);
    set_random(b, LARGE, 0);
    for (int m = 0; m < METHOD_COUNT; m++) {
        stencil s = {.c = m == 0 ? 0.0 : 0.2, .s = 4.0};
        const kai_krylov_problem problem = {.count = LARGE, .apply = apply_stencil, .matrix = &s};
        kai_krylov_result results[4];
        f.options.restart = 6; // several cycles
        for (int t = 0; t < 4; t++) {
            memset(x[t], 0, sizeof x[t]);
            f.options.threads = THREADS[t];
            check_ok(kai_krylov_solve(&f.work, METHODS[m], &problem, &f.options, b, x[t],
                                      &results[t], NULL));
            assert_true(results[t].converged);
            assert_int_equal(results[t].iterations, results[0].iterations);
            assert_true(results[t].residual == results[0].residual);
            assert_memory_equal(x[t], x[0], sizeof x[0]);
        }
    }
    end(&f);
}

static void warm_runs_allocate_nothing(void** state)
{
    (void)state;
    fixture f;
    begin(&f, 40);
    double eigenvalues[MOST];
    for (int i = 0; i < f.n; i++) eigenvalues[i] = 1.0 + i;
    set_spectrum(&f, eigenvalues, 3);
    set_random(f.b, f.n, 4);
    uint64_t calls = 0;
    for (int round = 0; round < 3; round++) {
        if (round == 1) calls = f.counter.calls;
        for (int m = 0; m < METHOD_COUNT; m++) {
            memset(f.x, 0, sizeof f.x);
            solve(&f, METHODS[m], false);
        }
    }
    assert_int_equal(f.counter.calls, calls);
    end(&f);
}

static void survives_a_failing_allocator(void** state)
{
    (void)state;
    for (int m = 0; m < METHOD_COUNT; m++) {
        for (uint64_t fail_at = 1;; fail_at++) {
            fixture f;
            begin(&f, 2);
            f.a[0][0] = f.a[1][1] = f.b[0] = 1.0;
            f.counter.fail_at = fail_at;
            const kai_krylov_problem problem = {.count = 2, .apply = apply, .matrix = &f};
            const kai_result r = kai_krylov_solve(&f.work, METHODS[m], &problem, &f.options, f.b,
                                                  f.x, &f.result, NULL);
            end(&f);
            if (r == KAI_OK) break;
            assert_int_equal(r, KAI_ERROR_MEMORY);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(matches_elimination),
        cmocka_unit_test(unsymmetric_matrices),
        cmocka_unit_test(one_iteration_an_eigenvalue),
        cmocka_unit_test(a_good_guess_is_used),
        cmocka_unit_test(badly_scaled_with_a_preconditioner),
        cmocka_unit_test(small_and_empty),
        cmocka_unit_test(singular_systems_are_solved),
        cmocka_unit_test(contradictory_systems_end_at_the_least_residual),
        cmocka_unit_test(bad_numbers_are_reported),
        cmocka_unit_test(hard_cases_end),
        cmocka_unit_test(limits_hold),
        cmocka_unit_test(bad_options_are_refused),
        cmocka_unit_test(a_stop_is_heeded),
        cmocka_unit_test(same_bits_on_any_threads),
        cmocka_unit_test(warm_runs_allocate_nothing),
        cmocka_unit_test(survives_a_failing_allocator),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
