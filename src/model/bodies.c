// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "model/bodies.h"

#include "base/parallel.h"

#include <stdio.h>
#include <string.h>

kai_result kai_bodies_init(kai_bodies* bodies, kai_memory* memory, uint16_t world, kai_error* err)
{
    (void)err;
    memset(bodies, 0, sizeof *bodies);
    bodies->memory = memory;
    bodies->world = world;
    bodies->entries = kai_array_make(sizeof(kai_bodies_entry));
    kai_frames_init(&bodies->offsets);
    kai_names_init(&bodies->names, memory);
    return KAI_OK;
}

// Room -------------------------------------------------------------------------------------------

/// One array that grows: where its pointer is, and bytes an item.
typedef struct column {
    void** data;
    size_t size;
} column;

enum { MOST_COLUMNS = 8 };

static size_t columns_of(kai_bodies* bodies, column* columns)
{
    size_t n = 0;
#define ADD_COLUMN(name, type) columns[n++] = (column){(void**)&bodies->name, sizeof(type)};
    KAI_BODIES_FIELDS(ADD_COLUMN)
#undef ADD_COLUMN
    if (bodies->wrench) columns[n++] = (column){(void**)&bodies->wrench, sizeof(kai_wrench)};
    if (bodies->acceleration)
        columns[n++] = (column){(void**)&bodies->acceleration, sizeof(kai_wrench)};
    if (bodies->spare) columns[n++] = (column){(void**)&bodies->spare, sizeof(kai_pose)};
    return n;
}

/// Moves every array to a larger block, or none of them.
static kai_result grow(kai_bodies* bodies, size_t capacity, kai_error* err)
{
    column columns[MOST_COLUMNS];
    void* fresh[MOST_COLUMNS];
    const size_t n = columns_of(bodies, columns);
    for (size_t i = 0; i < n; i++) {
        fresh[i] = kai_memory_allocate_zeroed(bodies->memory, capacity, columns[i].size);
        if (fresh[i]) continue;
        while (i-- > 0) kai_memory_release(bodies->memory, fresh[i], capacity * columns[i].size);
        return kai_error_set(err, KAI_ERROR_MEMORY, "no memory for %zu bodies", capacity);
    }
    for (size_t i = 0; i < n; i++) {
        if (bodies->count > 0) memcpy(fresh[i], *columns[i].data, bodies->count * columns[i].size);
        kai_memory_release(bodies->memory, *columns[i].data, bodies->capacity * columns[i].size);
        *columns[i].data = fresh[i];
    }
    bodies->capacity = capacity;
    return KAI_OK;
}

kai_result kai_bodies_reserve(kai_bodies* bodies, size_t capacity, bool exact, kai_error* err)
{
    if (capacity >= UINT32_MAX)
        return kai_error_set(err, KAI_ERROR_LIMIT, "%zu bodies; at most %u", capacity,
                             UINT32_MAX - 1);
    KAI_TRY(kai_array_reserve(&bodies->entries, bodies->memory, capacity, err));
    if (capacity <= bodies->capacity) return KAI_OK;
    size_t room = capacity;
    if (!exact && room < bodies->capacity + bodies->capacity / 2)
        room = bodies->capacity + bodies->capacity / 2;
    if (room < 16) room = 16;
    return grow(bodies, room, err);
}

static kai_result need(kai_bodies* bodies, void** array, size_t size, kai_error* err)
{
    if (*array || bodies->capacity == 0) return KAI_OK;
    *array = kai_memory_allocate_zeroed(bodies->memory, bodies->capacity, size);
    return *array
               ? KAI_OK
               : kai_error_set(err, KAI_ERROR_MEMORY, "no memory for %zu bodies", bodies->capacity);
}

kai_result kai_bodies_need_wrench(kai_bodies* bodies, kai_error* err)
{
    return need(bodies, (void**)&bodies->wrench, sizeof(kai_wrench), err);
}

kai_result kai_bodies_need_acceleration(kai_bodies* bodies, kai_error* err)
{
    return need(bodies, (void**)&bodies->acceleration, sizeof(kai_wrench), err);
}

kai_result kai_bodies_need_spare(kai_bodies* bodies, kai_error* err)
{
    return need(bodies, (void**)&bodies->spare, sizeof(kai_pose), err);
}

// Bodies -----------------------------------------------------------------------------------------

static kai_bodies_entry* entry_at(const kai_bodies* bodies, uint32_t index)
{
    return (kai_bodies_entry*)bodies->entries.data + (index - 1);
}

static bool is_massless(const kai_bodies* bodies, size_t slot)
{
    return !(bodies->motion[slot].flags & KAI_BODY_FIXED) && bodies->mass[slot].inverse_mass == 0.0;
}

kai_body kai_bodies_add(kai_bodies* bodies, const kai_pose* pose, const kai_motion* motion,
                        const kai_bodies_mass* mass, const kai_bodies_cold* cold)
{
    const size_t slot = bodies->count++;
    bodies->pose[slot] = *pose;
    bodies->motion[slot] = *motion;
    bodies->mass[slot] = *mass;
    bodies->cold[slot] = *cold;
    bodies->massless += is_massless(bodies, slot);

    uint32_t index = bodies->free_head;
    if (index)
        bodies->free_head = entry_at(bodies, index)->slot;
    else
        index = (uint32_t)++bodies->entries.count;
    bodies->cold[slot].owner = index;
    kai_bodies_entry* entry = entry_at(bodies, index);
    entry->slot = (uint32_t)slot;
    entry->used = 1;
    return kai_bodies_id(bodies, slot);
}

