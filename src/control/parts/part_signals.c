// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Signals: their instances, with memory and states, and which of them have a start behind them.
// States are put back when a step fails; memory changes between steps only.
#include "base/hash.h"
#include "control/block_list.h"
#include "control/control.h"
#include "model/part.h"

#include <stdlib.h>
#include <string.h>

static const kai_kind* const SIGNAL_KINDS[] = {
#define BLOCK_KIND(name) &kai_block_##name.kind,
    KAI_BLOCK_KINDS(BLOCK_KIND)
#undef BLOCK_KIND
        NULL};

static kai_result init(kai_world* world, const kai_part* part, void* data, kai_error* err)
{
    (void)data;
    world->signal_rates = kai_array_make(sizeof(double));
    world->signals_started = kai_array_make(sizeof(uint8_t));
    return kai_part_store_init(world, part, &world->signals, err);
}

static void free_signals(kai_world* world, void* data)
{
    (void)data;
    kai_memory* memory = kai_part_memory(world);
    kai_array_free(&world->signal_rates, memory);
    kai_array_free(&world->signals_started, memory);
    kai_control_free(world->control, memory);
    world->control = NULL;
    kai_part_store_free(world, &world->signals);
}

static const kai_part_list STARTED = {
    .name = "signals.started", .number = KAI_NUMBER_U8, .size = sizeof(uint8_t)};

static kai_result save(const kai_world* world, const kai_part* part, const void* data,
                       kai_part_writer* w, kai_error* err)
{
    (void)data;
    KAI_TRY(w->store(w, part->name, &world->signals, err));
    return w->list(w, &STARTED, world->signals_started.data, world->signals_started.count, err);
}

static kai_result load(kai_world* p, const kai_part* part, void* data, kai_part_reader* r,
                       kai_error* err)
{
    (void)data;
    KAI_TRY(r->store(r, part->name, &p->signals, true, err));
    void* started = NULL;
    size_t count = 0;
    KAI_TRY(r->list(r, &STARTED, &started, &count, err));
    const size_t most = p->signals.entries.count;
    const kai_result result = kai_array_append(&p->signals_started, kai_part_memory(p), started,
                                               count < most ? count : most, err);
    free(started);
    return result;
}

static kai_result check(kai_world* p, void* data, kai_error* err)
{
    (void)data;
    for (size_t b = 0; b < p->signals.batch_count; b++) {
        const kai_store_batch* batch = &p->signals.batches[b];
        const kai_signal_kind* kind = (const kai_signal_kind*)(const void*)batch->kind;
        for (size_t i = 0; i < batch->items.count; i++) {
            char* instance = (char*)batch->items.data + i * batch->kind->size;
            KAI_TRY(
                kai_part_refer_check(p, batch->kind, instance, KAI_FUNCTION_SET_DEPTH + 1, err));
            if (kind->prepare) KAI_TRY(kind->prepare(p, instance, err));
        }
    }
    return KAI_OK;
}

static void loaded(kai_world* world, void* data, const void* old)
{
    kai_part_store_loaded(world, data, old);
    if (world->control) world->control->laid_out = false;
}

/// Memory: hidden parameters, field by field.
static uint64_t hash_hidden(const kai_kind* kind, const char* instance, uint64_t hash)
{
    for (size_t i = 0; i < kind->param_count; i++) {
        const kai_param* p = &kind->params[i];
        const void* field = instance + p->offset;
        if (!p->hidden) continue;
        if (p->type == KAI_PARAM_TABLE) {
            const kai_table* t = field;
            hash = kai_hash_bytes(hash, t->data, (size_t)t->rows * t->columns * sizeof(double));
        } else if (p->type == KAI_PARAM_REAL || p->type == KAI_PARAM_INT ||
                   p->type == KAI_PARAM_BOOL) {
            hash = kai_hash_bytes(hash, field, kai_kind_type_size(p->type) * kai_kind_repeats(p));
        }
    }
    return hash;
}

static uint64_t hash_signals(const kai_world* world, const void* data, uint64_t hash)
{
    const kai_store* store = data;
    for (size_t b = 0; b < store->batch_count; b++) {
        const kai_store_batch* batch = &store->batches[b];
        for (size_t i = 0; i < batch->items.count; i++)
            hash = hash_hidden(batch->kind, (const char*)batch->items.data + i * batch->kind->size,
                               hash);
    }
    return kai_part_states_hash(world, data, hash);
}

static size_t bytes(const kai_world* world, const void* data)
{
    return kai_part_store_bytes(world, data) + kai_part_array_bytes(&world->signal_rates) +
           kai_part_array_bytes(&world->signals_started);
}

_Static_assert(offsetof(kai_world, signals_started) ==
                   offsetof(kai_world, signals) + sizeof(kai_store),
               "the part is a store and more");

const kai_part kai_part_signals = {.name = "signals",
                                   KAI_PART_SPAN(signals, signals_started),
                                   .family = "signal",
                                   .kinds = SIGNAL_KINDS,
                                   .init = init,
                                   .free = free_signals,
                                   .save = save,
                                   .load = load,
                                   .check = check,
                                   .loaded = loaded,
                                   .hash = hash_signals,
                                   .undo = KAI_PART_STEP,
                                   .backup_bytes = kai_part_states_bytes,
                                   .backup = kai_part_states_backup,
                                   .restore = kai_part_states_restore,
                                   .bytes = bytes};
