// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Contacts are found in two passes over blocks of pairs. The first counts them; contacts of general
// pairs go to a pool, as they are costly. The second, which knows where each block begins, writes
// them: from the pool, or, for two spheres, found again.
//
// Bytes moved a pair of spheres, both passes: 2 × (8 pair + 2 × 32 items + 2 × 24 positions) read,
// mostly from the cache when items are in the order of space; 112 written a contact.
#include "proximity/proximity.h"

#include "base/parallel.h"
#include "proximity/broad_bounds.h"
#include "proximity/narrow.h"

#include <stdatomic.h>
#include <string.h>

enum { BLOCK = 256, DESK = BLOCK * KAI_MANIFOLD_MOST };

/// What a block of pairs has found.
typedef struct pair_block {
    size_t first;    // of its contacts, in order
    size_t pool;     // where its general contacts are
    uint32_t pooled; // how many of them
    uint32_t count;  // of all contacts
    double deepest;  // least gap
} pair_block;

typedef struct narrowing {
    kai_proximity* proximity;
    pair_block* blocks;
    kai_proximity_contact* pool;
    size_t pool_capacity;
    atomic_size_t pooled;
} narrowing;

void kai_proximity_init(kai_proximity* proximity, kai_memory* memory)
{
    *proximity = (kai_proximity){.memory = memory,
                                 .items = kai_array_make(sizeof(kai_proximity_item)),
                                 .frames = kai_array_make(sizeof(kai_frame)),
                                 .geometries = kai_array_make(sizeof(kai_geometry)),
                                 .skips = kai_array_make(sizeof(uint64_t)),
                                 .changed = true};
    kai_broad_init(&proximity->broad, memory);
    proximity->broad.half = kai_proximity_half;
}

void kai_proximity_free(kai_proximity* proximity)
{
    kai_memory* memory = proximity->memory;
    kai_broad_block* blocks[] = {&proximity->room, &proximity->pool, &proximity->blocks,
                                 &proximity->desks};
    for (int k = 0; k < 4; k++) kai_memory_release(memory, blocks[k]->data, blocks[k]->bytes);
    kai_array_free(&proximity->items, memory);
    kai_array_free(&proximity->frames, memory);
    kai_array_free(&proximity->geometries, memory);
    kai_array_free(&proximity->skips, memory);
    kai_broad_free(&proximity->broad);
    kai_proximity_init(proximity, memory);
}

// Items -------------------------------------------------------------------------------------------

static const kai_proximity_item* item_at(const kai_proximity* p, size_t i)
{
    return (const kai_proximity_item*)p->items.data + i;
}

static size_t pose_of(const kai_proximity_item* item) { return item->owner & ~KAI_BROAD_FIXED; }

static const void* strided(const void* base, size_t stride, size_t i)
{
    return (const char*)base + stride * i;
}

static kai_vec3 position_at(const kai_proximity* p, size_t pose)
{
    return *(const kai_vec3*)strided(p->poses.position, p->poses.stride, pose);
}

kai_frame kai_proximity_frame(const kai_proximity* proximity, size_t i)
{
    const kai_proximity_item* item = item_at(proximity, i);
    const kai_proximity_poses* poses = &proximity->poses;
    const kai_frame owner = {
        position_at(proximity, pose_of(item)),
        *(const kai_quat*)strided(poses->rotation, poses->stride, pose_of(item))};
    if (item->frame == 0) return owner;
    return kai_frame_compose(owner, ((const kai_frame*)proximity->frames.data)[item->frame - 1]);
}

const kai_geometry* kai_proximity_geometry(const kai_proximity* proximity, size_t i,
                                           kai_geometry* sphere)
{
    const kai_proximity_item* item = item_at(proximity, i);
    if (item->geometry != KAI_PROXIMITY_SPHERE)
        return (const kai_geometry*)proximity->geometries.data + item->geometry;
    *sphere = (kai_geometry){.type = KAI_CONVEX_POINT, .margin = item->radius};
    return sphere;
}

