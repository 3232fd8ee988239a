// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Penalty contacts between spheres at the speed of memory. Physics and numbers are those of the
// general path (contacts_push.c); what differs is how data lies:
//
//     slots      ├────── block 0 ──────┤├────── block 1 ──────┤ …       2048 bodies each
//     list          (a, b) (a, b) …        (a, b) …                     4 bytes a pair
//     history       u      u      …        u                           24 bytes a pair
//     turning       φ      φ      …        φ                           32 bytes a pair: see grains_turn.h
//                 ├ pair_chunk ┤├ pair_chunk ┤ …     ├ pair_chunk ┤├ pair_chunk ┤ …             64 pairs each, anywhere
//
// A pair belongs to the block of a, its body with the smaller slot. Bodies b of later blocks are
// the block's *ghosts*: their states are copied in, and what acts on them is summed in the block
// and fetched by theirs afterwards, block by block in order. So blocks need no locks, a body's sum
// does not depend on threads, and the states of a block stay in the second-level cache while its
// pairs are worked off. Slots should be in the order of space.
//
// The list comes from cells (cell_list.h) or from the pairs of the broad phase, and holds while
// spheres stay inside their skin_boxes. It is in the order (a, b), and what does not touch adds nothing:
// when the list was made does not show in results.
//
// Bodies may come, go and change slots while a list holds: see grains_list_edit.h.
//
// A new list is made block by block in the place of the old one, whose histories go through the
// pair_batch of a thread. Pairs and histories lie in *pair_chunks*; a block that needs more of them takes
// spare ones, which all blocks share, and nothing that is there ever moves.
//
// Bytes a sphere, with E pairs in the list (2.8 in a packed bed), G ghosts (0.2): 52 E + 60 G + 16,
// of which 24 E are forces, and scratch memory of cells; 24 more where spheres differ.
#ifndef CONTACT_GRAINS_H
#define CONTACT_GRAINS_H

#include "base/array.h"
#include "base/parallel.h"
#include "contact/penalty.h"
#include "proximity/cell_hash.h"
#include "proximity/neighbor_list.h"

#include <kairos/body.h>
#include <string.h>

/// Bodies a block.
#define KAI_GRAINS_BLOCK KAI_CELL_LIST_BLOCK

/// A sphere that is not like all others.
typedef struct kai_grains_sphere {
    double radius, inverse_mass; // m, 1/kg
    uint32_t material;           // row of the table of coefficients
    uint32_t reserved;
} kai_grains_sphere;

/// A wall: all that lies below a plane, on a body that is fixed. Its first members are those of a
/// kai_cell_list_plane.
typedef struct kai_grains_wall {
    kai_vec3 normal; // unit, out of the wall
    double offset;   // of the plane along it, m
    kai_vec3 centre; // of its body's mass
    uint32_t slot;   // its body
    uint32_t material;
    uint32_t item, shape; // shape: id index
} kai_grains_wall;

/// Pairs a pair_chunk.
#define KAI_GRAINS_CHUNK 64

/// What a block has. Its part of `pair_chunks` and `ghosts` has room up to where the next block's
/// begins.
typedef struct kai_grains_block {
    uint32_t wall, end;               // pairs: of spheres, from `wall` on of a sphere and a wall
    uint32_t pair_chunk, pair_chunks; // the first of its pair_chunks; how many it has
    uint32_t ghost, ghost_end;
    uint32_t ghost_sum; // up to the next block's
} kai_grains_block;

/// Where a sphere may be while the list holds.
typedef kai_cell_list_box kai_grains_skin_box;

/// What a block has found.
typedef struct kai_grains_tally {
    double elastic, heat; // J; W
    double deepest;       // largest overlap, m
    size_t touching;
    size_t rare; // of them by the general path
} kai_grains_tally;

/// What a pair that touches remembers.
typedef struct kai_grains_pair_history {
    uint64_t key; // slot of a << 32 | slot of b; with a wall KAI_GRAINS_WALL | slot << 32 | wall
    double u[3];  // elastic displacement of b (the wall) against a, m
    double turning[4]; // elastic angle of b against a: about axes in the contact plane, and about
                       // the normal, rad
} kai_grains_pair_history;

#define KAI_GRAINS_WALL  (UINT64_C(1) << 63) ///< bit of a key
#define KAI_GRAINS_WALLS 64                  ///< at most

/// A list of pairs.
typedef struct kai_grains_list {
    kai_array blocks;      // kai_grains_block [blocks + 1]
    kai_array pair_chunks; // uint32_t: numbers of pair_chunks, by block
    kai_array spare;       // uint32_t: of those that nobody has
    kai_array entries;     // uint32_t [pair_chunks][KAI_GRAINS_CHUNK]: see KAI_GRAINS_TOUCH
    kai_array history;     // double [3] beside each
    kai_array turning;     // double [4] beside each, where some pair resists rolling or spinning
    kai_array ghosts;      // uint32_t: their slots
} kai_grains_list;

