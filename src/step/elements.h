// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Finite elements in the linear system (step/constraints.h): H = M + weights · tangents.
//
// A node of elements is one or two *parts* of the system: its position with the first slope (3 or 6
// unknowns), and its second slope (3). Parts follow bodies and shafts; all coordinates are there,
// fixed ones with a one on the diagonal and nothing beside it. An element adds to the block of
// every pair of parts or bodies that it joins. Each block adds up its elements in their order, so
// blocks are filled on threads without locks.
#ifndef STEP_ELEMENTS_H
#define STEP_ELEMENTS_H

#include "fea/fea.h"
#include "solve/block_cg.h"
#include "solve/blocks.h"

/// One part of a node.
typedef struct kai_elements_part {
    uint32_t node;  // slot
    uint32_t first; // coordinate of its first unknown among those of all nodes
    uint8_t at;     // the same among those of the node: 0 or 6
    uint8_t width;  // unknowns: 3 or 6
    uint8_t fixed;  // bits of unknowns that cannot move
} kai_elements_part;

/// A piece of an element's matrix and the block it adds to.
typedef struct kai_elements_piece {
    uint32_t block;        // movers: diagonal blocks; then edges
    uint32_t at;           // of its first number in kai_fea.tangents
    uint8_t rows, columns; // size
    uint8_t stride;        // from row to row of the element's matrix
    bool across;           // the edge's first node is the column
} kai_elements_piece;

/// An end of an element as the system sees it.
typedef struct kai_elements_place {
    uint32_t node;      // UINT32_MAX: it cannot move
    uint8_t row, width; // in the element's matrix
} kai_elements_place;

typedef struct kai_elements {
    kai_fea* fea;              // NULL: there are none
    bool free;                 // there is no matrix; tangents are found anew in every product
    kai_array parts;           // kai_elements_part
    kai_array part_of;         // uint32_t [nodes]: first part of each
    uint32_t base;             // node of the system that the first part is
    uint32_t movers;           // bodies, shafts and parts of the system
    uint32_t offset;           // number of the first of `edges`
    kai_array edges;           // kai_ldl_edge: pairs that nothing else has
    kai_array pieces;          // kai_elements_piece, block by block
    kai_array first;           // uint32_t [blocks + 1] of them
    kai_array blocks;          // uint32_t [blocks]: numbers of blocks, see kai_elements_piece
    kai_fea_options options;   // of the tangents that the matrix has
    bool prefers_block_cg;     // a step rather leaves out what drives apart than all stiffness
    kai_array pushed;          // double [coordinates]: impulses that the next solution is given
    kai_array room;            // double [coordinates]: scratch
    kai_array ahead;           // double [coordinates]: velocities that are expected, for cg
    bool foreseen;             // there are some: step/extrapolation.h
    kai_array more;            // double [vectors]: masses of nodes, for kai_block_cg
    kai_array groups, colours; // uint32_t: see kai_fea_sink, likewise
    kai_array state, frames;   // double, kai_fea_frame: see kai_fea_state; without a matrix only
    double time;               // likewise, s
    kai_array products;        // double: H x of each element, as forces are laid out
    kai_array impulse;  // double [unknowns but rows]: H v of the last solution; with contacts only
    kai_array momentum; // double: M v of bodies and shafts, likewise
    kai_array first_impulse, first_momentum, first_v; // the same of the first solution of a step,
                                                      // and velocities of nodes
} kai_elements;

void kai_elements_init(kai_elements* e);
void kai_elements_free(kai_elements* e, kai_memory* memory);

/// Lists the parts of all nodes, whose first is node `base` of the system.
kai_result kai_elements_list(kai_elements* e, kai_world* world, uint32_t base, kai_error* err);

/// Lists pairs and pieces. `node_of` [bodies]: nodes of bodies in the system. `others` are pairs,
/// sorted, that the system has already, numbered from 0; new ones are numbered from there on.
kai_result kai_elements_pair(kai_elements* e, kai_world* world, const uint32_t* node_of,
                             const kai_ldl_edge* others, uint32_t other_count, kai_error* err);

/// Impulses of the forces last evaluated, and of penalty contacts (`touch` [bodies], NULL: none), over
/// a step of h to `pushed`.
void kai_elements_push(kai_elements* e, kai_world* world, double h, const kai_wrench* touch);

/// Adds `scale` times what contacts do to nodes to x [coordinates]: `touch` [bodies] are their sums.
void kai_elements_add_contacts(const kai_world* world, const kai_wrench* touch, double scale,
                               double* x);

