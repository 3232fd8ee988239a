// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// What the loops of cone_kernel_loops.h do to WIDE contacts at once: bodies, cones, rows of a
// group.
#ifndef SOLVE_CONE_KERNEL_CONTACT_H
#define SOLVE_CONE_KERNEL_CONTACT_H

#include "solve/cone_kernel.h"
#include "solve/cone_wide.h"

enum { LANES = KAI_CONE_PACK_LANES };

// Bodies of some contacts ------------------------------------------------------------------------

// Where velocities are written to: bodies whose velocity stays give theirs to the sink beside the
// ground. `other` is room for that.
KAI_INLINE const uint32_t* targets(const kai_cone_run* run, const uint32_t* index, uint32_t* other)
{
    if (!run->stays) return index;
    for (int k = 0; k < WIDE; k++) {
        other[k] = index[k] & 1 ? 8 * (run->ground + 1) : index[k];
        other[k + LANES] = index[k + LANES] & 1 ? 8 * (run->ground + 1) : index[k + LANES];
    }
    return other;
}

// Where they are read from.
KAI_INLINE const uint32_t* sources(const kai_cone_run* run, const uint32_t* index, uint32_t* other)
{
    if (!run->stays) return index;
    for (int k = 0; k < WIDE; k++) {
        other[k] = index[k] & ~UINT32_C(1);
        other[k + LANES] = index[k + LANES] & ~UINT32_C(1);
    }
    return other;
}

// Asks for a group four ahead, and for the bodies of one two ahead. Memory follows neither by
// itself: bodies are anywhere, and its own look ahead ends with each 4 KB.
KAI_INLINE void ask_ahead(const kai_cone_pass* pass, const double* group, size_t step,
                          const double* end)
{
    enum { ROWS = 4, BODIES = 2 };
    if (!pass->prefetch) return;
    // What comes after the last group of a run is mostly the next run.
    const uintptr_t rows = (uintptr_t)group + ROWS * step * sizeof *group;
    for (size_t k = 0; k < step; k += LANES)
        __builtin_prefetch((const void*)(rows + k * sizeof *group));
    if ((size_t)(end - group) <= BODIES * step) return;
    const uint32_t* index = (const uint32_t*)(group + BODIES * step);
    for (int k = 0; k < 2 * LANES; k++) __builtin_prefetch((const double*)pass->motion + index[k]);
}

// Velocity of b against a at the contact.
KAI_INLINE wide3 relative(const double* v, bool grain, const wide_motion* a, const wide_motion* b,
                          wide3 n)
{
    const wide3 dv = wide3_sub(b->v, a->v);
    if (grain) {
        const wide ra = wide_at(v + KAI_CONE_ROW_RADIUS_A * LANES);
        const wide rb = wide_at(v + KAI_CONE_ROW_RADIUS_B * LANES);
        const wide3 s = wide3_mul_add(wide3_scale(a->w, ra), b->w, rb);
        return wide3_add(dv, wide3_cross(n, s));
    }
    const wide3 arm_a = wide3_at(v + KAI_CONE_ROW_ARM_A * LANES, LANES);
    const wide3 arm_b = wide3_at(v + KAI_CONE_ROW_ARM_B * LANES, LANES);
    return wide3_sub(wide3_add(dv, wide3_cross(b->w, arm_b)), wide3_cross(a->w, arm_a));
}

// Applies an impulse (and a couple) to both bodies.
KAI_INLINE void push(const double* v, bool grain, wide_motion* a, wide_motion* b, wide3 n, wide3 d)
{
    a->v = wide3_mul_sub(a->v, d, a->mass);
    b->v = wide3_mul_add(b->v, d, b->mass);
    if (grain) {
        const wide ra = wide_at(v + KAI_CONE_ROW_RADIUS_A * LANES);
        const wide rb = wide_at(v + KAI_CONE_ROW_RADIUS_B * LANES);
        const wide3 k = wide3_cross(n, d);
        a->w = wide3_mul_sub(a->w, k, a->moment * ra);
        b->w = wide3_mul_sub(b->w, k, b->moment * rb);
        return;
    }
    const wide3 ka = wide3_cross(wide3_at(v + KAI_CONE_ROW_ARM_A * LANES, LANES), d);
    const wide3 kb = wide3_cross(wide3_at(v + KAI_CONE_ROW_ARM_B * LANES, LANES), d);
    a->w = wide3_sub(a->w, wide3_symmetric(v + KAI_CONE_ROW_INERTIA_A * LANES, LANES, ka));
    b->w = wide3_add(b->w, wide3_symmetric(v + KAI_CONE_ROW_INERTIA_B * LANES, LANES, kb));
}

