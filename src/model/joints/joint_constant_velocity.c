// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Points coincide, d = 0, and the shafts z_a, z_b turn at the same speed however they are bent:
//     (y_a · x_b - x_a · y_b) / 2 = 0.
// The frames agree when the shafts are in line. The row then says that b is turned against a about
// an axis across the shafts, without any twist; its rate is (z_a + z_b)/2 · (ω_b - ω_a) + …, so
// that ω_a = s_a z_a and ω_b = s_b z_b give s_a = s_b. It fails at a bend of half a turn.
#include "base/error.h"
#include "model/joints/joint_view.h"

typedef kai_joint_constant_velocity_params params;

static void constant_velocity_twist(const kai_joint_view* v, kai_joint_row* row)
{
    const double g = kai_vec3_dot(v->a[1], v->b[0]) - kai_vec3_dot(v->a[0], v->b[1]);
    const kai_vec3 n =
        kai_vec3_sub(kai_vec3_cross(v->b[0], v->a[1]), kai_vec3_cross(v->b[1], v->a[0]));
    kai_joint_view_turn(v, 0.5 * g, kai_vec3_scale(n, 0.5), row);
}

static void constant_velocity_evaluate(const kai_joint_batch* b)
{
    for (size_t i = b->begin; i < b->end; i++) {
        const kai_joint_view v = kai_joint_view_look(b, i);
        kai_joint_row* row = b->rows + 4 * i;
        kai_joint_view_point(&v, 0, row);
        kai_joint_view_point(&v, 1, row + 1);
        kai_joint_view_point(&v, 2, row + 2);
        constant_velocity_twist(&v, row + 3);
    }
}

/// Bends the frame of b, the shortest way, from the shaft of a to its own.
static kai_result constant_velocity_prepare(const kai_world* world, void* instance, kai_error* err)
{
    params* p = instance;
    if (isnan(p->axis2.x)) return KAI_OK;
    const kai_joint_view v = kai_joint_view_now(world, &p->base);
    const kai_vec3 shaft = kai_vec3_normalize(p->axis2);
    const double cosine = kai_vec3_dot(v.b[2], shaft);
    if (!(cosine > -1.0 + 1e-6) || kai_vec3_norm2(shaft) == 0.0)
        return kai_error_set(err, KAI_ERROR_ARGUMENT,
                             "constant-velocity: axis2 is [%g, %g, %g]; must have a length > 0 and "
                             "not be opposite to axis",
                             p->axis2.x, p->axis2.y, p->axis2.z);
    kai_quat* inner = &p->base.inner[1].rotation;
    const kai_quat in_b =
        kai_quat_from_two_vectors(kai_quat_unrotate(v.qb, v.b[2]), kai_quat_unrotate(v.qb, shaft));
    *inner = kai_quat_normalize(kai_quat_mul(in_b, *inner));
    return KAI_OK;
}

static const kai_param PARAMS[] = {
    KAI_JOINT_PARAMS,
    KAI_PARAM(
        VEC3, params, axis2, .placing = KAI_PLACING_AXIAL,
        .initial = {(double)NAN, (double)NAN, (double)NAN},
        .doc = "The shaft of b in world coordinates at t = 0; along axis, which is the shaft of a, "
               "when absent."),
};

const kai_joint_kind kai_joint_constant_velocity = {
    .kind = KAI_KIND(
        "constant-velocity", params, PARAMS,
        .doc =
            "Two shafts meet in a point and rotate at the same speed at any angle between them."),
    .rows = 4,
    .evaluate = constant_velocity_evaluate,
    .prepare = constant_velocity_prepare};
