// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Two spheres, or a plane and a sphere, under a penalty law, moved as `euler` moves bodies: half a
// drift, forces at the middle with the velocity before, kick, half a drift.
#ifndef TESTS_CONTACT_PENALTY_RIG_H
#define TESTS_CONTACT_PENALTY_RIG_H

#include "contact/penalty.h"
#include "helper.h"

typedef struct rig_ball {
    double mass, radius; // HUGE_VAL: fixed; flat (then the normal is the rig's)
    kai_vec3 x, v, w;
    kai_vec3 force; // from outside
    bool upright;   // does not turn
} rig_ball;

typedef struct rig {
    kai_penalty_law law;
    kai_contact_coefficients pair;
    kai_contact_history history;
    rig_ball a, b;
    kai_vec3 plane; // normal when a is flat
    double h, time;
    bool touching;
    double deepest, strongest;    // overlap and normal force so far
    double began, ended;          // times, with the parts of a step before and after
    double spent, energy;         // dissipated so far, stored now
    kai_contact_answer answer;    // of the last touch
    kai_contact_touch last_touch; // likewise
} rig;

HELPER kai_material_def rig_material(double young, double poisson, double restitution)
{
    kai_material_def m = kai_material_def_default();
    m.young = young, m.poisson = poisson, m.restitution = restitution;
    return m;
}

/// A rig with `hertz` and materials both alike.
HELPER rig rig_make(kai_material_def material, double h)
{
    rig r = {.law = kai_penalty_law_default(), .h = h};
    check_ok(kai_penalty_pair_combine(&material, &material, &r.pair, NULL));
    r.plane = kai_vec3_axis(2);
    return r;
}

HELPER double rig_inverse(double x) { return x < HUGE_VAL ? 1.0 / x : 0.0; }

/// 1/I of a solid sphere.
HELPER double rig_inverse_inertia(const rig_ball* s)
{
    return s->mass < HUGE_VAL && !s->upright ? 2.5 / (s->mass * s->radius * s->radius) : 0.0;
}

HELPER double rig_kinetic(const rig* r)
{
    const rig_ball* balls[] = {&r->a, &r->b};
    double sum = 0.0;
    for (int i = 0; i < 2; i++)
        if (balls[i]->mass < HUGE_VAL)
            sum += 0.5 * balls[i]->mass *
                   (kai_vec3_norm2(balls[i]->v) +
                    0.4 * balls[i]->radius * balls[i]->radius * kai_vec3_norm2(balls[i]->w));
    return sum;
}

/// The touch as it stands; overlap <= 0 when there is none. Arms go to the points of contact.
HELPER kai_contact_touch rig_touch(rig* r, kai_vec3* arm_a, kai_vec3* arm_b)
{
    const bool flat = !(r->a.radius < HUGE_VAL);
    const kai_vec3 d = kai_vec3_sub(r->b.x, r->a.x);
    kai_contact_touch t = {.radius_a = r->a.radius, .radius_b = r->b.radius};
    t.normal = flat ? r->plane : kai_vec3_normalize(d);
    t.overlap = (flat ? 0.0 : r->a.radius) + r->b.radius - kai_vec3_dot(d, t.normal);
    t.radius = 1.0 / (rig_inverse(r->a.radius) + rig_inverse(r->b.radius));
    t.mass = 1.0 / (rig_inverse(r->a.mass) + rig_inverse(r->b.mass));
    *arm_a = kai_vec3_scale(t.normal, flat ? 0.0 : r->a.radius - 0.5 * t.overlap);
    *arm_b = kai_vec3_scale(t.normal, -(r->b.radius - (flat ? 1.0 : 0.5) * t.overlap));
    t.velocity = kai_vec3_sub(kai_vec3_add(r->b.v, kai_vec3_cross(r->b.w, *arm_b)),
                              kai_vec3_add(r->a.v, kai_vec3_cross(r->a.w, *arm_a)));
    t.spin = kai_vec3_sub(r->b.w, r->a.w);
    t.pair = &r->pair;
    t.history = &r->history;
    return t;
}

HELPER void rig_push(rig_ball* s, kai_vec3 force, kai_vec3 torque, double h)
{
    s->v = kai_vec3_mul_add(s->v, kai_vec3_add(force, s->force), h * rig_inverse(s->mass));
    s->w = kai_vec3_mul_add(s->w, torque, h * rig_inverse_inertia(s));
}

/// The velocities of a touch that went through its time: parts of steps at both ends.
HELPER void rig_watch(rig* r, const kai_contact_touch* t)
{
    const double speed = fabs(kai_vec3_dot(t->velocity, t->normal));
    if (!r->touching) r->began = r->time + 0.5 * r->h - t->overlap / speed;
    r->ended = r->time + 0.5 * r->h + t->overlap / speed;
    r->deepest = fmax(r->deepest, t->overlap);
    r->strongest = fmax(r->strongest, kai_vec3_dot(r->answer.force, t->normal));
    r->spent += r->h * r->answer.dissipation;
    r->last_touch = *t;
}

HELPER void rig_step(rig* r)
{
    r->a.x = kai_vec3_mul_add(r->a.x, r->a.v, 0.5 * r->h);
    r->b.x = kai_vec3_mul_add(r->b.x, r->b.v, 0.5 * r->h);
    kai_vec3 arm_a, arm_b, force = kai_vec3_zero(), couple = kai_vec3_zero();
    const kai_contact_touch t = rig_touch(r, &arm_a, &arm_b);
    if (t.overlap > 0.0) {
        kai_penalty_evaluate(&r->law, &t, 1, r->h, &r->answer);
        rig_watch(r, &t);
        force = r->answer.force, couple = r->answer.couple;
        r->energy = r->answer.energy;
    } else {
        memset(&r->history, 0, sizeof r->history);
        r->energy = 0.0;
    }
    r->touching = t.overlap > 0.0;
    rig_push(&r->b, force, kai_vec3_add(couple, kai_vec3_cross(arm_b, force)), r->h);
    rig_push(&r->a, kai_vec3_neg(force),
             kai_vec3_neg(kai_vec3_add(couple, kai_vec3_cross(arm_a, force))), r->h);
    r->a.x = kai_vec3_mul_add(r->a.x, r->a.v, 0.5 * r->h);
    r->b.x = kai_vec3_mul_add(r->b.x, r->b.v, 0.5 * r->h);
    r->time += r->h;
}

/// Until the bodies have touched and parted, or until `longest` seconds have passed.
HELPER void rig_impact(rig* r, double longest)
{
    bool touched = false;
    while (r->time < longest) {
        rig_step(r);
        if (touched && !r->touching) return;
        touched |= r->touching;
    }
}

/// Duration of an elastic impact by Hertz (Deresiewicz 1968): 2.9432749 δmax / v.
HELPER double rig_hertz_time(const rig* r, double radius, double mass, double speed)
{
    const double deepest =
        pow(15.0 * mass * speed * speed / (16.0 * r->pair.young * sqrt(radius)), 0.4);
    return 2.943274923 * deepest / speed;
}

#endif
