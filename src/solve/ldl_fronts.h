// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The multifrontal half of ldl.h: large islands as a tree of dense fronts (Duff and Reid 1983).
//
// A front takes the blocks of its nodes and what its children leave (U), eliminates its pivots by
// the loops of ldl_kernel.h, and leaves its own U to its parent. Subtrees of about equal cost are
// *tasks* that threads take one after the other. Of the fronts above them, those of the *middle*
// are done by whoever did the last of their children; the dear ones on *top* go one by one, each on
// all threads. Who does what is open; every sum has its own fixed order, so results are the same
// for any number of threads.
//
// U live on stacks: a front puts its own on one and takes those of its children from the other, by
// the parity of its depth. Fronts of the middle have places of their own. All places are known
// after the analysis.
#ifndef SOLVE_LDL_FRONTS_H
#define SOLVE_LDL_FRONTS_H

#include "base/array.h"
#include "solve/ldl_kernel.h"

#include <stdbool.h>

struct kai_ldl;
struct kai_ldl_tree;
struct kai_ldl_node;
struct kai_ldl_edge;

/// Who does a front.
typedef enum kai_ldl_part { KAI_LDL_TASK, KAI_LDL_MIDDLE, KAI_LDL_TOP } kai_ldl_part;

/// One front. Its rows have local numbers: pivots from 0, those below from 8 pivot_strips.
typedef struct kai_ldl_front {
    uint32_t parent, child, next;  // fronts: its first child, the next one of its parent
    uint32_t pivots, rows;         // to eliminate, and below
    uint32_t pivot_strips, strips; // of eight rows each: of pivots, and in all
    uint32_t piece, piece_count;   // blocks of the matrix that it takes: in `pieces`
    uint32_t run, run_count;       // where its rows below lie in its parent: in `runs`
    uint32_t row;                  // its pivots and rows below, in `rows`
    uint32_t pivot;                // its pivots, in `owner` and `constraint`
    kai_ldl_part part;
    bool constraints;          // some pivot or row is of a constraint
    size_t l, inverse, vector; // places in the arrays of that name
    size_t update;             // U, then sums of scale, in `work`
    size_t scratch;            // room for its panel, in `work`
    double cost;               // estimate of its subtree, ns
} kai_ldl_front;

/// A block of the matrix and where it goes: a column of numbers for each of its rows.
typedef struct kai_ldl_piece {
    uint32_t from;        // offset in `values` of kai_ldl
    uint32_t column, row; // local
    uint8_t rows, across;
    bool diagonal; // only what is on and right of the diagonal
} kai_ldl_piece;

/// Rows in a row.
typedef struct kai_ldl_run {
    uint32_t from, to, count; // from: below the pivots of the child; to: local in the parent
} kai_ldl_run;

/// Fronts [begin, end): some subtrees.
typedef struct kai_ldl_task {
    uint32_t begin, end;
    double cost;
} kai_ldl_task;

typedef struct kai_ldl_fronts {
    kai_array fronts;     // kai_ldl_front, children first; empty: not in use
    kai_array pieces;     // kai_ldl_piece
    kai_array runs;       // kai_ldl_run
    kai_array rows;       // uint32_t: places in vectors
    kai_array owner;      // uint32_t: node of a pivot
    kai_array constraint; // bool, likewise
    kai_array tasks;      // kai_ldl_task, dearest first
    kai_array branches;   // kai_ldl_task: whole subtrees below the top, dearest first
    kai_array top;        // uint32_t: its fronts
    kai_array pending;    // atomic_uint [fronts]: children that are not done, of the middle
    kai_array l;          // double
    kai_array inverse;    // double
    kai_array vector;     // double: of a solution, front by front
    kai_array work;       // double
} kai_ldl_fronts;

/// Empty; allocates nothing.
void kai_ldl_fronts_init(kai_ldl_fronts* fronts);

/// Lays the fronts of a tree out, and the blocks of the matrix in `ldl`.
kai_result kai_ldl_fronts_lay_out(struct kai_ldl* ldl, const struct kai_ldl_tree* tree,
                                  const struct kai_ldl_node* nodes,
                                  const struct kai_ldl_edge* edges, kai_error* err);

/// A front with its places in memory.
kai_ldl_work kai_ldl_fronts_open(const struct kai_ldl* ldl, const kai_ldl_front* front);

/// Sets `pending` for a way up the tree.
void kai_ldl_fronts_begin(const struct kai_ldl* ldl);

/// See kai_ldl_factor.
bool kai_ldl_fronts_factor(struct kai_ldl* ldl, int threads, double tolerance, uint32_t* node);

/// See kai_ldl_solve. Not by several callers at once: vectors of fronts are in `fronts`.
void kai_ldl_fronts_solve(const struct kai_ldl* ldl, int threads, double* x);

/// Gives all memory back.
void kai_ldl_fronts_free(kai_ldl_fronts* fronts, kai_memory* memory);

#endif
