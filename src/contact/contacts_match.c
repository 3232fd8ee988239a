// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Contacts of both steps are sorted by their items, so that a block of this step's contacts runs
// along a piece of the step before. Items change their numbers when bodies come, go or are put in
// another order, and after a file was read: the contacts of the step before are then numbered
// anew by the ids of their shapes, turned round where a and b have changed places, and sorted.
//
// Bytes a contact: 88 written, 96 read, 8 + 4 of keys and items.
#include "contact/contacts_match.h"

#include <stdlib.h>
#include <string.h>

enum { BLOCK = 512 };

static uint64_t key_of(uint64_t a, uint64_t b) { return a << 32 | b; }

// Numbers anew -----------------------------------------------------------------------------------

typedef struct numbered {
    uint64_t key;
    uint32_t index; // in the order before
    uint32_t turned;
} numbered;

static int compare(const void* x, const void* y)
{
    const numbered *p = x, *q = y;
    if (p->key != q->key) return p->key < q->key ? -1 : 1;
    return p->index < q->index ? -1 : p->index > q->index;
}

/// The first item of each shape, by id index; UINT32_MAX for one that has none.
static uint32_t* first_items(kai_world* world, kai_error* err)
{
    const kai_proximity* p = &world->collision->proximity;
    const kai_proximity_item* items = p->items.data;
    const size_t shapes = world->shape_records.count + 1;
    uint32_t* first = kai_arena_take(&world->arena, shapes, sizeof *first, err);
    if (!first) return NULL;
    memset(first, 0xff, shapes * sizeof *first);
    for (size_t i = p->items.count; i-- > 0;) first[items[i].id] = (uint32_t)i;
    return first;
}

static void turn_round(kai_contact_memory* m)
{
    const uint32_t shape = m->shape_a;
    const uint16_t part = m->part_a;
    m->shape_a = m->shape_b;
    m->shape_b = shape;
    m->part_a = m->part_b;
    m->part_b = part;
    for (int k = 0; k < 6; k++) m->data[k] = -m->data[k];
}

static kai_result number_anew(kai_contacts* c, kai_world* world, kai_error* err)
{
    const size_t n = c->previous.count, items = world->collision->proximity.items.count;
    kai_contact_memory* old = c->previous.data;
    const uint32_t* first = first_items(world, err);
    numbered* order = kai_arena_take(&world->arena, n, sizeof *order, err);
    kai_contact_memory* copy = kai_arena_take(&world->arena, n, sizeof *copy, err);
    if (!first || !order || !copy) return KAI_ERROR_MEMORY;
    for (size_t i = 0; i < n; i++) {
        const bool gone = old[i].shape_a > world->shape_records.count ||
                          old[i].shape_b > world->shape_records.count ||
                          first[old[i].shape_a] == UINT32_MAX ||
                          first[old[i].shape_b] == UINT32_MAX;
        order[i] = (numbered){UINT64_MAX, (uint32_t)i, 0};
        if (gone) continue;
        const uint64_t a = (uint64_t)first[old[i].shape_a] + old[i].part_a,
                       b = (uint64_t)first[old[i].shape_b] + old[i].part_b;
        if (a >= items || b >= items) continue;
        order[i].turned = a > b;
        order[i].key = a > b ? key_of(b, a) : key_of(a, b);
    }
    if (n > 0) qsort(order, n, sizeof *order, compare);
    uint64_t* keys = c->old_keys.data;
    for (size_t i = 0; i < n; i++) {
        copy[i] = old[order[i].index];
        if (order[i].turned) turn_round(&copy[i]);
        keys[i] = order[i].key;
    }
    if (n > 0) memcpy(old, copy, n * sizeof *old);
    return KAI_OK;
}

// Along both lists -------------------------------------------------------------------------------

typedef struct match_context {
    const kai_contacts* c;
    const kai_proximity* p;
    kai_contact_memory* now;
} match_context;

static size_t lower_bound(const uint64_t* keys, size_t n, uint64_t key)
{
    size_t begin = 0, end = n;
    while (begin < end) {
        const size_t middle = begin + (end - begin) / 2;
        if (keys[middle] < key)
            begin = middle + 1;
        else
            end = middle;
    }
    return begin;
}

static void match_range(size_t begin, size_t end, int worker, void* context)
{
    (void)worker;
    const match_context* m = context;
    const kai_proximity_item* items = m->p->items.data;
    const kai_contact_memory* old = m->c->previous.data;
    const uint64_t* old_keys = m->c->old_keys.data;
    uint64_t* keys = m->c->keys.data;
    const size_t old_count = m->c->previous.count;
    size_t at = SIZE_MAX;
    for (size_t i = begin; i < end; i++) {
        const kai_proximity_contact* contact = &m->p->contacts[i];
        const kai_proximity_item *a = &items[contact->a], *b = &items[contact->b];
        const uint64_t key = key_of(contact->a, contact->b);
        kai_contact_memory* now = &m->now[i];
        *now = (kai_contact_memory){.shape_a = a->id,
                                    .shape_b = b->id,
                                    .part_a = a->part,
                                    .part_b = b->part,
                                    .feature = contact->contact.feature};
        keys[i] = key;
        if (at == SIZE_MAX) at = lower_bound(old_keys, old_count, key);
        while (at < old_count && old_keys[at] < key) at++;
        for (size_t k = at; k < old_count && old_keys[k] == key; k++) {
            if (old[k].feature != now->feature) continue;
            memcpy(now->data, old[k].data, sizeof now->data);
            break;
        }
    }
}

kai_result kai_contacts_match(kai_contacts* c, kai_world* world, kai_error* err)
{
    const kai_proximity* p = &world->collision->proximity;
    KAI_TRY(kai_array_resize(&world->contact_memory, c->memory, p->contact_count, err));
    KAI_TRY(kai_array_resize(&c->keys, c->memory, p->contact_count, err));
    if (c->items_for != world->collision->items_version) {
        KAI_TRY(kai_array_resize(&c->old_keys, c->memory, c->previous.count, err));
        const kai_arena_mark mark = kai_arena_marked(&world->arena);
        const kai_result r = number_anew(c, world, err);
        kai_arena_release(&world->arena, mark);
        KAI_TRY(r);
        c->items_for = world->collision->items_version;
    }
    match_context m = {c, p, world->contact_memory.data};
    kai_parallel_for(world->threads, p->contact_count, BLOCK, match_range, &m);
    return KAI_OK;
}
