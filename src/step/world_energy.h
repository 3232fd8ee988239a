// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#ifndef STEP_WORLD_ENERGY_H
#define STEP_WORLD_ENERGY_H

#include <kairos/world.h>

/// kai_world_energy for use inside a step.
kai_result kai_world_energy_sum(kai_world* world, kai_energy* out, kai_error* err);

#endif
