// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Status codes and error messages. A library call never aborts, exits or prints: it returns a
// kai_result and leaves a message that names the function or thing, the value and the rule.
#ifndef KAIROS_RESULT_H
#define KAIROS_RESULT_H

#include <kairos/export.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Every status code once: X(name, short text). KAI_OK is zero, the rest are errors.
#define KAI_RESULTS(X)                                                     \
    X(OK, "ok")                                                            \
    X(ERROR_ARGUMENT, "an argument or field breaks its rule")              \
    X(ERROR_ID, "an id is null, stale or from another world")              \
    X(ERROR_NAME, "a name is unknown or used twice")                       \
    X(ERROR_MEMORY, "out of memory")                                       \
    X(ERROR_FILE, "a file cannot be opened, read or written")              \
    X(ERROR_FORMAT, "the content of a file is malformed")                  \
    X(ERROR_LIMIT, "a size limit is exceeded")                             \
    X(ERROR_DIVERGED, "the state is no longer finite")                     \
    X(ERROR_UNSUPPORTED, "not available in this build or for this system") \
    X(ERROR_STOPPED, "stopped on request")                                 \
    X(ERROR_BUSY, "called from inside a step of the same world")

/// Status of a call.
typedef enum kai_result {
#define KAI_RESULT_ENUM(name, text) KAI_##name,
    KAI_RESULTS(KAI_RESULT_ENUM)
#undef KAI_RESULT_ENUM
        KAI_RESULT_COUNT ///< how many codes there are; no call returns it
} kai_result;

/// Room for one message, its end included; longer ones are cut.
#define KAI_ERROR_SIZE 1024

/// What went wrong. Calls without a world fill one of these when given; with a world, read
/// kai_world_error().
typedef struct kai_error {
    kai_result code;              ///< KAI_OK when nothing went wrong
    int line;                     ///< 1-based line in the input file, 0 when there is none
    int column;                   ///< 1-based column in the input file, 0 when there is none
    char message[KAI_ERROR_SIZE]; ///< one line, no newline at the end
} kai_error;

/// The short text of a code, "unknown code" for a number that is none. Never NULL.
KAI_API const char* kai_result_text(kai_result code);

/// The name of a code as in the source, such as "KAI_ERROR_FILE". Never NULL.
KAI_API const char* kai_result_name(kai_result code);

/// Returns from the calling function when expr is not KAI_OK.
#define KAI_TRY(expr)                                        \
    do {                                                     \
        const kai_result kai_try_result = (expr);            \
        if (kai_try_result != KAI_OK) return kai_try_result; \
    } while (0)

#ifdef __cplusplus
}
#endif

#endif
