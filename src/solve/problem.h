// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Cone problems as sparse matrices (kairos/problem.h has the equations). Blocks are malloc's.
#ifndef SOLVE_PROBLEM_H
#define SOLVE_PROBLEM_H

#include "base/error.h"
#include "solve/ldl.h"

#include <kairos/problem.h>

/// "kai-prob", of kai_problem_def.
#define KAI_PROBLEM_COOKIE UINT64_C(0x6b61692d70726f62)

/// A sparse matrix, column by column.
typedef struct kai_problem_matrix {
    size_t rows, columns;
    size_t* first; // [columns + 1]
    uint32_t* row; // [first[columns]], ascending within a column
    double* value; // likewise
} kai_problem_matrix;

/// M with G, factorised, and what a unit of the normal impulse does at each contact.
typedef struct kai_problem_system {
    kai_memory memory;
    uint32_t blocks;    // of velocities that M couples, up to six together
    uint32_t* first;    // [blocks + 1] first velocity of each
    uint32_t* block_of; // [velocities]
    double* inverse;    // [blocks][36] where M couples no two blocks; else NULL
    kai_ldl ldl;        // M and G; not used where `inverse` is enough
    double* x;          // [velocities + equations]
    double* weight;     // [contacts] n·N n, m/s per N s; joints left out
} kai_problem_system;

struct kai_problem {
    bool global;
    size_t contacts, velocities, equations;
    kai_problem_matrix M, H, G, W;
    double *f, *w, *b, *mu; // w is q of the local form
    double *v, *u, *r, *l;  // the solution, all or (v, l where they have no entries) none
    bool ready;             // `system` is there
    kai_problem_system system;
};

/// A problem without entries; NULL without memory.
kai_problem* kai_problem_new(void);

/// Makes a matrix from its entries in any order; those of one place are added.
kai_result kai_problem_matrix_make(size_t rows, size_t columns, size_t count, const uint32_t* i,
                                   const uint32_t* j, const double* x, kai_problem_matrix* out,
                                   kai_error* err);
void kai_problem_matrix_free(kai_problem_matrix* a);

/// y += s A x, and y += s Aᵀ x.
void kai_problem_multiply(const kai_problem_matrix* a, double s, const double* x, double* y);
void kai_problem_multiply_transposed(const kai_problem_matrix* a, double s, const double* x,
                                     double* y);

/// Sizes agree, numbers are finite, coefficients are not negative, M or W is symmetric with a diagonal
/// above zero (W: not below). KAI_ERROR_FORMAT says which is not.
kai_result kai_problem_check(const kai_problem* p, kai_error* err);

/// Room for a solution, where there is none.
kai_result kai_problem_make_solution(kai_problem* p, kai_error* err);

/// Forgets it.
void kai_problem_drop_solution(kai_problem* p);

/// `count` numbers, zero; NULL without memory, never for none.
double* kai_problem_numbers(size_t count);

// Velocities of impulses (problem_system.c) ------------------------------------------------------

/// Factorises what is there once. KAI_ERROR_FORMAT when M is not positive definite.
kai_result kai_problem_system_make(kai_problem* p, int threads, kai_error* err);
void kai_problem_system_free(kai_problem* p);

/// v [velocities] and l [equations] with M v = G l + rhs, Gᵀ v + b = 0.
void kai_problem_system_solve(const kai_problem* p, int threads, const double* rhs, double* v,
                              double* l);

/// u [3 contacts] of impulses r, and v and l (global form).
kai_result kai_problem_system_apply(const kai_problem* p, int threads, const double* r, double* v,
                                    double* l, double* u, kai_error* err);

// Residual (problem_measure.c) -------------------------------------------------------------------

/// The nearest admissible impulse: |r_t| ≤ μ r_n.
void kai_problem_measure_project(double friction, const double r[3], double out[3]);

/// The residual of impulses and the relative velocities that they give.
double kai_problem_measure_given(const kai_problem* p, const double* r, const double* u,
                                 bool associated);

#endif
