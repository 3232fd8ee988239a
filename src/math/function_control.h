// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// What a control keeps beside what users give: kai_function_steer sets it.
#ifndef MATH_FUNCTION_CONTROL_H
#define MATH_FUNCTION_CONTROL_H

#include <kairos/function.h>

typedef struct kai_function_control_instance {
    kai_function_control_params given;
    bool steered;             // the rest is in use
    double from, goal, since; // on its way from a value since a time, s
} kai_function_control_instance;

#endif
