// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Motion and velocities of bodies by the half-implicit Euler method: the formulas for a small group
// of bodies, stage by stage, each stage one vectorised loop, and passes of them over all bodies.
//
//     drift:  x += h v,   q = q ∘ exp(h ω)
//     kick:   v += h (g + f/m),   ω = I⁻¹ (exp(-h ω) I ω + h τ)
//
// The gyroscopic term turns the angular momentum (principal frame) by -h ω instead of adding
// h (I ω × ω): its length is kept exactly, so that |ω| ≤ |I ω| / I_min for any step and any spin.
//
// Bytes a pass must move for a body: 256 (pose and motion, read and written; a kick alone 128), + 64
// mass when it is not isotropic, + 48 for each of the forces.
#ifndef STEP_BODY_MOTION_H
#define STEP_BODY_MOTION_H

#include "base/simd.h"
#include "contact/contacts_list_check.h"
#include "model/sleep.h"
#include "model/world.h"
#include "step/integrators/sphere_motion.h"
#include "step/rotation.h"

#include <string.h>

// Passes over all bodies -------------------------------------------------------------------------

/// What acts on bodies beside gravity.
typedef struct kai_body_motion_forces {
    const kai_wrench* loads;       // [bodies] torques in principal axes; NULL: none
    const kai_wrench* contact;     // [bodies] torques in the world frame; NULL: none
    size_t equal_begin, equal_end; // slots of bodies of the same mass and moments, likely most
} kai_body_motion_forces;

/// Motion for h. False: some state is not finite.
bool kai_body_motion_drift(const kai_world* world, double h);

/// New velocities after h.
void kai_body_motion_kick(const kai_world* world, double h, const kai_body_motion_forces* forces);

/// New velocities after h by gravity alone, and motion for h, in one pass.
bool kai_body_motion_fly(const kai_world* world, double h);

/// New velocities after h, and with them motion for h / 2, in one pass.
bool kai_body_motion_finish(const kai_world* world, double h, const kai_body_motion_forces* forces);

/// Motion for h into bodies.pose_next; the bodies stay where they are. False: some state is not
/// finite or beyond all bounds. `check`: of skin boxes that spheres may leave, or NULL; `*inside`:
/// none did.
bool kai_body_motion_look(const kai_world* world, double h, const kai_contacts_list_check* check,
                          bool* inside);

// Groups of up to KAI_ROTATION_GROUP bodies ------------------------------------------------------

// The loops below read records as rows of eight doubles, in the order of their fields: compilers
// vectorise that, and not copies of structs.
enum { KAI_ROW_Q = 4, KAI_ROW_W = 3, KAI_ROW_MOMENTS = 2, KAI_ROW_INVERSE = 5 };

_Static_assert(offsetof(kai_pose, rotation) == KAI_ROW_Q * sizeof(double), "order of fields");
_Static_assert(offsetof(kai_motion, spin) == KAI_ROW_W * sizeof(double), "order of fields");
_Static_assert(offsetof(kai_bodies_mass, moments) == KAI_ROW_MOMENTS * sizeof(double),
               "order of fields");
_Static_assert(offsetof(kai_bodies_mass, inverse_moments) == KAI_ROW_INVERSE * sizeof(double),
               "order of fields");

/// What a group of bodies needs beside its records; stays in the first-level cache.
typedef struct kai_body_motion_group {
    kai_rotation_group w;
    double gyroscopic[KAI_ROTATION_GROUP]; // 0 for isotropic bodies, else 1
    double h[KAI_ROTATION_GROUP];          // 0 for fixed bodies
    double x[KAI_ROTATION_GROUP], y[KAI_ROTATION_GROUP], z[KAI_ROTATION_GROUP]; // new spin
} kai_body_motion_group;

