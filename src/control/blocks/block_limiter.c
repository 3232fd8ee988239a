// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "control/blocks/block.h"

typedef kai_block_limiter_params params;

static kai_jet value(const kai_signal_moment* m, const void* instance)
{
    const params* p = instance;
    return kai_block_within(m->inputs[0], p->low, p->high);
}

static kai_result check(const void* instance, kai_error* err)
{
    const params* p = instance;
    return kai_block_check_limits(p->low, p->high, err);
}

static const kai_param PARAMS[] = {
    KAI_BLOCK_INPUT(params, "What is limited."),
    KAI_BLOCK_LIMITS(params),
};

const kai_signal_kind kai_block_limiter = {
    .kind = KAI_KIND("limiter", params, PARAMS, .check = check, .doc = "The input within limits."),
    .value = value};
