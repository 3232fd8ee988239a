// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "record/skins_read.h"

#include "record/h5.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct kai_skins_read {
    char* path;
    hid_t file, position;
    size_t vertices, frames;
    double* times;
};

static kai_result malformed(const char* path, kai_error* err)
{
    return kai_error_set(err, KAI_ERROR_FORMAT, "%s: cannot be read as meshes of this run", path);
}

// Rows of a dataset of `columns` columns; 0 when it is no such one.
static hsize_t rows_of(hid_t set, hsize_t columns)
{
    const hid_t space = H5Dget_space(set);
    hsize_t size[2] = {0, 1};
    const int rank = columns > 1 ? 2 : 1;
    const bool good = space >= 0 && H5Sget_simple_extent_ndims(space) == rank &&
                      H5Sget_simple_extent_dims(space, size, NULL) == rank && size[1] == columns;
    if (space >= 0) H5Sclose(space);
    return good ? size[0] : 0;
}

static bool read_rows(hid_t set, hsize_t columns, hsize_t first, hsize_t count, double* out)
{
    if (count == 0) return true;
    const int rank = columns > 1 ? 2 : 1;
    const hsize_t from[2] = {first, 0}, size[2] = {count, columns}, rows = rows_of(set, columns);
    if (first > rows || count > rows - first) return false;
    const hid_t space = H5Dget_space(set), memory = H5Screate_simple(rank, size, NULL);
    const bool good = space >= 0 && memory >= 0 &&
                      H5Sselect_hyperslab(space, H5S_SELECT_SET, from, NULL, size, NULL) >= 0 &&
                      H5Dread(set, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, out) >= 0;
    if (space >= 0) H5Sclose(space);
    if (memory >= 0) H5Sclose(memory);
    return good;
}

static bool open_sets(kai_skins_read* s)
{
    s->file = H5Fopen(s->path, H5F_ACC_RDONLY, H5P_DEFAULT);
    if (s->file < 0) {
        // A file that was killed opens only as readers of a growing one open it.
        const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
        H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
        s->file = H5Fopen(s->path, H5F_ACC_RDONLY | H5F_ACC_SWMR_READ, access);
        H5Pclose(access);
    }
    if (s->file < 0) return false;
    const hid_t values = H5Dopen2(s->file, "VTKHDF/Steps/Values", H5P_DEFAULT);
    s->position = H5Dopen2(s->file, "VTKHDF/Points", H5P_DEFAULT);
    bool good = values >= 0 && s->position >= 0;
    if (good) {
        hsize_t frames = rows_of(values, 1);
        const hsize_t points = rows_of(s->position, 3);
        if (s->vertices > 0 && frames > points / s->vertices) frames = points / s->vertices;
        s->frames = (size_t)frames;
        s->times = calloc(s->frames + 1, sizeof *s->times);
        good = s->times != NULL && read_rows(values, 1, 0, frames, s->times);
    }
    if (values >= 0) H5Dclose(values);
    return good;
}

kai_result kai_skins_read_open(kai_skins_read** out, const char* path, size_t vertices,
                               kai_error* err)
{
    *out = NULL;
    kai_skins_read* s = calloc(1, sizeof *s);
    if (s != NULL) s->path = strdup(path);
    if (s == NULL || s->path == NULL) {
        free(s);
        return kai_error_set(err, KAI_ERROR_MEMORY, "%s: no memory", path);
    }
    s->file = s->position = -1;
    s->vertices = vertices;
    kai_h5_scope scope;
    kai_h5_begin(&scope);
    const bool good = open_sets(s);
    kai_h5_end(&scope);
    if (!good) {
        kai_skins_read_close(s);
        return malformed(path, err);
    }
    *out = s;
    return KAI_OK;
}

size_t kai_skins_read_frames(const kai_skins_read* s) { return s->frames; }

const double* kai_skins_read_times(const kai_skins_read* s) { return s->times; }

kai_result kai_skins_read_positions(kai_skins_read* s, size_t k, double* out, kai_error* err)
{
    if (k >= s->frames) return malformed(s->path, err);
    kai_h5_scope scope;
    kai_h5_begin(&scope);
    const bool good = read_rows(s->position, 3, (hsize_t)k * s->vertices, s->vertices, out);
    kai_h5_end(&scope);
    return good ? KAI_OK : malformed(s->path, err);
}

kai_result kai_skins_read_field(kai_skins_read* s, size_t k, const char* name, size_t first,
                                size_t count, double* out, kai_error* err)
{
    char path[320];
    const int used = snprintf(path, sizeof path, "VTKHDF/PointData/%s", name);
    if (k >= s->frames || used < 0 || (size_t)used >= sizeof path || first > s->vertices ||
        count > s->vertices - first)
        return malformed(s->path, err);
    kai_h5_scope scope;
    kai_h5_begin(&scope);
    bool good = kai_h5_has(s->file, path);
    const hid_t set = good ? H5Dopen2(s->file, path, H5P_DEFAULT) : -1;
    good = set >= 0 && read_rows(set, 1, (hsize_t)k * s->vertices + first, count, out);
    if (set >= 0) H5Dclose(set);
    kai_h5_end(&scope);
    return good ? KAI_OK : malformed(s->path, err);
}

void kai_skins_read_close(kai_skins_read* s)
{
    if (s == NULL) return;
    kai_h5_scope scope;
    kai_h5_begin(&scope);
    if (s->position >= 0) H5Dclose(s->position);
    if (s->file >= 0) H5Fclose(s->file);
    kai_h5_end(&scope);
    free(s->times);
    free(s->path);
    free(s);
}
