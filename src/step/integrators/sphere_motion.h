// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// A whole step of the half-implicit Euler method (integrator_euler.c) for bodies of one mass and
// one moment of inertia about all axes, that move freely, eight at a time:
//
//     x_m = x₀ + h/2 v₀,   q_m = q₀ ∘ exp(h/2 ω₀)
//     v₁ = v₀ + h f/m + h g,   ω₁ = ω₀ + h/I q_m⁻¹ τ q_m
//     x₁ = x_m + h/2 v₁,   q₁ = q_m ∘ exp(h/2 ω₁)
//
// Flops a body: 200. Bytes: 128 read and written, 64 read of sums.
#ifndef STEP_SPHERE_MOTION_H
#define STEP_SPHERE_MOTION_H

#include "contact/grains.h"
#include "step/rotation.h"

#include <string.h>

/// Pose, motion or sum of forces as a row of eight numbers: compilers vectorise that, and not
/// copies of structs. Sums are kai_grains_sum.
typedef double kai_sphere_motion_row[8];

_Static_assert(sizeof(kai_grains_skin_box) == 4 * sizeof(float), "half a row");

enum { KAI_SPHERE_MOTION_LANES = 8 };

/// What all bodies have in common.
typedef struct kai_sphere_motion {
    double h;
    double kick;    // h / m
    double turn;    // h / I
    double pull[3]; // h g
    // A look ahead: whether a ball of `radius` about the place half a step on is inside a skin_box
    bool look;
    double radius;
    double origin[3]; // of skin_boxes
} kai_sphere_motion;

/// cos |u| and sin |u| / |u| for s = |u|² up to 1; (1, 0), no turn, beyond.
KAI_INLINE void kai_sphere_motion_series(double s, double* c, double* k)
{
    double cosine = 0.0, sinc = 0.0;
#define KAI_SPHERE_MOTION_HORNER(a, b) cosine = (a) + s * cosine, sinc = (b) + s * sinc;
    KAI_ROTATION_SERIES(KAI_SPHERE_MOTION_HORNER)
#undef KAI_SPHERE_MOTION_HORNER
    *c = s <= 1.0 ? cosine : 1.0;
    *k = s <= 1.0 ? sinc : 0.0;
}

