// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "model/part.h"

#include <kairos/material.h>
#include <stdlib.h>
#include <string.h>

// The table --------------------------------------------------------------------------------------

static const kai_kind* const MATERIAL_KINDS[] = {&kai_material_kind, NULL};

/// The laws that materials name are there.
static kai_result check_materials(kai_world* p, void* data, kai_error* err)
{
    (void)data;
    const kai_array* items = &p->materials.batches[0].items;
    const kai_material_def* defs = items->data;
    for (size_t i = 0; i < items->count; i++)
        KAI_TRY(kai_part_refer_check(p, &kai_material_kind, &defs[i], 0, err));
    return KAI_OK;
}

const kai_part kai_part_materials = {KAI_PART_STORE(materials, "material", MATERIAL_KINDS),
                                     .check = check_materials};

size_t kai_part_count(const kai_world* world) { return world->part_count + world->attached.count; }

static const kai_part_attached* attached_at(const kai_world* world, size_t i)
{
    return (const kai_part_attached*)world->attached.data + (i - world->part_count);
}

const kai_part* kai_part_at(const kai_world* world, size_t i)
{
    return i < world->part_count ? world->parts[i] : attached_at(world, i)->part;
}

void* kai_part_data(const kai_world* world, size_t i)
{
    if (i >= world->part_count) return attached_at(world, i)->data;
    return (char*)(uintptr_t)world + world->parts[i]->offset;
}

kai_memory* kai_part_memory(const kai_world* world)
{
    const kai_world* owner = world->aside_of ? world->aside_of : world;
    return &((kai_world*)(uintptr_t)owner)->memory;
}

size_t kai_part_names_bytes(const kai_names* names)
{
    size_t sum = names->capacity * sizeof *names->entries;
    for (size_t i = 0; i < names->capacity; i++)
        if (names->entries[i].text) sum += strlen(names->entries[i].text) + 1;
    return sum;
}

// Creation and destruction -----------------------------------------------------------------------

kai_result kai_part_attach(kai_world* world, const kai_part* part, void** out, kai_error* err)
{
    kai_memory* memory = kai_part_memory(world);
    KAI_TRY(kai_array_reserve(&world->attached, memory, world->attached.count + 1, err));
    void* data = kai_memory_allocate_zeroed(memory, 1, part->size);
    if (!data) return kai_error_set(err, KAI_ERROR_MEMORY, "no memory for %s", part->name);
    const kai_result r = part->init ? part->init(world, part, data, err) : KAI_OK;
    if (r != KAI_OK) {
        if (part->free) part->free(world, data);
        kai_memory_release(memory, data, part->size);
        return r;
    }
    const kai_part_attached attached = {part, data};
    KAI_TRY(kai_array_append(&world->attached, memory, &attached, 1, err)); // there is room
    if (out) *out = data;
    return KAI_OK;
}

kai_result kai_part_init_all(kai_world* world, kai_error* err)
{
    world->attached = kai_array_make(sizeof(kai_part_attached));
    for (size_t i = 0; i < world->part_count; i++) {
        const kai_part* part = world->parts[i];
        if (part->init) KAI_TRY(part->init(world, part, kai_part_data(world, i), err));
    }
    return KAI_OK;
}

void kai_part_free_all(kai_world* world)
{
    for (size_t i = kai_part_count(world); i-- > 0;) {
        const kai_part* part = kai_part_at(world, i);
        void* data = kai_part_data(world, i);
        if (part->free) part->free(world, data);
        if (i >= world->part_count) kai_memory_release(kai_part_memory(world), data, part->size);
    }
    kai_array_free(&world->attached, kai_part_memory(world));
}

// Checkpoints ------------------------------------------------------------------------------------

kai_result kai_part_save_all(const kai_world* world, kai_part_writer* w, kai_error* err)
{
    for (size_t i = 0; i < kai_part_count(world); i++) {
        const kai_part* part = kai_part_at(world, i);
        if (part->save) KAI_TRY(part->save(world, part, kai_part_data(world, i), w, err));
    }
    return KAI_OK;
}

