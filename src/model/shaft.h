// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// What the rest of the engine needs of shafts: all of them lie side by side.
#ifndef MODEL_SHAFT_H
#define MODEL_SHAFT_H

#include "model/world.h"

#include <kairos/shaft.h>

/// All shafts [world->shafts.count].
static inline kai_shaft_def* kai_shaft_all(const kai_world* world)
{
    return world->shafts.batches[0].items.data;
}

/// 1 / inertia, 1/(kg m²); 0 for a fixed one, which no torque turns.
static inline double kai_shaft_inverse(const kai_shaft_def* shaft)
{
    return shaft->fixed ? 0.0 : 1.0 / shaft->inertia;
}

/// The place of a shaft among all, UINT32_MAX when it does not exist.
uint32_t kai_shaft_slot(const kai_world* world, kai_shaft shaft);

/// Describes the shaft in a place: "shaft 'crank' (#3)".
void kai_shaft_describe(const kai_world* world, size_t slot, char* out, size_t size);

/// Whether a parameter of an instance of some store names this shaft.
bool kai_shaft_is_used(const kai_store* store, kai_shaft shaft);

#endif
