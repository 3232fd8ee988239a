// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The numbers of one contact in its group (cone_pack.h).
#ifndef SOLVE_CONE_VALUES_H
#define SOLVE_CONE_VALUES_H

#include "solve/cone_pack.h"

/// Whether contacts change the velocity of a body.
static inline bool kai_cone_values_moves(const kai_cone_motion* m)
{
    return m->inverse_mass != 0.0 || m->inverse_moment != 0.0;
}

/// Fills a lane with what is given, the rest is left to kai_cone_kernel.prepare: v points to its
/// first row, index to its place there. Contact UINT32_MAX leaves it empty. `degree`: contacts of
/// bodies, for the extra rows, or NULL.
void kai_cone_values_pack(const kai_cone_problem* problem, uint32_t contact,
                          const kai_cone_run* run, const uint64_t* degree, double* v,
                          uint32_t* index);

#endif
