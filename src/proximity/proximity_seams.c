// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Pairs that touch at a rim are few: blocks count them, and nothing else is looked at where there
// are none. Where there are, the pairs of their items are linked item by item, and each rim asks
// the pairs of its two items. What is found does not depend on the order of any of this.
#include "proximity/proximity_seams.h"

#include "base/parallel.h"
#include "proximity/broad_bounds.h"
#include "proximity/narrow_pair.h"

#include <stdatomic.h>
#include <string.h>

/// How far shapes count as level, as a share of the smaller radius of shape and tile.
#define LEVEL 1e-3

/// Where a shape has sunk in, by as much more; up to this share.
#define DEEP 1e-2

/// Normals that differ by less (cosine) are the same, ...
#define SAME (1.0 - 1e-10)

/// ... and up to a degree where the others may move apart: two wheels on one kerb, planks on a beam.
#define ALIKE 0.9998

/// Blocks and rims that are done at once.
enum { BLOCKS = 4, RIMS = 64 };

_Static_assert(KAI_MANIFOLD_MOST <= 8, "a bit a contact");

#define UNMARKED UINT32_MAX
#define END      (UINT32_MAX - 1)

/// A pair of an item, by its first contact in the pool.
typedef struct link {
    uint32_t item, contact, next;
} link;

typedef struct seams {
    const kai_proximity* proximity;
    kai_proximity_block* blocks;
    size_t pooled;
    kai_proximity_contact* pool;
    uint32_t* heads; // [items] of the links of an item; UNMARKED: it touches nothing at a rim
    link* links;
    uint32_t* rims;     // first contacts, in any order; contact.rim is 1 + the place here
    uint8_t* stood_for; // [rims] a bit a contact of the pair: some other could take its place
    uint8_t* gone;      // [rims] … and does
    atomic_size_t link_count, rim_count;
} seams;

/// A pair as one of its items sees it.
typedef struct view {
    uint32_t self, other;
    const kai_proximity_contact* first;
    size_t count;
    bool is_a;               // self
    double radius, rounding; // of the smaller item, of the other one; see measure
} view;

static bool same_pair(const kai_proximity_contact* x, const kai_proximity_contact* y)
{
    return x->a == y->a && x->b == y->b;
}

static view view_of(const seams* s, uint32_t self, uint32_t contact)
{
    const kai_proximity_contact *first = s->pool + contact, *end = s->pool + s->pooled;
    view v = {self, first->a == self ? first->b : first->a, first, 1, first->a == self, 0.0, 0.0};
    while (first + v.count < end && v.count < KAI_MANIFOLD_MOST &&
           same_pair(first, first + v.count))
        v.count++;
    return v;
}

static kai_vec3 normal_to_self(const view* v, size_t i)
{
    const kai_vec3 n = v->first[i].contact.normal;
    return v->is_a ? kai_vec3_neg(n) : n;
}

static kai_vec3 point_on_other(const view* v, size_t i)
{
    const kai_contact* c = &v->first[i].contact;
    return v->is_a ? c->point_b : c->point_a;
}

// Planes ------------------------------------------------------------------------------------------

/// How far an item reaches along n.
static double height_of(const kai_proximity* p, uint32_t item, kai_vec3 n)
{
    kai_geometry sphere;
    const kai_geometry* g = kai_proximity_geometry(p, item, &sphere);
    const kai_frame frame = kai_proximity_frame(p, item);
    if (g->type >= KAI_CONVEX_COUNT) {
        kai_vec3 low, high;
        kai_broad_bounds(g, &frame, &low, &high);
        return fmax(low.x * n.x, high.x * n.x) + fmax(low.y * n.y, high.y * n.y) +
               fmax(low.z * n.z, high.z * n.z);
    }
    uint32_t hint = 0;
    const kai_vec3 x = kai_narrow_support(g, kai_quat_unrotate(frame.rotation, n), &hint);
    return kai_vec3_dot(kai_frame_point_to_parent(frame, x), n) + g->margin;
}

/// How far below its top a shape may be touched there: by as much as its edges are rounded.
static double rounding_of(const kai_proximity* p, uint32_t item)
{
    kai_geometry sphere;
    const kai_geometry* g = kai_proximity_geometry(p, item, &sphere);
    return g->type == KAI_CONVEX_POINT || g->type == KAI_CONVEX_SEGMENT ? 0.0 : g->margin;
}

static double radius_of(const kai_proximity* p, uint32_t item)
{
    return kai_proximity_group_of(p, item)->radius;
}

static bool same_normal(const view* x, size_t i, const view* y, size_t k)
{
    return kai_vec3_dot(normal_to_self(x, i), normal_to_self(y, k)) > SAME;
}

static bool move_as_one(const kai_proximity* p, uint32_t i, uint32_t j)
{
    const uint32_t a = kai_proximity_owner(p, i), b = kai_proximity_owner(p, j);
    return a == b || (a & b & KAI_BROAD_FIXED);
}

