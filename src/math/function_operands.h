// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// What sum and product share: a list of numbers and functions.
#ifndef MATH_FUNCTION_OPERANDS_H
#define MATH_FUNCTION_OPERANDS_H

#include <kairos/function.h>

/// The parameters of both kinds.
extern const kai_param kai_function_operands_list[1];

#endif
