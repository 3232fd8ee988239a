// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// What can be wrong with a mesh that someone else made.
#ifndef FEA_STRUCTURE_CHECK_H
#define FEA_STRUCTURE_CHECK_H

#include "fea/structures/structure_mesh.h"
#include "model/structures/structure_params.h"

/// Looks for nodes in one place, nodes that hang on an edge of a cell that is not theirs, and
/// neighbours on a surface whose normals point to opposite sides. KAI_ERROR_ARGUMENT names the
/// first; cells that are inside out are found when their elements are made.
kai_result kai_structure_check_mesh(kai_structure_mesh* mesh, const kai_element_kind* element,
                                    kai_error* err);

#endif
