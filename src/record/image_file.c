// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "record/image_file.h"

#include "model/id.h"
#include "model/world.h"
#include "record/file.h"
#include "record/image_read.h"
#include "record/trajectory/vtkhdf.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SET_IMAGES, SET_FRAME, SET_TIME };
enum { COMPRESSION = 4, CHUNK_BYTES = 1 << 16 };

struct kai_image_file {
    kai_vtkhdf vtk;
    kai_sensor sensor;
    uint32_t rows, columns;
};

// Where the sensor of an instance is: of kinds of the user's own that have no place, the origin.
static kai_frame frame_of(const kai_world* world, const kai_sensor_kind* kind, const void* instance)
{
    kai_sensor_place place = {.rotation = kai_quat_identity()};
    const kai_param* body = kai_kind_param(&kind->kind, "body");
    const kai_param* at = kai_kind_param(&kind->kind, "at");
    const kai_param* rotation = kai_kind_param(&kind->kind, "rotation");
    const char* from = instance;
    if (body && body->type == KAI_PARAM_BODY)
        memcpy(&place.body, from + body->offset, sizeof place.body);
    if (at && at->type == KAI_PARAM_VEC3) memcpy(&place.at, from + at->offset, sizeof place.at);
    if (rotation && rotation->type == KAI_PARAM_ROTATION)
        memcpy(&place.rotation, from + rotation->offset, sizeof place.rotation);
    return kai_sensor_frame(world, &place);
}

// Making a file ----------------------------------------------------------------------------------

// Numbers of the kind that say how pixels lie in space.
static kai_result write_numbers(const kai_image_file* f, const kai_kind* kind, const void* instance,
                                kai_error* err)
{
    static const char* const NAMES[] = {"horizontal", "vertical", "field_of_view", "range"};
    for (size_t i = 0; i < KAI_COUNT(NAMES); i++) {
        const kai_param* p = kai_kind_param(kind, NAMES[i]);
        if (!p || p->type != KAI_PARAM_REAL) continue;
        KAI_TRY(kai_h5_write_attribute(f->vtk.file, NAMES[i], KAI_NUMBER_F64, kai_kind_repeats(p),
                                       (const char*)instance + p->offset, err));
    }
    return KAI_OK;
}

static kai_result image_file_describe(const kai_image_file* f, const kai_world* world,
                                      kai_error* err)
{
    const kai_sensor_kind* kind;
    const void* instance;
    const hid_t root = f->vtk.file;
    KAI_TRY(kai_sensor_get(world, f->sensor, &kind, &instance));
    KAI_TRY(kai_h5_write_text(root, "sensor", kai_sensor_name(world, f->sensor), err));
    KAI_TRY(kai_h5_write_text(root, "kind", kind->kind.name, err));
    KAI_TRY(kai_h5_write_text(root, "quantity", kind->pixel->name, err));
    KAI_TRY(kai_h5_write_text(root, "unit", kind->pixel->unit, err));
    return write_numbers(f, &kind->kind, instance, err);
}

static kai_result make_file(kai_image_file* f, const char* path, const kai_world* world,
                            kai_error* err)
{
    const size_t bytes = (size_t)f->rows * f->columns * sizeof(float);
    const kai_vtkhdf_def sets[] = {{.path = "images",
                                    .columns = f->rows,
                                    .depth = f->columns,
                                    .number = KAI_NUMBER_F32,
                                    .chunk_rows = bytes < CHUNK_BYTES ? CHUNK_BYTES / bytes : 1,
                                    .compression = COMPRESSION},
                                   {.path = "frame",
                                    .columns = KAI_IMAGE_FILE_FRAME,
                                    .number = KAI_NUMBER_F64,
                                    .chunk_rows = KAI_VTKHDF_STEP_ROWS},
                                   {.path = "time",
                                    .columns = 1,
                                    .number = KAI_NUMBER_F64,
                                    .chunk_rows = KAI_VTKHDF_STEP_ROWS}};
    KAI_TRY(kai_vtkhdf_make(&f->vtk, path, (uint64_t)1 << 16, err));
    for (size_t i = 0; i < KAI_COUNT(sets); i++) KAI_TRY(kai_vtkhdf_add(&f->vtk, &sets[i], err));
    KAI_TRY(image_file_describe(f, world, err));
    return kai_vtkhdf_start(&f->vtk, SET_TIME, err);
}

