// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// What the laws of a pair have in common. Each law_<name>.h is one pure function of a pair, or a
// few, in C17 and in CUDA C++: the general path (contact_law_<name>.c, penalty.c) and the lanes of
// the fast path of spheres (grains_law.h) compile the same ones. They choose instead of branching,
// so that loops over them vectorise; what is not chosen may be NaN. docs/contact-laws.md has the
// formulas with their sources.
//
// Discrete time. `euler` evaluates forces at the middle of a step with the velocity before it, so
// that velocities lag by h/2. Two corrections make the error of restitution ten times smaller
// without touching contacts at rest:
// - lag: -g v(t - h/2) = -g v + g h/2 · a, which takes g h/2 from the mass. The damping that has
//   the damping ratio of g then is g (√(1 + z²) - z), z = g h / (4 m).
// - edges: a contact begins and ends somewhere between two middles. In the first and last step of a
//   contact damping acts for the time τ + h/2 instead of h, where τ = overlap / speed < h.
#ifndef MODEL_LAWS_LAW_H
#define MODEL_LAWS_LAW_H

#include <kairos/contact_law.h>
#include <kairos/math.h>

#define KAI_LAW KAI_CONTACT_INLINE

// The library is compiled with -fopenmp-simd.
#undef KAI_CONTACT_SIMD
#define KAI_CONTACT_SIMD _Pragma("omp simd")

/// Spheres: share of the mass that a tangential force meets at the point of contact.
#define KAI_LAW_SHARE (2.0 / 7.0)

/// The most damping in a step of h, over mass/h: see kai_law_cap.
#define KAI_LAW_MOST 0.25

/// fmax is a call into the library where NaN counts.
KAI_LAW double kai_law_positive(double x) { return x > 0.0 ? x : 0.0; }

/// The distance that the surfaces move in the first or last step of a contact, m; negative where
/// they stay together. Approaching, it follows from the velocity before the step; departing, from
/// that after it, for which the force is estimated. h_m is h / mass.
KAI_LAW double kai_law_edge_distance(double departure, double force, double damping, double h,
                                     double h_m)
{
    const double after = departure + h_m * (force - damping * departure);
    return h * (departure > 0.0 ? after : -departure);
}

/// Damping to use in place of g when the velocity lags by half a step: z = g h / (4 m), and root is
/// √(1 + z²).
KAI_LAW double kai_law_lagged(double g, double z, double root) { return g * (root - z); }

/// The same with the root from the processor.
KAI_LAW double kai_law_lag(double g, double h, double mass)
{
    const double z = 0.25 * g * h / mass;
    return kai_law_lagged(g, z, sqrt(1.0 + z * z));
}

/// √(1 + x) for 0 ≤ x ≤ 1, to rounding: a polynomial for 1/√(1 + x) good to 1.4e-5, a Newton step
/// for it (3e-10), one for the root. In lanes: square roots and divisions decide the time there.
KAI_LAW double kai_law_root(double x)
{
    const double a = 1.0 + x;
    double y = 0.127591948 + x * -0.0306771854;
    y = -0.253684296 + x * y;
    y = 0.362910052 + x * y;
    y = -0.499027411 + x * y;
    y = 0.99998666 + x * y;
    y = y + 0.5 * y * (1.0 - a * y * y);
    const double s = a * y;
    return s + 0.5 * y * (a - s * s);
}

/// Damping that does not turn velocities around by itself within a step, not even those of a sphere
/// that touches twelve others, which feel it some five times. `most` is KAI_LAW_MOST · mass / h.
KAI_LAW double kai_law_cap(double g, double most) { return g < most ? g : most; }

#endif
