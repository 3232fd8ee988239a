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
    {.name = "function",
     .type = KAI_PARAM_VALUE,
     .offset = offsetof(params, function),
     .required = true,
     .doc = "What is repeated, taken from 0 to the period."},
    {.name = "period",
     .type = KAI_PARAM_REAL,
     .offset = offsetof(params, period),
     .unit = "s",
     .required = true,
     .range = KAI_ABOVE(0.0),
     .doc = "Length of one round."},
    {.name = "start",
     .type = KAI_PARAM_REAL,
     .offset = offsetof(params, start),
     .unit = "s",
     .doc = "Where a round begins."},
};

const kai_function_kind kai_function_repeat = {.kind = {.name = "repeat",
                                                        .doc = "A function repeated with a period.",
                                                        .size = sizeof(params),
                                                        .params = PARAMS,
                                                        .param_count = KAI_COUNT(PARAMS)},
                                               .evaluate = evaluate};
