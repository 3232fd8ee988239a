// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// What stands around a normal law: damping, friction, rolling and spinning resistance, adhesion.
#include "contact/penalty.h"

#include "base/error.h"
#include "contact/penalty_formula.h"
#include "contact/penalty_list.h"

#include <string.h>

enum { BLOCK = 64 }; // touches; what a normal law says about them stays in the first-level cache

const char* const kai_penalty_tangential_words[] = {"history", "one-step", "none", NULL};
const char* const kai_penalty_adhesion_words[] = {"none", "constant", "dmt", "perko", NULL};

// The kinds --------------------------------------------------------------------------------------

static const kai_contact_law_kind* const KINDS[] = {
#define LIST_KIND(name) &kai_contact_law_##name,
    KAI_CONTACT_LAW_KINDS(LIST_KIND)
#undef LIST_KIND
};

kai_penalty_law kai_penalty_law_default(void)
{
    return (kai_penalty_law){.kind = &kai_contact_law_hertz};
}

const kai_contact_law_kind* kai_penalty_kind_at(size_t i)
{
    return i < KAI_COUNT(KINDS) ? KINDS[i] : NULL;
}

const kai_contact_law_kind* kai_penalty_kind_find(const char* name)
{
    for (size_t i = 0; i < KAI_COUNT(KINDS); i++)
        if (strcmp(KINDS[i]->kind.name, name) == 0) return KINDS[i];
    return NULL;
}

kai_result kai_penalty_kind_validate(const kai_contact_law_kind* kind, kai_error* err)
{
    KAI_TRY(kai_kind_validate(kind ? &kind->kind : NULL, err));
    if (!kind->normal == !kind->evaluate)
        return kai_error_set(err, KAI_ERROR_ARGUMENT,
                             "contact law %s has %s; must have one of normal() and evaluate()",
                             kind->kind.name, kind->normal ? "both" : "neither");
    return KAI_OK;
}

// The parts around a normal law ------------------------------------------------------------------

// Damping ratio of rolling and spinning: comes to rest within a vibration or two.
static const double ROLLING_DAMPING = 0.5;
// Rolling stiffness over kn arm² (Ai et al. 2011).
static const double ROLLING_STIFFNESS = 2.25;
// N/m: Perko's (2001) force of clean lunar grains over the effective radius.
static const double PERKO = 0.036;

/// fmax is a call into the library where NaN counts.
static double positive(double x) { return x > 0.0 ? x : 0.0; }

static double attraction(kai_contact_adhesion adhesion, const kai_contact_touch* t)
{
    const kai_contact_coefficients* p = t->pair;
    switch (adhesion) {
    case KAI_CONTACT_ADHESION_CONSTANT: return fmax(p->adhesion, p->cohesion);
    case KAI_CONTACT_ADHESION_DMT: return 4.0 * KAI_PI * p->adhesion * t->radius;
    case KAI_CONTACT_ADHESION_PERKO: return PERKO * p->adhesion * p->adhesion * t->radius;
    default: return 0.0;
    }
}

/// What a spring, dashpot and slider of stiffness k took from the motion: all that the resistance
/// does and the spring did not store. While it sticks that is the dashpot alone.
static double lost(kai_vec3 resistance, kai_vec3 v, double k, double g, double stored,
                   double slipping, kai_vec3 u, double h)
{
    if (slipping == 0.0) return g * kai_vec3_norm2(v);
    const double gain = 0.5 * k * kai_vec3_norm2(u) - stored;
    return positive(kai_vec3_dot(resistance, v) - gain / h);
}

static kai_vec3 in_plane(kai_vec3 v, kai_vec3 normal)
{
    return kai_vec3_mul_add(v, normal, -kai_vec3_dot(v, normal));
}

/// The h that damping is corrected for: how long velocities lag.
static double lag_of(const kai_penalty_law* law, double h) { return law->instant ? 0.0 : h; }

