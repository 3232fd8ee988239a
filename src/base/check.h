// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// How public functions refuse arguments that are NULL. One line at the top of a function:
//
//     KAI_GIVEN(err, path, out);            returns KAI_ERROR_ARGUMENT, message in err
//     KAI_GIVEN_OR(0.0, curve);             returns a value
//     KAI_GIVEN_VOID(file);                 returns
//
// Functions of a world use model/check.h.
#ifndef BASE_CHECK_H
#define BASE_CHECK_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/// Whether one of these pointers is NULL. The loop is unrolled: a comparison a pointer.
static inline bool kai_check_lacks(const void* const* pointers, size_t count)
{
    bool lacks = false;
    for (size_t i = 0; i < count; i++) lacks |= pointers[i] == NULL;
    return __builtin_expect(lacks, false);
}

/// KAI_ERROR_ARGUMENT with a message that names the first pointer that is NULL. `names` is the list
/// of the pointers as it stands in the source, separated by commas.
kai_result kai_check_refuse(kai_error* err, const char* function, const char* names,
                            const void* const* pointers, size_t count);

/// The list of pointers as an array.
#define KAI_CHECK_LIST(...)  ((const void* const[]){__VA_ARGS__})
#define KAI_CHECK_COUNT(...) (sizeof KAI_CHECK_LIST(__VA_ARGS__) / sizeof(void*))

/// Ends a function that returns kai_result where one of the pointers is NULL.
#define KAI_GIVEN(err, ...)                                                                   \
    do {                                                                                      \
        if (kai_check_lacks(KAI_CHECK_LIST(__VA_ARGS__), KAI_CHECK_COUNT(__VA_ARGS__)))       \
            return kai_check_refuse(err, __func__, #__VA_ARGS__, KAI_CHECK_LIST(__VA_ARGS__), \
                                    KAI_CHECK_COUNT(__VA_ARGS__));                            \
    } while (0)

/// Ends a function that returns a value where one of the pointers is NULL.
#define KAI_GIVEN_OR(value, ...)                                                        \
    do {                                                                                \
        if (kai_check_lacks(KAI_CHECK_LIST(__VA_ARGS__), KAI_CHECK_COUNT(__VA_ARGS__))) \
            return value;                                                               \
    } while (0)

/// The same for a function without a value.
#define KAI_GIVEN_VOID(...) KAI_GIVEN_OR(, __VA_ARGS__)

/// Makes an answer empty, a null id or a NULL pointer, before anything can fail.
#define KAI_CLEAR(out)                            \
    do {                                          \
        if (out) memset((out), 0, sizeof *(out)); \
    } while (0)

#endif
