// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Rows: x_a · d, y_a · d, x_a · y_b, x_a · z_b, y_a · z_b.
#include "model/joints/joint_view.h"

static void prismatic_evaluate(const kai_joint_batch* b)
{
    for (size_t i = b->begin; i < b->end; i++) {
        const kai_joint_view v = kai_joint_view_look(b, i);
        kai_joint_row* row = b->rows + 5 * i;
        kai_joint_view_point(&v, 0, row);
        kai_joint_view_point(&v, 1, row + 1);
        kai_joint_view_dot(&v, 0, 1, row + 2);
        kai_joint_view_dot(&v, 0, 2, row + 3);
        kai_joint_view_dot(&v, 1, 2, row + 4);
    }
}

static const kai_param PARAMS[] = {KAI_JOINT_PARAMS};

const kai_joint_kind kai_joint_prismatic = {
    .kind = KAI_KIND("prismatic", kai_joint_base, PARAMS,
                     .doc = "Slider: b moves along the joint axis of a and does not rotate."),
    .rows = 5,
    .evaluate = prismatic_evaluate,
    .has_travel = true};
