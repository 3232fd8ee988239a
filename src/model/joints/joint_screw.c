// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Rows of the cylindrical joint, x_a · d, y_a · d, x_a · z_b, y_a · z_b, and of the thread
//     z_a · d - pitch (φ + 2π k) / 2π,   φ the angle of b relative to a in (-π, π].
// The turn k is the one that makes the row smallest, so that nothing has to be remembered: the
// thread is right as long as the row stays below half a pitch.
#include "base/error.h"
#include "model/joints/joint_motion.h"

typedef kai_joint_screw_params params;

static void screw_thread(const kai_joint_view* v, double pitch, kai_joint_row* row)
{
    kai_vec3 n;
    const double angle = kai_joint_motion_angle(v, &n), lead = pitch / (2.0 * KAI_PI);
    kai_joint_view_point(v, 2, row);
    const double turns = round(row->g / pitch - angle / (2.0 * KAI_PI));
    kai_joint_view_add_turn(v, -lead * angle - pitch * turns, kai_vec3_scale(n, -lead), row);
}

static void screw_evaluate(const kai_joint_batch* b)
{
    for (size_t i = b->begin; i < b->end; i++) {
        const params* p = kai_joint_view_instance(b, i);
        const kai_joint_view v = kai_joint_view_look(b, i);
        kai_joint_row* row = b->rows + 5 * i;
        kai_joint_view_point(&v, 0, row);
        kai_joint_view_point(&v, 1, row + 1);
        kai_joint_view_dot(&v, 0, 2, row + 2);
        kai_joint_view_dot(&v, 1, 2, row + 3);
        screw_thread(&v, p->pitch, row + 4);
    }
}

static kai_result screw_check(const void* instance, kai_error* err)
{
    const params* p = instance;
    if (p->pitch != 0.0) return KAI_OK;
    return kai_error_set(err, KAI_ERROR_ARGUMENT, "screw: pitch is 0 m; must not be 0");
}

static const kai_param PARAMS[] = {
    KAI_JOINT_PARAMS,
    KAI_PARAM(REAL, params, pitch, .placing = KAI_PLACING_HANDED, .unit = "m", .required = true,
              .doc = "Travel of b along the axis per turn, not 0; negative: a left-handed thread."),
};

const kai_joint_kind kai_joint_screw = {
    .kind = KAI_KIND(
        "screw", params, PARAMS, .check = screw_check,
        .doc = "b rotates about the joint axis of a and moves along it by the pitch per turn."),
    .rows = 5,
    .evaluate = screw_evaluate,
    .has_angle = true,
    .has_travel = true};
