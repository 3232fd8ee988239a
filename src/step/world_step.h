// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// A step of the world, with what the caller knows of it.
#ifndef STEP_WORLD_STEP_H
#define STEP_WORLD_STEP_H

#include <kairos/world.h>

typedef struct kai_world_step_options {
    bool unobserved; // it stands between equal steps, and nobody reads or changes the state between
} kai_world_step_options;

/// kai_world_step with options.
kai_result kai_world_step_with(kai_world* world, double h, const kai_world_step_options* options);

#endif
