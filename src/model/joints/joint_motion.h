// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The relative motion of two joint frames: angle about, and travel along, the axis of a.
//
// With A_i, B_j the axes of the frames on a and b (joint_view.h), c = A_0 · B_0, s = A_1 · B_0:
//
//     θ = atan2(s, c),   θ̇ = n · (ω_b - ω_a),   n = B_0 × (c A_1 - s A_0) / (c² + s²)
//
// exactly, also when the axes are not aligned; n = A_2 when they are. Travel is A_2 · d and its
// rate A_2 · u, with u the velocity of the frame on b as seen from a.
#ifndef MODEL_JOINT_MOTION_H
#define MODEL_JOINT_MOTION_H

#include "model/joints/joint_view.h"

/// θ in (-π, π], and n. Where B_0 points along A_2 the angle is not defined: 0 and A_2.
static inline double kai_joint_motion_angle(const kai_joint_view* v, kai_vec3* axis)
{
    const double c = kai_vec3_dot(v->a[0], v->b[0]), s = kai_vec3_dot(v->a[1], v->b[0]);
    const double norm2 = c * c + s * s;
    *axis = v->a[2];
    if (norm2 < 1e-20) return 0.0;
    const kai_vec3 across = kai_vec3_mul_add(kai_vec3_scale(v->a[1], c), v->a[0], -s);
    *axis = kai_vec3_scale(kai_vec3_cross(v->b[0], across), 1.0 / norm2);
    return atan2(s, c);
}

/// ω_b - ω_a, world frame.
static inline kai_vec3 kai_joint_motion_spin(const kai_joint_view* v, const kai_motion* a,
                                             const kai_motion* b)
{
    return kai_vec3_sub(kai_quat_rotate(v->qb, b->spin), kai_quat_rotate(v->qa, a->spin));
}

/// u, world frame.
static inline kai_vec3 kai_joint_motion_drift(const kai_joint_view* v, const kai_motion* a,
                                              const kai_motion* b)
{
    const kai_vec3 at_b =
        kai_vec3_add(b->velocity, kai_vec3_cross(kai_quat_rotate(v->qb, b->spin), v->rb));
    const kai_vec3 at_a = kai_vec3_add(
        a->velocity, kai_vec3_cross(kai_quat_rotate(v->qa, a->spin), kai_vec3_add(v->ra, v->d)));
    return kai_vec3_sub(at_b, at_a);
}

/// An angle with as many whole turns as bring it nearest to `before`. Its bits depend on the angle
/// and the turns only, so that it does not matter how often it was followed.
static inline double kai_joint_motion_nearest(double angle, double before)
{
    return angle + 2.0 * KAI_PI * rint((before - angle) / (2.0 * KAI_PI));
}

/// An angle less whole turns, in [-π, π].
static inline double kai_joint_motion_wrap(double angle) { return remainder(angle, 2.0 * KAI_PI); }

#endif
