// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The problems found in a scene: all are collected, up to a limit, so that a user sees them at
// once.
#ifndef SCENE_PROBLEMS_H
#define SCENE_PROBLEMS_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

/// Most problems that are kept; further ones are only counted.
#define KAI_PROBLEMS_MOST 100

typedef struct kai_problems {
    kai_error* list; // [KAI_PROBLEMS_MOST + 1] once there is one
    size_t kept;     // in list
    size_t count;    // found in all
    kai_result code; // of the first one
} kai_problems;

/// Whether further problems are only counted: what their messages would say need not be found out.
static inline bool kai_problems_full(const kai_problems* problems)
{
    return problems->kept == KAI_PROBLEMS_MOST;
}

/// Adds a problem whose message is whole already. Code, line and column as in kai_error.
void kai_problems_add(kai_problems* problems, kai_result code, int line, int column,
                      const char* format, ...) __attribute__((format(printf, 5, 6)));

/// Adds the line "… and N more" when problems were left out.
void kai_problems_finish(kai_problems* problems);

/// Gives the memory back.
void kai_problems_free(kai_problems* problems);

#endif
