// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Which contact goes into which lane (cone_pack.h): colours, groups, tasks, their order. It depends
// on the graph of contacts and on their kinds alone, so that a graph that has not changed keeps its
// layout, and any number of threads finds the same one:
//
//     1  contacts are sorted by blocks, those between blocks by the lower one    chunks at once
//     2  each block cuts the latter into tasks (cone_tasks.h)                    blocks at once
//     3  tasks get their order                                                   one thread
//     4  each task hands out colours to its contacts, and lanes (cone_colours.h) tasks at once
#ifndef SOLVE_CONE_LAYOUT_H
#define SOLVE_CONE_LAYOUT_H

#include "solve/cone_pack.h"

#include <stdatomic.h>

/// What the layout of a contact follows from.
typedef struct kai_cone_code {
    uint32_t a, b; // bodies
    uint32_t what; // kind; which of them move; place: its block, or after all blocks the lower one
} kai_cone_code;

/// Bits of kai_cone_code.what; the place comes above them.
enum {
    KAI_CONE_CODE_KIND = 7,
    KAI_CONE_CODE_A_MOVES = 8,
    KAI_CONE_CODE_B_MOVES = 16,
    KAI_CONE_CODE_PLACE = 5 // bits below it
};

/// Contacts of a block: where they begin in `order`. Those inside of it end where those of the next
/// one begin; those between it and higher ones likewise.
typedef struct kai_cone_block {
    uint32_t inside, across;
    uint32_t loose;         // of those across: from here on not in tasks of two blocks
    uint32_t tasks, places; // how many of those across there are
} kai_cone_block;

/// A layout that is being made.
typedef struct kai_cone_layout_work {
    kai_cone* cone;
    const kai_cone_problem* problem;
    bool lean, stays;
    int threads;
    uint32_t block;       // bodies of one
    uint64_t inverse;     // 2⁴⁰ / block and a little; 0: all are one block
    size_t blocks;        // how many there are
    size_t chunk, chunks; // contacts of one, and how many there are
    kai_cone_code* codes;
    kai_cone_block* list; // [blocks + 1]
    uint32_t* starts;     // [chunks][2 blocks]: counts, then places in `order`
    uint32_t* order;      // [contacts] sorted by places; then loose ones by colours
    uint32_t* buckets;    // [contacts]
    uint64_t* masks;      // [2][bodies]: colours that a body has
    atomic_int changed, some_stay;
    atomic_size_t bad; // the first contact with bad bodies
} kai_cone_layout_work;

/// The block of a body.
static inline uint32_t kai_cone_layout_block(const kai_cone_layout_work* layout, uint32_t body)
{
    return (uint32_t)(body * layout->inverse >> 40);
}

/// Contacts up to which all are one task.
enum { KAI_CONE_LAYOUT_FEW = 224 * KAI_CONE_PACK_LANES };

/// Fills contact_at, runs, tasks, places, turns and totals; values and extra rows are not its
/// business. `lean`: with the kinds that have a normal part only. KAI_ERROR_ARGUMENT names a contact
/// with bad bodies.
kai_result kai_cone_layout(kai_cone* cone, const kai_cone_problem* problem, bool lean, int threads,
                           kai_error* err);

#endif
