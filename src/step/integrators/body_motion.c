// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "step/integrators/body_motion.h"

#include <stdatomic.h>

#include <string.h>

static const size_t BLOCK = 2048; // bodies

typedef struct body_motion_context {
    const kai_world* world;
    double h;
    const kai_body_motion_forces* forces;
    kai_bodies_mass equal;                // of bodies [equal_begin, equal_end) of the forces
    const kai_contacts_list_check* check; // NULL: none
    atomic_int left, bad;                 // some sphere has left its skin box; not finite
} body_motion_context;

static void note_bad(body_motion_context* c, double sum)
{
    if (sum != 0.0) atomic_store_explicit(&c->bad, 1, memory_order_relaxed);
}

static size_t group_size(size_t first, size_t end)
{
    return end - first < KAI_ROTATION_GROUP ? end - first : KAI_ROTATION_GROUP;
}

/// The mass of all bodies of a group, NULL where they are not known to be equal: a line less to
/// read for each of them.
static const kai_bodies_mass* equal_mass(const body_motion_context* c, size_t first, size_t n)
{
    const kai_body_motion_forces* f = c->forces;
    return first >= f->equal_begin && first + n <= f->equal_end ? &c->equal : NULL;
}

/// The spins of a group after h without forces.
KAI_INLINE void turn_group(const body_motion_context* c, kai_body_motion_group* g, size_t first,
                           size_t n)
{
    const kai_bodies* bodies = &c->world->bodies;
    kai_bodies_mass room[KAI_ROTATION_GROUP];
    if (kai_body_motion_start(g, &bodies->motion[first], n, c->h))
        kai_body_motion_gyrate(g, kai_body_motion_masses(bodies, first, n, room), n, c->h);
}

/// New velocities of a group after h.
KAI_INLINE void kick_group(const body_motion_context* c, kai_body_motion_group* g, size_t first,
                           size_t n)
{
    const kai_bodies* bodies = &c->world->bodies;
    const kai_body_motion_forces* f = c->forces;
    turn_group(c, g, first, n);
    if (f->loads) kai_body_motion_push(g, bodies, f->loads + first, false, NULL, first, n, c->h);
    if (f->contact)
        kai_body_motion_push(g, bodies, f->contact + first, true, equal_mass(c, first, n), first, n,
                             c->h);
    kai_body_motion_store(g, &bodies->motion[first], n, c->world->gravity);
}

KAI_CLONES
static void drift_range(size_t begin, size_t end, void* context)
{
    body_motion_context* c = context;
    const kai_bodies* bodies = &c->world->bodies;
    double sum = 0.0;
    kai_body_motion_group g;
    for (size_t first = begin; first < end; first += KAI_ROTATION_GROUP) {
        const size_t n = group_size(first, end);
        kai_body_motion_start(&g, &bodies->motion[first], n, c->h);
        sum +=
            kai_body_motion_move(&g, bodies, &bodies->pose[first], first, n, c->h, kai_vec3_zero());
    }
    note_bad(c, sum);
}

KAI_CLONES
static void kick_range(size_t begin, size_t end, void* context)
{
    const body_motion_context* c = context;
    kai_body_motion_group g;
    for (size_t first = begin; first < end; first += KAI_ROTATION_GROUP)
        kick_group(c, &g, first, group_size(first, end));
}

KAI_CLONES
static void fly_range(size_t begin, size_t end, void* context)
{
    body_motion_context* c = context;
    const kai_bodies* bodies = &c->world->bodies;
    double sum = 0.0;
    kai_body_motion_group g;
    for (size_t first = begin; first < end; first += KAI_ROTATION_GROUP) {
        const size_t n = group_size(first, end);
        turn_group(c, &g, first, n);
        sum += kai_body_motion_move(&g, bodies, &bodies->pose[first], first, n, c->h,
                                    c->world->gravity);
    }
    note_bad(c, sum);
}

KAI_CLONES
static void finish_range(size_t begin, size_t end, void* context)
{
    body_motion_context* c = context;
    const kai_bodies* bodies = &c->world->bodies;
    const double half = 0.5 * c->h;
    double sum = 0.0;
    kai_body_motion_group g;
    for (size_t first = begin; first < end; first += KAI_ROTATION_GROUP) {
        const size_t n = group_size(first, end);
        kick_group(c, &g, first, n);
        kai_body_motion_start(&g, &bodies->motion[first], n, half);
        sum +=
            kai_body_motion_move(&g, bodies, &bodies->pose[first], first, n, half, kai_vec3_zero());
    }
    note_bad(c, sum);
}

KAI_CLONES
static void look_range(size_t begin, size_t end, void* context)
{
    body_motion_context* c = context;
    const kai_bodies* bodies = &c->world->bodies;
    double sum = 0.0;
    kai_body_motion_group g;
    for (size_t first = begin; first < end; first += KAI_ROTATION_GROUP) {
        const size_t n = group_size(first, end);
        kai_pose* next = &bodies->pose_next[first];
        memcpy(next, &bodies->pose[first], n * sizeof *next);
        kai_body_motion_start(&g, &bodies->motion[first], n, c->h);
        sum += kai_body_motion_move(&g, bodies, next, first, n, c->h, kai_vec3_zero());
        // Forces of what is beyond all bounds may be no numbers; that must be known before they
        // are found.
        if (kai_contacts_list_check_overflow(next, &bodies->motion[first], n))
            atomic_store_explicit(&c->bad, 1, memory_order_relaxed);
        if (c->check && !kai_contacts_list_check_holds(c->check, bodies->pose_next, bodies->motion,
                                                       0.0, first, n))
            atomic_store_explicit(&c->left, 1, memory_order_relaxed);
    }
    note_bad(c, sum);
}

static bool run_pass(body_motion_context* c, kai_range_fn* range)
{
    kai_parallel_for(c->world->threads, c->world->bodies.owned, BLOCK, range, c);
    return !atomic_load(&c->bad);
}

static body_motion_context with_forces(const kai_world* world, double h,
                                       const kai_body_motion_forces* forces)
{
    body_motion_context c = {.world = world, .h = h, .forces = forces};
    if (forces->equal_begin < forces->equal_end)
        c.equal = *kai_bodies_mass_of(&world->bodies, forces->equal_begin);
    return c;
}

bool kai_body_motion_drift(const kai_world* world, double h)
{
    body_motion_context c = {.world = world, .h = h};
    return run_pass(&c, drift_range);
}

void kai_body_motion_kick(const kai_world* world, double h, const kai_body_motion_forces* forces)
{
    body_motion_context c = with_forces(world, h, forces);
    run_pass(&c, kick_range);
}

bool kai_body_motion_fly(const kai_world* world, double h)
{
    body_motion_context c = {.world = world, .h = h};
    return run_pass(&c, fly_range);
}

bool kai_body_motion_finish(const kai_world* world, double h, const kai_body_motion_forces* forces)
{
    body_motion_context c = with_forces(world, h, forces);
    return run_pass(&c, finish_range);
}

bool kai_body_motion_look(const kai_world* world, double h, const kai_contacts_list_check* check,
                          bool* inside)
{
    body_motion_context c = {.world = world, .h = h, .check = check};
    const bool good = run_pass(&c, look_range);
    const kai_bodies* bodies = &world->bodies; // ghosts stay where they are
    if (bodies->owned < bodies->count)
        memcpy(bodies->pose_next + bodies->owned, bodies->pose + bodies->owned,
               (bodies->count - bodies->owned) * sizeof *bodies->pose);
    *inside = !atomic_load(&c.left);
    return good;
}