static void measure(const seams* s, view* v)
{
    v->radius = fmin(radius_of(s->proximity, v->self), radius_of(s->proximity, v->other));
    v->rounding = rounding_of(s->proximity, v->other);
}

/// Whether contact i of one pair lies between the item that both share and all of the other item of
/// the other pair (which is measured), which is level with it where its contact k is.
static bool parts(const seams* s, const view* one, size_t i, const view* other, size_t k)
{
    const kai_vec3 n = normal_to_self(one, i);
    const double plane = kai_vec3_dot(n, point_on_other(one, i));
    const double above = kai_vec3_dot(n, point_on_other(other, k)) - plane;
    const double overlap = kai_narrow_max(-one->first[i].contact.gap, 0.0);
    const double level = LEVEL * other->radius + kai_narrow_min(overlap, DEEP * other->radius);
    if (above > level || above < -(level + other->rounding)) return false;
    const double cosine = kai_vec3_dot(n, normal_to_self(other, k));
    if (cosine > SAME || (cosine > ALIKE && !move_as_one(s->proximity, one->other, other->other)))
        return false;
    return height_of(s->proximity, other->other, n) <= plane + level;
}

/// Whether a contact comes before another one: it is deeper, or as deep and first.
static bool precedes(const kai_proximity_contact* x, const kai_proximity_contact* y)
{
    if (x->contact.gap != y->contact.gap) return x->contact.gap < y->contact.gap;
    return x->a != y->a ? x->a < y->a : x->b < y->b;
}

/// Whether contact i of a pair can take the place of contact k of another one.
static bool stands_for(const seams* s, const view* one, size_t i, const view* other, size_t k)
{
    if (!parts(s, one, i, other, k)) return false;
    if (precedes(&one->first[i], &other->first[k])) return true;
    view measured = *one;
    measure(s, &measured);
    return !parts(s, other, k, &measured, i);
}

// Rims --------------------------------------------------------------------------------------------

static bool is_convex(const kai_proximity* p, uint32_t item)
{
    kai_geometry sphere;
    return kai_proximity_geometry(p, item, &sphere)->type <= KAI_GEOMETRY_PLANE;
}

/// Whether a contact of one of the two items stands for contact k of a rim; `lasting`: one whose
/// place nobody takes.
static bool has_stand_in(const seams* s, uint32_t rim, size_t k, bool lasting)
{
    const kai_proximity_contact* first = s->pool + rim;
    for (int side = 0; side < 2; side++) {
        const uint32_t self = side ? first->b : first->a;
        if (!is_convex(s->proximity, self)) continue;
        view other = view_of(s, self, rim);
        measure(s, &other);
        for (uint32_t l = s->heads[self]; l != END; l = s->links[l].next) {
            const uint32_t at = s->links[l].contact, place = s->pool[at].contact.rim;
            if (at == rim) continue;
            const unsigned passing = lasting && place > 0 ? s->stood_for[place - 1] : 0;
            const view one = view_of(s, self, at);
            for (size_t i = 0; i < one.count; i++) {
                // Contacts of one normal have one plane, but where the deepest one goes.
                if (i > 0 && !(passing & 1u) && same_normal(&one, i, &one, 0)) continue;
                if (!(passing >> i & 1u) && stands_for(s, &one, i, &other, k)) return true;
            }
        }
    }
    return false;
}

/// The contacts of a rim that others stand for, of those in `of`.
static uint8_t find_stood_for(const seams* s, uint32_t rim, unsigned of, bool lasting)
{
    const view v = view_of(s, s->pool[rim].a, rim);
    unsigned found = 0;
    for (size_t k = 0; k < v.count; k++) {
        size_t j = 0;
        while (j < k && !same_normal(&v, j, &v, k)) j++;
        const bool yes = j < k ? found >> j & 1u : has_stand_in(s, rim, k, lasting);
        found |= (unsigned)yes << k;
    }
    return (uint8_t)(found & of);
}

static void judge_range(size_t begin, size_t end, void* context)
{
    const seams* s = context;
    for (size_t i = begin; i < end; i++)
        s->stood_for[i] = find_stood_for(s, s->rims[i], 0xffu, false);
}

static void drop_range(size_t begin, size_t end, void* context)
{
    const seams* s = context;
    for (size_t i = begin; i < end; i++) {
        const uint8_t of = s->stood_for[i];
        s->gone[i] = of ? find_stood_for(s, s->rims[i], of, true) : 0;
    }
}

// Links -------------------------------------------------------------------------------------------

static void gather_rims(size_t begin, size_t end, void* context)
{
    seams* s = context;
    for (size_t k = begin; k < end; k++) {
        const kai_proximity_block* block = &s->blocks[k];
        if (block->rims == 0) continue;
        size_t place = atomic_fetch_add_explicit(&s->rim_count, block->rims, memory_order_relaxed);
        for (size_t i = block->pool; i < block->pool + block->pooled; i++) {
            const bool first = i == block->pool || !same_pair(&s->pool[i], &s->pool[i - 1]);
            if (!first || s->pool[i].contact.rim == 0) continue;
            s->rims[place++] = (uint32_t)i;
            s->pool[i].contact.rim = (uint32_t)place;
        }
    }
}

