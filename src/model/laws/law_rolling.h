// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Resistance of an arm's length against rolling or spinning: a torsion spring, dashpot and slider,
// at most arm · push (the elastic-plastic spring and dashpot of Ai et al. 2011). A ball comes to
// rest and stays there:
//
//     k = 2.25 F/δ · min(arm, R)²,   c = √(k m R²)
//
// The spring is no stiffer than an arm of the effective radius makes it, so that steps that are
// safe for the push are safe for it.
#ifndef MODEL_LAWS_LAW_ROLLING_H
#define MODEL_LAWS_LAW_ROLLING_H

#include "model/laws/law_tangential.h"

/// Damping ratio of rolling and spinning: comes to rest within a vibration or two.
#define KAI_LAW_ROLLING_DAMPING 0.5
/// Rolling stiffness over kn arm² (Ai et al. 2011).
#define KAI_LAW_ROLLING_STIFFNESS 2.25

/// The couple that resists a turn by `angle` at `rate`; `secant` is the push over the overlap, and
/// `lag` the step that damping is capped for: h, or 0 where velocities do not lag.
KAI_LAW kai_law_tangential_answer kai_law_rolling(kai_vec3 angle, kai_vec3 rate, double secant,
                                                  double radius, double mass, double arm,
                                                  double push, double lag, double h)
{
    const double lever = arm < radius ? arm : radius, inertia = mass * radius * radius;
    const double k = KAI_LAW_ROLLING_STIFFNESS * secant * lever * lever;
    const double g = kai_law_cap(2.0 * KAI_LAW_ROLLING_DAMPING * sqrt(k * inertia),
                                 KAI_LAW_MOST * inertia / lag);
    return kai_law_tangential(angle, rate, k, g, arm * push, arm * push, kai_vec3_norm2(angle), h,
                              1.0 / h);
}

#endif
