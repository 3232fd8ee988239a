// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The only file that knows Qhull.
#ifndef GEOMETRY_HULL_QHULL_H
#define GEOMETRY_HULL_QHULL_H

#include "base/array.h"

/// Facets of the hull of `count` points of size about 1 (x, y, z in turn): where each begins goes
/// to `first` (uint32_t, one more than there are facets), its corners in turn, as indices of
/// points, to `corners` (uint32_t). The sense of turning is not defined. `options` as Qhull takes
/// them. KAI_ERROR_ARGUMENT when Qhull gives up, _UNSUPPORTED without Qhull.
kai_result kai_hull_qhull_facets(double* points, size_t count, const char* options,
                                 kai_memory* memory, kai_array* first, kai_array* corners,
                                 kai_error* err);

#endif
