// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Rows: z_a · d.
#include "model/joints/joint_view.h"

static void point_on_plane_evaluate(const kai_joint_batch* b)
{
    for (size_t i = b->begin; i < b->end; i++) {
        const kai_joint_view v = kai_joint_view_look(b, i);
        kai_joint_row* row = b->rows + i;
        kai_joint_view_point(&v, 2, row);
    }
}

static const kai_param PARAMS[] = {KAI_JOINT_PARAMS};

const kai_joint_kind kai_joint_point_on_plane = {
    .kind = KAI_KIND(
        "point-on-plane", kai_joint_base, PARAMS,
        .doc =
            "The joint point of b stays in the plane perpendicular to the joint axis of a; b rotates freely."),
    .rows = 1,
    .evaluate = point_on_plane_evaluate};
