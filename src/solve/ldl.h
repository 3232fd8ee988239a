// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Sparse symmetric indefinite systems made of small dense blocks, solved directly.
//
//     ┌ M   Gᵀ ┐ ┌ v  ┐   ┌ f ┐      M: one positive definite block per body; blocks couple bodies
//     └ G   -C ┘ └ -λ ┘ = └ b ┘      G: one row of blocks per joint, C ≥ 0: compliance
//
// A *node* is a diagonal block: a body (6 rows), a shaft (1), a joint (its rows). An *edge* is a
// block that couples two nodes. K = L D Lᵀ is computed node by node. The order is chosen once a
// topology (kai_ldl_analyze): a node of least degree first, but a joint only when its
// pivot is sure to be regular (ldl_order.c). On a tree of joints this eliminates leaves first,
// makes no fill, and costs linear time (Baraff 1996). With M > 0 and C ≥ 0 body pivots stay
// positive and joint pivots negative (a quasi-definite matrix, Vanderbei 1995), so no pivoting is
// needed: the structure and the memory stay as they are from step to step.
//
// Parts that no edge connects (islands) lie one after the other and are done on several threads.
//
// Redundant joint rows show as pivots that vanish: |d| ≤ tolerance · (sum of what was added and
// taken away). Such a row is left out (its multiplier is 0) and counted; kai_ldl_is_redundant tells
// which.
#ifndef SOLVE_LDL_H
#define SOLVE_LDL_H

#include "base/array.h"
#include "base/parallel.h"
#include "solve/ldl_fronts.h"

#include <stdbool.h>

/// Largest number of rows of a node, and the distance of two rows of a block in memory: one cache
/// line, so that every inner loop is one or two vector instructions. What lies beyond a block's
/// columns is zero.
#define KAI_LDL_WIDTH 8

/// The `*node` of a factorisation that ended because a stop was asked for.
#define KAI_LDL_STOPPED UINT32_MAX

/// One node of the system.
typedef struct kai_ldl_node {
    uint8_t rows;    // 1…KAI_LDL_WIDTH
    bool constraint; // a joint: has no diagonal of its own to start with
} kai_ldl_node;

/// A block that couples two nodes, a ≠ b. Each pair stands once.
typedef struct kai_ldl_edge {
    uint32_t a, b;
} kai_ldl_edge;

/// Column of L: one eliminated node with the nodes it reaches.
typedef struct kai_ldl_column {
    uint32_t node;
    uint32_t first, count; // its blocks: places in `reach`
    uint32_t update;       // its first place in `updates`
    uint32_t diagonal;     // offset of its diagonal block [rows × KAI_LDL_WIDTH] in `values`
    uint32_t fill;         // its first place in `fill`
    uint8_t rows;
    bool constraint;
} kai_ldl_column;

/// One off-diagonal block of L.
typedef struct kai_ldl_reach {
    uint32_t column; // the later column that it reaches
    uint32_t block; // offset in `values`: [rows of this column × KAI_LDL_WIDTH], rows of the later
                    // one across
} kai_ldl_reach;

/// A block that elimination makes where no edge is.
typedef struct kai_ldl_fill {
    uint32_t block; // offset in `values`
    uint32_t rows;
} kai_ldl_fill;

