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

#endif
