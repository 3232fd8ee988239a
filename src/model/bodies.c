// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "model/bodies.h"

#include "base/parallel.h"
#include "base/store.h"

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
    if (bodies->pose_next) columns[n++] = (column){(void**)&bodies->pose_next, sizeof(kai_pose)};
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
    // Particles leave free entries alone.
    const size_t more = capacity > bodies->count ? capacity - bodies->count : 0;
    KAI_TRY(kai_array_reserve(&bodies->entries, bodies->memory, bodies->entries.count + more, err));
    if (capacity <= bodies->capacity) return KAI_OK;
    // Many small groups that come one after the other must not copy all bodies each time.
    size_t room = bodies->capacity + bodies->capacity / (exact ? 8 : 2);
    if (room < capacity) room = capacity;
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

kai_result kai_bodies_reserve_shared(kai_bodies* bodies, size_t more, kai_error* err)
{
    const size_t wanted = bodies->shared_properties_count + more,
                 had = bodies->shared_properties_capacity;
    if (wanted <= had) return KAI_OK;
    size_t room = wanted < had + had / 2 ? had + had / 2 : wanted;
    if (room < 16) room = 16;
    kai_bodies_mass* masses =
        kai_memory_allocate_zeroed(bodies->memory, room, sizeof *bodies->masses);
    kai_bodies_cold* colds =
        kai_memory_allocate_zeroed(bodies->memory, room, sizeof *bodies->colds);
    if (!masses || !colds) {
        kai_memory_release(bodies->memory, masses, room * sizeof *masses);
        kai_memory_release(bodies->memory, colds, room * sizeof *colds);
        return kai_error_set(err, KAI_ERROR_MEMORY, "no memory for %zu bodies", room);
    }
    if (bodies->shared_properties_count > 0) {
        memcpy(masses, bodies->masses, bodies->shared_properties_count * sizeof *masses);
        memcpy(colds, bodies->colds, bodies->shared_properties_count * sizeof *colds);
    }
    kai_memory_release(bodies->memory, bodies->masses, had * sizeof *masses);
    kai_memory_release(bodies->memory, bodies->colds, had * sizeof *colds);
    bodies->masses = masses;
    bodies->colds = colds;
    bodies->shared_properties_capacity = room;
    return KAI_OK;
}

kai_result kai_bodies_need_wrench(kai_bodies* bodies, kai_error* err)
{
    return need(bodies, (void**)&bodies->wrench, sizeof(kai_wrench), err);
}

kai_result kai_bodies_need_acceleration(kai_bodies* bodies, kai_error* err)
{
    return need(bodies, (void**)&bodies->acceleration, sizeof(kai_wrench), err);
}

kai_result kai_bodies_need_pose_next(kai_bodies* bodies, kai_error* err)
{
    return need(bodies, (void**)&bodies->pose_next, sizeof(kai_pose), err);
}

static kai_bodies_entry* entry_at(const kai_bodies* bodies, uint32_t index)
{
    return (kai_bodies_entry*)bodies->entries.data + (index - 1);
}

static bool is_massless(const kai_bodies* bodies, size_t slot)
{
    return !(bodies->motion[slot].flags & KAI_BODY_FIXED) &&
           kai_bodies_mass_of(bodies, slot)->inverse_mass == 0.0;
}

// Kins -------------------------------------------------------------------------------------------

static uint32_t take_shared_properties(kai_bodies* bodies)
{
    const uint32_t shared_properties = bodies->shared_properties_free;
    if (shared_properties == 0) return (uint32_t)bodies->shared_properties_count++;
    bodies->shared_properties_free = bodies->colds[shared_properties - 1].users;
    return shared_properties - 1;
}

static void drop_shared_properties(kai_bodies* bodies, uint32_t shared_properties)
{
    kai_bodies_cold* cold = &bodies->colds[shared_properties];
    if (--cold->users > 0) return;
    kai_frames_drop(&bodies->offsets, cold->offset);
    *cold = (kai_bodies_cold){.users = bodies->shared_properties_free};
    bodies->masses[shared_properties] = (kai_bodies_mass){0};
    bodies->shared_properties_free = shared_properties + 1;
    for (size_t k = 0; k < KAI_COUNT(bodies->recent); k++)
        if (bodies->recent[k] == shared_properties + 1) bodies->recent[k] = 0;
}

