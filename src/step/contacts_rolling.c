// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "step/contacts_rolling.h"

#include "step/contacts_impact.h"

#include <string.h>

enum { BLOCK = 512 };
static const double FAR = 0.1;      // of the normal: contacts that jump do not roll
static const double TOUCHING = 0.1; // of the reach: surfaces farther apart do not roll yet
static const double ALONG = 1e-10;  // of an arm: less is rounding

/// What contact i asks of its sides.
typedef struct ask {
    kai_vec3 v[2]; // -c, in parts
    double turn;   // of the normal: what that adds to the speed along it at t₁
    double weight; // its impulse; 0: it does not roll
} ask;

typedef struct rolling {
    const kai_contacts_cones* cones;
    const kai_contacts_moved* moved;
    double between, ahead; // s: the time that contacts moved in; share of it that is to come
    ask* asks;
} rolling;

/// Whether the arms of both sides are along the normal: balls, for which nothing moves on.
static bool is_round(const kai_cone_contact* row)
{
    for (int side = 0; side < 2; side++) {
        const kai_vec3 arm = side ? row->arm_b : row->arm_a;
        if ((side ? row->b : row->a) == KAI_CONE_NONE) continue;
        const kai_vec3 aside = kai_vec3_cross(arm, row->normal);
        if (kai_vec3_norm2(aside) > ALONG * ALONG * kai_vec3_norm2(arm)) return false;
    }
    return true;
}

/// Whether contact i was and is one of surfaces that touch, on bodies.
static bool may_roll(const rolling* r, size_t i)
{
    const kai_contacts_cones* c = r->cones;
    const kai_cone_contact* row = &c->rows[i];
    const kai_contacts_moved* moved = &r->moved[i];
    const double reach = c->world->contact_reach;
    if (!moved->known || moved->gap > TOUCHING * reach) return false;
    // Deep in each other, nothing rolls.
    if (!(c->world->collision->proximity.contacts[i].contact.gap > -reach)) return false;
    if (row->compliance > 0.0 || kai_vec3_norm2(moved->normal) > FAR * FAR) return false;
    if (row->a != KAI_CONE_NONE && row->a >= c->world->bodies.count) return false;
    if (row->b != KAI_CONE_NONE && row->b >= c->world->bodies.count) return false;
    return !is_round(row);
}

/// How far the arm of a side has moved since the step before.
static kai_vec3 arm_moved(const rolling* r, size_t i, const kai_cone_contact* row, int side)
{
    kai_vec3 d = r->moved[i].place;
    if (side == 0) return d;
    // It is known from the mass centre of a; between middles of steps centres moved with these.
    for (int k = 0; k < 2; k++) {
        const uint32_t slot = k ? row->b : row->a;
        if (slot == KAI_CONE_NONE) continue;
        d = kai_vec3_mul_add(d, r->cones->before[slot].force, k ? -r->between : r->between);
    }
    return d;
}

static void ask_range(size_t begin, size_t end, double* sums, void* context)
{
    const rolling* r = context;
    const kai_contacts_cones* c = r->cones;
    for (size_t i = begin; i < end; i++) {
        const kai_cone_contact* row = &c->rows[i];
        ask* out = &r->asks[i];
        *out = (ask){.weight = 0.0};
        if (!may_roll(r, i)) continue;
        const double* p = kai_contacts_memory(c->world, i)->data;
        const double weight = kai_vec3_dot(kai_vec3_make(p[0], p[1], p[2]), row->normal);
        if (!(weight > 0.0)) continue;
        for (int side = 0; side < 2; side++) {
            const uint32_t slot = side ? row->b : row->a;
            if (slot == KAI_CONE_NONE) continue;
            const kai_vec3 d = kai_vec3_scale(arm_moved(r, i, row, side), -r->ahead);
            out->v[side] = kai_vec3_cross(c->before[slot].torque, d);
        }
        out->turn =
            r->ahead * kai_vec3_dot(r->moved[i].normal, kai_contacts_cones_speed_before(c, row));
        out->weight = weight;
        sums[0] += 1.0;
    }
}

