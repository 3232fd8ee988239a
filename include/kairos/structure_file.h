// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Meshes of finite elements from files, for structures of kind `file`.
#ifndef KAIROS_STRUCTURE_FILE_H
#define KAIROS_STRUCTURE_FILE_H

#include <kairos/structure.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Reads the cells that a kind of element makes, their nodes, and the groups of nodes that have
/// names: .msh of Gmsh (2.2 and 4.1 as text; others where Kairos was built with Gmsh), .inp of
/// Abaqus, and .step, .stp, .brep, .iges with Gmsh, which meshes them with cells of `size` (in
/// units of the file; 0: as Gmsh chooses). Fills points, cells and groups of `out`, which hold
/// memory until kai_structure_file_free. KAI_ERROR_FILE, _FORMAT, _LIMIT, _MEMORY, _UNSUPPORTED.
KAI_API kai_result kai_structure_file_read(const char* path, const kai_element_kind* element,
                                           double size, kai_structure_file_params* out,
                                           kai_error* err);

/// Gives the memory of the tables back.
KAI_API void kai_structure_file_free(kai_structure_file_params* file);

#ifdef __cplusplus
}
#endif

#endif
