// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Going on with a trajectory: its first frames are read, whatever state a kill left the file in,
// and written to a new file that then takes its name.
#include "record/file.h"
#include "record/h5.h"
#include "record/trajectory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// An old file and one frame of it.
typedef struct source {
    hid_t file;
    hid_t position, rotation, velocity, id;
    hsize_t points; // rows of each of them
    double* times;
    int64_t* offsets; // row of each frame's first point
    int64_t* parts;   // each frame's row of sizes
    int64_t* sizes;   // points of each part
    size_t frames, part_count;
    double* numbers; // [10 * capacity]
    uint32_t* ids;   // [capacity]
    size_t capacity;
} source;

static kai_result malformed(kai_error* err, const char* path)
{
    return kai_error_set(
        err, KAI_ERROR_FORMAT,
        "%s: cannot be read as a trajectory; remove it to go on without its frames", path);
}

// A finished file is opened as any; one that was killed only as readers of a growing file do.
static hid_t open_old(const char* path)
{
    const hid_t plain = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    if (plain >= 0) return plain;
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
    const hid_t file = H5Fopen(path, H5F_ACC_RDONLY | H5F_ACC_SWMR_READ, access);
    H5Pclose(access);
    return file;
}

// Reads rows [start, start + count) of a dataset with `columns` columns.
static bool read_rows(hid_t set, int rank, hsize_t columns, hid_t type, hsize_t start,
                      hsize_t count, void* out)
{
    if (count == 0) return true;
    const hsize_t from[2] = {start, 0}, size[2] = {count, columns};
    const hid_t space = H5Dget_space(set), memory = H5Screate_simple(rank, size, NULL);
    const bool good = space >= 0 && memory >= 0 &&
                      H5Sselect_hyperslab(space, H5S_SELECT_SET, from, NULL, size, NULL) >= 0 &&
                      H5Dread(set, type, memory, space, H5P_DEFAULT, out) >= 0;
    if (space >= 0) H5Sclose(space);
    if (memory >= 0) H5Sclose(memory);
    return good;
}

// Opens a dataset of `columns` columns; `*rows` receives its length.
static hid_t open_set(hid_t file, const char* path, int rank, hsize_t columns, hsize_t* rows)
{
    const hid_t set = H5Dopen2(file, path, H5P_DEFAULT);
    if (set < 0) return -1;
    hsize_t size[2] = {0, 1};
    const hid_t space = H5Dget_space(set);
    const bool good = space >= 0 && H5Sget_simple_extent_ndims(space) == rank &&
                      H5Sget_simple_extent_dims(space, size, NULL) == rank &&
                      (rank == 1 || size[1] == columns);
    if (space >= 0) H5Sclose(space);
    *rows = size[0];
    if (good) return set;
    H5Dclose(set);
    return -1;
}

// A whole list of numbers, in a new block.
static void* read_list(hid_t file, const char* path, hid_t type, size_t most, size_t* count)
{
    hsize_t rows = 0;
    const hid_t set = open_set(file, path, 1, 1, &rows);
    if (set < 0) return NULL;
    if (rows > most) rows = most;
    void* data = calloc((size_t)rows + 1, 8);
    if (data != NULL && !read_rows(set, 1, 1, type, 0, rows, data)) {
        free(data);
        data = NULL;
    }
    *count = (size_t)rows;
    H5Dclose(set);
    return data;
}

static bool open_source(source* s, uint64_t frames)
{
    const size_t most = frames < (1u << 30) ? (size_t)frames : 1u << 30;
    size_t offsets = 0, parts = 0;
    s->times = read_list(s->file, "VTKHDF/Steps/Values", H5T_NATIVE_DOUBLE, most, &s->frames);
    s->offsets = read_list(s->file, "VTKHDF/Steps/PointOffsets", H5T_NATIVE_INT64, most, &offsets);
    s->parts = read_list(s->file, "VTKHDF/Steps/PartOffsets", H5T_NATIVE_INT64, most, &parts);
    s->sizes =
        read_list(s->file, "VTKHDF/NumberOfPoints", H5T_NATIVE_INT64, 1u << 30, &s->part_count);
    hsize_t a = 0, b = 0, c = 0, d = 0;
    s->position = open_set(s->file, "VTKHDF/Points", 2, 3, &a);
    s->rotation = open_set(s->file, "VTKHDF/PointData/rotation", 2, 4, &b);
    s->velocity = open_set(s->file, "VTKHDF/PointData/velocity", 2, 3, &c);
    s->id = open_set(s->file, "VTKHDF/PointData/id", 1, 1, &d);
    s->points = a < b ? a : b;
    if (c < s->points) s->points = c;
    if (d < s->points) s->points = d;
    return s->times && s->offsets && s->parts && s->sizes && s->frames == frames &&
           offsets == frames && parts == frames && s->position >= 0 && s->rotation >= 0 &&
           s->velocity >= 0 && s->id >= 0;
}

