// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "base/store.h"

#include "base/kind.h"
#include "base/text.h"

#include <string.h>

// Tables and lists that an instance points to ----------------------------------------------------

static size_t table_bytes(const kai_table* t)
{
    return (size_t)t->rows * t->columns * sizeof(double);
}

/// The table of a parameter that is one or has one, NULL for others.
static kai_table* table_of(const kai_param* p, char* instance)
{
    if (p->type == KAI_PARAM_CURVE) return &((kai_curve*)(instance + p->offset))->points;
    return p->type == KAI_PARAM_TABLE ? (kai_table*)(instance + p->offset) : NULL;
}

static void release_params(kai_memory* memory, const kai_kind* kind, char* instance)
{
    for (size_t i = 0; i < kind->param_count; i++) {
        const kai_param* p = &kind->params[i];
        kai_table* t = table_of(p, instance);
        if (t) {
            kai_memory_release(memory, (void*)(uintptr_t)t->data, table_bytes(t));
        } else if (p->type == KAI_PARAM_LIST) {
            kai_list* list = (kai_list*)(instance + p->offset);
            char* items = (char*)(uintptr_t)list->items;
            for (uint32_t k = 0; items && k < list->count; k++)
                release_params(memory, p->item, items + k * p->item->size);
            kai_memory_release(memory, items, list->count * p->item->size);
        }
    }
}

static kai_result copy_params(kai_memory* memory, const kai_kind* kind, char* instance, bool keep,
                              kai_error* err);

/// Replaces a pointer by a copy of what it points to.
static kai_result copy_block(kai_memory* memory, const void** data, size_t bytes, kai_error* err)
{
    if (bytes == 0) {
        *data = NULL;
        return KAI_OK;
    }
    void* copy = kai_memory_allocate(memory, bytes);
    if (copy) memcpy(copy, *data, bytes);
    *data = copy;
    return copy ? KAI_OK
                : kai_error_set(err, KAI_ERROR_MEMORY, "no memory for a table of %zu bytes", bytes);
}

static kai_result copy_list(kai_memory* memory, const kai_param* p, kai_list* list, kai_error* err)
{
    const size_t size = p->item->size;
    KAI_TRY(copy_block(memory, &list->items, list->count * size, err));
    char* items = (char*)(uintptr_t)list->items;
    for (uint32_t k = 0; k < list->count; k++) {
        const kai_result r = copy_params(memory, p->item, items + k * size, false, err);
        if (r == KAI_OK) continue;
        for (uint32_t j = 0; j < k; j++) release_params(memory, p->item, items + j * size);
        kai_memory_release(memory, items, list->count * size);
        list->items = NULL;
        return r;
    }
    return KAI_OK;
}

/// Makes every table and list of an instance its own. Hidden ones belong to the engine: whatever a
/// caller's instance holds there is dropped, unless the kind has put it there (`keep`). On failure
/// what was copied is given back.
static kai_result copy_params(kai_memory* memory, const kai_kind* kind, char* instance, bool keep,
                              kai_error* err)
{
    for (size_t i = 0; i < kind->param_count; i++) {
        const kai_param* p = &kind->params[i];
        kai_table* t = table_of(p, instance);
        kai_result r = KAI_OK;
        if (!t && p->type != KAI_PARAM_LIST) continue;
        if (p->hidden && !keep) {
            memset(instance + p->offset, 0, kai_kind_type_size(p->type));
        } else if (t) {
            const void* data = t->data;
            r = copy_block(memory, &data, table_bytes(t), err);
            t->data = data;
        } else {
            r = copy_list(memory, p, (kai_list*)(instance + p->offset), err);
        }
        if (r == KAI_OK) continue;
        kai_kind done = *kind;
        done.param_count = i;
        release_params(memory, &done, instance);
        return r;
    }
    return KAI_OK;
}

// Kinds ------------------------------------------------------------------------------------------

