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
#include "contact/penalty_formula.h"

#include <kairos/contact_law.h>

static void normal(const void* instance, const kai_contact_touch* touches, size_t count, double h,
                   kai_contact_normal* out)
{
    (void)instance;
    for (size_t i = 0; i < count; i++) {
        const kai_contact_touch* t = &touches[i];
        const kai_contact_coefficients* p = t->pair;
        const double departure = kai_vec3_dot(t->velocity, t->normal);
        const kai_penalty_hertz_factors f =
            kai_penalty_hertz_prepare(p->young, p->shear, p->damping_ratio);
        const kai_penalty_hertz e =
            kai_penalty_hertz_at(f, t->radius, t->mass, t->overlap, departure, h);
        const double gn = p->gn > 0.0 ? p->gn : e.damping, gt = p->gt > 0.0 ? p->gt : e.damping;
        out[i] = (kai_contact_normal){.force = e.force,
                                      .damping = kai_penalty_lag(gn, h, t->mass),
                                      .kt = p->kt > 0.0 ? p->kt : e.kt,
                                      .gt = kai_penalty_lag(gt, h, KAI_PENALTY_SHARE * t->mass),
                                      .energy = 0.4 * e.force * t->overlap};
    }
}

const kai_contact_law_kind kai_contact_law_hertz = {
    .kind = {.name = "hertz",
             .doc =
                 "Push of elastic spheres, with the power 3/2 of the overlap; the restitution is "
                 "that of the materials at any speed."},
    .normal = normal};
