// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Structures as pages and files show them.
#ifndef FEA_STRUCTURE_RENDER_MESH_H
#define FEA_STRUCTURE_RENDER_MESH_H

#include "model/structures/structure.h"

/// Adds the render mesh (render_mesh.h) of a structure: its outer faces and lines, coloured by displacement,
/// speed and stress.
kai_result kai_structure_render_mesh_make(kai_world* world, kai_structure structure);

/// After structures came from a file: adds one for every structure that has none, and makes the
/// table of sets anew.
kai_result kai_structure_render_mesh_add(kai_world* world, kai_error* err);

/// Gives their memory back.
void kai_structure_render_mesh_free(kai_world* world);

#endif