/// The gyroscopic term: l = I ω becomes l + 2 c t - ..., turned by -h ω. Isotropic bodies keep ω to
/// the bit.
KAI_INLINE void kai_body_motion_gyrate(kai_body_motion_group* restrict g,
                                       const kai_sphere_motion_row* restrict mass, size_t n,
                                       double h)
{
    kai_rotation_half_angles(&g->w, n, h);
#pragma omp simd
    for (size_t i = 0; i < n; i++) {
        const double wx = g->w.x[i], wy = g->w.y[i], wz = g->w.z[i], c = g->w.c[i], k = g->w.k[i];
        const double lx = mass[i][KAI_ROW_MOMENTS] * wx, ly = mass[i][KAI_ROW_MOMENTS + 1] * wy,
                     lz = mass[i][KAI_ROW_MOMENTS + 2] * wz;
        // u = k ω is the vector part of the turn; t = -2 u × l; the turned l is l + c t - u × t.
        const double ux = k * wx, uy = k * wy, uz = k * wz;
        const double tx = 2.0 * (uz * ly - uy * lz), ty = 2.0 * (ux * lz - uz * lx),
                     tz = 2.0 * (uy * lx - ux * ly);
        const double ax = lx + c * tx - (uy * tz - uz * ty), ay = ly + c * ty - (uz * tx - ux * tz),
                     az = lz + c * tz - (ux * ty - uy * tx);
        const double s = g->gyroscopic[i];
        g->w.x[i] = wx + s * (mass[i][KAI_ROW_INVERSE] * ax - wx);
        g->w.y[i] = wy + s * (mass[i][KAI_ROW_INVERSE + 1] * ay - wy);
        g->w.z[i] = wz + s * (mass[i][KAI_ROW_INVERSE + 2] * az - wz);
    }
}

/// What forces, wrench[0 …], add to the velocities. `world`: torques are in the world frame. `one`:
/// the mass of all, or NULL.
KAI_INLINE void kai_body_motion_push(kai_body_motion_group* g, const kai_bodies* bodies,
                                     const kai_wrench* wrench, bool world,
                                     const kai_bodies_mass* one, size_t first, size_t n, double h)
{
    for (size_t i = 0; i < n; i++) {
        const kai_bodies_mass* mass = one ? one : kai_bodies_mass_of(bodies, first + i);
        kai_wrench f = wrench[i];
        if (world) f.torque = kai_quat_unrotate(bodies->pose[first + i].rotation, f.torque);
        kai_motion* m = &bodies->motion[first + i];
        const kai_vec3 spin = kai_rotation_spin(mass, f.torque);
        m->velocity = kai_vec3_mul_add(m->velocity, f.force, h * mass->inverse_mass);
        g->w.x[i] += h * spin.x;
        g->w.y[i] += h * spin.y;
        g->w.z[i] += h * spin.z;
    }
}

/// Gravity, then x and q at the new velocities. Returns a sum that is NaN when some state is not
/// finite.
KAI_INLINE double kai_body_motion_advance(const kai_body_motion_group* restrict g,
                                          kai_sphere_motion_row* restrict pose,
                                          kai_sphere_motion_row* restrict motion, size_t n,
                                          kai_vec3 gravity)
{
    double sum = 0.0;
#pragma omp simd reduction(+ : sum)
    for (size_t i = 0; i < n; i++) {
        const double h = g->h[i];
        const double vx = motion[i][0] + h * gravity.x, vy = motion[i][1] + h * gravity.y,
                     vz = motion[i][2] + h * gravity.z;
        // with the mean of old and new velocity
        const double s = 0.5 * h, x = pose[i][0] + s * (motion[i][0] + vx),
                     y = pose[i][1] + s * (motion[i][1] + vy),
                     z = pose[i][2] + s * (motion[i][2] + vz);
        // q ∘ (c, k ω), then one Newton step towards norm 1 as in kai_rotation_polish
        const double c = g->w.c[i], bx = g->w.k[i] * g->w.x[i], by = g->w.k[i] * g->w.y[i],
                     bz = g->w.k[i] * g->w.z[i];
        const double aw = pose[i][KAI_ROW_Q], ax = pose[i][KAI_ROW_Q + 1],
                     ay = pose[i][KAI_ROW_Q + 2], az = pose[i][KAI_ROW_Q + 3];
        const double qw = aw * c - ax * bx - ay * by - az * bz,
                     qx = aw * bx + ax * c + ay * bz - az * by,
                     qy = aw * by - ax * bz + ay * c + az * bx,
                     qz = aw * bz + ax * by - ay * bx + az * c;
        const double f = h > 0.0 ? 1.5 - 0.5 * (qw * qw + qx * qx + qy * qy + qz * qz) : 1.0;
        motion[i][0] = vx, motion[i][1] = vy, motion[i][2] = vz;
        motion[i][KAI_ROW_W] = g->x[i], motion[i][KAI_ROW_W + 1] = g->y[i],
        motion[i][KAI_ROW_W + 2] = g->z[i];
        pose[i][0] = x, pose[i][1] = y, pose[i][2] = z;
        pose[i][KAI_ROW_Q] = f * qw, pose[i][KAI_ROW_Q + 1] = f * qx,
        pose[i][KAI_ROW_Q + 2] = f * qy, pose[i][KAI_ROW_Q + 3] = f * qz;
        sum += 0.0 * (x + y + z + qw + qx + qy + qz);
    }
    return sum;
}

