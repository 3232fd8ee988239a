// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Contacts of both steps are sorted by their items, so that a block of this step's contacts runs
// along a piece of the step before. Items change their numbers when bodies come, go or are put in
// another order, and after a file was read: the contacts of the step before are then numbered
// anew by the ids of their shapes, turned round where a and b have changed places, and sorted.
//
// Features of flat faces that lie on each other come and go with every bit of a turn: what a
// feature that is gone has kept goes to the nearest contact of the same two shapes, so that a stack
// does not lose what carries it. Impulses are added up there; elastic displacements are taken over.
//
// Bytes a contact: 104 written, 112 read, 8 + 4 of keys and items.
#include "contact/contacts_match.h"

#include "base/search.h"

#include <stdlib.h>
#include <string.h>

enum { BLOCK = 512 };

// How far a contact may be from one that was there before, of the smaller shape.
static const double PLACE = 0.1;

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
    const size_t shapes = kai_store_last(&world->shapes) + 1;
    uint32_t* first = kai_arena_take(&world->arena, shapes, sizeof *first, err);
    if (!first) return NULL;
    memset(first, 0xff, shapes * sizeof *first);
    for (size_t i = kai_proximity_count(p); i-- > 0;)
        first[kai_proximity_item_at(p, i).id] = (uint32_t)i;
    return first;
}

