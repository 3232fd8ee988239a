// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Row: |p_b - p_a| - length, with a multiplier ≤ 0: the force along the row pushes the points apart
// when positive.
#include "model/joints/joint_points.h"
#include "model/joints/joint_view.h"

typedef kai_joint_distance_params params;

static void rope_evaluate(const kai_joint_batch* b)
{
    for (size_t i = b->begin; i < b->end; i++) {
        const kai_joint_view v = kai_joint_view_look(b, i);
        kai_joint_view_distance(&v, ((const params*)kai_joint_view_instance(b, i))->length,
                                b->rows + i);
        b->rows[i].low = -HUGE_VAL;
        b->rows[i].high = 0.0;
    }
}

static const kai_param PARAMS[] = {
    KAI_JOINT_POINTS_PARAMS("End points on a and b, world coordinates at t = 0.",
                            "The distance; that of the points when absent.")};

const kai_joint_kind kai_joint_rope = {
    .kind = KAI_KIND(
        "rope", params, PARAMS,
        .doc =
            "Keeps two points within a distance of each other: it pulls and never pushes; not with rk4."),
    .rows = 1,
    .evaluate = rope_evaluate,
    .points = offsetof(params, points),
    .length = offsetof(params, length),
    .bounded = true};
