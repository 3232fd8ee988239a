// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Hooks: calls around the steps of a world, for those who watch or steer it. Any number of them may
// look at one world: controllers of a program, recorders of its own, a live view.
//
// Programs that take steps themselves add hooks with kai_hook_add. A run has a list of them
// (kai_run_def.hooks), which it adds for as long as it goes.
#ifndef KAIROS_HOOK_H
#define KAIROS_HOOK_H

#include <kairos/export.h>
#include <kairos/result.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A world: see world.h.
typedef struct kai_world kai_world;

/// Calls on the thread that takes the steps, in the order in which hooks were added. They come between
/// steps and may do all with the world but destroy it. Any of them may be NULL.
typedef struct kai_hooks {
    void* context; ///< passed to every call
    /// Before each step of `h` seconds, and once at the end of a run with h = 0. Returns false when
    /// the step must wait: it is looked whether a stop was asked for (kai_world_set_stop), and then
    /// asked again, so a call should not take longer than some hundredths of a second.
    bool (*before_step)(void* context, kai_world* world, double h);
    /// Before a checkpoint of a run: what must not be in it is taken out of the world.
    void (*before_save)(void* context, kai_world* world);
    /// After each step that was taken, when signals and events have seen it.
    void (*after_step)(void* context, kai_world* world, double h);
} kai_hooks;

/// Adds hooks to a world. They are not copied: `hooks` must stay until it is removed, or the world is
/// destroyed. KAI_ERROR_ARGUMENT when they are there already.
KAI_API kai_result kai_hook_add(kai_world* world, const kai_hooks* hooks);

/// Takes them away, also from inside one of their calls. Nothing happens when they are not there.
KAI_API kai_result kai_hook_remove(kai_world* world, const kai_hooks* hooks);

#ifdef __cplusplus
}
#endif

#endif
