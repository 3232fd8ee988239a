// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Rows: x_a · d, y_a · d, x_a · z_b, y_a · z_b.
#include "model/joints/joint_view.h"

static void cylindrical_evaluate(const kai_joint_batch* b)
{
    for (size_t i = b->begin; i < b->end; i++) {
        const kai_joint_view v = kai_joint_view_look(b, i);
        kai_joint_row* row = b->rows + 4 * i;
        kai_joint_view_point(&v, 0, row);
        kai_joint_view_point(&v, 1, row + 1);
        kai_joint_view_dot(&v, 0, 2, row + 2);
        kai_joint_view_dot(&v, 1, 2, row + 3);
    }
}

static const kai_param PARAMS[] = {KAI_JOINT_PARAMS};

const kai_joint_kind kai_joint_cylindrical = {
    .kind = KAI_KIND("cylindrical", kai_joint_base, PARAMS,
                     .doc = "b moves along the joint axis of a and rotates about it."),
    .rows = 4,
    .evaluate = cylindrical_evaluate,
    .has_angle = true,
    .has_travel = true};
