// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Hertz's push with hysteresis damping (Hunt & Crossley 1975; Flores et al. 2011):
//
//     F = K δ^(3/2) (1 + η v/v₀),   K = 4/3 E* √R
//
// v is the speed of approach and v₀ its largest value in this touch, kept in the history. Flores'
// η = 8 (1 - e) / (5 e) comes near the restitution e; the one used here, kai_penalty_pair_complete,
// solves η (1 + e) = ln((1 + η) / (1 - η e)), which is exact (Gonthier et al. 2004). The push
// starts from zero, and in a free rebound never pulls. It goes with δ^(3/2), so that its edges are
// smooth; and the lag of the velocity changes the mass alike in loading and unloading, which leaves
// the restitution: the damping needs no correction.
#ifndef MODEL_LAWS_LAW_FLORES_H
#define MODEL_LAWS_LAW_FLORES_H

#include "model/laws/law.h"

/// Below this speed of impact, m/s, a touch counts as one at rest: its damping is as good as rigid.
#define KAI_LAW_FLORES_SLOWEST 1e-12

/// The law of a pair: E*, 8 G*, η, and v₀ of the touch.
KAI_LAW kai_contact_normal kai_law_flores(double young, double shear, double hysteresis,
                                          double impact_speed, kai_contact_pressed s)
{
    const double a = sqrt(s.radius * s.overlap), force = 4.0 / 3.0 * young * a * s.overlap;
    const double slow = KAI_LAW_FLORES_SLOWEST,
                 damping = hysteresis * force / (impact_speed > slow ? impact_speed : slow);
    const kai_contact_normal out = {force, damping, shear * a, damping, 0.4 * force * s.overlap};
    return out;
}

#endif
