// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "record/store_file.h"

#include "record/param_file.h"

#include <stdlib.h>
#include <string.h>

// An entry as it is written: slots follow from the owners, and batches depend on the order of
// kinds.
typedef struct saved_entry {
    uint32_t next; // free entries: 1 + place of the next free one
    uint16_t generation;
    uint8_t used;
} saved_entry;

static const kai_member ENTRY[] = {KAI_MEMBER(saved_entry, next, U32, 1),
                                   KAI_MEMBER(saved_entry, generation, U16, 1),
                                   KAI_MEMBER(saved_entry, used, U8, 1)};
static const kai_member_list ENTRIES = KAI_MEMBER_LIST("entries", ENTRY, saved_entry);

// Writing ----------------------------------------------------------------------------------------

static kai_result write_entries(hid_t group, const kai_store* store, kai_error* err)
{
    const size_t count = kai_store_last(store);
    saved_entry* saved = calloc(count + 1, sizeof *saved);
    kai_result r = saved ? KAI_OK : kai_h5_no_memory("entries", err);
    for (size_t i = 0; r == KAI_OK && i < count; i++) {
        const kai_store_entry* entry = kai_store_entry_of(store, (uint32_t)i + 1);
        const bool used = entry->batch != KAI_STORE_FREE;
        saved[i] = (saved_entry){used ? 0 : entry->slot, entry->generation, used};
    }
    if (r == KAI_OK) r = kai_h5_write_list(group, &ENTRIES, saved, count, err);
    if (r == KAI_OK)
        r = kai_h5_write_attribute(group, "free_head", KAI_NUMBER_U32, 1, &store->free_head, err);
    free(saved);
    return r;
}

static kai_result write_batch(hid_t group, const kai_store_batch* batch, kai_error* err)
{
    const size_t count = batch->items.count;
    hid_t parameters = -1;
    KAI_TRY(kai_h5_write(group, "owner", H5T_NATIVE_UINT32, count, 1, batch->owner.data, err));
    KAI_TRY(kai_param_file_write_names(group, batch->name.data, batch->name.count, err));
    KAI_TRY(kai_h5_make_group(group, "parameters", &parameters, err));
    const kai_result r =
        kai_param_file_write(parameters, batch->kind, batch->items.data, count, err);
    H5Gclose(parameters);
    return r;
}

/// A batch as it would be without runs. Arrays are `malloc`ed.
static kai_result unfold_batch(const kai_store* store, const kai_store_batch* batch,
                               kai_store_batch* out, kai_error* err)
{
    const size_t size = batch->kind->size;
    size_t count = 0, k = 0;
    for (size_t i = 0; i < batch->items.count; i++) count += kai_store_members(store, batch, i);
    *out = (kai_store_batch){.kind = batch->kind,
                             .items = {malloc(count * size + 1), count, count, size},
                             .owner = {malloc(count * sizeof(uint32_t) + 1), count, count, 4},
                             .name = {calloc(count + 1, sizeof(char*)), 0, count, sizeof(char*)}};
    if (!out->items.data || !out->owner.data || !out->name.data)
        return kai_h5_no_memory("items", err);
    if (batch->name.count > 0) out->name.count = count;
    // Those of a run follow all others but its first, as when it is unfolded.
    for (int rest = 0; rest < 2; rest++)
        for (size_t i = 0; i < batch->items.count; i++) {
            const uint32_t owner = ((const uint32_t*)batch->owner.data)[i];
            const size_t range = kai_store_range(store, batch, i);
            size_t m = 0, end = range;
            while (!kai_store_in_use(store, owner + (uint32_t)m)) m++;
            if (rest)
                m++;
            else
                end = m + 1;
            for (; m < end; m++) {
                if (!kai_store_in_use(store, owner + (uint32_t)m)) continue;
                memcpy((char*)out->items.data + k * size, (char*)batch->items.data + i * size,
                       size);
                ((uint32_t*)out->owner.data)[k] = owner + (uint32_t)m;
                if (batch->name.count > 0 && !rest)
                    ((const char**)out->name.data)[k] = ((const char**)batch->name.data)[i];
                k++;
            }
        }
    return KAI_OK;
}

static kai_result write_unfolded(hid_t group, const kai_store* store, const kai_store_batch* batch,
                                 kai_error* err)
{
    kai_store_batch all;
    kai_result r = unfold_batch(store, batch, &all, err);
    if (r == KAI_OK) r = write_batch(group, &all, err);
    free(all.items.data);
    free(all.owner.data);
    free(all.name.data);
    return r;
}

kai_result kai_store_file_write(hid_t parent, const char* name, const kai_store* store,
                                kai_error* err)
{
    hid_t group = -1;
    KAI_TRY(kai_h5_make_group(parent, name, &group, err));
    kai_result r = write_entries(group, store, err);
    for (size_t b = 0; r == KAI_OK && b < store->batch_count; b++) {
        const kai_store_batch* batch = &store->batches[b];
        if (batch->items.count == 0) continue;
        const char* kind = batch->kind->name;
        if (strchr(kind, '/') != NULL || strcmp(kind, "entries") == 0) {
            r = kai_error_set(err, KAI_ERROR_UNSUPPORTED,
                              "%s kind '%s' cannot be saved under that name", store->family, kind);
            break;
        }
        hid_t inner = -1;
        r = kai_h5_make_group(group, kind, &inner, err);
        if (r == KAI_OK)
            r = store->runs.count > 0 ? write_unfolded(inner, store, batch, err)
                                      : write_batch(inner, batch, err);
        if (inner >= 0) H5Gclose(inner);
    }
    H5Gclose(group);
    return r;
}

