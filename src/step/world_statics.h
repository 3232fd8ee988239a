// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#ifndef STEP_WORLD_STATICS_H
#define STEP_WORLD_STATICS_H

#include <kairos/world.h>

/// kai_world_statics for use inside a step.
kai_result kai_world_statics_find(kai_world* world, kai_error* err);

#endif
