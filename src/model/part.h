// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The parts of a world. A part is one const entry of the table that the world was made with
// (kai_world_make; step/part_list.h): what creates and destroys it, what a checkpoint, the hash and
// the undo of a failed step do with it, and how many bytes it takes. World, checkpoint, hash and undo
// walk the table in its order (destruction: backwards), so that a new part is one file and one line.
//
// The data of a part are `size` bytes of kai_world. Modules that depend on model/ attach parts of
// their own while the world lives (kai_part_attach): caches, which have no slot but `free`, or
// state, which has all of them.
//
// A checkpoint is read into a world aside (kai_world.aside_of), which has the same kinds and takes
// its memory from the world that it is for. When everything is read and checked, parts that have
// `load` change places; nothing can fail then.
#ifndef MODEL_PART_H
#define MODEL_PART_H

#include "base/member.h"
#include "model/world.h"

typedef struct kai_part kai_part;

typedef kai_member_list kai_part_list;

/// Where a part is written to: groups within groups. Implemented by record/.
typedef struct kai_part_writer kai_part_writer;
struct kai_part_writer {
    /// Makes a group, in which all is written until `end`.
    kai_result (*begin)(kai_part_writer* w, const char* name, kai_error* err);
    void (*end)(kai_part_writer* w);
    /// A few numbers, and a text.
    kai_result (*numbers)(kai_part_writer* w, const char* name, kai_number number, size_t count,
                          const void* data, kai_error* err);
    kai_result (*text)(kai_part_writer* w, const char* name, const char* text, kai_error* err);
    kai_result (*list)(kai_part_writer* w, const kai_part_list* list, const void* items,
                       size_t count, kai_error* err);
    /// The names of `count` things, NULL for those without one.
    kai_result (*names)(kai_part_writer* w, const char* const* names, size_t count, kai_error* err);
    /// The parameters of one instance.
    kai_result (*instance)(kai_part_writer* w, const kai_kind* kind, const void* instance,
                           kai_error* err);
    /// Containers, as groups of that name.
    kai_result (*store)(kai_part_writer* w, const char* name, const kai_store* store,
                        kai_error* err);
    kai_result (*bodies)(kai_part_writer* w, const kai_bodies* bodies, kai_error* err);
    kai_result (*frames)(kai_part_writer* w, const char* name, const kai_frames* frames,
                         kai_error* err);
};

/// Names as they are read: free() both lists.
typedef struct kai_part_names {
    uint32_t* named; // [count] places
    char* texts;     // [count] texts of `stride` bytes
    size_t stride, count;
} kai_part_names;

/// Where a part is read from. Types and sizes are as asked for; the rules of values are the part's
/// own to check: nothing in a file is believed.
typedef struct kai_part_reader kai_part_reader;
struct kai_part_reader {
    kai_result (*begin)(kai_part_reader* r, const char* name, kai_error* err);
    void (*end)(kai_part_reader* r);
    kai_result (*numbers)(kai_part_reader* r, const char* name, kai_number number, size_t count,
                          void* data, kai_error* err);
    kai_result (*text)(kai_part_reader* r, const char* name, char* out, size_t size,
                       kai_error* err);
    /// Items of a list, in a new block (free() it; never NULL).
    kai_result (*list)(kai_part_reader* r, const kai_part_list* list, void** items, size_t* count,
                       kai_error* err);
    kai_result (*names)(kai_part_reader* r, size_t limit, kai_part_names* out, kai_error* err);
    /// Parameters of a kind without tables and lists, checked, into an instance with defaults.
    kai_result (*instance)(kai_part_reader* r, const kai_kind* kind, void* instance,
                           kai_error* err);
    /// `hidden`: tables and lists that are hidden parameters are read too.
    kai_result (*store)(kai_part_reader* r, const char* name, kai_store* store, bool hidden,
                        kai_error* err);
    kai_result (*bodies)(kai_part_reader* r, kai_bodies* bodies, kai_error* err);
    kai_result (*frames)(kai_part_reader* r, const char* name, kai_frames* frames,
                         kai_memory* memory, kai_error* err);
    /// The integrator of a name; NULL when there is none.
    const kai_integrator_kind* (*integrator)(const char* name);
};

/// Which failures of a step a part is put back after.
enum {
    KAI_PART_STEP = 1, // any: what integrators change (kai_system_save)
    KAI_PART_STOP = 2  // a stop inside the step: what the rest of a step changes (step/undo.h)
};

/// A part. Slots that are NULL do nothing unless said otherwise; `data` is the part's.
struct kai_part {
    const char* name;
    size_t offset, size; // in kai_world; of attached parts: 0, and bytes to allocate

    /// Of a store: its name in messages and its kinds, NULL-ended.
    const char* family;
    const kai_kind* const* kinds;

    /// Starts from zeroed data. A world aside gets the kinds of the one that it is for.
    kai_result (*init)(kai_world* world, const kai_part* part, void* data, kai_error* err);
    /// Gives memory back; also after an init that failed, or that was never called.
    void (*free)(kai_world* world, void* data);

    /// A checkpoint: both or neither. NULL: the part is not in it and stays when one is read.
    kai_result (*save)(const kai_world* world, const kai_part* part, const void* data,
                       kai_part_writer* w, kai_error* err);
    kai_result (*load)(kai_world* aside, const kai_part* part, void* data, kai_part_reader* r,
                       kai_error* err);
    /// After all parts are read: what it refers to is there.
    kai_result (*check)(kai_world* aside, void* data, kai_error* err);
    /// After it has taken its place; `old` is what was there. Caches must see the change.
    void (*loaded)(kai_world* world, void* data, const void* old);

