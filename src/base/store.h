// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// A store: all instances of one family in one world.
//
// Instances of a kind lie side by side in a *batch*, so that a stage makes one call a batch. An id
// leads through `entries` to batch and slot; removal moves the last instance into the gap. Tables
// and lists that an instance points to are copied in and owned by the store.
//
//     entries[id.index - 1] = {batch, slot, generation}
//     batch: items[slot], owner[slot] = id.index
//
// Many equal instances may be one *run*: ids in a row, one instance, no entries. An id that is
// removed is marked by a bit and never used again; the first one that is changed unfolds its run:
// from then on all are as others are.
#ifndef BASE_STORE_H
#define BASE_STORE_H

#include "base/array.h"
#include "base/keys.h"
#include "base/names.h"

#include <kairos/kind.h>

/// Most kinds that one family may have in one world.
#define KAI_STORE_KINDS 256

/// Where an id leads to.
typedef struct kai_store_entry {
    uint32_t slot;       // place in its batch; for a free entry: index of the next free one, or
                         // KAI_STORE_RETIRED
    uint16_t batch;      // KAI_STORE_FREE: not in use
    uint16_t generation; // of the id in use, or of the next id made from this entry
} kai_store_entry;

#define KAI_STORE_FREE UINT16_MAX

/// In place of the next free entry: this one was used 65,536 times and never is again, so that no
/// old id becomes valid. It is in no list.
#define KAI_STORE_RETIRED (UINT32_MAX - 1)

/// Ids in a row that share one instance and have no entries: what a million equal things cost.
typedef struct kai_store_run {
    uint32_t first, count; // id indices
    uint32_t before;       // ids of runs before this one: what has no entries there
    uint32_t removed;      // how many of them were removed
    size_t bits;           // 1 + the first word of kai_store.removed for them; 0: none was removed
    kai_store_entry entry; // of all of them; KAI_STORE_FREE when all were removed
} kai_store_run;

/// The instances of one kind.
typedef struct kai_store_batch {
    const kai_kind* kind;  // first member of the family's own table
    const kai_kind* given; // the program's table where `kind` is the store's copy of it; else kind
    size_t copied;         // bytes of that copy, 0: none
    kai_array items;       // [count] instances of kind->size bytes
    kai_array owner;       // [count] uint32_t: id index of each
    kai_array name;   // [count] const char*: owned by names, NULL without one; empty when none has
    uint64_t version; // changes with every add, remove and set in it
} kai_store_batch;

typedef struct kai_store {
    const char* family; // for messages: "load"
    kai_memory* memory;
    uint16_t world;           // tag in ids
    kai_array entries;        // kai_store_entry: of ids that are in no run, in their order
    kai_array runs;           // kai_store_run, by id
    kai_array removed;        // uint64_t: a bit for each id of runs of which some were removed
    size_t run_ids;           // ids in all of them
    uint32_t free_head;       // 1 + index of the first free entry, 0: none
    size_t count;             // instances in all
    kai_store_batch* batches; // [batch_count] in order of registration
    size_t batch_count;
    kai_names names;
    kai_keys keys; // of instances from other ranks
    uint64_t
        version; // changes with every add, remove and set: caches built over the store compare it
} kai_store;

/// An empty store with the kinds of a NULL-ended list.
kai_result kai_store_init(kai_store* store, kai_memory* memory, const char* family, uint16_t world,
                          const kai_kind* const* kinds, kai_error* err);

/// Adds a kind: its description is validated and its name must be free in the family.
kai_result kai_store_register(kai_store* store, const kai_kind* kind, kai_error* err);

/// Adds a kind whose table comes from a program (base/kind.h). `bytes`: of the family's table as the
/// library knows it. A shorter one is copied. So is one whose instances get `tail` bytes behind
/// their parameters, for what the library keeps with them: kai_store_tail.
kai_result kai_store_register_table(kai_store* store, const kai_kind* kind, size_t bytes,
                                    size_t tail, kai_error* err);

/// The same for all kinds of another store, in their order.
kai_result kai_store_register_like(kai_store* store, const kai_store* like, kai_error* err);

/// The table that instances of a kind use: the kind's own, or the store's copy of it. NULL with a
/// message when it is not registered here. Tables are those of a family, which begin with kai_kind.
const void* kai_store_table(const kai_store* store, const void* table, kai_error* err);

/// Whether a kind is registered here.
bool kai_store_has(const kai_store* store, const kai_kind* kind);

/// The kind of a name, NULL when there is none; the nearest name for "did you mean", or NULL.
const kai_kind* kai_store_kind(const kai_store* store, const char* name);
const char* kai_store_nearest_kind(const kai_store* store, const char* name);

/// Checks what users give of an instance, copies it in (tables and lists too) and returns its id.
/// KAI_ERROR_ARGUMENT when the kind is not registered here or a parameter breaks its rule. On failure
/// nothing has changed.
kai_result kai_store_add(kai_store* store, const kai_kind* kind, const void* given,
                         const char* name, kai_id* out, kai_error* err);

