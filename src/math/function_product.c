// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// y = Π f_k, with (f g)' = f' g + f g' and (f g)'' = f'' g + 2 f' g' + f g''
#include "math/function_operands.h"

static kai_jet evaluate(const kai_function_set* set, const void* instance, double x)
{
    const kai_function_operands_params* p = instance;
    const kai_function_operand* operands = p->operands.items;
    kai_jet r = {1.0, 0.0, 0.0};
    for (uint32_t i = 0; i < p->operands.count; i++) {
        const kai_jet f = kai_function_set_value(set, &operands[i].value, x);
        r = (kai_jet){r.y * f.y, r.dy * f.y + r.y * f.dy,
                      r.ddy * f.y + 2.0 * r.dy * f.dy + r.y * f.ddy};
    }
    return r;
}

const kai_function_kind kai_function_product = {
    .kind = KAI_KIND("product", kai_function_operands_params, kai_function_operands_list,
                     .doc = "The product of numbers and functions."),
    .evaluate = evaluate};