/// Reads and checks everything into a world aside, whose i-th part is the i-th of the world.
static kai_result load_aside(kai_world* aside, const kai_world* world, kai_part_reader* r,
                             kai_error* err)
{
    KAI_TRY(kai_part_init_all(aside, err));
    for (size_t i = world->part_count; i < kai_part_count(world); i++)
        if (kai_part_at(world, i)->load)
            KAI_TRY(kai_part_attach(aside, kai_part_at(world, i), NULL, err));
    for (size_t i = 0; i < kai_part_count(aside); i++) {
        const kai_part* part = kai_part_at(aside, i);
        if (part->load) KAI_TRY(part->load(aside, part, kai_part_data(aside, i), r, err));
    }
    for (size_t i = 0; i < kai_part_count(aside); i++)
        if (kai_part_at(aside, i)->check)
            KAI_TRY(kai_part_at(aside, i)->check(aside, kai_part_data(aside, i), err));
    return KAI_OK;
}

static void swap_bytes(char* a, char* b, size_t size)
{
    char room[256];
    for (size_t done = 0, n; done < size; done += n) {
        n = size - done < sizeof room ? size - done : sizeof room;
        memcpy(room, a + done, n);
        memcpy(a + done, b + done, n);
        memcpy(b + done, room, n);
    }
}

/// Exchanges all parts that were read.
static void take_place(kai_world* world, kai_world* aside)
{
    for (size_t i = 0, k = 0; i < kai_part_count(world); i++) {
        const kai_part* part = kai_part_at(world, i);
        if (i >= world->part_count && !part->load) continue; // a cache: not attached aside
        void *data = kai_part_data(world, i), *other = kai_part_data(aside, k++);
        if (!part->load) continue;
        swap_bytes(data, other, part->size);
        if (part->loaded) part->loaded(world, data, other);
    }
}

kai_result kai_part_load_all(kai_world* world, kai_part_reader* r, kai_error* err)
{
    kai_world* aside = calloc(1, sizeof *aside);
    if (!aside) return kai_error_set(err, KAI_ERROR_MEMORY, "no memory for a world");
    aside->aside_of = world;
    aside->parts = world->parts;
    aside->part_count = world->part_count;
    aside->tag = world->tag;
    aside->threads = 1;
    const kai_result result = load_aside(aside, world, r, err);
    if (result == KAI_OK) take_place(world, aside);
    kai_part_free_all(aside);
    free(aside);
    return result;
}

// Hash -------------------------------------------------------------------------------------------

uint64_t kai_part_hash_all(const kai_world* world, uint64_t hash)
{
    for (size_t i = 0; i < kai_part_count(world); i++) {
        const kai_part* part = kai_part_at(world, i);
        if (part->hash) hash = part->hash(world, kai_part_data(world, i), hash);
    }
    return hash;
}

// Undo -------------------------------------------------------------------------------------------

static size_t backup_bytes(const kai_world* world, const kai_part* part, const void* data)
{
    const size_t bytes = part->backup_bytes ? part->backup_bytes(world, data) : part->size;
    return (bytes + 7) / 8 * 8;
}

kai_result kai_part_backup_begin(kai_world* world, unsigned undo, kai_part_backup* backup,
                                 kai_error* err)
{
    const size_t count = kai_part_count(world);
    size_t sum = 0;
    *backup = (kai_part_backup){undo, count, kai_arena_marked(&world->arena), NULL, NULL};
    backup->first = kai_arena_take(&world->arena, count, sizeof *backup->first, err);
    for (size_t i = 0; backup->first && i < count; i++) {
        const kai_part* part = kai_part_at(world, i);
        backup->first[i] = sum;
        if (part->undo & undo) sum += backup_bytes(world, part, kai_part_data(world, i));
    }
    if (backup->first) backup->block = kai_arena_take(&world->arena, sum, 1, err);
    if (!backup->block) {
        kai_arena_release(&world->arena, backup->mark);
        return KAI_ERROR_MEMORY;
    }
    for (size_t i = 0; i < count; i++) {
        const kai_part* part = kai_part_at(world, i);
        if (!(part->undo & undo)) continue;
        if (part->backup)
            part->backup(world, kai_part_data(world, i), backup->block + backup->first[i]);
        else
            memcpy(backup->block + backup->first[i], kai_part_data(world, i), part->size);
    }
    return KAI_OK;
}

void kai_part_backup_end(kai_world* world, const kai_part_backup* backup, bool keep)
{
    for (size_t i = 0; !keep && i < backup->count; i++) {
        const kai_part* part = kai_part_at(world, i);
        if (!(part->undo & backup->undo)) continue;
        if (part->restore)
            part->restore(world, kai_part_data(world, i), backup->block + backup->first[i]);
        else
            memcpy(kai_part_data(world, i), backup->block + backup->first[i], part->size);
    }
    kai_arena_release(&world->arena, backup->mark);
}
