// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "contact/contacts_sift.h"

#include <string.h>

enum { BLOCK = 128 };

static const double EDGE = 1e-7;  // weight of a node that does not count
static const double LEVEL = 1e-9; // sine of the angle up to which neighbours lie level
static const double SAME = 1e-6;  // of the radius: how far apart points are the same

typedef struct sifting {
    const kai_world* world;
    uint8_t* gone; // [contacts]
} sifting;

/// One side of a contact, at an edge or a node of a piece.
typedef struct side_of {
    const kai_patch_piece* piece;
    uint32_t other;                // item on the other side
    uint32_t ends[KAI_PATCH_ENDS]; // of the edge, or the node
    int count;
    kai_vec3 out;   // unit, towards the other side
    kai_vec3 point; // on the surface
    double radius;
} side_of;

static uint64_t key_of(const kai_proximity_contact* c) { return (uint64_t)c->a << 32 | c->b; }

/// The first contact of a pair of items, the number of contacts where there is none.
static size_t find_pair(const kai_proximity* p, uint32_t x, uint32_t y)
{
    const uint64_t key = x < y ? (uint64_t)x << 32 | y : (uint64_t)y << 32 | x;
    size_t begin = 0, end = p->contact_count;
    while (begin < end) {
        const size_t middle = begin + (end - begin) / 2;
        if (key_of(&p->contacts[middle]) < key)
            begin = middle + 1;
        else
            end = middle;
    }
    return begin < p->contact_count && key_of(&p->contacts[begin]) == key ? begin
                                                                          : p->contact_count;
}

/// Whether a piece touches the same thing; with `same`, at the same point.
static bool touches(const kai_world* world, uint32_t piece, const side_of* s, bool same)
{
    const kai_proximity* p = &world->collision->proximity;
    const uint32_t item = ((const uint32_t*)world->collision->piece_items.data)[piece];
    if (item == UINT32_MAX) return false;
    size_t i = find_pair(p, item, s->other);
    if (!same || i == p->contact_count) return i < p->contact_count;
    for (const uint64_t key = key_of(&p->contacts[i]);
         i < p->contact_count && key_of(&p->contacts[i]) == key; i++) {
        const kai_contact* c = &p->contacts[i].contact;
        const kai_vec3 at = p->contacts[i].a == item ? c->point_a : c->point_b;
        if (kai_vec3_distance(at, s->point) <= SAME * s->radius) return true;
    }
    return false;
}

static bool has(const uint32_t* ends, int count, uint32_t end)
{
    for (int k = 0; k < count; k++)
        if (ends[k] == end) return true;
    return false;
}

/// Whether a neighbour takes the contact over.
static bool yields_to(const kai_world* world, const side_of* s, uint32_t neighbour)
{
    const kai_patch* patch = &world->collision->surface;
    const kai_patch_piece* n = (const kai_patch_piece*)patch->pieces.data + neighbour;
    if (n == s->piece || n->frames != s->piece->frames) return false;
    for (int k = 0; k < s->count; k++)
        if (!has(n->ends, n->count, s->ends[k])) return false;
    bool nearer = false;
    for (int k = 0; k < n->count; k++) {
        if (has(s->ends, s->count, n->ends[k])) continue;
        kai_vec3 from = kai_vec3_zero();
        for (int j = 0; j < n->count; j++)
            if (n->ends[j] == s->ends[0]) from = kai_patch_end(world, n, j);
        const kai_vec3 d = kai_vec3_sub(kai_patch_end(world, n, k), from);
        nearer = nearer || kai_vec3_dot(d, s->out) > LEVEL * kai_vec3_norm(d);
    }
    if (nearer) return touches(world, neighbour, s, false);
    return n < s->piece && touches(world, neighbour, s, true);
}

/// Where contact i is on one of its sides; false: inside of a piece, or no piece.
static bool find_side(const kai_world* world, size_t i, int side, side_of* out)
{
    const kai_patch* patch = &world->collision->surface;
    const kai_proximity_contact* found = &world->collision->proximity.contacts[i];
    uint32_t owner[2];
    kai_contacts_owners(world, i, &owner[0], &owner[1]);
    out->piece = kai_patch_of(patch, owner[side] & ~KAI_BROAD_FIXED);
    if (!out->piece) return false;
    out->other = side ? found->a : found->b;
    out->point = side ? found->contact.point_b : found->contact.point_a;
    out->out = side ? kai_vec3_neg(found->contact.normal) : found->contact.normal;
    out->radius = kai_patch_instance(patch, world, out->piece)->radius;
    out->count = 0;
    kai_patch_point at;
    const kai_vec3 middle = kai_vec3_mul_add(out->point, out->out, -out->radius);
    kai_patch_locate(world, out->piece, middle, middle, &at);
    for (int k = 0; k < at.count; k++)
        if (at.weight[k] > EDGE) out->ends[out->count++] = at.ends[k];
    return out->count < at.count;
}

static void sift_range(size_t begin, size_t end, int worker, void* context)
{
    (void)worker;
    const sifting* s = context;
    const kai_patch* patch = &s->world->collision->surface;
    const uint32_t *first = patch->first.data, *around = patch->around.data;
    for (size_t i = begin; i < end; i++) {
        s->gone[i] = 0;
        for (int side = 0; side < 2 && !s->gone[i]; side++) {
            side_of at;
            if (!find_side(s->world, i, side, &at)) continue;
            const size_t place = at.ends[0] + (at.piece->frames ? s->world->nodes.count : 0);
            for (uint32_t j = first[place]; j < first[place + 1] && !s->gone[i]; j++)
                s->gone[i] = yields_to(s->world, &at, around[j]);
        }
    }
}

kai_result kai_contacts_sift(kai_world* world, kai_error* err)
{
    kai_proximity* p = &world->collision->proximity;
    if (world->collision->surface.pieces.count == 0 || p->contact_count == 0) return KAI_OK;
    const kai_arena_mark mark = kai_arena_marked(&world->arena);
    sifting s = {world, kai_arena_take(&world->arena, p->contact_count, 1, err)};
    if (!s.gone) return KAI_ERROR_MEMORY;
    kai_parallel_for(world->threads, p->contact_count, BLOCK, sift_range, &s);
    size_t kept = 0;
    for (size_t i = 0; i < p->contact_count; i++)
        if (!s.gone[i]) p->contacts[kept++] = p->contacts[i];
    p->contact_count = kept;
    kai_arena_release(&world->arena, mark);
    return KAI_OK;
}
