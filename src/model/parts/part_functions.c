// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "model/part.h"

#include <stdlib.h>

static kai_result init(kai_world* world, const kai_part* part, void* data, kai_error* err)
{
    if (!world->aside_of)
        return kai_function_set_init(data, kai_part_memory(world), world->tag, err);
    world->functions.depth = kai_array_make(sizeof(uint8_t));
    world->functions.signals = kai_array_make(sizeof(kai_jet));
    return kai_part_store_init(world, part, &world->functions.store, err);
}

static void free_functions(kai_world* world, void* data)
{
    (void)data;
    if (world->functions.store.memory) kai_function_set_free(&world->functions);
}

static const kai_part_list DEPTH = {
    .name = "functions.depth", .number = KAI_NUMBER_U8, .size = sizeof(uint8_t)};

static kai_result save(const kai_world* world, const kai_part* part, const void* data,
                       kai_part_writer* w, kai_error* err)
{
    (void)data;
    const kai_array* depth = &world->functions.depth;
    KAI_TRY(w->store(w, part->name, &world->functions.store, err));
    return w->list(w, &DEPTH, depth->data, depth->count, err);
}

static kai_result load(kai_world* p, const kai_part* part, void* data, kai_part_reader* r,
                       kai_error* err)
{
    (void)data;
    KAI_TRY(r->store(r, part->name, &p->functions.store, false, err));
    void* depth = NULL;
    size_t count = 0;
    KAI_TRY(r->list(r, &DEPTH, &depth, &count, err));
    const kai_result result =
        kai_array_append(&p->functions.depth, kai_part_memory(p), depth, count, err);
    free(depth);
    KAI_TRY(result);
    if (count < p->functions.store.entries.count)
        return kai_error_set(err, KAI_ERROR_FORMAT, "'functions.depth' has %zu rows; must have %zu",
                             count, p->functions.store.entries.count);
    return KAI_OK;
}

static kai_result check_functions(kai_world* p, kai_error* err)
{
    const kai_store* store = &p->functions.store;
    for (size_t b = 0; b < store->batch_count; b++) {
        const kai_store_batch* batch = &store->batches[b];
        for (size_t i = 0; i < batch->items.count; i++) {
            const uint32_t index = ((const uint32_t*)batch->owner.data)[i];
            const int depth = ((const uint8_t*)p->functions.depth.data)[index - 1];
            if (depth < 1 || depth > KAI_FUNCTION_SET_DEPTH)
                return kai_error_set(err, KAI_ERROR_FORMAT, "'functions.depth' has %d", depth);
            KAI_TRY(kai_part_refer_check(
                p, batch->kind, (char*)batch->items.data + i * batch->kind->size, depth, err));
        }
    }
    return KAI_OK;
}

// What a function makes of itself when it is created (a spline, say) is made again rather than
// believed; shallow ones first, since others are made of them.
static kai_result prepare_functions(kai_world* p, kai_error* err)
{
    const kai_store* store = &p->functions.store;
    for (int depth = 1; depth <= KAI_FUNCTION_SET_DEPTH; depth++) {
        for (size_t b = 0; b < store->batch_count; b++) {
            const kai_store_batch* batch = &store->batches[b];
            const kai_function_kind* kind = (const kai_function_kind*)(const void*)batch->kind;
            for (size_t i = 0; kind->prepare != NULL && i < batch->items.count; i++) {
                const uint32_t index = ((const uint32_t*)batch->owner.data)[i];
                if (((const uint8_t*)p->functions.depth.data)[index - 1] != depth) continue;
                KAI_TRY(kind->prepare(&p->functions,
                                      (char*)batch->items.data + i * batch->kind->size, err));
            }
        }
    }
    return KAI_OK;
}

static kai_result check(kai_world* p, void* data, kai_error* err)
{
    (void)data;
    KAI_TRY(check_functions(p, err));
    return prepare_functions(p, err);
}

static size_t bytes(const kai_world* world, const void* data)
{
    (void)data;
    return kai_part_store_bytes(world, &world->functions.store) +
           kai_part_array_bytes(&world->functions.depth);
}

_Static_assert(offsetof(kai_function_set, store) == 0, "the part is a store and more");

const kai_part kai_part_functions = {.name = "functions",
                                     KAI_PART_SPAN(functions, functions),
                                     .family = "function",
                                     .init = init,
                                     .free = free_functions,
                                     .save = save,
                                     .load = load,
                                     .check = check,
                                     .loaded = kai_part_store_loaded,
                                     .bytes = bytes};
