// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Drives any of the six relative degrees of freedom by functions of time; the others stay free. Rows for
// ways:
//     A_k · d - value.
// For turns, with e_k the axes and R_k(φ) a turn about e_k by the value of r_k, k, l, m cyclic:
//     one driven, k            θ_k - value, θ_k the angle about axis k, any number of turns
//     two driven, k and l      A'_k · B_m, A'_l · B_m,              A' = A R_k R_l
//     three driven             A'_0 · B_1, A'_0 · B_2, A'_1 · B_2,  A' = A R_x R_y R_z
// A' turns against a at w = φ̇_k e_k + R_k φ̇_l e_l …, so that ∂/∂t (A'_i · B_j) = (w × A'_i) · B_j.
#include "base/error.h"
#include "model/joints/joint_motion.h"

typedef kai_joint_imposed_motion_params params;

enum { FIRST_TURN = 3 };

static bool is_driven(const params* p, int freedom)
{
    return !KAI_IS_NULL(p->value[freedom].function) || !isnan(p->value[freedom].constant);
}

static int rows_of(const void* instance)
{
    int n = 0;
    for (int i = 0; i < 6; i++) n += is_driven(instance, i);
    return n;
}

static kai_jet value_of(const kai_joint_batch* b, const params* p, int freedom)
{
    return kai_function_set_value(b->functions, &p->value[freedom], b->time);
}

/// The angle about axis k; joint_motion.h has it for z.
static void put_angle(const kai_joint_view* v, int k, kai_jet value, kai_joint_row* row)
{
    kai_joint_view turned = *v;
    for (int i = 0; i < 3; i++) {
        turned.a[i] = v->a[(i + k + 1) % 3];
        turned.b[i] = v->b[(i + k + 1) % 3];
    }
    kai_vec3 axis;
    const double angle = kai_joint_motion_angle(&turned, &axis);
    kai_joint_view_turn(v, kai_joint_motion_wrap(angle - value.y), axis, row);
    row->gt = -value.dy;
}

/// Axes A' after turns about `count` axes from `first` on, and their angular velocity against a.
static kai_vec3 imposed_motion_target(const kai_joint_batch* b, const params* p,
                                      const kai_joint_view* v, int first, int count,
                                      kai_vec3 axes[3])
{
    kai_vec3 w = kai_vec3_zero();
    for (int i = 0; i < 3; i++) axes[i] = v->a[i];
    for (int n = 0; n < count; n++) {
        const int k = (first + n) % 3, i = (k + 1) % 3, j = (k + 2) % 3;
        const kai_jet value = value_of(b, p, FIRST_TURN + k);
        const double c = cos(value.y), s = sin(value.y);
        w = kai_vec3_mul_add(w, axes[k], value.dy);
        const kai_vec3 x = axes[i], y = axes[j];
        axes[i] = kai_vec3_mul_add(kai_vec3_scale(x, c), y, s);
        axes[j] = kai_vec3_mul_add(kai_vec3_scale(y, c), x, -s);
    }
    return w;
}

/// g = axis · B_j, with `axis` turning at w against a.
static void put_dot(const kai_joint_view* v, kai_vec3 axis, kai_vec3 w, int j, kai_joint_row* row)
{
    kai_joint_view_turn(v, kai_vec3_dot(axis, v->b[j]), kai_vec3_cross(v->b[j], axis), row);
    row->gt = kai_vec3_dot(kai_vec3_cross(w, axis), v->b[j]);
}

