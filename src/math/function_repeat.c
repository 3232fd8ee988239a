// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// y(x) = f(u), u = (x - start) modulo period, in [0, period).
#include <kairos/function.h>

typedef kai_function_repeat_params params;

static kai_jet evaluate(const kai_function_set* set, const void* instance, double x)
{
    const params* p = instance;
    double u = fmod(x - p->start, p->period);
    if (u < 0.0) u += p->period;
    if (u >= p->period) u = 0.0; // a tiny negative u was rounded up
    return kai_function_set_value(set, &p->function, u);
}

static const kai_param PARAMS[] = {
    KAI_PARAM(VALUE, params, function, .required = true,
              .doc = "The function that is repeated, taken from 0 to the period."),
    KAI_PARAM(REAL, params, period, .unit = "s", .required = true, .range = KAI_ABOVE(0.0),
              .doc = "Length of one period."),
    KAI_PARAM(REAL, params, start, .unit = "s", .doc = "Time at which a period begins."),
};

const kai_function_kind kai_function_repeat = {
    .kind = KAI_KIND("repeat", params, PARAMS, .doc = "A function repeated with a period."),
    .evaluate = evaluate};
