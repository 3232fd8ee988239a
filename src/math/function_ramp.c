// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// y = slope (x - start) for x ≥ start, 0 before; at the kink the right-hand derivative.
#include <kairos/function.h>

typedef kai_function_ramp_params params;

static kai_jet evaluate(const kai_function_set* set, const void* instance, double x)
{
    (void)set;
    const params* p = instance;
    if (x < p->start) return (kai_jet){0.0, 0.0, 0.0};
    return (kai_jet){p->slope * (x - p->start), p->slope, 0.0};
}

static const kai_param PARAMS[] = {
    KAI_PARAM(REAL, params, slope, .unit = "1/s", .initial = {1.0}, .doc = "Rise per second."),
    KAI_PARAM(REAL, params, start, .unit = "s", .doc = "Time at which it leaves zero."),
};

const kai_function_kind kai_function_ramp = {
    .kind = KAI_KIND("ramp", params, PARAMS, .doc = "Zero up to start, then slope · (x - start)."),
    .evaluate = evaluate};