// Where a sphere is, with no more turning than needed.
static kai_vec3 sphere_centre(const kai_proximity* p, const kai_proximity_item* item)
{
    const kai_vec3 at = position_at(p, pose_of(item));
    if (item->frame == 0) return at;
    const kai_quat q = *(const kai_quat*)strided(p->poses.rotation, p->poses.stride, pose_of(item));
    const kai_frame* frames = p->frames.data;
    return kai_vec3_add(at, kai_quat_rotate(q, frames[item->frame - 1].position));
}

// A point of the item moves no faster than v + |spin| times its distance from the pose's origin.
static float travel_of(const kai_proximity* p, const kai_proximity_item* item)
{
    const kai_proximity_poses* poses = &p->poses;
    if (!poses->velocity || (item->owner & KAI_BROAD_FIXED)) return 0.0f;
    const size_t i = pose_of(item);
    const kai_vec3 v = *(const kai_vec3*)strided(poses->velocity, poses->motion_stride, i);
    double speed = kai_vec3_norm(v);
    if ((item->frame != 0 || item->geometry != KAI_PROXIMITY_SPHERE) && isfinite(item->radius)) {
        const kai_vec3 w = *(const kai_vec3*)strided(poses->spin, poses->motion_stride, i);
        const kai_frame* frames = p->frames.data;
        double arm = item->geometry == KAI_PROXIMITY_SPHERE ? 0.0 : item->radius;
        if (item->frame != 0) arm += kai_vec3_norm(frames[item->frame - 1].position);
        speed += kai_vec3_norm(w) * arm;
    }
    return (float)(speed * poses->step);
}

void kai_proximity_boxes(size_t begin, size_t end, kai_vec3 origin, kai_broad_box* boxes,
                         float* travel, void* context)
{
    const kai_proximity* p = context;
    const double more = 0.5 * p->reach;
    for (size_t i = begin; i < end; i++) {
        const kai_proximity_item* item = item_at(p, i);
        kai_broad_box* box = &boxes[i - begin];
        kai_vec3 low, high;
        double grow = more;
        if (item->geometry == KAI_PROXIMITY_SPHERE) {
            low = high = sphere_centre(p, item);
            grow += item->radius;
        } else {
            const kai_frame frame = kai_proximity_frame(p, i);
            kai_broad_bounds(kai_proximity_geometry(p, i, NULL), &frame, &low, &high);
        }
        const kai_vec3 by = kai_vec3_make(grow, grow, grow);
        kai_broad_round(box, kai_vec3_sub(low, by), kai_vec3_add(high, by), origin);
        box->owner = item->owner;
        box->family = item->family;
        box->mask = item->mask;
        if (travel) travel[i - begin] = travel_of(p, item);
    }
}

kai_broad_half kai_proximity_half(size_t i, kai_vec3 origin, void* context)
{
    const kai_proximity* p = context;
    const kai_proximity_item* item = item_at(p, i);
    if (item->geometry == KAI_PROXIMITY_SPHERE) return KAI_BROAD_HALF_ALL;
    const kai_geometry* g = kai_proximity_geometry(p, i, NULL);
    if (g->type != KAI_GEOMETRY_PLANE) return KAI_BROAD_HALF_ALL;
    const kai_frame frame = kai_proximity_frame(p, i);
    const kai_vec3 n = kai_vec3_normalize(kai_quat_rotate(frame.rotation, g->size));
    const kai_vec3 at = kai_vec3_sub(frame.position, origin);
    kai_broad_half half = {.normal = n,
                           .offset = kai_vec3_dot(n, at) + g->margin + 0.5 * p->reach,
                           .travel = (double)travel_of(p, item)};
    // What the subtraction and the turn have lost.
    half.offset += 0x1p-48 * (kai_vec3_max_abs(frame.position) + kai_vec3_max_abs(origin));
    if (p->poses.spin && !(item->owner & KAI_BROAD_FIXED)) {
        const kai_proximity_poses* poses = &p->poses;
        const kai_vec3 w =
            *(const kai_vec3*)strided(poses->spin, poses->motion_stride, pose_of(item));
        half.travel += poses->step * kai_vec3_norm(w) * kai_vec3_norm(at);
    }
    return half;
}

