// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// A request to stop, seen inside long operations: an int that another thread or a signal handler
// sets. Who works long looks at it once an iteration and fails with KAI_ERROR_STOPPED.
#ifndef BASE_STOP_H
#define BASE_STOP_H

#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>

/// Whether a stop is asked for. NULL: nobody can ask.
bool kai_stop_asked(const volatile int* stop);

/// KAI_ERROR_STOPPED with its message.
kai_result kai_stop_error(kai_error* err);

/// KAI_ERROR_STOPPED when a stop is asked for, else KAI_OK.
static inline kai_result kai_stop_check(const volatile int* stop, kai_error* err)
{
    return kai_stop_asked(stop) ? kai_stop_error(err) : KAI_OK;
}

/// For tests, which need a stop at a given place: lets `looks` looks at any request pass, then
/// answers each as if a stop were asked for. 0: never.
void kai_stop_after(uint64_t looks);

#endif