/// Turns a body by half a step of its spin, where that is more than the series is good for.
static inline void kai_sphere_motion_spin(double* q, const double* w, double half)
{
    const double u2 = 0.25 * half * half * (w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
    if (!(u2 > 1.0)) return;
    const kai_quat by = kai_rotation_exp(kai_vec3_make(half * w[0], half * w[1], half * w[2]));
    const kai_quat to =
        kai_rotation_polish(kai_quat_mul(kai_quat_make(q[0], q[1], q[2], q[3]), by));
    q[0] = to.w, q[1] = to.x, q[2] = to.y, q[3] = to.z;
}

/// Largest square of a spin.
KAI_INLINE double kai_sphere_motion_most(const kai_sphere_motion_row* restrict motion, size_t n)
{
    double most = 0.0;
#pragma omp simd reduction(max : most)
    for (size_t i = 0; i < n; i++) {
        const double w2 =
            motion[i][3] * motion[i][3] + motion[i][4] * motion[i][4] + motion[i][5] * motion[i][5];
        most = w2 > most ? w2 : most;
    }
    return most;
}

/// How many of eight balls will be outside their skin_boxes or are beyond all bounds, as in
/// contacts_list_check.h.
KAI_INLINE double kai_sphere_motion_outside(const kai_sphere_motion* m,
                                            const double (*restrict pose)[8],
                                            const double (*restrict motion)[8],
                                            const kai_grains_skin_box* skin_boxes)
{
    const double half = 0.5 * m->h, r = m->radius;
    const double ox = m->origin[0], oy = m->origin[1], oz = m->origin[2];
    double outside = 0.0;
    // By component.
    float row[KAI_SPHERE_MOTION_LANES][4], skin_box[4][KAI_SPHERE_MOTION_LANES];
    memcpy(row, skin_boxes, sizeof row);
#pragma omp simd
    for (size_t i = 0; i < KAI_SPHERE_MOTION_LANES; i++) {
        skin_box[0][i] = row[i][0], skin_box[1][i] = row[i][1];
        skin_box[2][i] = row[i][2], skin_box[3][i] = row[i][3];
    }
#pragma omp simd reduction(+ : outside)
    for (size_t i = 0; i < KAI_SPHERE_MOTION_LANES; i++) {
        const double vx = motion[0][i], vy = motion[1][i], vz = motion[2][i];
        const double wx = motion[3][i], wy = motion[4][i], wz = motion[5][i];
        const double x = pose[0][i] + half * vx, y = pose[1][i] + half * vy,
                     z = pose[2][i] + half * vz;
        const double rx = r + fabs(x) * 0x1p-50, ry = r + fabs(y) * 0x1p-50,
                     rz = r + fabs(z) * 0x1p-50, px = x - ox, py = y - oy, pz = z - oz;
        const double fast = vx * vx + vy * vy + vz * vz + wx * wx + wy * wy + wz * wz;
        const double cx = (double)skin_box[0][i], cy = (double)skin_box[1][i],
                     cz = (double)skin_box[2][i], wide = (double)skin_box[3][i];
        const double in_x = px - rx >= cx ? 0.0 : 1.0, in_y = py - ry >= cy ? in_x : 1.0,
                     in_z = pz - rz >= cz ? in_y : 1.0, to_x = px + rx <= cx + wide ? in_z : 1.0,
                     to_y = py + ry <= cy + wide ? to_x : 1.0,
                     to_z = pz + rz <= cz + wide ? to_y : 1.0;
        outside += fast <= 1e120 ? to_z : 1.0;
    }
    return outside;
}

/// The step of eight bodies, but for turns beyond the series. Returns what
/// kai_sphere_motion_outside does, 0 where nobody looks.
KAI_INLINE double kai_sphere_motion_eight(const kai_sphere_motion* m,
                                          kai_sphere_motion_row* restrict pose,
                                          kai_sphere_motion_row* restrict motion,
                                          const kai_sphere_motion_row* restrict sums,
                                          const kai_grains_skin_box* skin_boxes)
{
    const double half = 0.5 * m->h, quarter = 0.5 * half, kick = m->kick, spin = m->turn;
    const double gx = m->pull[0], gy = m->pull[1], gz = m->pull[2];
    double to[8][8], go[8][8];
#pragma omp simd
    for (size_t i = 0; i < KAI_SPHERE_MOTION_LANES; i++) {
        const double ux = motion[i][0], uy = motion[i][1], uz = motion[i][2];
        const double ox = motion[i][3], oy = motion[i][4], oz = motion[i][5];
        double aw = pose[i][4], ax = pose[i][5], ay = pose[i][6], az = pose[i][7], c, k;
        // q ∘ (c, k ω), and one Newton step towards norm 1 as in kai_rotation_polish
        kai_sphere_motion_series(quarter * quarter * (ox * ox + oy * oy + oz * oz), &c, &k);
        double bx = quarter * k * ox, by = quarter * k * oy, bz = quarter * k * oz;
        double qw = aw * c - ax * bx - ay * by - az * bz, qx = aw * bx + ax * c + ay * bz - az * by,
               qy = aw * by - ax * bz + ay * c + az * bx, qz = aw * bz + ax * by - ay * bx + az * c;
        double f = 1.5 - 0.5 * (qw * qw + qx * qx + qy * qy + qz * qz);
        aw = f * qw, ax = f * qx, ay = f * qy, az = f * qz;
        // Torque in the body's frame: t = 2 (-q) × τ, τ + w t + (-q) × t
        const double mx = sums[i][5], my = sums[i][6], mz = sums[i][7];
        const double tx = 2.0 * (az * my - ay * mz), ty = 2.0 * (ax * mz - az * mx),
                     tz = 2.0 * (ay * mx - ax * my);
        const double wx = ox + spin * (mx + aw * tx + az * ty - ay * tz),
                     wy = oy + spin * (my + aw * ty + ax * tz - az * tx),
                     wz = oz + spin * (mz + aw * tz + ay * tx - ax * ty);
        const double vx = ux + kick * sums[i][0] + gx, vy = uy + kick * sums[i][1] + gy,
                     vz = uz + kick * sums[i][2] + gz;
        kai_sphere_motion_series(quarter * quarter * (wx * wx + wy * wy + wz * wz), &c, &k);
        bx = quarter * k * wx, by = quarter * k * wy, bz = quarter * k * wz;
        qw = aw * c - ax * bx - ay * by - az * bz, qx = aw * bx + ax * c + ay * bz - az * by,
        qy = aw * by - ax * bz + ay * c + az * bx, qz = aw * bz + ax * by - ay * bx + az * c;
        f = 1.5 - 0.5 * (qw * qw + qx * qx + qy * qy + qz * qz);
        to[0][i] = (pose[i][0] + half * ux) + half * vx;
        to[1][i] = (pose[i][1] + half * uy) + half * vy;
        to[2][i] = (pose[i][2] + half * uz) + half * vz;
        to[3][i] = pose[i][3];
        to[4][i] = f * qw, to[5][i] = f * qx, to[6][i] = f * qy, to[7][i] = f * qz;
        go[0][i] = vx, go[1][i] = vy, go[2][i] = vz;
        go[3][i] = wx, go[4][i] = wy, go[5][i] = wz;
        go[6][i] = motion[i][6], go[7][i] = motion[i][7];
    }
    kai_simd_rows((const double(*)[8])to, pose[0], 8);
    kai_simd_rows((const double(*)[8])go, motion[0], 8);
    if (!m->look) return 0.0;
    return kai_sphere_motion_outside(m, (const double(*)[8])to, (const double(*)[8])go, skin_boxes);
}

/// The step of n bodies. No result depends on its neighbours. Returns whether none was seen to be
/// outside its skin_box.
KAI_INLINE bool kai_sphere_motion_step(const kai_sphere_motion* m, kai_sphere_motion_row* pose,
                                       kai_sphere_motion_row* motion,
                                       const kai_sphere_motion_row* sums,
                                       const kai_grains_skin_box* skin_boxes, size_t n)
{
    enum { LANES = KAI_SPHERE_MOTION_LANES };
    const double half = 0.5 * m->h, most = 16.0 / (m->h * m->h);
    const size_t whole = n / LANES * LANES, rest = n - whole;
    double outside = 0.0;
    if (kai_sphere_motion_most((const kai_sphere_motion_row*)motion, n) > most)
        for (size_t i = 0; i < n; i++) kai_sphere_motion_spin(&pose[i][4], &motion[i][3], half);
    for (size_t i = 0; i < whole; i += LANES)
        outside += kai_sphere_motion_eight(m, pose + i, motion + i, sums + i, skin_boxes + i);
    if (rest > 0) {
        kai_sphere_motion_row some[3][LANES] = {0};
        kai_grains_skin_box around[LANES];
        memset(around, 0, sizeof around);
        for (size_t i = 0; i < LANES; i++) {
            const size_t from = whole + (i < rest ? i : 0); // lanes that are left do as the first
            memcpy(some[0][i], pose[from], sizeof *pose);
            memcpy(some[1][i], motion[from], sizeof *motion);
            memcpy(some[2][i], sums[from], sizeof *sums);
            if (m->look) around[i] = skin_boxes[from];
        }
        outside += kai_sphere_motion_eight(m, some[0], some[1],
                                           (const kai_sphere_motion_row*)some[2], around);
        memcpy(pose + whole, some[0], rest * sizeof *pose);
        memcpy(motion + whole, some[1], rest * sizeof *motion);
    }
    if (kai_sphere_motion_most((const kai_sphere_motion_row*)motion, n) > most)
        for (size_t i = 0; i < n; i++) kai_sphere_motion_spin(&pose[i][4], &motion[i][3], half);
    return outside == 0.0;
}

#endif
