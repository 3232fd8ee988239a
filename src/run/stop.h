// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Conditions that end a run before its end. How many steps in a row each has held is part of a
// checkpoint, so a resumed run ends at the same step.
#ifndef RUN_STOP_H
#define RUN_STOP_H

#include "base/error.h"

#include <kairos/scene.h>

/// Counts steps: looks at all conditions as the world is now. `held` is [KAI_STOPS_MOST].
kai_result kai_stop_look(kai_world* world, const kai_scene_settings* settings, uint64_t* held,
                         kai_error* err);

/// The first condition that is met, -1 when none is. `step`: s of a step; `wall`: s since the
/// process began to run.
int kai_stop_met(const kai_scene_settings* settings, const uint64_t* held, double step,
                 double wall);

/// Whether any condition looks at the world.
bool kai_stop_watches(const kai_scene_settings* settings);

/// What a condition says, for people.
void kai_stop_text(const kai_world* world, const kai_stop_def* def, char* out, size_t size);

#endif