static kai_result image_file_create(kai_image_file** out, const char* path, const kai_world* world,
                                    kai_sensor sensor, kai_error* err)
{
    kai_image_file* f = calloc(1, sizeof *f);
    *out = NULL;
    if (f == NULL) return kai_file_no_memory(path, err);
    f->vtk.file = -1;
    f->sensor = sensor;
    kai_result r = kai_sensor_image_size(world, sensor, &f->rows, &f->columns);
    if (r == KAI_OK) r = kai_h5_room(path, err);
    if (r == KAI_OK) {
        kai_h5_begin();
        r = make_file(f, path, world, err);
        kai_h5_end();
    }
    if (r == KAI_OK)
        *out = f;
    else
        kai_image_file_close(f, true, NULL);
    return r;
}

// Images -----------------------------------------------------------------------------------------

// After the pixels.
static kai_result end_image(kai_image_file* f, const double frame[KAI_IMAGE_FILE_FRAME],
                            double time, kai_error* err)
{
    kai_vtkhdf_reals(&f->vtk, SET_FRAME, frame, KAI_IMAGE_FILE_FRAME);
    kai_vtkhdf_reals(&f->vtk, SET_TIME, &time, 1);
    return kai_vtkhdf_push(&f->vtk, err);
}

kai_result kai_image_file_add(kai_image_file* f, kai_world* world, kai_error* err)
{
    const kai_sensor_kind* kind;
    const void* instance;
    float* pixels = kai_vtkhdf_room(&f->vtk, SET_IMAGES, 1);
    if (pixels == NULL) return kai_file_no_memory(f->vtk.path, err);
    kai_result r = kai_sensor_measure_image(world, f->sensor, pixels, (size_t)f->rows * f->columns);
    if (r == KAI_OK) r = kai_sensor_get(world, f->sensor, &kind, &instance);
    if (r != KAI_OK) {
        if (err != NULL) *err = world->error;
        return r;
    }
    const kai_frame at = frame_of(world, kind, instance);
    const double frame[KAI_IMAGE_FILE_FRAME] = {at.position.x, at.position.y, at.position.z,
                                                at.rotation.w, at.rotation.x, at.rotation.y,
                                                at.rotation.z};
    return end_image(f, frame, world->time, err);
}

// The first images of an older file.
static kai_result copy_images(kai_image_file* f, const char* path, uint64_t frames, kai_error* err)
{
    kai_image_read* from = NULL;
    KAI_TRY(kai_image_read_open(&from, path, err));
    const kai_image_info info = kai_image_read_info(from);
    kai_result r = KAI_OK;
    if (info.rows != f->rows || info.columns != f->columns || info.frames < frames)
        r = kai_error_set(err, KAI_ERROR_FORMAT,
                          "%s: has %zu images of %u x %u; the checkpoint has %llu of %u x %u", path,
                          info.frames, info.rows, info.columns, (unsigned long long)frames, f->rows,
                          f->columns);
    for (size_t k = 0; r == KAI_OK && k < frames; k++) {
        float* pixels = kai_vtkhdf_room(&f->vtk, SET_IMAGES, 1);
        double frame[KAI_IMAGE_FILE_FRAME];
        r = pixels == NULL ? kai_file_no_memory(path, err)
                           : kai_image_read_image(from, k, pixels, frame, err);
        if (r == KAI_OK) r = end_image(f, frame, info.times[k], err);
    }
    kai_image_read_close(from);
    return r == KAI_OK ? kai_vtkhdf_flush(&f->vtk, true, err) : r;
}

kai_result kai_image_file_create(kai_image_file** out, const char* path, const kai_world* world,
                                 kai_sensor sensor, uint64_t frames, kai_error* err)
{
    if (frames == 0) return image_file_create(out, path, world, sensor, err);
    char* aside = kai_file_aside(path);
    *out = NULL;
    if (aside == NULL) return kai_file_no_memory(path, err);
    kai_image_file* f = NULL;
    kai_result r = image_file_create(&f, aside, world, sensor, err);
    if (r == KAI_OK) r = copy_images(f, path, frames, err);
    if (r == KAI_OK) r = kai_vtkhdf_rename(&f->vtk, path, err);
    if (r == KAI_OK) {
        *out = f;
    } else {
        kai_image_file_close(f, true, NULL);
        unlink(aside);
    }
    free(aside);
    return r;
}

kai_result kai_image_file_flush(kai_image_file* f, bool sync, kai_error* err)
{
    return kai_vtkhdf_flush(&f->vtk, sync, err);
}

kai_result kai_image_file_close(kai_image_file* f, bool discard, kai_error* err)
{
    if (f == NULL) return KAI_OK;
    const kai_result r = f->vtk.path != NULL ? kai_vtkhdf_close(&f->vtk, discard, err) : KAI_OK;
    free(f);
    return r;
}
