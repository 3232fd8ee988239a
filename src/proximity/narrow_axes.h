// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Separating axes of boxes, eight pairs at once: a column a pair, the same operations for all, no
// branches. What a pair gets does not depend on the others beside it.
#ifndef PROXIMITY_NARROW_AXES_H
#define PROXIMITY_NARROW_AXES_H

#include "proximity/convex.h"

#include <stdint.h>

/// Pairs side by side.
#define KAI_NARROW_AXES_LANES 8

/// Eight pairs of boxes. Columns without a pair have to hold numbers all the same.
typedef struct kai_narrow_axes {
    double qa[4][KAI_NARROW_AXES_LANES]; ///< rotation of a: w, x, y, z
    double qb[4][KAI_NARROW_AXES_LANES]; ///< rotation of b
    double d[3][KAI_NARROW_AXES_LANES];  ///< from a to b, in the world
    double a[3][KAI_NARROW_AXES_LANES];  ///< half extents of a
    double b[3][KAI_NARROW_AXES_LANES];  ///< half extents of b

    double r[9][KAI_NARROW_AXES_LANES]; ///< rotation of b in a's frame, by rows
    double t[3][KAI_NARROW_AXES_LANES]; ///< centre of b in a's frame

    double size[KAI_NARROW_AXES_LANES]; ///< largest half extent of both
    double face[KAI_NARROW_AXES_LANES]; ///< widest gap along a face's normal
    double gap[KAI_NARROW_AXES_LANES];  ///< widest gap of all
    double
        second[KAI_NARROW_AXES_LANES]; ///< wider one of a's and of b's second along a face's normal
    int64_t which[KAI_NARROW_AXES_LANES]; ///< its face: 0 … 2 of a, 3 … 5 of b
    int64_t axis[KAI_NARROW_AXES_LANES];  ///< its axis: a face, or 6 + 3 i + j across edges i and j
} kai_narrow_axes;

/// Fills r and t from qa, qb and d.
void kai_narrow_axes_place(kai_narrow_axes* pairs);

/// Fills what comes after them. A face wins over edges that are better by less than 1e-10 of the
/// size, a's faces over those of b by 1e-14.
void kai_narrow_axes_separate(kai_narrow_axes* pairs);

#endif
