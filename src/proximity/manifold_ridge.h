// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Contacts of two sharp edges that run the same way: two cards that lean on each other, a box that
// stands on its edge against another one.
//
// Which way such a contact faces is open: any direction that lies between the faces at both edges
// parts the two, and the one of least depth, a face's normal, changes with the last digit of the
// positions. No edge is perfectly sharp. The normal is that of edges which are rounded with a
// hundredth of the smaller shape's half width: from one axis of rounding to the other. Where edges
// are farther apart it goes over into the direction of the nearest points, and where one of them
// lies on a face into that face's normal.
#ifndef PROXIMITY_MANIFOLD_RIDGE_H
#define PROXIMITY_MANIFOLD_RIDGE_H

#include "proximity/narrow_pair.h"

/// Looks for such edges about the normal n (unit, from a to b; all in the frame of a). Where there
/// are some, *out gets their contacts, of which there may be none within reach, and the answer is
/// true; otherwise *out stays.
bool kai_manifold_ridge(const kai_narrow_pair* pair, kai_vec3 n, kai_manifold* out);

#endif
