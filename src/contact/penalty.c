// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// What stands around a normal law: damping, friction, rolling and spinning resistance, adhesion.
#include "contact/penalty.h"

#include "model/laws/law_adhesion.h"
#include "model/laws/law_rolling.h"

#include <string.h>

enum { BLOCK = 64 }; // touches; what a normal law says about them stays in the first-level cache

kai_penalty_law kai_penalty_law_default(void)
{
    return (kai_penalty_law){.kind = &kai_contact_law_hertz};
}

// The parts around a normal law ------------------------------------------------------------------

static kai_vec3 in_plane(kai_vec3 v, kai_vec3 normal)
{
    return kai_vec3_mul_add(v, normal, -kai_vec3_dot(v, normal));
}

/// The h that damping is corrected for: how long velocities lag.
static double lag_of(const kai_penalty_law* law, double h) { return law->instant ? 0.0 : h; }

/// Friction: on b against the sliding velocity, at most friction · push.
static void add_friction(const kai_penalty_law* law, const kai_contact_touch* t, double kt,
                         double gt, double push, double h, kai_contact_answer* out)
{
    kai_contact_history* past = t->history;
    const kai_vec3 v = in_plane(t->velocity, t->normal);
    const bool history = law->tangential == KAI_CONTACT_TANGENTIAL_HISTORY;
    kai_vec3 u = history ? kai_law_tangential_carry(past->sliding, t->normal) : kai_vec3_zero();
    if (history) u = kai_vec3_add(u, in_plane(t->extra_slide, t->normal));
    const double slide = t->pair->friction * push,
                 limit = past->slipping > 0.0 ? slide : t->pair->static_friction * push;
    const double g = kai_law_cap(gt, KAI_LAW_SHARE * KAI_LAW_MOST * t->mass / lag_of(law, h));
    const kai_law_tangential_answer f =
        kai_law_tangential(u, v, kt, g, limit, slide, kai_vec3_norm2(u), h, 1.0 / h);
    out->force = kai_vec3_sub(out->force, f.force);
    past->slipping = f.slips ? 1.0 : 0.0;
    if (!history) {
        out->dissipation += kai_vec3_dot(f.force, v);
        return;
    }
    past->sliding = f.u;
    out->energy += f.energy;
    out->dissipation += f.heat;
}

/// The couple against a turn, whose spring goes on.
static kai_vec3 resist_turn(const kai_penalty_law* law, const kai_contact_touch* t, double secant,
                            double arm, double push, kai_vec3* angle, kai_vec3 rate, double h,
                            kai_contact_answer* out)
{
    const kai_law_tangential_answer m =
        kai_law_rolling(*angle, rate, secant, t->radius, t->mass, arm, push, lag_of(law, h), h);
    *angle = m.u;
    out->energy += m.energy;
    out->dissipation += m.heat;
    return m.force;
}

static void add_rolling(const kai_penalty_law* law, const kai_contact_touch* t, double secant,
                        double push, double h, kai_contact_answer* out)
{
    kai_vec3 angle = kai_vec3_add(kai_law_tangential_carry(t->history->rolling, t->normal),
                                  in_plane(t->extra_turn, t->normal));
    const kai_vec3 rate = in_plane(t->spin, t->normal);
    const kai_vec3 m =
        resist_turn(law, t, secant, t->pair->rolling_friction, push, &angle, rate, h, out);
    t->history->rolling = angle;
    out->couple = kai_vec3_sub(out->couple, m);
}

static void add_spinning(const kai_penalty_law* law, const kai_contact_touch* t, double secant,
                         double push, double h, kai_contact_answer* out)
{
    const double spin = kai_vec3_dot(t->spin, t->normal);
    kai_vec3 angle =
        kai_vec3_make(t->history->spinning + kai_vec3_dot(t->extra_turn, t->normal), 0.0, 0.0);
    const kai_vec3 m = resist_turn(law, t, secant, t->pair->spinning_friction, push, &angle,
                                   kai_vec3_make(spin, 0.0, 0.0), h, out);
    t->history->spinning = angle.x;
    out->couple = kai_vec3_mul_add(out->couple, t->normal, -m.x);
}

