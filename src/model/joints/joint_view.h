// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Primitive rows that joint kinds are made of.
//
// With A_i, B_j the axes of the joint frames on a and b (world), p_a, p_b their origins, d = p_b -
// p_a, r_a and r_b the arms from the mass centres:
//
//     point k     g = A_k · d            ∂v: -A_k, A_k        ∂ω: -(r_a + d) × A_k,  r_b × A_k
//     dot i j     g = A_i · B_j          ∂v: 0, 0             ∂ω: A_i × B_j, -A_i × B_j
//     distance    g = |d| - L            ∂v: -n, n            ∂ω: -r_a × n, r_b × n,   n = d / |d|
//     point of b  g = B_k · d            ∂v: -B_k, B_k        ∂ω: -r_a × B_k,  (r_b - d) × B_k
//     field       g = f(p_b in the axes of a),  n = ∇f
//                                        ∂v: -n, n            ∂ω: -(r_a + d) × n,  r_b × n
//     spins       no g: f_a · ω_a + f_b · ω_b = 0
//
// Factors of angular velocities are turned into the principal frames, in which the engine keeps
// them.
#ifndef MODEL_JOINT_VIEW_H
#define MODEL_JOINT_VIEW_H

#include "model/world.h"

#include <kairos/joint.h>

/// The two frames of a joint in the world.
typedef struct kai_joint_view {
    kai_vec3 a[3], b[3]; // axes of the joint frames
    kai_vec3 ra, rb;     // from the mass centres to the frame origins
    kai_vec3 d;          // from the origin on a to the origin on b
    kai_quat qa, qb;     // principal axes of the bodies
} kai_joint_view;

/// Instance i of a batch.
static inline const void* kai_joint_view_instance(const kai_joint_batch* b, size_t i)
{
    return (const char*)b->instances + i * b->size;
}

static inline void kai_joint_view_axes(kai_quat q, kai_vec3 axes[3])
{
    const kai_mat33 m = kai_quat_to_mat33(q);
    for (int i = 0; i < 3; i++) axes[i] = kai_vec3_make(m.m[0][i], m.m[1][i], m.m[2][i]);
}

/// The view of a joint whose bodies are at pa and pb.
static inline kai_joint_view kai_joint_view_make(const kai_joint_base* joint, const kai_pose* pa,
                                                 const kai_pose* pb)
{
    kai_joint_view v = {.qa = pa->rotation, .qb = pb->rotation};
    kai_joint_view_axes(kai_quat_mul(v.qa, joint->inner[0].rotation), v.a);
    kai_joint_view_axes(kai_quat_mul(v.qb, joint->inner[1].rotation), v.b);
    v.ra = kai_quat_rotate(v.qa, joint->inner[0].position);
    v.rb = kai_quat_rotate(v.qb, joint->inner[1].position);
    v.d = kai_vec3_sub(kai_vec3_add(pb->position, v.rb), kai_vec3_add(pa->position, v.ra));
    return v;
}

/// Looks at joint i of a batch.
static inline kai_joint_view kai_joint_view_look(const kai_joint_batch* b, size_t i)
{
    return kai_joint_view_make((const kai_joint_base*)kai_joint_view_instance(b, i),
                               &b->pose[b->slot[2 * i]], &b->pose[b->slot[2 * i + 1]]);
}

/// Looks at a joint that is being created, from inside its kind's prepare().
static inline kai_joint_view kai_joint_view_now(const kai_world* world, const kai_joint_base* joint)
{
    const kai_bodies* bodies = &world->bodies;
    return kai_joint_view_make(joint, &bodies->pose[kai_bodies_slot(bodies, joint->bodies[0])],
                               &bodies->pose[kai_bodies_slot(bodies, joint->bodies[1])]);
}

/// A row with the force n on b and -n on a, at these arms from the mass centres.
static inline void kai_joint_view_force(const kai_joint_view* v, double g, kai_vec3 n,
                                        kai_vec3 arm_a, kai_vec3 arm_b, kai_joint_row* row)
{
    row->g = g;
    row->gt = 0.0;
    row->a.force = kai_vec3_neg(n);
    row->b.force = n;
    row->a.torque = kai_quat_unrotate(v->qa, kai_vec3_cross(n, arm_a));
    row->b.torque = kai_quat_unrotate(v->qb, kai_vec3_cross(arm_b, n));
}

