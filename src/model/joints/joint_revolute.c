// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Rows: x_a · d, y_a · d, z_a · d, x_a · z_b, y_a · z_b.
#include "model/joints/joint_view.h"

static void revolute_evaluate(const kai_joint_batch* b)
{
    for (size_t i = b->begin; i < b->end; i++) {
        const kai_joint_view v = kai_joint_view_look(b, i);
        kai_joint_row* row = b->rows + 5 * i;
        kai_joint_view_point(&v, 0, row);
        kai_joint_view_point(&v, 1, row + 1);
        kai_joint_view_point(&v, 2, row + 2);
        kai_joint_view_dot(&v, 0, 2, row + 3);
        kai_joint_view_dot(&v, 1, 2, row + 4);
    }
}

static const kai_param PARAMS[] = {KAI_JOINT_PARAMS};

const kai_joint_kind kai_joint_revolute = {
    .kind = KAI_KIND("revolute", kai_joint_base, PARAMS,
                     .doc = "Hinge (pin): b rotates about the joint axis of a."),
    .rows = 5,
    .evaluate = revolute_evaluate,
    .has_angle = true};