typedef struct kai_ldl {
    kai_memory* memory;
    uint32_t node_count, edge_count;
    kai_array columns; // kai_ldl_column [node_count], in order of elimination
    kai_array reach;   // kai_ldl_reach
    kai_array
        updates; // uint32_t: for each column and each pair of its blocks, where their product goes
    kai_array column_of; // uint32_t [node_count]: column of a node
    kai_array edge_at;   // uint32_t [edge_count]: offset of the block in `values`
    kai_array edge_flip; // bool [edge_count]: stored with the rows of a (false) or b (true) down
    kai_array first_row; // uint32_t [node_count + 1]: first row of a node in vectors
    kai_array values;    // double: matrix, overwritten by its factors
    kai_array scale; // double [rows]: what was added to a pivot of a constraint, in absolute value
    kai_array inverse; // double [rows]: 1 / d, 0 for a redundant row
    kai_array chunks;  // uint32_t: first column of each run of columns that no other is coupled to
    kai_array fill;    // kai_ldl_fill, column by column
    kai_array idle;    // bool [node_count], by columns: see kai_ldl_set_idle
    bool small;        // see ldl_small.h
    kai_array turned;  // double: its transposed blocks
    size_t limit;      // most numbers that the factors may take; 0: no such limit
    size_t work;       // most products of blocks that they may take; likewise
    const volatile int* stop; // non-zero: analysis and factorisation end; NULL: never
    uint32_t redundant;       // rows left out by the last factorisation
    size_t numbers;           // that the factors take, with what finding them takes
    size_t reached;           // blocks of L below the diagonal
    size_t products;          // of blocks that the factors take
    kai_ldl_fronts fronts;    // large systems: instead of reach, updates and fill
} kai_ldl;

/// An empty system; allocates nothing.
void kai_ldl_init(kai_ldl* ldl, kai_memory* memory);

/// Chooses the order and lays out the memory. KAI_ERROR_ARGUMENT for an edge twice or to itself, a
/// node too large; KAI_ERROR_LIMIT, soon and without the memory, when the factors are beyond
/// `limit` or `work`.
kai_result kai_ldl_analyze(kai_ldl* ldl, const kai_ldl_node* nodes, uint32_t node_count,
                           const kai_ldl_edge* edges, uint32_t edge_count, kai_error* err);

/// Gets ready for a new matrix: diagonal blocks and fill become zero. Then fill every edge's block,
/// all of its rows and columns, and what is not zero of the diagonal blocks.
void kai_ldl_clear(kai_ldl* ldl, int threads);

/// The diagonal block of a node, [rows × KAI_LDL_WIDTH].
double* kai_ldl_diagonal(const kai_ldl* ldl, uint32_t node);

/// The block of an edge, [rows × KAI_LDL_WIDTH]: rows of a down and of b across, or of b down when
/// `*flipped`.
double* kai_ldl_block(const kai_ldl* ldl, uint32_t edge, bool* flipped);

/// Says, after kai_ldl_clear, that a node is coupled with nothing this time: its edges' blocks need not
/// be filled, and columns do not work on them. Fill its diagonal. Returns false where the layout
/// cannot do so: then fill its blocks with zeros. Nodes of one chunk from one thread at a time.
bool kai_ldl_set_idle(kai_ldl* ldl, uint32_t node);

/// Factorises in place. Pivots of constraints below `tolerance` · scale are left out (see
/// redundant). Returns false when a pivot of a body is not positive or not finite; `*node` names
/// it, or is KAI_LDL_STOPPED.
bool kai_ldl_factor(kai_ldl* ldl, int threads, double tolerance, uint32_t* node);

/// Solves in place: x [rows in all], node by node in the order given to analyze.
void kai_ldl_solve(const kai_ldl* ldl, int threads, double* x);

/// The chunks, which can be worked on apart from each other: columns [*begin, *end) of the k-th.
void kai_ldl_chunk(const kai_ldl* ldl, size_t k, uint32_t* begin, uint32_t* end);

/// The same as the calls above for the columns of one chunk, so that a thread can do all that there
/// is to do with a chunk while it is in its cache. `*redundant` grows by the rows left out; set
/// ldl->redundant to the sum of all chunks.
void kai_ldl_chunk_clear(kai_ldl* ldl, uint32_t begin, uint32_t end);
bool kai_ldl_chunk_factor(kai_ldl* ldl, uint32_t begin, uint32_t end, double tolerance,
                          uint32_t* redundant, uint32_t* node); // false: bad pivot at `*node`
void kai_ldl_chunk_solve(const kai_ldl* ldl, uint32_t begin, uint32_t end, double* x);

/// Whether a row of a node was left out by the last factorisation.
bool kai_ldl_is_redundant(const kai_ldl* ldl, uint32_t node, uint32_t row);

/// Gives all memory back.
void kai_ldl_free(kai_ldl* ldl);

#endif
