// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Row: |p_b - p_a| - length.
#include "base/error.h"
#include "model/joints/joint_points.h"
#include "model/joints/joint_view.h"

typedef kai_joint_distance_params params;

static void distance_evaluate(const kai_joint_batch* b)
{
    for (size_t i = b->begin; i < b->end; i++) {
        const kai_joint_view v = kai_joint_view_look(b, i);
        kai_joint_view_distance(&v, ((const params*)kai_joint_view_instance(b, i))->length,
                                b->rows + i);
    }
}

static const kai_param PARAMS[] = {
    KAI_JOINT_POINTS_PARAMS("End points on a and b, world coordinates at t = 0.",
                            "Distance that is kept; that of the points when absent.")};

const kai_joint_kind kai_joint_distance = {
    .kind = KAI_KIND(
        "distance", params, PARAMS,
        .doc = "Keeps the distance of two points: a massless rod with ball joints at its ends."),
    .rows = 1,
    .evaluate = distance_evaluate,
    .points = offsetof(params, points),
    .length = offsetof(params, length)};
