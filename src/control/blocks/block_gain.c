// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "control/blocks/block.h"

typedef kai_block_gain_params params;

static kai_jet value(const kai_signal_moment* m, const void* instance)
{
    const params* p = instance;
    kai_jet y = kai_block_times(m->inputs[0], p->gain);
    y.y += p->offset;
    return y;
}

static const kai_param PARAMS[] = {
    KAI_BLOCK_INPUT(params, "What is multiplied."),
    KAI_PARAM(REAL, params, gain, .initial = {1.0}, .doc = "Factor."),
    KAI_PARAM(REAL, params, offset, .doc = "Added to the product."),
};

const kai_signal_kind kai_block_gain = {
    .kind = KAI_KIND("gain", params, PARAMS, .doc = "gain · input + offset."), .value = value};
