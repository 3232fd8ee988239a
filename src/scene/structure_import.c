// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Files that Gmsh reads, in a process of its own. It meshes shapes and hands the mesh back as a
// file of version 4.1, which is read like any other.
#include "base/error.h"
#include "scene/structure_data.h"

#ifdef KAIROS_HAVE_GMSH

#include "import/import.h"

bool kai_structure_import_is_here(void) { return true; }

kai_result kai_structure_import_read(kai_import_format format, const char* bytes, size_t count,
                                     const kai_element_kind* element, double size,
                                     kai_structure_data* data)
{
    const kai_structure_cell cell = kai_structure_cell_of(element);
    const bool flat = cell == KAI_STRUCTURE_TRIANGLE || cell == KAI_STRUCTURE_QUADRANGLE;
    const kai_import_job job = {.format = format,
                                .bytes = bytes,
                                .size = count,
                                .dimension = cell == KAI_STRUCTURE_LINE ? 1
                                             : flat                     ? 2
                                                                        : 3,
                                .order = element->nodes == 10 || element->nodes == 20 ? 2 : 1,
                                .quads = cell == KAI_STRUCTURE_QUADRANGLE,
                                .cell_size = size};
    kai_import_mesh mesh;
    KAI_TRY(kai_import_read(&job, &mesh, data->err));
    kai_result r = kai_structure_msh_parse(mesh.text, mesh.text_size, data);
    if (r != KAI_OK) kai_error_prefix(data->err, "the mesh of Gmsh");
    kai_import_free(&mesh);
    return r;
}

#else

bool kai_structure_import_is_here(void) { return false; }

kai_result kai_structure_import_read(kai_import_format format, const char* bytes, size_t count,
                                     const kai_element_kind* element, double size,
                                     kai_structure_data* data)
{
    (void)format, (void)bytes, (void)count, (void)element, (void)size;
    return kai_error_set(data->err, KAI_ERROR_UNSUPPORTED,
                         "Kairos was built without Gmsh, which meshes shapes");
}

#endif
