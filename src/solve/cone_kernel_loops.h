// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The loops of cone_kernel.h, compiled once a generation of CPUs: the file that includes this has
// said for which. WIDE contacts are done at once.
#ifndef SOLVE_CONE_KERNEL_LOOPS_H
#define SOLVE_CONE_KERNEL_LOOPS_H

#include "solve/cone_kernel_contact.h"
#include "solve/cone_kernel_lean.h"
#include "solve/cone_kernel_prepare.h"
#include "solve/cone_kernel_uniform.h"

// Sweep ------------------------------------------------------------------------------------------

// Contacts of which some slide. What comes after velocities is one long chain of operations that
// wait for each other: it is the time of a sweep where few contacts make many colours, and is kept
// as short as can be.

// Friction that presses against the normal: where a contact slides along d, n·u depends on the
// normal part through friction too, and both are found together. One after the other they would
// jump between all and nothing once μ n·N d > n·N n. `was` is the impulse across before, `trial`
// the one that would hold, of length² `size2`, whose inverse length is `inverse`, roughly `rough`.
KAI_INLINE wide slide_normal(const double* v, wide old, wide found, wide off, wide3 was,
                             wide3 trial, wide size2, wide rough, wide inverse, wide3 side,
                             wide omega)
{
    const wide zero = wide_set(0.0), one = wide_set(1.0);
    const wide mass_n = row(v, KAI_CONE_ROW_MASS_N), mu = row(v, KAI_CONE_ROW_FRICTION);
    const wide along = wide3_dot(side, trial), lift = wide_max(mass_n * mu * along, zero);
    const wide free = old + mass_n * (wide3_dot(side, was) - off);
    const wide share =
        wide_inverse_fine(one + lift * inverse, wide_inverse_rough(one + lift * rough));
    const wide both = wide_max((old - omega * old) + omega * free * share, zero);
    const wide slides = wide_if_greater(size2, square(mu * found), both, found);
    return wide_if_greater(along, zero, slides, found);
}

// Friction of contacts with any arms. Where all of them stick, as in a stack, there is no root to
// wait for.
KAI_INLINE point solve_friction(const double* v, point p, point u, wide old, wide off, wide omega)
{
    // The normal impulse changes the velocity across.
    const wide3 side = row3(v, KAI_CONE_ROW_SIDE);
    const wide pull = omega * row(v, KAI_CONE_ROW_MASS_T), mu = row(v, KAI_CONE_ROW_FRICTION);
    const wide3 was = p.t;
    const wide3 trial =
        wide3_mul_sub(wide3_mul_sub(was, u.t, pull), wide3_scale(side, pull), p.n - old);
    const wide size2 = wide3_dot(trial, trial);
    p.t = trial;
    if (!wide_any_greater(size2, square(mu * p.n))) return p;
    const wide length2 = wide_max(size2, wide_set(1e-300));
    const wide rough = wide_inverse_sqrt_rough(length2);
    const wide inverse = wide_inverse_sqrt_fine(length2, rough);
    p.n = slide_normal(v, old, p.n, off, was, trial, size2, rough, inverse, side, omega);
    p.t = wide3_scale(trial, wide_min(wide_set(1.0), mu * p.n * inverse));
    return p;
}

// Coulomb: the normal part first, then the others within the limits that it sets. At rest this is
// Coulomb's law, whatever the masses.
KAI_INLINE point solve_coulomb(const double* v, kai_cone_kind kind, point p, point u, wide omega)
{
    const wide old = p.n;
    const wide off = u.n + row(v, KAI_CONE_ROW_BIAS) + row(v, KAI_CONE_ROW_COMPLIANCE) * old;
    p.n = wide_max(old - omega * row(v, KAI_CONE_ROW_MASS_N) * off, wide_set(0.0));
    if (kind != KAI_CONE_GRAIN) return solve_friction(v, p, u, old, off, omega);
    p.t = wide3_mul_sub(p.t, u.t, omega * row(v, KAI_CONE_ROW_MASS_T));
    p.t = wide3_scale(p.t, shorten(wide3_dot(p.t, p.t), row(v, KAI_CONE_ROW_FRICTION) * p.n));
    return p;
}

