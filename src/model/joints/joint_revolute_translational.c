// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// A massless rod turns about an axis of a, and slides along a line of b. With the axis z_a through
// p_a, and the line through p_b along x_b (axis2), y_b = z_b × x_b:
//     z_a · x_b = 0,   z_a · y_b = 0,   z_a · d = 0,   y_b · d = distance.
// b keeps two degrees of freedom against a: it turns about z_a and slides along x_b.
#include "base/error.h"
#include "model/joints/joint_view.h"

typedef kai_joint_revolute_translational_params params;

static void revolute_translational_evaluate(const kai_joint_batch* b)
{
    for (size_t i = b->begin; i < b->end; i++) {
        const params* p = kai_joint_view_instance(b, i);
        const kai_joint_view v = kai_joint_view_look(b, i);
        kai_joint_row* row = b->rows + 4 * i;
        kai_joint_view_dot(&v, 2, 0, row);
        kai_joint_view_dot(&v, 2, 1, row + 1);
        kai_joint_view_point(&v, 2, row + 2);
        kai_joint_view_point_of_b(&v, 1, p->distance, row + 3);
    }
}

static kai_result revolute_translational_prepare(const kai_world* world, void* instance,
                                                 kai_error* err)
{
    params* p = instance;
    const kai_joint_view v = kai_joint_view_now(world, &p->base);
    if (isnan(p->distance)) p->distance = kai_vec3_dot(v.b[1], v.d);
    if (isnan(p->axis2.x) || isnan(p->base.axis.x)) return KAI_OK;
    const double off = kai_vec3_dot(kai_vec3_normalize(p->base.axis), kai_vec3_normalize(p->axis2));
    if (fabs(off) < 1e-6) return KAI_OK;
    return kai_error_set(
        err, KAI_ERROR_ARGUMENT,
        "revolute-translational: axis and axis2 have a cosine of %g; must be perpendicular", off);
}

static const kai_param PARAMS[] = {
    KAI_JOINT_PARAMS,
    KAI_PARAM(
        VEC3, params, points, .placing = KAI_PLACING_POINT, .unit = "m", .columns = 2,
        .initial = {(double)NAN, (double)NAN, (double)NAN},
        .doc = "A point on the axis of a, and one on the slide of b; world coordinates at t = 0."),
    KAI_PARAM(
        VEC3, params, axis2, .placing = KAI_PLACING_VECTOR,
        .initial = {(double)NAN, (double)NAN, (double)NAN},
        .doc =
            "Direction of the slide, fixed to b, perpendicular to axis; world coordinates at t = 0."),
    KAI_PARAM(
        REAL, params, distance, .unit = "m", .initial = {(double)NAN},
        .doc =
            "Distance of the slide from the axis along axis × axis2; the one at t = 0 when absent."),
};

const kai_joint_kind kai_joint_revolute_translational = {
    .kind = KAI_KIND(
        "revolute-translational", params, PARAMS,
        .doc = "A massless rod that rotates about an axis of a and slides along a line of b."),
    .rows = 4,
    .evaluate = revolute_translational_evaluate,
    .prepare = revolute_translational_prepare,
    .points = offsetof(params, points),
    .axis2 = offsetof(params, axis2)};
