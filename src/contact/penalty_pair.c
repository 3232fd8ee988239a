// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Coefficients of a pair of materials.
#include "base/error.h"
#include "contact/penalty.h"

// η grows as 1/e: less restitution than this is not asked of hysteresis damping.
static const double LEAST_RESTITUTION = 5e-4;

/// β of a dashpot whose restitution is e = exp(-π β / √(1 - β²)).
static double damping_ratio(double e)
{
    if (e <= 0.0) return 1.0;
    const double l = log(e);
    return -l / sqrt(l * l + KAI_PI * KAI_PI);
}

/// The root η in (0, 1/e) of ln(1 + η) - ln(1 - η e) = η (1 + e). The difference is negative below
/// it and positive above: halving finds it, whatever e.
static double hysteresis(double e)
{
    if (e >= 1.0) return 0.0;
    e = fmax(e, LEAST_RESTITUTION);
    double low = 0.0, high = 1.0 / e;
    // Near e = 1 the differences cancel; the series gives η to (1 - e)².
    if (e > 0.9999) return 1.5 * (1.0 - e * e) / (1.0 + e * e * e);
    for (int i = 0; i < 80; i++) {
        const double x = 0.5 * (low + high);
        if (log1p(x) - log1p(-x * e) > x * (1.0 + e))
            high = x;
        else
            low = x;
    }
    return low;
}

void kai_penalty_pair_complete(kai_contact_coefficients* pair)
{
    pair->damping_ratio = damping_ratio(pair->restitution);
    pair->hysteresis = hysteresis(pair->restitution);
    pair->static_friction = fmax(pair->static_friction, pair->friction);
}

/// The mean of both, or the one that is given (not 0).
static double mean(double a, double b)
{
    if (a > 0.0 && b > 0.0) return 0.5 * (a + b);
    return a > 0.0 ? a : b;
}

static double sticking(const kai_material_def* m)
{
    return m->static_friction < 0.0 ? m->friction : m->static_friction;
}

kai_result kai_penalty_pair_combine(const kai_material_def* a, const kai_material_def* b,
                                    kai_contact_coefficients* out, kai_error* err)
{
    KAI_TRY(kai_kind_check(&kai_material_kind, a, err));
    KAI_TRY(kai_kind_check(&kai_material_kind, b, err));
    const double ga = a->young / (2.0 * (1.0 + a->poisson)),
                 gb = b->young / (2.0 * (1.0 + b->poisson));
    *out = (kai_contact_coefficients){
        .young = 1.0 / ((1.0 - a->poisson * a->poisson) / a->young +
                        (1.0 - b->poisson * b->poisson) / b->young),
        .shear = 1.0 / ((2.0 - a->poisson) / ga + (2.0 - b->poisson) / gb),
        .restitution = fmin(a->restitution, b->restitution),
        .kn = mean(a->kn, b->kn),
        .kt = mean(a->kt, b->kt),
        .gn = mean(a->gn, b->gn),
        .gt = mean(a->gt, b->gt),
        .friction = fmin(a->friction, b->friction),
        .static_friction = fmin(sticking(a), sticking(b)),
        .rolling_friction = fmin(a->rolling_friction, b->rolling_friction),
        .spinning_friction = fmin(a->spinning_friction, b->spinning_friction),
        .cohesion = fmin(a->cohesion, b->cohesion),
        .adhesion = fmin(a->adhesion, b->adhesion)};
    kai_penalty_pair_complete(out);
    return KAI_OK;
}