static void gather_links(size_t begin, size_t end, void* context)
{
    seams* s = context;
    for (size_t k = begin; k < end; k++) {
        const kai_proximity_block* block = &s->blocks[k];
        for (size_t i = block->pool; i < block->pool + block->pooled; i++) {
            const kai_proximity_contact* c = &s->pool[i];
            if (s->heads[c->a] == UNMARKED && s->heads[c->b] == UNMARKED) continue;
            if (i > block->pool && same_pair(c, c - 1)) continue;
            for (int side = 0; side < 2; side++) {
                const uint32_t item = side ? c->b : c->a;
                if (s->heads[item] == UNMARKED) continue;
                const size_t at =
                    atomic_fetch_add_explicit(&s->link_count, 1, memory_order_relaxed);
                s->links[at] = (link){item, (uint32_t)i, END};
            }
        }
    }
}

static void link_items(seams* s)
{
    const size_t count = atomic_load(&s->link_count);
    for (size_t k = 0; k < count; k++) {
        link* l = &s->links[k];
        l->next = s->heads[l->item];
        s->heads[l->item] = (uint32_t)k;
    }
}

// Blocks ------------------------------------------------------------------------------------------

/// Takes the bit of a pair that goes.
static void forget_pair(kai_proximity_block* block, const uint64_t* pairs,
                        const kai_proximity_contact* c)
{
    for (size_t k = 0; k < KAI_PROXIMITY_BLOCK; k++) {
        const uint64_t bit = UINT64_C(1) << k % 64;
        if (!(block->touch[k / 64] & bit)) continue;
        if (KAI_BROAD_A(pairs[k]) != c->a || KAI_BROAD_B(pairs[k]) != c->b) continue;
        block->touch[k / 64] &= ~bit;
        return;
    }
}

static void close_blocks(size_t begin, size_t end, void* context)
{
    const seams* s = context;
    for (size_t k = begin; k < end; k++) {
        kai_proximity_block* block = &s->blocks[k];
        if (block->rims == 0) continue;
        const uint64_t* pairs = s->proximity->broad.pairs + k * KAI_PROXIMITY_BLOCK;
        kai_proximity_contact* pool = s->pool + block->pool;
        size_t kept = 0;
        for (size_t i = 0, n; i < block->pooled; i += n) {
            for (n = 1; i + n < block->pooled && same_pair(&pool[i], &pool[i + n]);) n++;
            const uint32_t place = pool[i].contact.rim;
            pool[i].contact.rim = 0;
            const unsigned gone = place > 0 ? s->gone[place - 1] : 0;
            const size_t before = kept;
            for (size_t m = 0; m < n; m++) {
                if (gone >> m & 1u) continue;
                if (kept != i + m) pool[kept] = pool[i + m];
                kept++;
            }
            block->count = (uint16_t)(block->count - (n - (kept - before)));
            if (kept == before) forget_pair(block, pairs, &pool[i]);
        }
        block->pooled = (uint16_t)kept;
    }
}

static kai_result make_room(seams* s, kai_proximity* p, size_t rims, kai_error* err)
{
    const size_t items = kai_proximity_count(p), links = 2 * s->pooled;
    const size_t bytes = links * sizeof(link) + (items + rims) * sizeof(uint32_t) + 2 * rims;
    if (bytes > p->seams.bytes)
        KAI_TRY(kai_broad_reserve(p->memory, &p->seams, bytes + bytes / 8, err));
    s->links = p->seams.data;
    s->heads = (uint32_t*)(void*)(s->links + links);
    s->rims = s->heads + items;
    s->stood_for = (uint8_t*)(void*)(s->rims + rims);
    s->gone = s->stood_for + rims;
    memset(s->heads, 0xff, items * sizeof *s->heads);
    return KAI_OK;
}

kai_result kai_proximity_seams_drop(kai_proximity* p, int threads, kai_proximity_block* blocks,
                                    size_t count, kai_proximity_contact* pool, kai_error* err)
{
    seams s = {.proximity = p, .blocks = blocks, .pool = pool};
    size_t rims = 0;
    for (size_t k = 0; k < count; k++) {
        rims += blocks[k].rims;
        s.pooled += blocks[k].pooled;
    }
    if (rims == 0) return KAI_OK;
    KAI_TRY(make_room(&s, p, rims, err));
    kai_parallel_for(threads, count, BLOCKS, gather_rims, &s);
    for (size_t i = 0; i < rims; i++) s.heads[pool[s.rims[i]].a] = s.heads[pool[s.rims[i]].b] = END;
    kai_parallel_for(threads, count, BLOCKS, gather_links, &s);
    link_items(&s);
    kai_parallel_for(threads, rims, RIMS, judge_range, &s);
    kai_parallel_for(threads, rims, RIMS, drop_range, &s);
    kai_parallel_for(threads, count, BLOCKS, close_blocks, &s);
    return KAI_OK;
}
