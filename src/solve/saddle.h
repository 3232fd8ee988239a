// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The block matrix of ldl.h for methods that only multiply by it (krylov.h).
//
//     ┌ M   Gᵀ ┐      nodes and edges as kai_ldl_analyze takes them, blocks as kai_ldl_diagonal and
//     └ G   -C ┘      kai_ldl_block give them: what fills one fills the other
//
// There is no order to choose and no fill, so laying out costs linear time whatever the loops, and
// memory is that of the matrix.
//
// The preconditioner is block diagonal and positive definite: M⁻¹ for a body; for the rows of a
// joint the inverse of their block of G M⁻¹ Gᵀ + C. With exact blocks, and where joints do not
// share bodies, K has three distinct eigenvalues then (Murphy, Golub and Wathen 2000). Rows that
// depend on others of the same joint keep their own diagonal instead of a pivot that vanished.
//
// Where rows are redundant, MINRES finds the multipliers μ of least μᵀ P μ. KAI_SADDLE_UNIFORM
// gives all rows of joints the same number (the mean of those diagonals): multipliers then are
// those of least norm, as kai_constraints_solve has them, for more iterations.
#ifndef SOLVE_SADDLE_H
#define SOLVE_SADDLE_H

#include "solve/ldl.h"

/// What the preconditioner does to rows of joints.
typedef enum kai_saddle_rows {
    KAI_SADDLE_BLOCKS, // the inverse of each joint's block
    KAI_SADDLE_UNIFORM // one number for all
} kai_saddle_rows;

/// A node in the layout.
typedef struct kai_saddle_node {
    uint32_t row;      // first in vectors
    uint32_t diagonal; // offset in `values`, and of its inverse in `inverse`
    uint32_t first;    // its first place in `links`; they end where those of the next node begin
    uint8_t rows;
    bool constraint;
} kai_saddle_node;

/// An edge, as one of its nodes sees it.
typedef struct kai_saddle_link {
    uint32_t other;  // node at the other end
    uint32_t block;  // offset in `values`
    bool transposed; // this node's rows go across the block
} kai_saddle_link;

typedef struct kai_saddle {
    kai_memory* memory;
    uint32_t node_count, edge_count;
    kai_array nodes;   // kai_saddle_node [node_count + 1]; the last one ends the lists
    kai_array links;   // kai_saddle_link [2 an edge], node by node
    kai_array edge_at; // uint32_t [edge_count]: offset of the block in `values`
    kai_array values;  // double: diagonal blocks, then blocks of edges
    kai_array inverse; // double: blocks of the preconditioner
    int threads;       // for apply, precondition and kai_saddle_prepare
} kai_saddle;

/// An empty matrix; allocates nothing. One thread.
void kai_saddle_init(kai_saddle* saddle, kai_memory* memory);

/// Lays out the memory; all blocks are zero. KAI_ERROR_ARGUMENT for an edge to itself or to no
/// node, a node too large.
kai_result kai_saddle_analyze(kai_saddle* saddle, const kai_ldl_node* nodes, uint32_t node_count,
                              const kai_ldl_edge* edges, uint32_t edge_count, kai_error* err);

/// Gets ready for a new matrix: diagonal blocks become zero.
void kai_saddle_clear(kai_saddle* saddle);

/// The diagonal block of a node, [rows × KAI_LDL_WIDTH]. Its upper triangle counts.
double* kai_saddle_diagonal(const kai_saddle* saddle, uint32_t node);

/// The block of an edge, [rows of a × KAI_LDL_WIDTH]; `*flipped` is always false here.
double* kai_saddle_block(const kai_saddle* saddle, uint32_t edge, bool* flipped);

/// Computes the preconditioner from the blocks. Returns false when a block of a body is not
/// positive definite or a number is not finite; `*node` names the first one.
bool kai_saddle_prepare(kai_saddle* saddle, kai_saddle_rows rows, uint32_t* node);

/// y := K x; a kai_krylov_fn.
void kai_saddle_apply(void* saddle, const double* x, double* y);

/// y := P⁻¹ x, as last prepared; a kai_krylov_fn.
void kai_saddle_precondition(void* saddle, const double* x, double* y);

/// Gives all memory back.
void kai_saddle_free(kai_saddle* saddle);

#endif
