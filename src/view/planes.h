// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// A block of a page's frames (docs/page-format.md), made frame by frame on threads.
//
// Movers are cut into slices that stay in a processor's cache. A slice rounds its positions and
// rotations, takes differences to the frames before, and packs each byte plane as soon as there is
// enough of it; at the end the pieces are put in the order of the format. Slices do not depend on
// the number of threads, so neither do the bytes.
#ifndef VIEW_PLANES_H
#define VIEW_PLANES_H

#include "base/error.h"
#include "base/text.h"
#include "record/trajectory/trajectory_read.h"

#include <kairos/math.h>

typedef struct kai_planes kai_planes;

/// What is to be encoded.
typedef struct kai_planes_def {
    size_t movers, rotated; // the first `rotated` of them have rotations
    size_t frames;          // most frames of a block
    double step;            // of positions, m; a power of two
    kai_vec3 origin;
    int threads;
} kai_planes_def;

/// Starts with a first block.
kai_result kai_planes_make(kai_planes** out, const kai_planes_def* def, kai_error* err);

/// Adds a frame. `rows`: the row of each mover in `places`, UINT32_MAX for one that is not there
/// and stays where it was; NULL: mover i is in row i.
kai_result kai_planes_add(kai_planes* planes, const kai_trajectory_places* places,
                          const uint32_t* rows, kai_error* err);

/// Ends a block: appends it, a zlib stream, to `out`. The next frame begins another.
kai_result kai_planes_end(kai_planes* planes, kai_text* out, kai_error* err);

/// Positions so far that were too far away to be written.
uint64_t kai_planes_beyond(const kai_planes* planes);

/// Gives the memory back. NULL is allowed.
void kai_planes_free(kai_planes* planes);

#endif