/// A row with the force direction n at both points; `arm` is the arm on a.
static inline void kai_joint_view_pull(const kai_joint_view* v, double g, kai_vec3 n, kai_vec3 arm,
                                       kai_joint_row* row)
{
    kai_joint_view_force(v, g, n, arm, v->rb, row);
}

/// g = f(where the point of b is, as seen from a), given f and its gradient n in world axes.
static inline void kai_joint_view_field(const kai_joint_view* v, double f, kai_vec3 n,
                                        kai_joint_row* row)
{
    kai_joint_view_pull(v, f, n, kai_vec3_add(v->ra, v->d), row);
}

/// g = B_k · d - offset
static inline void kai_joint_view_point_of_b(const kai_joint_view* v, int k, double offset,
                                             kai_joint_row* row)
{
    kai_joint_view_force(v, kai_vec3_dot(v->b[k], v->d) - offset, v->b[k], v->ra,
                         kai_vec3_sub(v->rb, v->d), row);
}

/// g = A_k · d
static inline void kai_joint_view_point(const kai_joint_view* v, int k, kai_joint_row* row)
{
    kai_joint_view_pull(v, kai_vec3_dot(v->a[k], v->d), v->a[k], kai_vec3_add(v->ra, v->d), row);
}

/// g = |d| - length
static inline void kai_joint_view_distance(const kai_joint_view* v, double length,
                                           kai_joint_row* row)
{
    const double l = kai_vec3_norm(v->d);
    const kai_vec3 n = l > 0.0 ? kai_vec3_scale(v->d, 1.0 / l) : v->a[2];
    kai_joint_view_pull(v, l - length, n, v->ra, row);
}

/// A row that turns: g with the axis n of the relative angular velocity ω_b - ω_a.
static inline void kai_joint_view_turn(const kai_joint_view* v, double g, kai_vec3 n,
                                       kai_joint_row* row)
{
    row->g = g;
    row->gt = 0.0;
    row->a.force = row->b.force = kai_vec3_zero();
    row->a.torque = kai_vec3_neg(kai_quat_unrotate(v->qa, n));
    row->b.torque = kai_quat_unrotate(v->qb, n);
}

/// g = A_i · B_j
static inline void kai_joint_view_dot(const kai_joint_view* v, int i, int j, kai_joint_row* row)
{
    kai_joint_view_turn(v, kai_vec3_dot(v->a[i], v->b[j]), kai_vec3_cross(v->b[j], v->a[i]), row);
}

/// Adds a turning part to a row: dg, with rate n · (ω_b - ω_a).
static inline void kai_joint_view_add_turn(const kai_joint_view* v, double dg, kai_vec3 n,
                                           kai_joint_row* row)
{
    row->g += dg;
    row->a.torque = kai_vec3_sub(row->a.torque, kai_quat_unrotate(v->qa, n));
    row->b.torque = kai_vec3_add(row->b.torque, kai_quat_unrotate(v->qb, n));
}

/// A velocity-level row between spins: fa · ω_a + fb · ω_b = 0.
static inline void kai_joint_view_spins(const kai_joint_view* v, kai_vec3 fa, kai_vec3 fb,
                                        kai_joint_row* row)
{
    *row = (kai_joint_row){.a.torque = kai_quat_unrotate(v->qa, fa),
                           .b.torque = kai_quat_unrotate(v->qb, fb)};
}

/// How many rows an instance has.
static inline int kai_joint_view_rows(const kai_joint_kind* kind, const void* instance)
{
    return kind->rows_of ? kind->rows_of(instance) : kind->rows;
}

/// How far a row is from holding: |g|, only the wrong side of it for rows with one bound, 0 for
/// rows that hold for velocities.
static inline double kai_joint_view_gap(const kai_joint_kind* kind, const kai_joint_row* row)
{
    if (kind->velocity_level) return 0.0;
    if (kind->bounded && row->low >= 0.0) return fmax(0.0, -row->g);
    if (kind->bounded && row->high <= 0.0) return fmax(0.0, row->g);
    return fabs(row->g);
}

#endif
