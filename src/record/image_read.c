// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "record/image_read.h"

#include "record/file.h"
#include "record/h5_file.h"
#include "record/h5_set.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct kai_image_read {
    char* path;
    hid_t file, images, frame;
    kai_h5_set image_shape, frame_shape;
    double* times;
    kai_image_info info;
};

static kai_result image_read_malformed(const char* path, kai_error* err)
{
    return kai_error_set(err, KAI_ERROR_FORMAT, "%s: cannot be read as images of a sensor", path);
}

// A number or two that a kind may have.
static void read_numbers(const kai_image_read* s, const char* name, size_t count, double* out)
{
    for (size_t i = 0; i < count; i++) out[i] = (double)NAN;
    if (H5Aexists(s->file, name) <= 0) return;
    double read[2];
    if (kai_h5_read_attribute(s->file, name, KAI_NUMBER_F64, count, read, NULL) == KAI_OK)
        memcpy(out, read, count * sizeof *out);
}

static bool read_texts(kai_image_read* s)
{
    kai_image_info* i = &s->info;
    read_numbers(s, "horizontal", 2, i->horizontal);
    read_numbers(s, "vertical", 2, i->vertical);
    read_numbers(s, "field_of_view", 1, &i->field_of_view);
    read_numbers(s, "range", 2, i->range);
    return kai_h5_read_text(s->file, "sensor", i->sensor, sizeof i->sensor, NULL) == KAI_OK &&
           kai_h5_read_text(s->file, "kind", i->kind, sizeof i->kind, NULL) == KAI_OK &&
           kai_h5_read_text(s->file, "quantity", i->quantity, sizeof i->quantity, NULL) == KAI_OK &&
           kai_h5_read_text(s->file, "unit", i->unit, sizeof i->unit, NULL) == KAI_OK;
}

static bool open_images(kai_image_read* s)
{
    if (!kai_h5_has(s->file, "images")) return false;
    s->images = H5Dopen2(s->file, "images", H5P_DEFAULT);
    if (s->images < 0 ||
        kai_h5_set_check(s->images, "images", false, &s->image_shape, NULL) != KAI_OK ||
        s->image_shape.rank != 3)
        return false;
    const hid_t type = H5Dget_type(s->images);
    const bool number = type >= 0 && H5Tget_class(type) == H5T_FLOAT;
    if (type >= 0) H5Tclose(type);
    s->info.rows = (uint32_t)(s->image_shape.columns / s->image_shape.inner);
    s->info.columns = (uint32_t)s->image_shape.inner;
    return number;
}

static bool open_sets(kai_image_read* s)
{
    hid_t values = -1;
    kai_h5_set times;
    bool good =
        read_texts(s) && open_images(s) &&
        kai_h5_set_open(s->file, "frame", 2, 7, H5T_NATIVE_DOUBLE, &s->frame, &s->frame_shape,
                        NULL) == KAI_OK &&
        kai_h5_set_open(s->file, "time", 1, 1, H5T_NATIVE_DOUBLE, &values, &times, NULL) == KAI_OK;
    if (good) {
        hsize_t frames = times.stored;
        if (frames > s->image_shape.stored) frames = s->image_shape.stored;
        if (frames > s->frame_shape.stored) frames = s->frame_shape.stored;
        s->info.frames = (size_t)frames;
        s->times = calloc(s->info.frames + 1, sizeof *s->times);
        good = s->times != NULL &&
               kai_h5_set_read(values, &times, H5T_NATIVE_DOUBLE, 0, frames, s->times);
        s->info.times = s->times;
    }
    if (values >= 0) H5Dclose(values);
    return good;
}

kai_result kai_image_read_open(kai_image_read** out, const char* path, kai_error* err)
{
    *out = NULL;
    kai_image_read* s = calloc(1, sizeof *s);
    if (s != NULL) s->path = strdup(path);
    if (s == NULL || s->path == NULL) {
        free(s);
        return kai_file_no_memory(path, err);
    }
    s->file = s->images = s->frame = -1;
    kai_h5_begin();
    kai_result r = kai_h5_file_open(path, &s->file, err);
    if (r == KAI_OK && !open_sets(s)) r = image_read_malformed(path, err);
    kai_h5_end();
    if (r != KAI_OK) {
        kai_image_read_close(s);
        return r;
    }
    *out = s;
    return KAI_OK;
}

kai_image_info kai_image_read_info(const kai_image_read* s) { return s->info; }

kai_result kai_image_read_image(kai_image_read* s, size_t k, float* pixels, double* frame,
                                kai_error* err)
{
    kai_h5_begin();
    const bool good = kai_h5_set_read(s->images, &s->image_shape, H5T_NATIVE_FLOAT, k, 1, pixels) &&
                      kai_h5_set_read(s->frame, &s->frame_shape, H5T_NATIVE_DOUBLE, k, 1, frame);
    kai_h5_end();
    return good ? KAI_OK : image_read_malformed(s->path, err);
}

void kai_image_read_close(kai_image_read* s)
{
    if (s == NULL) return;
    kai_h5_begin();
    if (s->images >= 0) H5Dclose(s->images);
    if (s->frame >= 0) H5Dclose(s->frame);
    if (s->file >= 0) H5Fclose(s->file);
    kai_h5_end();
    free(s->times);
    free(s->path);
    free(s);
}
