// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// A massless rod between a revolute joint on a (axis, at the first point) and a spherical joint on
// b. Rows: |d| - length, z_a · d.
#include "model/joints/joint_points.h"
#include "model/joints/joint_view.h"

typedef kai_joint_distance_params params;

static void revolute_spherical_evaluate(const kai_joint_batch* b)
{
    for (size_t i = b->begin; i < b->end; i++) {
        const kai_joint_view v = kai_joint_view_look(b, i);
        kai_joint_view_distance(&v, ((const params*)kai_joint_view_instance(b, i))->length,
                                b->rows + 2 * i);
        kai_joint_view_point(&v, 2, b->rows + 2 * i + 1);
    }
}

static const kai_param PARAMS[] = {
    KAI_JOINT_POINTS_PARAMS("The point on a that the axis goes through, and the point on b.",
                            "Length of the rod; the distance of the points when absent.")};

const kai_joint_kind kai_joint_revolute_spherical = {
    .kind = KAI_KIND(
        "revolute-spherical", params, PARAMS,
        .doc = "A massless rod that rotates about an axis of a and ends in a ball joint on b."),
    .rows = 2,
    .evaluate = revolute_spherical_evaluate,
    .points = offsetof(params, points),
    .length = offsetof(params, length)};
