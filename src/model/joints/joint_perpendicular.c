// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Row: z_a · x_b = 0: the axis (fixed to a) stays perpendicular to axis2 (fixed to b).
#include "model/joints/joint_view.h"

typedef kai_joint_universal_params params;

static void perpendicular_evaluate(const kai_joint_batch* b)
{
    for (size_t i = b->begin; i < b->end; i++) {
        const kai_joint_view v = kai_joint_view_look(b, i);
        kai_joint_view_dot(&v, 2, 0, b->rows + i);
    }
}

static const kai_param PARAMS[] = {
    KAI_JOINT_PARAMS,
    KAI_PARAM(
        VEC3, params, axis2, .placing = KAI_PLACING_AXIAL,
        .initial = {(double)NAN, (double)NAN, (double)NAN},
        .doc =
            "Axis fixed to b, perpendicular to axis (which is fixed to a); world coordinates at t = 0."),
};

const kai_joint_kind kai_joint_perpendicular = {
    .kind =
        KAI_KIND("perpendicular", params, PARAMS,
                 .doc = "An axis of a stays perpendicular to an axis of b; positions are free."),
    .rows = 1,
    .evaluate = perpendicular_evaluate,
    .axis2 = offsetof(params, axis2)};
