// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Loops over contacts of spheres that have one friction and one compliance all over the problem,
// Coulomb's law: what beds of millions are made of. Where groups come from memory, their bytes are
// the time of a sweep, so that the two coefficients are no rows, masses are numbers of 4 bytes
// (they are lengths of steps; what is found does not depend on them), and spheres of one size have
// one row for both radii: 80 bytes a contact in place of 112. Part of cone_kernel_loops.h.
#ifndef SOLVE_CONE_KERNEL_UNIFORM_H
#define SOLVE_CONE_KERNEL_UNIFORM_H

#include "solve/cone_kernel_contact.h"

// What is known of some contacts.
typedef struct uniform_contact {
    wide3 n, impulse;
    wide bias, radius_a, radius_b;
    float* masses; // [8] of the normal part, then [8] across
} uniform_contact;

KAI_INLINE uniform_contact uniform_at(const kai_cone_run* run, double* group, int part)
{
    const double* v = group + part;
    return (uniform_contact){.n = row3(v, KAI_CONE_ROW_NORMAL),
                             .impulse = row3(v, KAI_CONE_UNIFORM_IMPULSE),
                             .bias = row(v, KAI_CONE_ROW_BIAS),
                             .radius_a = row(v, KAI_CONE_UNIFORM_RADIUS_A),
                             .radius_b = row(v, (int)run->rows - 1),
                             .masses = (float*)(group + KAI_CONE_UNIFORM_MASSES * LANES) + part};
}

// Velocity of b against a at the contact.
KAI_INLINE wide3 uniform_speed(const uniform_contact* c, const wide_motion* a, const wide_motion* b)
{
    const wide3 s = wide3_mul_add(wide3_scale(a->w, c->radius_a), b->w, c->radius_b);
    return wide3_add(wide3_sub(b->v, a->v), wide3_cross(c->n, s));
}

KAI_INLINE void uniform_push(const uniform_contact* c, wide_motion* a, wide_motion* b, wide3 d)
{
    const wide3 k = wide3_cross(c->n, d);
    a->v = wide3_mul_sub(a->v, d, a->mass);
    b->v = wide3_mul_add(b->v, d, b->mass);
    a->w = wide3_mul_sub(a->w, k, a->moment * c->radius_a);
    b->w = wide3_mul_sub(b->w, k, b->moment * c->radius_b);
}

// Masses, and guesses made admissible. Contacts that nothing moves are left with what changes
// nothing and measures nothing.
KAI_INLINE void uniform_prepare(const kai_cone_pass* pass, double* v, const uniform_contact* c,
                                wide_motion* a, wide_motion* b, wide* spoilt)
{
    const wide zero = wide_set(0.0), one = wide_set(1.0), most = wide_set(1e38);
    const wide3 guess = c->impulse;
    const wide stiff = a->mass + b->mass;
    const wide spin = square(c->radius_a) * a->moment + square(c->radius_b) * b->moment;
    const wide mass_n = weight(stiff + wide_set(pass->compliance)), mass_t = weight(stiff + spin);
    const wide along = wide3_dot(guess, c->n);
    const wide n = wide_if_greater(mass_n, zero, wide_max(along, zero), zero);
    const wide3 across = wide3_mul_sub(guess, c->n, along);
    const wide cut = shorten(wide3_dot(across, across), wide_set(pass->friction) * n);
    const wide3 impulse = wide3_mul_add(wide3_scale(across, cut), c->n, n);
    *spoilt += zero * (wide3_dot(guess, guess) + wide3_dot(c->n, c->n) + mass_n + mass_t);
    wide3_put(v + KAI_CONE_UNIFORM_IMPULSE * LANES, LANES, impulse);
    uniform_push(c, a, b, impulse);
    for (int k = 0; k < 3; k++)
        wide_put(v + (KAI_CONE_ROW_NORMAL + k) * LANES,
                 wide_if_greater(mass_n, zero, row(v, KAI_CONE_ROW_NORMAL + k), zero));
    wide_put(v + KAI_CONE_ROW_BIAS * LANES, wide_if_greater(mass_n, zero, c->bias, zero));
    const wide kept = wide_max(wide_min(mass_n, most), wide_set(1e-37));
    wide_put_float(c->masses, wide_if_greater(mass_n, zero, kept, one));
    wide_put_float(c->masses + LANES, wide_min(mass_t, most));
}

// The normal part first, then friction within the limit that it sets.
KAI_INLINE void uniform_sweep(const kai_cone_pass* pass, double* v, const uniform_contact* c,
                              wide_motion* a, wide_motion* b)
{
    const wide omega = wide_set(pass->relaxation);
    const wide pull = omega * wide_at_float(c->masses + LANES);
    const wide3 u = uniform_speed(c, a, b);
    const wide old = wide3_dot(c->impulse, c->n), speed = wide3_dot(u, c->n);
    const wide off = speed + c->bias + wide_set(pass->compliance) * old;
    const wide now = wide_max(old - omega * wide_at_float(c->masses) * off, wide_set(0.0));
    const wide3 whole = wide3_mul_sub(c->impulse, u, pull);
    const wide3 across = wide3_mul_sub(whole, c->n, old - speed * pull);
    const wide cut = shorten(wide3_dot(across, across), wide_set(pass->friction) * now);
    const wide3 impulse = wide3_mul_add(wide3_scale(across, cut), c->n, now);
    wide3_put(v + KAI_CONE_UNIFORM_IMPULSE * LANES, LANES, impulse);
    uniform_push(c, a, b, wide3_sub(impulse, c->impulse));
}

KAI_INLINE void uniform_move(const kai_cone_pass* pass, const kai_cone_run* run, manner m,
                             double* group, int part, wide_motion* a, wide_motion* b, wide* spoilt)
{
    const uniform_contact c = uniform_at(run, group, part);
    if (m.first)
        uniform_prepare(pass, group + part, &c, a, b, spoilt);
    else
        uniform_sweep(pass, group + part, &c, a, b);
}

KAI_INLINE wide uniform_residual(const kai_cone_pass* pass, const kai_cone_run* run,
                                 kai_cone_kind kind, double* group, int part, const wide_motion* a,
                                 const wide_motion* b)
{
    (void)kind;
    const wide friction = wide_set(pass->friction), compliance = wide_set(pass->compliance);
    const cone k = {.friction = friction, .weight_t = wide_set(1.0)};
    const uniform_contact c = uniform_at(run, group, part);
    const wide mass = wide_at_float(c.masses);
    const point p = split(c.impulse, c.impulse, c.n, false);
    const point u = split(uniform_speed(&c, a, b), c.impulse, c.n, false);
    const wide off = u.n + c.bias + compliance * p.n + friction * wide_sqrt(wide3_dot(u.t, u.t));
    point q = {.n = p.n - mass * off, .t = wide3_mul_sub(p.t, u.t, mass)};
    q = project_point(q, &k, false);
    const wide3 dt = wide3_sub(q.t, p.t);
    // Maxima swallow NaN: it is put in again.
    return (square(q.n - p.n) + wide3_dot(dt, dt)) / square(mass) +
           wide_set(0.0) * (off + friction);
}

#endif
