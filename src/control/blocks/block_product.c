// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// y = Π u_k, with (u v)' = u' v + u v' and (u v)'' = u'' v + 2 u' v' + u v''
#include "control/blocks/block.h"
#include "control/blocks/block_inputs.h"

static kai_jet value(const kai_signal_moment* m, const void* instance)
{
    const kai_block_product_params* p = instance;
    const kai_block_input* inputs = p->inputs.items;
    kai_jet r = {1.0, 0.0, 0.0};
    for (uint32_t i = 0; i < p->inputs.count; i++) {
        const kai_jet u = kai_block_times(m->inputs[i], inputs[i].gain);
        r = (kai_jet){r.y * u.y, r.dy * u.y + r.y * u.dy,
                      r.ddy * u.y + 2.0 * r.dy * u.dy + r.y * u.ddy};
    }
    return r;
}

const kai_signal_kind kai_block_product = {
    .kind = KAI_KIND("product", kai_block_product_params, kai_block_inputs_list,
                     .doc = "The product of signals, each times its gain."),
    .value = value};
