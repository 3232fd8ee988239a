// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Filling in a kai_error. Every function that can fail takes a `kai_error* err` that may be NULL.
#ifndef BASE_ERROR_H
#define BASE_ERROR_H

#include <kairos/result.h>
#include <stdarg.h>

/// Writes code and message into err (NULL is allowed) and returns the code. Line and column become
/// 0; control characters become spaces. Arguments may point into err's own message. `return
/// kai_error_set(err, KAI_ERROR_ARGUMENT, "mass is %g kg; must be > 0", mass);`
kai_result kai_error_set(kai_error* err, kai_result code, const char* format, ...)
    __attribute__((format(printf, 3, 4)));

/// The same with a va_list.
kai_result kai_error_setv(kai_error* err, kai_result code, const char* format, va_list args)
    __attribute__((format(printf, 3, 0)));

/// Puts "prefix: " (formatted) before the message that err holds, keeping its code.
void kai_error_prefix(kai_error* err, const char* format, ...)
    __attribute__((format(printf, 2, 3)));

/// Our own invariants, checked in debug builds only. Input is checked with kai_error_set, always.
#ifdef NDEBUG
#define KAI_ASSERT(condition) ((void)0)
#else
#include <assert.h>
#define KAI_ASSERT(condition) assert(condition)
#endif

#endif
