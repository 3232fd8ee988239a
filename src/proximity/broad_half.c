// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "proximity/broad_half.h"

static bool is_empty(const kai_broad_region* region)
{
    return !(region->low[0] <= region->high[0]);
}

/// The largest n · x over the region, and the sum of |terms| that rounding acts on.
static double most_over(const kai_broad_region* region, kai_vec3 n, double* terms)
{
    const double c[3] = {n.x, n.y, n.z};
    double most = 0.0;
    for (int k = 0; k < 3; k++) {
        if (c[k] == 0.0) continue;
        most += c[k] * (c[k] > 0.0 ? region->high[k] : region->low[k]);
        *terms += fabs(c[k]) * fmax(fabs(region->low[k]), fabs(region->high[k]));
    }
    return most;
}

bool kai_broad_half_is_finite(const kai_broad_half* half)
{
    return kai_vec3_is_finite(half->normal) && isfinite(half->offset);
}

void kai_broad_half_grow(kai_broad_half* half, const kai_broad_region* region, double skin)
{
    double terms = fabs(half->offset);
    if (!is_empty(region)) most_over(region, half->normal, &terms);
    half->offset += skin + 0x1p-48 * terms;
}

bool kai_broad_half_holds(const kai_broad_half* grown, const kai_broad_half* half,
                          const kai_broad_region* region)
{
    if (!kai_broad_half_is_finite(half)) return false;
    if (is_empty(region)) return true;
    double terms = 0.0;
    const double turned = most_over(region, kai_vec3_sub(grown->normal, half->normal), &terms);
    return half->offset + turned + 0x1p-50 * terms <= grown->offset;
}
