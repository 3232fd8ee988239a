// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// A linear spring and dashpot (Cundall & Strack 1979):
//
//     F = kn δ,   γ = 2 β √(kn m),   kt = 2/7 kn,   γt = 2/7 γ
//
// kn is given with the materials, or stores at the deepest point of an impact with the
// characteristic speed V what Hertz would: kn = 16/15 √R E* (15 m V² / (16 √R E*))^(1/5). With 2/7
// spheres vibrate tangentially as fast, and with the same damping ratio, as along the normal.
#include "contact/penalty_formula.h"

#include <kairos/contact_law.h>

typedef kai_contact_law_hooke_params params;

static double stiffness_of(const params* p, const kai_contact_coefficients* pair, double radius,
                           double mass)
{
    if (pair->kn > 0.0) return pair->kn;
    const double e = 16.0 / 15.0 * sqrt(radius) * pair->young, v = p->characteristic_speed;
    return e * pow(mass * v * v / e, 0.2);
}

static void normal(const void* instance, const kai_contact_touch* touches, size_t count, double h,
                   kai_contact_normal* out)
{
    for (size_t i = 0; i < count; i++) {
        const kai_contact_touch* t = &touches[i];
        const kai_contact_coefficients* p = t->pair;
        const double k = stiffness_of(instance, p, t->radius, t->mass), force = k * t->overlap;
        const double g = p->gn > 0.0 ? p->gn : 2.0 * p->damping_ratio * sqrt(k * t->mass);
        const double departure = kai_vec3_dot(t->velocity, t->normal);
        const double gn = kai_penalty_hooke_damping(g, force, t->mass, t->overlap, departure, h),
                     gt = p->gt > 0.0 ? p->gt : KAI_PENALTY_SHARE * g;
        out[i] = (kai_contact_normal){.force = force,
                                      .damping = kai_penalty_lag(gn, h, t->mass),
                                      .kt = p->kt > 0.0 ? p->kt : KAI_PENALTY_SHARE * k,
                                      .gt = kai_penalty_lag(gt, h, KAI_PENALTY_SHARE * t->mass),
                                      .energy = 0.5 * force * t->overlap};
    }
}

static const kai_param PARAMS[] = {
    KAI_PARAM(
        REAL, params, characteristic_speed, .unit = "m/s", .initial = {1.0},
        .range = KAI_ABOVE(0.0),
        .doc =
            "Speed of impact at which a stiffness from Young's modulus stores the energy that Hertz "
            "would."),
};

const kai_contact_law_kind kai_contact_law_hooke = {
    .kind =
        KAI_KIND("hooke", params, PARAMS,
                 .doc = "Push in proportion to the overlap: kn of the materials, or from Young's "
                        "modulus at a characteristic speed."),
    .normal = normal};
