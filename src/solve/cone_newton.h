// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#ifndef SOLVE_CONE_NEWTON_H
#define SOLVE_CONE_NEWTON_H

#include "solve/cone_matrix.h"

/// Workspace of the method. What is in it is the business of cone_newton*.c.
typedef struct kai_cone_newton {
    kai_cone_matrix matrix;
    kai_array points, bars; // contacts and rows at work
    kai_array vectors;      // double: unknowns
    kai_array basis;        // double: gmres over contacts that slip
} kai_cone_newton;

/// An empty workspace; allocates nothing.
void kai_cone_newton_init(kai_cone_newton* newton, kai_memory* memory);
void kai_cone_newton_free(kai_cone_newton* newton);

/// Solves as kai_cone_solve does.
kai_result kai_cone_newton_solve(kai_cone_newton* newton, const kai_cone_problem* problem,
                                 const kai_cone_options* options, kai_cone_result* result,
                                 kai_error* err);

#endif
