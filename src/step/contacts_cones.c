// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Bytes: a body 192 read, 64 (112) written; a contact 112 + 72 read, 160 written, its bodies from
// the cache where contacts follow their order in space.
#include "step/contacts_cones.h"

#include "step/contacts_impact.h"
#include "step/contacts_recovery.h"
#include "step/contacts_rolling.h"
#include "step/contacts_surface.h"

#include <string.h>

enum { BLOCK = 512 };

// Memory -----------------------------------------------------------------------------------------

kai_result kai_contacts_cones_make(kai_contacts_cones* c, kai_contacts* contacts, kai_world* world,
                                   const kai_system_backup* start, double h, kai_error* err)
{
    const size_t count = world->collision->proximity.contact_count;
    *c = (kai_contacts_cones){
        .contacts = contacts, .world = world, .start = start, .pose = world->bodies.pose, .h = h};
    kai_cone_problem* p = &c->problem;
    KAI_TRY(kai_contacts_surface_make(c, err));
    const size_t bodies = world->bodies.count + c->point_count;
    p->body_count = bodies;
    p->contact_count = count;
    p->motion = kai_arena_take(&world->arena, bodies, sizeof *p->motion, err);
    c->inertia = kai_arena_take(&world->arena, bodies, sizeof *c->inertia, err);
    p->contacts = c->rows = kai_arena_take(&world->arena, count, sizeof *c->rows, err);
    p->impulse = kai_arena_take(&world->arena, count, sizeof *p->impulse, err);
    c->before = kai_arena_take(&world->arena, bodies, sizeof *c->before, err);
    if (contacts->rolls) p->couple = kai_arena_take(&world->arena, count, sizeof *p->couple, err);
    p->inertia = (const double(*)[6])c->inertia;
    c->shares = kai_arena_take(&world->arena, c->point_count ? world->nodes.count + bodies : 1,
                               sizeof *c->shares, err);
    const bool ok = p->motion && c->inertia && c->rows && p->impulse && c->before && c->shares;
    return ok && (p->couple || !contacts->rolls) ? KAI_OK : KAI_ERROR_MEMORY;
}

// Bodies -----------------------------------------------------------------------------------------

/// R diag(d) Rᵀ: xx yy zz xy xz yz.
static void turn_inertia(kai_quat q, kai_vec3 d, double* out)
{
    const kai_vec3 x = kai_quat_rotate(q, kai_vec3_axis(0)),
                   y = kai_quat_rotate(q, kai_vec3_axis(1)),
                   z = kai_quat_rotate(q, kai_vec3_axis(2));
    out[0] = d.x * x.x * x.x + d.y * y.x * y.x + d.z * z.x * z.x;
    out[1] = d.x * x.y * x.y + d.y * y.y * y.y + d.z * z.y * z.y;
    out[2] = d.x * x.z * x.z + d.y * y.z * y.z + d.z * z.z * z.z;
    out[3] = d.x * x.x * x.y + d.y * y.x * y.y + d.z * z.x * z.y;
    out[4] = d.x * x.x * x.z + d.y * y.x * y.z + d.z * z.x * z.z;
    out[5] = d.x * x.y * x.z + d.y * y.y * y.z + d.z * z.y * z.z;
}

void kai_contacts_cones_give(const kai_contacts_cones* c, size_t slot)
{
    const kai_motion* motion = &c->world->bodies.motion[slot];
    kai_cone_motion* m = &c->problem.motion[slot];
    m->v = c->roll ? kai_vec3_sub(motion->velocity, c->roll[slot]) : motion->velocity;
    m->w = kai_quat_rotate(c->pose[slot].rotation, motion->spin);
}

void kai_contacts_cones_take(const kai_contacts_cones* c, size_t slot)
{
    kai_motion* motion = &c->world->bodies.motion[slot];
    const kai_cone_motion* m = &c->problem.motion[slot];
    motion->velocity = c->roll ? kai_vec3_add(m->v, c->roll[slot]) : m->v;
    motion->spin = kai_quat_unrotate(c->pose[slot].rotation, m->w);
}

