// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Loads that are switched off: few or none, so a list of their ids.
#ifndef MODEL_LOAD_SWITCH_H
#define MODEL_LOAD_SWITCH_H

#include "model/world.h"

/// Whether instance i of a batch is off.
bool kai_load_switch_is_off(const kai_world* world, const kai_store_batch* batch, size_t i);

/// Takes the forces of loads that are off out of those last evaluated, before they are summed.
void kai_load_switch_silence(const kai_world* world);

/// Whether an id index is in the list; puts it there, where it is not; takes it out.
bool kai_load_switch_has(const kai_world* world, uint32_t index);
kai_result kai_load_switch_add(kai_world* world, uint32_t index, kai_error* err);
void kai_load_switch_remove(kai_world* world, uint32_t index);

#endif
