// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Many contacts, few kept: the deepest, and those that span most.
#ifndef PROXIMITY_MANIFOLD_REDUCE_H
#define PROXIMITY_MANIFOLD_REDUCE_H

#include "proximity/manifold.h"

/// Keeps at most `most` (<= KAI_MANIFOLD_MOST) of the contacts, which it reorders: the deepest
/// first, then the deepest of other normals, then the outermost ones. Points closer than `apart`
/// with one normal are one.
void kai_manifold_reduce(kai_contact* contacts, int count, int most, double apart,
                         kai_manifold* out);

#endif