kai_result kai_store_init(kai_store* store, kai_memory* memory, const char* family, uint16_t world,
                          const kai_kind* const* kinds, kai_error* err)
{
    memset(store, 0, sizeof *store);
    store->family = family;
    store->memory = memory;
    store->world = world;
    store->version = 1;
    store->entries = kai_array_make(sizeof(kai_store_entry));
    store->runs = kai_array_make(sizeof(kai_store_run));
    store->removed = kai_array_make(sizeof(uint64_t));
    kai_names_init(&store->names, memory);
    for (; *kinds; kinds++) KAI_TRY(kai_store_register(store, *kinds, err));
    return KAI_OK;
}

kai_result kai_store_register(kai_store* store, const kai_kind* kind, kai_error* err)
{
    KAI_TRY(kai_kind_validate(kind, err));
    if (kind->size == 0)
        return kai_error_set(err, KAI_ERROR_ARGUMENT,
                             "%s kind %s has instances of 0 bytes; must be > 0", store->family,
                             kind->name);
    if (kai_store_kind(store, kind->name))
        return kai_error_set(err, KAI_ERROR_NAME, "%s kind '%s' exists already", store->family,
                             kind->name);
    if (store->batch_count == KAI_STORE_KINDS)
        return kai_error_set(err, KAI_ERROR_LIMIT, "%s kind '%s' is one too many; at most %d",
                             store->family, kind->name, KAI_STORE_KINDS);

    const size_t bytes = sizeof(kai_store_batch);
    kai_store_batch* grown =
        kai_memory_allocate_zeroed(store->memory, store->batch_count + 1, bytes);
    if (!grown)
        return kai_error_set(err, KAI_ERROR_MEMORY, "no memory for %s kinds", store->family);
    if (store->batches) memcpy(grown, store->batches, store->batch_count * bytes);
    kai_memory_release(store->memory, store->batches, store->batch_count * bytes);
    grown[store->batch_count] = (kai_store_batch){.kind = kind,
                                                  .given = kind,
                                                  .items = kai_array_make(kind->size),
                                                  .owner = kai_array_make(sizeof(uint32_t)),
                                                  .name = kai_array_make(sizeof(const char*))};
    store->batches = grown;
    store->batch_count++;
    return KAI_OK;
}

/// Makes the kind registered last the store's own copy of a program's table.
static void store_own_last(kai_store* store, const kai_kind* given, size_t bytes)
{
    store->batches[store->batch_count - 1].given = given;
    store->batches[store->batch_count - 1].copied = bytes;
}

kai_result kai_store_register_table(kai_store* store, const kai_kind* kind, size_t bytes,
                                    size_t tail, kai_error* err)
{
    kai_kind* own = kai_memory_allocate(store->memory, bytes);
    if (!own) return kai_error_set(err, KAI_ERROR_MEMORY, "no memory for a %s kind", store->family);
    kai_result r = kai_kind_read_table(kind, store->family, bytes, own, err);
    const bool copy = r == KAI_OK && (own->sizes.table < bytes || tail > 0);
    if (copy && tail > 0 && own->size > 0) {
        own->given = kai_kind_given(own);
        own->size = (own->size + 7) / 8 * 8 + tail;
    }
    if (r == KAI_OK) r = kai_store_register(store, copy ? own : kind, err);
    if (r == KAI_OK && copy)
        store_own_last(store, kind, bytes);
    else
        kai_memory_release(store->memory, own, bytes);
    return r;
}

kai_result kai_store_register_like(kai_store* store, const kai_store* like, kai_error* err)
{
    for (size_t b = 0; b < like->batch_count; b++) {
        const kai_store_batch* from = &like->batches[b];
        kai_kind* own = from->copied ? kai_memory_allocate(store->memory, from->copied) : NULL;
        if (from->copied && !own)
            return kai_error_set(err, KAI_ERROR_MEMORY, "no memory for a %s kind", store->family);
        if (own) memcpy(own, from->kind, from->copied);
        const kai_result r = kai_store_register(store, own ? own : from->kind, err);
        if (r != KAI_OK) kai_memory_release(store->memory, own, from->copied);
        KAI_TRY(r);
        if (own) store_own_last(store, from->given, from->copied);
    }
    return KAI_OK;
}

