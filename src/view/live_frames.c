// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "view/live_frames.h"

#include "base/parallel.h"
#include "model/render_mesh.h"
#include "view/codec.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { HEADER = 24, PART = 8, FRESH = 4, BLOCK = 4096 };

// Bytes of where things are.
static size_t least_of(const kai_live_frames* f)
{
    return HEADER + 12 * f->movers->count + 8 * f->movers->rotated;
}

// Numbers of the largest mesh's fields, which are gathered mesh by mesh.
static size_t field_room(const kai_world* world)
{
    size_t most = 0;
    for (size_t k = 0; k < kai_render_mesh_count(world); k++) {
        kai_render_mesh m;
        kai_render_mesh_describe(world, k, &m);
        if (m.field_count * m.vertex_count > most) most = m.field_count * m.vertex_count;
    }
    return most;
}

kai_result kai_live_frames_init(kai_live_frames* f, const kai_movers* movers,
                                const kai_world* world, kai_vec3 origin, kai_error* err)
{
    *f = (kai_live_frames){.movers = movers, .origin = origin, .back = 0, .front = 2};
    atomic_init(&f->middle, 1);
    f->vertices = kai_render_mesh_vertices(world);
    f->slots = malloc((movers->count + 1) * sizeof *f->slots);
    f->numbers = malloc((3 * f->vertices + field_room(world) + 1) * sizeof *f->numbers);
    bool good = f->slots != NULL && f->numbers != NULL;
    for (int i = 0; i < 3; i++) {
        f->capacity[i] = least_of(f);
        f->buffer[i] = calloc(1, KAI_SERVER_ROOM + f->capacity[i]);
        good = good && f->buffer[i] != NULL;
    }
    if (good) return KAI_OK;
    kai_live_frames_free(f);
    return kai_error_set(err, KAI_ERROR_MEMORY, "no memory for frames of %zu bodies",
                         movers->count);
}

// Where things are -------------------------------------------------------------------------------

typedef struct writing {
    const kai_movers* movers;
    const kai_world* world;
    kai_vec3 origin;
    float* position;   // [movers][3]
    int16_t* rotation; // [rotated][4]
} writing;

static int16_t live_frames_rounded(double c)
{
    const double v = rint(c / KAI_CODEC_ROTATION_STEP);
    return fabs(v) < 32767.0 ? (int16_t)v : 0; // NaN too
}

// Movers [begin, end), from where bodies are to where the message is.
static void write_range(size_t begin, size_t end, void* context)
{
    const writing* w = context;
    const kai_bodies* bodies = &w->world->bodies;
    const kai_bodies_entry* entries = bodies->entries.data;
    const bool shifted = bodies->offsets.items.count > 0;
    for (size_t i = begin; i < end; i++) {
        const kai_bodies_entry* entry = &entries[w->movers->id[i] - 1];
        if (!entry->used) continue;
        const size_t slot = entry->slot;
        kai_frame frame = {bodies->pose[slot].position, bodies->pose[slot].rotation};
        if (shifted && kai_bodies_is_offset(bodies, slot))
            frame = kai_frame_compose(frame, kai_bodies_offset(bodies, slot));
        w->position[3 * i] = (float)(frame.position.x - w->origin.x);
        w->position[3 * i + 1] = (float)(frame.position.y - w->origin.y);
        w->position[3 * i + 2] = (float)(frame.position.z - w->origin.z);
        if (i >= w->movers->rotated) continue;
        w->rotation[4 * i] = live_frames_rounded(frame.rotation.w);
        w->rotation[4 * i + 1] = live_frames_rounded(frame.rotation.x);
        w->rotation[4 * i + 2] = live_frames_rounded(frame.rotation.y);
        w->rotation[4 * i + 3] = live_frames_rounded(frame.rotation.z);
    }
}

static void write_places(kai_live_frames* f, const kai_world* world, uint32_t number)
{
    const kai_movers* m = f->movers;
    unsigned char* to = f->buffer[f->back] + KAI_SERVER_ROOM;
    const uint32_t magic = KAI_LIVE_FRAMES_MAGIC,
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
    f->size[f->back] = least_of(f);
}

// Parts ------------------------------------------------------------------------------------------

// Begins a part of so many bytes, rounded up to whole words; NULL where there is no memory.
static unsigned char* begin_part(kai_live_frames* f, uint32_t tag, size_t bytes)
{
    const int b = f->back;
    const size_t whole = (bytes + 3) & ~(size_t)3, needed = f->size[b] + PART + whole;
    if (whole > UINT32_MAX) return NULL;
    if (needed > f->capacity[b]) {
        const size_t capacity = needed + needed / 2;
        unsigned char* larger = realloc(f->buffer[b], KAI_SERVER_ROOM + capacity);
        if (larger == NULL) return NULL;
        f->buffer[b] = larger;
        f->capacity[b] = capacity;
    }
    unsigned char* to = f->buffer[b] + KAI_SERVER_ROOM + f->size[b];
    const uint32_t size = (uint32_t)whole;
    memcpy(to, &tag, 4);
    memcpy(to + 4, &size, 4);
    memset(to + PART, 0, whole);
    f->size[b] = needed;
    return to + PART;
}

