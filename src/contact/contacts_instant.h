// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Penalty forces at the end of a step, for implicit integrators: F(q, v, history) at the state that
// the world holds, and its derivatives.
//
// Every evaluation starts from what contacts remembered before the step, so that any number of
// trial states can be looked at; the last one is what kai_contacts_end keeps. Tangential springs go
// on by the displacement of the step, d = h ((1 - s) v₀ + s v₁) at the point of contact, s being
// the share that the method gives the new velocity in its displacements.
//
// A touch that begins inside the step has lasted for the share overlap / (-n · d) of it, when it has
// come this far: its springs go on by that share of d. Its damping has the share
// overlap / max(-n · d, -s h n · v₁), so that the force is continuous where a contact begins: else
// no state would be in balance at the jump, and Newton's method would not end.
//
// Contacts are found anew at every trial state. Where edges and faces come and go from one trial to
// the next this need not end; kai_contacts_instant_freeze keeps the present contacts, whose points
// then move with their bodies.
#ifndef CONTACT_CONTACTS_INSTANT_H
#define CONTACT_CONTACTS_INSTANT_H

#include "contact/contacts.h"

/// Where a frozen contact acts: its points in the frames of the bodies.
typedef struct kai_contacts_frozen {
    kai_vec3 a, b;
} kai_contacts_frozen;

/// The step whose end the world holds.
typedef struct kai_contacts_instant {
    double h;                 // s; 0: forces at a state without a step before it
    double share;             // s above
    const kai_pose* pose;     // [bodies] at the start of the step
    const kai_motion* motion; // likewise
    const double* node_v;     // velocities of nodes of elements at the start; NULL: there are none
    const uint32_t* node_first; // [nodes]: the first number of each
} kai_contacts_instant;

/// -(position ∂/∂x + velocity ∂/∂v) of force and couple on b at a contact, x and v being those of b
/// against a there: symmetric, without negative eigenvalues. What friction has of the push and
/// adhesion of the overlap is left out.
typedef struct kai_contacts_stiffness {
    kai_mat33 force, couple;
} kai_contacts_stiffness;

/// Finds contacts at the present state, for kai_contacts_instant_push; with `reach` also those whose
/// gap is no more than that.
kai_result kai_contacts_instant_find(kai_contacts* c, kai_world* world, double h, double reach,
                                     kai_error* err);

/// Keeps the contacts last found, and moves them to the present state.
kai_result kai_contacts_instant_freeze(kai_contacts* c, kai_world* world, kai_error* err);
void kai_contacts_instant_move(kai_contacts* c, kai_world* world);

/// Forces of all contacts at the present state, their sums over bodies, and world->contact_elastic.
/// `*power` is what they turn into heat, W.
kai_result kai_contacts_instant_push(kai_contacts* c, kai_world* world,
                                     const kai_contacts_instant* step, double* power,
                                     kai_error* err);

/// The derivatives of contact i there.
void kai_contacts_instant_stiffness(const kai_contacts* c, const kai_world* world,
                                    const kai_contacts_instant* step, size_t i, double position,
                                    double velocity, kai_contacts_stiffness* out);

/// The touch of contact i at the present state, without history (contacts_push.c). With `start` the
/// velocity and spin of b against a at the start of the step are added to `before`. Returns the pair
/// of its materials.
const kai_contacts_pair* kai_contacts_push_fill(const kai_contacts* c, const kai_world* world,
                                                size_t i, const kai_contacts_instant* start,
                                                kai_contact_touch* touch, kai_wrench* before);

/// A number that changes when a contact begins, ends, sticks or slips.
uint64_t kai_contacts_instant_pattern(const kai_contacts* c, const kai_world* world);

/// Copies what contacts remember, and puts it back: for a step whose parts are kept one by one.
kai_result kai_contacts_instant_save(kai_contacts* c, const kai_world* world, kai_error* err);
void kai_contacts_instant_restore(kai_contacts* c, kai_world* world);

#endif
