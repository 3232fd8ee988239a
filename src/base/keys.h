// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Keys: 64-bit names of things that hold on every rank, for ever. They do not change when things
// change places, go to a file and come back, or move to another rank; ids do at the last.
//
//     key = rank << 48 | generation << 32 | index      0: none
//
// of the id that the thing got on the rank that made it. Ids are used once (generations count), so
// keys are too. What was made here needs no memory for its key; only things from elsewhere, which
// have an id here and a key of there, are listed.
#ifndef BASE_KEYS_H
#define BASE_KEYS_H

#include "base/array.h"

#include <kairos/id.h>

/// A thing from elsewhere.
typedef struct kai_keys_entry {
    uint64_t key;
    uint32_t index; // of its id here; 0: the entry is free
    uint32_t reserved;
} kai_keys_entry;

/// Keys of one family of things. All zero but `rank`: nothing is from elsewhere.
typedef struct kai_keys {
    uint16_t rank;    // this one
    size_t count;     // things from elsewhere
    kai_array by_key; // kai_keys_entry: a hash table
    kai_array by_id;  // kai_keys_entry: another
} kai_keys;

/// Whether a key is of this rank.
static inline bool kai_keys_is_own(const kai_keys* keys, uint64_t key)
{
    return key >> 48 == keys->rank;
}

/// The key of an id.
uint64_t kai_keys_of(const kai_keys* keys, kai_id id);

/// The id of a key, with the tag of a world, but for the generation of a thing from elsewhere, which
/// is 0: false. Of a key of this rank it is the id that the thing had: it may be gone.
bool kai_keys_find(const kai_keys* keys, uint64_t key, kai_id* id);

/// Notes the key of a thing from elsewhere, which has none yet. KAI_ERROR_NAME when another has it
/// or it is one of this rank. On failure nothing has changed.
kai_result kai_keys_add(kai_keys* keys, kai_memory* memory, uint32_t index, uint64_t key,
                        kai_error* err);

/// Forgets the key of a thing, which may be from here.
void kai_keys_remove(kai_keys* keys, uint32_t index);

/// Gives all memory back.
void kai_keys_free(kai_keys* keys, kai_memory* memory);

#endif
