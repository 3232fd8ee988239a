// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// What the rest of model/ needs of shapes.
#ifndef MODEL_SHAPE_H
#define MODEL_SHAPE_H

#include "model/world.h"

/// Checks the common part of a shape.
kai_result kai_shape_check(const kai_world* world, const kai_shape_def* def, kai_error* err);

/// Fixes a shape, whose common part was checked, to the body in a slot.
kai_result kai_shape_add(kai_world* world, size_t slot, const kai_shape_kind* kind,
                         const void* params, const kai_shape_def* def, kai_shape* out,
                         kai_error* err);

#endif
