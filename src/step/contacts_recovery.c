// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "step/contacts_recovery.h"

#include "step/contacts_surface.h"
#include "step/diagnose.h"
#include "step/rotation.h"

#include <string.h>

enum { BLOCK = 512 };
enum { PUSH = 7 }; // where a contact's memory keeps the push out of overlap
_Static_assert(sizeof(kai_contact_memory) % sizeof(double) == 0, "pushes are numbers in a row");
static const double SLOP = 0.01;      // of the reach: overlap that is left alone
static const uint32_t SHARE = 5;      // iterations: one for so many of the velocities' …
static const uint32_t LEAST = 5;      // … but so many
static const double TOLERANCE = 1e-3; // of the recovery speed

// Joints -----------------------------------------------------------------------------------------

/// What joints have found for the velocities, while they are asked about displacements.
typedef struct kept {
    const kai_contacts_cones* cones;
    kai_constraints* joints;
    kai_motion* motion; // [bodies of joints]
    double* speed;      // [shafts]
    double* lambda;     // [rows]
} kept;

static kai_result keep(kept* k, kai_error* err)
{
    kai_world* world = k->cones->world;
    const uint32_t* slots = k->joints->bodies.data;
    const size_t bodies = k->joints->bodies.count, rows = k->joints->lambda.count;
    k->motion = kai_arena_take(&world->arena, bodies, sizeof *k->motion, err);
    k->speed = kai_arena_take(&world->arena, world->shafts.count, sizeof *k->speed, err);
    k->lambda = kai_arena_take(&world->arena, rows, sizeof *k->lambda, err);
    if (!k->motion || !k->speed || !k->lambda) return KAI_ERROR_MEMORY;
    for (size_t i = 0; i < bodies; i++) k->motion[i] = world->bodies.motion[slots[i]];
    for (size_t i = 0; i < world->shafts.count; i++) {
        k->speed[i] = kai_shaft_all(world)[i].speed;
        kai_shaft_all(world)[i].speed = 0.0;
    }
    if (rows > 0) memcpy(k->lambda, k->joints->lambda.data, rows * sizeof *k->lambda);
    return KAI_OK;
}

static void put_back(const kept* k)
{
    kai_world* world = k->cones->world;
    const uint32_t* slots = k->joints->bodies.data;
    const size_t rows = k->joints->lambda.count;
    for (size_t i = 0; i < k->joints->bodies.count; i++)
        world->bodies.motion[slots[i]] = k->motion[i];
    for (size_t i = 0; i < world->shafts.count; i++) kai_shaft_all(world)[i].speed = k->speed[i];
    if (rows > 0) memcpy(k->joints->lambda.data, k->lambda, rows * sizeof *k->lambda);
}

static kai_result project(void* context, kai_cone_motion* motion, bool fresh, kai_error* err)
{
    (void)fresh;
    const kept* k = context;
    kai_contacts_cones cones = *k->cones;
    const uint32_t* slots = k->joints->bodies.data;
    cones.problem.motion = motion;
    for (size_t i = 0; i < k->joints->bodies.count; i++) kai_contacts_cones_take(&cones, slots[i]);
    KAI_TRY(kai_constraints_velocities_still(k->joints, cones.world, cones.h, err));
    for (size_t i = 0; i < k->joints->bodies.count; i++) kai_contacts_cones_give(&cones, slots[i]);
    return KAI_OK;
}

// Contacts ---------------------------------------------------------------------------------------

void kai_contacts_recovery_ask(const kai_contacts_cones* c, size_t i, double speed)
{
    kai_cone_contact* row = &c->rows[i];
    const double gap = c->world->collision->proximity.contacts[i].contact.gap;
    // Half the motion of this step is still to come, and half of the next: the overlap now is what
    // counts, and a gap may close only by what the velocities leave of it.
    double bias = fmax(gap / c->h + speed, 0.0);
    if (gap < 0.0) bias = fmax(gap / c->h, -c->world->contact_def.recovery_speed);
    const bool soft = row->compliance > 0.0; // overlaps by its nature
    row->bias = soft ? fmax(bias, 0.0) : bias;
    row->compliance = 0.0;
}

static void rest_range(size_t begin, size_t end, void* context)
{
    const kai_contacts_cones* c = context;
    for (size_t i = begin; i < end; i++)
        c->problem.motion[i].v = c->problem.motion[i].w = kai_vec3_zero();
}

/// Moves bodies; sums the work against gravity.
static void move_range(size_t begin, size_t end, double* sums, void* context)
{
    const kai_contacts_cones* c = context;
    for (size_t i = begin; i < end; i++) {
        const kai_cone_motion* m = &c->problem.motion[i];
        kai_pose* pose = &c->world->bodies.pose[i];
        if (c->world->bodies.motion[i].flags & KAI_BODY_FIXED) continue;
        if (kai_vec3_norm2(m->v) + kai_vec3_norm2(m->w) == 0.0) continue;
        pose->position = kai_vec3_mul_add(pose->position, m->v, c->h);
        sums[0] -= c->h * kai_bodies_mass_of(&c->world->bodies, i)->mass *
                   kai_vec3_dot(c->world->gravity, m->v);
        const kai_quat turn = kai_rotation_exp(kai_vec3_scale(m->w, c->h));
        pose->rotation = kai_quat_normalize(kai_quat_mul(turn, pose->rotation));
    }
}

bool kai_contacts_recovery_needed(const kai_world* world)
{
    return world->collision->proximity.deepest > SLOP * world->contact_reach &&
           world->contact_def.recovery_speed > 0.0;
}

kai_result kai_contacts_recovery(kai_contacts_cones* c, kai_cone* cone, kai_constraints* joints,
                                 double* work, kai_error* err)
{
    kai_world* world = c->world;
    kai_cone_problem* p = &c->problem;
    const uint32_t iterations = kai_solver_cone_iterations(&world->solver_def) / SHARE;
    const kai_cone_options options = {.method = KAI_CONE_PSOR,
                                      .iterations = iterations > LEAST ? iterations : LEAST,
                                      .tolerance = TOLERANCE * world->contact_def.recovery_speed,
                                      .threads = world->threads,
                                      .stop = world->stop};
    kai_cone_result result;
    kept k = {.cones = c, .joints = joints};
    kai_parallel_for(world->threads, p->body_count, BLOCK, rest_range, c);
    p->couple = NULL;
    // Displacements begin with the pushes of the step before: supports of a high pile are found
    // once.
    p->along = &kai_contacts_memory(world, 0)->data[PUSH];
    p->stride = sizeof(kai_contact_memory) / sizeof *p->along;
    p->smooth = p->again = true;
    p->project = joints ? project : NULL;
    p->project_context = &k;
    if (joints) KAI_TRY(keep(&k, err));
    const double counted = world->solver_tally.now; // solutions in here are no iterations
    const kai_result r = kai_cone_solve(cone, p, &options, &result, err);
    if (joints) put_back(&k);
    world->solver_tally.now = counted;
    if (r == KAI_ERROR_DIVERGED) kai_diagnose_contact(world, p, world->time + c->h, err);
    KAI_TRY(r);
    KAI_TRY(kai_contacts_surface_move(c, err));
    return kai_parallel_sum(world->threads, world->bodies.owned, BLOCK, move_range, c, 1, work,
                            &world->arena, err);
}
