// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Pairs of shapes that have no contacts.
#ifndef MODEL_COLLISION_PAIRS_H
#define MODEL_COLLISION_PAIRS_H

#include "model/collision/collision.h"

/// Logs a warning that names both bodies, when shapes meet whose kinds have no contacts with each
/// other (kai_narrow_offers): two planes, two height fields. Once a world.
void kai_collision_pairs_warn(kai_world* world);

#endif