/// Takes b for a. `between` leads from the mass centre of a to that of b.
static void turn_round(kai_contact_memory* m, kai_vec3 between)
{
    m->place[0] -= between.x;
    m->place[1] -= between.y;
    m->place[2] -= between.z;
    for (int k = 0; k < 3; k++) m->normal[k] = -m->normal[k];
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
    const size_t n = c->previous.count, items = kai_proximity_count(&world->collision->proximity);
    if (n == 0) return KAI_OK;
    kai_contact_memory* old = c->previous.data;
    const uint32_t* first = first_items(world, err);
    numbered* order = kai_arena_take(&world->arena, n, sizeof *order, err);
    kai_contact_memory* copy = kai_arena_take(&world->arena, n, sizeof *copy, err);
    if (!first || !order || !copy) return KAI_ERROR_MEMORY;
    for (size_t i = 0; i < n; i++) {
        const bool gone = old[i].shape_a > kai_store_last(&world->shapes) ||
                          old[i].shape_b > kai_store_last(&world->shapes) ||
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
    const kai_proximity* p = &world->collision->proximity;
    for (size_t i = 0; i < n; i++) {
        copy[i] = old[order[i].index];
        keys[i] = order[i].key;
        if (!order[i].turned) continue;
        const uint32_t a = kai_proximity_owner(p, order[i].key & UINT32_MAX) & ~KAI_BROAD_FIXED,
                       b = kai_proximity_owner(p, order[i].key >> 32) & ~KAI_BROAD_FIXED;
        const kai_pose* pose = world->bodies.pose;
        turn_round(&copy[i], kai_vec3_sub(pose[b].position, pose[a].position));
    }
    if (n > 0) memcpy(old, copy, n * sizeof *old);
    return KAI_OK;
}

// Along both lists -------------------------------------------------------------------------------

typedef struct match_context {
    const kai_contacts* c;
    const kai_proximity* p;
    kai_contact_memory* now;
    kai_contacts_moved* moved;
    bool nsc;
} match_context;

/// Contacts of one pair of items, now and in the step before.
typedef struct pair_range {
    size_t now, now_end, old, old_end;
} pair_range;

static void set_place(const match_context* m, size_t i)
{
    const kai_proximity_contact* contact = &m->p->contacts[i];
    const uint32_t a = kai_proximity_owner(m->p, contact->a) & ~KAI_BROAD_FIXED;
    const kai_vec3 at =
        kai_vec3_sub(kai_contacts_point(&contact->contact), m->c->world->bodies.pose[a].position);
    m->now[i].place[0] = at.x;
    m->now[i].place[1] = at.y;
    m->now[i].place[2] = at.z;
    m->now[i].normal[0] = (float)contact->contact.normal.x;
    m->now[i].normal[1] = (float)contact->contact.normal.y;
    m->now[i].normal[2] = (float)contact->contact.normal.z;
    m->now[i].gap = (float)contact->contact.gap;
}

static double place_distance2(const kai_contact_memory* x, const kai_contact_memory* y)
{
    const double dx = x->place[0] - y->place[0], dy = x->place[1] - y->place[1],
                 dz = x->place[2] - y->place[2];
    return dx * dx + dy * dy + dz * dz;
}

/// Notes how far contact i has moved since it was `old`. NSC.
static void note_moved(const match_context* m, size_t i, const kai_contact_memory* old)
{
    const kai_contact_memory* now = &m->now[i];
    m->moved[i] = (kai_contacts_moved){
        .place = kai_vec3_make(now->place[0] - old->place[0], now->place[1] - old->place[1],
                               now->place[2] - old->place[2]),
        .normal = kai_vec3_make((double)now->normal[0] - (double)old->normal[0],
                                (double)now->normal[1] - (double)old->normal[1],
                                (double)now->normal[2] - (double)old->normal[2]),
        .gap = fmax((double)now->gap, (double)old->gap),
        .known = true};
}

/// The contact with that feature in [begin, end); `end` when there is none.
static size_t find_feature(const kai_contact_memory* list, size_t begin, size_t end,
                           uint32_t feature)
{
    size_t k = begin;
    while (k < end && list[k].feature != feature) k++;
    return k;
}

/// The contact nearest to x in [begin, end), leaving out those whose feature is also among
/// `others`; `end` when none is within `limit`.
static size_t find_nearest(const kai_contact_memory* list, size_t begin, size_t end,
                           const kai_contact_memory* x, double limit,
                           const kai_contact_memory* others, size_t first, size_t last)
{
    size_t best = end;
    double least = limit * limit;
    for (size_t k = begin; k < end; k++) {
        const double d2 = place_distance2(&list[k], x);
        if (d2 > least) continue;
        if (others && find_feature(others, first, last, list[k].feature) < last) continue;
        least = d2;
        best = k;
    }
    return best;
}

/// Hands on what the contacts of a pair have kept, where features have come or gone.
static void match_pair(const match_context* m, const pair_range* r, double limit)
{
    const kai_contact_memory* old = m->c->previous.data;
    if (m->nsc) {
        for (size_t k = r->old; k < r->old_end; k++) {
            size_t i = find_feature(m->now, r->now, r->now_end, old[k].feature);
            if (i < r->now_end) note_moved(m, i, &old[k]);
            if (i == r->now_end)
                i = find_nearest(m->now, r->now, r->now_end, &old[k], limit, NULL, 0, 0);
            if (i == r->now_end) continue;
            for (int d = 0; d < 6; d++) m->now[i].data[d] += old[k].data[d];
            for (int d = 6; d < KAI_CONTACT_HISTORY_SIZE; d++)
                m->now[i].data[d] = fmax(m->now[i].data[d], old[k].data[d]);
        }
        return;
    }
    for (size_t i = r->now; i < r->now_end; i++) {
        size_t k = find_feature(old, r->old, r->old_end, m->now[i].feature);
        if (k == r->old_end)
            k = find_nearest(old, r->old, r->old_end, &m->now[i], limit, m->now, r->now,
                             r->now_end);
        if (k < r->old_end) memcpy(m->now[i].data, old[k].data, sizeof old[k].data);
    }
}

static void begin_contact(const match_context* m, size_t i)
{
    const kai_proximity_contact* contact = &m->p->contacts[i];
    const kai_proximity_item first = kai_proximity_item_at(m->p, contact->a),
                             second = kai_proximity_item_at(m->p, contact->b), *a = &first,
                             *b = &second;
    m->now[i] = (kai_contact_memory){.shape_a = a->id,
                                     .shape_b = b->id,
                                     .part_a = kai_proximity_group_of(m->p, contact->a)->part,
                                     .part_b = kai_proximity_group_of(m->p, contact->b)->part,
                                     .feature = contact->contact.feature};
    set_place(m, i);
    if (m->nsc) m->moved[i] = (kai_contacts_moved){.known = false};
    ((uint64_t*)m->c->keys.data)[i] = key_of(contact->a, contact->b);
}

/// Pairs whose first contact is in the range.
static void match_range(size_t begin, size_t end, void* context)
{
    const match_context* m = context;
    const kai_proximity_contact* contacts = m->p->contacts;
    const kai_contact_memory* old = m->c->previous.data;
    const uint64_t* old_keys = m->c->old_keys.data;
    const size_t old_count = m->c->previous.count, count = m->p->contact_count;
    size_t at = SIZE_MAX, i = begin;
    while (i > 0 && i < end && contacts[i].a == contacts[i - 1].a &&
           contacts[i].b == contacts[i - 1].b)
        i++;
    while (i < end) {
        const uint64_t key = key_of(contacts[i].a, contacts[i].b);
        pair_range r = {.now = i, .now_end = i};
        for (; r.now_end < count; r.now_end++) {
            if (key_of(contacts[r.now_end].a, contacts[r.now_end].b) != key) break;
            begin_contact(m, r.now_end);
        }
        if (at == SIZE_MAX) at = kai_search_from(old_keys, old_count, key);
        while (at < old_count && old_keys[at] < key) at++;
        r.old = r.old_end = at;
        while (r.old_end < old_count && old_keys[r.old_end] == key) r.old_end++;
        if (r.old_end - r.old == 1 && r.now_end - r.now == 1 &&
            old[r.old].feature == m->now[i].feature) {
            memcpy(m->now[i].data, old[r.old].data, sizeof old[r.old].data);
            if (m->nsc) note_moved(m, i, &old[r.old]);
        } else if (r.old_end > r.old)
            match_pair(m, &r,
                       PLACE * fmin(kai_proximity_group_of(m->p, contacts[i].a)->radius,
                                    kai_proximity_group_of(m->p, contacts[i].b)->radius));
        i = r.now_end;
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
    const bool nsc = world->contact_def.method == KAI_CONTACT_NSC;
    KAI_TRY(kai_array_resize(&c->moved, c->memory, nsc ? p->contact_count : 0, err));
    match_context m = {c, p, world->contact_memory.data, c->moved.data, nsc};
    kai_parallel_for(world->threads, p->contact_count, BLOCK, match_range, &m);
    return KAI_OK;
}