/// Whether a body with record a may have record b, which is as far on as their ids are.
static bool are_alike(const kai_bodies* bodies, uint32_t a, uint32_t b)
{
    const kai_bodies_cold *p = &bodies->colds[a], *q = &bodies->colds[b];
    const uint32_t on = p->owner - q->owner;
    if (p->name || q->name || p->user_data != q->user_data || p->load_count + q->load_count > 0 ||
        p->group != q->group || p->group_index - q->group_index != on ||
        p->shape_count != q->shape_count || !p->first_shape != !q->first_shape ||
        (p->first_shape && p->first_shape - q->first_shape != on))
        return false;
    const kai_frame x = kai_frames_at(&bodies->offsets, p->offset),
                    y = kai_frames_at(&bodies->offsets, q->offset);
    return kai_frames_equal(&x, &y) &&
           memcmp(&bodies->masses[a], &bodies->masses[b], sizeof *bodies->masses) == 0;
}

void kai_bodies_share(kai_bodies* bodies, size_t slot)
{
    const uint32_t own = bodies->shared_properties[slot];
    const size_t n = KAI_COUNT(bodies->recent);
    if (bodies->colds[own].users != 1 || bodies->colds[own].group == 0) return;
    for (size_t k = 0; k < n; k++) {
        const uint32_t other = bodies->recent[k];
        if (other == 0 || other == own + 1 || !are_alike(bodies, own, other - 1)) continue;
        bodies->shared_properties[slot] = other - 1;
        bodies->colds[other - 1].users++;
        drop_shared_properties(bodies, own);
        return;
    }
    memmove(bodies->recent + 1, bodies->recent, (n - 1) * sizeof *bodies->recent);
    bodies->recent[0] = own + 1;
}

kai_result kai_bodies_set_shared_properties(kai_bodies* bodies, size_t slot,
                                            const kai_bodies_mass* mass,
                                            const kai_bodies_cold* cold, kai_error* err)
{
    if (bodies->shared_properties_free == 0) KAI_TRY(kai_bodies_reserve_shared(bodies, 1, err));
    const uint32_t shared_properties = take_shared_properties(bodies);
    bodies->masses[shared_properties] = *mass;
    bodies->colds[shared_properties] = *cold;
    bodies->colds[shared_properties].name = NULL;
    bodies->colds[shared_properties].users = 1;
    bodies->owner[slot] = cold->owner;
    bodies->shared_properties[slot] = shared_properties;
    kai_bodies_share(bodies, slot);
    return KAI_OK;
}

kai_result kai_bodies_own(kai_bodies* bodies, size_t slot, kai_bodies_cold** cold, kai_error* err)
{
    const uint32_t shared = bodies->shared_properties[slot];
    if (bodies->colds[shared].users > 1) {
        kai_bodies_cold own = kai_bodies_cold_of(bodies, slot);
        const kai_frame offset = kai_frames_at(&bodies->offsets, own.offset);
        if (bodies->shared_properties_free == 0) KAI_TRY(kai_bodies_reserve_shared(bodies, 1, err));
        KAI_TRY(kai_frames_add(&bodies->offsets, bodies->memory, &offset, &own.offset, err));
        const uint32_t shared_properties = take_shared_properties(bodies);
        own.users = 1;
        bodies->masses[shared_properties] = bodies->masses[shared];
        bodies->colds[shared_properties] = own;
        bodies->colds[shared].users--;
        bodies->shared_properties[slot] = shared_properties;
        bodies->records_version++;
    }
    for (size_t k = 0; k < KAI_COUNT(bodies->recent); k++)
        if (bodies->recent[k] == bodies->shared_properties[slot] + 1) bodies->recent[k] = 0;
    if (cold) *cold = &bodies->colds[bodies->shared_properties[slot]];
    return KAI_OK;
}

const kai_bodies_mass* kai_bodies_masses_of(const kai_bodies* bodies, size_t slot, size_t n,
                                            kai_bodies_mass* room)
{
    const uint32_t* shared_properties = bodies->shared_properties + slot;
    size_t row = 1;
    while (row < n && shared_properties[row] == shared_properties[0] + row) row++;
    if (row >= n) return &bodies->masses[shared_properties[0]];
    for (size_t i = 0; i < n; i++) room[i] = bodies->masses[shared_properties[i]];
    return room;
}

kai_bodies_cold kai_bodies_cold_of(const kai_bodies* bodies, size_t slot)
{
    kai_bodies_cold cold = bodies->colds[bodies->shared_properties[slot]];
    const uint32_t on = bodies->owner[slot] - cold.owner;
    cold.owner += on;
    cold.group_index += on;
    if (cold.first_shape) cold.first_shape += on;
    return cold;
}

// Bodies -----------------------------------------------------------------------------------------