static size_t batch_of(const kai_store* store, const kai_kind* kind)
{
    size_t b = 0;
    while (b < store->batch_count && store->batches[b].kind != kind &&
           store->batches[b].given != kind)
        b++;
    return b;
}

const void* kai_store_table(const kai_store* store, const void* table, kai_error* err)
{
    const kai_kind* kind = table;
    const size_t b = batch_of(store, kind);
    if (b < store->batch_count) return store->batches[b].kind;
    kai_error_set(err, KAI_ERROR_ARGUMENT, "%s kind '%s' is not registered in this world",
                  store->family, kind->name);
    return NULL;
}

bool kai_store_has(const kai_store* store, const kai_kind* kind)
{
    return batch_of(store, kind) < store->batch_count;
}

const kai_kind* kai_store_kind(const kai_store* store, const char* name)
{
    for (size_t b = 0; b < store->batch_count; b++)
        if (strcmp(store->batches[b].kind->name, name) == 0) return store->batches[b].kind;
    return NULL;
}

static const char* kind_name(size_t i, const void* context)
{
    return ((const kai_store*)context)->batches[i].kind->name;
}

const char* kai_store_nearest_kind(const kai_store* store, const char* name)
{
    return kai_text_nearest(name, store->batch_count, kind_name, store);
}

// Instances --------------------------------------------------------------------------------------

static uint32_t* owner_at(const kai_store_batch* batch, size_t slot)
{
    return (uint32_t*)batch->owner.data + slot;
}

size_t kai_store_place(const kai_store* store, uint32_t index)
{
    const size_t n = kai_store_runs_to(store, index);
    if (n == 0) return index - 1;
    const kai_store_run* run = (const kai_store_run*)store->runs.data + (n - 1);
    const uint32_t in = index - run->first < run->count ? index - run->first : run->count;
    return index - 1 - run->before - in;
}

static kai_store_entry* entry_at(const kai_store* store, uint32_t index)
{
    const size_t r = kai_store_run_of(store, index);
    if (r != SIZE_MAX) return &((kai_store_run*)store->runs.data)[r].entry;
    return (kai_store_entry*)store->entries.data + kai_store_place(store, index);
}

/// Whether an id of a run was removed.
static bool is_removed(const kai_store* store, const kai_store_run* run, uint32_t index)
{
    const size_t bit = index - run->first;
    const uint64_t* words = store->removed.data;
    return run->bits && words[run->bits - 1 + bit / 64] >> bit % 64 & 1;
}

const kai_store_entry* kai_store_entry_of(const kai_store* store, uint32_t index)
{
    static const kai_store_entry REMOVED = {
        .slot = KAI_STORE_RETIRED, .batch = KAI_STORE_FREE, .generation = 1};
    const size_t r = store->runs.count > 0 ? kai_store_run_of(store, index) : SIZE_MAX;
    if (r != SIZE_MAX && is_removed(store, (const kai_store_run*)store->runs.data + r, index))
        return &REMOVED;
    return entry_at(store, index);
}

size_t kai_store_range(const kai_store* store, const kai_store_batch* batch, size_t slot)
{
    const size_t r = kai_store_run_of(store, *owner_at(batch, slot));
    return r == SIZE_MAX ? 1 : ((const kai_store_run*)store->runs.data)[r].count;
}

size_t kai_store_members(const kai_store* store, const kai_store_batch* batch, size_t slot)
{
    const size_t r = kai_store_run_of(store, *owner_at(batch, slot));
    const kai_store_run* runs = store->runs.data;
    return r == SIZE_MAX ? 1 : runs[r].count - runs[r].removed;
}

/// Index of the entry that the next instance will get. Room for it is made, but it is not taken
/// yet.
static kai_result next_entry(kai_store* store, uint32_t* index, kai_error* err)
{
    *index = store->free_head;
    if (*index) return KAI_OK;
    if (kai_store_last(store) >= UINT32_MAX - 1)
        return kai_error_set(err, KAI_ERROR_LIMIT, "more than %u of %s", UINT32_MAX - 1,
                             store->family);
    KAI_TRY(kai_array_reserve(&store->entries, store->memory, store->entries.count + 1, err));
    *index = (uint32_t)kai_store_last(store) + 1;
    return KAI_OK;
}

