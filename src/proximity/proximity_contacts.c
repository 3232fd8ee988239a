// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// From pairs to contacts, in blocks of pairs. The first pass compares the distance of two balls
// with their radii and keeps one bit a pair: for two spheres the answer, for others a reason to
// look closer. General pairs are looked at right away, and their contacts wait in a pool. The
// second pass knows where each block begins and writes contacts in order: of two spheres, made
// here, from the pool those of all others.
//
// Bytes moved a pair in the first pass: 8 pair and 2 × 32 balls, from the cache when items are in
// the order of space; 1/4 written. In the second, a contact: the same, and 112 written.
#include "proximity/proximity_contacts.h"

#include "base/parallel.h"
#include "base/simd.h"
#include "proximity/narrow.h"
#include "proximity/proximity_seams.h"
#include "proximity/proximity_sweep.h"

#include <stdatomic.h>
#include <string.h>

enum {
    BLOCK = KAI_PROXIMITY_BLOCK,
    WORDS = BLOCK / 64,
    CONTACT_BATCH = BLOCK * KAI_MANIFOLD_MOST,
    AHEAD = 24,
    GROUP = 16
};

typedef kai_proximity_block pair_block;

typedef struct narrowing {
    kai_proximity* proximity;
    const float* ways; // of items, where some are fast; else NULL
    pair_block* blocks;
    kai_proximity_contact* pool;
    size_t pool_capacity;
    atomic_size_t pooled;
} narrowing;

// Pairs that may touch ----------------------------------------------------------------------------

// Balls around general items say at once that most pairs of the skin are apart. They are tested
// with a trace more than the sum of radii.
KAI_INLINE bool near(const kai_proximity_ball* a, const kai_proximity_ball* b, double reach,
                     double more)
{
    const double x = b->centre.x - a->centre.x, y = b->centre.y - a->centre.y;
    const double z = b->centre.z - a->centre.z;
    const double most = fabs(a->radius) + fabs(b->radius) + reach + more;
    const double less = a->radius < b->radius ? a->radius : b->radius;
    const double limit = less < 0.0 ? most * most * (1.0 + 1e-11) : most * most;
    return x * x + y * y + z * z <= limit;
}

// Asks for the ball of a later pair's second item: those of the first come in order. `left` pairs
// are left.
KAI_INLINE void prefetch(const kai_proximity_ball* balls, const uint64_t* pair, size_t left)
{
    __builtin_prefetch(&balls[KAI_BROAD_B(pair[left > AHEAD ? AHEAD : 0])]);
}

// How far the items of a pair move together in the time ahead; 0 where neither is fast.
KAI_INLINE double way_of(const float* ways, uint32_t a, uint32_t b)
{
    return ways ? (double)ways[a] + (double)ways[b] : 0.0;
}

// One bit a pair. Bits are shifted in one after the other: balls lie anywhere, and vectors that
// gather them were measured slower than this.
KAI_INLINE void sift_pairs(const kai_proximity_ball* balls, const float* ways,
                           const uint64_t* pairs, size_t count, double reach, uint64_t touch[WORDS])
{
    for (size_t w = 0; w < WORDS; w++) {
        const size_t begin = 64 * w, left = count > begin ? count - begin : 0;
        const size_t size = left < 64 ? left : 64;
        uint64_t bits = 0;
        for (size_t k = 0; k < size; k++) {
            const uint64_t pair = pairs[begin + k];
            prefetch(balls, pairs + begin + k, left - k);
            const uint32_t a = KAI_BROAD_A(pair), b = KAI_BROAD_B(pair);
            const double more = way_of(ways, a, b);
            const bool hit = near(&balls[a], &balls[b], reach, more);
            bits = bits >> 1 | (uint64_t)hit << 63;
        }
        touch[w] = size > 0 ? bits >> (64 - size) : 0;
    }
}

KAI_CLONES
static void sift(const kai_proximity_ball* balls, const uint64_t* pairs, size_t count, double reach,
                 uint64_t touch[WORDS])
{
    sift_pairs(balls, NULL, pairs, count, reach, touch);
}

KAI_CLONES
static void sift_fast(const kai_proximity_ball* balls, const float* ways, const uint64_t* pairs,
                      size_t count, double reach, uint64_t touch[WORDS])
{
    sift_pairs(balls, ways, pairs, count, reach, touch);
}

static bool is_skipped(const kai_proximity* p, size_t a, size_t b)
{
    if (p->skips.count == 0) return false;
    const kai_proximity_item i = kai_proximity_item_at(p, a), j = kai_proximity_item_at(p, b);
    if (!(i.group & j.group & KAI_PROXIMITY_SKIPS)) return false;
    const uint64_t x = i.owner & ~KAI_BROAD_FIXED, y = j.owner & ~KAI_BROAD_FIXED;
    const uint64_t pair = x < y ? x << 32 | y : y << 32 | x;
    const uint64_t* skips = p->skips.data;
    size_t begin = 0, end = p->skips.count;
    while (begin < end) {
        const size_t middle = begin + (end - begin) / 2;
        if (skips[middle] == pair) return true;
        if (skips[middle] < pair)
            begin = middle + 1;
        else
            end = middle;
    }
    return false;
}

