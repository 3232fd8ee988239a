// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Whether a step can be taken with the pairs there are, seen before it begins: spheres are inside
// their grown boxes where forces will be found, and nothing is so fast that a force could overflow.
// Then a step of spheres cannot fail, and states may change before all forces are known.
//
// Bytes a body: 128 state + 32 box read.
#ifndef CONTACT_CONTACTS_WATCH_H
#define CONTACT_CONTACTS_WATCH_H

#include "base/simd.h"
#include "contact/grains.h"
#include "model/bodies.h"

/// What it takes to see, while bodies move, whether pairs still hold.
typedef struct kai_contacts_watch {
    const kai_broad_box* boxes;       // [end - begin] grown
    kai_vec3 origin;                  // of boxes
    size_t begin, end;                // slots; none: no boxes to look at
    double radius;                    // of all
    const kai_grains_sphere* spheres; // [end - begin], or NULL: all alike
} kai_contacts_watch;

/// What may be seen; bits.
enum {
    KAI_CONTACTS_WATCH_LEFT = 1, ///< some sphere is not inside its box
    KAI_CONTACTS_WATCH_WILD =
        2 ///< some place, velocity or spin is not a number or beyond all bounds
};

/// Whether the spheres of slots [first, first + n) are inside their boxes when they have moved on
/// for `lead`; NaN is not.
KAI_INLINE bool kai_contacts_watch_holds(const kai_contacts_watch* w, const kai_pose* poses,
                                         const kai_motion* motions, double lead, size_t first,
                                         size_t n)
{
    const size_t begin = first > w->begin ? first : w->begin,
                 end = first + n < w->end ? first + n : w->end;
    const double o[3] = {w->origin.x, w->origin.y, w->origin.z};
    int out = 0;
    for (size_t i = begin; i < end; i++) {
        const double *x = &poses[i].position.x, *v = &motions[i].velocity.x;
        const kai_broad_box* box = &w->boxes[i - w->begin];
        const double r = w->spheres ? w->spheres[i - w->begin].radius : w->radius;
        for (int k = 0; k < 3; k++) {
            const double to = x[k] + lead * v[k], at = to - o[k], reach = r + fabs(to) * 0x1p-50;
            out |= !(at - reach >= (double)box->low[k]) | !(at + reach <= (double)box->high[k]);
        }
    }
    return !out;
}

/// Whether some of n bodies is beyond all bounds: squares and products of such numbers overflow.
KAI_INLINE bool kai_contacts_watch_wild(const kai_pose* poses, const kai_motion* motions, size_t n)
{
    const double most = 1e60;
    int out = 0;
    for (size_t i = 0; i < n; i++) {
        const double *x = &poses[i].position.x, *v = &motions[i].velocity.x,
                     *w = &motions[i].spin.x;
        for (int k = 0; k < 3; k++)
            out |= !(fabs(x[k]) <= most) | !(fabs(v[k]) <= most) | !(fabs(w[k]) <= most);
    }
    return out;
}

/// Looks at all bodies: KAI_CONTACTS_WATCH_LEFT and _WILD.
int kai_contacts_watch_see(const kai_contacts_watch* watch, const kai_bodies* bodies, double lead,
                           int threads);

#endif