// Couples, with the spins that the impulse has left.
KAI_INLINE point solve_couple(const double* v, point p, point u, wide omega)
{
    p.s -= omega * row(v, KAI_CONE_ROW_MASS_S) * u.s;
    p.s *= shorten(square(p.s), row(v, KAI_CONE_ROW_SPINNING) * p.n);
    p.r = wide3_mul_sub(p.r, u.r, omega * row(v, KAI_CONE_ROW_MASS_R));
    p.r = wide3_scale(p.r, shorten(wide3_dot(p.r, p.r), row(v, KAI_CONE_ROW_ROLLING) * p.n));
    return p;
}

// A mass of 0 (no moments) has no weight.
KAI_INLINE wide ratio(wide mass_n, wide mass)
{
    return wide_if_greater(mass, wide_set(0.0), mass_n / mass, wide_set(0.0));
}

// The cone as the projection needs it; weights 1 : 1 where masses do not count.
KAI_INLINE cone cone_at(const double* v, bool coupled)
{
    cone c = {.friction = row(v, KAI_CONE_ROW_FRICTION)};
    const wide mass_n = row(v, KAI_CONE_ROW_MASS_N);
    c.weight_t = ratio(mass_n, row(v, KAI_CONE_ROW_MASS_T));
    if (coupled) {
        c.spinning = row(v, KAI_CONE_ROW_SPINNING);
        c.rolling = row(v, KAI_CONE_ROW_ROLLING);
        c.weight_s = ratio(mass_n, row(v, KAI_CONE_ROW_MASS_S));
        c.weight_r = ratio(mass_n, row(v, KAI_CONE_ROW_MASS_R));
    }
    return c;
}

// Associated: the point of the cone nearest to the free solution, in the metric of the masses.
KAI_INLINE point solve_associated(const double* v, kai_cone_kind kind, point p, point u, wide omega)
{
    const bool coupled = kind == KAI_CONE_COUPLED;
    const wide off = u.n + row(v, KAI_CONE_ROW_BIAS) + row(v, KAI_CONE_ROW_COMPLIANCE) * p.n;
    const cone c = cone_at(v, coupled);
    p.n -= omega * row(v, KAI_CONE_ROW_MASS_N) * off;
    p.t = wide3_mul_sub(p.t, u.t, omega * row(v, KAI_CONE_ROW_MASS_T));
    if (coupled) {
        p.s -= omega * row(v, KAI_CONE_ROW_MASS_S) * u.s;
        p.r = wide3_mul_sub(p.r, u.r, omega * row(v, KAI_CONE_ROW_MASS_R));
    }
    return project_point(p, &c, coupled);
}

KAI_INLINE void sweep_part(const kai_cone_pass* pass, const kai_cone_run* run, manner m,
                           double* group, int part, wide_motion* a, wide_motion* b, wide* spoilt)
{
    (void)run, (void)spoilt;
    const bool grain = m.kind == KAI_CONE_GRAIN, coupled = m.kind == KAI_CONE_COUPLED;
    const wide omega = wide_set(pass->relaxation);
    double* v = group + part;
    const wide3 n = row3(v, KAI_CONE_ROW_NORMAL);
    const wide3 old = row3(v, KAI_CONE_ROW_IMPULSE);
    wide3 old_couple = {0};
    if (coupled) old_couple = row3(v, KAI_CONE_ROW_COUPLE);
    const point p = split(old, old_couple, n, coupled);
    const point u = split(relative(v, grain, a, b, n), wide3_sub(b->w, a->w), n, coupled);
    point q = m.associated ? solve_associated(v, m.kind, p, u, omega)
                           : solve_coulomb(v, m.kind, p, u, omega);
    const wide3 impulse = impulse_of(&q, n);
    wide3_put(v + KAI_CONE_ROW_IMPULSE * LANES, LANES, impulse);
    push(v, grain, a, b, n, wide3_sub(impulse, old));
    if (!coupled) return;
    const point left = split(old, wide3_sub(b->w, a->w), n, true);
    if (!m.associated) q = solve_couple(v, q, left, omega);
    const wide3 couple = couple_of(&q, n);
    wide3_put(v + KAI_CONE_ROW_COUPLE * LANES, LANES, couple);
    twist(v, a, b, wide3_sub(couple, old_couple));
}

