// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "base/check.h"

#include <kairos/kind.h>

/// The integral from a to b over one straight piece: exact by the mean of its ends.
static double piece(const kai_curve* curve, double a, double b)
{
    return 0.5 * (b - a) * (kai_curve_at(curve, a, NULL) + kai_curve_at(curve, b, NULL));
}

double kai_curve_integral(const kai_curve* curve, double x)
{
    KAI_GIVEN_OR(0.0, curve);
    if (curve->points.rows < 2) return 0.5 * curve->slope * x * x;
    // From the lower end to the upper one, cut at the points between.
    const double low = fmin(0.0, x), high = fmax(0.0, x);
    double sum = 0.0, from = low;
    for (uint32_t i = 0; i < curve->points.rows; i++) {
        const double at = curve->points.data[2 * i];
        if (at <= from || at >= high) continue;
        sum += piece(curve, from, at);
        from = at;
    }
    sum += piece(curve, from, high);
    return x < 0.0 ? -sum : sum;
}
