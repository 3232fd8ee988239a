// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Attraction of surfaces in contact: a constant force, 4π γ R (Derjaguin, Muller & Toporov 1975),
// or 0.036 N/m · S² R of lunar grains with cleanliness S (Perko et al. 2001).
#ifndef MODEL_LAWS_LAW_ADHESION_H
#define MODEL_LAWS_LAW_ADHESION_H

#include "model/laws/law.h"

/// N/m: Perko's force of clean lunar grains over the effective radius.
#define KAI_LAW_ADHESION_PERKO 0.036

/// The pull is `force` + `force_by_radius` R, N.
typedef struct kai_law_adhesion_pull {
    double force, force_by_radius; // N, N/m
} kai_law_adhesion_pull;

KAI_LAW kai_law_adhesion_pull kai_law_adhesion(kai_contact_adhesion adhesion,
                                               const kai_contact_coefficients* p)
{
    kai_law_adhesion_pull out = {0.0, 0.0};
    if (adhesion == KAI_CONTACT_ADHESION_CONSTANT)
        out.force = p->adhesion > p->cohesion ? p->adhesion : p->cohesion;
    if (adhesion == KAI_CONTACT_ADHESION_DMT) out.force_by_radius = 4.0 * KAI_PI * p->adhesion;
    if (adhesion == KAI_CONTACT_ADHESION_PERKO)
        out.force_by_radius = KAI_LAW_ADHESION_PERKO * p->adhesion * p->adhesion;
    return out;
}

#endif
