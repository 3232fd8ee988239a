// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Bytes moved an item by an update that reuses pairs: 12 item, 64 pose and 24 of its grown box
// read, 32 written (its ball). What follows reads balls only (proximity_contacts.c).
#include "proximity/proximity.h"

#include "base/parallel.h"
#include "proximity/broad_bounds.h"
#include "proximity/proximity_contacts.h"
#include "proximity/proximity_sweep.h"

#include <string.h>

enum { BLOCK = 1024 };

void kai_proximity_init(kai_proximity* proximity, kai_memory* memory)
{
    *proximity = (kai_proximity){.memory = memory,
                                 .items = kai_array_make(sizeof(kai_proximity_item)),
                                 .groups = kai_array_make(sizeof(kai_proximity_group)),
                                 .frames = kai_array_make(sizeof(kai_frame)),
                                 .geometries = kai_array_make(sizeof(kai_geometry)),
                                 .skips = kai_array_make(sizeof(uint64_t)),
                                 .run.alike = kai_array_make(sizeof(kai_proximity_alike)),
                                 .changed = true};
    kai_broad_init(&proximity->broad, memory);
    proximity->broad.half = kai_proximity_half;
}

void kai_proximity_free(kai_proximity* proximity)
{
    kai_memory* memory = proximity->memory;
    kai_broad_block* blocks[] = {&proximity->room, &proximity->pool, &proximity->blocks,
                                 &proximity->contact_batches, &proximity->seams};
    for (int k = 0; k < 5; k++) kai_memory_release(memory, blocks[k]->data, blocks[k]->bytes);
    kai_array_free(&proximity->items, memory);
    kai_array_free(&proximity->groups, memory);
    kai_array_free(&proximity->frames, memory);
    kai_array_free(&proximity->geometries, memory);
    kai_array_free(&proximity->skips, memory);
    kai_array_free(&proximity->run.alike, memory);
    kai_broad_free(&proximity->broad);
    kai_proximity_init(proximity, memory);
}

size_t kai_proximity_bytes(const kai_proximity* proximity)
{
    const kai_array* arrays[] = {&proximity->items,      &proximity->groups, &proximity->frames,
                                 &proximity->geometries, &proximity->skips,  &proximity->run.alike};
    size_t bytes = kai_broad_bytes(&proximity->broad);
    for (int k = 0; k < 6; k++) bytes += arrays[k]->capacity * arrays[k]->stride;
    return bytes;
}

// Items -------------------------------------------------------------------------------------------

kai_result kai_proximity_clear(kai_proximity* p, kai_error* err)
{
    memset(p->group_cache, 0, sizeof p->group_cache);
    p->run = (kai_proximity_run){.alike = p->run.alike};
    KAI_TRY(kai_array_resize(&p->groups, p->memory, 0, err));
    return kai_array_resize(&p->items, p->memory, 0, err);
}

// NaN is never the same: it gets a group of its own.
static bool same_group(const kai_proximity_group* a, const kai_proximity_group* b)
{
    return a->frame == b->frame && a->geometry == b->geometry && a->radius == b->radius &&
           a->part == b->part && a->family == b->family && a->mask == b->mask;
}

static size_t hash_of(const kai_proximity_group* g)
{
    uint64_t bits;
    memcpy(&bits, &g->radius, sizeof bits);
    bits ^= (uint64_t)g->frame << 32 ^ g->geometry ^ (uint64_t)g->part << 48;
    return (size_t)((bits + g->family) * UINT64_C(0x9e3779b97f4a7c15) >> 58);
}

_Static_assert(KAI_PROXIMITY_GROUP_CACHE == 1 << (64 - 58), "hash_of");

