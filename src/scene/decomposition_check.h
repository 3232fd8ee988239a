// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Whether convex parts that come from a file are parts of a mesh. Necessary conditions that cost
// little beside finding the parts; each holds for every decomposition that Kairos makes:
//   - corners lie in the solid;
//   - vertices of the mesh and centres of its triangles lie in a part, and not deeper below its
//     surface than the concavity that the file claims;
//   - centres of the faces of parts lie no farther from the solid than that concavity;
//   - the volume of all parts is what the file claims, and not less than the mesh has.
// What a careful liar keeps is the choice of other, coarser parts of the same solid between these
// points. Whoever writes the scene can do that without a lie: parts may be given there.
#ifndef SCENE_DECOMPOSITION_CHECK_H
#define SCENE_DECOMPOSITION_CHECK_H

#include "geometry/mesh.h"
#include "scene/decomposition.h"

/// True when the parts are believed. Out of memory: false.
bool kai_decomposition_check(const kai_mesh* mesh, const kai_decomposition* parts,
                             kai_memory* memory);

#endif
