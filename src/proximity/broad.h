// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The broad phase: which boxes overlap. n boxes give all pairs (a, b), a < b, sorted.
//
//     fill ─▶ tight boxes ─ all inside the boxes of the last build? ─ yes ─▶ same pairs
//                              │ no
//                              ▼
//     grown boxes ─▶ levels ─▶ cells, radix sort ─▶ overlaps (broad_search.c) ─▶ sort
//
// Boxes are grown by a skin when pairs are made. As long as every tight box lies inside its grown
// box, every overlap of tight boxes is an overlap of grown ones, so the pairs miss none, whatever
// turned, moved or swelled. The test is this containment itself, not a bound on motion.
//
// Coordinates are floats relative to an origin in double precision, rounded outwards: a scene far
// from zero keeps its digits.
//
// An unbounded box may be a half space (broad_half.h): it meets only boxes that reach into it, at
// three multiplications each.
//
// Half of the boxes of packed balls that overlap do so at their corners. The grown box of a ball of
// radius r has half a side r + s: while the ball's box lies inside, its centre is off by s at most
// along each axis, by √3 s in all. So balls can only touch where the middles of the grown boxes are
// within the sum of r + √3 s.
//
// Memory a box: 32 grown box + 8 P pairs + max(44, 8 P) scratch, with P pairs a box; 4 more a box
// where there are several levels. Packed equal spheres have P ≈ 2.9: 100 bytes.
#ifndef PROXIMITY_BROAD_H
#define PROXIMITY_BROAD_H

#include "base/error.h"
#include "base/memory.h"
#include "proximity/broad_half.h"
#include "proximity/grid.h"

#include <kairos/math.h>

/// Bit of an owner: it does not move. Two fixed owners make no pair.
#define KAI_BROAD_FIXED 0x80000000u

/// Bit of an owner: its box is that of a ball, whose radius stays until `changed`. Of two such
/// boxes that overlap, only those make a pair whose balls come near.
#define KAI_BROAD_ROUND 0x40000000u

/// The owner without its bits.
#define KAI_BROAD_OWNER(owner) ((owner) & ~(KAI_BROAD_FIXED | KAI_BROAD_ROUND))

/// A box and what decides whom it may meet: not its own owner, not fixed with fixed, and only where
/// each one's family has a bit in the other's mask.
typedef struct kai_broad_box {
    float low[3];
    uint32_t owner; // any number below 2³⁰, with KAI_BROAD_FIXED and KAI_BROAD_ROUND or without
    float high[3];
    uint16_t family, mask; // bits
} kai_broad_box;

_Static_assert(sizeof(kai_broad_box) == 32, "half a cache line");

/// Writes the boxes of items [begin, end), relative to an origin, to boxes[0 …]; and to travel[0 …]
/// how far a point of each may move in one step, m (0: unknown); `travel` may be NULL. Runs on
/// several threads.
typedef void kai_broad_fill_fn(size_t begin, size_t end, kai_vec3 origin, kai_broad_box* boxes,
                               float* travel, void* context);

/// A block of memory that only ever grows, without copying.
typedef struct kai_broad_block {
    void* data;
    size_t bytes;
} kai_broad_block;

typedef struct kai_broad {
    kai_memory* memory;
    double skin;                   // how much boxes are grown, m; negative: chosen from travel
    size_t known_begin, known_end; // boxes that the caller knows to be inside, for one update
    kai_broad_half_fn* half;       // of boxes unbounded on all sides; NULL: they are all space

    // Results
    const uint64_t* pairs; // [pair_count] sorted; see KAI_BROAD_A and KAI_BROAD_B
    size_t pair_count;
    bool rebuilt;    // by the last update
    uint64_t builds; // so far
    uint64_t reuses; // updates without one

    // State
    bool built;
    bool plain; // no bounded box shares an owner, a fixed flag or a mask: every overlap is a pair
    size_t count;
    kai_vec3 origin;
    kai_grid grid;
    kai_broad_block boxes;   // kai_broad_box [count], grown
    kai_broad_block found;   // uint64_t: pairs as they are found, then in order
    kai_broad_block work;    // sorted boxes, then pairs by bucket; between builds the caller's
    kai_broad_block rows;    // first box of every row of cells, where levels are searched across
    kai_broad_block table;   // a few tables a thread
    kai_broad_block halves;  // kai_broad_half [giant_count], grown, in the order of items
    size_t giant_count;      // boxes that belong to no level
    kai_broad_region region; // bounds of all grown boxes that are bounded
} kai_broad;