/// Puts the bodies of two slots into each other's; ids follow.
static void swap_slots(kai_bodies* bodies, size_t a, size_t b)
{
    if (a == b) return;
    column columns[MOST_COLUMNS];
    char room[KAI_BODIES_WIDEST];
    const size_t n = columns_of(bodies, columns);
    for (size_t i = 0; i < n; i++) {
        char* data = *columns[i].data;
        const size_t size = columns[i].size;
        memcpy(room, data + a * size, size);
        memcpy(data + a * size, data + b * size, size);
        memcpy(data + b * size, room, size);
    }
    entry_at(bodies, bodies->owner[a])->slot = (uint32_t)a;
    entry_at(bodies, bodies->owner[b])->slot = (uint32_t)b;
}

kai_body kai_bodies_add_ghost(kai_bodies* bodies, const kai_pose* pose, const kai_motion* motion,
                              const kai_bodies_mass* mass, const kai_bodies_cold* cold)
{
    const size_t slot = bodies->count++;
    const uint32_t shared_properties = take_shared_properties(bodies);
    bodies->pose[slot] = *pose;
    bodies->motion[slot] = *motion;
    bodies->shared_properties[slot] = shared_properties;
    bodies->masses[shared_properties] = *mass;
    bodies->colds[shared_properties] = *cold;
    bodies->massless += is_massless(bodies, slot);

    uint32_t index = cold->group ? 0 : bodies->free_head;
    if (index)
        bodies->free_head = entry_at(bodies, index)->slot;
    else
        index = (uint32_t)++bodies->entries.count;
    bodies->owner[slot] = index;
    bodies->colds[shared_properties].owner = index;
    bodies->colds[shared_properties].users = 1;
    kai_bodies_entry* entry = entry_at(bodies, index);
    entry->slot = (uint32_t)slot;
    entry->used = 1;
    return kai_bodies_id(bodies, slot);
}

kai_body kai_bodies_add(kai_bodies* bodies, const kai_pose* pose, const kai_motion* motion,
                        const kai_bodies_mass* mass, const kai_bodies_cold* cold)
{
    const kai_body body = kai_bodies_add_ghost(bodies, pose, motion, mass, cold);
    swap_slots(bodies, bodies->owned++, bodies->count - 1);
    return body;
}

