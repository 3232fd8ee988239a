// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The pipeline from poses to contacts:
//
//     poses ─▶ boxes ─▶ pairs (broad.h) ─▶ contact points (narrow.h), on threads
//
// An *item* is a geometry somewhere on an *owner*, which has a pose. Items and poses are the
// caller's; nothing here knows what an owner is.
//
// Contacts come in the order of their pairs (a, b), a < b by item, and inside a pair as the narrow
// phase gives them. They depend on the present poses (and velocities, with `sweep`) alone: not on
// the number of threads, nor on when pairs were last built, so that a run that is resumed finds the
// same.
#ifndef PROXIMITY_PROXIMITY_H
#define PROXIMITY_PROXIMITY_H

#include "base/array.h"
#include "proximity/broad.h"
#include "proximity/convex.h"
#include "proximity/manifold.h"

#include <stdatomic.h>

/// kai_proximity_group.geometry of a sphere of `radius` about the item's origin.
#define KAI_PROXIMITY_SPHERE UINT32_MAX

/// What equal items share.
typedef struct kai_proximity_group {
    uint32_t frame;    // 1 + index into frames: its place on the owner; 0: the owner's own frame
    uint32_t geometry; // index into geometries, or KAI_PROXIMITY_SPHERE
    double radius;     // of a ball about the item's origin that holds it; HUGE_VAL: unbounded
    uint16_t part;     // of several items with one id
    uint16_t family;   // one bit; see kai_broad_box
    uint16_t mask;
} kai_proximity_group;

_Static_assert(sizeof(kai_proximity_group) == 24, "where all radii differ: one an item");

/// Bit of kai_proximity_item.group: the owner is in the list of skipped pairs.
#define KAI_PROXIMITY_SKIPS 0x80000000u

/// An item. A million equal spheres have one group.
typedef struct kai_proximity_item {
    uint32_t owner; // index of its pose, with KAI_BROAD_FIXED where the owner never moves
    uint32_t group; // index into groups, with KAI_PROXIMITY_SKIPS or without
    uint32_t id;    // the caller's name for it; stays when items change places
} kai_proximity_item;

_Static_assert(sizeof(kai_proximity_item) == 12, "read once an item and update");

/// What items of a run that are alike have in common.
typedef struct kai_proximity_alike {
    uint32_t group;
    uint32_t on; // the name of an item is that of its owner and so much more
} kai_proximity_alike;

/// Items without records: spheres, one on each of some owners in a row. Which are alike, and what
/// owners are called, is read where the caller keeps it: owners may come at the end, go from there
/// and change places without a change here.
typedef struct kai_proximity_run {
    size_t first, count;           // items
    uint32_t owner;                // of the first one
    const uint32_t* const* name;   // [owners] what the caller calls owners
    const uint32_t* const* number; // [owners] the place in `alike` of an owner's item
    kai_array alike;               // kai_proximity_alike
} kai_proximity_run;

/// The last groups that were asked for, by a hash: mixtures of a few sizes share groups too.
#define KAI_PROXIMITY_GROUP_CACHE 64

/// A ball about the item's origin that holds it: what distance tests read.
typedef struct kai_proximity_ball {
    kai_vec3 centre;
    double radius; // negative (-0 too): the item is not the ball itself, only inside it
} kai_proximity_ball;

_Static_assert(sizeof(kai_proximity_ball) == 32, "half a cache line");

/// Where owners are and how they move: arrays of the caller's, with a stride in bytes.
typedef struct kai_proximity_poses {
    const void* position; // kai_vec3
    const void* rotation; // kai_quat
    size_t stride;
    const void* velocity; // kai_vec3, of the pose's origin; NULL: unknown
    const void* spin;     // kai_vec3, in the owner's frame
    size_t motion_stride;
    double step; // s that will pass until the next update, about; for the skin only
    double lead; // s: items are where velocities, not spins, will have brought them by then
} kai_proximity_poses;

/// A contact and the two items it is between.
typedef struct kai_proximity_contact {
    kai_contact contact;
    uint32_t a, b; // a < b
} kai_proximity_contact;

typedef struct kai_proximity kai_proximity;

struct kai_proximity {
    kai_memory* memory;
    double reach;  // contacts have gap <= reach, m
    double sweep;  // s ahead in which fast items may meet (proximity_sweep.h); 0: only what is now
    kai_vec3 kick; // what velocities will gain before that, m/s
    bool level;    // shapes that lie level make one surface (proximity_seams.h)

    // Filled by the caller; `changed` when any of it differs from the last update.
    kai_array items; // kai_proximity_item of all but the run; see kai_proximity_item_at
    kai_proximity_run run;
    kai_array groups;     // kai_proximity_group
    kai_array frames;     // kai_frame
    kai_array geometries; // kai_geometry
    kai_array skips;      // uint64_t, sorted: owner << 32 | owner, the smaller first
    bool changed;
    // Set by a caller who has taken pairs out of broad.found (or has freed the broad phase, having
    // found all pairs itself) and finds their contacts itself.
    bool partial;

    // Results of the last update
    kai_proximity_contact* contacts; // [contact_count]
    size_t contact_count;
    double deepest;  // largest overlap, m; 0 without one
    uint64_t update; // how many there were

    uint32_t group_cache[KAI_PROXIMITY_GROUP_CACHE]; // 1 + group; 0: none
    kai_proximity_poses poses;
    kai_proximity_ball* balls; // [items.count] during an update, else NULL
    float* ways;               // [items.count] with `sweep`: how far fast items move, m; else NULL
    atomic_bool swift;         // some item is fast
    kai_broad broad;
    kai_broad_block room;            // of contacts
    kai_broad_block pool;            // contacts of the general pairs, block by block in any order
    kai_broad_block blocks;          // what each block of pairs has found
    kai_broad_block contact_batches; // one a thread: the contacts of one block
    kai_broad_block seams;           // room of proximity_seams.c
};

