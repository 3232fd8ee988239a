// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "control/blocks/block.h"

typedef kai_block_expression_params params;

static kai_jet value(const kai_signal_moment* m, const void* instance)
{
    (void)instance;
    return m->inputs[0];
}

static const kai_param PARAMS[] = {
    KAI_PARAM(EXPRESSION, params, value, .required = true,
              .doc = "Formula over names of signals and t, the time, such as "
                     "\"clamp(2*(target - height), -5, 5)\"."),
};

const kai_signal_kind kai_block_expression = {
    .kind = KAI_KIND("expression", params, PARAMS, .doc = "A formula over other signals."),
    .value = value};