/// Finds H at the state that the world holds.
kai_result kai_elements_find(kai_elements* e, kai_world* world, const kai_fea_options* options,
                             kai_error* err);

/// The same after kai_fea_forces_evaluate with these options at this state: the sink has them then.
kai_result kai_elements_find_after(kai_elements* e, kai_world* world,
                                   const kai_fea_options* options, kai_error* err);

/// The matrix had a pivot that is no good: H without what drives apart, or with mass alone.
kai_result kai_elements_retreat(kai_elements* e, kai_world* world, kai_error* err);

/// Adds H to the blocks, whose diagonals are cleared; new pairs are filled. Without a matrix: its
/// diagonal blocks.
void kai_elements_put(const kai_elements* e, const kai_world* world, const uint32_t* node_of,
                      const kai_blocks* matrix);

/// y += H x, x and y laid out as unknowns are; `coordinates`: first unknown of nodes. Of fixed
/// coordinates y = x.
void kai_elements_apply(const kai_elements* e, const kai_world* world, const uint32_t* node_of,
                        size_t coordinates, const double* x, double* y);

/// M v of nodes to `x` [coordinates].
void kai_elements_momenta(const kai_elements* e, const kai_world* world, double* x);

/// Room for `impulse` and `momentum`.
kai_result kai_elements_room(kai_elements* e, kai_world* world, size_t unknowns, kai_error* err);

/// Notes that the last solution is the first of a step, and goes back to it.
void kai_elements_note_first(kai_elements* e, const kai_world* world);
void kai_elements_restart(kai_elements* e, kai_world* world);

/// Coordinates of nodes += share · x.
void kai_elements_move(const kai_world* world, const double* x, double share);

/// Accelerations of nodes.
void kai_elements_take_accelerations(kai_world* world, const double* x);

/// g M⁻¹ gᵀ of the factors g of a part, with the diagonal of M alone.
double kai_elements_softness(const kai_elements* e, const uint32_t* node, uint8_t at, uint8_t width,
                             const double* g);

/// Lays out H by itself, for a system in which nothing but nodes of elements can move. From then on
/// kai_elements_find adds to it.
kai_result kai_elements_block_cg_analyze(kai_elements* e, kai_world* world, kai_block_cg* d,
                                         kai_error* err);

/// Groups of elements that share no vector, in order of colours. `begin` [elements + 1] in
/// `members`: vectors of each element.
kai_result kai_elements_block_cg_colour(kai_elements* e, kai_world* world, const uint32_t* begin,
                                        const uint32_t* members, size_t vectors, kai_error* err);

/// The parts and bodies that an element joins; returns how many. `ends`: its nodes, in fea->ends.
size_t kai_elements_places(const kai_elements* e, const kai_fea_batch* batch, const uint32_t* ends,
                           const uint32_t* node_of, kai_elements_place* out);

/// Unknowns of element i of a batch, laid out as in kai_elements_apply, in its own order.
void kai_elements_take(const kai_elements* e, const kai_fea_batch* batch, size_t i,
                       const uint32_t* node_of, size_t coordinates, const double* x, double* out);

// Without a matrix (elements_free.c) -------------------------------------------------------------

/// Gets ready for products; kai_elements_find then notes the state that tangents belong to.
kai_result kai_elements_free_analyze(kai_elements* e, kai_world* world, kai_error* err);
void kai_elements_free_note(kai_elements* e, const kai_world* world);

/// H x of every element to e->products, as kai_elements_apply needs them.
void kai_elements_free_products(const kai_elements* e, const kai_world* world,
                                const uint32_t* node_of, size_t coordinates, const double* x);

/// Adds the diagonal blocks of H.
void kai_elements_free_put(const kai_elements* e, const kai_world* world, const uint32_t* node_of,
                           const kai_blocks* matrix);

/// The part that coordinate `at` (0 or 6) of a node begins; NULL when it has none.
static inline const kai_elements_part* kai_elements_part_of(const kai_elements* e, uint32_t node,
                                                            uint8_t at)
{
    const kai_elements_part* p =
        (const kai_elements_part*)e->parts.data + ((const uint32_t*)e->part_of.data)[node];
    if (at == 0) return p;
    p++;
    return (size_t)(p - (const kai_elements_part*)e->parts.data) < e->parts.count && p->node == node
               ? p
               : NULL;
}

#endif