/// Reads the angular velocities and flags of a group; true when some body has a gyroscopic term.
KAI_INLINE bool kai_body_motion_start(kai_body_motion_group* restrict g,
                                      const kai_motion* restrict motion, size_t n, double h)
{
    uint64_t all = KAI_BODY_ISOTROPIC;
    for (size_t i = 0; i < n; i++) {
        g->w.x[i] = motion[i].spin.x;
        g->w.y[i] = motion[i].spin.y;
        g->w.z[i] = motion[i].spin.z;
        g->h[i] = motion[i].flags & KAI_SLEEP_STILL ? 0.0 : h;
        g->gyroscopic[i] = motion[i].flags & (KAI_BODY_ISOTROPIC | KAI_BODY_FIXED) ? 0.0 : 1.0;
        all &= motion[i].flags;
    }
    return !all;
}

/// Writes new velocities back without moving anything.
KAI_INLINE void kai_body_motion_store(const kai_body_motion_group* g, kai_motion* motion, size_t n,
                                      kai_vec3 gravity)
{
    for (size_t i = 0; i < n; i++) {
        motion[i].velocity = kai_vec3_mul_add(motion[i].velocity, gravity, g->h[i]);
        motion[i].spin = kai_vec3_make(g->w.x[i], g->w.y[i], g->w.z[i]);
    }
}

/// Keeps the new spin, and turns bodies by the mean of it and the old one.
KAI_INLINE void kai_body_motion_average(kai_body_motion_group* restrict g,
                                        const kai_motion* restrict motion, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        g->x[i] = g->w.x[i];
        g->y[i] = g->w.y[i];
        g->z[i] = g->w.z[i];
        g->w.x[i] = 0.5 * (motion[i].spin.x + g->x[i]);
        g->w.y[i] = 0.5 * (motion[i].spin.y + g->y[i]);
        g->w.z[i] = 0.5 * (motion[i].spin.z + g->z[i]);
    }
}

/// Motion for h with the mean of old and new velocities. `pose`: of the first body of the group.
/// Returns a sum that is NaN when some state is not finite.
KAI_INLINE double kai_body_motion_move(kai_body_motion_group* g, const kai_bodies* bodies,
                                       kai_pose* pose, size_t first, size_t n, double h,
                                       kai_vec3 gravity)
{
    kai_motion* motion = &bodies->motion[first];
    kai_body_motion_average(g, motion, n);
    kai_rotation_half_angles(&g->w, n, h);
    return kai_body_motion_advance(g, (kai_sphere_motion_row*)pose, (kai_sphere_motion_row*)motion,
                                   n, gravity);
}

/// The masses of a group of bodies as rows.
static inline const kai_sphere_motion_row* kai_body_motion_masses(const kai_bodies* bodies,
                                                                  size_t first, size_t n,
                                                                  kai_bodies_mass* room)
{
    return (const void*)kai_bodies_masses_of(bodies, first, n, room);
}

#endif