kai_result kai_proximity_add_group(kai_proximity* p, const kai_proximity_group* group,
                                   uint32_t* out, kai_error* err)
{
    uint32_t* cached = &p->group_cache[hash_of(group)];
    const kai_proximity_group* groups = p->groups.data;
    if (*cached == 0 || !same_group(&groups[*cached - 1], group)) {
        if (p->groups.count >= KAI_PROXIMITY_SKIPS - 1)
            return kai_error_set(err, KAI_ERROR_LIMIT, "%zu groups of shapes; most are %u",
                                 p->groups.count, KAI_PROXIMITY_SKIPS - 1);
        KAI_TRY(kai_array_append(&p->groups, p->memory, group, 1, err));
        *cached = (uint32_t)p->groups.count;
    }
    *out = *cached - 1;
    return KAI_OK;
}

kai_result kai_proximity_add(kai_proximity* p, uint32_t owner, uint32_t id,
                             const kai_proximity_group* group, kai_error* err)
{
    kai_proximity_item item = {.owner = owner, .id = id};
    KAI_TRY(kai_proximity_add_group(p, group, &item.group, err));
    return kai_array_append(&p->items, p->memory, &item, 1, err);
}

void kai_proximity_begin_run(kai_proximity* p, uint32_t owner, const uint32_t* const* name,
                             const uint32_t* const* number)
{
    p->run.first = p->items.count;
    p->run.count = 0;
    p->run.owner = owner;
    p->run.name = name;
    p->run.number = number;
}

kai_result kai_proximity_set_alike(kai_proximity* p, uint32_t number,
                                   const kai_proximity_alike* alike, kai_error* err)
{
    kai_array* all = &p->run.alike;
    if (number >= all->count) KAI_TRY(kai_array_resize(all, p->memory, (size_t)number + 1, err));
    ((kai_proximity_alike*)all->data)[number] = *alike;
    return KAI_OK;
}

static const kai_proximity_group* group_of(const kai_proximity* p, const kai_proximity_item* item)
{
    return (const kai_proximity_group*)p->groups.data + (item->group & ~KAI_PROXIMITY_SKIPS);
}

static size_t pose_of(const kai_proximity_item* item) { return item->owner & ~KAI_BROAD_FIXED; }

static kai_vec3 position_at(const kai_proximity* p, size_t pose)
{
    const kai_proximity_poses* poses = &p->poses;
    const kai_vec3 at = kai_proximity_vec3(poses->position, poses->stride, pose);
    if (poses->lead == 0.0) return at;
    return kai_vec3_mul_add(at, kai_proximity_vec3(poses->velocity, poses->motion_stride, pose),
                            poses->lead);
}

static kai_quat rotation_at(const kai_proximity* p, size_t pose)
{
    const char* base = p->poses.rotation;
    return *(const kai_quat*)(const void*)(base + p->poses.stride * pose);
}

kai_frame kai_proximity_frame(const kai_proximity* proximity, size_t i)
{
    const kai_proximity_item copy = kai_proximity_item_at(proximity, i), *item = &copy;
    const kai_frame owner = {position_at(proximity, pose_of(item)),
                             rotation_at(proximity, pose_of(item))};
    const uint32_t frame = group_of(proximity, item)->frame;
    if (frame == 0) return owner;
    return kai_frame_compose(owner, ((const kai_frame*)proximity->frames.data)[frame - 1]);
}

const kai_geometry* kai_proximity_geometry(const kai_proximity* proximity, size_t i,
                                           kai_geometry* sphere)
{
    const kai_proximity_group* group = kai_proximity_group_of(proximity, i);
    if (group->geometry != KAI_PROXIMITY_SPHERE)
        return (const kai_geometry*)proximity->geometries.data + group->geometry;
    *sphere = (kai_geometry){.type = KAI_CONVEX_POINT, .margin = group->radius};
    return sphere;
}

// Where a sphere is, with no more turning than needed.
static kai_vec3 sphere_centre(const kai_proximity* p, const kai_proximity_item* item)
{
    const kai_vec3 at = position_at(p, pose_of(item));
    const uint32_t frame = group_of(p, item)->frame;
    if (frame == 0) return at;
    const kai_frame* frames = p->frames.data;
    return kai_vec3_add(at,
                        kai_quat_rotate(rotation_at(p, pose_of(item)), frames[frame - 1].position));
}