static void add_parts(const kai_penalty_law* law, const kai_contact_touch* t,
                      const kai_contact_normal* e, double h, kai_contact_answer* out)
{
    const bool lags = law->kind->dashpot;
    const double departure = kai_vec3_dot(t->velocity, t->normal);
    const double lag = lag_of(law, h);
    const double g = kai_law_cap(lags ? kai_law_lag(e->damping, lag, t->mass) : e->damping,
                                 KAI_LAW_MOST * t->mass / lag),
                 gt = lags ? kai_law_lag(e->gt, lag, KAI_LAW_SHARE * t->mass) : e->gt;
    double damper = -g * departure;
    if (law->kind->no_pull && damper < -e->force) damper = -e->force;
    const kai_law_adhesion_pull adhesion = kai_law_adhesion(law->adhesion, t->pair);
    const double pull = adhesion.force + adhesion.force_by_radius * t->radius;
    // Friction and the other resistances feel what presses the surfaces together: the attraction
    // does, too, and is in the elastic push when the contact is in balance.
    const double push = kai_law_positive(e->force + damper);
    out->force = kai_vec3_scale(t->normal, e->force + damper - pull);
    out->energy = e->energy - pull * t->overlap;
    out->dissipation = -damper * departure;
    if (law->tangential != KAI_CONTACT_TANGENTIAL_NONE)
        add_friction(law, t, e->kt, gt, push, h, out);
    if (t->pair->rolling_friction > 0.0) add_rolling(law, t, e->force / t->overlap, push, h, out);
    if (t->pair->spinning_friction > 0.0) add_spinning(law, t, e->force / t->overlap, push, h, out);
}

void kai_penalty_evaluate(const kai_penalty_law* law, const kai_contact_touch* touches,
                          size_t count, double h, kai_contact_answer* out)
{
    memset(out, 0, count * sizeof *out);
    if (law->kind->evaluate) {
        law->kind->evaluate(law->instance, touches, count, h, out);
        return;
    }
    kai_contact_normal normals[BLOCK];
    for (size_t first = 0; first < count; first += BLOCK) {
        const size_t n = count - first < BLOCK ? count - first : BLOCK;
        memset(normals, 0, n * sizeof *normals);
        law->kind->normal(law->instance, touches + first, n, lag_of(law, h), normals);
        for (size_t i = 0; i < n; i++)
            add_parts(law, &touches[first + i], &normals[i], h, &out[first + i]);
    }
}

/// Evaluates the touches of a block from `first` on that have the law of that one, and marks them.
static void evaluate_alike(const kai_penalty_law* const* laws, const kai_contact_touch* touches,
                           size_t first, size_t count, double h, bool* done,
                           kai_contact_answer* out)
{
    kai_contact_touch alike[BLOCK] = {touches[first]};
    kai_contact_answer answers[BLOCK];
    size_t which[BLOCK], n = 0;
    for (size_t i = first; i < count; i++) {
        if (laws[i] != laws[first]) continue;
        done[i] = true;
        which[n] = i;
        alike[n++] = touches[i];
    }
    kai_penalty_evaluate(laws[first], alike, n, h, answers);
    for (size_t i = 0; i < n; i++) out[which[i]] = answers[i];
}

void kai_penalty_evaluate_by_law(const kai_penalty_law* const* laws,
                                 const kai_contact_touch* touches, size_t count, double h,
                                 kai_contact_answer* out)
{
    while (count > 0) {
        const size_t n = count < BLOCK ? count : BLOCK;
        bool done[BLOCK] = {false};
        size_t same = 1;
        while (same < n && laws[same] == laws[0]) same++;
        if (same == n) // mostly
            kai_penalty_evaluate(laws[0], touches, n, h, out);
        else
            for (size_t i = 0; i < n; i++)
                if (!done[i]) evaluate_alike(laws, touches, i, n, h, done, out);
        laws += n, touches += n, out += n, count -= n;
    }
}
