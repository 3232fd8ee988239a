// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The first loop over groups: what masses contacts see, guesses made admissible and applied. Part
// of cone_kernel_loops.h.
#ifndef SOLVE_CONE_KERNEL_PREPARE_H
#define SOLVE_CONE_KERNEL_PREPARE_H

#include "solve/cone_kernel_lean.h"
#include "solve/cone_kernel_uniform.h"

// Symmetric matrices.
typedef struct wide6 {
    wide xx, yy, zz, xy, xz, yz;
} wide6;

KAI_INLINE wide3 wide6_mul(const wide6* m, wide3 v)
{
    return (wide3){m->xx * v.x + m->xy * v.y + m->xz * v.z, m->xy * v.x + m->yy * v.y + m->yz * v.z,
                   m->xz * v.x + m->yz * v.y + m->zz * v.z};
}

KAI_INLINE wide6 wide6_at(const double* v, int r)
{
    return (wide6){row(v, r),     row(v, r + 1), row(v, r + 2),
                   row(v, r + 3), row(v, r + 4), row(v, r + 5)};
}

KAI_INLINE wide6 wide6_add(const wide6* a, const wide6* b)
{
    return (wide6){a->xx + b->xx, a->yy + b->yy, a->zz + b->zz,
                   a->xy + b->xy, a->xz + b->xz, a->yz + b->yz};
}

// The part of N that one body has: 1/m + [arm]×ᵀ I⁻¹ [arm]×.
KAI_INLINE wide6 response_of(const wide6* inertia, wide3 arm, wide mass)
{
    const wide zero = wide_set(0.0);
    const wide3 x = wide3_cross(wide6_mul(inertia, (wide3){zero, arm.z, -arm.y}), arm);
    const wide3 y = wide3_cross(wide6_mul(inertia, (wide3){-arm.z, zero, arm.x}), arm);
    const wide3 z = wide3_cross(wide6_mul(inertia, (wide3){arm.y, -arm.x, zero}), arm);
    return (wide6){mass + x.x, mass + y.y, mass + z.z, y.x, z.x, z.y};
}

// The largest eigenvalue across n.
KAI_INLINE wide across(const wide6* m, wide3 n)
{
    // The two eigenvalues of T M T, T = 1 - n nᵀ, have this mean and this product (n·adj(M) n).
    const wide mean = 0.5 * (m->xx + m->yy + m->zz - wide3_dot(wide6_mul(m, n), n));
    const wide product = n.x * n.x * (m->yy * m->zz - m->yz * m->yz) +
                         n.y * n.y * (m->xx * m->zz - m->xz * m->xz) +
                         n.z * n.z * (m->xx * m->yy - m->xy * m->xy) +
                         2.0 * (n.x * n.y * (m->xz * m->yz - m->xy * m->zz) +
                                n.x * n.z * (m->xy * m->yz - m->xz * m->yy) +
                                n.y * n.z * (m->xy * m->xz - m->yz * m->xx));
    return mean + wide_sqrt(wide_max(mean * mean - product, wide_set(0.0)));
}

// How stiff a body is at a contact: along n, across n, in rotation.
typedef struct stiffness {
    wide n, t, r;
} stiffness;

KAI_INLINE stiffness stiffness_of(const wide6* response, const wide6* inertia, wide3 n)
{
    return (stiffness){wide3_dot(wide6_mul(response, n), n), across(response, n),
                       inertia->xx + inertia->yy + inertia->zz};
}

KAI_INLINE wide least(wide a, wide b) { return -wide_max(-a, -b); }

// Bodies are split into as many parts as they have contacts, and each contact has its own (mass
// splitting, Tonge and others 2012): all contacts may then act at once. The share is by how much
// that lowers the masses of the contact. `mixing`: the largest eigenvalue of the 3 × 3 block in the
// metric of the masses is at most 1 + this.
KAI_INLINE wide share_of(const stiffness* a, const stiffness* b, wide parts_a, wide parts_b,
                         wide compliance, wide mixing)
{
    const wide one = wide_set(1.0), zero = wide_set(0.0);
    const wide sn = a->n + b->n + compliance, st = a->t + b->t, sr = a->r + b->r;
    const wide pn = parts_a * a->n + parts_b * b->n + compliance;
    const wide pt = parts_a * a->t + parts_b * b->t, pr = parts_a * a->r + parts_b * b->r;
    wide share = wide_if_greater(sn, zero, sn / pn, one);
    share = least(share, wide_if_greater(st, zero, st / pt, one));
    share = least(share, wide_if_greater(sr, zero, sr / pr, one));
    return share / (one + mixing);
}