/// Room for one more in a batch. Names are kept only once one instance has one.
static kai_result reserve_slot(kai_store* store, kai_store_batch* batch, bool named, kai_error* err)
{
    const size_t count = batch->items.count;
    KAI_TRY(kai_array_reserve(&batch->items, store->memory, count + 1, err));
    KAI_TRY(kai_array_reserve(&batch->owner, store->memory, count + 1, err));
    if (named && batch->name.count < count)
        KAI_TRY(kai_array_resize(&batch->name, store->memory, count, err));
    if (named || batch->name.count > 0)
        KAI_TRY(kai_array_reserve(&batch->name, store->memory, count + 1, err));
    return KAI_OK;
}

/// Takes the entry and slot that were made ready; cannot fail.
static kai_id take_slot(kai_store* store, size_t b, uint32_t index, const void* instance,
                        const char* name)
{
    kai_store_batch* batch = &store->batches[b];
    if (store->free_head == index)
        store->free_head = entry_at(store, index)->slot;
    else
        store->entries.count++;
    kai_store_entry* entry = entry_at(store, index);
    entry->slot = (uint32_t)batch->items.count;
    entry->batch = (uint16_t)b;
    const bool names = name || batch->name.count > 0;
    memcpy((char*)batch->items.data + batch->items.count++ * batch->kind->size, instance,
           batch->kind->size);
    ((uint32_t*)batch->owner.data)[batch->owner.count++] = index;
    if (names) ((const char**)batch->name.data)[batch->name.count++] = name;
    store->count++;
    store->version++;
    batch->version++;
    return (kai_id){.index = index, .generation = entry->generation, .world = store->world};
}

/// A copy of an instance that is not in the store yet; small ones cost no allocation.
typedef struct staged {
    _Alignas(KAI_ALIGNMENT) char room[512];
    char* instance;
} staged;

/// Copies a checked instance, tables and lists too; only `whole` ones have the kind's own part.
static kai_result stage(kai_store* store, const kai_kind* kind, const void* instance, bool whole,
                        bool keep, staged* s, kai_error* err)
{
    s->instance =
        kind->size <= sizeof s->room ? s->room : kai_memory_allocate(store->memory, kind->size);
    if (!s->instance)
        return kai_error_set(err, KAI_ERROR_MEMORY, "no memory for a %s", store->family);
    if (whole)
        memcpy(s->instance, instance, kind->size);
    else
        kai_kind_take(kind, instance, s->instance);
    return copy_params(store->memory, kind, s->instance, keep, err);
}

static void unstage(kai_store* store, const kai_kind* kind, staged* s)
{
    if (s->instance != s->room) kai_memory_release(store->memory, s->instance, kind->size);
}

/// Adds a staged instance; on failure nothing has changed.
static kai_result add_staged(kai_store* store, size_t b, const char* instance, const char* name,
                             kai_id* out, kai_error* err)
{
    const bool named = name && name[0];
    uint32_t index;
    KAI_TRY(next_entry(store, &index, err));
    KAI_TRY(reserve_slot(store, &store->batches[b], named, err));
    const char* text = NULL;
    if (named) {
        const kai_store_entry* entry =
            index <= kai_store_last(store) ? entry_at(store, index) : NULL;
        const kai_id id = {index, entry ? entry->generation : 0, store->world};
        KAI_TRY(kai_names_add(&store->names, store->family, name, id, &text, err));
    }
    *out = take_slot(store, b, index, instance, text);
    return KAI_OK;
}

