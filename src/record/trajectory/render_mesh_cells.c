// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "record/trajectory/render_mesh_cells.h"

#include "record/h5_file.h"
#include "record/h5_set.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static kai_result render_mesh_cells_malformed(const char* path, kai_error* err)
{
    return kai_error_set(err, KAI_ERROR_FORMAT, "%s: its meshes cannot be read", path);
}

/// Corners exist, and every cell has two or three.
static bool is_sound(const kai_render_mesh_cells* c, size_t corners, size_t offsets)
{
    if (offsets != c->count + 1 || c->offsets[0] != 0 || c->offsets[c->count] != (int64_t)corners)
        return false;
    for (size_t i = 0; i < c->count; i++) {
        if (c->offsets[i + 1] < 0) return false;
        const int64_t size = c->offsets[i + 1] - c->offsets[i];
        if (size != 2 && size != 3) return false;
    }
    for (size_t i = 0; i < corners; i++)
        if (c->corners[i] < 0 || (uint64_t)c->corners[i] >= c->vertices) return false;
    return true;
}

static bool is_plain(const char* name)
{
    const size_t length = strlen(name);
    for (size_t i = 0; i < length; i++)
        if (!isalnum((unsigned char)name[i]) && name[i] != '_') return false;
    return length > 0 && length < KAI_RENDER_MESH_CELLS_NAME;
}

/// H5Literate's callback: names that are odd, and too many of them, are left out.
static herr_t take_name(hid_t group, const char* name, const H5L_info_t* info, void* context)
{
    (void)group;
    (void)info;
    kai_render_mesh_cells* c = context;
    if (is_plain(name) && c->field_count < KAI_RENDER_MESH_CELLS_FIELDS)
        memcpy(c->fields[c->field_count++], name, strlen(name) + 1);
    return 0;
}

// Rows of positions that are stored: what a file says about its vertices is held against them.
static hsize_t points_of(hid_t root)
{
    hid_t set = -1;
    kai_h5_set points;
    kai_h5_set_open(root, "Points", 2, 3, kai_h5_native(KAI_NUMBER_F64), &set, &points, NULL);
    if (set >= 0) H5Dclose(set);
    return points.stored;
}

static kai_result read_sets(hid_t root, kai_render_mesh_cells* out, kai_error* err)
{
    const hid_t integer = kai_h5_native(KAI_NUMBER_I64);
    void* data = NULL;
    size_t parts = 0, corners = 0, offsets = 0;
    KAI_TRY(kai_h5_read(root, "NumberOfPoints", integer, 1, &data, &parts, err));
    const int64_t vertices = parts > 0 ? *(const int64_t*)data : -1;
    free(data);
    if (vertices < 0 || (uint64_t)vertices > points_of(root)) return KAI_ERROR_FORMAT;
    out->vertices = (size_t)vertices;
    KAI_TRY(kai_h5_read(root, "CellData/mesh", integer, 1, &data, &out->count, err));
    out->mesh = data;
    KAI_TRY(kai_h5_read(root, "Connectivity", integer, 1, &data, &corners, err));
    out->corners = data;
    KAI_TRY(kai_h5_read(root, "Offsets", integer, 1, &data, &offsets, err));
    out->offsets = data;
    if (offsets == 0 || !is_sound(out, corners, offsets)) return KAI_ERROR_FORMAT;
    hid_t fields = -1;
    KAI_TRY(kai_h5_open_group(root, "PointData", &fields, err));
    H5Literate(fields, H5_INDEX_NAME, H5_ITER_INC, NULL, take_name, out);
    H5Gclose(fields);
    return KAI_OK;
}

kai_result kai_render_mesh_cells_read(const char* path, kai_render_mesh_cells* out, kai_error* err)
{
    memset(out, 0, sizeof *out);
    kai_h5_begin();
    hid_t root = -1, file = -1;
    kai_result r = kai_h5_file_open(path, &file, err);
    const bool opened = r == KAI_OK;
    if (r == KAI_OK) r = kai_h5_open_group(file, "VTKHDF", &root, err);
    if (r == KAI_OK) r = read_sets(root, out, err);
    if (root >= 0) H5Gclose(root);
    if (file >= 0) H5Fclose(file);
    kai_h5_end();
    return r == KAI_OK || r == KAI_ERROR_MEMORY || !opened ? r
                                                           : render_mesh_cells_malformed(path, err);
}

void kai_render_mesh_cells_free(kai_render_mesh_cells* c)
{
    free(c->corners);
    free(c->offsets);
    free(c->mesh);
    memset(c, 0, sizeof *c);
}