static void close_source(source* s)
{
    const hid_t sets[] = {s->position, s->rotation, s->velocity, s->id};
    for (size_t i = 0; i < KAI_COUNT(sets); i++)
        if (sets[i] >= 0) H5Dclose(sets[i]);
    H5Fclose(s->file);
    free(s->times);
    free(s->offsets);
    free(s->parts);
    free(s->sizes);
    free(s->numbers);
    free(s->ids);
}

static kai_result read_frame(source* s, size_t k, kai_trajectory_frame* frame, const char* path,
                             kai_error* err)
{
    const int64_t part = s->parts[k], start = s->offsets[k];
    if (part < 0 || (uint64_t)part >= s->part_count || start < 0 || s->sizes[part] < 0 ||
        (uint64_t)start > s->points || (uint64_t)s->sizes[part] > s->points - (uint64_t)start)
        return malformed(err, path);
    const size_t n = (size_t)s->sizes[part];
    if (n > s->capacity || s->numbers == NULL) {
        free(s->numbers);
        free(s->ids);
        s->numbers = malloc((10 * n + 1) * sizeof *s->numbers);
        s->ids = malloc((n + 1) * sizeof *s->ids);
        s->capacity = n;
        if (s->numbers == NULL || s->ids == NULL)
            return kai_error_set(err, KAI_ERROR_MEMORY, "%s: no memory", path);
    }
    double *x = s->numbers, *q = x + 3 * n, *v = q + 4 * n;
    const hsize_t from = (hsize_t)start;
    if (!read_rows(s->position, 2, 3, H5T_NATIVE_DOUBLE, from, n, x) ||
        !read_rows(s->rotation, 2, 4, H5T_NATIVE_DOUBLE, from, n, q) ||
        !read_rows(s->velocity, 2, 3, H5T_NATIVE_DOUBLE, from, n, v) ||
        !read_rows(s->id, 1, 1, H5T_NATIVE_UINT32, from, n, s->ids))
        return malformed(err, path);
    *frame = (kai_trajectory_frame){s->times[k], n, x, q, v, s->ids};
    return KAI_OK;
}

static kai_result copy_frames(kai_trajectory* to, const char* path, uint64_t frames, kai_error* err)
{
    source s = {.position = -1, .rotation = -1, .velocity = -1, .id = -1};
    kai_h5_scope scope;
    kai_h5_begin(&scope);
    s.file = open_old(path);
    bool good = s.file >= 0 && open_source(&s, frames);
    kai_h5_end(&scope);
    kai_result r = good ? KAI_OK : malformed(err, path);
    for (size_t k = 0; r == KAI_OK && k < s.frames; k++) {
        kai_trajectory_frame frame;
        kai_h5_begin(&scope);
        r = read_frame(&s, k, &frame, path, err);
        kai_h5_end(&scope);
        if (r == KAI_OK) r = kai_trajectory_add(to, &frame, err);
    }
    kai_h5_begin(&scope);
    if (s.file >= 0) close_source(&s);
    kai_h5_end(&scope);
    return r == KAI_OK ? kai_trajectory_flush(to, true, err) : r;
}

kai_result kai_trajectory_resume(kai_trajectory** out, const char* path, const kai_world* world,
                                 const kai_trajectory_def* def, const char* scene, uint64_t frames,
                                 kai_error* err)
{
    const size_t size = strlen(path) + sizeof ".tmp";
    char* aside = malloc(size);
    *out = NULL;
    if (aside == NULL) return kai_error_set(err, KAI_ERROR_MEMORY, "%s: no memory", path);
    snprintf(aside, size, "%s.tmp", path);
    kai_trajectory* t = NULL;
    kai_result r = kai_trajectory_create(&t, aside, world, def, scene, err);
    if (r == KAI_OK) r = copy_frames(t, path, frames, err);
    if (r == KAI_OK) r = kai_trajectory_rename(t, path, err);
    if (r == KAI_OK) {
        *out = t;
    } else {
        kai_trajectory_close(t, true, NULL);
        unlink(aside);
    }
    free(aside);
    return r;
}
