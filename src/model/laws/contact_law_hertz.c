// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The kind `hertz`; law_hertz.h has the law.
#include "base/simd.h"
#include "model/laws/law_hertz.h"

static bool hertz_prepare(const void* instance, const kai_contact_coefficients* pair, double radius,
                          double mass, kai_contact_factors* out)
{
    (void)instance, (void)radius, (void)mass;
    *out = kai_law_hertz_factors(pair);
    return !(pair->gn > 0.0 || pair->gt > 0.0 || pair->kt > 0.0) && pair->shear > 0.0;
}

static void hertz_normal(const void* instance, const kai_contact_touch* touches, size_t count,
                         double h, kai_contact_normal* out)
{
    (void)instance;
    for (size_t i = 0; i < count; i++) {
        const kai_contact_coefficients* p = touches[i].pair;
        const kai_contact_pressed s = kai_contact_pressed_of(&touches[i], h);
        const kai_contact_factors f = kai_law_hertz_factors(p);
        const kai_contact_normal e = kai_law_hertz(f, s);
        const double damping = kai_law_hertz_edge(f, s, e);
        out[i] = e;
        out[i].damping = p->gn > 0.0 ? p->gn : damping;
        out[i].gt = p->gt > 0.0 ? p->gt : damping;
        out[i].kt = p->kt > 0.0 ? p->kt : e.kt;
    }
}

KAI_LAW kai_contact_normal hertz_pair(const char* instance, kai_contact_factors f,
                                      kai_contact_pressed s)
{
    (void)instance;
    return kai_law_hertz(f, s);
}

KAI_CLONES
KAI_CONTACT_LAW_LANES(hertz_lanes, char, hertz_pair)

const kai_contact_law_kind kai_contact_law_hertz = {
    .kind =
        {.name = "hertz",
         .size = sizeof(char), // an instance that nothing is in
         .doc =
             "Normal force of elastic spheres, proportional to the overlap to the power 3/2; the restitution is that of the materials at any speed."},
    .normal = hertz_normal,
    .lanes = hertz_lanes,
    .prepare = hertz_prepare,
    .factor_count = KAI_LAW_HERTZ_FACTORS,
    .dashpot = true};
