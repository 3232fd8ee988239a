// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Two sliders across each other, joined by a massless disc: shafts that are parallel but not in
// line turn together. Rows: z_a · d, x_a · z_b, y_a · z_b, x_a · y_b. b slides across the axis and
// never turns against a. Where bearings hold both shafts parallel already, the rows that do so here
// are redundant.
#include "model/joints/joint_view.h"

static void oldham_evaluate(const kai_joint_batch* b)
{
    for (size_t i = b->begin; i < b->end; i++) {
        const kai_joint_view v = kai_joint_view_look(b, i);
        kai_joint_row* row = b->rows + 4 * i;
        kai_joint_view_point(&v, 2, row);
        kai_joint_view_dot(&v, 0, 2, row + 1);
        kai_joint_view_dot(&v, 1, 2, row + 2);
        kai_joint_view_dot(&v, 0, 1, row + 3);
    }
}

static const kai_param PARAMS[] = {KAI_JOINT_PARAMS};

const kai_joint_kind kai_joint_oldham = {
    .kind = KAI_KIND(
        "oldham", kai_joint_base, PARAMS,
        .doc =
            "Couples parallel shafts: b moves perpendicular to the joint axis and rotates with a."),
    .rows = 4,
    .evaluate = oldham_evaluate};
