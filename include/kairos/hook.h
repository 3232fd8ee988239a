// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// What a run calls while it goes, for those who watch or steer it.
#ifndef KAIROS_HOOK_H
#define KAIROS_HOOK_H

#include <kairos/function.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Calls that a run makes on its own thread. Any of them may be NULL.
typedef struct kai_hooks {
    void* context; ///< passed to every call
    /// Before each step of `h` seconds, and once at the end with h = 0. May change loads and
    /// functions of the world. Returns false when the step must wait: the run looks whether it was
    /// stopped and asks again, so a call should not take longer than some hundredths of a second.
    bool (*before_step)(void* context, kai_world* world, double h);
    /// Before a checkpoint: what must not be in it is taken out of the world.
    void (*before_save)(void* context, kai_world* world);
} kai_hooks;

#ifdef __cplusplus
}
#endif

#endif
