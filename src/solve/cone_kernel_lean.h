// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Loops over contacts without friction: one number each, along the normal. Where arms lie along the
// normal, bodies do not turn either: half of a body's line is left alone. Part of
// cone_kernel_loops.h.
#ifndef SOLVE_CONE_KERNEL_LEAN_H
#define SOLVE_CONE_KERNEL_LEAN_H

#include "solve/cone_kernel_contact.h"

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

KAI_INLINE void lean_move(const kai_cone_pass* pass, const kai_cone_run* run, manner m,
                          double* group, int part, wide_motion* a, wide_motion* b, wide* spoilt)
{
    (void)run;
    const bool turns = m.kind == KAI_CONE_SMOOTH;
    if (m.first)
        lean_prepare(group + part, a, b, turns, spoilt);
    else
        lean_sweep(group + part, a, b, turns, wide_set(pass->relaxation));
}

KAI_INLINE wide lean_residual(const kai_cone_pass* pass, const kai_cone_run* run,
                              kai_cone_kind kind, double* group, int part, const wide_motion* a,
                              const wide_motion* b)
{
    (void)pass, (void)run;
    const double* v = group + part;
    const wide p = row(v, KAI_CONE_LEAN_IMPULSE), mass = row(v, KAI_CONE_LEAN_MASS);
    const wide off = lean_speed(v, a, b, row3(v, KAI_CONE_ROW_NORMAL), kind == KAI_CONE_SMOOTH) +
                     row(v, KAI_CONE_ROW_BIAS) + row(v, KAI_CONE_LEAN_COMPLIANCE) * p;
    const wide left = (wide_max(p - mass * off, wide_set(0.0)) - p) / mass;
    // Maxima swallow NaN: it is put in again.
    return square(left) + wide_set(0.0) * (off + p);
}

#endif