// Masses and shares of spheres.
KAI_INLINE void prepare_grain(double* v, double* extra, const wide_motion* a, const wide_motion* b)
{
    const wide ra = row(v, KAI_CONE_ROW_RADIUS_A), rb = row(v, KAI_CONE_ROW_RADIUS_B);
    const wide c = row(v, KAI_CONE_ROW_COMPLIANCE);
    const stiffness sa = {a->mass, a->mass + ra * ra * a->moment, a->moment};
    const stiffness sb = {b->mass, b->mass + rb * rb * b->moment, b->moment};
    wide_put(v + KAI_CONE_ROW_MASS_N * LANES, weight(sa.n + sb.n + c));
    wide_put(v + KAI_CONE_ROW_MASS_T * LANES, weight(sa.t + sb.t));
    if (extra != NULL)
        wide_put(extra + KAI_CONE_EXTRA_SHARE * LANES,
                 share_of(&sa, &sb, row(extra, KAI_CONE_EXTRA_PARTS),
                          row(extra, KAI_CONE_EXTRA_PARTS + 1), c, wide_set(0.0)));
}

KAI_INLINE void prepare_general(double* v, double* extra, const wide_motion* a,
                                const wide_motion* b, wide3 n, bool coupled)
{
    const wide6 ia = wide6_at(v, KAI_CONE_ROW_INERTIA_A), ib = wide6_at(v, KAI_CONE_ROW_INERTIA_B);
    const wide6 na = response_of(&ia, row3(v, KAI_CONE_ROW_ARM_A), a->mass);
    const wide6 nb = response_of(&ib, row3(v, KAI_CONE_ROW_ARM_B), b->mass);
    const wide6 sum = wide6_add(&na, &nb);
    const wide3 response = wide6_mul(&sum, n);
    const wide stiff = wide3_dot(response, n), c = row(v, KAI_CONE_ROW_COMPLIANCE);
    const wide mass_n = weight(stiff + c), mass_t = weight(across(&sum, n));
    wide_put(v + KAI_CONE_ROW_MASS_N * LANES, mass_n);
    wide_put(v + KAI_CONE_ROW_MASS_T * LANES, mass_t);
    wide3_put(v + KAI_CONE_ROW_SIDE * LANES, LANES, wide3_mul_sub(response, n, stiff));
    if (coupled) {
        const wide6 inertia = wide6_add(&ia, &ib);
        const wide mean = (inertia.xx + inertia.yy + inertia.zz) / 3.0;
        const wide length = wide_sqrt(stiff / mean);
        wide_put(v + KAI_CONE_ROW_MASS_R * LANES, weight(across(&inertia, n)));
        wide_put(v + KAI_CONE_ROW_MASS_S * LANES, weight(wide3_dot(wide6_mul(&inertia, n), n)));
        wide_put(v + KAI_CONE_ROW_LENGTH * LANES,
                 wide_if_greater(mean, wide_set(0.0), length, wide_set(0.0)));
    }
    if (extra == NULL) return;
    const wide3 side = wide3_mul_sub(response, n, stiff);
    const stiffness sa = stiffness_of(&na, &ia, n), sb = stiffness_of(&nb, &ib, n);
    wide_put(extra + KAI_CONE_EXTRA_SHARE * LANES,
             share_of(&sa, &sb, row(extra, KAI_CONE_EXTRA_PARTS),
                      row(extra, KAI_CONE_EXTRA_PARTS + 1), c,
                      wide_sqrt(wide3_dot(side, side) * mass_n * mass_t)));
}

// The guess, cut back to the cone: normal part first, the others within its limits.
KAI_INLINE point admissible(const double* v, point p, bool coupled)
{
    const wide zero = wide_set(0.0);
    // Nothing for contacts of bodies that do not move.
    p.n = wide_if_greater(row(v, KAI_CONE_ROW_MASS_N), zero, wide_max(p.n, zero), zero);
    p.t = wide3_scale(p.t, shorten(wide3_dot(p.t, p.t), row(v, KAI_CONE_ROW_FRICTION) * p.n));
    if (!coupled) return p;
    const wide turns = wide_if_greater(row(v, KAI_CONE_ROW_LENGTH), zero, wide_set(1.0), zero);
    p.s *= turns * shorten(square(p.s), row(v, KAI_CONE_ROW_SPINNING) * p.n);
    p.r =
        wide3_scale(p.r, turns * shorten(wide3_dot(p.r, p.r), row(v, KAI_CONE_ROW_ROLLING) * p.n));
    return p;
}

