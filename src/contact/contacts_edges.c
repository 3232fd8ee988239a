// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "contact/contacts_edges.h"

#include "geometry/triangle.h"

#include <string.h>

enum { BLOCK = 128 };

static const double EDGE = 1e-7; // weight of a node that does not count
static const double SAME = 1e-6; // of the radius: how far apart points are the same
static const double NEAR = 1e-3; // likewise, for a point that a neighbour should have

/// One side of a contact that is a facet.
typedef struct side_of {
    const kai_patch_facet* facet;  // NULL: the side is none
    uint32_t other;                // item on the other side
    uint32_t ends[KAI_PATCH_ENDS]; // those with weight: of an edge, a node, or all
    int count;
    kai_vec3 middle; // on the middle of the facet
    kai_vec3 far;    // where the other side bends about, or touches when it is flat
    double radius, gap;
} side_of;

typedef struct sifting {
    const kai_world* world;
    side_of (*sides)[2]; // [contacts]
    uint8_t* gone;       // [contacts]
} sifting;

/// Looks at one side of contact i.
static void find_side(const kai_world* world, size_t i, int side, side_of* out)
{
    const kai_patch* patch = &world->collision->surface;
    const kai_proximity_contact* found = &world->collision->proximity.contacts[i];
    const kai_contact* c = &found->contact;
    uint32_t owner[2];
    kai_contacts_owners(world, i, &owner[0], &owner[1]);
    out->facet = kai_patch_of(patch, owner[side] & ~KAI_BROAD_FIXED);
    if (!out->facet) return;
    const kai_vec3 away = side ? kai_vec3_neg(c->normal) : c->normal;
    const double bend = side ? c->radius_a : c->radius_b;
    out->other = side ? found->a : found->b;
    out->radius = kai_patch_instance(patch, world, out->facet)->radius;
    out->gap = c->gap;
    out->middle = kai_vec3_mul_add(side ? c->point_b : c->point_a, away, -out->radius);
    out->far = kai_vec3_mul_add(side ? c->point_a : c->point_b, away, isfinite(bend) ? bend : 0.0);
    out->count = 0;
    kai_patch_point at;
    kai_patch_locate(world, out->facet, out->middle, out->middle, &at);
    for (int k = 0; k < at.count; k++)
        if (at.weight[k] > EDGE) out->ends[out->count++] = at.ends[k];
}

static void look_range(size_t begin, size_t end, void* context)
{
    const sifting* s = context;
    for (size_t i = begin; i < end; i++)
        for (int side = 0; side < 2; side++) find_side(s->world, i, side, &s->sides[i][side]);
}

static uint64_t key_of(const kai_proximity_contact* c) { return (uint64_t)c->a << 32 | c->b; }

/// The first contact of a pair of items, or the next one.
static size_t find_pair(const kai_proximity* p, uint64_t key)
{
    size_t begin = 0, end = p->contact_count;
    while (begin < end) {
        const size_t middle = begin + (end - begin) / 2;
        if (key_of(&p->contacts[middle]) < key)
            begin = middle + 1;
        else
            end = middle;
    }
    return begin;
}

/// Whether all of some ends are among those of another side or facet.
static bool within(const uint32_t* ends, int count, const uint32_t* others, int other_count)
{
    for (int k = 0; k < count; k++) {
        bool found = false;
        for (int j = 0; j < other_count; j++) found = found || ends[k] == others[j];
        if (!found) return false;
    }
    return true;
}

static kai_vec3 nearest(const kai_world* world, const kai_patch_facet* facet, kai_vec3 x)
{
    const kai_vec3 a = kai_patch_end(world, facet, 0), b = kai_patch_end(world, facet, 1);
    if (facet->count == 2) return kai_triangle_edge_nearest(a, b, x);
    return kai_triangle_nearest(a, b, kai_patch_end(world, facet, 2), x);
}

/// Whether one contact of a neighbour with the same thing takes the place of this one.
static bool replaces(const kai_world* world, const side_of* s, const side_of* n)
{
    const bool same = n->count == s->count && within(n->ends, n->count, s->ends, s->count);
    if (same)
        return n->facet < s->facet && kai_vec3_distance(n->middle, s->middle) <= SAME * s->radius;
    if (n->gap > s->gap || (n->gap == s->gap && n->facet > s->facet)) return false;
    const kai_vec3 q = nearest(world, n->facet, s->far);
    return kai_vec3_distance(n->middle, q) <= NEAR * s->radius;
}

static bool yields_to(const sifting* all, const side_of* s, uint32_t neighbour)
{
    const kai_world* world = all->world;
    const kai_proximity* p = &world->collision->proximity;
    const kai_patch_facet* n =
        (const kai_patch_facet*)world->collision->surface.facets.data + neighbour;
    const uint32_t item = ((const uint32_t*)world->collision->facet_items.data)[neighbour];
    if (n == s->facet || n->frames != s->facet->frames || item == UINT32_MAX) return false;
    if (!within(s->ends, s->count, n->ends, n->count)) return false;
    const uint64_t key =
        item < s->other ? (uint64_t)item << 32 | s->other : (uint64_t)s->other << 32 | item;
    for (size_t i = find_pair(p, key); i < p->contact_count && key_of(&p->contacts[i]) == key;
         i++) {
        const side_of* other = &all->sides[i][p->contacts[i].a == item ? 0 : 1];
        if (other->facet && replaces(world, s, other)) return true;
    }
    return false;
}

static void sift_range(size_t begin, size_t end, void* context)
{
    const sifting* s = context;
    const kai_patch* patch = &s->world->collision->surface;
    const uint32_t *first = patch->first.data, *around = patch->around.data;
    for (size_t i = begin; i < end; i++) {
        s->gone[i] = 0;
        for (int side = 0; side < 2 && !s->gone[i]; side++) {
            const side_of* at = &s->sides[i][side];
            if (!at->facet || at->count == at->facet->count) continue;
            const size_t place = at->ends[0] + (at->facet->frames ? s->world->nodes.count : 0);
            for (uint32_t j = first[place]; j < first[place + 1] && !s->gone[i]; j++)
                s->gone[i] = yields_to(s, at, around[j]);
        }
    }
}

kai_result kai_contacts_edges(kai_world* world, kai_error* err)
{
    kai_proximity* p = &world->collision->proximity;
    if (world->collision->surface.facets.count == 0 || p->contact_count == 0) return KAI_OK;
    const kai_arena_mark mark = kai_arena_marked(&world->arena);
    sifting s = {.world = world};
    s.sides = kai_arena_take(&world->arena, p->contact_count, sizeof *s.sides, err);
    s.gone = kai_arena_take(&world->arena, p->contact_count, 1, err);
    if (!s.sides || !s.gone) return KAI_ERROR_MEMORY;
    kai_parallel_for(world->threads, p->contact_count, BLOCK, look_range, &s);
    kai_parallel_for(world->threads, p->contact_count, BLOCK, sift_range, &s);
    size_t kept = 0;
    for (size_t i = 0; i < p->contact_count; i++)
        if (!s.gone[i]) p->contacts[kept++] = p->contacts[i];
    p->contact_count = kept;
    kai_arena_release(&world->arena, mark);
    return KAI_OK;
}
