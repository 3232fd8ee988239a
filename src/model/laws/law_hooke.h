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
#ifndef MODEL_LAWS_LAW_HOOKE_H
#define MODEL_LAWS_LAW_HOOKE_H

#include "model/laws/law.h"

/// Factors of a pair of materials. γ = gn + damping √m, γt = gt + share · γ: what is given directly
/// stands in gn and gt, and its other part is 0.
enum {
    KAI_LAW_HOOKE_KN,
    KAI_LAW_HOOKE_KT,
    KAI_LAW_HOOKE_DAMPING, // 2 β √kn
    KAI_LAW_HOOKE_GN,
    KAI_LAW_HOOKE_GT,
    KAI_LAW_HOOKE_SHARE, // 2/7
    KAI_LAW_HOOKE_FACTORS
};

/// The stiffness of a pair whose materials give none, for impacts at `speed`.
KAI_LAW double kai_law_hooke_stiffness(double young, double radius, double mass, double speed)
{
    const double e = 16.0 / 15.0 * sqrt(radius) * young;
    return e * pow(mass * speed * speed / e, 0.2);
}

KAI_LAW kai_contact_factors kai_law_hooke_factors(const kai_contact_coefficients* pair, double kn)
{
    kai_contact_factors out = {{0.0, 0.0, 0.0, 0.0, 0.0, 0.0}};
    out.f[KAI_LAW_HOOKE_KN] = kn;
    out.f[KAI_LAW_HOOKE_KT] = pair->kt > 0.0 ? pair->kt : KAI_LAW_SHARE * kn;
    out.f[KAI_LAW_HOOKE_DAMPING] = pair->gn > 0.0 ? 0.0 : 2.0 * pair->damping_ratio * sqrt(kn);
    out.f[KAI_LAW_HOOKE_GN] = pair->gn > 0.0 ? pair->gn : 0.0;
    out.f[KAI_LAW_HOOKE_GT] = pair->gt > 0.0 ? pair->gt : 0.0;
    out.f[KAI_LAW_HOOKE_SHARE] = pair->gt > 0.0 ? 0.0 : KAI_LAW_SHARE;
    return out;
}

/// The law of a pair.
KAI_LAW kai_contact_normal kai_law_hooke(kai_contact_factors p, kai_contact_pressed s)
{
    const double force = p.f[KAI_LAW_HOOKE_KN] * s.overlap,
                 damping = p.f[KAI_LAW_HOOKE_GN] + p.f[KAI_LAW_HOOKE_DAMPING] * sqrt(s.mass);
    const kai_contact_normal out = {force, damping, p.f[KAI_LAW_HOOKE_KT],
                                    p.f[KAI_LAW_HOOKE_GT] + p.f[KAI_LAW_HOOKE_SHARE] * damping,
                                    0.5 * force * s.overlap};
    return out;
}

/// Damping in the first and last step of a contact, else as it was.
KAI_LAW double kai_law_hooke_edge(kai_contact_pressed s, kai_contact_normal e)
{
    const double distance =
        kai_law_edge_distance(s.departure, e.force, e.damping, s.h, s.h / s.mass);
    return s.overlap <= distance ? (s.overlap / distance + 0.5) * e.damping : e.damping;
}

#endif
