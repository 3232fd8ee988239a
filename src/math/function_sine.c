// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// y = A sin(2π f x + φ) + c
#include <kairos/function.h>

typedef kai_function_sine_params params;

static const double TWO_PI = 6.283185307179586476925286766559;

static kai_jet evaluate(const kai_function_set* set, const void* instance, double x)
{
    (void)set;
    const params* p = instance;
    const double w = TWO_PI * p->frequency;
    const double s = sin(w * x + p->phase), c = cos(w * x + p->phase);
    return (kai_jet){p->offset + p->amplitude * s, p->amplitude * w * c, -p->amplitude * w * w * s};
}

static const kai_param PARAMS[] = {
    KAI_PARAM(REAL, params, amplitude, .initial = {1.0},
              .doc = "Half the difference of the largest and smallest value."),
    KAI_PARAM(REAL, params, frequency, .unit = "Hz", .initial = {1.0},
              .doc = "Periods per second."),
    KAI_PARAM(REAL, params, phase, .unit = "rad", .doc = "Phase angle at x = 0."),
    KAI_PARAM(REAL, params, offset, .doc = "Mean value."),
};

const kai_function_kind kai_function_sine = {
    .kind = KAI_KIND("sine", params, PARAMS,
                     .doc = "amplitude · sin(2π frequency x + phase) + offset."),
    .evaluate = evaluate};
