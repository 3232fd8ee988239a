// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Hertz's push (1882) with the damping of Tsuji (1992), whose coefficient Antypov & Elliott (2011)
// found in closed form, and Mindlin's (1949) tangential stiffness:
//
//     F = 4/3 E* √R δ^(3/2),   S = dF/dδ = 2 E* √(R δ),   γ = 2 √(5/6) β √(S m),   kt = 8 G* √(R δ)
//
// The restitution is exp(-π β / √(1 - β²)) at any speed when the dashpot may pull at the end of a
// contact, and only then.
#ifndef MODEL_LAWS_LAW_HERTZ_H
#define MODEL_LAWS_LAW_HERTZ_H

#include "model/laws/law.h"

/// Factors of a pair of materials: 4/3 E*, 8 G*, 2 √(5/6) β √(2 E*).
enum { KAI_LAW_HERTZ_PUSH, KAI_LAW_HERTZ_SHEAR, KAI_LAW_HERTZ_DAMPING, KAI_LAW_HERTZ_FACTORS };

KAI_LAW kai_contact_factors kai_law_hertz_factors(const kai_contact_coefficients* pair)
{
    kai_contact_factors out = {{0.0, 0.0, 0.0, 0.0, 0.0, 0.0}};
    out.f[KAI_LAW_HERTZ_PUSH] = 4.0 / 3.0 * pair->young;
    out.f[KAI_LAW_HERTZ_SHEAR] = 8.0 * pair->shear;
    out.f[KAI_LAW_HERTZ_DAMPING] =
        2.0 * sqrt(5.0 / 6.0) * pair->damping_ratio * sqrt(2.0 * pair->young);
    return out;
}

/// The damping at an overlap.
KAI_LAW double kai_law_hertz_damping(kai_contact_factors p, double overlap, double radius,
                                     double mass)
{
    return p.f[KAI_LAW_HERTZ_DAMPING] * sqrt(mass) * sqrt(sqrt(radius * overlap));
}

/// The law of a pair.
KAI_LAW kai_contact_normal kai_law_hertz(kai_contact_factors p, kai_contact_pressed s)
{
    const double a = sqrt(s.radius * s.overlap), force = p.f[KAI_LAW_HERTZ_PUSH] * a * s.overlap;
    const double damping = p.f[KAI_LAW_HERTZ_DAMPING] * sqrt(s.mass) * sqrt(a);
    const kai_contact_normal out = {force, damping, p.f[KAI_LAW_HERTZ_SHEAR] * a, damping,
                                    0.4 * force * s.overlap};
    return out;
}

/// Damping in the first and last step of a contact, else as it was: 4/5 (τ/h + 1/2) of that at the
/// far end of the step, since damping goes with δ^(1/4).
KAI_LAW double kai_law_hertz_edge(kai_contact_factors p, kai_contact_pressed s,
                                  kai_contact_normal e)
{
    const double distance =
        kai_law_edge_distance(s.departure, e.force, e.damping, s.h, s.h / s.mass);
    const double edge = 0.8 * (s.overlap / distance + 0.5) *
                        kai_law_hertz_damping(p, s.overlap + 0.5 * distance, s.radius, s.mass);
    return s.overlap <= distance ? edge : e.damping;
}

#endif
