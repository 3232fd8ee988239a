// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "math/function_operands.h"

static const kai_param OPERAND_PARAMS[] = {
    KAI_PARAM(VALUE, kai_function_operand, value, .main = true, .required = true,
              .doc = "Number or function."),
};

static const kai_kind OPERAND =
    KAI_KIND("operand", kai_function_operand, OPERAND_PARAMS, .doc = "A number or function.");

const kai_param kai_function_operands_list[1] = {
    KAI_PARAM(LIST, kai_function_operands_params, operands, .item = &OPERAND, .main = true,
              .required = true, .doc = "Numbers and functions."),
};