static int put_turns(const kai_joint_batch* b, const params* p, const kai_joint_view* v,
                     kai_joint_row* row)
{
    int count = 0, first = 0, free = 0;
    for (int k = 2; k >= 0; k--) {
        if (is_driven(p, FIRST_TURN + k)) {
            first = k;
            count++;
        } else {
            free = k;
        }
    }
    kai_vec3 axes[3];
    if (count == 1) put_angle(v, first, value_of(b, p, FIRST_TURN + first), row);
    if (count == 2) {
        const int k = (free + 1) % 3, l = (free + 2) % 3;
        const kai_vec3 w = imposed_motion_target(b, p, v, k, 2, axes);
        put_dot(v, axes[k], w, free, row);
        put_dot(v, axes[l], w, free, row + 1);
    } else if (count == 3) {
        const kai_vec3 w = imposed_motion_target(b, p, v, 0, 3, axes);
        put_dot(v, axes[0], w, 1, row);
        put_dot(v, axes[0], w, 2, row + 1);
        put_dot(v, axes[1], w, 2, row + 2);
    }
    return count;
}

static void imposed_motion_evaluate(const kai_joint_batch* b)
{
    for (size_t i = b->begin; i < b->end; i++) {
        const params* p = kai_joint_view_instance(b, i);
        const kai_joint_view v = kai_joint_view_look(b, i);
        kai_joint_row* row = b->rows + KAI_JOINT_ROWS * i;
        int count = 0;
        for (int k = 0; k < 3; k++) {
            if (!is_driven(p, k)) continue;
            const kai_jet value = value_of(b, p, k);
            kai_joint_view_point(&v, k, row + count);
            row[count].g -= value.y;
            row[count++].gt = -value.dy;
        }
        count += put_turns(b, p, &v, row + count);
        for (; count < KAI_JOINT_ROWS; count++) row[count] = (kai_joint_row){0};
    }
}

static kai_result imposed_motion_check(const void* instance, kai_error* err)
{
    const params* p = instance;
    if (KAI_IS_NULL(p->joint) && KAI_IS_NULL(p->base.bodies[0]))
        return kai_error_set(
            err, KAI_ERROR_ARGUMENT,
            "imposed-motion: joint is missing; give it, or bodies with at and axis");
    if (rows_of(p) > 0) return KAI_OK;
    return kai_error_set(err, KAI_ERROR_ARGUMENT,
                         "imposed-motion: tx ty tz rx ry rz are missing; give one or more");
}

#define DRIVEN(name_, index_, unit_, doc_)                                                     \
    KAI_PARAM_AS(name_, VALUE, params, value[index_], .unit = unit_, .initial = {(double)NAN}, \
                 .derivatives = 2, .doc = doc_)

static const kai_param PARAMS[] = {
    KAI_JOINT_BASE_PARAMS(false),
    KAI_PARAM(JOINT, params, joint,
              .doc = "Joint whose frames are used, instead of bodies with at and axis."),
    DRIVEN("tx", KAI_JOINT_TX, "m",
           "Displacement of b's joint point along the x axis of a, over time; free when absent."),
    DRIVEN("ty", KAI_JOINT_TY, "m", "Displacement along the y axis of a; free when absent."),
    DRIVEN("tz", KAI_JOINT_TZ, "m", "Displacement along the z axis of a; free when absent."),
    DRIVEN("rx", KAI_JOINT_RX, "rad",
           "Rotation angle of b relative to a about x, over time; free when absent."),
    DRIVEN("ry", KAI_JOINT_RY, "rad", "Rotation angle about y; free when absent."),
    DRIVEN("rz", KAI_JOINT_RZ, "rad", "Rotation angle about z; free when absent."),
};

const kai_joint_kind kai_joint_imposed_motion = {
    .kind = KAI_KIND(
        "imposed-motion", params, PARAMS, .check = imposed_motion_check,
        .doc =
            "Prescribes the motion of b relative to a in any of the six degrees of freedom of the joint frame. All three rotations are applied in the order x, y, z, each about the axes as already rotated; two rotations in the order y z (x is free), z x (y is free) or x y (z is free)."),
    .section = "motors",
    .rows = KAI_JOINT_ROWS,
    .rows_of = rows_of,
    .evaluate = imposed_motion_evaluate,
    .joint = offsetof(params, joint),
    .driven = true};
