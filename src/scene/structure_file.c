// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "base/check.h"
#include "base/error.h"
#include "scene/paths.h"
#include "scene/structure_data.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

static bool ends_in(const char* path, const char* end)
{
    const size_t n = strlen(path), m = strlen(end);
    return n > m && strcasecmp(path + n - m, end) == 0;
}

static bool is_shape(const char* path)
{
    static const char* const ENDS[] = {".step", ".stp", ".brep", ".iges", ".igs"};
    for (size_t i = 0; i < KAI_COUNT(ENDS); i++)
        if (ends_in(path, ENDS[i])) return true;
    return false;
}

static kai_result read_bytes(const char* path, char** bytes, size_t* size, kai_error* err)
{
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0) return kai_error_set(err, KAI_ERROR_FILE, "cannot be opened: %s", strerror(errno));
    const kai_result r = kai_paths_read(fd, KAI_STRUCTURE_DATA_BYTES, bytes, size);
    close(fd);
    return r == KAI_OK ? r : kai_error_set(err, r, "%s", kai_result_text(r));
}

static kai_result read_data(const char* path, const kai_element_kind* element, double size,
                            kai_structure_data* data)
{
    const bool msh = ends_in(path, ".msh"), shape = is_shape(path);
    if (!msh && !ends_in(path, ".inp") && !shape)
        return kai_error_set(data->err, KAI_ERROR_UNSUPPORTED,
                             "its name must end in .msh, .inp, .step, .stp, .brep or .iges");
    char* bytes = NULL;
    size_t count = 0;
    KAI_TRY(read_bytes(path, &bytes, &count, data->err));
    kai_result r = KAI_OK;
    const bool known = count > 11 && memcmp(bytes, "$MeshFormat", 11) == 0;
    if (!shape)
        r = msh ? kai_structure_msh_parse(bytes, count, data)
                : kai_structure_inp_parse(bytes, count, data);
    free(bytes);
    if (!shape && (r != KAI_ERROR_UNSUPPORTED || !known)) return r;
    if (kai_structure_gmsh_is_here()) return kai_structure_gmsh_read(path, element, size, data);
    return shape ? kai_error_set(data->err, KAI_ERROR_UNSUPPORTED,
                                 "Kairos was built without Gmsh, which meshes shapes")
                 : r;
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
