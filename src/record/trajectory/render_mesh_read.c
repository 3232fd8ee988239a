// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "record/trajectory/render_mesh_read.h"

#include "record/file.h"
#include "record/h5_file.h"
#include "record/h5_set.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct kai_render_mesh_read {
    char* path;
    hid_t file, position;
    kai_h5_set points;
    size_t vertices, frames;
    double* times;
};

static kai_result render_mesh_read_malformed(const char* path, kai_error* err)
{
    return kai_error_set(err, KAI_ERROR_FORMAT, "%s: cannot be read as meshes of this run", path);
}

static bool open_sets(kai_render_mesh_read* s)
{
    hid_t values = -1;
    kai_h5_set times;
    bool good = kai_h5_set_open(s->file, "VTKHDF/Steps/Values", 1, 1, H5T_NATIVE_DOUBLE, &values,
                                &times, NULL) == KAI_OK &&
                kai_h5_set_open(s->file, "VTKHDF/Points", 2, 3, H5T_NATIVE_DOUBLE, &s->position,
                                &s->points, NULL) == KAI_OK;
    if (good) {
        hsize_t frames = times.stored;
        if (s->vertices > 0 && frames > s->points.stored / s->vertices)
            frames = s->points.stored / s->vertices;
        s->frames = (size_t)frames;
        s->times = calloc(s->frames + 1, sizeof *s->times);
        good = s->times != NULL &&
               kai_h5_set_read(values, &times, H5T_NATIVE_DOUBLE, 0, frames, s->times);
    }
    if (values >= 0) H5Dclose(values);
    return good;
}

kai_result kai_render_mesh_read_open(kai_render_mesh_read** out, const char* path, size_t vertices,
                                     kai_error* err)
{
    *out = NULL;
    kai_render_mesh_read* s = calloc(1, sizeof *s);
    if (s != NULL) s->path = strdup(path);
    if (s == NULL || s->path == NULL) {
        free(s);
        return kai_file_no_memory(path, err);
    }
    s->file = s->position = -1;
    s->vertices = vertices;
    kai_h5_begin();
    kai_result r = kai_h5_file_open(path, &s->file, err);
    if (r == KAI_OK && !open_sets(s)) r = render_mesh_read_malformed(path, err);
    kai_h5_end();
    if (r != KAI_OK) {
        kai_render_mesh_read_close(s);
        return r;
    }
    *out = s;
    return KAI_OK;
}

size_t kai_render_mesh_read_frames(const kai_render_mesh_read* s) { return s->frames; }

const double* kai_render_mesh_read_times(const kai_render_mesh_read* s) { return s->times; }

kai_result kai_render_mesh_read_positions(kai_render_mesh_read* s, size_t k, double* out,
                                          kai_error* err)
{
    if (k >= s->frames) return render_mesh_read_malformed(s->path, err);
    kai_h5_begin();
    const bool good = kai_h5_set_read(s->position, &s->points, H5T_NATIVE_DOUBLE,
                                      (hsize_t)k * s->vertices, s->vertices, out);
    kai_h5_end();
    return good ? KAI_OK : render_mesh_read_malformed(s->path, err);
}

kai_result kai_render_mesh_read_field(kai_render_mesh_read* s, size_t k, const char* name,
                                      size_t first, size_t count, double* out, kai_error* err)
{
    char path[320];
    const int used = snprintf(path, sizeof path, "VTKHDF/PointData/%s", name);
    if (k >= s->frames || used < 0 || (size_t)used >= sizeof path || first > s->vertices ||
        count > s->vertices - first)
        return render_mesh_read_malformed(s->path, err);
    kai_h5_begin();
    hid_t set = -1;
    kai_h5_set shape;
    const bool good =
        kai_h5_set_open(s->file, path, 1, 1, H5T_NATIVE_DOUBLE, &set, &shape, NULL) == KAI_OK &&
        kai_h5_set_read(set, &shape, H5T_NATIVE_DOUBLE, (hsize_t)k * s->vertices + first, count,
                        out);
    if (set >= 0) H5Dclose(set);
    kai_h5_end();
    return good ? KAI_OK : render_mesh_read_malformed(s->path, err);
}

void kai_render_mesh_read_close(kai_render_mesh_read* s)
{
    if (s == NULL) return;
    kai_h5_begin();
    if (s->position >= 0) H5Dclose(s->position);
    if (s->file >= 0) H5Fclose(s->file);
    kai_h5_end();
    free(s->times);
    free(s->path);
    free(s);
}
