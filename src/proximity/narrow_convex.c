// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Any two convex cores: GJK while they are apart, then separating axes for small polytopes and EPA
// for the rest.
#include "proximity/epa.h"
#include "proximity/gjk.h"
#include "proximity/narrow_pair.h"

static bool small(const kai_geometry* g)
{
    return g->type == KAI_CONVEX_POINT || g->type == KAI_CONVEX_SEGMENT ||
           g->type == KAI_CONVEX_BOX || g->type == KAI_CONVEX_TRIANGLE;
}

void kai_narrow_convex(const kai_narrow_pair* p, kai_narrow_witness* out)
{
    kai_gjk_simplex simplex;
    kai_narrow_hint hint = {0, 0};
    if (kai_gjk_distance(p, &simplex, &hint, out, NULL) != KAI_GJK_OVERLAP) return;
    if (small(p->a) && small(p->b))
        kai_narrow_sat(p, out);
    else
        kai_epa_depth(p, &simplex, &hint, out, NULL);
}
