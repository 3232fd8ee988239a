// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Contacts from two features that face each other. Both are projected along the normal onto one
// plane and overlapped there; above each corner of the overlap the two surfaces give points and a
// gap. Nobody is the reference: swapping a and b swaps the points and nothing else.
//
// The least gap over the overlap is at one of its corners, so the deepest contact has the gap that
// the solver found, when its features are faces and edges; otherwise the solver's point is added.
#ifndef PROXIMITY_MANIFOLD_CLIP_H
#define PROXIMITY_MANIFOLD_CLIP_H

#include "proximity/narrow_pair.h"

/// Contacts of two cores whose nearest points are known (a witness with gap <= reach), with
/// margins, in the frame of a.
void kai_manifold_clip_contacts(const kai_narrow_pair* pair, const kai_narrow_witness* witness,
                                kai_manifold* out);

/// The single contact of a witness, with margins.
void kai_manifold_clip_single(const kai_narrow_pair* pair, const kai_narrow_witness* witness,
                              kai_manifold* out);

/// Contacts of a with b, a triangle, along the given normal (unit, from a to b, across the
/// triangle): only those that lie over the triangle, which may be none.
void kai_manifold_clip_over(const kai_narrow_pair* pair, kai_vec3 normal, kai_manifold* out);

/// Finds the points of a witness of which only the normal and the gap are known.
void kai_manifold_clip_witness(const kai_narrow_pair* pair, kai_narrow_witness* witness);

#endif
