// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Rows: d = 0 in the axes of a, and axis 1 (fixed to a) ⟂ axis 2 (fixed to b). `axis` is the first,
// `axis2` the second; the joint frame's z is along axis, and its x along axis2, so that the row is
// z_a · x_b.
#include "base/error.h"
#include "model/joints/joint_view.h"

typedef kai_joint_universal_params params;

static void universal_evaluate(const kai_joint_batch* b)
{
    for (size_t i = b->begin; i < b->end; i++) {
        const kai_joint_view v = kai_joint_view_look(b, i);
        kai_joint_row* row = b->rows + 4 * i;
        kai_joint_view_point(&v, 0, row);
        kai_joint_view_point(&v, 1, row + 1);
        kai_joint_view_point(&v, 2, row + 2);
        kai_joint_view_dot(&v, 2, 0, row + 3);
    }
}

static kai_result universal_prepare(const kai_world* world, void* instance, kai_error* err)
{
    (void)world;
    const params* p = instance;
    if (isnan(p->axis2.x) || isnan(p->base.axis.x)) return KAI_OK;
    const double off = kai_vec3_dot(kai_vec3_normalize(p->base.axis), kai_vec3_normalize(p->axis2));
    if (fabs(off) < 1e-6) return KAI_OK;
    return kai_error_set(err, KAI_ERROR_ARGUMENT,
                         "universal: axis and axis2 have a cosine of %g; must be perpendicular",
                         off);
}

static const kai_param PARAMS[] = {
    KAI_JOINT_PARAMS,
    KAI_PARAM(
        VEC3, params, axis2, .placing = KAI_PLACING_AXIAL,
        .initial = {(double)NAN, (double)NAN, (double)NAN},
        .doc =
            "Second axis, fixed to b, perpendicular to axis (which is fixed to a); world coordinates at t = 0."),
};

const kai_joint_kind kai_joint_universal = {
    .kind = KAI_KIND(
        "universal", params, PARAMS,
        .doc =
            "Cardan joint: the joint points coincide, and one axis of a stays perpendicular to one axis of b."),
    .rows = 4,
    .evaluate = universal_evaluate,
    .axis2 = offsetof(params, axis2),
    .prepare = universal_prepare};
