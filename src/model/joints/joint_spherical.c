// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Rows: x_a · d, y_a · d, z_a · d.
#include "model/joints/joint_view.h"

static void spherical_evaluate(const kai_joint_batch* b)
{
    for (size_t i = b->begin; i < b->end; i++) {
        const kai_joint_view v = kai_joint_view_look(b, i);
        kai_joint_row* row = b->rows + 3 * i;
        kai_joint_view_point(&v, 0, row);
        kai_joint_view_point(&v, 1, row + 1);
        kai_joint_view_point(&v, 2, row + 2);
    }
}

static const kai_param PARAMS[] = {KAI_JOINT_PARAMS};

const kai_joint_kind kai_joint_spherical = {
    .kind = KAI_KIND("spherical", kai_joint_base, PARAMS,
                     .doc = "Ball joint: the joint points coincide; b rotates freely."),
    .rows = 3,
    .evaluate = spherical_evaluate};