#define KAI_BROAD_A(pair) ((uint32_t)((pair) >> 32)) ///< the smaller item of a pair
#define KAI_BROAD_B(pair) ((uint32_t)(pair))         ///< the larger item of a pair

/// An empty broad phase; allocates nothing.
void kai_broad_init(kai_broad* broad, kai_memory* memory);

/// Finds the pairs of `count` boxes. With `changed`, or when count differs from last time, they are
/// found anew: say so whenever items come, go, change places or change owner, family or mask.
/// KAI_ERROR_DIVERGED when a box is not a number; KAI_ERROR_LIMIT beyond 2³⁰ boxes.
kai_result kai_broad_update(kai_broad* broad, int threads, size_t count, kai_broad_fill_fn* fill,
                            void* context, bool changed, kai_error* err);

/// The two halves of kai_broad_update. Whether the last build's pairs hold for the present boxes:
bool kai_broad_holds(kai_broad* broad, int threads, size_t count, kai_broad_fill_fn* fill,
                     void* context);
/// and the pairs found anew.
kai_result kai_broad_build(kai_broad* broad, int threads, size_t count, kai_broad_fill_fn* fill,
                           void* context, kai_error* err);

/// Gives all memory back.
void kai_broad_free(kai_broad* broad);

/// Bytes in use.
size_t kai_broad_bytes(const kai_broad* broad);

/// Makes room for `bytes` bytes; what was there is lost.
kai_result kai_broad_reserve(kai_memory* memory, kai_broad_block* block, size_t bytes,
                             kai_error* err);

/// Whether a pair may be made of two boxes that overlap.
static inline bool kai_broad_may_meet(const kai_broad_box* a, const kai_broad_box* b)
{
    return KAI_BROAD_OWNER(a->owner) != KAI_BROAD_OWNER(b->owner) &&
           !(a->owner & b->owner & KAI_BROAD_FIXED) && (a->family & b->mask) &&
           (b->family & a->mask);
}

/// Whether two boxes overlap; touching counts.
static inline bool kai_broad_overlap(const kai_broad_box* a, const kai_broad_box* b)
{
    return a->low[0] <= b->high[0] && b->low[0] <= a->high[0] && a->low[1] <= b->high[1] &&
           b->low[1] <= a->high[1] && a->low[2] <= b->high[2] && b->low[2] <= a->high[2];
}

/// Sets low and high to [low, high] minus origin, rounded outwards: 2⁻²² of what is left after
/// subtraction covers the rounding to float, 2⁻⁵⁰ of the coordinate that of the caller's doubles.
static inline void kai_broad_round(kai_broad_box* box, kai_vec3 low, kai_vec3 high, kai_vec3 origin)
{
    const double l[3] = {low.x, low.y, low.z}, h[3] = {high.x, high.y, high.z};
    const double o[3] = {origin.x, origin.y, origin.z};
    for (int k = 0; k < 3; k++) {
        const double below = l[k] - o[k], above = h[k] - o[k];
        box->low[k] = (float)(below - fabs(below) * 0x1p-22 - fabs(l[k]) * 0x1p-50);
        box->high[k] = (float)(above + fabs(above) * 0x1p-22 + fabs(h[k]) * 0x1p-50);
    }
}

#endif