KAI_INLINE void twist(const double* v, wide_motion* a, wide_motion* b, wide3 d)
{
    a->w = wide3_sub(a->w, wide3_symmetric(v + KAI_CONE_ROW_INERTIA_A * LANES, LANES, d));
    b->w = wide3_add(b->w, wide3_symmetric(v + KAI_CONE_ROW_INERTIA_B * LANES, LANES, d));
}

// Cones ------------------------------------------------------------------------------------------

KAI_INLINE wide square(wide x) { return x * x; }

// What v is multiplied by to be no longer than `limit`.
KAI_INLINE wide shorten(wide length2, wide limit)
{
    return wide_if_greater(length2, limit * limit, limit * wide_inverse_sqrt(length2),
                           wide_set(1.0));
}

// A point of some contacts: impulse and couple, or velocity and spin, along and across n.
typedef struct point {
    wide n, s;  // along: impulse, couple
    wide3 t, r; // across: impulse, couple
} point;

// Weights of a metric, relative to that of the normal part, and limits of the cone.
typedef struct cone {
    wide friction, spinning, rolling;
    wide weight_t, weight_s, weight_r;
} cone;

// The point of K nearest to p in the metric. Its normal part x is the root of
//
//     x - n - Σ wᵢ μᵢ max(0, |pᵢ| - μᵢ x) = 0,
//
// an increasing function that is the least of eight straight lines (each term on or off): the root
// is the largest of their roots.
KAI_INLINE point project_point(point p, const cone* c, bool coupled)
{
    const wide one = wide_set(1.0), zero = wide_set(0.0);
    const wide t2 = wide3_dot(p.t, p.t);
    const wide top_t = c->weight_t * c->friction * wide_sqrt(t2);
    const wide low_t = c->weight_t * square(c->friction);
    wide x = wide_max(wide_max((p.n + top_t) / (one + low_t), p.n), zero);
    if (coupled) {
        const wide r2 = wide3_dot(p.r, p.r), s2 = square(p.s);
        const wide top_s = c->weight_s * c->spinning * wide_sqrt(s2);
        const wide top_r = c->weight_r * c->rolling * wide_sqrt(r2);
        const wide low_s = c->weight_s * square(c->spinning);
        const wide low_r = c->weight_r * square(c->rolling);
        x = wide_max(x, (p.n + top_s) / (one + low_s));
        x = wide_max(x, (p.n + top_r) / (one + low_r));
        x = wide_max(x, (p.n + (top_t + top_s)) / (one + (low_t + low_s)));
        x = wide_max(x, (p.n + (top_t + top_r)) / (one + (low_t + low_r)));
        x = wide_max(x, (p.n + (top_s + top_r)) / (one + (low_s + low_r)));
        x = wide_max(x, (p.n + (top_t + top_s + top_r)) / (one + (low_t + low_s + low_r)));
        p.s = p.s * shorten(s2, c->spinning * x);
        p.r = wide3_scale(p.r, shorten(r2, c->rolling * x));
    }
    p.n = x;
    p.t = wide3_scale(p.t, shorten(t2, c->friction * x));
    return p;
}

// Rows -------------------------------------------------------------------------------------------

KAI_INLINE point split(wide3 impulse, wide3 couple, wide3 n, bool coupled)
{
    point p = {.n = wide3_dot(impulse, n)};
    p.t = wide3_mul_sub(impulse, n, p.n);
    if (coupled) {
        p.s = wide3_dot(couple, n);
        p.r = wide3_mul_sub(couple, n, p.s);
    }
    return p;
}

KAI_INLINE wide3 impulse_of(const point* p, wide3 n) { return wide3_mul_add(p->t, n, p->n); }
KAI_INLINE wide3 couple_of(const point* p, wide3 n) { return wide3_mul_add(p->r, n, p->s); }

KAI_INLINE wide row(const double* v, int r) { return wide_at(v + r * LANES); }
KAI_INLINE wide3 row3(const double* v, int r) { return wide3_at(v + r * LANES, LANES); }

