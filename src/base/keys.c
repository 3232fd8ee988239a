// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Two hash tables with linear probing, at most half full; what is removed leaves no mark: entries
// behind it move up.
#include "base/keys.h"

#include <string.h>

static size_t home_of(const kai_array* table, uint64_t what)
{
    return (size_t)(what * UINT64_C(0x9e3779b97f4a7c15) >> 20) & (table->count - 1);
}

static uint64_t name_of(const kai_keys_entry* entry, bool by_key)
{
    return by_key ? entry->key : entry->index;
}

/// Where an entry is, or the free place that it would get. The table is not empty.
static kai_keys_entry* place_of(const kai_array* table, uint64_t what, bool by_key)
{
    kai_keys_entry* entries = table->data;
    size_t i = home_of(table, what);
    while (entries[i].index != 0 && name_of(&entries[i], by_key) != what)
        i = (i + 1) & (table->count - 1);
    return &entries[i];
}

static const kai_keys_entry* find(const kai_array* table, uint64_t what, bool by_key)
{
    if (table->count == 0) return NULL;
    const kai_keys_entry* entry = place_of(table, what, by_key);
    return entry->index != 0 ? entry : NULL;
}

uint64_t kai_keys_of(const kai_keys* keys, kai_id id)
{
    if (id.index == 0) return 0;
    const kai_keys_entry* foreign = keys->count > 0 ? find(&keys->by_id, id.index, false) : NULL;
    return foreign ? foreign->key
                   : (uint64_t)keys->rank << 48 | (uint64_t)id.generation << 32 | id.index;
}

bool kai_keys_find(const kai_keys* keys, uint64_t key, kai_id* id)
{
    if (kai_keys_is_own(keys, key)) {
        id->index = (uint32_t)key;
        id->generation = (uint16_t)(key >> 32);
        return true;
    }
    const kai_keys_entry* foreign = keys->count > 0 ? find(&keys->by_key, key, true) : NULL;
    *id = (kai_id){.index = foreign ? foreign->index : 0, .world = id->world};
    return false;
}

/// A table of twice the size with the same entries.
static kai_result grow(kai_array* table, kai_memory* memory, bool by_key, kai_error* err)
{
    kai_array wider = kai_array_make(sizeof(kai_keys_entry));
    const kai_keys_entry* entries = table->data;
    KAI_TRY(kai_array_resize(&wider, memory, table->count > 0 ? 2 * table->count : 16, err));
    for (size_t i = 0; i < table->count; i++)
        if (entries[i].index != 0)
            *place_of(&wider, name_of(&entries[i], by_key), by_key) = entries[i];
    kai_array_free(table, memory);
    *table = wider;
    return KAI_OK;
}

kai_result kai_keys_add(kai_keys* keys, kai_memory* memory, uint32_t index, uint64_t key,
                        kai_error* err)
{
    if (kai_keys_is_own(keys, key) || find(&keys->by_key, key, true))
        return kai_error_set(err, KAI_ERROR_NAME, "key %016llx is that of another",
                             (unsigned long long)key);
    if (2 * (keys->count + 1) > keys->by_key.count) KAI_TRY(grow(&keys->by_key, memory, true, err));
    if (2 * (keys->count + 1) > keys->by_id.count) KAI_TRY(grow(&keys->by_id, memory, false, err));
    const kai_keys_entry entry = {key, index, 0};
    *place_of(&keys->by_key, key, true) = *place_of(&keys->by_id, index, false) = entry;
    keys->count++;
    return KAI_OK;
}

/// Frees a place, and moves up those behind it that it kept from theirs.
static void vacate(kai_array* table, kai_keys_entry* entry, bool by_key)
{
    kai_keys_entry* entries = table->data;
    const size_t mask = table->count - 1;
    size_t gap = (size_t)(entry - entries);
    for (size_t i = (gap + 1) & mask; entries[i].index != 0; i = (i + 1) & mask) {
        const size_t home = home_of(table, name_of(&entries[i], by_key));
        if (((i - home) & mask) < ((i - gap) & mask)) continue; // it may stay behind the gap
        entries[gap] = entries[i];
        gap = i;
    }
    entries[gap] = (kai_keys_entry){0};
}

void kai_keys_remove(kai_keys* keys, uint32_t index)
{
    if (keys->count == 0 || !find(&keys->by_id, index, false)) return;
    kai_keys_entry* entry = place_of(&keys->by_id, index, false);
    vacate(&keys->by_key, place_of(&keys->by_key, entry->key, true), true);
    vacate(&keys->by_id, entry, false);
    keys->count--;
}

void kai_keys_free(kai_keys* keys, kai_memory* memory)
{
    kai_array_free(&keys->by_key, memory);
    kai_array_free(&keys->by_id, memory);
    keys->count = 0;
}