static void give_bodies(size_t begin, size_t end, void* context)
{
    const kai_contacts_cones* c = context;
    const kai_bodies* bodies = &c->world->bodies;
    for (size_t i = begin; i < end; i++) {
        const kai_bodies_mass* mass = kai_bodies_mass_of(bodies, i);
        kai_cone_motion* m = &c->problem.motion[i];
        kai_contacts_cones_give(c, i);
        const kai_motion* start = &c->start->motion[i];
        c->before[i] =
            (kai_wrench){start->velocity, kai_quat_rotate(c->start->pose[i].rotation, start->spin)};
        m->inverse_mass = mass->inverse_mass;
        m->inverse_moment = mass->inverse_moments.x;
        if (bodies->motion[i].flags & (KAI_BODY_ISOTROPIC | KAI_BODY_FIXED)) continue;
        m->inverse_moment = -1.0;
        turn_inertia(c->pose[i].rotation, mass->inverse_moments, c->inertia[i]);
    }
}

static void take_bodies(size_t begin, size_t end, void* context)
{
    const kai_contacts_cones* c = context;
    for (size_t i = begin; i < end; i++)
        if (!(c->world->bodies.motion[i].flags & KAI_BODY_FIXED)) kai_contacts_cones_take(c, i);
}

// Contacts ---------------------------------------------------------------------------------------

kai_vec3 kai_contacts_cones_speed_before(const kai_contacts_cones* c, const kai_cone_contact* row)
{
    kai_vec3 u = kai_vec3_zero();
    for (int side = 0; side < 2; side++) {
        const uint32_t slot = side ? row->b : row->a;
        if (slot == KAI_CONE_NONE) continue;
        const kai_wrench* m = &c->before[slot];
        const kai_vec3 at =
            kai_vec3_add(m->force, kai_vec3_cross(m->torque, side ? row->arm_b : row->arm_a));
        u = side ? kai_vec3_add(u, at) : kai_vec3_sub(u, at);
    }
    return u;
}

kai_vec3 kai_contacts_cones_speed(const kai_contacts_cones* c, const kai_cone_contact* row)
{
    kai_vec3 u = kai_vec3_zero();
    for (int side = 0; side < 2; side++) {
        const uint32_t slot = side ? row->b : row->a;
        if (slot == KAI_CONE_NONE) continue;
        const kai_cone_motion* m = &c->problem.motion[slot];
        const kai_vec3 at =
            kai_vec3_add(m->v, kai_vec3_cross(m->w, side ? row->arm_b : row->arm_a));
        u = side ? kai_vec3_add(u, at) : kai_vec3_sub(u, at);
    }
    return u;
}

/// What the gap asks of the speed along the normal.
static void set_bias(const kai_contacts_cones* c, const kai_contacts_pair* pair, double gap,
                     kai_cone_contact* row)
{
    const kai_contact_def* def = &c->world->contact_def;
    const double h = c->h;
    if (pair->compliance > 0.0) {
        row->bias = gap / (h + pair->damping);
        row->compliance = pair->compliance / (h * (h + pair->damping));
        return;
    }
    row->bias = fmax(gap, 0.0) / h;
    row->compliance = 0.0;
    if (pair->both.restitution <= 0.0 || def->impact == KAI_CONTACT_SEQUENTIAL) return;
    const double before = kai_vec3_dot(row->normal, kai_contacts_cones_speed_before(c, row)),
                 now = kai_vec3_dot(row->normal, kai_contacts_cones_speed(c, row));
    if (before < -def->restitution_speed && gap + h * now < 0.0)
        row->bias =
            fmin(row->bias, -kai_contacts_impact_part(c, row, pair->both.restitution, before));
}

/// Where a contact keeps that it slips: after impulse and couple.
enum { SLIPS = 6 };

/// The coefficient of friction: that of sticking, unless the contact slipped in the step before or
/// begins with speed along the surface.
static double friction_of(const kai_contacts_cones* c, const kai_contacts_pair* pair,
                          const kai_contact_memory* memory, const kai_cone_contact* row)
{
    const double* d = memory->data;
    if (pair->both.static_friction == pair->both.friction) return pair->both.friction;
    bool slips = d[SLIPS] > 0.0;
    if (d[0] == 0.0 && d[1] == 0.0 && d[2] == 0.0) {
        const kai_vec3 u = kai_contacts_cones_speed_before(c, row);
        const kai_vec3 t = kai_vec3_mul_add(u, row->normal, -kai_vec3_dot(u, row->normal));
        slips = kai_vec3_norm(t) > c->world->contact_def.restitution_speed;
    }
    return slips ? pair->both.friction : pair->both.static_friction;
}

