// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "control/blocks/block.h"

typedef struct block_value {
    kai_block_value_params given;
    bool set; // somebody gave it another value
    double to;
} block_value;

static kai_jet value(const kai_signal_moment* m, const void* instance)
{
    const block_value* p = instance;
    if (p->set) return (kai_jet){p->to, 0.0, 0.0};
    return kai_function_set_value(m->functions, &p->given.value, m->time);
}

static void set(void* instance, double to)
{
    block_value* p = instance;
    p->set = true;
    p->to = to;
}

static const kai_param PARAMS[] = {
    KAI_PARAM(VALUE, kai_block_value_params, value, .required = true,
              .doc = "Number or function of time; what sets the signal replaces it."),
    KAI_PARAM(BOOL, block_value, set, .hidden = true),
    KAI_PARAM(REAL, block_value, to, .hidden = true),
};

const kai_signal_kind kai_block_value = {.kind = KAI_KIND("value", block_value, PARAMS,
                                                          .given = sizeof(kai_block_value_params),
                                                          .doc = "A number or a function of time."),
                                         .value = value,
                                         .set = set};