void kai_bodies_set_mass(kai_bodies* bodies, size_t slot, double mass, kai_vec3 moments, bool fixed)
{
    bodies->massless -= is_massless(bodies, slot);
    const bool free = !fixed && mass > 0.0 && moments.x > 0.0 && moments.y > 0.0 && moments.z > 0.0;
    const uint64_t straight = bodies->motion[slot].flags & KAI_BODY_STRAIGHT,
                   node = bodies->motion[slot].flags & KAI_BODY_NODE;
    bodies->mass[slot] = (kai_bodies_mass){
        .mass = mass,
        .inverse_mass = free ? 1.0 / mass : 0.0,
        .moments = moments,
        .inverse_moments = free && !straight
                               ? kai_vec3_make(1.0 / moments.x, 1.0 / moments.y, 1.0 / moments.z)
                               : kai_vec3_zero()};
    const bool isotropic = straight || (moments.x == moments.y && moments.y == moments.z);
    bodies->motion[slot].flags =
        straight | node | (fixed ? KAI_BODY_FIXED : 0) | (isotropic ? KAI_BODY_ISOTROPIC : 0);
    bodies->massless += is_massless(bodies, slot);
}

void kai_bodies_remove(kai_bodies* bodies, size_t slot)
{
    const kai_bodies_cold cold = bodies->cold[slot];
    const size_t last = --bodies->count;
    bodies->massless -= is_massless(bodies, slot);
    kai_frames_drop(&bodies->offsets, cold.offset);
    if (cold.name) kai_names_remove(&bodies->names, cold.name);

    entry_at(bodies, bodies->cold[last].owner)->slot = (uint32_t)slot;
    column columns[MOST_COLUMNS];
    const size_t n = columns_of(bodies, columns);
    for (size_t i = 0; i < n; i++) {
        char* data = *columns[i].data;
        const size_t size = columns[i].size;
        if (slot != last) memcpy(data + slot * size, data + last * size, size);
        memset(data + last * size, 0, size);
    }

    kai_bodies_entry* entry = entry_at(bodies, cold.owner);
    entry->used = 0;
    entry->generation++;
    entry->slot = bodies->free_head;
    bodies->free_head = cold.owner;
}

typedef struct permutation {
    const uint32_t* order;
    const char* from;
    char* to;
    size_t size;
    kai_bodies* bodies;
} permutation;

static void permute_range(size_t begin, size_t end, int worker, void* context)
{
    (void)worker;
    const permutation* p = context;
    for (size_t i = begin; i < end; i++)
        memcpy(p->to + i * p->size, p->from + p->order[i] * p->size, p->size);
}

static void follow_range(size_t begin, size_t end, int worker, void* context)
{
    (void)worker;
    const permutation* p = context;
    for (size_t i = begin; i < end; i++)
        entry_at(p->bodies, p->bodies->cold[i].owner)->slot = (uint32_t)i;
}

void kai_bodies_permute(kai_bodies* bodies, int threads, const uint32_t* order, void* scratch)
{
    enum { BLOCK = 4096 };
    column columns[MOST_COLUMNS];
    const size_t n = columns_of(bodies, columns);
    for (size_t i = 0; i < n; i++) {
        permutation p = {order, *columns[i].data, scratch, columns[i].size, bodies};
        kai_parallel_for(threads, bodies->count, BLOCK, permute_range, &p);
        memcpy(*columns[i].data, scratch, bodies->count * columns[i].size);
    }
    permutation p = {.bodies = bodies};
    kai_parallel_for(threads, bodies->count, BLOCK, follow_range, &p);
}

void kai_bodies_list(const kai_bodies* bodies, uint32_t* slots)
{
    const kai_bodies_entry* entries = bodies->entries.data;
    size_t n = 0;
    for (size_t i = 0; i < bodies->entries.count && n < bodies->count; i++)
        if (entries[i].used) slots[n++] = entries[i].slot;
}

size_t kai_bodies_slot(const kai_bodies* bodies, kai_body body)
{
    if (body.index == 0 || body.index > bodies->entries.count || body.world != bodies->world)
        return SIZE_MAX;
    const kai_bodies_entry* entry = entry_at(bodies, body.index);
    return entry->used && entry->generation == body.generation ? entry->slot : SIZE_MAX;
}

kai_body kai_bodies_id(const kai_bodies* bodies, size_t slot)
{
    const uint32_t index = bodies->cold[slot].owner;
    return (kai_body){index, entry_at(bodies, index)->generation, bodies->world};
}

kai_frame kai_bodies_offset(const kai_bodies* bodies, size_t slot)
{
    return kai_frames_at(&bodies->offsets, bodies->cold[slot].offset);
}

void kai_bodies_describe(const kai_bodies* bodies, size_t slot, char* out, size_t size)
{
    const kai_bodies_cold* cold = &bodies->cold[slot];
    if (cold->name)
        snprintf(out, size, "body '%s'", cold->name);
    else if (cold->group)
        snprintf(out, size, "particle %u of group %u", cold->group_index, cold->group);
    else
        snprintf(out, size, "body #%u", cold->owner);
}

void kai_bodies_free(kai_bodies* bodies)
{
    column columns[MOST_COLUMNS];
    const size_t n = columns_of(bodies, columns);
    for (size_t i = 0; i < n; i++)
        kai_memory_release(bodies->memory, *columns[i].data, bodies->capacity * columns[i].size);
    kai_array_free(&bodies->entries, bodies->memory);
    kai_frames_free(&bodies->offsets, bodies->memory);
    kai_names_free(&bodies->names);
    memset(bodies, 0, sizeof *bodies);
}
