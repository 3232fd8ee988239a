// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Which contacts of a world go the fast way of grains.h, and how they come back among the others.
//
// Spheres about the mass centre of a body that has no other shape, by penalty, with a law that
// grains.h knows: their pairs are taken out of the broad phase's and listed there. What they
// remember stays with the list. It joins world->contact_memory, and their contacts and forces join
// those of all others, when somebody asks: a report, a checkpoint, a change of items or settings.
#ifndef CONTACT_CONTACTS_GRAINS_H
#define CONTACT_CONTACTS_GRAINS_H

#include "base/simd.h"
#include "contact/contacts.h"

/// What it takes to see, while bodies move, whether pairs still hold.
typedef struct kai_contacts_watch {
    const kai_broad_box* boxes;       // [end - begin] grown
    kai_vec3 origin;                  // of boxes
    size_t begin, end;                // slots
    double radius;                    // of all
    const kai_grains_sphere* spheres; // [end - begin], or NULL: all alike
} kai_contacts_watch;

/// Whether the spheres of slots [first, first + n) are inside their grown boxes; NaN is not.
KAI_INLINE bool kai_contacts_watch_holds(const kai_contacts_watch* w, const kai_pose* poses,
                                         size_t first, size_t n)
{
    const size_t begin = first > w->begin ? first : w->begin,
                 end = first + n < w->end ? first + n : w->end;
    const double o[3] = {w->origin.x, w->origin.y, w->origin.z};
    int out = 0;
    for (size_t i = begin; i < end; i++) {
        const double* x = &poses[i].position.x;
        const kai_broad_box* box = &w->boxes[i - w->begin];
        const double r = w->spheres ? w->spheres[i - w->begin].radius : w->radius;
        for (int k = 0; k < 3; k++) {
            const double at = x[k] - o[k], reach = r + fabs(x[k]) * 0x1p-50;
            out |= !(at - reach >= (double)box->low[k]) | !(at + reach <= (double)box->high[k]);
        }
    }
    return !out;
}

/// Fills `watch` for the next step; false: pairs are to be checked in the usual way.
bool kai_contacts_grains_watch(const kai_contacts* c, const kai_world* world,
                               kai_contacts_watch* watch);

/// Slots [*begin, *end) whose bodies have the same mass and moments; none: *begin is *end.
void kai_contacts_grains_alike(const kai_contacts* c, size_t* begin, size_t* end);

/// Says what was seen: all inside, or not.
void kai_contacts_grains_seen(kai_contacts* c, kai_world* world, bool inside);

/// Before contacts are found: whether and which spheres go the fast way in this step.
kai_result kai_contacts_grains_begin(kai_contacts* c, kai_world* world, kai_error* err);

/// Their forces, over a step of h: `sums` of all bodies are written, energy and heat (W) added.
kai_result kai_contacts_grains_push(kai_contacts* c, kai_world* world, const kai_penalty_law* law,
                                    double h, double* energy, double* heat, kai_error* err);

/// Puts them among the other contacts of the last step.
kai_result kai_contacts_grains_gather(kai_world* world, kai_error* err);

/// Puts only what they remember among what all contacts do, for a file.
kai_result kai_contacts_grains_remember(kai_world* world, kai_error* err);

/// Ends a step. One that fails leaves them as they were.
void kai_contacts_grains_end(kai_contacts* c, kai_world* world, bool keep);

#endif