KAI_INLINE void sweep_run(const kai_cone_pass* pass, const kai_cone_run* run, kai_cone_kind kind,
                          bool associated, bool stays, move_fn* move, kai_cone_sums* sums)
{
    move_run(pass, run, (manner){.kind = kind, .stays = stays, .associated = associated}, move,
             sums);
}

// What beds are made of comes in two versions, so that nobody asks about bodies that stay.
static void sweep(const kai_cone_pass* pass, const kai_cone_run* run, kai_cone_sums* s)
{
    const bool stays = run->stays;
    switch (run->kind * 2 + (pass->associated ? 1 : 0)) {
    case KAI_CONE_FRICTIONLESS * 2:
    case KAI_CONE_FRICTIONLESS * 2 + 1:
        sweep_run(pass, run, KAI_CONE_FRICTIONLESS, false, stays, lean_move, s);
        break;
    case KAI_CONE_SMOOTH * 2:
    case KAI_CONE_SMOOTH * 2 + 1:
        sweep_run(pass, run, KAI_CONE_SMOOTH, false, stays, lean_move, s);
        break;
    case KAI_CONE_EQUAL_MASSES * 2:
    case KAI_CONE_UNIFORM * 2:
        if (stays)
            sweep_run(pass, run, KAI_CONE_UNIFORM, false, true, uniform_move, s);
        else
            sweep_run(pass, run, KAI_CONE_UNIFORM, false, false, uniform_move, s);
        break;
    case KAI_CONE_GRAIN * 2:
        if (stays)
            sweep_run(pass, run, KAI_CONE_GRAIN, false, true, sweep_part, s);
        else
            sweep_run(pass, run, KAI_CONE_GRAIN, false, false, sweep_part, s);
        break;
    case KAI_CONE_GRAIN * 2 + 1:
        sweep_run(pass, run, KAI_CONE_GRAIN, true, stays, sweep_part, s);
        break;
    case KAI_CONE_GENERAL * 2:
        if (stays)
            sweep_run(pass, run, KAI_CONE_GENERAL, false, true, sweep_part, s);
        else
            sweep_run(pass, run, KAI_CONE_GENERAL, false, false, sweep_part, s);
        break;
    case KAI_CONE_GENERAL * 2 + 1:
        sweep_run(pass, run, KAI_CONE_GENERAL, true, stays, sweep_part, s);
        break;
    case KAI_CONE_COUPLED * 2:
        sweep_run(pass, run, KAI_CONE_COUPLED, false, stays, sweep_part, s);
        break;
    default: sweep_run(pass, run, KAI_CONE_COUPLED, true, stays, sweep_part, s); break;
    }
}

// Apply ------------------------------------------------------------------------------------------

KAI_INLINE void apply_part(const kai_cone_pass* pass, const kai_cone_run* run, manner m,
                           double* group, int part, wide_motion* a, wide_motion* b, wide* spoilt)
{
    (void)pass, (void)run, (void)spoilt;
    const double* v = group + part;
    push(v, m.kind == KAI_CONE_GRAIN, a, b, row3(v, KAI_CONE_ROW_NORMAL),
         row3(v, KAI_CONE_ROW_IMPULSE));
    if (m.kind == KAI_CONE_COUPLED) twist(v, a, b, row3(v, KAI_CONE_ROW_COUPLE));
}

static void apply(const kai_cone_pass* pass, const kai_cone_run* run, kai_cone_sums* sums)
{
    if (run->kind == KAI_CONE_GRAIN)
        sweep_run(pass, run, KAI_CONE_GRAIN, false, run->stays, apply_part, sums);
    else if (run->kind == KAI_CONE_GENERAL)
        sweep_run(pass, run, KAI_CONE_GENERAL, false, run->stays, apply_part, sums);
    else
        sweep_run(pass, run, KAI_CONE_COUPLED, false, run->stays, apply_part, sums);
}