// Contacts that nothing moves: they are left with what changes nothing and measures nothing.
KAI_INLINE void disarm(double* v)
{
    static const int rows[] = {KAI_CONE_ROW_NORMAL, KAI_CONE_ROW_NORMAL + 1,
                               KAI_CONE_ROW_NORMAL + 2, KAI_CONE_ROW_BIAS, KAI_CONE_ROW_FRICTION};
    const wide zero = wide_set(0.0), mass = row(v, KAI_CONE_ROW_MASS_N);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        wide_put(v + rows[i] * LANES, wide_if_greater(mass, zero, row(v, rows[i]), zero));
    wide_put(v + KAI_CONE_ROW_MASS_N * LANES, wide_if_greater(mass, zero, mass, wide_set(1.0)));
}

KAI_INLINE void prepare_part(const kai_cone_pass* pass, const kai_cone_run* run, manner m,
                             double* group, int part, wide_motion* a, wide_motion* b, wide* spoilt)
{
    (void)pass;
    const bool grain = m.kind == KAI_CONE_GRAIN, coupled = m.kind == KAI_CONE_COUPLED;
    double* v = group + part;
    double* extra =
        run->rows > kai_cone_pack_rows(m.kind) ? v + kai_cone_pack_rows(m.kind) * LANES : NULL;
    const wide3 n = row3(v, KAI_CONE_ROW_NORMAL), guess = row3(v, KAI_CONE_ROW_IMPULSE);
    wide3 guess_couple = {0};
    if (coupled) guess_couple = row3(v, KAI_CONE_ROW_COUPLE);
    if (grain)
        prepare_grain(v, extra, a, b);
    else
        prepare_general(v, extra, a, b, n, coupled);
    const point p = admissible(v, split(guess, guess_couple, n, coupled), coupled);
    const wide3 impulse = impulse_of(&p, n);
    wide3_put(v + KAI_CONE_ROW_IMPULSE * LANES, LANES, impulse);
    if (extra) wide3_put(extra + KAI_CONE_EXTRA_IMPULSE * LANES, LANES, impulse);
    push(v, grain, a, b, n, impulse);
    *spoilt += wide_set(0.0) * (wide3_dot(guess, guess) + wide3_dot(n, n) +
                                row(v, KAI_CONE_ROW_MASS_N) + row(v, KAI_CONE_ROW_MASS_T));
    if (coupled) {
        const wide3 couple = couple_of(&p, n);
        wide3_put(v + KAI_CONE_ROW_COUPLE * LANES, LANES, couple);
        if (extra) wide3_put(extra + KAI_CONE_EXTRA_COUPLE * LANES, LANES, couple);
        twist(v, a, b, couple);
        *spoilt += wide_set(0.0) * wide3_dot(guess_couple, guess_couple);
    }
    disarm(v);
}

KAI_INLINE void prepare_run(const kai_cone_pass* pass, const kai_cone_run* run, kai_cone_kind kind,
                            move_fn* move, kai_cone_sums* sums)
{
    move_run(pass, run, (manner){.kind = kind, .stays = run->stays, .first = true}, move, sums);
}

static void prepare(const kai_cone_pass* pass, const kai_cone_run* run, kai_cone_sums* sums)
{
    switch (run->kind) {
    case KAI_CONE_FRICTIONLESS:
        prepare_run(pass, run, KAI_CONE_FRICTIONLESS, lean_move, sums);
        break;
    case KAI_CONE_SMOOTH: prepare_run(pass, run, KAI_CONE_SMOOTH, lean_move, sums); break;
    case KAI_CONE_EQUAL_MASSES:
    case KAI_CONE_UNIFORM: prepare_run(pass, run, KAI_CONE_UNIFORM, uniform_move, sums); break;
    case KAI_CONE_GRAIN: prepare_run(pass, run, KAI_CONE_GRAIN, prepare_part, sums); break;
    case KAI_CONE_GENERAL: prepare_run(pass, run, KAI_CONE_GENERAL, prepare_part, sums); break;
    default: prepare_run(pass, run, KAI_CONE_COUPLED, prepare_part, sums); break;
    }
}

#endif