/// Whether a contact slips at relative velocity u: friction is as large as it can be, and the
/// surfaces move. Contacts at rest may be at their limit too, where a body has more of them than it
/// needs.
static bool slips(const kai_contacts_cones* c, const kai_cone_contact* row, kai_vec3 impulse,
                  kai_vec3 u)
{
    const double along = kai_vec3_dot(impulse, row->normal);
    const double across = kai_vec3_norm(kai_vec3_mul_add(impulse, row->normal, -along));
    const kai_vec3 t = kai_vec3_mul_add(u, row->normal, -kai_vec3_dot(u, row->normal));
    return along > 0.0 && across >= 0.999999 * row->friction * along &&
           kai_vec3_norm(t) > 0.01 * c->world->contact_def.restitution_speed;
}

/// Points in the place of bodies: they are where the contact acts.
static void use_points(const uint32_t points[2], kai_cone_contact* row)
{
    if (points[0] != KAI_CONE_NONE && row->a != KAI_CONE_NONE) {
        row->a = points[0];
        row->arm_a = kai_vec3_zero();
    }
    if (points[1] != KAI_CONE_NONE && row->b != KAI_CONE_NONE) {
        row->b = points[1];
        row->arm_b = kai_vec3_zero();
    }
}

// Bodies of contacts lie anywhere: those of a later one are asked for.
enum { AHEAD = 12 };

static void give_contacts(size_t begin, size_t end, void* context)
{
    const kai_contacts_cones* c = context;
    const kai_world* world = c->world;
    const kai_proximity* p = &world->collision->proximity;
    const bool warm = world->contact_def.warm_start;
    for (size_t i = begin; i < end; i++) {
        const kai_proximity_contact* found = &p->contacts[i];
        const uint32_t ahead =
            kai_proximity_owner(p, p->contacts[i + AHEAD < end ? i + AHEAD : i].b);
        __builtin_prefetch(&world->bodies.pose[ahead & ~KAI_BROAD_FIXED]);
        const kai_contact* contact = &found->contact;
        const uint32_t a = kai_proximity_owner(p, found->a), b = kai_proximity_owner(p, found->b);
        const kai_contacts_pair* pair = kai_contacts_pair_of(c->contacts, world, i);
        const kai_contact_memory* memory = kai_contacts_memory(world, i);
        kai_vec3 at[2];
        kai_contacts_places(world, i, at);
        kai_cone_contact* row = &c->rows[i];
        *row = (kai_cone_contact){
            .a = a & KAI_BROAD_FIXED ? KAI_CONE_NONE : a,
            .b = b & KAI_BROAD_FIXED ? KAI_CONE_NONE : b,
            .normal = contact->normal,
            .arm_a = kai_vec3_sub(at[0], world->bodies.pose[a & ~KAI_BROAD_FIXED].position),
            .arm_b = kai_vec3_sub(at[1], world->bodies.pose[b & ~KAI_BROAD_FIXED].position),
            .rolling = pair->both.rolling_friction,
            .spinning = pair->both.spinning_friction};
        if (c->point_of) use_points(c->point_of[i], row);
        row->friction = friction_of(c, pair, memory, row);
        set_bias(c, pair, contact->gap, row);
        const double* d = memory->data;
        c->problem.impulse[i] = warm ? kai_vec3_make(d[0], d[1], d[2]) : kai_vec3_zero();
        if (c->problem.couple)
            c->problem.couple[i] = warm ? kai_vec3_make(d[3], d[4], d[5]) : kai_vec3_zero();
    }
}

double kai_contacts_cones_pull(const kai_contacts_cones* c, size_t i)
{
    const kai_contacts_pair* pair = kai_contacts_pair_of(c->contacts, c->world, i);
    const double gap = c->world->collision->proximity.contacts[i].contact.gap;
    return gap <= 1e-3 * c->world->contact_reach ? c->h * pair->both.cohesion : 0.0;
}

/// Adds an impulse and a couple on b, and their opposites on a, to the velocities of the problem.
static void push(kai_contacts_cones* c, const kai_cone_contact* row, kai_vec3 impulse,
                 kai_vec3 couple)
{
    for (int side = 0; side < 2; side++) {
        const uint32_t slot = side ? row->b : row->a;
        const double sign = side ? 1.0 : -1.0;
        if (slot == KAI_CONE_NONE) continue;
        const kai_vec3 p = kai_vec3_scale(impulse, sign),
                       l = kai_vec3_mul_add(kai_vec3_cross(side ? row->arm_b : row->arm_a, p),
                                            couple, sign);
        kai_cone_motion* m = &c->problem.motion[slot];
        const double* I = c->inertia[slot];
        m->v = kai_vec3_mul_add(m->v, p, m->inverse_mass);
        m->w = kai_vec3_add(m->w, m->inverse_moment >= 0.0
                                      ? kai_vec3_scale(l, m->inverse_moment)
                                      : kai_vec3_make(I[0] * l.x + I[3] * l.y + I[4] * l.z,
                                                      I[3] * l.x + I[1] * l.y + I[5] * l.z,
                                                      I[4] * l.x + I[5] * l.y + I[2] * l.z));
    }
}