// Measure ----------------------------------------------------------------------------------------

// Square of the residual of cone.h, times m².
KAI_INLINE wide residual2(const double* v, point p, point u, bool associated, bool coupled)
{
    const wide mass = row(v, KAI_CONE_ROW_MASS_N);
    const wide one = wide_set(1.0);
    cone c = {.friction = row(v, KAI_CONE_ROW_FRICTION), .weight_t = one};
    wide off = u.n + row(v, KAI_CONE_ROW_BIAS) + row(v, KAI_CONE_ROW_COMPLIANCE) * p.n;
    if (!associated) off += shift_of(v, &u, coupled);
    point q = p;
    if (coupled) {
        // In units of L. Where it is 0, couples are 0 and stay so.
        const wide length = row(v, KAI_CONE_ROW_LENGTH);
        const wide inverse = wide_if_greater(length, wide_set(0.0), one / length, wide_set(0.0));
        c.weight_s = c.weight_r = one;
        c.spinning = row(v, KAI_CONE_ROW_SPINNING) * inverse;
        c.rolling = row(v, KAI_CONE_ROW_ROLLING) * inverse;
        p.s *= inverse;
        p.r = wide3_scale(p.r, inverse);
        q.s = p.s - mass * length * u.s;
        q.r = wide3_mul_sub(p.r, u.r, mass * length);
    }
    q.n = p.n - mass * off;
    q.t = wide3_mul_sub(p.t, u.t, mass);
    q = project_point(q, &c, coupled);
    const wide3 dt = wide3_sub(q.t, p.t);
    wide sum = square(q.n - p.n) + wide3_dot(dt, dt);
    // Maxima swallow NaN: it is put in again.
    sum += wide_set(0.0) * (off + c.friction);
    if (coupled) {
        const wide3 dr = wide3_sub(q.r, p.r);
        sum += wide_set(0.0) * (c.spinning + c.rolling);
        sum += square(q.s - p.s) + wide3_dot(dr, dr);
    }
    return sum;
}

KAI_INLINE wide residual_of(const kai_cone_pass* pass, const kai_cone_run* run, kai_cone_kind kind,
                            double* group, int part, const wide_motion* a, const wide_motion* b)
{
    (void)run;
    const bool grain = kind == KAI_CONE_GRAIN, coupled = kind == KAI_CONE_COUPLED;
    const double* v = group + part;
    const wide3 n = row3(v, KAI_CONE_ROW_NORMAL);
    wide3 couple = {0};
    if (coupled) couple = row3(v, KAI_CONE_ROW_COUPLE);
    const point p = split(row3(v, KAI_CONE_ROW_IMPULSE), couple, n, coupled);
    const point u = split(relative(v, grain, a, b, n), wide3_sub(b->w, a->w), n, coupled);
    return residual2(v, p, u, pass->associated, coupled) / square(row(v, KAI_CONE_ROW_MASS_N));
}

static void measure(const kai_cone_pass* pass, const kai_cone_run* run, kai_cone_sums* sums)
{
    switch (run->kind) {
    case KAI_CONE_FRICTIONLESS:
        measure_run(pass, run, KAI_CONE_FRICTIONLESS, lean_residual, sums);
        break;
    case KAI_CONE_SMOOTH: measure_run(pass, run, KAI_CONE_SMOOTH, lean_residual, sums); break;
    case KAI_CONE_EQUAL_MASSES:
    case KAI_CONE_UNIFORM: measure_run(pass, run, KAI_CONE_UNIFORM, uniform_residual, sums); break;
    case KAI_CONE_GRAIN: measure_run(pass, run, KAI_CONE_GRAIN, residual_of, sums); break;
    case KAI_CONE_GENERAL: measure_run(pass, run, KAI_CONE_GENERAL, residual_of, sums); break;
    default: measure_run(pass, run, KAI_CONE_COUPLED, residual_of, sums); break;
    }
}

