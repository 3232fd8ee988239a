// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// y = from + (to - from) s(u), u = (x - at) / duration, with the quintic s = u³ (10 - 15 u + 6 u²)
// whose first and second derivatives vanish at both ends, so that y is twice continuously
// differentiable. duration = 0 is a jump.
#include <kairos/function.h>

typedef kai_function_step_params params;

static kai_jet evaluate(const kai_function_set* set, const void* instance, double x)
{
    (void)set;
    const params* p = instance;
    if (x < p->at) return (kai_jet){p->from, 0.0, 0.0};
    if (x >= p->at + p->duration) return (kai_jet){p->to, 0.0, 0.0};
    const double u = (x - p->at) / p->duration, rise = p->to - p->from, d = 1.0 / p->duration;
    return (kai_jet){p->from + rise * u * u * u * (10.0 + u * (-15.0 + 6.0 * u)),
                     rise * d * 30.0 * u * u * (1.0 + u * (-2.0 + u)),
                     rise * d * d * 60.0 * u * (1.0 + u * (-3.0 + 2.0 * u))};
}

static const kai_param PARAMS[] = {
    KAI_PARAM(REAL, params, from, .doc = "Value before."),
    KAI_PARAM(REAL, params, to, .initial = {1.0}, .doc = "Value after."),
    KAI_PARAM(REAL, params, at, .unit = "s", .doc = "Time at which the change begins."),
    KAI_PARAM(REAL, params, duration, .unit = "s", .initial = {1.0}, .range = KAI_AT_LEAST(0.0),
              .doc = "How long it takes; 0 is a jump."),
};

const kai_function_kind kai_function_step = {
    .kind = KAI_KIND("step", params, PARAMS,
                     .doc = "A smooth change from one value to another (quintic, C2)."),
    .evaluate = evaluate};
