// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Large linear systems A x = b by Krylov methods: all they ask of A is y := A x.
//
//     kai_krylov_minres    A symmetric; preconditioner symmetric and positive definite. Short
//                          recurrences (8 vectors). Singular A: the solution of least norm.
//     kai_krylov_gmres     any A, restarted: keeps `restart` + 1 vectors
//     kai_krylov_bicgstab  any A, 9 vectors, two products an iteration
//
// A method works in cycles. Each begins at the true residual r = b - A x, improves x until its
// own recurrence says that the target is met, and is then checked against the true residual again
// (krylov.c). So what is reported is what the solution has, and rounding in a recurrence costs
// another cycle rather than a wrong answer.
//
// A singular system that has solutions is solved. For one that has none, MINRES ends where the
// preconditioned residual is least (A P⁻¹ r = 0), at least norm too, and says KAI_KRYLOV_SINGULAR;
// the others end at the least residual that they met. Numbers that are not finite end a run; x is
// then the last good one.
//
// Dot products are added up in a fixed order: the same bits for any number of threads. A workspace
// that has seen a size allocates nothing.
#ifndef SOLVE_KRYLOV_H
#define SOLVE_KRYLOV_H

#include "base/array.h"

#include <stdbool.h>

/// y := A x, or y := P⁻¹ x; x and y [count] do not overlap.
typedef void kai_krylov_fn(void* context, const double* x, double* y);

/// A system to solve.
typedef struct kai_krylov_problem {
    size_t count;
    kai_krylov_fn* apply;
    void* matrix;                // context of apply
    kai_krylov_fn* precondition; // NULL: none
    void* preconditioner;        // context of precondition
} kai_krylov_problem;

/// When to stop, and how to work.
typedef struct kai_krylov_options {
    double relative; // |b - A x| ≤ max(relative |b|, absolute): done
    double absolute;
    uint32_t limit;           // iterations
    uint32_t restart;         // gmres: iterations a cycle, at least 1
    int threads;              // for vectors; the products are the caller's
    const volatile int* stop; // non-zero: ends after the iteration; NULL: never
} kai_krylov_options;

/// Why a run ended without the residual asked for, other than by its limit of iterations.
typedef enum kai_krylov_breakdown {
    KAI_KRYLOV_FINE,
    KAI_KRYLOV_SINGULAR,   // no solution: the residual is as small as it gets
    KAI_KRYLOV_STAGNATED,  // no progress: rounding, or a method that does not suit the matrix
    KAI_KRYLOV_INDEFINITE, // minres: the preconditioner is not positive definite
    KAI_KRYLOV_NOT_FINITE, // the matrix, the preconditioner, b or x has NaN or infinite numbers
    KAI_KRYLOV_STOPPED     // on request
} kai_krylov_breakdown;

/// How a run ended.
typedef struct kai_krylov_result {
    uint32_t iterations;
    double residual; // |b - A x|, computed from x; infinite where it is not a number
    bool converged;
    kai_krylov_breakdown breakdown;
} kai_krylov_result;

/// Memory that runs share, one after the other.
typedef struct kai_krylov {
    kai_memory* memory;
    kai_array vectors; // double [vectors × stride]
    kai_array partial; // double: one row of sums a block
    kai_array small;   // double: gmres' triangle and rotations
    size_t stride;     // doubles from one vector to the next
    size_t count;      // of the problem at hand
    int threads;       // likewise
} kai_krylov;

/// One cycle of a method, see above.
typedef struct kai_krylov_cycle {
    kai_krylov* work; // vectors of its own: kai_krylov_vector_at 0…
    const kai_krylov_problem* problem;
    const kai_krylov_options* options;
    double* x;                // improved
    double* r;                // b - A x to begin with; may be used
    double norm, target;      // |r|, and what it should become
    uint32_t limit;           // most iterations
    uint32_t attempt;         // cycles in a row that brought nothing
    double scale;             // the method's own, kept from cycle to cycle: size of P⁻¹ A so far
    uint32_t iterations;      // out: made
    kai_krylov_breakdown end; // out: KAI_KRYLOV_FINE when another cycle may go on
} kai_krylov_cycle;

/// A method.
typedef struct kai_krylov_method {
    const char* name;
    size_t vectors;    // that a cycle needs, beside x and r
    bool keeps_basis;  // and `restart` + 1 more, with small numbers to match
    uint32_t attempts; // cycles without progress before it gives up, at least 1
    void (*cycle)(kai_krylov_cycle* cycle);
} kai_krylov_method;

extern const kai_krylov_method kai_krylov_minres, kai_krylov_gmres, kai_krylov_bicgstab;

/// 1e-10 relative, 1,000 iterations, restart after 50, one thread.
kai_krylov_options kai_krylov_options_default(void);

/// An empty workspace; allocates nothing.
void kai_krylov_init(kai_krylov* work, kai_memory* memory);

/// Solves A x = b; x [count] is the first guess (zero where the solution of least norm is wanted).
/// How it went stands in `*result`; fails for memory and options (KAI_ERROR_ARGUMENT), and then
/// leaves x as it was, and on a stop (KAI_ERROR_STOPPED), when x is of no use.
kai_result kai_krylov_solve(kai_krylov* work, const kai_krylov_method* method,
                            const kai_krylov_problem* problem, const kai_krylov_options* options,
                            const double* b, double* x, kai_krylov_result* result, kai_error* err);

/// Gives all memory back.
void kai_krylov_free(kai_krylov* work);

#endif
