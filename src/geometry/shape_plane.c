// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// A half space: everything on the far side of a plane through the shape's origin. It has no mass
// and no bounds, so only fixed bodies, or bodies with a mass of their own, carry one.
#include "base/error.h"

#include <kairos/shape.h>

typedef kai_shape_plane_params params;

static kai_result shape_plane_check(const void* instance, kai_error* err)
{
    const params* p = instance;
    if (kai_vec3_max_abs(p->normal) > 0.0) return KAI_OK; // a norm may underflow
    return kai_error_set(err, KAI_ERROR_ARGUMENT,
                         "plane: normal is [0, 0, 0]; must have a length > 0");
}

static const kai_param PARAMS[] = {
    KAI_PARAM(VEC3, params, normal, .placing = KAI_PLACING_OWN, .initial = {0.0, 0.0, 1.0},
              .doc = "Points out of the solid; need not be of length 1."),
};

const kai_shape_kind kai_shape_plane = {
    .kind = KAI_KIND("plane", params, PARAMS, .check = shape_plane_check,
                     .doc = "A half space bounded by a plane.")};
