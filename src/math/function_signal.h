// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// What a function that reads a signal keeps beside its name.
#ifndef MATH_FUNCTION_SIGNAL_H
#define MATH_FUNCTION_SIGNAL_H

#include <kairos/function.h>

typedef struct kai_function_signal_instance {
    kai_function_signal_params given;
    int64_t place; // in kai_function_set.signals, filled in by control/; -1: not yet
} kai_function_signal_instance;

#endif
