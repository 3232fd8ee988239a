// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "math/function_operands.h"

static const kai_param OPERAND_PARAMS[] = {
    {.name = "value",
     .type = KAI_PARAM_VALUE,
     .offset = offsetof(kai_function_operand, value),
     .required = true,
     .main = true,
     .doc = "Number or function."},
};

static const kai_kind OPERAND = {.name = "operand",
                                 .doc = "A number or function.",
                                 .size = sizeof(kai_function_operand),
                                 .params = OPERAND_PARAMS,
                                 .param_count = KAI_COUNT(OPERAND_PARAMS)};

const kai_param kai_function_operands_param = {.name = "operands",
                                               .type = KAI_PARAM_LIST,
                                               .offset =
                                                   offsetof(kai_function_operands_params, operands),
                                               .item = &OPERAND,
                                               .required = true,
                                               .main = true,
                                               .doc = "Numbers and functions."};
