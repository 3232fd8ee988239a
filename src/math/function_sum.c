// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// y = Σ f_k
#include "math/function_operands.h"

static kai_jet evaluate(const kai_function_set* set, const void* instance, double x)
{
    const kai_function_operands_params* p = instance;
    const kai_function_operand* operands = p->operands.items;
    kai_jet r = {0.0, 0.0, 0.0};
    for (uint32_t i = 0; i < p->operands.count; i++) {
        const kai_jet f = kai_function_set_value(set, &operands[i].value, x);
        r = (kai_jet){r.y + f.y, r.dy + f.dy, r.ddy + f.ddy};
    }
    return r;
}

const kai_function_kind kai_function_sum = {
    .kind = KAI_KIND("sum", kai_function_operands_params, kai_function_operands_list,
                     .doc = "The sum of numbers and functions."),
    .evaluate = evaluate};
