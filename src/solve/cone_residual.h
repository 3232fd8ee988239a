// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The residual of cone.h contact by contact, over the plain arrays of a problem: which contact a
// solution is wrong at, and what it is to be compared with. The kernels find the same maximum in
// packs (cone_kernel_loops.h).
#ifndef SOLVE_CONE_RESIDUAL_H
#define SOLVE_CONE_RESIDUAL_H

#include "solve/cone.h"

/// The residual of a contact at the velocities and impulses that the problem holds, m/s.
double kai_cone_residual(const kai_cone_problem* problem, bool associated, size_t contact);

/// The contact with the largest residual, the first of equals; `residual`: that, m/s. There must be
/// a contact.
size_t kai_cone_residual_worst(const kai_cone_problem* problem, bool associated, double* residual);

/// The fastest approach at a contact, at the velocities that the problem holds: the largest
/// -(n·u + bias), m/s; 0 where there is none. Looks no farther once it has found `enough`.
double kai_cone_residual_approach(const kai_cone_problem* problem, double enough);

#endif