/// Friction: on b against the sliding velocity, at most friction · push.
static void add_friction(const kai_penalty_law* law, const kai_contact_touch* t,
                         const kai_contact_normal* e, double push, double h,
                         kai_contact_answer* out)
{
    kai_contact_history* past = t->history;
    const kai_vec3 v = in_plane(t->velocity, t->normal);
    const bool history = law->tangential == KAI_CONTACT_TANGENTIAL_HISTORY;
    kai_vec3 u = history ? kai_penalty_carry(past->sliding, t->normal) : kai_vec3_zero();
    if (history) u = kai_vec3_add(u, in_plane(t->extra_slide, t->normal));
    const double stored = 0.5 * e->kt * kai_vec3_norm2(u);
    const double g = kai_penalty_cap(e->gt, lag_of(law, h), KAI_PENALTY_SHARE * t->mass);
    const kai_vec3 f =
        kai_penalty_resist(&u, &past->slipping, v, e->kt, g, t->pair->static_friction * push,
                           t->pair->friction * push, h);
    out->force = kai_vec3_sub(out->force, f);
    if (!history) {
        out->dissipation += kai_vec3_dot(f, v);
        return;
    }
    past->sliding = u;
    out->energy += 0.5 * e->kt * kai_vec3_norm2(u);
    out->dissipation += lost(f, v, e->kt, g, stored, past->slipping, u, h);
}

/// Resistance of an arm's length: a torsion spring, dashpot and slider, at most arm · push (the
/// elastic-plastic spring and dashpot of Ai et al. 2011). A ball comes to rest and stays there. The
/// spring is no stiffer than an arm of the effective radius makes it, so that steps that are safe
/// for the push are safe for it.
static kai_vec3 torsion(const kai_penalty_law* law, const kai_contact_touch* t, double secant,
                        double arm, double push, kai_vec3* angle, kai_vec3 rate, double h,
                        kai_contact_answer* out)
{
    const double lever = fmin(arm, t->radius), inertia = t->mass * t->radius * t->radius;
    const double k = ROLLING_STIFFNESS * secant * lever * lever;
    const double g =
        kai_penalty_cap(2.0 * ROLLING_DAMPING * sqrt(k * inertia), lag_of(law, h), inertia);
    const double stored = 0.5 * k * kai_vec3_norm2(*angle);
    double slipping = 0.0;
    const kai_vec3 m = kai_penalty_resist(angle, &slipping, rate, k, g, arm * push, arm * push, h);
    out->energy += 0.5 * k * kai_vec3_norm2(*angle);
    out->dissipation += lost(m, rate, k, g, stored, slipping, *angle, h);
    return m;
}

static void add_rolling(const kai_penalty_law* law, const kai_contact_touch* t, double secant,
                        double push, double h, kai_contact_answer* out)
{
    kai_vec3 angle = kai_vec3_add(kai_penalty_carry(t->history->rolling, t->normal),
                                  in_plane(t->extra_turn, t->normal));
    const kai_vec3 rate = in_plane(t->spin, t->normal);
    const kai_vec3 m =
        torsion(law, t, secant, t->pair->rolling_friction, push, &angle, rate, h, out);
    t->history->rolling = angle;
    out->couple = kai_vec3_sub(out->couple, m);
}

static void add_spinning(const kai_penalty_law* law, const kai_contact_touch* t, double secant,
                         double push, double h, kai_contact_answer* out)
{
    const double spin = kai_vec3_dot(t->spin, t->normal);
    kai_vec3 angle =
        kai_vec3_make(t->history->spinning + kai_vec3_dot(t->extra_turn, t->normal), 0.0, 0.0);
    const kai_vec3 m = torsion(law, t, secant, t->pair->spinning_friction, push, &angle,
                               kai_vec3_make(spin, 0.0, 0.0), h, out);
    t->history->spinning = angle.x;
    out->couple = kai_vec3_mul_add(out->couple, t->normal, -m.x);
}

static void surround(const kai_penalty_law* law, const kai_contact_touch* t,
                     const kai_contact_normal* e, double h, kai_contact_answer* out)
{
    const double departure = kai_vec3_dot(t->velocity, t->normal);
    const double g = kai_penalty_cap(e->damping, lag_of(law, h), t->mass);
    double damper = -g * departure;
    if (law->kind->no_pull && damper < -e->force) damper = -e->force;
    const double pull = attraction(law->adhesion, t);
    // Friction and the other resistances feel what presses the surfaces together: the attraction
    // does, too, and is in the elastic push when the contact is in balance.
    const double push = positive(e->force + damper);
    out->force = kai_vec3_scale(t->normal, e->force + damper - pull);
    out->energy = e->energy - pull * t->overlap;
    out->dissipation = -damper * departure;
    if (law->tangential != KAI_CONTACT_TANGENTIAL_NONE) add_friction(law, t, e, push, h, out);
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
            surround(law, &touches[first + i], &normals[i], h, &out[first + i]);
    }
}
