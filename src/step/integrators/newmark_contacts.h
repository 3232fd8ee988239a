// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Contacts in the Newmark family. By complementarity: newmark_cones.h. By penalty: forces at the end
// of a step (contact/contacts_instant.h) inside Newton's iteration, with their derivatives in its
// matrix (contacts_tangents.h).
//
// Contacts are found anew in each of the first KAI_NEWMARK_CONTACTS_FOUND iterations of a step. The
// last time shapes that are near are found too; from then on contacts stay the same and move with
// their bodies, so that the iteration ends where edges come and go. The matrix is factorised anew whenever a contact begins, ends, sticks or slips.
#ifndef STEP_NEWMARK_CONTACTS_H
#define STEP_NEWMARK_CONTACTS_H

#include "step/integrators/newmark_cones.h"

#define KAI_NEWMARK_CONTACTS_FOUND 8

typedef struct kai_newmark_contacts {
    kai_contacts* contacts;  // NULL: there are none
    kai_newmark_cones cones; // by complementarity; without contacts otherwise
    kai_contacts_instant step;
    const kai_wrench* sums; // [bodies]: force, and moment about the mass centre, world; NULL: none
    const kai_pose* pose;   // [bodies] whose rotations take these moments to bodies
    uint64_t pattern;       // of the contacts that the matrix was found for
    bool factored;          // there was a matrix in this step
    double power;           // that contacts turn into heat at the state last looked at, W
} kai_newmark_contacts;

/// Gets ready for a step of h from the state in `start`. `share`: see contacts_instant.h.
kai_result kai_newmark_contacts_begin(kai_newmark_contacts* k, kai_world* world,
                                      kai_constraints* joints, const kai_system_backup* start,
                                      double h, double share, kai_error* err);

/// Forces at the start of the step, for those who find accelerations there.
kai_result kai_newmark_contacts_start(kai_newmark_contacts* k, kai_world* world, kai_error* err);

/// Forces at the present guess in iteration `number`, the one before which has moved things by at
/// most `change`; those on nodes of elements are added to
/// fea->force. `*changed`: the matrix should be found anew.
kai_result kai_newmark_contacts_evaluate(kai_newmark_contacts* k, kai_world* world, int64_t number,
                                         double change, bool* changed, kai_error* err);

/// Derivatives at the present guess.
kai_result kai_newmark_contacts_tangents(kai_newmark_contacts* k, struct kai_constraints* c,
                                         kai_world* world, double position, double velocity,
                                         kai_error* err);

/// Adds what the contacts last found do to nodes of elements to fea->force.
void kai_newmark_contacts_elements(kai_world* world);

/// Bodies that stand for nodes and surfaces go where these are.
void kai_newmark_contacts_follow(kai_world* world);

#endif