/// The mean of what contacts ask of a body.
static void sum_asks(const rolling* r, double* weights)
{
    const kai_contacts_cones* c = r->cones;
    const size_t bodies = c->world->bodies.count;
    for (size_t i = 0; i < c->problem.contact_count; i++) {
        const double w = r->asks[i].weight;
        if (w == 0.0) continue;
        for (int side = 0; side < 2; side++) {
            const uint32_t slot = side ? c->rows[i].b : c->rows[i].a;
            if (slot == KAI_CONE_NONE) continue;
            c->roll[slot] = kai_vec3_mul_add(c->roll[slot], r->asks[i].v[side], w);
            weights[slot] += w;
        }
    }
    for (size_t i = 0; i < bodies; i++)
        if (weights[i] > 0.0) c->roll[i] = kai_vec3_scale(c->roll[i], 1.0 / weights[i]);
}

kai_vec3 kai_contacts_rolling_lag(const kai_contacts_cones* c, const kai_cone_contact* row)
{
    kai_vec3 d = kai_vec3_zero();
    if (!c->roll) return d;
    const size_t bodies = c->world->bodies.count;
    if (row->a < bodies) d = kai_vec3_sub(d, c->roll[row->a]);
    if (row->b < bodies) d = kai_vec3_add(d, c->roll[row->b]);
    return d;
}

static void shift(const rolling* r)
{
    const kai_contacts_cones* c = r->cones;
    for (size_t i = 0; i < c->world->bodies.count; i++)
        c->problem.motion[i].v = kai_vec3_sub(c->problem.motion[i].v, c->roll[i]);
    for (size_t i = 0; i < c->problem.contact_count; i++) {
        kai_cone_contact* row = &c->rows[i];
        const ask* a = &r->asks[i];
        const kai_vec3 wanted = kai_vec3_sub(a->v[1], a->v[0]); // -c
        const kai_vec3 lag = kai_contacts_rolling_lag(c, row);
        row->bias += kai_vec3_dot(row->normal, kai_vec3_sub(lag, wanted)) + a->turn;
    }
}

/// What comes nearer only as a contact moves on does not bounce.
static void keep_touching(const rolling* r)
{
    const kai_contacts_cones* c = r->cones;
    for (size_t i = 0; i < c->problem.contact_count; i++) {
        kai_cone_contact* row = &c->rows[i];
        const ask* a = &r->asks[i];
        if (a->weight == 0.0 || row->bias >= 0.0) continue;
        const kai_vec3 still = kai_vec3_sub(a->v[0], a->v[1]); // c
        const kai_vec3 u = kai_vec3_sub(kai_contacts_cones_speed_before(c, row), still);
        if (kai_vec3_dot(row->normal, u) < -c->world->contact_def.restitution_speed) continue;
        row->bias = fmax(c->world->collision->proximity.contacts[i].contact.gap, 0.0) / c->h;
    }
}

kai_result kai_contacts_rolling_begin(kai_contacts_cones* c, kai_error* err)
{
    kai_world* world = c->world;
    const size_t count = c->problem.contact_count, bodies = world->bodies.count;
    const double last = world->time_step > 0.0 ? world->time_step : c->h;
    rolling r = {.cones = c,
                 .moved = c->contacts->moved.data,
                 .between = 0.5 * (last + c->h),
                 .ahead = c->h / (last + c->h)};
    double found = 0.0;
    r.asks = kai_arena_take(&world->arena, count, sizeof *r.asks, err);
    if (!r.asks) return KAI_ERROR_MEMORY;
    KAI_TRY(kai_parallel_sum(world->threads, count, BLOCK, ask_range, &r, 1, &found, &world->arena,
                             err));
    if (found > 0.0 && c->contacts->bounces) keep_touching(&r);
    KAI_TRY(kai_contacts_impact_mark(c, err)); // before biases are those of rolling
    if (found == 0.0) return KAI_OK;
    double* weights = kai_arena_take(&world->arena, bodies, sizeof *weights, err);
    c->roll = kai_arena_take(&world->arena, bodies, sizeof *c->roll, err);
    if (!weights || !c->roll) return KAI_ERROR_MEMORY;
    memset(weights, 0, bodies * sizeof *weights);
    memset(c->roll, 0, bodies * sizeof *c->roll);
    sum_asks(&r, weights);
    shift(&r);
    return KAI_OK;
}
