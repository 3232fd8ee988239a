// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Contact: settings, what contacts remember, and energy in them.
#include "model/part.h"

#include <math.h>
#include <stdlib.h>

static kai_result init(kai_world* world, const kai_part* part, void* data, kai_error* err)
{
    (void)part, (void)data, (void)err;
    world->contact_def = kai_contact_def_default();
    world->contact_memory = kai_array_make(sizeof(kai_contact_memory));
    return KAI_OK;
}

static void free_contact(kai_world* world, void* data)
{
    (void)data;
    kai_array_free(&world->contact_memory, kai_part_memory(world));
}

#define NUMBERS(field, number, count)                              \
    {                                                              \
#field, offsetof(kai_contact_memory, field), number, count \
    }
static const kai_member MEMBERS[] = {
    NUMBERS(shape_a, KAI_NUMBER_U32, 1), NUMBERS(shape_b, KAI_NUMBER_U32, 1),
    NUMBERS(part_a, KAI_NUMBER_U16, 1),  NUMBERS(part_b, KAI_NUMBER_U16, 1),
    NUMBERS(feature, KAI_NUMBER_U32, 1), NUMBERS(data, KAI_NUMBER_F64, KAI_CONTACT_HISTORY_SIZE),
    NUMBERS(place, KAI_NUMBER_F64, 3),   NUMBERS(normal, KAI_NUMBER_F32, 3),
    NUMBERS(gap, KAI_NUMBER_F32, 1)};
static const kai_part_list REMEMBERED = {.name = "remembered",
                                         .members = MEMBERS,
                                         .member_count = KAI_COUNT(MEMBERS),
                                         .size = sizeof(kai_contact_memory)};

static kai_result write(const kai_world* world, kai_part_writer* w, kai_error* err)
{
    const kai_array* memory = &world->contact_memory;
    KAI_TRY(w->numbers(w, "elastic", KAI_NUMBER_F64, 1, &world->contact_elastic, err));
    KAI_TRY(w->instance(w, &kai_contact_kind, &world->contact_def, err));
    return w->list(w, &REMEMBERED, memory->data, memory->count, err);
}

static kai_result save(const kai_world* world, const kai_part* part, const void* data,
                       kai_part_writer* w, kai_error* err)
{
    (void)data;
    KAI_TRY(w->begin(w, part->name, err));
    const kai_result r = write(world, w, err);
    w->end(w);
    return r;
}

// A place may be infinite: those too far away are none to find again.
static kai_result check_remembered(const kai_contact_memory* remembered, size_t count,
                                   kai_error* err)
{
    for (size_t i = 0; i < count; i++) {
        double sum = 0.0;
        for (int k = 0; k < KAI_CONTACT_HISTORY_SIZE; k++) sum += 0.0 * remembered[i].data[k];
        if (sum != 0.0)
            return kai_error_set(err, KAI_ERROR_FORMAT, "'remembered' %zu is not finite", i);
    }
    return KAI_OK;
}

static kai_result read(kai_world* p, kai_part_reader* r, kai_error* err)
{
    KAI_TRY(r->numbers(r, "elastic", KAI_NUMBER_F64, 1, &p->contact_elastic, err));
    if (!isfinite(p->contact_elastic))
        return kai_error_set(err, KAI_ERROR_FORMAT, "elastic is %g J; must be finite",
                             p->contact_elastic);
    KAI_TRY(r->instance(r, &kai_contact_kind, &p->contact_def, err));
    void* items = NULL;
    size_t count = 0;
    KAI_TRY(r->list(r, &REMEMBERED, &items, &count, err));
    kai_result result = check_remembered(items, count, err);
    if (result == KAI_OK)
        result = kai_array_append(&p->contact_memory, kai_part_memory(p), items, count, err);
    free(items);
    return result;
}

static kai_result load(kai_world* p, const kai_part* part, void* data, kai_part_reader* r,
                       kai_error* err)
{
    (void)data;
    KAI_TRY(r->begin(r, part->name, err));
    const kai_result result = read(p, r, err);
    r->end(r);
    return result;
}

static kai_result check(kai_world* p, void* data, kai_error* err)
{
    (void)data;
    return kai_part_refer_check(p, &kai_contact_kind, &p->contact_def, 0, err);
}

static void loaded(kai_world* world, void* data, const void* old)
{
    (void)data, (void)old;
    world->contacts_deferred = false;
    world->contact_version++;
}

// Undo: the energy; integrators put back what contacts remember ----------------------------------

static size_t backup_bytes(const kai_world* world, const void* data)
{
    (void)world, (void)data;
    return sizeof(double);
}

static void backup(const kai_world* world, const void* data, void* to)
{
    (void)data;
    *(double*)to = world->contact_elastic;
}

static void restore(kai_world* world, void* data, const void* from)
{
    (void)data;
    world->contact_elastic = *(const double*)from;
}

static size_t bytes(const kai_world* world, const void* data)
{
    (void)data;
    return kai_part_array_bytes(&world->contact_memory);
}

const kai_part kai_part_contact = {.name = "contact",
                                   KAI_PART_SPAN(contact_def, contact_elastic),
                                   .init = init,
                                   .free = free_contact,
                                   .save = save,
                                   .load = load,
                                   .check = check,
                                   .loaded = loaded,
                                   .undo = KAI_PART_STOP,
                                   .backup_bytes = backup_bytes,
                                   .backup = backup,
                                   .restore = restore,
                                   .bytes = bytes};