    /// Adds the state that steps change.
    uint64_t (*hash)(const kai_world* world, const void* data, uint64_t hash);

    /// Undo: when (KAI_PART_STEP, KAI_PART_STOP), bytes to keep, a copy out and back. NULL slots:
    /// the data as they are.
    unsigned undo;
    size_t (*backup_bytes)(const kai_world* world, const void* data);
    void (*backup)(const kai_world* world, const void* data, void* to);
    void (*restore)(kai_world* world, void* data, const void* from);

    /// Bytes in use beside the data. NULL: none, or not counted.
    size_t (*bytes)(const kai_world* world, const void* data);
};

typedef struct kai_part_attached {
    const kai_part* part;
    void* data;
} kai_part_attached;

/// How many parts a world has: those of the table, then those attached; the i-th and its data.
size_t kai_part_count(const kai_world* world);
const kai_part* kai_part_at(const kai_world* world, size_t i);
void* kai_part_data(const kai_world* world, size_t i);

/// The memory that parts of a world take theirs from.
kai_memory* kai_part_memory(const kai_world* world);

/// Gives a world one more part, with zeroed data of part->size bytes, on which init is called.
/// `*data` receives them. On failure nothing has changed.
kai_result kai_part_attach(kai_world* world, const kai_part* part, void** data, kai_error* err);

// Walks ------------------------------------------------------------------------------------------

/// Creates all parts of the table. After a failure kai_part_free_all is still to be called.
kai_result kai_part_init_all(kai_world* world, kai_error* err);
void kai_part_free_all(kai_world* world);

/// Writes all parts that are saved.
kai_result kai_part_save_all(const kai_world* world, kai_part_writer* w, kai_error* err);

/// Replaces them by what is read. On failure the world is as it was.
kai_result kai_part_load_all(kai_world* world, kai_part_reader* r, kai_error* err);

uint64_t kai_part_hash_all(const kai_world* world, uint64_t hash);

/// Copies of all parts with a bit of `undo`, in one block: copy i of part i begins at
/// `first[i]` of `block`.
typedef struct kai_part_backup {
    unsigned undo;
    size_t count; // parts
    kai_arena_mark mark;
    char* block;
    size_t* first; // [count]
} kai_part_backup;

/// Keeps a copy in scratch memory, which kai_part_backup_end gives back with all that was taken
/// since; it puts the copy back unless `keep`. No part may be attached in between but caches.
kai_result kai_part_backup_begin(kai_world* world, unsigned undo, kai_part_backup* backup,
                                 kai_error* err);
void kai_part_backup_end(kai_world* world, const kai_part_backup* backup, bool keep);

// Slots that several parts share -----------------------------------------------------------------

/// Slots of parts that are one store (part_store.c).
kai_result kai_part_store_init(kai_world* world, const kai_part* part, void* data, kai_error* err);
void kai_part_store_free(kai_world* world, void* data);
kai_result kai_part_store_save(const kai_world* world, const kai_part* part, const void* data,
                               kai_part_writer* w, kai_error* err);
kai_result kai_part_store_load(kai_world* aside, const kai_part* part, void* data,
                               kai_part_reader* r, kai_error* err);
void kai_part_store_loaded(kai_world* world, void* data, const void* old);
size_t kai_part_store_bytes(const kai_world* world, const void* data);

/// All of them, for a store that is a member of kai_world.
#define KAI_PART_STORE(member, family_name, kind_list)                                     \
    .name = #member, .offset = offsetof(kai_world, member), .size = sizeof(kai_store),     \
    .family = family_name, .kinds = kind_list, .init = kai_part_store_init,                \
    .free = kai_part_store_free, .save = kai_part_store_save, .load = kai_part_store_load, \
    .loaded = kai_part_store_loaded, .bytes = kai_part_store_bytes

/// Bytes of the members of kai_world from one to another.
#define KAI_PART_SPAN(first, last)        \
    .offset = offsetof(kai_world, first), \
    .size = offsetof(kai_world, last) + sizeof((kai_world*)0)->last - offsetof(kai_world, first)

static inline size_t kai_part_array_bytes(const kai_array* array)
{
    return array->capacity * array->stride;
}
size_t kai_part_names_bytes(const kai_names* names);

/// States that instances of a store have (part_states.c): for `states` and `loads`.
uint64_t kai_part_states_hash(const kai_world* world, const void* store, uint64_t hash);
size_t kai_part_states_bytes(const kai_world* world, const void* store);
void kai_part_states_backup(const kai_world* world, const void* store, void* to);
void kai_part_states_restore(kai_world* world, void* store, const void* from);

/// Checks of what an instance refers to (part_refer.c): every id leads to something in the world
/// aside, and functions only to shallower ones than `above`.
kai_result kai_part_refer_check(const kai_world* aside, const kai_kind* kind, const void* instance,
                                int above, kai_error* err);
/// The same for one body, where `param` says whether there must be one, and for all bodies and
/// shafts of an instance, which must be there.
kai_result kai_part_refer_check_body(const kai_world* aside, const kai_param* param,
                                     const kai_body* body, kai_error* err);
kai_result kai_part_refer_check_ends(const kai_world* aside, const kai_kind* kind,
                                     const void* instance, kai_error* err);
/// Counts one more load at a body; one that is not there was let pass because it need not be.
kai_result kai_part_refer_count(kai_world* aside, kai_body body, kai_error* err);
/// Whether an index of a store is in use.
bool kai_part_refer_in_use(const kai_store* store, uint32_t index);

#endif
