// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// What the rest of the engine needs of structures.
#ifndef MODEL_STRUCTURE_H
#define MODEL_STRUCTURE_H

#include "model/world.h"

#include <kairos/structure.h>

/// Checks that a structure and a set of it exist. `*frames`: its nodes are bodies.
kai_result kai_structure_check(kai_world* world, kai_structure structure, const char* set,
                               bool* frames);

/// The index in the id of the i-th node of a set, body or not.
uint32_t kai_structure_index(const kai_world* world, kai_structure structure, const char* set,
                             size_t i);

/// Enters the sets of a structure into the table of names, where it has many. Without memory, or for
/// odd names, they are found without it.
void kai_structure_index_sets_of(kai_world* world, kai_structure structure);

/// Makes the table of sets anew, after structures came from a file.
void kai_structure_index_sets(kai_world* world);

/// What a structure is shown with: kai_structure_field; NULL for a stale id.
const kai_list* kai_structure_fields(const kai_world* world, kai_structure structure);

/// Whether the tables of an instance that comes from a file are what they should be.
bool kai_structure_is_whole(const void* instance);

#endif
