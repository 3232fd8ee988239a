// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Rows: x_a · z_b, y_a · z_b.
#include "model/joints/joint_view.h"

static void parallel_evaluate(const kai_joint_batch* b)
{
    for (size_t i = b->begin; i < b->end; i++) {
        const kai_joint_view v = kai_joint_view_look(b, i);
        kai_joint_row* row = b->rows + 2 * i;
        kai_joint_view_dot(&v, 0, 2, row);
        kai_joint_view_dot(&v, 1, 2, row + 1);
    }
}

static const kai_param PARAMS[] = {KAI_JOINT_PARAMS};

const kai_joint_kind kai_joint_parallel = {
    .kind = KAI_KIND("parallel", kai_joint_base, PARAMS,
                     .doc = "The joint axes of a and b stay parallel; positions are free."),
    .rows = 2,
    .evaluate = parallel_evaluate,
    .has_angle = true};
