// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Rows: z_a · d, x_a · z_b, y_a · z_b.
#include "model/joints/joint_view.h"

static void planar_evaluate(const kai_joint_batch* b)
{
    for (size_t i = b->begin; i < b->end; i++) {
        const kai_joint_view v = kai_joint_view_look(b, i);
        kai_joint_row* row = b->rows + 3 * i;
        kai_joint_view_point(&v, 2, row);
        kai_joint_view_dot(&v, 0, 2, row + 1);
        kai_joint_view_dot(&v, 1, 2, row + 2);
    }
}

static const kai_param PARAMS[] = {KAI_JOINT_PARAMS};

const kai_joint_kind kai_joint_planar = {
    .kind = KAI_KIND(
        "planar", kai_joint_base, PARAMS,
        .doc = "b moves in the plane perpendicular to the joint axis and rotates about the axis."),
    .rows = 3,
    .evaluate = planar_evaluate,
    .has_angle = true};