static kai_result store_add(kai_store* store, const kai_kind* kind, const void* instance,
                            bool whole, bool keep, const char* name, kai_id* out, kai_error* err)
{
    kind = kai_store_table(store, kind, err);
    if (!kind) return KAI_ERROR_ARGUMENT;
    const size_t b = batch_of(store, kind);
    KAI_TRY(kai_kind_check(kind, instance, err));

    // The copy comes first: the instance may lie in this very store, which growing moves.
    staged s;
    kai_result r = stage(store, kind, instance, whole, keep, &s, err);
    if (r == KAI_OK) {
        r = add_staged(store, b, s.instance, name, out, err);
        if (r != KAI_OK) release_params(store->memory, kind, s.instance);
    }
    unstage(store, kind, &s);
    return r;
}

kai_result kai_store_add(kai_store* store, const kai_kind* kind, const void* given,
                         const char* name, kai_id* out, kai_error* err)
{
    return store_add(store, kind, given, false, false, name, out, err);
}

kai_result kai_store_add_prepared(kai_store* store, const kai_kind* kind, const void* instance,
                                  const char* name, kai_id* out, kai_error* err)
{
    return store_add(store, kind, instance, true, true, name, out, err);
}

kai_result kai_store_add_whole(kai_store* store, const kai_kind* kind, const void* instance,
                               kai_id* out, kai_error* err)
{
    return store_add(store, kind, instance, true, false, NULL, out, err);
}

// Runs -------------------------------------------------------------------------------------------

bool kai_store_can_run(const kai_kind* kind)
{
    for (size_t i = 0; i < kind->param_count; i++) {
        const kai_param_type type = kind->params[i].type;
        if (type == KAI_PARAM_TABLE || type == KAI_PARAM_LIST || type == KAI_PARAM_CURVE)
            return false;
    }
    return true;
}

kai_result kai_store_add_run(kai_store* store, const kai_kind* kind, const void* given,
                             size_t count, uint32_t* first, kai_error* err)
{
    if (!kai_store_can_run(kind) || count == 0 || count > UINT32_MAX - 2 - kai_store_last(store))
        return kai_error_set(err, KAI_ERROR_LIMIT, "%zu of %s cannot be one", count, kind->name);
    KAI_TRY(kai_array_reserve(&store->runs, store->memory, store->runs.count + 1, err));
    // The instance gets the last id; its entry becomes that of the run.
    const uint32_t unused = store->free_head;
    kai_id id;
    store->free_head = 0;
    const kai_result r = kai_store_add(store, kind, given, NULL, &id, err);
    store->free_head = unused;
    KAI_TRY(r);
    const kai_store_run run = {.first = id.index,
                               .count = (uint32_t)count,
                               .before = (uint32_t)store->run_ids,
                               .entry = *entry_at(store, id.index)};
    KAI_TRY(kai_array_resize(&store->entries, store->memory, store->entries.count - 1, err));
    ((kai_store_run*)store->runs.data)[store->runs.count++] = run;
    store->run_ids += count;
    store->count += count - 1;
    *first = id.index;
    return KAI_OK;
}

/// Makes room for the bits of ids of a run that are removed.
static kai_result make_bits(kai_store* store, kai_store_run* run, kai_error* err)
{
    const size_t words = store->removed.count;
    if (run->bits) return KAI_OK;
    KAI_TRY(kai_array_resize(&store->removed, store->memory, words + run->count / 64 + 1, err));
    run->bits = words + 1;
    return KAI_OK;
}

/// Marks an id of a run as removed; there is room for its bit.
static void mark_removed(const kai_store* store, kai_store_run* run, uint32_t index)
{
    const size_t bit = index - run->first;
    ((uint64_t*)store->removed.data)[run->bits - 1 + bit / 64] |= UINT64_C(1) << bit % 64;
    run->removed++;
}

/// Takes run r out of the list; its ids have entries now, or are gone.
static void forget_run(kai_store* store, size_t r)
{
    kai_store_run* runs = store->runs.data;
    const uint32_t count = runs[r].count;
    for (size_t k = r; k + 1 < store->runs.count; k++) {
        runs[k] = runs[k + 1];
        runs[k].before -= count;
    }
    store->run_ids -= count;
    runs[--store->runs.count] = (kai_store_run){0};
}

