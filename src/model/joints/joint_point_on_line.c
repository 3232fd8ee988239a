// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Rows: x_a · d, y_a · d.
#include "model/joints/joint_view.h"

static void point_on_line_evaluate(const kai_joint_batch* b)
{
    for (size_t i = b->begin; i < b->end; i++) {
        const kai_joint_view v = kai_joint_view_look(b, i);
        kai_joint_row* row = b->rows + 2 * i;
        kai_joint_view_point(&v, 0, row);
        kai_joint_view_point(&v, 1, row + 1);
    }
}

static const kai_param PARAMS[] = {KAI_JOINT_PARAMS};

const kai_joint_kind kai_joint_point_on_line = {
    .kind = KAI_KIND("point-on-line", kai_joint_base, PARAMS,
                     .doc = "The joint point of b stays on the joint axis of a; b rotates freely."),
    .rows = 2,
    .evaluate = point_on_line_evaluate,
    .has_travel = true};
