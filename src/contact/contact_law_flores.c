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
// starts from zero, and in a free rebound never pulls.
#include "contact/penalty_formula.h"

#include <kairos/contact_law.h>

// Below this speed of impact, m/s, a touch counts as one at rest: its damping is as good as rigid.
static const double SLOWEST = 1e-12;

static void normal(const void* instance, const kai_contact_touch* touches, size_t count, double h,
                   kai_contact_normal* out)
{
    (void)instance;
    // The push goes with δ^(3/2), so that its edges are smooth; and the lag of the velocity changes
    // the mass alike in loading and unloading, which leaves the restitution.
    (void)h;
    for (size_t i = 0; i < count; i++) {
        const kai_contact_touch* t = &touches[i];
        const kai_contact_coefficients* p = t->pair;
        const double a = sqrt(t->radius * t->overlap),
                     force = 4.0 / 3.0 * p->young * a * t->overlap;
        double* speed = &t->history->impact_speed;
        *speed = fmax(*speed, -kai_vec3_dot(t->velocity, t->normal));
        const double g = p->gn > 0.0 ? p->gn : p->hysteresis * force / fmax(*speed, SLOWEST);
        out[i] = (kai_contact_normal){.force = force,
                                      .damping = g,
                                      .kt = p->kt > 0.0 ? p->kt : 8.0 * p->shear * a,
                                      .gt = p->gt > 0.0 ? p->gt : g,
                                      .energy = 0.4 * force * t->overlap};
    }
}

const kai_contact_law_kind kai_contact_law_flores = {
    .kind = {.name = "flores",
             .doc = "Hertz's push with damping that follows it (hysteresis) and never pulls; needs "
                    "short steps where the restitution is small."},
    .normal = normal,
    .no_pull = true};