kai_result kai_store_unfold(kai_store* store, size_t r, kai_error* err)
{
    const kai_store_run run = ((const kai_store_run*)store->runs.data)[r];
    const size_t more = run.count - run.removed - 1, place = kai_store_place(store, run.first),
                 behind = store->entries.count - place;
    kai_store_batch* batch = &store->batches[run.entry.batch];
    const size_t slots = batch->items.count, size = batch->kind->size;
    const bool named = batch->name.count > 0;
    KAI_TRY(
        kai_array_reserve(&store->entries, store->memory, store->entries.count + run.count, err));
    KAI_TRY(kai_array_reserve(&batch->items, store->memory, slots + more, err));
    KAI_TRY(kai_array_reserve(&batch->owner, store->memory, slots + more, err));
    if (named) KAI_TRY(kai_array_resize(&batch->name, store->memory, slots + more, err));
    kai_store_entry* entries = (kai_store_entry*)store->entries.data + place;
    memmove(entries + run.count, entries, behind * sizeof *entries);
    char* items = batch->items.data;
    size_t made = 0;
    for (uint32_t k = 0; k < run.count; k++) {
        if (is_removed(store, &run, run.first + k)) {
            entries[k] = (kai_store_entry){KAI_STORE_RETIRED, KAI_STORE_FREE, 1};
            continue;
        }
        // The first one that is there takes the instance of the run.
        const size_t slot = made == 0 ? run.entry.slot : slots + made - 1;
        entries[k] = (kai_store_entry){(uint32_t)slot, run.entry.batch, run.entry.generation};
        if (made++ > 0) memcpy(items + slot * size, items + run.entry.slot * size, size);
        *owner_at(batch, slot) = run.first + k;
    }
    store->entries.count += run.count;
    batch->items.count = batch->owner.count = slots + more;
    batch->version++;
    forget_run(store, r);
    return KAI_OK;
}

/// Takes the instances of ids [first, first + count) out of their batch, but for that of `keep`.
static void gather_batch(kai_store* store, kai_store_batch* batch, uint32_t first, size_t count,
                         uint32_t keep)
{
    const size_t size = batch->kind->size;
    char* items = batch->items.data;
    size_t kept = 0;
    for (size_t i = 0; i < batch->items.count; i++) {
        const uint32_t owner = *owner_at(batch, i);
        if (owner != keep && owner - first < count) continue;
        memmove(items + kept * size, items + i * size, size);
        *owner_at(batch, kept) = owner;
        if (batch->name.count > 0)
            ((const char**)batch->name.data)[kept] = ((const char**)batch->name.data)[i];
        entry_at(store, owner)->slot = (uint32_t)kept++;
    }
    memset(items + kept * size, 0, (batch->items.count - kept) * size);
    memset(owner_at(batch, kept), 0, (batch->items.count - kept) * sizeof(uint32_t));
    batch->items.count = batch->owner.count = kept;
    if (batch->name.count > 0) batch->name.count = kept;
}

kai_result kai_store_fold(kai_store* store, uint32_t first, size_t count, kai_error* err)
{
    KAI_TRY(kai_array_reserve(&store->runs, store->memory, store->runs.count + 1, err));
    const size_t place = kai_store_place(store, first), r = kai_store_runs_to(store, first);
    kai_store_entry* entries = store->entries.data;
    kai_store_run *runs = store->runs.data, run = {.first = first,
                                                   .count = (uint32_t)count,
                                                   .before = first - 1 - (uint32_t)place};
    for (uint32_t k = 0; k < count; k++) {
        if (entries[place + k].batch != KAI_STORE_FREE) continue;
        KAI_TRY(make_bits(store, &run, err));
        mark_removed(store, &run, first + k);
    }
    uint32_t one = 0;
    while (entries[place + one].batch == KAI_STORE_FREE) one++;
    gather_batch(store, &store->batches[entries[place + one].batch], first, count, first + one);
    run.entry = entries[place + one];
    *owner_at(&store->batches[run.entry.batch], run.entry.slot) = first;
    const size_t left = store->entries.count - count;
    memmove(entries + place, entries + place + count, (left - place) * sizeof *entries);
    memset(entries + left, 0, count * sizeof *entries);
    store->entries.count = left;
    for (size_t k = store->runs.count; k > r; k--) {
        runs[k] = runs[k - 1];
        runs[k].before += run.count;
    }
    runs[r] = run;
    store->runs.count++;
    store->run_ids += count;
    store->version++;
    store->batches[run.entry.batch].version++;
    return KAI_OK;
}