// Pairs -------------------------------------------------------------------------------------------

static bool is_skipped(const kai_proximity* p, const kai_proximity_item* a,
                       const kai_proximity_item* b)
{
    if (!a->skips || !b->skips) return false;
    const uint64_t x = pose_of(a), y = pose_of(b);
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

// The contact of two spheres. Not inlined: both passes must round alike.
static __attribute__((noinline)) bool touch_spheres(const kai_proximity* p, size_t a, size_t b,
                                                    kai_proximity_contact* out)
{
    const kai_proximity_item *ia = item_at(p, a), *ib = item_at(p, b);
    const kai_vec3 ca = sphere_centre(p, ia), d = kai_vec3_sub(sphere_centre(p, ib), ca);
    const double norm2 = kai_vec3_norm2(d), most = ia->radius + ib->radius + p->reach;
    if (!(norm2 <= most * most) || most < 0.0) return false;
    if (!out) return true;

    const double distance = sqrt(norm2);
    const kai_vec3 n = distance > 1e-150 ? kai_vec3_scale(d, 1.0 / distance) : kai_vec3_axis(2);
    kai_contact* c = &out->contact;
    *c = (kai_contact){.normal = n,
                       .gap = distance - ia->radius - ib->radius,
                       .radius_a = ia->radius,
                       .radius_b = ib->radius};
    c->point_a = kai_vec3_mul_add(ca, n, ia->radius);
    c->point_b = kai_vec3_add(ca, kai_vec3_mul_add(d, n, -ib->radius));
    out->a = (uint32_t)a;
    out->b = (uint32_t)b;
    return true;
}

// Contacts of any other pair; returns how many.
static size_t touch_others(const kai_proximity* p, size_t a, size_t b, kai_proximity_contact* out)
{
    const kai_proximity_item *ia = item_at(p, a), *ib = item_at(p, b);
    const kai_frame fa = kai_proximity_frame(p, a), fb = kai_proximity_frame(p, b);
    // Balls around both say at once that most pairs of the skin are apart.
    const double most = ia->radius + ib->radius + p->reach;
    if (kai_vec3_distance(fa.position, fb.position) > most * (1.0 + 1e-12)) return 0;
    kai_geometry sa, sb;
    kai_manifold m;
    kai_narrow_find(kai_proximity_geometry(p, a, &sa), &fa, kai_proximity_geometry(p, b, &sb), &fb,
                    p->reach, &m);
    for (int k = 0; k < m.count; k++) {
        out[k].contact = m.contacts[k];
        out[k].a = (uint32_t)a;
        out[k].b = (uint32_t)b;
    }
    return (size_t)m.count;
}

static bool is_sphere_pair(const kai_proximity_item* a, const kai_proximity_item* b)
{
    return a->geometry == KAI_PROXIMITY_SPHERE && b->geometry == KAI_PROXIMITY_SPHERE;
}

static void count_block(size_t begin, size_t end, int worker, void* context)
{
    narrowing* n = context;
    const kai_proximity* p = n->proximity;
    pair_block* block = &n->blocks[begin / BLOCK];
    kai_proximity_contact* desk = (kai_proximity_contact*)p->desks.data + (size_t)worker * DESK;
    size_t spheres = 0, others = 0;
    for (size_t k = begin; k < end; k++) {
        const uint64_t pair = p->broad.pairs[k];
        const size_t a = KAI_BROAD_A(pair), b = KAI_BROAD_B(pair);
        const kai_proximity_item *ia = item_at(p, a), *ib = item_at(p, b);
        if (is_skipped(p, ia, ib)) continue;
        if (is_sphere_pair(ia, ib))
            spheres += touch_spheres(p, a, b, NULL);
        else
            others += touch_others(p, a, b, desk + others);
    }
    block->count = (uint32_t)(spheres + others);
    block->pooled = (uint32_t)others;
    if (others == 0) return;
    block->pool = atomic_fetch_add_explicit(&n->pooled, others, memory_order_relaxed);
    if (block->pool + others <= n->pool_capacity)
        memcpy(n->pool + block->pool, desk, others * sizeof *desk);
}

static void write_block(size_t begin, size_t end, int worker, void* context)
{
    (void)worker;
    const narrowing* n = context;
    const kai_proximity* p = n->proximity;
    pair_block* block = &n->blocks[begin / BLOCK];
    kai_proximity_contact* out = p->contacts + block->first;
    const kai_proximity_contact* pooled = n->pool + block->pool;
    if (block->pooled == block->count) {
        if (block->count) memcpy(out, pooled, block->count * sizeof *out);
        return;
    }
    size_t next = 0, written = 0;
    for (size_t k = begin; k < end; k++) {
        const uint64_t pair = p->broad.pairs[k];
        const size_t a = KAI_BROAD_A(pair), b = KAI_BROAD_B(pair);
        const kai_proximity_item *ia = item_at(p, a), *ib = item_at(p, b);
        if (!is_sphere_pair(ia, ib)) {
            while (next < block->pooled && pooled[next].a == a && pooled[next].b == b)
                out[written++] = pooled[next++];
        } else if (!is_skipped(p, ia, ib)) {
            written += written < block->count && touch_spheres(p, a, b, &out[written]);
        }
    }
}

static void find_deepest(size_t begin, size_t end, int worker, void* context)
{
    (void)worker;
    const narrowing* n = context;
    for (size_t k = begin; k < end; k++) {
        pair_block* block = &n->blocks[k];
        const kai_proximity_contact* contacts = n->proximity->contacts + block->first;
        block->deepest = 0.0;
        for (size_t c = 0; c < block->count; c++)
            block->deepest = fmax(block->deepest, -contacts[c].contact.gap);
    }
}

// The pipeline ------------------------------------------------------------------------------------

static kai_result narrow(kai_proximity* p, int threads, kai_error* err)
{
    const size_t pairs = p->broad.pair_count, count = (pairs + BLOCK - 1) / BLOCK;
    KAI_TRY(
        kai_broad_reserve(p->memory, &p->blocks, (count + count / 8) * sizeof(pair_block), err));
    if (p->geometries.count > 0)
        KAI_TRY(kai_broad_reserve(p->memory, &p->desks,
                                  (size_t)threads * DESK * sizeof(kai_proximity_contact), err));
    narrowing n = {.proximity = p, .blocks = p->blocks.data};
    for (;;) {
        n.pool = p->pool.data;
        n.pool_capacity = p->pool.bytes / sizeof *n.pool;
        atomic_store(&n.pooled, 0);
        kai_parallel_for(threads, pairs, BLOCK, count_block, &n);
        const size_t pooled = atomic_load(&n.pooled);
        if (pooled <= n.pool_capacity) break;
        KAI_TRY(kai_broad_reserve(p->memory, &p->pool, (pooled + pooled / 8 + 64) * sizeof *n.pool,
                                  err));
    }
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
    kai_parallel_for(threads, count, 16, find_deepest, &n);
    p->contact_count = total;
    for (size_t k = 0; k < count; k++) p->deepest = fmax(p->deepest, n.blocks[k].deepest);
    return KAI_OK;
}

kai_result kai_proximity_update(kai_proximity* p, int threads, const kai_proximity_poses* poses,
                                kai_error* err)
{
    if (threads < 1) threads = 1;
    p->poses = *poses;
    p->contact_count = 0;
    p->deepest = 0.0;
    p->update++;
    KAI_TRY(kai_broad_update(&p->broad, threads, p->items.count, kai_proximity_boxes, p, p->changed,
                             err));
    p->changed = false;
    return narrow(p, threads, err);
}
