// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// How public functions of a world refuse what they cannot heed. One line at the top of a function
// that returns kai_result, the world first, then all pointers that must be given:
//
//     KAI_READ(world, out);          KAI_ERROR_ARGUMENT where one is NULL
//     KAI_CHANGE(world, def, out);   the same, and KAI_ERROR_BUSY from inside a step of this world
//
// Functions that return a value use KAI_GIVEN_OR of base/check.h.
//
// A step runs functions of the user's own (kinds, laws, the log), on several threads. They may read
// the world; what would change it, or use its scratch memory, is refused. Functions that run such a
// step stand between kai_check_enter and kai_check_leave.
#ifndef MODEL_CHECK_H
#define MODEL_CHECK_H

#include "base/check.h"
#include "model/world.h"

/// KAI_ERROR_ARGUMENT for a world or another pointer that is NULL: the world is the first.
kai_result kai_check_world(const char* function, const char* names, const void* const* pointers,
                           size_t count);

/// KAI_ERROR_BUSY for a call from inside a step. On any thread: its name is kept, and told when the
/// step ends.
kai_result kai_check_busy(const kai_world* world, const char* function);

/// Marks the world as inside a step, and as outside again with the result of the step. There a call
/// that was refused is told: to the log, and in the world's error where the step was no failure.
void kai_check_enter(kai_world* world);
void kai_check_leave(kai_world* world, kai_result result);

/// Ends a function that returns kai_result where the world or another pointer is NULL.
#define KAI_READ(...)                                                                   \
    do {                                                                                \
        if (kai_check_lacks(KAI_CHECK_LIST(__VA_ARGS__), KAI_CHECK_COUNT(__VA_ARGS__))) \
            return kai_check_world(__func__, #__VA_ARGS__, KAI_CHECK_LIST(__VA_ARGS__), \
                                   KAI_CHECK_COUNT(__VA_ARGS__));                       \
    } while (0)

/// The same, also where the call comes from inside a step of this world.
#define KAI_CHANGE(...)                                                         \
    do {                                                                        \
        KAI_READ(__VA_ARGS__);                                                  \
        const kai_world* kai_changed = KAI_CHECK_LIST(__VA_ARGS__)[0];          \
        if (kai_changed->in_step) return kai_check_busy(kai_changed, __func__); \
    } while (0)

#endif