// Gradient ---------------------------------------------------------------------------------------

KAI_INLINE wide3 between(wide3 x, wide3 y, wide theta)
{
    return wide3_mul_add(x, wide3_sub(y, x), theta);
}

typedef struct gradient_sums {
    wide length2, slope, stretch, turn;
} gradient_sums;

// p: where the step begins, q: where it ends, y: the iterate before; u: û there.
KAI_INLINE void add_sums(const double* v, bool coupled, const point* p, const point* q,
                         const point* y, const point* u, wide share, gradient_sums* sums)
{
    const wide wn = weight(row(v, KAI_CONE_ROW_MASS_N) * share);
    const wide wt = weight(row(v, KAI_CONE_ROW_MASS_T) * share);
    const wide dn = q->n - p->n;
    const wide3 dt = wide3_sub(q->t, p->t);
    sums->length2 += dn * dn * wn + wide3_dot(dt, dt) * wt;
    sums->slope += dn * u->n + wide3_dot(dt, u->t);
    sums->stretch += dn * dn * row(v, KAI_CONE_ROW_COMPLIANCE);
    sums->turn += dn * (q->n - y->n) * wn + wide3_dot(dt, wide3_sub(q->t, y->t)) * wt;
    if (!coupled) return;
    const wide ws = weight(row(v, KAI_CONE_ROW_MASS_S) * share);
    const wide wr = weight(row(v, KAI_CONE_ROW_MASS_R) * share);
    const wide ds = q->s - p->s;
    const wide3 dr = wide3_sub(q->r, p->r);
    sums->length2 += ds * ds * ws + wide3_dot(dr, dr) * wr;
    sums->slope += ds * u->s + wide3_dot(dr, u->r);
    sums->turn += ds * (q->s - y->s) * ws + wide3_dot(dr, wide3_sub(q->r, y->r)) * wr;
}

// The projected step of some contacts: p to the point returned. u becomes û.
KAI_INLINE point step_from(const double* v, bool coupled, point p, point* u, wide length)
{
    const cone c = cone_at(v, coupled);
    p.n -= length * row(v, KAI_CONE_ROW_MASS_N) * u->n;
    p.t = wide3_mul_sub(p.t, u->t, length * row(v, KAI_CONE_ROW_MASS_T));
    if (coupled) {
        p.s -= length * row(v, KAI_CONE_ROW_MASS_S) * u->s;
        p.r = wide3_mul_sub(p.r, u->r, length * row(v, KAI_CONE_ROW_MASS_R));
    }
    return project_point(p, &c, coupled);
}