void kai_bodies_set_mass(kai_bodies* bodies, size_t slot, double mass, kai_vec3 moments, bool fixed)
{
    bodies->massless -= is_massless(bodies, slot);
    const bool free = !fixed && mass > 0.0 && moments.x > 0.0 && moments.y > 0.0 && moments.z > 0.0;
    const uint64_t straight = bodies->motion[slot].flags & KAI_BODY_STRAIGHT,
                   node = bodies->motion[slot].flags & KAI_BODY_NODE;
    bodies->masses[bodies->shared_properties[slot]] = (kai_bodies_mass){
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

void kai_bodies_set_fixed(kai_bodies* bodies, size_t slot, bool fixed)
{
    const kai_bodies_mass* mass = kai_bodies_mass_of(bodies, slot);
    kai_bodies_set_mass(bodies, slot, mass->mass, mass->moments, fixed);
}

void kai_bodies_remove(kai_bodies* bodies, size_t slot)
{
    const char* name = bodies->colds[bodies->shared_properties[slot]].name;
    const uint32_t owner = bodies->owner[slot];
    bodies->massless -= is_massless(bodies, slot);
    if (name) kai_names_remove(&bodies->names, name);
    kai_keys_remove(&bodies->keys, owner);
    drop_shared_properties(bodies, bodies->shared_properties[slot]);

    if (slot < bodies->owned) {
        swap_slots(bodies, slot, --bodies->owned);
        slot = bodies->owned;
    }
    swap_slots(bodies, slot, --bodies->count);
    column columns[MOST_COLUMNS];
    const size_t n = columns_of(bodies, columns);
    for (size_t i = 0; i < n; i++)
        memset((char*)*columns[i].data + bodies->count * columns[i].size, 0, columns[i].size);

    kai_bodies_entry* entry = entry_at(bodies, owner);
    entry->used = 0;
    entry->slot = KAI_STORE_RETIRED;
    if (entry->generation == UINT16_MAX) return;
    entry->generation++;
    entry->slot = bodies->free_head;
    bodies->free_head = owner;
}

typedef struct permutation {
    const uint32_t* order;
    const char* from;
    char* to;
    size_t size;
    kai_bodies* bodies;
} permutation;

static void permute_range(size_t begin, size_t end, void* context)
{
    const permutation* p = context;
    for (size_t i = begin; i < end; i++)
        memcpy(p->to + i * p->size, p->from + p->order[i] * p->size, p->size);
}

static void follow_range(size_t begin, size_t end, void* context)
{
    const permutation* p = context;
    for (size_t i = begin; i < end; i++)
        entry_at(p->bodies, p->bodies->owner[i])->slot = (uint32_t)i;
}

/// Puts shared properties in the order of the slots that have them, where there is memory for it: loops over
/// bodies read their masses in a row.
static void order_shared(kai_bodies* bodies)
{
    const size_t n = bodies->shared_properties_count,
                 size = sizeof *bodies->masses + sizeof *bodies->colds;
    char* room = kai_memory_allocate(bodies->memory, n * (size + sizeof(uint32_t)));
    if (!room) return;
    kai_bodies_mass* masses = (kai_bodies_mass*)(void*)room;
    kai_bodies_cold* colds = (kai_bodies_cold*)(void*)(room + n * sizeof *masses);
    uint32_t *to = (uint32_t*)(void*)(room + n * size), used = 0;
    memset(to, 0, n * sizeof *to);
    for (size_t i = 0; i < bodies->count; i++) {
        const uint32_t shared_properties = bodies->shared_properties[i];
        if (to[shared_properties] == 0) {
            masses[used] = bodies->masses[shared_properties];
            colds[used] = bodies->colds[shared_properties];
            to[shared_properties] = ++used;
        }
        bodies->shared_properties[i] = to[shared_properties] - 1;
    }
    for (size_t k = 0; k < KAI_COUNT(bodies->recent); k++)
        if (bodies->recent[k]) bodies->recent[k] = to[bodies->recent[k] - 1];
    memcpy(bodies->masses, masses, used * sizeof *masses);
    memcpy(bodies->colds, colds, used * sizeof *colds);
    memset(bodies->masses + used, 0, (n - used) * sizeof *masses);
    memset(bodies->colds + used, 0, (n - used) * sizeof *colds);
    bodies->shared_properties_count = used;
    bodies->shared_properties_free = 0;
    kai_memory_release(bodies->memory, room, n * (size + sizeof(uint32_t)));
}

void kai_bodies_permute(kai_bodies* bodies, int threads, const uint32_t* order, void* scratch)
{
    enum { BLOCK = 4096 };
    column columns[MOST_COLUMNS];
    const size_t n = columns_of(bodies, columns);
    for (size_t i = 0; i < n; i++) {
        permutation p = {order, *columns[i].data, scratch, columns[i].size, bodies};
        kai_parallel_for(threads, bodies->owned, BLOCK, permute_range, &p);
        memcpy(*columns[i].data, scratch, bodies->owned * columns[i].size);
    }
    permutation p = {.bodies = bodies};
    kai_parallel_for(threads, bodies->owned, BLOCK, follow_range, &p);
    order_shared(bodies);
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
    const uint32_t index = bodies->owner[slot];
    return (kai_body){index, entry_at(bodies, index)->generation, bodies->world};
}

kai_result kai_bodies_own_id(kai_bodies* bodies, kai_body body, kai_error* err)
{
    const size_t slot = kai_bodies_slot(bodies, body);
    return slot == SIZE_MAX ? KAI_OK : kai_bodies_own(bodies, slot, NULL, err);
}

void kai_bodies_count_load(kai_bodies* bodies, kai_body body, uint32_t change)
{
    const size_t slot = kai_bodies_slot(bodies, body);
    if (slot != SIZE_MAX) bodies->colds[bodies->shared_properties[slot]].load_count += change;
}

kai_frame kai_bodies_offset(const kai_bodies* bodies, size_t slot)
{
    return kai_frames_at(&bodies->offsets, bodies->colds[bodies->shared_properties[slot]].offset);
}

void kai_bodies_describe(const kai_bodies* bodies, size_t slot, char* out, size_t size)
{
    const kai_bodies_cold cold = kai_bodies_cold_of(bodies, slot);
    if (cold.name)
        snprintf(out, size, "body '%s'", cold.name);
    else if (cold.group)
        snprintf(out, size, "particle %u of group %u", cold.group_index, cold.group);
    else
        snprintf(out, size, "body #%u", cold.owner);
}

void kai_bodies_free(kai_bodies* bodies)
{
    column columns[MOST_COLUMNS];
    const size_t n = columns_of(bodies, columns);
    for (size_t i = 0; i < n; i++)
        kai_memory_release(bodies->memory, *columns[i].data, bodies->capacity * columns[i].size);
    kai_memory_release(bodies->memory, bodies->masses,
                       bodies->shared_properties_capacity * sizeof *bodies->masses);
    kai_memory_release(bodies->memory, bodies->colds,
                       bodies->shared_properties_capacity * sizeof *bodies->colds);
    kai_array_free(&bodies->entries, bodies->memory);
    kai_frames_free(&bodies->offsets, bodies->memory);
    kai_keys_free(&bodies->keys, bodies->memory);
    kai_names_free(&bodies->names);
    memset(bodies, 0, sizeof *bodies);
}
