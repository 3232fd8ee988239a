// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Loops over contacts without friction: one number each, along the normal. Where arms lie along the
// normal, bodies do not turn either: half of a body's line is left alone. Part of
// cone_kernel_loops.h.
#ifndef SOLVE_CONE_KERNEL_LEAN_H
#define SOLVE_CONE_KERNEL_LEAN_H

#include "solve/cone_kernel_contact.h"

KAI_INLINE wide_motion lean_gather(const double* motion, const uint32_t* index, bool turns)
{
    return turns ? wide_gather(motion, index) : wide_gather_straight(motion, index);
}

KAI_INLINE void lean_scatter(double* motion, const uint32_t* index, const wide_motion* m,
                             bool turns)
{
    if (turns)
        wide_scatter(motion, index, m);
    else
        wide_scatter_straight(motion, index, m);
}

// n·u of b against a.
KAI_INLINE wide lean_speed(const double* v, const wide_motion* a, const wide_motion* b, wide3 n,
                           bool turns)
{
    const wide u = wide3_dot(n, wide3_sub(b->v, a->v));
    if (!turns) return u;
    return u + (wide3_dot(row3(v, KAI_CONE_LEAN_TURN_B), b->w) -
                wide3_dot(row3(v, KAI_CONE_LEAN_TURN_A), a->w));
}

KAI_INLINE void lean_push(const double* v, wide_motion* a, wide_motion* b, wide3 n, wide d,
                          bool turns)
{
    a->v = wide3_mul_sub(a->v, n, d * a->mass);
    b->v = wide3_mul_add(b->v, n, d * b->mass);
    if (!turns) return;
    a->w = wide3_mul_sub(a->w, row3(v, KAI_CONE_LEAN_SPIN_A), d);
    b->w = wide3_mul_add(b->w, row3(v, KAI_CONE_LEAN_SPIN_B), d);
}

KAI_INLINE void lean_prepare(double* v, wide_motion* a, wide_motion* b, bool turns, wide* spoilt)
{
    const wide zero = wide_set(0.0);
    const wide3 n = row3(v, KAI_CONE_ROW_NORMAL);
    const wide guess = row(v, KAI_CONE_LEAN_IMPULSE);
    wide stiff = a->mass + b->mass + row(v, KAI_CONE_LEAN_COMPLIANCE);
    if (turns)
        stiff += wide3_dot(row3(v, KAI_CONE_LEAN_TURN_A), row3(v, KAI_CONE_LEAN_SPIN_A)) +
                 wide3_dot(row3(v, KAI_CONE_LEAN_TURN_B), row3(v, KAI_CONE_LEAN_SPIN_B));
    const wide mass = weight(stiff);
    *spoilt += zero * (guess + mass + wide3_dot(n, n));
    // Contacts that nothing moves are left with what changes nothing and measures nothing.
    const wide first = wide_if_greater(mass, zero, wide_max(guess, zero), zero);
    const wide bias = wide_if_greater(mass, zero, row(v, KAI_CONE_ROW_BIAS), zero);
    for (int k = 0; k < 3; k++)
        wide_put(v + (KAI_CONE_ROW_NORMAL + k) * LANES,
                 wide_if_greater(mass, zero, row(v, KAI_CONE_ROW_NORMAL + k), zero));
    wide_put(v + KAI_CONE_ROW_BIAS * LANES, bias);
    wide_put(v + KAI_CONE_LEAN_MASS * LANES, wide_if_greater(mass, zero, mass, wide_set(1.0)));
    wide_put(v + KAI_CONE_LEAN_IMPULSE * LANES, first);
    lean_push(v, a, b, n, first, turns);
}

KAI_INLINE void lean_sweep(double* v, wide_motion* a, wide_motion* b, bool turns, wide omega)
{
    const wide3 n = row3(v, KAI_CONE_ROW_NORMAL);
    const wide old = row(v, KAI_CONE_LEAN_IMPULSE);
    const wide off = lean_speed(v, a, b, n, turns) + row(v, KAI_CONE_ROW_BIAS) +
                     row(v, KAI_CONE_LEAN_COMPLIANCE) * old;
    const wide now = wide_max(old - omega * row(v, KAI_CONE_LEAN_MASS) * off, wide_set(0.0));
    wide_put(v + KAI_CONE_LEAN_IMPULSE * LANES, now);
    lean_push(v, a, b, n, now - old, turns);
}

// `first`: prepare, else sweep.
KAI_INLINE void lean_run(const kai_cone_pass* pass, const kai_cone_run* run, bool turns, bool first,
                         kai_cone_sums* sums)
{
    const wide omega = wide_set(pass->relaxation);
    const size_t step = (size_t)run->rows * LANES;
    double* const end = pass->values + run->value + run->count * step;
    double* const motion = (double*)pass->motion;
    wide spoilt = wide_set(0.0);
    for (double* group = pass->values + run->value; group < end; group += step) {
        ask_ahead(pass, group, step, end);
        for (int part = 0; part < LANES; part += WIDE) {
            uint32_t other[2 * LANES];
            const uint32_t* index = (const uint32_t*)group + part;
            const uint32_t* from = sources(run, index, other);
            wide_motion a = lean_gather(motion, from, turns);
            wide_motion b = lean_gather(motion, from + LANES, turns);
            if (first)
                lean_prepare(group + part, &a, &b, turns, &spoilt);
            else
                lean_sweep(group + part, &a, &b, turns, omega);
            const uint32_t* to = targets(run, index, other);
            lean_scatter(motion, to, &a, turns);
            lean_scatter(motion, to + LANES, &b, turns);
        }
    }
    if (first) sums->spoilt += total(spoilt);
}

KAI_INLINE void lean_measure(const kai_cone_pass* pass, const kai_cone_run* run, bool turns,
                             kai_cone_sums* sums)
{
    const size_t step = (size_t)run->rows * LANES;
    double* const end = pass->values + run->value + run->count * step;
    wide worst = wide_set(0.0), spoilt = worst;
    for (double* group = pass->values + run->value; group < end; group += step) {
        ask_ahead(pass, group, step, end);
        for (int part = 0; part < LANES; part += WIDE) {
            const double* v = group + part;
            uint32_t other[2 * LANES];
            const uint32_t* from = sources(run, (const uint32_t*)group + part, other);
            const wide_motion a = lean_gather((const double*)pass->motion, from, turns);
            const wide_motion b = lean_gather((const double*)pass->motion, from + LANES, turns);
            const wide p = row(v, KAI_CONE_LEAN_IMPULSE), mass = row(v, KAI_CONE_LEAN_MASS);
            const wide off = lean_speed(v, &a, &b, row3(v, KAI_CONE_ROW_NORMAL), turns) +
                             row(v, KAI_CONE_ROW_BIAS) + row(v, KAI_CONE_LEAN_COMPLIANCE) * p;
            const wide left = (wide_max(p - mass * off, wide_set(0.0)) - p) / mass;
            worst = wide_max(square(left), worst);
            // Maxima swallow NaN: it is put in again.
            spoilt += wide_set(0.0) * (off + p);
        }
    }
    for (int k = 0; k < WIDE; k++) {
        if (worst[k] > sums->worst) sums->worst = worst[k];
        sums->spoilt += spoilt[k];
    }
}

#endif
