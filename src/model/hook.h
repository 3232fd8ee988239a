// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Calls of the hooks of a world, by those who take steps and write checkpoints.
#ifndef MODEL_HOOK_H
#define MODEL_HOOK_H

#include "model/world.h"

#include <kairos/hook.h>

/// Asks all hooks until each has let the step of h be taken. KAI_ERROR_STOPPED when a stop is asked
/// for while one of them waits.
kai_result kai_hook_before_step(kai_world* world, double h, kai_error* err);

/// Tells all hooks that a step was taken; that a checkpoint comes; that a run is at its end.
void kai_hook_after_step(kai_world* world, double h);
void kai_hook_before_save(kai_world* world);
void kai_hook_end(kai_world* world);

#endif