// A point of the item moves no faster than v + |spin| times its distance from the pose's origin.
static float travel_of(const kai_proximity* p, const kai_proximity_item* item)
{
    const kai_proximity_poses* poses = &p->poses;
    if (!poses->velocity || (item->owner & KAI_BROAD_FIXED)) return 0.0f;
    const size_t i = pose_of(item);
    const double arm = kai_proximity_arm(p, group_of(p, item));
    double speed = kai_vec3_norm(kai_proximity_vec3(poses->velocity, poses->motion_stride, i));
    if (arm > 0.0 && isfinite(arm))
        speed += arm * kai_vec3_norm(kai_proximity_vec3(poses->spin, poses->motion_stride, i));
    return (float)(speed * poses->step);
}

static kai_proximity_ball ball_of(const kai_proximity* p, size_t i)
{
    const kai_proximity_item copy = kai_proximity_item_at(p, i), *item = &copy;
    const kai_proximity_group* group = group_of(p, item);
    if (group->geometry == KAI_PROXIMITY_SPHERE)
        return (kai_proximity_ball){sphere_centre(p, item), group->radius};
    return (kai_proximity_ball){kai_proximity_frame(p, i).position, -group->radius};
}

// Notes how far an item moves in the time ahead; true when it is fast.
static bool note_way(kai_proximity* p, size_t i, const kai_proximity_way* way)
{
    if (!p->balls || !p->ways) return way->length > 0.0;
    p->ways[i] = (float)(way->length * (1.0 + 0x1p-22));
    if (way->length > 0.0) atomic_store_explicit(&p->swift, true, memory_order_relaxed);
    return way->length > 0.0;
}

// Stretches bounds over the way of an item. A ball is where its centre is, all the way: what
// broad.h says of balls in boxes holds.
static bool add_way(kai_proximity* p, size_t i, kai_vec3* low, kai_vec3* high)
{
    const kai_proximity_way way = kai_proximity_sweep_way(p, i);
    if (!note_way(p, i, &way)) return false;
    const kai_vec3 turn = kai_vec3_make(way.turn, way.turn, way.turn);
    *low = kai_vec3_sub(kai_vec3_min(*low, kai_vec3_add(*low, way.travel)), turn);
    *high = kai_vec3_add(kai_vec3_max(*high, kai_vec3_add(*high, way.travel)), turn);
    return true;
}

void kai_proximity_boxes(size_t begin, size_t end, kai_vec3 origin, kai_broad_box* boxes,
                         float* travel, void* context)
{
    kai_proximity* p = context;
    const double more = 0.5 * p->reach;
    for (size_t i = begin; i < end; i++) {
        const kai_proximity_item copy = kai_proximity_item_at(p, i), *item = &copy;
        const kai_proximity_group* group = group_of(p, item);
        kai_broad_box* box = &boxes[i - begin];
        kai_vec3 low, high;
        double grow = more;
        if (group->geometry == KAI_PROXIMITY_SPHERE) {
            low = high = sphere_centre(p, item);
            grow += group->radius;
            if (p->balls) p->balls[i] = (kai_proximity_ball){low, group->radius};
        } else {
            const kai_frame frame = kai_proximity_frame(p, i);
            kai_broad_bounds(kai_proximity_geometry(p, i, NULL), &frame, &low, &high);
            if (p->balls) p->balls[i] = (kai_proximity_ball){frame.position, -group->radius};
        }
        const bool fast = p->sweep > 0.0 && add_way(p, i, &low, &high);
        const kai_vec3 by = kai_vec3_make(grow, grow, grow);
        kai_broad_round(box, kai_vec3_sub(low, by), kai_vec3_add(high, by), origin);
        box->owner = item->owner;
        if (group->geometry == KAI_PROXIMITY_SPHERE && !fast) box->owner |= KAI_BROAD_ROUND;
        box->family = group->family;
        box->mask = group->mask;
        if (travel) travel[i - begin] = travel_of(p, item);
    }
}

