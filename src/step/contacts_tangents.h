// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Derivatives of penalty contacts in the linear system (constraints.h), for implicit integrators.
//
// Bodies that have shapes are nodes of the system whether joints hold them or not. A contact
// couples the nodes of its two sides: a body, a node of elements, or the nodes or bodies at the
// ends of a piece of a surface. With J the factors of their unknowns in the relative velocity and
// spin at the point, K those of contacts_instant.h,
//
//     T = Jᵀ K J
//
// is added block by block. T is symmetric and has no negative eigenvalue, so that it never spoils
// the matrix.
//
// Pairs of nodes that contacts couple change from step to step. Those that nothing else couples
// are edges of the system behind all others, and the order of elimination is found anew when they
// change. The first derivatives of a step have the pairs that touch then; later ones add to them.
// So the pattern follows from the state at the start of the step alone, as a resumed run asks.
#ifndef STEP_CONTACTS_TANGENTS_H
#define STEP_CONTACTS_TANGENTS_H

#include "contact/contacts_instant.h"
#include "solve/blocks.h"

struct kai_constraints;

typedef struct kai_contacts_tangents {
    bool room;          // the system has the bodies that may touch
    bool on;            // the matrix is to have derivatives
    kai_array nodes;    // kai_ldl_node: the system's, and
    kai_array edges;    // kai_ldl_edge: … its edges: those without contacts, then `extra` ones
    uint32_t base;      // edges without contacts
    kai_array known;    // kai_contacts_tangents_pair: edges of these between movers, sorted
    kai_array stand_in; // uint32_t [bodies]: node of the system that a body stands for; UINT32_MAX
    kai_array pairs;    // kai_contacts_tangents_pair, sorted: what contacts couple
    kai_array values;   // double [pairs][36]: T, rows of the lower node
} kai_contacts_tangents;

/// Two nodes a ≤ b, and the edge between them; none where a is b.
typedef struct kai_contacts_tangents_pair {
    uint32_t a, b, edge;
} kai_contacts_tangents_pair;

void kai_contacts_tangents_init(kai_contacts_tangents* t);
void kai_contacts_tangents_free(kai_contacts_tangents* t, kai_memory* memory);

/// Takes over the layout of a system without contacts: its first `movers` nodes move.
kai_result kai_contacts_tangents_lay_out(struct kai_constraints* c, kai_world* world,
                                         const kai_ldl_node* nodes, uint32_t node_count,
                                         const kai_ldl_edge* edges, uint32_t edge_count,
                                         kai_error* err);

/// Finds the derivatives of all contacts at the state that the world holds, with these weights.
/// `first`: for the first time in this step.
kai_result kai_contacts_tangents_find(struct kai_constraints* c, kai_world* world,
                                      const kai_contacts_instant* step, double position,
                                      double velocity, bool first, kai_error* err);

/// Fills the blocks of `extra` edges and adds T; zeros when it is off.
void kai_contacts_tangents_put(const struct kai_constraints* c);

/// y += T x, x and y laid out as unknowns are. Nothing when it is off.
void kai_contacts_tangents_apply(const struct kai_constraints* c, const double* x, double* y);

#endif