// Reading ----------------------------------------------------------------------------------------

kai_result kai_store_file_check_free(const uint32_t* next, const uint8_t* used, size_t count,
                                     uint32_t head, const char* what, kai_error* err)
{
    size_t unused = 0, seen = 0;
    for (size_t i = 0; i < count; i++) unused += !used[i] && next[i] != KAI_STORE_RETIRED;
    uint32_t place = head;
    for (; place != 0 && seen <= unused; seen++) {
        if (place > count || used[place - 1]) break;
        place = next[place - 1];
    }
    // A chain of the right length that ends cannot have visited a place twice.
    if (place == 0 && seen == unused) return KAI_OK;
    return kai_error_set(err, KAI_ERROR_FORMAT, "the list of free %s is broken", what);
}

static kai_result check_entries(const saved_entry* saved, size_t count, uint32_t head,
                                const char* family, kai_error* err)
{
    uint32_t* next = malloc((count + 1) * sizeof *next);
    uint8_t* used = malloc(count + 1);
    kai_result r = next && used ? KAI_OK : kai_h5_no_memory("entries", err);
    for (size_t i = 0; r == KAI_OK && i < count; i++) {
        next[i] = saved[i].next;
        used[i] = saved[i].used != 0;
    }
    if (r == KAI_OK) r = kai_store_file_check_free(next, used, count, head, family, err);
    free(next);
    free(used);
    return r;
}

static kai_result read_entries(hid_t group, kai_store* store, kai_error* err)
{
    void* data = NULL;
    size_t count = SIZE_MAX;
    uint32_t head = 0;
    kai_result r = kai_h5_read_list(group, &ENTRIES, &data, &count, err);
    const saved_entry* saved = data;
    if (r == KAI_OK) r = kai_h5_read_attribute(group, "free_head", KAI_NUMBER_U32, 1, &head, err);
    if (r == KAI_OK && count >= UINT32_MAX - 1)
        r = kai_error_set(err, KAI_ERROR_LIMIT, "more than %u of %s", UINT32_MAX - 2,
                          store->family);
    if (r == KAI_OK) r = check_entries(saved, count, head, store->family, err);
    if (r == KAI_OK) r = kai_array_resize(&store->entries, store->memory, count, err);
    kai_store_entry* entries = store->entries.data;
    for (size_t i = 0; r == KAI_OK && i < count; i++) {
        // Used entries are free until an instance claims them.
        entries[i] = (kai_store_entry){saved[i].next, KAI_STORE_FREE, saved[i].generation};
        if (saved[i].used) entries[i].slot = UINT32_MAX;
    }
    store->free_head = head;
    free(data);
    return r;
}

// Instances --------------------------------------------------------------------------------------

// Adds the instances of one kind as others add them, checked and copied. Their ids are those of a
// store filled from empty; `owner` then puts the right ones in their place.
static kai_result add_items(kai_store* adding, const kai_kind* kind, const char* items,
                            size_t count, bool hidden, kai_error* err)
{
    for (size_t i = 0; i < count; i++) {
        kai_id id;
        const char* item = items + i * kind->size;
        const kai_result r = hidden ? kai_store_add_prepared(adding, kind, item, NULL, &id, err)
                                    : kai_store_add_whole(adding, kind, item, &id, err);
        if (r == KAI_OK) continue;
        kai_error_prefix(err, "instance %zu", i + 1);
        return r == KAI_ERROR_MEMORY ? r : KAI_ERROR_FORMAT;
    }
    return KAI_OK;
}

static kai_result read_items(hid_t group, kai_store* store, const kai_kind* kind, size_t count,
                             bool hidden, kai_error* err)
{
    hid_t parameters = -1;
    KAI_TRY(kai_h5_open_group(group, "parameters", &parameters, err));
    kai_param_file_pool* pool = NULL;
    char* items = calloc(count + 1, kind->size);
    kai_result r = items == NULL ? kai_h5_no_memory(kind->name, err) : KAI_OK;
    if (r == KAI_OK)
        r = kai_param_file_read(parameters, kind, items, count, store->world, &pool, err);
    if (r == KAI_OK) r = add_items(store, kind, items, count, hidden, err);
    kai_param_file_free(pool);
    free(items);
    H5Gclose(parameters);
    return r;
}