kai_broad_half kai_proximity_half(size_t i, kai_vec3 origin, void* context)
{
    const kai_proximity* p = context;
    const kai_proximity_item copy = kai_proximity_item_at(p, i), *item = &copy;
    if (group_of(p, item)->geometry == KAI_PROXIMITY_SPHERE) return KAI_BROAD_HALF_ALL;
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
        const kai_vec3 w = kai_proximity_vec3(poses->spin, poses->motion_stride, pose_of(item));
        half.travel += poses->step * kai_vec3_norm(w) * kai_vec3_norm(at);
    }
    if (p->sweep > 0.0) half.offset += kai_proximity_sweep_way(p, i).length;
    return half;
}

// The pipeline ------------------------------------------------------------------------------------

// Balls and ways live where builds work: there is room for 44 bytes an item (broad.h), and no build
// goes on.
static void find_room(kai_proximity* p)
{
    p->balls = p->broad.work.data;
    p->ways = p->sweep > 0.0 ? (float*)(void*)(p->balls + kai_proximity_count(p)) : NULL;
    atomic_store(&p->swift, false);
}

static void gather_ball(kai_proximity* p, size_t i)
{
    p->balls[i] = ball_of(p, i);
    if (!p->ways) return;
    const kai_proximity_way way = kai_proximity_sweep_way(p, i);
    note_way(p, i, &way);
}

static void gather_balls(size_t begin, size_t end, void* context)
{
    kai_proximity* p = context;
    for (size_t i = begin; i < end; i++) gather_ball(p, i);
}

/// Balls of items that nobody has looked at, where pairs need them.
static void gather_some(kai_proximity* p, int threads)
{
    if (p->broad.pair_count > kai_proximity_count(p) / 4) {
        kai_parallel_for(threads, kai_proximity_count(p), BLOCK, gather_balls, p);
        return;
    }
    for (size_t k = 0; k < p->broad.pair_count; k++) {
        const size_t a = KAI_BROAD_A(p->broad.pairs[k]), b = KAI_BROAD_B(p->broad.pairs[k]);
        gather_ball(p, a);
        gather_ball(p, b);
    }
}

void kai_proximity_begin(kai_proximity* p, const kai_proximity_poses* poses)
{
    p->poses = *poses;
    p->contact_count = 0;
    p->deepest = 0.0;
    p->update++;
    p->balls = NULL;
}

bool kai_proximity_holds(kai_proximity* p, int threads, bool partial)
{
    const size_t count = kai_proximity_count(p);
    // Where pairs hold, the pass over all boxes that finds so writes the balls as well.
    p->balls = NULL;
    if (p->broad.built && count == p->broad.count) find_room(p);
    const bool hold = !p->changed && p->partial == partial &&
                      kai_broad_holds(&p->broad, threads, count, kai_proximity_boxes, p);
    if (hold && p->broad.known_begin < p->broad.known_end) gather_some(p, threads);
    p->broad.known_begin = p->broad.known_end = 0;
    if (!hold) p->balls = NULL;
    return hold;
}

kai_result kai_proximity_pairs(kai_proximity* p, int threads, kai_error* err)
{
    const size_t count = kai_proximity_count(p);
    p->partial = false;
    KAI_TRY(kai_broad_build(&p->broad, threads, count, kai_proximity_boxes, p, err));
    p->changed = false;
    return KAI_OK;
}

kai_result kai_proximity_finish(kai_proximity* p, int threads, kai_error* err)
{
    if (!p->balls) {
        find_room(p);
        kai_parallel_for(threads, kai_proximity_count(p), BLOCK, gather_balls, p);
    }
    const kai_result r = kai_proximity_contacts_find(p, threads, err);
    p->balls = NULL;
    return r;
}

kai_result kai_proximity_update(kai_proximity* p, int threads, const kai_proximity_poses* poses,
                                kai_error* err)
{
    if (threads < 1) threads = 1;
    kai_proximity_begin(p, poses);
    if (!kai_proximity_holds(p, threads, false)) KAI_TRY(kai_proximity_pairs(p, threads, err));
    return kai_proximity_finish(p, threads, err);
}
