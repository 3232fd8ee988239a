// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// frames.csv: a row per body and frame, with the quantities that were asked for.
#include "base/check.h"
#include "record/csv.h"
#include "record/file.h"
#include "view/export_frames.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// What a trajectory knows of a body.
static const struct {
    const char* name;
    int components;
    const char* labels[4];
} QUANTITIES[] = {{"position", 3, {".x", ".y", ".z"}},
                  {"rotation", 4, {".w", ".x", ".y", ".z"}},
                  {"velocity", 3, {".x", ".y", ".z"}},
                  {"speed", 1, {""}},
#define FIELD(name, word, unit, text) {word, 1, {""}},
                  KAI_TRAJECTORY_FIELDS(FIELD)
#undef FIELD
};

enum { VELOCITY = 2, SPEED, FIELDS }; // these are not in every file

static const char* quantity_name(size_t i, const void* context)
{
    (void)context;
    return QUANTITIES[i].name;
}

static size_t find_quantity(const char* name)
{
    for (size_t i = 0; i < KAI_COUNT(QUANTITIES); i++)
        if (strcmp(QUANTITIES[i].name, name) == 0) return i;
    return SIZE_MAX;
}

// Which quantities, before anything is written; those of the file when none was named.
static kai_result view_export_csv_choose(const kai_view_export_def* def, size_t* list,
                                         size_t* count, kai_error* err)
{
    *count = 0;
    if (def->quantity_count == 0)
        for (size_t i = 0; i <= VELOCITY; i++) list[(*count)++] = i;
    for (size_t i = 0; i < def->quantity_count && *count < KAI_COUNT(QUANTITIES); i++) {
        const char* name = def->quantities[i];
        list[*count] = find_quantity(name);
        if (list[(*count)++] != SIZE_MAX) continue;
        const char* near = kai_text_nearest(name, KAI_COUNT(QUANTITIES), quantity_name, NULL);
        return near != NULL
                   ? kai_error_set(err, KAI_ERROR_ARGUMENT,
                                   "there is no quantity '%.64s'; did you mean '%s'?", name, near)
                   : kai_error_set(err, KAI_ERROR_ARGUMENT,
                                   "there is no quantity '%.64s'; must be position, rotation, "
                                   "velocity, speed or a field that the trajectory keeps",
                                   name);
    }
    return KAI_OK;
}

// What the file lacks is left out, unless it was asked for.
static kai_result check_there(const kai_view_export_def* def, const kai_export_frames* frames,
                              size_t* list, size_t* count, kai_error* err)
{
    const uint32_t fields = kai_trajectory_read_fields(frames->reader);
    const bool moving = kai_trajectory_read_moving(frames->reader);
    if (def->quantity_count == 0 && !moving) *count = VELOCITY;
    // Without any being named, all fields; the speed follows from velocities where there are some.
    for (size_t f = 0; def->quantity_count == 0 && f < KAI_TRAJECTORY_FIELD_COUNT; f++)
        if (fields >> f & 1) list[(*count)++] = FIELDS + f;
    for (size_t i = 0; i < *count; i++) {
        if (list[i] == SPEED && !moving && fields >> KAI_TRAJECTORY_FIELD_SPEED & 1)
            list[i] = FIELDS + KAI_TRAJECTORY_FIELD_SPEED;
        if (list[i] >= FIELDS && !(fields >> (list[i] - FIELDS) & 1))
            return kai_error_set(err, KAI_ERROR_ARGUMENT,
                                 "there is no %s in trajectory.h5; run the scene with it in "
                                 "trajectory.fields",
                                 QUANTITIES[list[i]].name);
        if ((list[i] == VELOCITY || list[i] == SPEED) && !moving)
            return kai_error_set(err, KAI_ERROR_ARGUMENT,
                                 "there is no %s: trajectory.h5 has no velocities; run the scene "
                                 "with trajectory.velocity \"always\"",
                                 QUANTITIES[list[i]].name);
    }
    return KAI_OK;
}

static void values_of(const kai_trajectory_frame* f, size_t i, size_t quantity, double* out)
{
    const double* v = f->velocity != NULL ? f->velocity + 3 * i : NULL;
    switch (quantity) {
    case 0: memcpy(out, f->position + 3 * i, 3 * sizeof *out); break;
    case 1: memcpy(out, f->rotation + 4 * i, 4 * sizeof *out); break;
    case VELOCITY: memcpy(out, v, 3 * sizeof *out); break;
    case SPEED: out[0] = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]); break;
    default: out[0] = f->fields[quantity - FIELDS][i];
    }
}

static kai_result write_frame(kai_csv* csv, const kai_export_frames* frames,
                              const kai_trajectory_frame* f, const size_t* list, size_t count,
                              kai_error* err)
{
    for (size_t i = 0; i < f->count; i++) {
        const size_t row = kai_export_frames_row(frames, f->id[i]);
        if (row == SIZE_MAX) continue;
        char number[16]; // of a body without a name
        const char* name = frames->catalog.names[row];
        snprintf(number, sizeof number, "#%u", f->id[i]);
        KAI_TRY(kai_csv_number(csv, f->time, err));
        KAI_TRY(kai_csv_cell(csv, name[0] != '\0' ? name : number, err));
        for (size_t k = 0; k < count; k++) {
            double values[4];
            values_of(f, i, list[k], values);
            for (int c = 0; c < QUANTITIES[list[k]].components; c++)
                KAI_TRY(kai_csv_number(csv, values[c], err));
        }
        KAI_TRY(kai_csv_end_row(csv, err));
    }
    return KAI_OK;
}

static kai_result write_all(kai_csv* csv, const kai_export_frames* frames, const size_t* list,
                            size_t count, kai_error* err)
{
    KAI_TRY(kai_csv_text(csv, "time,body", err));
    for (size_t k = 0; k < count; k++)
        for (int c = 0; c < QUANTITIES[list[k]].components; c++) {
            char cell[32];
            snprintf(cell, sizeof cell, "%s%s", QUANTITIES[list[k]].name,
                     QUANTITIES[list[k]].labels[c]);
            KAI_TRY(kai_csv_cell(csv, cell, err));
        }
    KAI_TRY(kai_csv_end_row(csv, err));
    for (size_t k = 0; k < kai_trajectory_read_frames(frames->reader); k += frames->every) {
        kai_trajectory_frame frame;
        KAI_TRY(kai_trajectory_read_frame(frames->reader, k, &frame, err));
        KAI_TRY(write_frame(csv, frames, &frame, list, count, err));
    }
    return KAI_OK;
}

kai_result kai_view_export_csv(const kai_view_export_def* def, kai_error* err)
{
    size_t list[KAI_COUNT(QUANTITIES)], count;
    KAI_GIVEN(err, def);
    KAI_TRY(view_export_csv_choose(def, list, &count, err));
    kai_export_frames frames;
    KAI_TRY(kai_export_frames_open(&frames, def, err));
    char* path = kai_file_join(def->output, "frames.csv");
    kai_csv csv = {.descriptor = -1};
    kai_result r = check_there(def, &frames, list, &count, err);
    if (r == KAI_OK)
        r = path != NULL ? kai_csv_open(&csv, path, 0, err)
                         : kai_error_set(err, KAI_ERROR_MEMORY, "no memory for a path");
    if (r == KAI_OK) r = write_all(&csv, &frames, list, count, err);
    if (r == KAI_OK)
        r = kai_csv_close(&csv, err);
    else
        kai_csv_abandon(&csv);
    free(path);
    kai_export_frames_close(&frames);
    return r;
}
