// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Derivatives of forces, for methods that solve for the state at the end of a step.
//
// A *term* is one load of a kind that is `stiff`, or one joint (its forces Gᵀ λ turn with the
// bodies; nodes of elements that it holds stay). Newton's matrix gets, for each pair of its ends,
//
//     T = -(p ∂f/∂q + v ∂f/∂v)          p, v: how positions and velocities follow the unknowns
//
// found by differences along each unknown, term by term: kinds need not write derivatives. T is
// made symmetric, as the matrix is; what is lost of it costs iterations, not accuracy.
#ifndef STEP_TANGENTS_H
#define STEP_TANGENTS_H

#include "model/world.h"
#include "solve/blocks.h"

/// Most ends of a term; a load or joint with more has no term.
#define KAI_TANGENTS_ENDS 4

/// What has terms.
typedef enum kai_tangents_mode {
    KAI_TANGENTS_NONE,
    KAI_TANGENTS_LOADS, // stiff loads
    KAI_TANGENTS_ALL,   // and joints
    KAI_TANGENTS_EVERY, // all loads, stiff or not, and no joints: to find the fastest
    KAI_TANGENTS_TAUT   // the same, and joints
} kai_tangents_mode;

typedef struct kai_tangents_term {
    uint32_t batch, index;            // in the store of loads or joints
    bool joint;                       // which of the two
    uint8_t ends;                     // how many
    uint8_t wide[KAI_TANGENTS_ENDS];  // unknowns of each: 6 a body, 1 a shaft, 0 ground
    uint32_t slot[KAI_TANGENTS_ENDS]; // body, or bodies + shaft
    uint32_t node[KAI_TANGENTS_ENDS]; // in the linear system, UINT32_MAX: it cannot move
    uint32_t edge[6];                 // of the pairs (0,1) (0,2) (1,2) (0,3) (1,3) (2,3)
    uint32_t first;                   // of its values
} kai_tangents_term;

typedef struct kai_tangents {
    kai_tangents_mode mode;
    kai_array terms;  // kai_tangents_term
    kai_array edges;  // kai_ldl_edge: pairs of nodes, each once
    uint32_t offset;  // number of the first of them in the linear system
    kai_array values; // double: T of each term, [n × n] with n unknowns in all its ends
    bool on;          // the matrix is to have them
} kai_tangents;

void kai_tangents_init(kai_tangents* t);
void kai_tangents_free(kai_tangents* t, kai_memory* memory);

/// Lists the terms of a world.
kai_result kai_tangents_list(kai_tangents* t, kai_world* world, kai_tangents_mode mode,
                             kai_error* err);

/// Bodies and shafts of the terms have other slots: the list stays.
void kai_tangents_follow(kai_tangents* t, const kai_world* world);

/// Lists the pairs of nodes, once the terms have theirs; their numbers start at `offset`.
kai_result kai_tangents_pair(kai_tangents* t, kai_world* world, uint32_t offset, kai_error* err);

/// Finds all values at the state that the world holds. `lambda` [rows] and `first` [batches] are
/// the multipliers of joints and where those of a batch begin.
kai_result kai_tangents_find(kai_tangents* t, kai_world* world, double time, double position,
                             double velocity, const double* lambda, const uint32_t* first,
                             kai_error* err);

/// y += T x, x and y laid out as unknowns are: six a body node, one a shaft node. Nothing when they
/// are off.
void kai_tangents_apply(const kai_tangents* t, size_t bodies, const double* x, double* y);

/// Fills the blocks of the pairs, and adds to the diagonals of nodes; zeros when they are off.
void kai_tangents_put(const kai_tangents* t, size_t bodies, const kai_blocks* matrix);

#endif
