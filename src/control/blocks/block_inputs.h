// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// What sum and product share: a list of signals, each with a factor.
#ifndef CONTROL_BLOCKS_BLOCK_INPUTS_H
#define CONTROL_BLOCKS_BLOCK_INPUTS_H

#include <kairos/signal.h>

_Static_assert(sizeof(kai_block_sum_params) == sizeof(kai_block_product_params),
               "both are a list of inputs");

/// The parameters of both kinds.
extern const kai_param kai_block_inputs_list[1];

#endif
