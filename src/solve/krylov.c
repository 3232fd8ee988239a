// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "solve/krylov.h"

#include "solve/krylov_vector.h"

#include <math.h>
#include <string.h>

enum { LANES = 8 }; // vectors begin at cache lines

// A cycle must bring the residual down by at least this factor, or it counts as one in vain.
static const double PROGRESS = 0.99;
// Where the matrix was found singular another cycle has a point only when this one brought much.
static const double MUCH = 0.5;
// Recurrences aim a little lower, so that rounding does not cost a cycle of its own.
static const double MARGIN = 0.9;

kai_krylov_options kai_krylov_options_default(void)
{
    return (kai_krylov_options){.relative = 1e-10, .limit = 1000, .restart = 50, .threads = 1};
}

void kai_krylov_init(kai_krylov* work, kai_memory* memory)
{
    memset(work, 0, sizeof *work);
    work->memory = memory;
    work->vectors = work->partial = work->small = kai_array_make(sizeof(double));
}

void kai_krylov_free(kai_krylov* work)
{
    kai_array_free(&work->vectors, work->memory);
    kai_array_free(&work->partial, work->memory);
    kai_array_free(&work->small, work->memory);
}

static kai_result check(const kai_krylov_options* o, kai_error* err)
{
    if (!(o->relative >= 0.0) || !(o->absolute >= 0.0))
        return kai_error_set(err, KAI_ERROR_ARGUMENT,
                             "tolerances of a linear solver are %g relative, %g absolute; must be "
                             "at least 0",
                             o->relative, o->absolute);
    if (o->restart == 0)
        return kai_error_set(err, KAI_ERROR_ARGUMENT, "restart is 0; must be at least 1");
    return KAI_OK;
}

/// Room for the method's vectors and two more: the residual, and x as it was.
static kai_result make_room(kai_krylov* work, const kai_krylov_method* method, size_t count,
                            size_t basis, kai_error* err)
{
    const size_t vectors = method->vectors + 2 + (method->keeps_basis ? basis + 1 : 0);
    const size_t width = method->keeps_basis ? basis + 1 : 4;
    const size_t blocks = (count + KAI_KRYLOV_VECTOR_BLOCK - 1) / KAI_KRYLOV_VECTOR_BLOCK;
    const size_t stride = (count + LANES - 1) / LANES * LANES;
    if (stride > SIZE_MAX / sizeof(double) / vectors)
        return kai_error_set(err, KAI_ERROR_LIMIT, "a system of %zu rows is too large", count);
    KAI_TRY(kai_array_resize(&work->vectors, work->memory, vectors * stride, err));
    KAI_TRY(kai_array_resize(&work->partial, work->memory, blocks * width, err));
    // gmres: triangle, sines, cosines, right-hand side, products, solution
    if (method->keeps_basis)
        KAI_TRY(kai_array_resize(&work->small, work->memory, (basis + 1) * (basis + 5), err));
    work->stride = stride;
    return KAI_OK;
}

/// r := b - A x; its norm.
static double residual(const kai_krylov* work, const kai_krylov_problem* p, const double* b,
                       const double* x, double* r)
{
    p->apply(p->matrix, x, r);
    kai_krylov_vector_combine(work, r, 1.0, b, -1.0, r);
    return kai_krylov_vector_norm(work, r);
}

/// Cycle after cycle, until the true residual is small or nothing moves any more.
static void run(kai_krylov_cycle* cycle, const kai_krylov_method* method, const double* b,
                double* before, kai_krylov_result* result)
{
    kai_krylov* work = cycle->work;
    const uint32_t limit = cycle->limit;
    while (result->residual > cycle->target / MARGIN && result->iterations < limit) {
        kai_krylov_vector_combine(work, before, 1.0, cycle->x, 0.0, NULL);
        cycle->norm = result->residual;
        cycle->limit = limit - result->iterations;
        cycle->iterations = 0;
        cycle->end = KAI_KRYLOV_FINE;
        method->cycle(cycle);
        result->iterations += cycle->iterations;
        result->breakdown = cycle->end;
        if (cycle->end == KAI_KRYLOV_STOPPED) return;

        double norm = residual(work, cycle->problem, b, cycle->x, cycle->r);
        if (!isfinite(norm)) cycle->end = KAI_KRYLOV_NOT_FINITE;
        const bool vain = !(norm <= PROGRESS * result->residual);
        // A step that brought nothing may have gone far along the null space.
        if (vain && cycle->end != KAI_KRYLOV_SINGULAR) {
            kai_krylov_vector_combine(work, cycle->x, 1.0, before, 0.0, NULL);
            norm = residual(work, cycle->problem, b, cycle->x, cycle->r);
        }
        const double gain = norm / result->residual;
        result->residual = norm;
        result->breakdown = cycle->end;
        if (cycle->end >= KAI_KRYLOV_INDEFINITE) break;
        if (cycle->end == KAI_KRYLOV_SINGULAR && gain > MUCH) break;
        cycle->attempt = vain ? cycle->attempt + 1 : 0;
        if (cycle->attempt < method->attempts) continue;
        if (cycle->end == KAI_KRYLOV_FINE && result->iterations < limit)
            result->breakdown = KAI_KRYLOV_STAGNATED;
        break;
    }
}

kai_result kai_krylov_solve(kai_krylov* work, const kai_krylov_method* method,
                            const kai_krylov_problem* problem, const kai_krylov_options* options,
                            const double* b, double* x, kai_krylov_result* result, kai_error* err)
{
    *result = (kai_krylov_result){.converged = true};
    const size_t n = problem->count;
    const size_t basis = options->restart < n ? options->restart : n;
    KAI_TRY(check(options, err));
    KAI_TRY(make_room(work, method, n, basis, err));
    work->count = n;
    work->threads = options->threads;
    const double size = kai_krylov_vector_norm(work, b);
    if (size == 0.0) {
        if (n > 0) memset(x, 0, n * sizeof *x);
        return KAI_OK;
    }
    const size_t own = method->vectors + (method->keeps_basis ? basis + 1 : 0);
    double *r = kai_krylov_vector_at(work, own), *before = kai_krylov_vector_at(work, own + 1);
    const double target = fmax(options->relative * size, options->absolute);
    result->residual = residual(work, problem, b, x, r);
    if (isfinite(result->residual)) {
        kai_krylov_cycle cycle = {.work = work,
                                  .problem = problem,
                                  .options = options,
                                  .x = x,
                                  .r = r,
                                  .target = MARGIN * target,
                                  .limit = options->limit};
        run(&cycle, method, b, before, result);
    } else {
        result->breakdown = KAI_KRYLOV_NOT_FINITE;
    }
    if (result->breakdown == KAI_KRYLOV_STOPPED) return kai_stop_error(err);
    result->converged = isfinite(result->residual) && result->residual <= target;
    if (result->converged) result->breakdown = KAI_KRYLOV_FINE;
    if (!isfinite(result->residual)) result->residual = HUGE_VAL;
    return KAI_OK;
}
