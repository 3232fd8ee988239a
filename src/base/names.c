// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Linear probing: a name lies at the first free place at or after its home. Removal moves later
// names of the run back, so that there is never a gap between a name and its home.
#include "base/names.h"

#include "base/hash.h"
#include "base/text.h"

#include <string.h>

#define SMALLEST_CAPACITY 16

void kai_names_init(kai_names* names, kai_memory* memory)
{
    *names = (kai_names){.memory = memory};
}

static size_t home_of(const char* name, size_t capacity)
{
    return (size_t)kai_hash_bytes(KAI_HASH_START, name, strlen(name)) & (capacity - 1);
}

// Where the name is, or the free place where it belongs. There always is one: the table is never
// full.
static size_t find_place(const kai_names_entry* entries, size_t capacity, const char* name)
{
    size_t i = home_of(name, capacity);
    while (entries[i].text != NULL && strcmp(entries[i].text, name) != 0) {
        i = (i + 1) & (capacity - 1);
    }
    return i;
}

static kai_result check_name(const kai_names* names, const char* what, const char* name,
                             kai_error* err)
{
    if (name == NULL || name[0] == '\0') {
        return kai_error_set(err, KAI_ERROR_NAME, "a %s has an empty name; it must have a letter",
                             what);
    }
    const size_t length = strnlen(name, KAI_NAMES_LONGEST + 1);
    if (length > KAI_NAMES_LONGEST) {
        return kai_error_set(err, KAI_ERROR_NAME,
                             "%s name \"%.20s...\" is too long; must have at most %d bytes", what,
                             name, KAI_NAMES_LONGEST);
    }
    for (size_t i = 0; i < length; i++) {
        if ((unsigned char)name[i] >= 0x20 && name[i] != 0x7f) continue;
        return kai_error_set(
            err, KAI_ERROR_NAME,
            "%s name \"%s\" has control character 0x%02x at byte %zu; must have none", what, name,
            (unsigned)(unsigned char)name[i], i + 1);
    }
    if (!KAI_IS_NULL(kai_names_find(names, name))) {
        return kai_error_set(err, KAI_ERROR_NAME, "%s name \"%s\" is used twice; must be unique",
                             what, name);
    }
    return KAI_OK;
}

// Keeps a quarter of the places free, so that probing stays short.
static kai_result grow(kai_names* names, kai_error* err)
{
    if (names->count + 1 <= names->capacity / 4 * 3) return KAI_OK;
    const size_t capacity = names->capacity == 0 ? SMALLEST_CAPACITY : 2 * names->capacity;
    kai_names_entry* entries = kai_memory_allocate_zeroed(names->memory, capacity, sizeof *entries);
    if (entries == NULL) {
        return kai_error_set(err, KAI_ERROR_MEMORY, "no memory for a table of %zu names", capacity);
    }
    for (size_t i = 0; i < names->capacity; i++) {
        if (names->entries[i].text == NULL) continue;
        entries[find_place(entries, capacity, names->entries[i].text)] = names->entries[i];
    }
    kai_memory_release(names->memory, names->entries, names->capacity * sizeof *entries);
    names->entries = entries;
    names->capacity = capacity;
    return KAI_OK;
}

kai_result kai_names_add(kai_names* names, const char* what, const char* name, kai_id id,
                         const char** text, kai_error* err)
{
    KAI_ASSERT(!KAI_IS_NULL(id)); // a null id would read as "not found"
    KAI_TRY(check_name(names, what, name, err));
    KAI_TRY(grow(names, err));
    const size_t bytes = strlen(name) + 1;
    char* copy = kai_memory_allocate(names->memory, bytes);
    if (copy == NULL) {
        return kai_error_set(err, KAI_ERROR_MEMORY, "no memory for %s name \"%s\"", what, name);
    }
    memcpy(copy, name, bytes);
    const size_t place = find_place(names->entries, names->capacity, name);
    names->entries[place] = (kai_names_entry){.text = copy, .id = id};
    names->count++;
    if (text != NULL) *text = copy;
    return KAI_OK;
}

kai_id kai_names_find(const kai_names* names, const char* name)
{
    if (names->count == 0 || name == NULL) return (kai_id){0};
    return names->entries[find_place(names->entries, names->capacity, name)].id;
}

void kai_names_remove(kai_names* names, const char* name)
{
    if (names->count == 0 || name == NULL) return;
    const size_t mask = names->capacity - 1;
    size_t hole = find_place(names->entries, names->capacity, name);
    kai_names_entry* entries = names->entries;
    if (entries[hole].text == NULL) return;
    kai_memory_release(names->memory, entries[hole].text, strlen(entries[hole].text) + 1);
    names->count--;

    // A later name of the run moves into the hole when its home is not after the hole.
    for (size_t i = (hole + 1) & mask; entries[i].text != NULL; i = (i + 1) & mask) {
        const size_t home = home_of(entries[i].text, names->capacity);
        if (((i - home) & mask) >= ((i - hole) & mask)) {
            entries[hole] = entries[i];
            hole = i;
        }
    }
    entries[hole] = (kai_names_entry){0};
}

static const char* candidate(size_t i, const void* context)
{
    const kai_names* names = context;
    return names->entries[i].text;
}

const char* kai_names_nearest(const kai_names* names, const char* name)
{
    const char* best = kai_text_nearest(name, names->capacity, candidate, names);
    if (best == NULL) return NULL;

    // Of equals the first in the alphabet, not the first in the table: messages must not depend on
    // the history of the table.
    const int limit = 2 * KAI_NAMES_LONGEST;
    const int distance = kai_text_distance(name, best, limit);
    for (size_t i = 0; i < names->capacity; i++) {
        const char* text = names->entries[i].text;
        if (text == NULL || strcmp(text, best) >= 0) continue;
        if (kai_text_distance(name, text, distance) == distance) best = text;
    }
    return best;
}

void kai_names_free(kai_names* names)
{
    for (size_t i = 0; i < names->capacity; i++) {
        char* text = names->entries[i].text;
        if (text != NULL) kai_memory_release(names->memory, text, strlen(text) + 1);
    }
    kai_memory_release(names->memory, names->entries, names->capacity * sizeof *names->entries);
    kai_names_init(names, names->memory);
}
