// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The list of spheres goes on when some come, leave or take other slots: pairs of those that changed
// are taken out of it and listed anew, all others stay. What costs 0.3 µs for each sphere there is
// costs some µs for each that comes or leaves.
//
//     slots that changed (kai_collision.moved, and those behind the old end)
//       │ what their pairs remember, by bodies        → spheres.pending
//       │ their pairs are dropped, their skin boxes leave
//       ▼
//     new skin boxes and pairs, and spheres.pending back to where the bodies are now
#ifndef CONTACT_CONTACTS_GRAINS_FOLLOW_H
#define CONTACT_CONTACTS_GRAINS_FOLLOW_H

#include "contact/contacts.h"

/// What a pair of spheres, or of a sphere and a wall, remembers while its slots change.
typedef struct kai_contacts_pending {
    kai_body a, b; // b null: a wall
    uint32_t wall;
    double u[3];       // of b relative to a, m
    double turning[4]; // as in kai_grains_pair_history
} kai_contacts_pending;

/// `*followed`: the list holds the spheres that are there now, with all histories; where its pairs are
/// not all there it is to be made anew (proximity.changed). False: nothing has changed here.
kai_result kai_contacts_grains_follow(kai_contacts* c, kai_world* world, bool* followed,
                                      kai_error* err);

/// Gives pairs of a list that was made what spheres.pending holds for them.
void kai_contacts_grains_follow_restore(kai_contacts* c);

#endif
