// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Narrow phase: contacts and signed distance of two shapes. Both are computed in a's frame, so that
// a pair far from the origin loses only the digits that its positions have lost already.
//
// The signed distance of two convex shapes is max over unit n of s(n), where s is the width of the
// gap between the two support planes with normal n. Positive, it is the distance; negative, the
// least translation that separates them. Its argument is the normal.
#ifndef PROXIMITY_NARROW_H
#define PROXIMITY_NARROW_H

#include "proximity/convex.h"
#include "proximity/manifold.h"

/// One pair to look at.
typedef struct kai_narrow_request {
    const kai_geometry *a, *b;
    const kai_frame *frame_a, *frame_b;
    double more; // added to the reach, m
} kai_narrow_request;

/// All contacts of the pair with gap <= reach, the deepest first. Swapping a and b gives the same
/// contacts, mirrored, to rounding. Never fails; shapes that are not finite have no contact.
void kai_narrow_find(const kai_geometry* a, const kai_frame* frame_a, const kai_geometry* b,
                     const kai_frame* frame_b, double reach, kai_manifold* out);

/// Whether shapes of these types can have contacts: all but two planes and two height fields.
bool kai_narrow_offers(kai_convex_type a, kai_convex_type b);
void kai_narrow_find_many(const kai_narrow_request* requests, int count, double reach,
                          kai_manifold* out);

/// The signed distance of two convex shapes at any distance, with the points of both surfaces and
/// the unit normal from a to b (each may be NULL). A plane may stand for one of the two shapes.
/// NaN for any other pair.
double kai_narrow_distance(const kai_geometry* a, const kai_frame* frame_a, const kai_geometry* b,
                           const kai_frame* frame_b, kai_vec3* point_a, kai_vec3* point_b,
                           kai_vec3* normal);

#endif