KAI_INLINE void gradient_group(const kai_cone_pass* pass, const kai_cone_run* run,
                               kai_cone_kind kind, const uint32_t* index, double* v,
                               gradient_sums* sums)
{
    const bool grain = kind == KAI_CONE_GRAIN, coupled = kind == KAI_CONE_COUPLED;
    double* extra = v + kai_cone_pack_rows(kind) * LANES;
    const wide theta = wide_set(pass->theta);
    const wide share = row(extra, KAI_CONE_EXTRA_SHARE);
    const wide3 n = row3(v, KAI_CONE_ROW_NORMAL);
    uint32_t other[2 * LANES];
    const uint32_t* from = sources(run, index, other);
    wide_motion a = wide_gather_speed((const double*)pass->from, from);
    wide_motion b = wide_gather_speed((const double*)pass->from, from + LANES);

    // Where the step begins.
    const wide3 y = row3(v, KAI_CONE_ROW_IMPULSE);
    const wide3 z = between(row3(extra, KAI_CONE_EXTRA_IMPULSE), y, theta);
    wide3 y_couple = {0}, z_couple = {0};
    if (coupled) {
        y_couple = row3(v, KAI_CONE_ROW_COUPLE);
        z_couple = between(row3(extra, KAI_CONE_EXTRA_COUPLE), y_couple, theta);
    }
    const point p = split(z, z_couple, n, coupled), old = split(y, y_couple, n, coupled);
    point u = split(relative(v, grain, &a, &b, n), wide3_sub(b.w, a.w), n, coupled);
    if (!pass->associated) u.n += shift_of(v, &u, coupled);
    u.n += row(v, KAI_CONE_ROW_BIAS) + row(v, KAI_CONE_ROW_COMPLIANCE) * p.n;

    // The step, and what it does to velocities.
    const point q = step_from(v, coupled, p, &u, wide_set(pass->step) * share);
    const wide3 impulse = impulse_of(&q, n);
    add_sums(v, coupled, &p, &q, &old, &u, share, sums);
    wide3_put(v + KAI_CONE_ROW_IMPULSE * LANES, LANES, impulse);
    wide3_put(extra + KAI_CONE_EXTRA_IMPULSE * LANES, LANES, pass->keep ? z : y);
    double* const motion = (double*)pass->motion;
    a = wide_gather(motion, from);
    b = wide_gather(motion, from + LANES);
    push(v, grain, &a, &b, n, wide3_sub(impulse, z));
    if (coupled) {
        const wide3 couple = couple_of(&q, n);
        wide3_put(v + KAI_CONE_ROW_COUPLE * LANES, LANES, couple);
        wide3_put(extra + KAI_CONE_EXTRA_COUPLE * LANES, LANES, pass->keep ? z_couple : y_couple);
        twist(v, &a, &b, wide3_sub(couple, z_couple));
    }
    const uint32_t* to = targets(run, index, other);
    wide_scatter(motion, to, &a);
    wide_scatter(motion, to + LANES, &b);
}

KAI_INLINE void gradient_run(const kai_cone_pass* pass, const kai_cone_run* run, kai_cone_kind kind,
                             kai_cone_sums* sums)
{
    const wide zero = wide_set(0.0);
    const size_t step = (size_t)run->rows * LANES;
    double* const end = pass->values + run->value + run->count * step;
    gradient_sums part = {zero, zero, zero, zero};
    for (double* group = pass->values + run->value; group < end; group += step) {
        for (int k = 0; k < LANES; k += WIDE)
            gradient_group(pass, run, kind, (const uint32_t*)group + k, group + k, &part);
    }
    sums->length2 += total(part.length2);
    sums->slope += total(part.slope);
    sums->stretch += total(part.stretch);
    sums->turn += total(part.turn);
}

static void gradient(const kai_cone_pass* pass, const kai_cone_run* run, kai_cone_sums* sums)
{
    if (run->kind == KAI_CONE_GRAIN)
        gradient_run(pass, run, KAI_CONE_GRAIN, sums);
    else if (run->kind == KAI_CONE_GENERAL)
        gradient_run(pass, run, KAI_CONE_GENERAL, sums);
    else
        gradient_run(pass, run, KAI_CONE_COUPLED, sums);
}

static void mix(const kai_cone_pass* pass, const kai_cone_run* run, kai_cone_sums* sums)
{
    (void)sums;
    const bool coupled = run->kind == KAI_CONE_COUPLED;
    const size_t step = (size_t)run->rows * LANES;
    for (uint32_t g = 0; g < run->count; g++) {
        double* v = pass->values + run->value + g * step;
        const double* x = v + (kai_cone_pack_rows(run->kind) + KAI_CONE_EXTRA_IMPULSE) * LANES;
        double* y = v + KAI_CONE_ROW_IMPULSE * LANES;
        for (int k = 0; k < 3 * LANES; k++) y[k] = x[k] + pass->theta * (y[k] - x[k]);
        x = v + (kai_cone_pack_rows(run->kind) + KAI_CONE_EXTRA_COUPLE) * LANES;
        y = v + KAI_CONE_ROW_COUPLE * LANES;
        for (int k = 0; coupled && k < 3 * LANES; k++) y[k] = x[k] + pass->theta * (y[k] - x[k]);
    }
}

#define CONE_KERNEL_TABLE                                                       \
    {                                                                           \
        .prepare = prepare, .sweep = sweep, .apply = apply, .measure = measure, \
        .gradient = gradient, .mix = mix                                        \
    }

#endif
