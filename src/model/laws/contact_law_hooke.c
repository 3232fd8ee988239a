// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The kind `hooke`; law_hooke.h has the law.
#include "base/simd.h"
#include "model/laws/law_hooke.h"

typedef kai_contact_law_hooke_params params;

/// False where the stiffness follows from radius and mass, and these are not known.
static bool hooke_prepare(const void* instance, const kai_contact_coefficients* pair, double radius,
                          double mass, kai_contact_factors* out)
{
    const params* p = instance;
    const bool known = pair->kn > 0.0 || (radius > 0.0 && mass > 0.0);
    const double kn = pair->kn > 0.0 ? pair->kn
                                     : kai_law_hooke_stiffness(pair->young, radius, mass,
                                                               p->characteristic_speed);
    *out = kai_law_hooke_factors(pair, known ? kn : 0.0);
    return known;
}

static void hooke_normal(const void* instance, const kai_contact_touch* touches, size_t count,
                         double h, kai_contact_normal* out)
{
    for (size_t i = 0; i < count; i++) {
        const kai_contact_pressed s = kai_contact_pressed_of(&touches[i], h);
        kai_contact_factors f;
        hooke_prepare(instance, touches[i].pair, s.radius, s.mass, &f);
        out[i] = kai_law_hooke(f, s);
        out[i].damping = kai_law_hooke_edge(s, out[i]);
    }
}

KAI_LAW kai_contact_normal hooke_pair(const params* p, kai_contact_factors f, kai_contact_pressed s)
{
    (void)p;
    return kai_law_hooke(f, s);
}

KAI_CLONES
KAI_CONTACT_LAW_LANES(hooke_lanes, params, hooke_pair)

static const kai_param PARAMS[] = {
    KAI_PARAM(
        REAL, params, characteristic_speed, .unit = "m/s", .initial = {-1.0},
        .range = KAI_ABOVE(0.0),
        .doc =
            "Impact speed at which the stiffness from Young's modulus stores as much energy as Hertz's law; that of `contact` when absent."),
};

const kai_contact_law_kind kai_contact_law_hooke = {
    .kind = KAI_KIND(
        "hooke", params, PARAMS,
        .doc =
            "Linear spring: normal force proportional to the overlap, with stiffness kn of the materials, or from Young's modulus at a characteristic speed."),
    .normal = hooke_normal,
    .lanes = hooke_lanes,
    .prepare = hooke_prepare,
    .factor_count = KAI_LAW_HOOKE_FACTORS,
    .dashpot = true};
