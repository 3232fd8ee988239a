// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The numbers of contacts in their groups (cone_pack.h).
#ifndef SOLVE_CONE_VALUES_H
#define SOLVE_CONE_VALUES_H

#include "solve/cone_pack.h"

/// Whether contacts change the velocity of a body.
static inline bool kai_cone_values_moves(const kai_cone_motion* m)
{
    return m->inverse_mass != 0.0 || m->inverse_moment != 0.0;
}

/// The inertia of a body, xx yy zz xy xz yz: 0 where it does not turn.
void kai_cone_values_inertia(const kai_cone_problem* problem, size_t body, double out[6]);

/// Fills the groups of a run, from `v` on, with what is given of the contacts `at` [8 a group;
/// UINT32_MAX: an empty lane]; the rest is left to kai_cone_kernel.prepare. `degree`: contacts of
/// bodies, for the extra rows, or NULL.
void kai_cone_values_pack(const kai_cone_problem* problem, const kai_cone_run* run,
                          const uint32_t* at, const uint64_t* degree, double* v);

/// Copies impulses and couples of a run to where the problem wants them.
void kai_cone_values_read(const kai_cone_problem* problem, const kai_cone_run* run,
                          const uint32_t* at, const double* v);

#endif