/// An empty pipeline; allocates nothing.
void kai_proximity_init(kai_proximity* proximity, kai_memory* memory);

/// Gives all memory back.
void kai_proximity_free(kai_proximity* proximity);

/// Takes all items and groups away; frames, geometries and skips stay.
kai_result kai_proximity_clear(kai_proximity* proximity, kai_error* err);

/// Adds an item of the group that is described: one that is there already, where it is among those
/// of late. KAI_ERROR_LIMIT beyond 2³¹ groups.
kai_result kai_proximity_add(kai_proximity* proximity, uint32_t owner, uint32_t id,
                             const kai_proximity_group* group, kai_error* err);

/// The same without an item: `*out` is the group.
kai_result kai_proximity_add_group(kai_proximity* proximity, const kai_proximity_group* group,
                                   uint32_t* out, kai_error* err);

/// Begins the run, of which there is one at most: items from the next one on, on owners from this one
/// on. Its count is the caller's to set.
void kai_proximity_begin_run(kai_proximity* proximity, uint32_t owner, const uint32_t* const* name,
                             const uint32_t* const* number);

/// Says what items of a run with a number have in common.
kai_result kai_proximity_set_alike(kai_proximity* proximity, uint32_t number,
                                   const kai_proximity_alike* alike, kai_error* err);

/// How many items there are.
static inline size_t kai_proximity_count(const kai_proximity* proximity)
{
    return proximity->items.count + proximity->run.count;
}

/// An item, 0 <= i < count.
static inline kai_proximity_item kai_proximity_item_at(const kai_proximity* proximity, size_t i)
{
    const kai_proximity_item* items = proximity->items.data;
    const kai_proximity_run* run = &proximity->run;
    if (i < run->first) return items[i];
    const size_t in = i - run->first;
    if (in >= run->count) return items[i - run->count];
    const uint32_t owner = run->owner + (uint32_t)in;
    const kai_proximity_alike* alike =
        (const kai_proximity_alike*)run->alike.data + (*run->number)[owner];
    return (kai_proximity_item){owner, alike->group, (*run->name)[owner] + alike->on};
}

/// The owner of an item, with KAI_BROAD_FIXED or without.
static inline uint32_t kai_proximity_owner(const kai_proximity* proximity, size_t i)
{
    const kai_proximity_run* run = &proximity->run;
    if (i - run->first < run->count) return run->owner + (uint32_t)(i - run->first);
    return kai_proximity_item_at(proximity, i).owner;
}

/// The group of an item.
static inline const kai_proximity_group* kai_proximity_group_of(const kai_proximity* proximity,
                                                                size_t item)
{
    return (const kai_proximity_group*)proximity->groups.data +
           (kai_proximity_item_at(proximity, item).group & ~KAI_PROXIMITY_SKIPS);
}

/// Bytes in use, contacts and what finds them not counted.
size_t kai_proximity_bytes(const kai_proximity* proximity);

/// Brings contacts up to date with the poses. KAI_ERROR_DIVERGED when one is not finite; there are
/// no contacts then.
kai_result kai_proximity_update(kai_proximity* proximity, int threads,
                                const kai_proximity_poses* poses, kai_error* err);

/// The parts of kai_proximity_update, for a caller who takes pairs over between them. Begins an
/// update: there are no contacts yet.
void kai_proximity_begin(kai_proximity* proximity, const kai_proximity_poses* poses);

/// Whether the pairs that there are still hold: all of them, or with `partial` those that a caller
/// has left.
bool kai_proximity_holds(kai_proximity* proximity, int threads, bool partial);

/// Finds all pairs anew. The caller may then remove pairs from broad.found, lower broad.pair_count
/// and set `partial`; broad.work is free.
kai_result kai_proximity_pairs(kai_proximity* proximity, int threads, kai_error* err);

/// Finds the contacts of the pairs.
kai_result kai_proximity_finish(kai_proximity* proximity, int threads, kai_error* err);

/// The frame of an item at the poses of the last update, and its geometry (`sphere` is room for
/// one).
kai_frame kai_proximity_frame(const kai_proximity* proximity, size_t item);
const kai_geometry* kai_proximity_geometry(const kai_proximity* proximity, size_t item,
                                           kai_geometry* sphere);

/// The lever of the point of an item that turning its owner moves most, m; of spheres about the
/// pose's origin 0.
static inline double kai_proximity_arm(const kai_proximity* proximity,
                                       const kai_proximity_group* group)
{
    const double own = group->geometry == KAI_PROXIMITY_SPHERE ? 0.0 : group->radius;
    if (group->frame == 0) return own;
    return own +
           kai_vec3_norm(((const kai_frame*)proximity->frames.data)[group->frame - 1].position);
}

/// Vector i of an array with a stride in bytes.
static inline kai_vec3 kai_proximity_vec3(const void* base, size_t stride, size_t i)
{
    return *(const kai_vec3*)(const void*)((const char*)base + stride * i);
}

/// Writes the boxes of items, grown by half the reach; where they are fast, of their whole way; the
/// fill function of the broad phase, with the kai_proximity as context.
void kai_proximity_boxes(size_t begin, size_t end, kai_vec3 origin, kai_broad_box* boxes,
                         float* travel, void* context);

/// The half space of a plane, grown likewise; of any other item, all space.
kai_broad_half kai_proximity_half(size_t item, kai_vec3 origin, void* context);

#endif
