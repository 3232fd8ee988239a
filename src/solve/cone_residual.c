// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "solve/cone_residual.h"

#include <math.h>

/// A body as one contact sees it: nothing of it moves where it is KAI_CONE_NONE.
typedef struct side {
    kai_vec3 v, w, arm;
    double inverse_mass;
    double inertia[6]; // inverse: xx yy zz xy xz yz
} side;

static side side_of(const kai_cone_problem* p, uint32_t body, kai_vec3 arm)
{
    side s = {.arm = arm};
    if (body == KAI_CONE_NONE) return s;
    const kai_cone_motion* m = &p->motion[body];
    s.v = m->v;
    s.w = m->w;
    s.inverse_mass = m->inverse_mass;
    for (int k = 0; k < 6; k++) {
        const double full = p->inertia ? p->inertia[body][k] : 0.0;
        s.inertia[k] = m->inverse_moment < 0.0 ? full : k < 3 ? m->inverse_moment : 0.0;
    }
    return s;
}

static kai_vec3 velocity_at(const side* s)
{
    return kai_vec3_add(s->v, kai_vec3_cross(s->w, s->arm));
}

static kai_vec3 turned_by(const side* s, kai_vec3 l)
{
    const double* m = s->inertia;
    return kai_vec3_make(m[0] * l.x + m[3] * l.y + m[4] * l.z, m[3] * l.x + m[1] * l.y + m[5] * l.z,
                         m[4] * l.x + m[5] * l.y + m[2] * l.z);
}

/// n·N n of a body.
static double ease_of(const side* s, kai_vec3 n)
{
    const kai_vec3 turn = kai_vec3_cross(s->arm, n);
    return s->inverse_mass + kai_vec3_dot(turn, turned_by(s, turn));
}

/// A normal part, one across it, and both of couples in units of L.
typedef struct point {
    double n, s;
    kai_vec3 t, r;
} point;

static point split(kai_vec3 f, kai_vec3 k, kai_vec3 n)
{
    const double along = kai_vec3_dot(f, n), about = kai_vec3_dot(k, n);
    return (point){along, about, kai_vec3_mul_add(f, n, -along), kai_vec3_mul_add(k, n, -about)};
}

typedef struct limits {
    double friction, spinning, rolling; // of couples in units of L
} limits;

/// The nearest point of K. Where n is x, the parts that are too long are cut to their limit times
/// x; the right set of those parts is the one that gives the largest x.
static point nearest(point p, const limits* c)
{
    const double size[3] = {kai_vec3_norm(p.t), fabs(p.s), kai_vec3_norm(p.r)};
    const double limit[3] = {c->friction, c->spinning, c->rolling};
    double x = 0.0, keep[3];
    for (unsigned set = 0; set < 8; set++) {
        double top = p.n, low = 1.0;
        for (int k = 0; k < 3; k++) {
            if (!(set >> k & 1u)) continue;
            top += limit[k] * size[k];
            low += limit[k] * limit[k];
        }
        x = fmax(x, top / low);
    }
    for (int k = 0; k < 3; k++) keep[k] = size[k] > limit[k] * x ? limit[k] * x / size[k] : 1.0;
    return (point){x, p.s * keep[1], kai_vec3_scale(p.t, keep[0]), kai_vec3_scale(p.r, keep[2])};
}

double kai_cone_residual(const kai_cone_problem* problem, bool associated, size_t contact)
{
    const kai_cone_contact* c = &problem->contacts[contact];
    const side a = side_of(problem, c->a, c->arm_a), b = side_of(problem, c->b, c->arm_b);
    const kai_vec3 n = c->normal, none = kai_vec3_zero();
    const bool coupled = problem->couple && (c->rolling > 0.0 || c->spinning > 0.0);
    const double ease = ease_of(&a, n) + ease_of(&b, n);
    const double mass = ease + c->compliance > 0.0 ? 1.0 / (ease + c->compliance) : 0.0;
    double trace = 0.0;
    for (int k = 0; k < 3; k++) trace += a.inertia[k] + b.inertia[k];
    const double length = coupled && trace > 0.0 ? sqrt(3.0 * ease / trace) : 0.0;
    const double per = length > 0.0 ? 1.0 / length : 0.0;
    const limits k = {c->friction, c->spinning * per, c->rolling * per};
    const point p = split(problem->impulse[contact],
                          coupled ? kai_vec3_scale(problem->couple[contact], per) : none, n);
    point u = split(kai_vec3_sub(velocity_at(&b), velocity_at(&a)),
                    coupled ? kai_vec3_scale(kai_vec3_sub(b.w, a.w), length) : none, n);
    u.n += c->bias + c->compliance * p.n;
    if (!associated)
        u.n += k.friction * kai_vec3_norm(u.t) + k.spinning * fabs(u.s) +
               k.rolling * kai_vec3_norm(u.r);
    const point q =
        nearest((point){p.n - mass * u.n, p.s - mass * u.s, kai_vec3_mul_add(p.t, u.t, -mass),
                        kai_vec3_mul_add(p.r, u.r, -mass)},
                &k);
    const double off = (p.n - q.n) * (p.n - q.n) + (p.s - q.s) * (p.s - q.s) +
                       kai_vec3_norm2(kai_vec3_sub(p.t, q.t)) +
                       kai_vec3_norm2(kai_vec3_sub(p.r, q.r));
    return mass > 0.0 ? sqrt(off) / mass : 0.0;
}

size_t kai_cone_residual_worst(const kai_cone_problem* problem, bool associated, double* residual)
{
    size_t worst = 0;
    *residual = -1.0;
    for (size_t i = 0; i < problem->contact_count; i++) {
        const double here = kai_cone_residual(problem, associated, i);
        if (!(here > *residual)) continue;
        *residual = here;
        worst = i;
    }
    return worst;
}

double kai_cone_residual_approach(const kai_cone_problem* problem, double enough)
{
    double most = 0.0;
    for (size_t i = 0; i < problem->contact_count && most < enough; i++) {
        const kai_cone_contact* c = &problem->contacts[i];
        const side a = side_of(problem, c->a, c->arm_a), b = side_of(problem, c->b, c->arm_b);
        const kai_vec3 u = kai_vec3_sub(velocity_at(&b), velocity_at(&a));
        most = fmax(most, -(kai_vec3_dot(u, c->normal) + c->bias));
    }
    return most;
}
