// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The impact of two bodies at one point, with friction: how fast the surfaces part.
//
// Newton's law, u_n' = -e u_n, makes energy where friction stops or turns the slip: the bodies part
// with a speed that friction helped to stop (Kane and Levinson 1985). Poisson's law takes the impulse
// instead: with γ_n⁰ that of the inelastic impact,
//
//     γ_n = (1 + e) γ_n⁰,   γ_t by Coulomb's law at the velocity after the impact
//
// Energy. Let G be the response of u to impulses, u⁰ the velocity after the inelastic impact γ⁰.
// γ_t is the point of the disc |γ_t| ≤ μ γ_n with the least ½ γ·Gγ + γ·u, the energy gained, at this
// γ_n; (1 + e) γ_t⁰ is in the disc too. So the gain is at most that of (1 + e) γ⁰:
//
//     (1 + e) γ_t⁰·u_t⁰ - ½ (1 + e) (1 - e) γ⁰·Gγ⁰ ≤ 0
//
// Where the slip keeps its direction, where nothing slips before and after, where the impact is
// frictionless, and where G does not couple n with the surface (balls), both laws are one.
#ifndef STEP_IMPACT_H
#define STEP_IMPACT_H

#include <kairos/math.h>

/// An impact at a point between two bodies that nothing else holds.
typedef struct kai_impact {
    kai_mat33 response; // of the relative velocity to an impulse on b and its opposite on a, 1/kg
    kai_vec3 normal;    // unit, from a to b
    kai_vec3 velocity;  // of b less that of a, before; towards each other along the normal
    double friction, restitution;
} kai_impact;

/// The impulse on b by Poisson's law, N s.
kai_vec3 kai_impact_poisson(const kai_impact* impact);

/// Whether impulses along the normal leave the velocity along the surface as it is, and the other
/// way round.
bool kai_impact_is_direct(const kai_impact* impact);

#endif
