// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Building the tree of boxes of a mesh.
#ifndef GEOMETRY_MESH_TREE_H
#define GEOMETRY_MESH_TREE_H

#include "geometry/mesh.h"

/// Fills nodes, origin, low and high, and sorts the triangles, and `source` [triangle_count] with
/// them, into the tree's order.
kai_result kai_mesh_tree_build(kai_mesh* mesh, kai_memory* memory, uint32_t* source,
                               kai_error* err);

#endif