void kai_contacts_cones_fill_motion(kai_contacts_cones* c)
{
    kai_parallel_for(c->world->threads, c->world->bodies.count, BLOCK, give_bodies, c);
    kai_contacts_surface_fill(c);
}

void kai_contacts_cones_fill_rows(kai_contacts_cones* c)
{
    kai_parallel_for(c->world->threads, c->problem.contact_count, BLOCK, give_contacts, c);
}

void kai_contacts_cones_fill(kai_contacts_cones* c)
{
    kai_contacts_cones_fill_motion(c);
    kai_contacts_cones_fill_rows(c);
    for (size_t i = 0; c->contacts->sticks && i < c->problem.contact_count; i++) {
        const double pull = kai_contacts_cones_pull(c, i);
        if (pull > 0.0)
            push(c, &c->rows[i], kai_vec3_scale(c->rows[i].normal, -pull), kai_vec3_zero());
    }
}

void kai_contacts_cones_take_out(kai_contacts_cones* c)
{
    const kai_cone_problem* p = &c->problem;
    for (size_t i = 0; i < p->contact_count; i++)
        push(c, &c->rows[i], kai_vec3_scale(p->impulse[i], -1.0),
             p->couple ? kai_vec3_scale(p->couple[i], -1.0) : kai_vec3_zero());
}

// Results ----------------------------------------------------------------------------------------

/// Keeps impulse and force of contacts; sums the energy they took: the impulse times the mean of
/// the speeds before and after.
static void keep_contacts(size_t begin, size_t end, double* sums, void* context)
{
    const kai_contacts_cones* c = context;
    kai_wrench* forces = c->contacts->force.data;
    for (size_t i = begin; i < end; i++) {
        const kai_cone_contact* row = &c->rows[i];
        const uint32_t ahead = c->rows[i + AHEAD < end ? i + AHEAD : i].b;
        if (ahead != KAI_CONE_NONE) {
            __builtin_prefetch(&c->problem.motion[ahead]);
            __builtin_prefetch(&c->before[ahead]);
        }
        kai_vec3 p = c->problem.impulse[i];
        const kai_vec3 l = c->problem.couple ? c->problem.couple[i] : kai_vec3_zero();
        kai_contact_memory* memory = kai_contacts_memory(c->world, i);
        double keep[] = {p.x, p.y, p.z, l.x, l.y, l.z, 0.0};
        const kai_vec3 after = kai_contacts_cones_speed(c, row);
        keep[SLIPS] = slips(c, row, p, after) ? 1.0 : 0.0;
        memcpy(memory->data, keep, sizeof keep);
        if (c->contacts->sticks)
            p = kai_vec3_mul_add(p, row->normal, -kai_contacts_cones_pull(c, i));
        const kai_vec3 all = c->struck ? kai_vec3_add(p, c->struck[i]) : p;
        forces[i].force = kai_vec3_scale(all, 1.0 / c->h);
        forces[i].torque = kai_vec3_scale(l, 1.0 / c->h);
        const kai_vec3 u = kai_vec3_add(kai_contacts_cones_speed_before(c, row),
                                        kai_vec3_add(after, kai_contacts_rolling_lag(c, row)));
        sums[0] -= 0.5 * kai_vec3_dot(p, u);
        if (c->recover) kai_contacts_recovery_ask(c, i, kai_vec3_dot(row->normal, after));
        if (!c->problem.couple) continue;
        for (int side = 0; side < 2; side++) {
            const uint32_t slot = side ? row->b : row->a;
            if (slot == KAI_CONE_NONE) continue;
            const kai_vec3 w = kai_vec3_add(c->before[slot].torque, c->problem.motion[slot].w);
            sums[0] -= (side ? 0.5 : -0.5) * kai_vec3_dot(l, w);
        }
    }
}

kai_result kai_contacts_cones_finish(kai_contacts_cones* c, double* heat, kai_error* err)
{
    kai_world* world = c->world;
    kai_parallel_for(world->threads, world->bodies.owned, BLOCK, take_bodies, c);
    return kai_parallel_sum(world->threads, c->problem.contact_count, BLOCK, keep_contacts, c, 1,
                            heat, &world->arena, err);
}