/// What turns beside entries; NULL: nothing resists rolling or spinning.
static inline double (*kai_grains_turning(const kai_grains_list* list))[4]
{
    return list->turning.count > 0 ? (double(*)[4])list->turning.data : NULL;
}

/// A pair remembers nothing any more.
static inline void kai_grains_forget(const kai_grains_list* list, size_t place)
{
    double(*turning)[4] = kai_grains_turning(list);
    memset((double(*)[3])list->history.data + place, 0, 3 * sizeof(double));
    if (turning) memset(turning + place, 0, sizeof *turning);
}

/// Where pair `i` of a block is among entries.
static inline size_t kai_grains_place(const kai_grains_list* list, const kai_grains_block* block,
                                      size_t i)
{
    const uint32_t* pair_chunks = (const uint32_t*)list->pair_chunks.data + block->pair_chunk;
    return (size_t)pair_chunks[i / KAI_GRAINS_CHUNK] * KAI_GRAINS_CHUNK + i % KAI_GRAINS_CHUNK;
}

/// An entry: whether the pair touched in the last step, which body of the block is a, and which of
/// the block's bodies or ghosts is b; or which wall. A pair that is no more has NOBODY for b, a sphere
/// far from all others, until its place is taken or a new list is made.
#define KAI_GRAINS_TOUCH    0x80000000u
#define KAI_GRAINS_A(entry) ((entry) >> 20 & 2047u)
#define KAI_GRAINS_B(entry) ((entry)&0xfffffu)
#define KAI_GRAINS_NOBODY   ((uint32_t)KAI_GRAINS_BLOCK)
#define KAI_GRAINS_GHOST    (KAI_GRAINS_NOBODY + 1) ///< b of the block's first ghost

/// Numbers that bodies of a block, nobody, and so many ghosts take.
static inline size_t kai_grains_locals(size_t ghosts) { return KAI_GRAINS_GHOST + ghosts; }

/// The slot of b, of a pair of spheres in a block that begins with slot `begin`; UINT32_MAX: nobody.
static inline uint32_t kai_grains_slot_b(const kai_grains_list* list, const kai_grains_block* block,
                                         size_t begin, uint32_t entry)
{
    const uint32_t b = KAI_GRAINS_B(entry);
    if (b < KAI_GRAINS_NOBODY) return (uint32_t)begin + b;
    if (b == KAI_GRAINS_NOBODY) return UINT32_MAX;
    return ((const uint32_t*)list->ghosts.data)[block->ghost + b - KAI_GRAINS_GHOST];
}

typedef struct kai_grains {
    kai_memory* memory;
    size_t count; // bodies
    // Who: one for all, or one a body
    bool equal;
    bool turns; // some pair of materials resists rolling or spinning
    kai_grains_sphere one;
    kai_array spheres; // kai_grains_sphere [count] where they differ
    kai_array walls;   // kai_grains_wall

    kai_grains_list list;
    kai_grains_list last; // entries and histories before a step that may fail; else empty
    double skin;          // that the list was made for, where it comes from cells; else 0
    kai_array skin_boxes; // kai_grains_skin_box of bodies in a row, where there is one
    size_t skin_box_slot; // the first of them
    kai_vec3 skin_box_origin;
    kai_cell_hash near; // skin boxes in cells, while a list from cells is edited
    kai_array
        left; // uint8_t [blocks]: 1: some sphere has left its skin_box (contacts_list_check.h)
    size_t repaired;     // skin_boxes that were replaced since the list was made
    size_t dropped;      // pairs with nobody
    bool summed;         // what goes with the list is right: kai_grains_list_make_sums
    size_t spare_ghosts; // that blocks of a new list have room for; 0 until a list had too little
    kai_array ghost_scatter; // uint64_t: slot << 32 | ghost, by block of the slot, then by ghost
    kai_array ghost_force;   // kai_wrench [ghosts], world frame
    kai_array force;         // double [3] beside each entry: on b, world; or scratch
    kai_array couple;        // double [3] beside each entry where something turns: on b, world

    kai_array pairs;        // kai_grains_coefficients [materials * materials]
    kai_array tallies;      // kai_grains_tally [blocks]
    kai_array wall_forces;  // kai_wrench [blocks][walls]: on a wall's body, from spheres of a block
    kai_array pair_batches; // one a thread
    size_t locals;          // bodies and ghosts that a pair_batch has room for
    size_t accumulators;    // sets of sums that a pair_batch has
    kai_array pushed;       // atomic_uint [blocks]: not 0: its forces are summed
    kai_array needs;        // what blocks need, while the list is made

    kai_grains_tally tally; // of the last step, all blocks
} kai_grains;

