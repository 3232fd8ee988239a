// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Shapes as the narrow phase sees them.
#ifndef MODEL_COLLISION_GEOMETRY_H
#define MODEL_COLLISION_GEOMETRY_H

#include "base/error.h"
#include "proximity/convex.h"

#include <kairos/shape.h>

/// How many geometries a shape is made of: 1, or the parts of a decomposed mesh.
size_t kai_collision_geometry_parts(const kai_shape_kind* kind, const void* params);

/// One of them, grown by a margin. KAI_ERROR_UNSUPPORTED for a kind that has none here, or whose
/// data was not prepared.
kai_result kai_collision_geometry_make(const kai_shape_kind* kind, const void* params, size_t part,
                                       double margin, kai_geometry* out, kai_error* err);

#endif