/// The same for a whole instance that went through kai_store_drop_hidden and then through its kind's
/// prepare(): hidden tables and lists are copied as well.
kai_result kai_store_add_prepared(kai_store* store, const kai_kind* kind, const void* instance,
                                  const char* name, kai_id* out, kai_error* err);

/// The same for a whole instance, without hidden tables and lists.
kai_result kai_store_add_whole(kai_store* store, const kai_kind* kind, const void* instance,
                               kai_id* out, kai_error* err);

/// Whether instances of a kind may be a run: they own nothing.
bool kai_store_can_run(const kai_kind* kind);

/// Adds `count` > 0 instances with no names, all of what is given: ids `*first` and following.
kai_result kai_store_add_run(kai_store* store, const kai_kind* kind, const void* given,
                             size_t count, uint32_t* first, kai_error* err);

/// Gives every instance of run r, counted from 0, an entry and a place of its own. On failure
/// nothing has changed.
kai_result kai_store_unfold(kai_store* store, size_t r, kai_error* err);

/// The opposite: makes a run of `count` ids from `first` on, whose instances are equal, of one kind
/// that may be a run and without names; or that are retired, but for one. Others keep their order.
kai_result kai_store_fold(kai_store* store, uint32_t first, size_t count, kai_error* err);

/// Takes the last run away, whose ids are the last ones.
void kai_store_drop_run(kai_store* store);

/// How many runs begin at an id or before it.
static inline size_t kai_store_runs_to(const kai_store* store, uint32_t index)
{
    const kai_store_run* runs = store->runs.data;
    size_t begin = 0, end = store->runs.count;
    while (begin < end) {
        const size_t middle = begin + (end - begin) / 2;
        if (runs[middle].first <= index)
            begin = middle + 1;
        else
            end = middle;
    }
    return begin;
}

/// Which run an id is in, SIZE_MAX: none.
static inline size_t kai_store_run_of(const kai_store* store, uint32_t index)
{
    const size_t n = kai_store_runs_to(store, index);
    if (n == 0) return SIZE_MAX;
    const kai_store_run* run = (const kai_store_run*)store->runs.data + (n - 1);
    return index - run->first < run->count ? n - 1 : SIZE_MAX;
}

/// The place in `entries` of an id that is in no run; of one in a run: where it would be.
size_t kai_store_place(const kai_store* store, uint32_t index);

/// The entry of an id index that was given out, in use or not.
const kai_store_entry* kai_store_entry_of(const kai_store* store, uint32_t index);

/// How many ids in a row, from its owner on, lead to the instance in a slot of a batch or did so
/// before they were removed, and how many of them still do.
size_t kai_store_range(const kai_store* store, const kai_store_batch* batch, size_t slot);
size_t kai_store_members(const kai_store* store, const kai_store_batch* batch, size_t slot);

/// Whether an id that was given out leads to an instance.
static inline bool kai_store_in_use(const kai_store* store, uint32_t index)
{
    return kai_store_entry_of(store, index)->batch != KAI_STORE_FREE;
}

/// The largest id index given out.
static inline size_t kai_store_last(const kai_store* store)
{
    return store->entries.count + store->run_ids;
}

/// Empties the hidden tables and lists of a caller's instance, which may hold anything.
void kai_store_drop_hidden(const kai_kind* kind, void* instance);

/// Replaces an instance by another whole one of the same kind, checked and copied like a new one, but
/// without hidden tables and lists.
kai_result kai_store_set(kai_store* store, kai_id id, const void* instance, kai_error* err);

/// Removes an instance. KAI_ERROR_ID when there is none. After kai_store_prepare_remove there is
/// memory for it.
kai_result kai_store_prepare_remove(kai_store* store, kai_id id, kai_error* err);
kai_result kai_store_remove(kai_store* store, kai_id id, kai_error* err);

/// The entry of an id, or NULL when it is null, stale or foreign; and its instance, likewise.
const kai_store_entry* kai_store_find(const kai_store* store, kai_id id);
void* kai_store_at(const kai_store* store, kai_id id);

/// The id of the instance in a slot of a batch.
kai_id kai_store_id(const kai_store* store, size_t batch, size_t slot);

/// The key of an instance (base/keys.h), 0 when there is none; and the instance of a key, null when
/// there is none.
uint64_t kai_store_key(const kai_store* store, kai_id id);
kai_id kai_store_by_key(const kai_store* store, uint64_t key);

/// The name of an instance, "" when it has none.
const char* kai_store_name(const kai_store* store, kai_id id);

/// KAI_ERROR_ID with a message that says what is wrong with the id.
kai_result kai_store_id_error(const kai_store* store, kai_id id, kai_error* err);

/// Gives all memory back.
void kai_store_free(kai_store* store);

#endif
