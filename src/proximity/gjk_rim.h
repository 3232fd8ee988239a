// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Leaps for GJK on cylinders. On a rim the simplex creeps: 20 to 70 steps to 1e-12. But after a few
// steps its corners tell the features that are nearest: vertices of a polytope, a rim, or the side
// of a cylinder (corners on both rims). The nearest points of these features,
//
//     min over θ of | P (b(θ_b) - a(θ_a)) |²
//
// with P the projection across edges, faces and sides, are found by Newton's method in one angle or
// two. Their corners make a new simplex, and GJK goes on from there: usually it is done. It decides
// by its own rules, so that a leap can help, but not harm.
#ifndef PROXIMITY_GJK_RIM_H
#define PROXIMITY_GJK_RIM_H

#include "proximity/gjk.h"

/// Whether leaps are possible: a cylinder against a polytope or another cylinder.
bool kai_gjk_rim_offers(const kai_narrow_pair* pair);

/// Makes a simplex of the features that `simplex` is about. False: there is none.
bool kai_gjk_rim_leap(const kai_narrow_pair* pair, const kai_gjk_simplex* simplex,
                      kai_gjk_simplex* out);

#endif