/// Takes an instance out of its batch, whose last one moves into the gap.
static void take_out(kai_store* store, kai_store_batch* batch, size_t slot)
{
    const size_t last = batch->items.count - 1;
    if (slot != last) entry_at(store, *owner_at(batch, last))->slot = (uint32_t)slot;
    if (batch->name.count > 0) kai_array_swap_remove(&batch->name, slot);
    kai_array_swap_remove(&batch->items, slot);
    kai_array_swap_remove(&batch->owner, slot);
}

void kai_store_drop_run(kai_store* store)
{
    const kai_store_run run = ((const kai_store_run*)store->runs.data)[store->runs.count - 1];
    kai_store_batch* batch = &store->batches[run.entry.batch];
    take_out(store, batch, run.entry.slot);
    store->count -= run.count;
    store->version++;
    batch->version++;
    forget_run(store, store->runs.count - 1);
}

void kai_store_drop_hidden(const kai_kind* kind, void* instance)
{
    for (size_t i = 0; i < kind->param_count; i++) {
        const kai_param* p = &kind->params[i];
        if (p->hidden && (p->type == KAI_PARAM_LIST || table_of(p, instance)))
            memset((char*)instance + p->offset, 0, kai_kind_type_size(p->type));
    }
}

kai_result kai_store_set(kai_store* store, kai_id id, const void* instance, kai_error* err)
{
    if (!kai_store_find(store, id)) return kai_store_id_error(store, id, err);
    const size_t run = kai_store_run_of(store, id.index);
    if (run != SIZE_MAX) KAI_TRY(kai_store_unfold(store, run, err));
    const kai_store_entry* entry = kai_store_find(store, id);
    const kai_kind* kind = store->batches[entry->batch].kind;
    KAI_TRY(kai_kind_check(kind, instance, err));

    staged s;
    const kai_result r = stage(store, kind, instance, true, false, &s, err);
    if (r == KAI_OK) {
        char* place = kai_store_at(store, id);
        release_params(store->memory, kind, place);
        memcpy(place, s.instance, kind->size);
        store->version++;
        store->batches[entry->batch].version++;
    }
    unstage(store, kind, &s);
    return r;
}

/// Marks an id of run r; the instance goes with the last one.
static kai_result remove_from_run(kai_store* store, size_t r, uint32_t index, kai_error* err)
{
    kai_store_run* run = (kai_store_run*)store->runs.data + r;
    kai_store_batch* batch = &store->batches[run->entry.batch];
    KAI_TRY(make_bits(store, run, err));
    mark_removed(store, run, index);
    kai_keys_remove(&store->keys, index);
    store->count--;
    store->version++;
    if (run->removed < run->count) return KAI_OK;
    take_out(store, batch, run->entry.slot);
    batch->version++;
    run->entry = (kai_store_entry){KAI_STORE_RETIRED, KAI_STORE_FREE, 1};
    return KAI_OK;
}

kai_result kai_store_prepare_remove(kai_store* store, kai_id id, kai_error* err)
{
    if (!kai_store_find(store, id)) return kai_store_id_error(store, id, err);
    const size_t r = kai_store_run_of(store, id.index);
    return r == SIZE_MAX ? KAI_OK : make_bits(store, (kai_store_run*)store->runs.data + r, err);
}

