// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// What to warn of before a run begins: shapes that overlap.
#ifndef MODEL_COLLISION_START_H
#define MODEL_COLLISION_START_H

#include "model/world.h"

/// Warns once of shapes that overlap by more than `share` of the smaller one's half width, and
/// names the worst two. Nothing without contact forces.
kai_result kai_collision_start_overlaps(kai_world* world, double share, kai_error* err);

#endif