// The vertices of deforming meshes, and with them their fields, [vertices] each, of which those
// named `name` go to `numbers`, where that is not NULL.
static void gather_render_meshes(kai_live_frames* f, kai_world* world, const char* name,
                                 float* numbers)
{
    double *position = f->numbers, *spare = position + 3 * f->vertices;
    size_t first = 0;
    for (size_t k = 0; k < kai_render_mesh_count(world); k++) {
        kai_render_mesh m;
        double* fields[KAI_RENDER_MESH_FIELDS];
        kai_render_mesh_describe(world, k, &m);
        if (m.vertex_count > f->vertices - first) return;
        for (size_t i = 0; i < m.field_count; i++) fields[i] = spare + i * m.vertex_count;
        kai_render_mesh_gather(world, k, position + 3 * first, fields);
        for (size_t i = 0; numbers != NULL && i < m.field_count; i++) {
            if (strcmp(m.fields[i].name, name) != 0) continue;
            for (size_t v = 0; v < m.vertex_count; v++) numbers[first + v] = (float)fields[i][v];
        }
        first += m.vertex_count;
    }
}

static void write_vertices(kai_live_frames* f, kai_world* world)
{
    if (f->vertices == 0) return;
    float* to = (float*)(void*)begin_part(f, KAI_LIVE_FRAMES_VERTICES, 12 * f->vertices);
    if (to == NULL) return;
    const double origin[3] = {f->origin.x, f->origin.y, f->origin.z};
    gather_render_meshes(f, world, "", NULL);
    for (size_t i = 0; i < 3 * f->vertices; i++) to[i] = (float)(f->numbers[i] - origin[i % 3]);
}

// u32 count, u32 whether forces are there, f32 points, f32 gaps, f32 forces, i16 normals.
static void write_contacts(kai_live_frames* f, kai_world* world)
{
    kai_trajectory_contacts c;
    if (kai_trajectory_contacts_gather(&f->contacts, world, &c, NULL) != KAI_OK) return;
    const uint32_t head[2] = {(uint32_t)c.count, c.force != NULL};
    const size_t n = c.count;
    unsigned char* to =
        begin_part(f, KAI_LIVE_FRAMES_CONTACTS, 8 + n * (c.force != NULL ? 34u : 22u));
    if (to == NULL) return;
    memcpy(to, head, 8);
    float *point = (float*)(void*)(to + 8), *gap = point + 3 * n, *force = gap + n;
    int16_t* normal = (int16_t*)(void*)(c.force != NULL ? force + 3 * n : force);
    const double origin[3] = {f->origin.x, f->origin.y, f->origin.z};
    for (size_t i = 0; i < 3 * n; i++) {
        point[i] = (float)(c.point[i] - origin[i % 3]);
        if (c.force != NULL) force[i] = (float)c.force[i];
        const double along = 32767.0 * c.normal[i];
        normal[i] = fabs(along) <= 32767.5 ? (int16_t)lrint(along) : 0; // NaN too
    }
    for (size_t i = 0; i < n; i++) gap[i] = (float)c.gap[i];
}

static void list_slots(kai_live_frames* f, const kai_world* world)
{
    const kai_bodies_entry* entries = world->bodies.entries.data;
    for (size_t i = 0; i < f->movers->count; i++) {
        const kai_bodies_entry* entry = &entries[f->movers->id[i] - 1];
        f->slots[i] = entry->used ? (uint32_t)entry->slot : UINT32_MAX;
    }
}

// u32 length of the name in whole words, the name, f32 of each mover, f32 of each vertex.
static void write_field(kai_live_frames* f, kai_world* world, const char* name)
{
    const size_t movers = f->movers->count;
    const uint32_t length = (uint32_t)((strlen(name) + 3) & ~(size_t)3);
    size_t field = 0;
    while (field < KAI_TRAJECTORY_FIELD_COUNT &&
           strcmp(name, kai_trajectory_fields_word(field)) != 0)
        field++;
    const bool known = field < KAI_TRAJECTORY_FIELD_COUNT;
    if (known &&
        kai_trajectory_fields_look(&f->fields, world, UINT32_C(1) << field, NULL) != KAI_OK)
        return;
    unsigned char* to =
        begin_part(f, KAI_LIVE_FRAMES_FIELD, 4 + length + 4 * (movers + f->vertices));
    if (to == NULL) return;
    memcpy(to, &length, 4);
    memcpy(to + 4, name, strlen(name));
    float* numbers = (float*)(void*)(to + 4 + length);
    for (size_t i = 0; i < movers + f->vertices; i++) numbers[i] = (float)NAN;
    list_slots(f, world);
    if (known)
        kai_trajectory_fields_gather(&f->fields, world, field, f->slots, movers, false, numbers);
    if (f->vertices > 0) gather_render_meshes(f, world, name, numbers + movers);
}

void kai_live_frames_write(kai_live_frames* f, kai_world* world, const kai_live_frames_wish* wish)
{
    const uint32_t number = ++f->written;
    write_places(f, world, number);
    write_vertices(f, world);
    if (wish->contacts) write_contacts(f, world);
    for (size_t i = 0; i < wish->field_count; i++) write_field(f, world, wish->fields[i]);
    f->number[f->back] = number;
    f->back = atomic_exchange(&f->middle, f->back | FRESH) & 3;
}

unsigned char* kai_live_frames_read(kai_live_frames* f, uint32_t* number, size_t* size)
{
    if (atomic_load(&f->middle) & FRESH) f->front = atomic_exchange(&f->middle, f->front) & 3;
    *number = f->number[f->front];
    *size = f->size[f->front];
    return *number > 0 ? f->buffer[f->front] : NULL;
}

void kai_live_frames_free(kai_live_frames* f)
{
    for (int i = 0; i < 3; i++) free(f->buffer[i]);
    memset(f->buffer, 0, sizeof f->buffer);
    kai_trajectory_contacts_free(&f->contacts);
    kai_trajectory_fields_free(&f->fields);
    free(f->slots);
    free(f->numbers);
    f->slots = NULL;
    f->numbers = NULL;
}