kai_result kai_store_remove(kai_store* store, kai_id id, kai_error* err)
{
    if (!kai_store_find(store, id)) return kai_store_id_error(store, id, err);
    const size_t r = kai_store_run_of(store, id.index);
    if (r != SIZE_MAX) return remove_from_run(store, r, id.index, err);
    kai_store_entry* entry = entry_at(store, id.index);
    kai_store_batch* batch = &store->batches[entry->batch];
    const size_t slot = entry->slot;

    release_params(store->memory, batch->kind, (char*)batch->items.data + slot * batch->kind->size);
    if (batch->name.count > 0 && ((const char**)batch->name.data)[slot])
        kai_names_remove(&store->names, ((const char**)batch->name.data)[slot]);
    take_out(store, batch, slot);
    kai_keys_remove(&store->keys, id.index);
    entry->batch = KAI_STORE_FREE;
    entry->slot = KAI_STORE_RETIRED;
    if (entry->generation < UINT16_MAX) {
        entry->generation++;
        entry->slot = store->free_head;
        store->free_head = id.index;
    }
    store->count--;
    store->version++;
    batch->version++;
    return KAI_OK;
}

const kai_store_entry* kai_store_find(const kai_store* store, kai_id id)
{
    if (id.index == 0 || id.index > kai_store_last(store) || id.world != store->world) return NULL;
    const kai_store_entry* entry = kai_store_entry_of(store, id.index);
    return entry->batch != KAI_STORE_FREE && entry->generation == id.generation ? entry : NULL;
}

void* kai_store_at(const kai_store* store, kai_id id)
{
    const kai_store_entry* entry = kai_store_find(store, id);
    if (!entry) return NULL;
    const kai_store_batch* batch = &store->batches[entry->batch];
    return (char*)batch->items.data + (size_t)entry->slot * batch->kind->size;
}

kai_id kai_store_id(const kai_store* store, size_t batch, size_t slot)
{
    const uint32_t index = *owner_at(&store->batches[batch], slot);
    return (kai_id){index, entry_at(store, index)->generation, store->world};
}

uint64_t kai_store_key(const kai_store* store, kai_id id)
{
    return kai_store_find(store, id) ? kai_keys_of(&store->keys, id) : 0;
}

kai_id kai_store_by_key(const kai_store* store, uint64_t key)
{
    kai_id id = {.world = store->world};
    if (!kai_keys_find(&store->keys, key, &id) && id.index != 0)
        id.generation = entry_at(store, id.index)->generation;
    return kai_store_find(store, id) ? id : (kai_id){0};
}

const char* kai_store_name(const kai_store* store, kai_id id)
{
    const kai_store_entry* entry = kai_store_find(store, id);
    if (!entry) return "";
    const kai_store_batch* batch = &store->batches[entry->batch];
    const char* name = batch->name.count > 0 ? ((const char**)batch->name.data)[entry->slot] : NULL;
    return name ? name : "";
}

kai_result kai_store_id_error(const kai_store* store, kai_id id, kai_error* err)
{
    const char* what = id.index == 0                      ? "null"
                       : id.world != store->world         ? "from another world"
                       : id.index > kai_store_last(store) ? "not of this world"
                                                          : "of one that was destroyed";
    return kai_error_set(err, KAI_ERROR_ID, "%s id %u is %s", store->family, id.index, what);
}

void kai_store_free(kai_store* store)
{
    for (size_t b = 0; b < store->batch_count; b++) {
        kai_store_batch* batch = &store->batches[b];
        for (size_t i = 0; i < batch->items.count; i++)
            release_params(store->memory, batch->kind,
                           (char*)batch->items.data + i * batch->kind->size);
        kai_array_free(&batch->items, store->memory);
        kai_array_free(&batch->owner, store->memory);
        kai_array_free(&batch->name, store->memory);
        if (batch->copied)
            kai_memory_release(store->memory, (void*)(uintptr_t)batch->kind, batch->copied);
    }
    if (store->memory) {
        kai_memory_release(store->memory, store->batches,
                           store->batch_count * sizeof(kai_store_batch));
        kai_array_free(&store->entries, store->memory);
        kai_array_free(&store->runs, store->memory);
        kai_array_free(&store->removed, store->memory);
        kai_keys_free(&store->keys, store->memory);
        kai_names_free(&store->names);
    }
    memset(store, 0, sizeof *store);
}
