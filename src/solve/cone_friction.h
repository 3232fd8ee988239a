// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The friction cone K of one contact (cone.h): its nearest point, and how that point moves.
//
// Impulse and couple of a contact are six numbers, the couple in units of L; so are velocity and L
// times the relative spin.
#ifndef SOLVE_CONE_FRICTION_H
#define SOLVE_CONE_FRICTION_H

#include "solve/cone.h"

/// Velocity and spin, or impulse and couple.
typedef struct kai_cone_pair {
    kai_vec3 f, k;
} kai_cone_pair;

/// A cone.
typedef struct kai_cone_friction {
    kai_vec3 normal;
    double limit[3]; // per normal part: of force across it, of the couples about and across it
    bool couples;    // else limit[1] and limit[2] are not looked at, and couples are zero
} kai_cone_friction;

static inline kai_cone_pair kai_cone_pair_mix(kai_cone_pair a, double s, kai_cone_pair b, double t)
{
    return (kai_cone_pair){kai_vec3_add(kai_vec3_scale(a.f, s), kai_vec3_scale(b.f, t)),
                           kai_vec3_add(kai_vec3_scale(a.k, s), kai_vec3_scale(b.k, t))};
}

static inline double kai_cone_pair_norm2(kai_cone_pair a)
{
    return kai_vec3_norm2(a.f) + kai_vec3_norm2(a.k);
}

/// The cone of a contact with couples in units of `length`; 0: it has none.
kai_cone_friction kai_cone_friction_of(const kai_cone_contact* contact, double length, bool smooth);

/// The point of the cone at which |γ - p|² + stiff γ_n² is least, stiff ≥ 0. `slope`, unless it is
/// NULL: its derivative, symmetric, between 0 and 1: [9], or [36] with couples, force before couple,
/// world frame.
kai_cone_pair kai_cone_friction_nearest(const kai_cone_friction* cone, kai_cone_pair p,
                                        double stiff, double* slope);

/// Whether a contact slips, and how its shift changes with its velocity then: in those parts whose
/// impulse is at its limit, and which move faster than `still`.
bool kai_cone_friction_lean(const kai_cone_friction* cone, kai_cone_pair impulse, kai_cone_pair u,
                            double still, kai_cone_pair* lean);

/// What De Saxcé and Feng add to the normal velocity: μ |u_t| + …
double kai_cone_friction_shift(const kai_cone_friction* cone, kai_cone_pair u);

#endif
