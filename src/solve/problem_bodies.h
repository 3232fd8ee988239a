// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Finds rigid bodies and points in the matrices of a problem, so that it is solved as contacts of
// bodies. Six velocities in a row are a body when
//
//     M = ┌ m 1  0 ┐     H of each of its contacts = ± ┌ E           ┐     E: normal and tangents
//         └ 0    J ┘                                   └ Qᵀ [d]× E   ┘     d: arm, world axes
//
// with one rotation Q for all contacts of the body: 1 where spins are in world axes, else those of
// the body. Spins may come first. Three in a row are a point when M = m 1 and H = ± E. One that only adds to the normal
// velocity of one contact is a compliance (problem_make.h).
#ifndef SOLVE_PROBLEM_BODIES_H
#define SOLVE_PROBLEM_BODIES_H

#include "solve/cone.h"
#include "solve/problem.h"

/// One body or point.
typedef struct kai_problem_body {
    uint32_t v, w;  // first velocity and spin; KAI_CONE_NONE: does not turn
    kai_mat33 turn; // Q
} kai_problem_body;

typedef struct kai_problem_bodies {
    size_t count;             // bodies; those of `cones` may be more: ground that moves
    kai_problem_body* bodies; // [count]
    uint32_t* body_of;        // [velocities] KAI_CONE_NONE: of none
    kai_vec3 (*axes)[3];      // [contacts] columns of E
    kai_cone_motion *start, *motion;
    double (*inertia)[6];
    kai_cone_contact* contacts;
    kai_vec3* impulse;
    uint32_t* contact_of; // [contacts of `cones`] contact of the problem
    // Equations, then contacts that are rows of joints with bounds (problem_make.h), where all their
    // velocities are those of bodies; else NULL.
    kai_cone_row* rows;
    kai_cone_piece* pieces;
    double* multiplier;
    size_t bound_count;
    uint32_t* bound_of; // [bound_count] contact of the problem
    kai_cone_problem cones;
} kai_problem_bodies;

/// `*found` is false, and `why` says why, when some of the matrices are not those of bodies.
kai_result kai_problem_bodies_find(const kai_problem* p, kai_problem_bodies* out, bool* found,
                                   char why[160], kai_error* err);
void kai_problem_bodies_free(kai_problem_bodies* bodies);

#endif
