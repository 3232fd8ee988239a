// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// A closed mesh as convex parts.
//
// The solid is cut by planes, the most concave part first, until every part is convex enough. Parts
// lie in convex cells that do not overlap, so neither do their hulls. How concave a part is:
//     the larger of  max over its surface of the depth below its hull, and
//                    max over its hull of the distance from the solid.
// The first sees bays and wells, the second sees holes that the hull covers. Both are found by
// branch and bound with a bound from above, so what is reported is never less than the truth.
//
// Thin walls ask for more: a part is cut until its surface bends by no more than a fifth of its own
// width across that width (but not below a sixteenth of the bound), or a curved wall would become
// twice as thick.
//
// A cut is chosen among planes across the axes and planes through edges where the surface is
// concave: the one that leaves hulls of the least volume in all.
#ifndef GEOMETRY_DECOMPOSE_H
#define GEOMETRY_DECOMPOSE_H

#include "geometry/hull.h"
#include "geometry/mesh.h"

/// Most parts; a mesh that needs more keeps those, and `concavity` says how good they are.
#define KAI_DECOMPOSE_PARTS 256

typedef struct kai_decompose_result {
    kai_hull* parts; // [count]
    uint32_t count;
    double bound;        // concavity that was asked for, m
    double concavity;    // of the worst part, at most, m
    double volume_error; // volume of all hulls over that of the mesh, minus 1
} kai_decompose_result;

/// Finds parts of at most `bound` (m, > 0) concavity. KAI_ERROR_ARGUMENT when the mesh is not solid
/// or the bound is below 1e-4 of its size.
kai_result kai_decompose(const kai_mesh* mesh, kai_memory* memory, double bound,
                         kai_decompose_result* out, kai_error* err);

/// Gives the memory back.
void kai_decompose_free(kai_decompose_result* result, kai_memory* memory);

#endif
