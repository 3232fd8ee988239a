// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Whether a step can be taken with the pairs there are, seen before it begins: spheres are inside
// their skin_boxes where forces will be found, and nothing is so fast that a force could overflow.
// Then a step of spheres cannot fail, and states may change before all forces are known.
//
// Bytes a body: 128 state + 16 skin_box read.
#ifndef CONTACT_CONTACTS_LIST_CHECK_H
#define CONTACT_CONTACTS_LIST_CHECK_H

#include "base/simd.h"
#include "contact/grains.h"
#include "model/bodies.h"

/// What it takes to see, while bodies move, whether pairs still hold.
typedef struct kai_contacts_list_check {
    const kai_grains_skin_box* skin_boxes; // [end - begin]
    kai_vec3 origin;                       // of skin_boxes
    size_t begin, end;                     // slots; none: no skin_boxes to look at
    double radius;                         // of all
    const kai_grains_sphere* spheres;      // [end - begin], or NULL: all alike
    uint8_t* left; // [blocks of KAI_GRAINS_BLOCK slots] 1: something was seen there; or NULL
} kai_contacts_list_check;

/// What may be seen; bits.
enum {
    KAI_CONTACTS_LIST_CHECK_LEFT = 1, ///< some sphere is not inside its skin_box
    KAI_CONTACTS_LIST_CHECK_OVERFLOW =
        2 ///< some place, velocity or spin is not a number or beyond all bounds
};

/// Whether the spheres of slots [first, first + n) are inside their skin_boxes when they have moved on
/// for `lead`; NaN is not.
KAI_INLINE bool kai_contacts_list_check_holds(const kai_contacts_list_check* w,
                                              const kai_pose* poses, const kai_motion* motions,
                                              double lead, size_t first, size_t n)
{
    const size_t begin = first > w->begin ? first : w->begin,
                 end = first + n < w->end ? first + n : w->end;
    if (begin >= end) return true;
    const kai_cell_list_points points = {
        .position = &poses[begin],
        .velocity = &motions[begin],
        .radius = w->spheres ? &w->spheres[begin - w->begin].radius : &w->radius,
        .position_stride = sizeof(kai_pose),
        .velocity_stride = sizeof(kai_motion),
        .radius_stride = w->spheres ? sizeof(kai_grains_sphere) : 0,
        .lead = lead};
    return kai_cell_list_holds(&points, w->skin_boxes + (begin - w->begin), w->origin, 0,
                               end - begin);
}

_Static_assert(sizeof(kai_grains_skin_box) == 4 * sizeof(float), "rows of four");

/// Whether some of n bodies is beyond all bounds: squares and products of such numbers overflow.
KAI_INLINE bool kai_contacts_list_check_overflow(const kai_pose* poses, const kai_motion* motions,
                                                 size_t n)
{
    const double(*pose)[8] = (const void*)poses, (*motion)[8] = (const void*)motions;
    double out = 0.0;
#pragma omp simd reduction(+ : out)
    for (size_t i = 0; i < n; i++) {
        double sum = 0.0;
        for (int k = 0; k < 3; k++) sum += pose[i][k] * pose[i][k];
        for (int k = 0; k < 6; k++) sum += motion[i][k] * motion[i][k];
        out += sum <= 1e120 ? 0.0 : 1.0;
    }
    return out != 0.0;
}

/// What is to be seen of bodies [begin, end).
KAI_INLINE int kai_contacts_list_check_look(const kai_contacts_list_check* w,
                                            const kai_bodies* bodies, double lead, size_t begin,
                                            size_t end)
{
    const size_t n = end - begin;
    int seen = 0;
    if (!kai_contacts_list_check_holds(w, bodies->pose, bodies->motion, lead, begin, n))
        seen |= KAI_CONTACTS_LIST_CHECK_LEFT;
    if (kai_contacts_list_check_overflow(bodies->pose + begin, bodies->motion + begin, n))
        seen |= KAI_CONTACTS_LIST_CHECK_OVERFLOW;
    return seen;
}

/// Looks at all bodies: KAI_CONTACTS_LIST_CHECK_LEFT and _WILD; and notes in which blocks.
int kai_contacts_list_check_see(const kai_contacts_list_check* watch, const kai_bodies* bodies,
                                double lead, int threads);

/// Looks at those of blocks in which something was seen.
int kai_contacts_list_check_again(const kai_contacts_list_check* watch, const kai_bodies* bodies,
                                  double lead);

#endif