/// What acts on a body: force; energy and heat of contacts that it is the first body of, J and W;
/// moment about the mass centre; world frame. Rows whose last number is used are those that GCC
/// reads whole.
typedef double kai_grains_sum[8];

/// Bodies [begin, end), when all that acts on them is known: sums[0 …]. May change their poses and
/// motions. Runs on several threads.
typedef void kai_grains_finish_fn(size_t begin, size_t end, const kai_grains_sum* sums,
                                  void* context);

/// What acts in a step.
typedef struct kai_grains_step {
    const kai_pose* pose;        // [count]
    const kai_motion* motion;    // [count]
    double lead;                 // s: forces are those at x + lead v
    bool forces;                 // keeps them contact by contact
    const kai_penalty_law* laws; // [law_count]: tangential and adhesion are the same in all
    size_t law_count;
    const void* pairs;         // kai_contact_coefficients [materials * materials], a stride apart
    const uint32_t* pair_laws; // which law each has, likewise
    size_t pair_stride;        // bytes
    size_t materials;
    double h;
    kai_grains_finish_fn* finish; // takes the sums while they are in the cache; NULL: to `sums`
    void* finish_context;
    kai_wrench* sums; // [count] out: force and moment about the mass centre, world frame
} kai_grains_step;

/// Nothing; allocates nothing.
void kai_grains_init(kai_grains* grains, kai_memory* memory);

/// Gives all memory back.
void kai_grains_free(kai_grains* grains);

/// Bytes in use.
size_t kai_grains_bytes(const kai_grains* grains);

/// Coefficients and law of a pair of materials.
static inline const kai_contact_coefficients* kai_grains_coefficients_of(
    const kai_grains_step* step, size_t pair)
{
    return (const void*)((const char*)step->pairs + pair * step->pair_stride);
}
static inline const kai_penalty_law* kai_grains_law_of(const kai_grains_step* step, size_t pair)
{
    const void* law = (const char*)step->pair_laws + pair * step->pair_stride;
    return &step->laws[*(const uint32_t*)law];
}

/// Whether the fast path can do a law for a pair: it has lanes and factors; history or no friction;
/// no sticking friction of its own. `one` is the sphere that all
/// are like, NULL where they differ.
bool kai_grains_can(const kai_penalty_law* law, const kai_contact_coefficients* pair,
                    const kai_grains_sphere* one);

/// What the list is made from.
typedef struct kai_grains_source {
    kai_neighbor_list_rows
        rows;                   // of slots: from cells of spheres from skin_box_slot on, with walls
                                // as they are now; or all there are, with these pairs with walls
    const uint64_t* wall_pairs; // slot << 32 | wall, sorted
    size_t wall_pair_count;
    const kai_grains_pair_history*
        pair_history; // sorted histories; NULL: those of the list as it was
    size_t pair_history_count;
} kai_grains_source;

/// Makes the list anew. Histories go on. `*done` false: some sphere has too many neighbours for
/// cells; the list is not to be used before it is made another way, but has all histories.
kai_result kai_grains_list_make(kai_grains* grains, int threads, const kai_grains_source* source,
                                bool* done, kai_error* err);

/// Spheres in the slots [skin_box_slot, + count), half a step of h ahead of the poses where `lead` is
/// h / 2, as points of a cell list.
kai_cell_list_points kai_grains_points(const kai_grains* grains, const kai_pose* pose,
                                       const kai_motion* motion, size_t count, double lead);

/// What goes with the list, when there are other ghosts or blocks than before: sums, and who fetches
/// what.
kai_result kai_grains_list_make_sums(kai_grains* grains, kai_error* err);

/// Makes sure that so many pair chunks are spare.
kai_result kai_grains_list_reserve(kai_grains* grains, size_t pair_chunks, kai_error* err);

/// Room for what turns beside all entries; none where nothing does.
kai_result kai_grains_turning_make(kai_grains* grains, kai_error* err);

/// Room for pair_batches.
kai_result kai_grains_pair_batches_make(kai_grains* grains, int threads, kai_error* err);

/// Scratch memory of a thread behind its pair_batch: 160 bytes for each of `locals`.
void* kai_grains_pair_batch_room(const kai_grains* grains, int worker);

/// Forces at the poses, sums of them by body, and histories that go on by a step.
kai_result kai_grains_push(kai_grains* grains, int threads, const kai_grains_step* step,
                           kai_error* err);

#endif
