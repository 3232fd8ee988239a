// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "base/check.h"
#include "base/error.h"
#include "scene/paths.h"
#include "scene/structure_data.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

static bool ends_in(const char* path, const char* end)
{
    const size_t n = strlen(path), m = strlen(end);
    return n > m && strcasecmp(path + n - m, end) == 0;
}

// Formats of our own; Gmsh reads the rest: shapes, and versions of .msh that we do not know.
static kai_result structure_file_parse(kai_import_format format, const char* bytes, size_t count,
                                       const kai_element_kind* element, double size,
                                       kai_structure_data* data)
{
    if (format == KAI_IMPORT_NONE) return kai_structure_inp_parse(bytes, count, data);
    if (format == KAI_IMPORT_MSH) {
        const kai_result r = kai_structure_msh_parse(bytes, count, data);
        const bool known = count > 11 && memcmp(bytes, "$MeshFormat", 11) == 0;
        if (r != KAI_ERROR_UNSUPPORTED || !known || !kai_structure_import_is_here()) return r;
    }
    return kai_structure_import_read(format, bytes, count, element, size, data);
}

static kai_result read_data(const char* path, const kai_element_kind* element, double size,
                            kai_structure_data* data)
{
    const kai_import_format format = kai_import_format_of(path);
    if (format >= KAI_IMPORT_GLTF || (format == KAI_IMPORT_NONE && !ends_in(path, ".inp")))
        return kai_error_set(data->err, KAI_ERROR_UNSUPPORTED,
                             "its name must end in .msh, .inp, .step, .stp, .brep or .iges");
    char* bytes = NULL;
    size_t count = 0;
    KAI_TRY(kai_paths_load(path, KAI_STRUCTURE_DATA_BYTES, &bytes, &count, data->err));
    const kai_result r = structure_file_parse(format, bytes, count, element, size, data);
    free(bytes);
    return r;
}

kai_result kai_structure_file_read(const char* path, const kai_element_kind* element, double size,
                                   kai_structure_file_params* out, kai_error* err)
{
    KAI_GIVEN(err, path, element, out);
    out->points = out->cells = (kai_table){0};
    out->numbers[0] = out->numbers[1] = (kai_table){0};
    out->groups = (kai_list){0};
    if (!path[0] || kai_structure_cell_of(element) == KAI_STRUCTURE_NONE)
        return kai_error_set(err, KAI_ERROR_ARGUMENT,
                             "kai_structure_file_read: path is empty, or no mesh can be made of %s",
                             element->kind.name);
    kai_structure_data data;
    kai_error local = {0};
    kai_structure_data_init(&data, err ? err : &local);
    kai_result r = read_data(path, element, size, &data);
    if (r == KAI_OK) r = kai_structure_data_take(&data, element, out);
    kai_structure_data_free(&data);
    if (r != KAI_OK) kai_error_prefix(err ? err : &local, "%s", path);
    return r;
}

void kai_structure_file_free(kai_structure_file_params* file)
{
    KAI_GIVEN_VOID(file);
    const kai_structure_group* groups = file->groups.items;
    for (uint32_t i = 0; i < file->groups.count; i++) free((void*)(uintptr_t)groups[i].nodes.data);
    free((void*)(uintptr_t)file->groups.items);
    free((void*)(uintptr_t)file->points.data);
    free((void*)(uintptr_t)file->cells.data);
    for (int k = 0; k < 2; k++) free((void*)(uintptr_t)file->numbers[k].data);
    file->points = file->cells = file->numbers[0] = file->numbers[1] = (kai_table){0};
    file->groups = (kai_list){0};
}