// Contacts of a pair ------------------------------------------------------------------------------

KAI_INLINE bool is_sphere(const kai_proximity_ball* ball) { return !signbit(ball->radius); }

KAI_INLINE void touch_spheres(const kai_proximity_ball* a, const kai_proximity_ball* b,
                              kai_contact* out)
{
    const kai_vec3 d = kai_vec3_sub(b->centre, a->centre);
    const double distance = sqrt(kai_vec3_norm2(d));
    const kai_vec3 n = distance > 1e-150 ? kai_vec3_scale(d, 1.0 / distance) : kai_vec3_axis(2);
    out->normal = n;
    out->gap = distance - a->radius - b->radius;
    out->radius_a = a->radius;
    out->radius_b = b->radius;
    out->feature = 0;
    out->point_a = kai_vec3_mul_add(a->centre, n, a->radius);
    out->point_b = kai_vec3_add(a->centre, kai_vec3_mul_add(d, n, -b->radius));
}

// Pairs other than spheres wait for each other: the narrow phase likes to have some at once.
typedef struct group {
    int count;
    uint32_t a[GROUP], b[GROUP]; // items
    uint32_t bit[GROUP];         // place in the block
    kai_frame frame_a[GROUP], frame_b[GROUP];
    kai_geometry sphere_a[GROUP], sphere_b[GROUP]; // where an item is one
    kai_narrow_request requests[GROUP];
    kai_manifold manifolds[GROUP];
} group;

static void gather(const kai_proximity* p, uint32_t a, uint32_t b, double more, uint32_t bit,
                   group* g)
{
    const int k = g->count++;
    g->a[k] = a;
    g->b[k] = b;
    g->bit[k] = bit;
    g->frame_a[k] = kai_proximity_frame(p, a);
    g->frame_b[k] = kai_proximity_frame(p, b);
    g->requests[k] = (kai_narrow_request){kai_proximity_geometry(p, a, &g->sphere_a[k]),
                                          kai_proximity_geometry(p, b, &g->sphere_b[k]),
                                          &g->frame_a[k], &g->frame_b[k], more};
}

// Finds the contacts of all pairs of the group, in order; returns how many. Pairs that have none
// lose their bit.
static size_t touch_group(const kai_proximity* p, group* g, pair_block* block,
                          kai_proximity_contact* out)
{
    size_t n = 0;
    kai_narrow_find_many(g->requests, g->count, p->reach, g->manifolds);
    for (int k = 0; k < g->count; k++) {
        kai_manifold* m = &g->manifolds[k];
        const double more = g->requests[k].more;
        if (more > 0.0 && m->count > 0 && m->contacts[0].gap > p->reach)
            kai_proximity_sweep_meet(p, g->a[k], g->b[k], more, m);
        if (m->count == 0) block->touch[g->bit[k] / 64] &= ~(UINT64_C(1) << g->bit[k] % 64);
        block->rims += m->count > 0 && m->contacts[0].rim != 0;
        for (int i = 0; i < m->count; i++, n++) {
            out[n].contact = m->contacts[i];
            out[n].a = g->a[k];
            out[n].b = g->b[k];
        }
    }
    g->count = 0;
    return n;
}

// First pass --------------------------------------------------------------------------------------

// Goes through the bits of a block: drops skipped pairs, looks at general ones. Returns how many
// contacts these have, on the contact_batch.
static size_t look_closer(const kai_proximity* p, const float* ways, const uint64_t* pairs,
                          pair_block* block, kai_proximity_contact* contact_batch)
{
    size_t others = 0;
    group g;
    g.count = 0;
    for (size_t w = 0; w < WORDS; w++) {
        for (uint64_t left = block->touch[w]; left; left &= left - 1) {
            const size_t k = 64 * w + (size_t)__builtin_ctzll(left);
            const uint32_t a = KAI_BROAD_A(pairs[k]), b = KAI_BROAD_B(pairs[k]);
            const bool fast = way_of(ways, a, b) > 0.0;
            const double more = fast ? kai_proximity_sweep_pair(p, a, b) : 0.0;
            if (more < 0.0 || (p->skips.count > 0 && is_skipped(p, a, b)))
                block->touch[w] &= ~(left & -left);
            else if (!is_sphere(&p->balls[a]) || !is_sphere(&p->balls[b]) || fast)
                gather(p, a, b, more, (uint32_t)k, &g);
            if (g.count == GROUP) others += touch_group(p, &g, block, contact_batch + others);
        }
    }
    return others + touch_group(p, &g, block, contact_batch + others);
}