// De Saxcé's shift: û - u along n.
KAI_INLINE wide shift_of(const double* v, const point* u, bool coupled)
{
    wide shift = row(v, KAI_CONE_ROW_FRICTION) * wide_sqrt(wide3_dot(u->t, u->t));
    if (coupled)
        shift += row(v, KAI_CONE_ROW_SPINNING) * wide_sqrt(square(u->s)) +
                 row(v, KAI_CONE_ROW_ROLLING) * wide_sqrt(wide3_dot(u->r, u->r));
    return shift;
}

// One over a mass or a stiffness; 0 where there is none.
KAI_INLINE wide weight(wide mass)
{
    return wide_if_greater(mass, wide_set(0.0), wide_set(1.0) / mass, wide_set(0.0));
}

// Adds one vector of numbers to a sum.
KAI_INLINE double total(wide x)
{
    double sum = 0.0;
    for (int k = 0; k < WIDE; k++) sum += x[k];
    return sum;
}

// Passes over a run ------------------------------------------------------------------------------

// How contacts are worked on; the compiler knows it in each pass.
typedef struct manner {
    kai_cone_kind kind;
    bool stays;      // run->stays
    bool associated; // pass->associated
    bool first;      // prepare, else sweep
} manner;

// What is done to WIDE contacts from lane `part` of a group on, and to their bodies. NaN comes into
// `spoilt` where a number is not finite.
typedef void move_fn(const kai_cone_pass* pass, const kai_cone_run* run, manner m, double* group,
                     int part, wide_motion* a, wide_motion* b, wide* spoilt);

KAI_INLINE void move_run(const kai_cone_pass* pass, const kai_cone_run* run, manner m,
                         move_fn* move, kai_cone_sums* sums)
{
    const bool straight = m.kind == KAI_CONE_FRICTIONLESS;
    const size_t step = (size_t)run->rows * LANES;
    double* const end = pass->values + run->value + run->count * step;
    double* const motion = (double*)pass->motion;
    wide spoilt = wide_set(0.0);
    for (double* group = pass->values + run->value; group < end; group += step) {
        ask_ahead(pass, group, step, end);
        for (int part = 0; part < LANES; part += WIDE) {
            uint32_t other[2 * LANES];
            const uint32_t* index = (const uint32_t*)group + part;
            const uint32_t* from = m.stays ? sources(run, index, other) : index;
            wide_motion a =
                straight ? wide_gather_straight(motion, from) : wide_gather(motion, from);
            wide_motion b = straight ? wide_gather_straight(motion, from + LANES)
                                     : wide_gather(motion, from + LANES);
            move(pass, run, m, group, part, &a, &b, &spoilt);
            const uint32_t* to = m.stays ? targets(run, index, other) : index;
            if (straight) {
                wide_scatter_straight(motion, to, &a);
                wide_scatter_straight(motion, to + LANES, &b);
            } else {
                wide_scatter(motion, to, &a);
                wide_scatter(motion, to + LANES, &b);
            }
        }
    }
    if (m.first) sums->spoilt += total(spoilt);
}

// Squares of residuals of WIDE contacts, NaN where a number is not finite.
typedef wide residual_fn(const kai_cone_pass* pass, const kai_cone_run* run, kai_cone_kind kind,
                         double* group, int part, const wide_motion* a, const wide_motion* b);

KAI_INLINE void measure_run(const kai_cone_pass* pass, const kai_cone_run* run, kai_cone_kind kind,
                            residual_fn* residual, kai_cone_sums* sums)
{
    const bool straight = kind == KAI_CONE_FRICTIONLESS;
    const size_t step = (size_t)run->rows * LANES;
    double* const end = pass->values + run->value + run->count * step;
    const double* const motion = (const double*)pass->motion;
    wide worst = wide_set(0.0), spoilt = worst;
    for (double* group = pass->values + run->value; group < end; group += step) {
        ask_ahead(pass, group, step, end);
        for (int part = 0; part < LANES; part += WIDE) {
            uint32_t other[2 * LANES];
            const uint32_t* from = sources(run, (const uint32_t*)group + part, other);
            const wide_motion a =
                straight ? wide_gather_straight(motion, from) : wide_gather_speed(motion, from);
            const wide_motion b = straight ? wide_gather_straight(motion, from + LANES)
                                           : wide_gather_speed(motion, from + LANES);
            const wide r2 = residual(pass, run, kind, group, part, &a, &b);
            worst = wide_max(r2, worst);
            spoilt += r2 * wide_set(0.0);
        }
    }
    for (int k = 0; k < WIDE; k++) {
        if (worst[k] > sums->worst) sums->worst = worst[k];
        sums->spoilt += spoilt[k];
    }
}

#endif
