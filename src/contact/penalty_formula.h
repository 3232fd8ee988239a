// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The formulas of the penalty method for one touch, inline: the general path and the fast path of
// spheres compile the same ones. They choose instead of branching, so that loops over them
// vectorise; what is not chosen may be NaN. docs/contact-laws.md has them with their sources.
//
// Discrete time. `euler` evaluates forces at the middle of a step with the velocity before it, so
// that velocities lag by h/2. Two corrections make the error of restitution ten times smaller
// without touching contacts at rest:
// - lag: -g v(t - h/2) = -g v + g h/2 · a, which takes g h/2 from the mass. The damping that has
//   the damping ratio of g then is g (√(1 + s²) - s), s = g h / (4 m).
// - edges: a contact begins and ends somewhere between two middles. In the first and last step of a
//   contact damping acts for the time τ + h/2 instead of h, where τ = overlap / speed < h.
#ifndef CONTACT_PENALTY_FORMULA_H
#define CONTACT_PENALTY_FORMULA_H

#include "base/simd.h"

#include <kairos/math.h>

/// Spheres: share of the mass that a tangential force meets at the point of contact.
#define KAI_PENALTY_SHARE (2.0 / 7.0)

/// The most damping in a step of h, over mass/h: see kai_penalty_cap.
#define KAI_PENALTY_MOST 0.25

/// Speed of approach or departure that decides whether this is the first or last step of a contact:
/// approaching, that of the step before; departing, that after it, for which the force is
/// estimated.
KAI_INLINE double kai_penalty_edge_speed(double departure, double force, double damping, double h,
                                         double mass)
{
    const double after = departure + h * (force - damping * departure) / mass;
    return departure > 0.0 ? after : -departure;
}

/// Damping to use in place of g when the velocity lags by half a step of h.
KAI_INLINE double kai_penalty_lag(double g, double h, double mass)
{
    const double s = 0.25 * g * h / mass;
    return g * (sqrt(1.0 + s * s) - s);
}

/// Damping that does not turn velocities around by itself within a step, not even those of a sphere
/// that touches twelve others, which feel it some five times.
KAI_INLINE double kai_penalty_cap(double g, double h, double mass)
{
    const double most = KAI_PENALTY_MOST * mass / h;
    return g < most ? g : most;
}

/// Hertz: what does not depend on the touch.
typedef struct kai_penalty_hertz_factors {
    double push;    ///< 4/3 E*
    double shear;   ///< 8 G*
    double damping; ///< 2 √(5/6) β √(2 E*)
} kai_penalty_hertz_factors;

/// Push, tangential stiffness and damping of Hertz and Mindlin.
typedef struct kai_penalty_hertz {
    double force, damping, kt;
} kai_penalty_hertz;

KAI_INLINE kai_penalty_hertz_factors kai_penalty_hertz_prepare(double young, double shear,
                                                               double damping_ratio)
{
    return (kai_penalty_hertz_factors){.push = 4.0 / 3.0 * young,
                                       .shear = 8.0 * shear,
                                       .damping = 2.0 * sqrt(5.0 / 6.0) * damping_ratio *
                                                  sqrt(2.0 * young)};
}

/// Push 4/3 E* √R δ^(3/2), damping 2 √(5/6) β √(S m) with S = 2 E* √(R δ), stiffness 8 G* √(R δ).
/// `departure` is the speed at which the bodies part. The damping is the mean over the time that
/// the touch is there: at the edges 4/5 (τ/h + 1/2) of that at the far end of the step, since
/// damping goes with δ^(1/4).
KAI_INLINE kai_penalty_hertz kai_penalty_hertz_at(kai_penalty_hertz_factors f, double radius,
                                                  double mass, double overlap, double departure,
                                                  double h)
{
    const double a = sqrt(radius * overlap), force = f.push * a * overlap;
    const double inner = f.damping * sqrt(a * mass);
    const double way = h * kai_penalty_edge_speed(departure, force, inner, h, mass);
    const double edge =
        0.8 * (overlap / way + 0.5) * f.damping * sqrt(sqrt(radius * (overlap + 0.5 * way)) * mass);
    const double damping = overlap <= way ? edge : inner;
    return (kai_penalty_hertz){.force = force, .damping = damping, .kt = f.shear * a};
}

/// Damping of Hooke's law, constant over the contact.
KAI_INLINE double kai_penalty_hooke_damping(double damping, double force, double mass,
                                            double overlap, double departure, double h)
{
    const double way = h * kai_penalty_edge_speed(departure, force, damping, h, mass);
    return overlap <= way ? (overlap / way + 0.5) * damping : damping;
}

/// Turns a displacement into the plane of the present normal, keeping its length.
KAI_INLINE kai_vec3 kai_penalty_carry(kai_vec3 u, kai_vec3 normal)
{
    const kai_vec3 t = kai_vec3_mul_add(u, normal, -kai_vec3_dot(u, normal));
    const double before = kai_vec3_norm2(u), after = kai_vec3_norm2(t);
    return after > 0.0 ? kai_vec3_scale(t, sqrt(before / after)) : t;
}

/// A spring k beside a dashpot g, both in line with a slider, over a step of h. `u` is the spring's
/// displacement, before and after; `v` is the rate of the whole. Returns the resistance k u + g
/// du/dt, which is `slide` when it would be more than `stick` (or than `slide`, where it slides
/// already). The slider then takes what is left of v, and the spring goes on towards slide/k.
KAI_INLINE kai_vec3 kai_penalty_resist(kai_vec3* u, double* slipping, kai_vec3 v, double k,
                                       double g, double stick, double slide, double h)
{
    const kai_vec3 spring = kai_vec3_scale(*u, k), trial = kai_vec3_mul_add(spring, v, g + k * h);
    const double size2 = kai_vec3_norm2(trial), limit = *slipping > 0.0 ? slide : stick;
    const bool slips = !(size2 <= limit * limit);
    const double share = slips ? slide / sqrt(size2) : 1.0, rate = slips ? h / (g + k * h) : h;
    const kai_vec3 kept = kai_vec3_scale(trial, share);
    *u = kai_vec3_mul_add(*u, slips ? kai_vec3_sub(kept, spring) : v, rate);
    *slipping = slips ? 1.0 : 0.0;
    return kept;
}

#endif