static void count_block(size_t begin, size_t end, int worker, void* context)
{
    narrowing* n = context;
    const kai_proximity* p = n->proximity;
    const uint64_t* pairs = p->broad.pairs + begin;
    pair_block* block = &n->blocks[begin / BLOCK];
    if (n->ways)
        sift_fast(p->balls, n->ways, pairs, end - begin, p->reach, block->touch);
    else
        sift(p->balls, pairs, end - begin, p->reach, block->touch);
    block->pooled = block->count = block->rims = 0;
    block->pool = 0;
    if (p->geometries.count > 0 || p->skips.count > 0 || n->ways) {
        kai_proximity_contact* contact_batch =
            (kai_proximity_contact*)p->contact_batches.data + (size_t)worker * CONTACT_BATCH;
        const size_t others = look_closer(p, n->ways, pairs, block, contact_batch);
        block->pooled = (uint16_t)others;
        if (others > 0) {
            block->pool = atomic_fetch_add_explicit(&n->pooled, others, memory_order_relaxed);
            if (block->pool + others <= n->pool_capacity)
                memcpy(n->pool + block->pool, contact_batch, others * sizeof *contact_batch);
            // Pairs that wait in the pool may have several contacts.
            for (size_t k = 1; k < others; k++)
                block->count += contact_batch[k].a == contact_batch[k - 1].a &&
                                contact_batch[k].b == contact_batch[k - 1].b;
        }
    }
    for (size_t w = 0; w < WORDS; w++)
        block->count += (uint16_t)__builtin_popcountll(block->touch[w]);
}

// Second pass -------------------------------------------------------------------------------------

KAI_CLONES
static void write_block(size_t begin, size_t end, void* context)
{
    const narrowing* n = context;
    const kai_proximity* p = n->proximity;
    const kai_proximity_ball* balls = p->balls;
    const uint64_t* pairs = p->broad.pairs + begin;
    pair_block* block = &n->blocks[begin / BLOCK];
    kai_proximity_contact* out = p->contacts + block->first;
    const kai_proximity_contact *next = n->pool + block->pool, *last = next + block->pooled;
    double least = 0.0;
    for (size_t w = 0; w < WORDS; w++) {
        for (uint64_t left = block->touch[w]; left; left &= left - 1) {
            const size_t k = 64 * w + (size_t)__builtin_ctzll(left);
            const uint64_t pair = pairs[k];
            prefetch(balls, pairs + k, end - begin - k);
            const uint32_t a = KAI_BROAD_A(pair), b = KAI_BROAD_B(pair);
            if (is_sphere(&balls[a]) && is_sphere(&balls[b]) && !(way_of(n->ways, a, b) > 0.0)) {
                touch_spheres(&balls[a], &balls[b], &out->contact);
                out->a = a;
                out->b = b;
                least = out->contact.gap < least ? out->contact.gap : least;
                out++;
                continue;
            }
            for (; next < last && next->a == a && next->b == b; next++) {
                least = next->contact.gap < least ? next->contact.gap : least;
                *out++ = *next;
            }
        }
    }
    block->deepest = -least;
}

kai_result kai_proximity_contacts_find(kai_proximity* p, int threads, kai_error* err)
{
    const size_t pairs = p->broad.pair_count, count = (pairs + BLOCK - 1) / BLOCK;
    KAI_TRY(
        kai_broad_reserve(p->memory, &p->blocks, (count + count / 8) * sizeof(pair_block), err));
    const float* ways = atomic_load(&p->swift) ? p->ways : NULL;
    if (p->geometries.count > 0 || ways)
        KAI_TRY(kai_broad_reserve(p->memory, &p->contact_batches,
                                  (size_t)threads * CONTACT_BATCH * sizeof(kai_proximity_contact),
                                  err));
    narrowing n = {.proximity = p, .ways = ways, .blocks = p->blocks.data};
    for (;;) {
        n.pool = p->pool.data;
        n.pool_capacity = p->pool.bytes / sizeof *n.pool;
        atomic_store(&n.pooled, 0);
        kai_parallel_for_workers(threads, pairs, BLOCK, count_block, &n);
        const size_t pooled = atomic_load(&n.pooled);
        if (pooled <= n.pool_capacity) break;
        // Found again with enough room: only while a scene warms up.
        KAI_TRY(kai_broad_reserve(p->memory, &p->pool, (pooled + pooled / 8 + 64) * sizeof *n.pool,
                                  err));
    }
    if (p->level) KAI_TRY(kai_proximity_seams_drop(p, threads, n.blocks, count, n.pool, err));
    size_t total = 0;
    for (size_t k = 0; k < count; k++) {
        n.blocks[k].first = total;
        total += n.blocks[k].count;
    }
    const size_t bytes = total * sizeof *p->contacts;
    if (bytes > p->room.bytes)
        KAI_TRY(kai_broad_reserve(p->memory, &p->room, bytes + bytes / 8, err));
    p->contacts = p->room.data;
    kai_parallel_for(threads, pairs, BLOCK, write_block, &n);
    p->contact_count = total;
    for (size_t k = 0; k < count; k++) p->deepest = fmax(p->deepest, n.blocks[k].deepest);
    return KAI_OK;
}
