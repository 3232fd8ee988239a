// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "model/part.h"

#include <string.h>

kai_result kai_part_store_init(kai_world* world, const kai_part* part, void* data, kai_error* err)
{
    static const kai_kind* const none[] = {NULL};
    const kai_world* of = world->aside_of;
    KAI_TRY(kai_store_init(data, kai_part_memory(world), part->family, world->tag,
                           of ? none : part->kinds, err));
    if (!of) return KAI_OK;
    const kai_store* like = (const void*)((const char*)of + part->offset);
    return kai_store_register_like(data, like, err); // kinds of users too
}

void kai_part_store_free(kai_world* world, void* data)
{
    (void)world;
    kai_store* store = data;
    if (store->memory) kai_store_free(store);
}

kai_result kai_part_store_save(const kai_world* world, const kai_part* part, const void* data,
                               kai_part_writer* w, kai_error* err)
{
    (void)world;
    return w->store(w, part->name, data, err);
}

kai_result kai_part_store_load(kai_world* aside, const kai_part* part, void* data,
                               kai_part_reader* r, kai_error* err)
{
    (void)aside;
    return r->store(r, part->name, data, true, err);
}

void kai_part_store_loaded(kai_world* world, void* data, const void* old)
{
    (void)world;
    ((kai_store*)data)->version += ((const kai_store*)old)->version;
}

/// Bytes of tables and lists that an instance owns.
static size_t owned_bytes(const kai_kind* kind, const char* instance)
{
    size_t sum = 0;
    for (size_t i = 0; i < kind->param_count; i++) {
        const kai_param* p = &kind->params[i];
        const void* field = instance + p->offset;
        const kai_table* table = p->type == KAI_PARAM_TABLE ? field : NULL;
        if (p->type == KAI_PARAM_CURVE) table = &((const kai_curve*)field)->points;
        if (table) sum += (size_t)table->rows * table->columns * sizeof(double);
        if (p->type != KAI_PARAM_LIST) continue;
        const kai_list* list = field;
        sum += list->count * p->item->size;
        for (uint32_t k = 0; k < list->count; k++)
            sum += owned_bytes(p->item, (const char*)list->items + k * p->item->size);
    }
    return sum;
}

static bool may_own(const kai_kind* kind)
{
    for (size_t i = 0; i < kind->param_count; i++) {
        const kai_param_type type = kind->params[i].type;
        if (type == KAI_PARAM_TABLE || type == KAI_PARAM_CURVE || type == KAI_PARAM_LIST)
            return true;
    }
    return false;
}

size_t kai_part_store_bytes(const kai_world* world, const void* data)
{
    (void)world;
    const kai_store* store = data;
    size_t sum = kai_part_array_bytes(&store->entries) + kai_part_array_bytes(&store->runs) +
                 kai_part_array_bytes(&store->removed) + kai_part_names_bytes(&store->names);
    for (size_t b = 0; b < store->batch_count; b++) {
        const kai_store_batch* batch = &store->batches[b];
        sum += kai_part_array_bytes(&batch->items) + kai_part_array_bytes(&batch->owner) +
               kai_part_array_bytes(&batch->name);
        for (size_t i = 0; may_own(batch->kind) && i < batch->items.count; i++)
            sum += owned_bytes(batch->kind, (const char*)batch->items.data + i * batch->kind->size);
    }
    return sum;
}
