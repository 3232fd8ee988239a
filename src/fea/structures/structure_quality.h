// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Whether cells of a mesh have a shape that elements can be made of.
//
// The scaled Jacobian of a corner is the volume that its three edges span over the product of their
// lengths (of surfaces: the area of its two edges, seen along the cell's normal): 1 where they are
// at right angles, 0 where the cell is flat, negative where it is inside out.
#ifndef FEA_STRUCTURE_QUALITY_H
#define FEA_STRUCTURE_QUALITY_H

#include "fea/structures/structure_mesh.h"

/// Least scaled Jacobian of a corner: angles of 0.06°, where rounding begins to matter.
#define KAI_STRUCTURE_QUALITY_LEAST 1e-3

/// KAI_ERROR_ARGUMENT names the first cell with a corner below that, the node and the value.
kai_result kai_structure_quality_check(const kai_structure_mesh* mesh,
                                       const kai_element_kind* element, kai_error* err);

#endif
