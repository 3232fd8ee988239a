// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "control/blocks/block.h"
#include "control/blocks/block_inputs.h"

static kai_jet value(const kai_signal_moment* m, const void* instance)
{
    const kai_block_sum_params* p = instance;
    const kai_block_input* inputs = p->inputs.items;
    kai_jet sum = {0};
    for (uint32_t i = 0; i < p->inputs.count; i++) {
        const kai_jet u = kai_block_times(m->inputs[i], inputs[i].gain);
        sum = (kai_jet){sum.y + u.y, sum.dy + u.dy, sum.ddy + u.ddy};
    }
    return sum;
}

const kai_signal_kind kai_block_sum = {
    .kind = KAI_KIND("sum", kai_block_sum_params, kai_block_inputs_list,
                     .doc = "The sum of signals, each times its gain."),
    .value = value};