// The entries claimed by the instances of one batch.
static kai_result store_file_claim(kai_store* store, const kai_array* entries, size_t b,
                                   const uint32_t* owner, kai_error* err)
{
    const kai_store_batch* batch = &store->batches[b];
    kai_store_entry* entry = entries->data;
    uint32_t* to = batch->owner.data;
    for (size_t i = 0; i < batch->items.count; i++) {
        const uint32_t index = owner[i];
        const bool good = index >= 1 && index <= entries->count &&
                          entry[index - 1].batch == KAI_STORE_FREE &&
                          entry[index - 1].slot == UINT32_MAX;
        if (!good)
            return kai_error_set(err, KAI_ERROR_FORMAT,
                                 "'owner' has %u, which is no entry or taken", index);
        entry[index - 1].batch = (uint16_t)b;
        entry[index - 1].slot = (uint32_t)i;
        to[i] = index;
    }
    return KAI_OK;
}

static kai_result read_names(hid_t group, kai_store* store, const kai_array* entries, size_t b,
                             kai_error* err)
{
    kai_store_batch* batch = &store->batches[b];
    uint32_t* named = NULL;
    char* names = NULL;
    size_t stride = 0, count = 0;
    KAI_TRY(
        kai_param_file_read_names(group, batch->items.count, &named, &names, &stride, &count, err));
    kai_result r = KAI_OK;
    if (count > 0) r = kai_array_resize(&batch->name, store->memory, batch->items.count, err);
    for (size_t i = 0; r == KAI_OK && i < count; i++) {
        const uint32_t index = ((const uint32_t*)batch->owner.data)[named[i]];
        const kai_id id = {index, ((const kai_store_entry*)entries->data)[index - 1].generation,
                           store->world};
        const char** place = (const char**)batch->name.data + named[i];
        if (*place != NULL)
            r = kai_error_set(err, KAI_ERROR_FORMAT, "'named' has place %u twice", named[i]);
        else
            r = kai_names_add(&store->names, store->family, names + i * stride, id, place, err);
    }
    free(named);
    free(names);
    return r;
}

static kai_result read_batch(hid_t group, kai_store* store, const kai_array* entries, size_t b,
                             bool hidden, kai_error* err)
{
    void* owner = NULL;
    size_t count = 0;
    KAI_TRY(kai_h5_read(group, "owner", H5T_NATIVE_UINT32, 1, &owner, &count, err));
    kai_result r = read_items(group, store, store->batches[b].kind, count, hidden, err);
    if (r == KAI_OK) r = store_file_claim(store, entries, b, owner, err);
    free(owner);
    if (r == KAI_OK) r = read_names(group, store, entries, b, err);
    return r;
}

// Every group must be a kind that is known here.
static kai_result check_kinds(hid_t group, const kai_store* store, kai_error* err)
{
    H5G_info_t info;
    if (H5Gget_info(group, &info) < 0)
        return kai_error_set(err, KAI_ERROR_FORMAT, "the group cannot be read");
    for (hsize_t i = 0; i < info.nlinks; i++) {
        char name[KAI_STRING_SIZE] = "";
        H5Lget_name_by_idx(group, ".", H5_INDEX_NAME, H5_ITER_INC, i, name, sizeof name,
                           H5P_DEFAULT);
        if (strcmp(name, "entries") == 0 || kai_store_kind(store, name) != NULL) continue;
        return kai_error_set(err, KAI_ERROR_FORMAT, "%s kind '%s' is not registered in this world",
                             store->family, name);
    }
    return KAI_OK;
}

static kai_result read_batches(hid_t group, kai_store* store, const kai_array* entries, bool hidden,
                               kai_error* err)
{
    for (size_t b = 0; b < store->batch_count; b++) {
        const char* name = store->batches[b].kind->name;
        if (!kai_h5_has(group, name)) continue;
        hid_t inner = -1;
        KAI_TRY(kai_h5_open_group(group, name, &inner, err));
        const kai_result r = read_batch(inner, store, entries, b, hidden, err);
        H5Gclose(inner);
        if (r == KAI_OK) continue;
        kai_error_prefix(err, "%s", name);
        return r;
    }
    // What no instance claimed and no free list holds would be lost for ever.
    const kai_store_entry* entry = entries->data;
    for (size_t i = 0; i < entries->count; i++)
        if (entry[i].batch == KAI_STORE_FREE && entry[i].slot == UINT32_MAX)
            return kai_error_set(err, KAI_ERROR_FORMAT, "entry %zu has no instance", i + 1);
    return KAI_OK;
}

kai_result kai_store_file_read(hid_t parent, const char* name, kai_store* store, bool hidden,
                               kai_error* err)
{
    KAI_ASSERT(store->count == 0 && store->entries.count == 0);
    hid_t group = -1;
    KAI_TRY(kai_h5_open_group(parent, name, &group, err));

    // The entries wait aside while kai_store_add fills the batches with entries of its own.
    kai_result r = check_kinds(group, store, err);
    if (r == KAI_OK) r = read_entries(group, store, err);
    kai_array entries = store->entries;
    const uint32_t head = store->free_head;
    store->entries = kai_array_make(sizeof(kai_store_entry));
    store->free_head = 0;
    if (r == KAI_OK) r = read_batches(group, store, &entries, hidden, err);
    kai_array_free(&store->entries, store->memory);
    store->entries = entries;
    store->free_head = head;
    H5Gclose(group);
    if (r != KAI_OK) kai_error_prefix(err, "%s", name);
    return r;
}
