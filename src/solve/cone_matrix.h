// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The matrix of a cone problem (cone.h) whose contacts are springs for the moment:
//
//     ┌ M + Bᵀ W B   Gᵀ   ┐     B: relative velocities of contacts, W: 3 × 3 or 6 × 6 a contact
//     └ G           -1/R  ┘     G: rows of joints, R: weights
//
// Bodies that move and groups of rows are the nodes of a sparse factorisation (ldl.h); contacts lie
// in the blocks of their bodies. Its layout follows from who touches whom, and is kept while that
// stays the same.
#ifndef SOLVE_CONE_MATRIX_H
#define SOLVE_CONE_MATRIX_H

#include "solve/cone_friction.h"

/// Rows of one joint: at most KAI_LDL_WIDTH.
typedef struct kai_cone_group {
    uint32_t row, count; // its first row
    uint32_t edge;       // place of its first edge in group_edges: one a piece
} kai_cone_group;

typedef struct kai_cone_matrix {
    kai_memory* memory;
    kai_ldl ldl;
    kai_array nodes;        // kai_ldl_node
    kai_array edges;        // kai_ldl_edge, sorted
    kai_array kept_nodes;   // what the layout was made for
    kai_array kept_edges;   // likewise
    kai_array links;        // work space
    kai_array node_of;      // uint32_t [bodies]: UINT32_MAX: does not move
    kai_array body_of;      // uint32_t [nodes of bodies]
    kai_array contact_edge; // uint32_t [contacts]: UINT32_MAX: none
    kai_array groups;       // kai_cone_group
    kai_array group_edges;  // uint32_t
    kai_array moments;      // double [6 a node of bodies]: inertia xx yy zz xy xz yz
    uint32_t movers;        // nodes of bodies
    bool laid;
} kai_cone_matrix;

/// An empty matrix; allocates nothing. `limit`: most numbers that its factors may take.
void kai_cone_matrix_init(kai_cone_matrix* m, kai_memory* memory, size_t limit);
void kai_cone_matrix_free(kai_cone_matrix* m);

/// Gets ready for a problem. KAI_ERROR_LIMIT: factors would be too large.
kai_result kai_cone_matrix_lay(kai_cone_matrix* m, const kai_cone_problem* problem,
                               const volatile int* stop, kai_error* err);

/// The matrix becomes M, without contacts and rows.
void kai_cone_matrix_begin(kai_cone_matrix* m, const kai_cone_problem* problem, int threads);

/// Adds Bᵀ W B of contact i; `couples`: W is 6 × 6, its couples in units of `length`.
void kai_cone_matrix_add(kai_cone_matrix* m, const kai_cone_problem* problem, uint32_t i,
                         const double* w, bool couples, double length);

/// Puts row r of group g: R; 0: the row does not hold at present.
void kai_cone_matrix_put_row(kai_cone_matrix* m, const kai_cone_problem* problem, uint32_t g,
                             uint32_t r, double weight);

/// Factorises, and solves in place: unknowns node by node, bodies first.
kai_result kai_cone_matrix_factor(kai_cone_matrix* m, int threads, kai_error* err);

/// Where the unknowns of a node begin.
static inline uint32_t kai_cone_matrix_place(const kai_cone_matrix* m, uint32_t node)
{
    return ((const uint32_t*)m->ldl.first_row.data)[node];
}

/// The node of a body; UINT32_MAX: it does not move.
static inline uint32_t kai_cone_matrix_node(const kai_cone_matrix* m, uint32_t body)
{
    return body == KAI_CONE_NONE ? UINT32_MAX : ((const uint32_t*)m->node_of.data)[body];
}

#endif
