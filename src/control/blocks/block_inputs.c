// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "control/blocks/block_inputs.h"

static const kai_param INPUT_PARAMS[] = {
    KAI_PARAM(SIGNAL, kai_block_input, signal, .main = true, .required = true,
              .doc = "Name of a signal."),
    KAI_PARAM(REAL, kai_block_input, gain, .initial = {1.0}, .doc = "Its factor."),
};

static const kai_kind INPUT =
    KAI_KIND("input", kai_block_input, INPUT_PARAMS, .doc = "A signal and its factor.");

const kai_param kai_block_inputs_list[1] = {
    KAI_PARAM(LIST, kai_block_sum_params, inputs, .item = &INPUT, .required = true,
              .doc = "Names of signals, or objects with `signal` and `gain`."),
};
