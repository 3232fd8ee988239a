// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Turning bodies: what the integrators share.
#ifndef STEP_ROTATION_H
#define STEP_ROTATION_H

#include "base/simd.h"
#include "model/bodies.h"

/// I ω in the principal frame.
static inline kai_vec3 kai_rotation_momentum(const kai_bodies_mass* mass, kai_vec3 spin)
{
    return kai_vec3_make(mass->moments.x * spin.x, mass->moments.y * spin.y,
                         mass->moments.z * spin.z);
}

/// I⁻¹ l in the principal frame; zero for a fixed body.
static inline kai_vec3 kai_rotation_spin(const kai_bodies_mass* mass, kai_vec3 momentum)
{
    const kai_vec3 i = mass->inverse_moments;
    return kai_vec3_make(i.x * momentum.x, i.y * momentum.y, i.z * momentum.z);
}

/// Taylor coefficients of cos u and sin u / u in u², the highest first; rounding accuracy up to |u|
/// = 1.
#define KAI_ROTATION_SERIES(X)                                \
    X(-1.0 / 6402373705728000.0, -1.0 / 121645100408832000.0) \
    X(1.0 / 20922789888000.0, 1.0 / 355687428096000.0)        \
    X(-1.0 / 87178291200.0, -1.0 / 1307674368000.0)           \
    X(1.0 / 479001600.0, 1.0 / 6227020800.0)                  \
    X(-1.0 / 3628800.0, -1.0 / 39916800.0)                    \
    X(1.0 / 40320.0, 1.0 / 362880.0)                          \
    X(-1.0 / 720.0, -1.0 / 5040.0)                            \
    X(1.0 / 24.0, 1.0 / 120.0)                                \
    X(-1.0 / 2.0, -1.0 / 6.0)                                 \
    X(1.0, 1.0)

/// exp(v / 2) as a quaternion: the turn by the rotation vector v. Up to two radians a series in
/// |v/2|², exact to rounding and without a square root; beyond it the library's functions.
static inline kai_quat kai_rotation_exp(kai_vec3 v)
{
    const kai_vec3 u = kai_vec3_scale(v, 0.5);
    const double s = kai_vec3_norm2(u);
    double c, k; // cos |u|, sin |u| / |u|
    if (s <= 1.0) {
        c = k = 0.0;
#define KAI_ROTATION_HORNER(cosine, sinc) c = (cosine) + s * c, k = (sinc) + s * k;
        KAI_ROTATION_SERIES(KAI_ROTATION_HORNER)
#undef KAI_ROTATION_HORNER
    } else {
        const double angle = sqrt(s);
        c = cos(angle);
        k = sin(angle) / angle;
    }
    return kai_quat_make(c, k * u.x, k * u.y, k * u.z);
}

/// Rotation vectors of a few bodies, by component, for loops that the compiler vectorises.
enum { KAI_ROTATION_GROUP = 64 };

typedef struct kai_rotation_group {
    double x[KAI_ROTATION_GROUP], y[KAI_ROTATION_GROUP],
        z[KAI_ROTATION_GROUP];    // angular velocities
    double c[KAI_ROTATION_GROUP]; // cos of half the angle that each turns by in the time h
    double k[KAI_ROTATION_GROUP]; // sin of it, over the angular velocity: exp(h ω) = (c, k ω)
} kai_rotation_group;

/// Fills c and k for the first `n`. The few beyond two radians are done one by one with the
/// library's functions, so that no result depends on its neighbours.
KAI_INLINE void kai_rotation_half_angles(kai_rotation_group* restrict g, size_t n, double h)
{
    const double half = 0.5 * h;
    double most = 0.0;
#pragma omp simd reduction(max : most)
    for (size_t i = 0; i < n; i++) {
        const double s = half * half * (g->x[i] * g->x[i] + g->y[i] * g->y[i] + g->z[i] * g->z[i]);
        double c = 0.0, k = 0.0;
#define KAI_ROTATION_HORNER(cosine, sinc) c = (cosine) + s * c, k = (sinc) + s * k;
        KAI_ROTATION_SERIES(KAI_ROTATION_HORNER)
#undef KAI_ROTATION_HORNER
        g->c[i] = c;
        g->k[i] = half * k;
        most = s > most ? s : most;
    }
    for (size_t i = 0; most > 1.0 && i < n; i++) {
        const double rate = kai_vec3_norm(kai_vec3_make(g->x[i], g->y[i], g->z[i]));
        if (half * half * rate * rate <= 1.0) continue;
        g->c[i] = cos(half * rate);
        g->k[i] = sin(half * rate) / rate;
    }
}

/// One step of Newton's method towards norm 1: enough after a product of unit quaternions, and
/// cheap.
static inline kai_quat kai_rotation_polish(kai_quat q)
{
    const double f = 1.5 - 0.5 * kai_quat_norm2(q);
    return kai_quat_make(f * q.w, f * q.x, f * q.y, f * q.z);
}

#endif
