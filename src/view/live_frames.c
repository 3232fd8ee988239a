// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "view/live_frames.h"

#include "view/codec.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { HEADER = 24, FRESH = 4 };

kai_result kai_live_frames_init(kai_live_frames* f, const kai_movers* movers, kai_vec3 origin,
                                kai_error* err)
{
    *f = (kai_live_frames){.movers = movers, .origin = origin, .back = 0, .front = 2};
    atomic_init(&f->middle, 1);
    f->size = HEADER + 12 * movers->count + 8 * movers->rotated;
    bool good = true;
    for (int i = 0; i < 3; i++) {
        f->buffer[i] = calloc(1, KAI_SERVER_ROOM + f->size);
        good = good && f->buffer[i] != NULL;
    }
    f->scratch = calloc(3 * movers->count + 4 * movers->rotated + 1, sizeof *f->scratch);
    if (good && f->scratch != NULL) return KAI_OK;
    kai_live_frames_free(f);
    return kai_error_set(err, KAI_ERROR_MEMORY, "no memory for frames of %zu bodies",
                         movers->count);
}

void kai_live_frames_write(kai_live_frames* f, const kai_world* world)
{
    const kai_movers* m = f->movers;
    double *position = f->scratch, *rotation = position + 3 * m->count;
    kai_movers_gather(m, world, position, rotation);
    unsigned char* to = f->buffer[f->back] + KAI_SERVER_ROOM;
    const uint32_t magic = KAI_LIVE_FRAMES_MAGIC, number = ++f->written,
                   counts[2] = {(uint32_t)m->count, (uint32_t)m->rotated};
    const double time = kai_world_time(world);
    memcpy(to, &magic, 4);
    memcpy(to + 4, &number, 4);
    memcpy(to + 8, &time, 8);
    memcpy(to + 16, counts, 8);
    const double origin[3] = {f->origin.x, f->origin.y, f->origin.z};
    float* x = (float*)(void*)(to + HEADER);
    for (size_t i = 0; i < m->count; i++)
        for (size_t c = 0; c < 3; c++) x[3 * i + c] = (float)(position[3 * i + c] - origin[c]);
    int16_t* q = (int16_t*)(void*)(to + HEADER + 12 * m->count);
    for (size_t i = 0; i < 4 * m->rotated; i++) {
        const double v = rint(rotation[i] / KAI_CODEC_ROTATION_STEP);
        q[i] = fabs(v) < 32767.0 ? (int16_t)v : 0; // NaN too
    }
    f->number[f->back] = number;
    f->back = atomic_exchange(&f->middle, f->back | FRESH) & 3;
}

unsigned char* kai_live_frames_read(kai_live_frames* f, uint32_t* number)
{
    if (atomic_load(&f->middle) & FRESH) f->front = atomic_exchange(&f->middle, f->front) & 3;
    *number = f->number[f->front];
    return *number > 0 ? f->buffer[f->front] : NULL;
}

void kai_live_frames_free(kai_live_frames* f)
{
    for (int i = 0; i < 3; i++) free(f->buffer[i]);
    free(f->scratch);
    memset(f->buffer, 0, sizeof f->buffer);
    f->scratch = NULL;
}
