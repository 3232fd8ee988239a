// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "view/live_frames.h"

#include "base/parallel.h"
#include "view/codec.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { HEADER = 24, FRESH = 4, BLOCK = 4096 };

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
    if (good) return KAI_OK;
    kai_live_frames_free(f);
    return kai_error_set(err, KAI_ERROR_MEMORY, "no memory for frames of %zu bodies",
                         movers->count);
}

typedef struct writing {
    const kai_movers* movers;
    const kai_world* world;
    kai_vec3 origin;
    float* position;   // [movers][3]
    int16_t* rotation; // [rotated][4]
} writing;

static int16_t rounded(double c)
{
    const double v = rint(c / KAI_CODEC_ROTATION_STEP);
    return fabs(v) < 32767.0 ? (int16_t)v : 0; // NaN too
}

// Movers [begin, end), from where bodies are to where the message is.
static void write_range(size_t begin, size_t end, int worker, void* context)
{
    (void)worker;
    const writing* w = context;
    const kai_bodies* bodies = &w->world->bodies;
    const kai_bodies_entry* entries = bodies->entries.data;
    const bool shifted = bodies->offsets.items.count > 0;
    for (size_t i = begin; i < end; i++) {
        const kai_bodies_entry* entry = &entries[w->movers->id[i] - 1];
        if (!entry->used) continue;
        const size_t slot = entry->slot;
        kai_frame frame = {bodies->pose[slot].position, bodies->pose[slot].rotation};
        if (shifted && bodies->cold[slot].offset != 0)
            frame = kai_frame_compose(frame, kai_bodies_offset(bodies, slot));
        w->position[3 * i] = (float)(frame.position.x - w->origin.x);
        w->position[3 * i + 1] = (float)(frame.position.y - w->origin.y);
        w->position[3 * i + 2] = (float)(frame.position.z - w->origin.z);
        if (i >= w->movers->rotated) continue;
        w->rotation[4 * i] = rounded(frame.rotation.w);
        w->rotation[4 * i + 1] = rounded(frame.rotation.x);
        w->rotation[4 * i + 2] = rounded(frame.rotation.y);
        w->rotation[4 * i + 3] = rounded(frame.rotation.z);
    }
}

void kai_live_frames_write(kai_live_frames* f, const kai_world* world)
{
    const kai_movers* m = f->movers;
    unsigned char* to = f->buffer[f->back] + KAI_SERVER_ROOM;
    const uint32_t magic = KAI_LIVE_FRAMES_MAGIC, number = ++f->written,
                   counts[2] = {(uint32_t)m->count, (uint32_t)m->rotated};
    const double time = kai_world_time(world);
    memcpy(to, &magic, 4);
    memcpy(to + 4, &number, 4);
    memcpy(to + 8, &time, 8);
    memcpy(to + 16, counts, 8);
    writing w = {.movers = m,
                 .world = world,
                 .origin = f->origin,
                 .position = (float*)(void*)(to + HEADER),
                 .rotation = (int16_t*)(void*)(to + HEADER + 12 * m->count)};
    kai_parallel_for(world->threads, m->count, BLOCK, write_range, &w);
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
    memset(f->buffer, 0, sizeof f->buffer);
}
