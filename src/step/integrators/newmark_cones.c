// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "step/integrators/newmark_cones.h"

#include "step/contacts_impact.h"
#include "step/contacts_recovery.h"
#include "step/contacts_surface.h"
#include "step/contacts_velocities.h"
#include "step/rotation.h"

#include <string.h>

// Forces -----------------------------------------------------------------------------------------

/// Adds a force and a couple on one side of a contact: a body, or the ends of a point of a surface.
static void cones_add_force(kai_newmark_cones* k, uint32_t slot, kai_vec3 arm, kai_vec3 force,
                            kai_vec3 couple)
{
    const kai_world* world = k->cones.world;
    if (slot < world->bodies.count) {
        kai_wrench* sum = &k->sums[slot];
        sum->force = kai_vec3_add(sum->force, force);
        sum->torque = kai_vec3_add(sum->torque, kai_vec3_add(kai_vec3_cross(arm, force), couple));
        return;
    }
    const kai_patch_point* at = &k->cones.points[slot - world->bodies.count].at;
    kai_vec3 f[KAI_PATCH_ENDS], m[KAI_PATCH_ENDS];
    kai_patch_spread(at, force, couple, f, m);
    for (int e = 0; e < at->count; e++) {
        if (at->frames) {
            kai_wrench* sum = &k->sums[at->ends[e]];
            sum->force = kai_vec3_add(sum->force, f[e]);
            sum->torque = kai_vec3_add(sum->torque, m[e]);
        } else {
            double* to = k->nodes + ((const uint32_t*)world->fea->first.data)[at->ends[e]];
            to[0] += f[e].x;
            to[1] += f[e].y;
            to[2] += f[e].z;
        }
    }
}

/// Forces of all contacts from their impulses: one after the other, so that sums have one order.
static void cones_sum_forces(kai_newmark_cones* k)
{
    const kai_world* world = k->cones.world;
    const kai_cone_problem* p = &k->cones.problem;
    const double rate = 1.0 / k->cones.h;
    memset(k->sums, 0, world->bodies.count * sizeof *k->sums);
    if (k->nodes) memset(k->nodes, 0, world->fea->coordinates * sizeof *k->nodes);
    for (size_t i = 0; i < k->count; i++) {
        const kai_cone_contact* row = &k->cones.rows[i];
        kai_vec3 f = p->impulse[i], l = p->couple ? p->couple[i] : kai_vec3_zero();
        if (k->cones.contacts->sticks)
            f = kai_vec3_mul_add(f, row->normal, -kai_contacts_cones_pull(&k->cones, i));
        if (row->a != KAI_CONE_NONE)
            cones_add_force(k, row->a, row->arm_a, kai_vec3_scale(f, -rate),
                            kai_vec3_scale(l, -rate));
        if (row->b != KAI_CONE_NONE)
            cones_add_force(k, row->b, row->arm_b, kai_vec3_scale(f, rate),
                            kai_vec3_scale(l, rate));
    }
    if (!k->nodes) return;
    const kai_fea_touch* touching = world->fea->touching.data;
    for (size_t i = 0; i < world->fea->touching.count; i++) {
        const kai_vec3 f = k->sums[touching[i].body].force;
        double* to = k->nodes + touching[i].first;
        to[0] += f.x;
        to[1] += f.y;
        to[2] += f.z;
    }
    kai_fea_clear_fixed(world, k->nodes);
}

// What joints and stiff forces make of velocities ------------------------------------------------

/// Velocities of all that is in the joints' system, as its unknowns are laid out.
static void cones_read_system(const kai_newmark_cones* k, double* v)
{
    const kai_world* world = k->cones.world;
    const kai_constraints* j = k->joints;
    const uint32_t *slots = j->bodies.data, *shafts = j->shafts.data;
    for (size_t i = 0; i < j->bodies.count; i++, v += 6) {
        const kai_motion* m = &world->bodies.motion[slots[i]];
        const double six[6] = {m->velocity.x, m->velocity.y, m->velocity.z,
                               m->spin.x,     m->spin.y,     m->spin.z};
        memcpy(v, six, sizeof six);
    }
    for (size_t i = 0; i < j->shafts.count; i++) *v++ = kai_shaft_all(world)[shafts[i]].speed;
    if (j->elements.fea) kai_fea_read(world, NULL, v);
}

/// Impulses that have changed velocities of the problem since they were `base`, to x.
static void cones_find_impulses(const kai_newmark_cones* k, const kai_contacts_cones* c, bool fresh,
                                const double* base, double* x)
{
    const kai_world* world = c->world;
    const kai_constraints* j = k->joints;
    const kai_fea* fea = j->elements.fea;
    const uint32_t* slots = j->bodies.data;
    double* nodes = x + kai_constraints_elements(j);
    memset(x, 0, j->x.count * sizeof *x);
    if (c->point_count > 0)
        kai_contacts_surface_spread(c, fresh, false, fea ? fea->first.data : NULL, nodes);
    for (size_t i = 0; i < j->bodies.count; i++) {
        const kai_cone_motion* m = &c->problem.motion[slots[i]];
        const kai_bodies_mass* mass = kai_bodies_mass_of(&world->bodies, slots[i]);
        const double* v = base + 6 * i;
        const kai_vec3 dv = kai_vec3_sub(m->v, kai_vec3_make(v[0], v[1], v[2])),
                       dw = kai_vec3_sub(kai_quat_unrotate(c->pose[slots[i]].rotation, m->w),
                                         kai_vec3_make(v[3], v[4], v[5]));
        const kai_vec3 p = kai_vec3_scale(dv, mass->mass), l = kai_rotation_momentum(mass, dw);
        const double six[6] = {p.x, p.y, p.z, l.x, l.y, l.z};
        memcpy(x + 6 * i, six, sizeof six);
    }
    const kai_fea_touch* t = fea ? fea->touching.data : NULL;
    const double* v = base + kai_constraints_elements(j);
    for (size_t i = 0; fea && i < fea->touching.count; i++) {
        const double* at = v + t[i].first;
        const kai_vec3 gain =
            kai_vec3_sub(c->problem.motion[t[i].body].v, kai_vec3_make(at[0], at[1], at[2]));
        nodes[t[i].first] += t[i].mass * gain.x;
        nodes[t[i].first + 1] += t[i].mass * gain.y;
        nodes[t[i].first + 2] += t[i].mass * gain.z;
    }
    if (fea) kai_fea_clear_fixed(world, nodes);
}

/// Hands velocities of the system back to the problem.
static void cones_give_system(const kai_newmark_cones* k, const kai_contacts_cones* c)
{
    kai_world* world = c->world;
    const kai_constraints* j = k->joints;
    const kai_fea* fea = j->elements.fea;
    const uint32_t* slots = j->bodies.data;
    for (size_t i = 0; i < j->bodies.count; i++) {
        const double* v = k->given + 6 * i;
        kai_cone_motion* m = &c->problem.motion[slots[i]];
        m->v = kai_vec3_make(v[0], v[1], v[2]);
        m->w = kai_quat_rotate(c->pose[slots[i]].rotation, kai_vec3_make(v[3], v[4], v[5]));
    }
    if (fea) {
        const double* v = k->given + kai_constraints_elements(j);
        const kai_fea_touch* t = fea->touching.data;
        kai_fea_write(world, NULL, v);
        for (size_t i = 0; i < fea->touching.count; i++)
            c->problem.motion[t[i].body].v =
                kai_vec3_make(v[t[i].first], v[t[i].first + 1], v[t[i].first + 2]);
    }
    kai_contacts_surface_follow(c);
}

/// The cone solver's view of joints and stiff forces: impulses on single bodies become H⁻¹ of them.
static kai_result cones_project(void* context, kai_cone_motion* motion, bool fresh, kai_error* err)
{
    const kai_newmark_cones* k = context;
    kai_contacts_cones c = k->cones;
    c.problem.motion = motion;
    const double* base = fresh ? k->first : k->given;
    double* x = kai_constraints_unknowns(k->joints);
    cones_find_impulses(k, &c, fresh, base, x);
    KAI_TRY(kai_constraints_solve(k->joints, c.world, err));
    for (size_t i = 0; i < kai_constraints_coordinates(k->joints); i++)
        k->given[i] = base[i] + x[i];
    cones_give_system(k, &c);
    return KAI_OK;
}

// The step ---------------------------------------------------------------------------------------

static kai_result cones_take_room(kai_newmark_cones* k, kai_error* err)
{
    kai_world* world = k->cones.world;
    kai_arena* arena = &world->arena;
    const size_t nodes = kai_fea_coordinates(world),
                 system = k->joints ? kai_constraints_coordinates(k->joints) : 0;
    k->sums = kai_arena_take(arena, world->bodies.count, sizeof *k->sums, err);
    k->speed = kai_arena_take(arena, k->count, sizeof *k->speed, err);
    k->first = kai_arena_take(arena, system, sizeof *k->first, err);
    k->given = kai_arena_take(arena, system, sizeof *k->given, err);
    if (nodes > 0) k->nodes = kai_arena_take(arena, nodes, sizeof *k->nodes, err);
    return k->sums && k->speed && k->first && k->given && (k->nodes || nodes == 0)
               ? KAI_OK
               : KAI_ERROR_MEMORY;
}

/// admm works with the point nearest in M, which stiff forces do not give.
static kai_result cones_check_solver(const kai_world* world, const kai_constraints* joints,
                                     kai_error* err)
{
    if (world->contact_def.impact == KAI_CONTACT_SEQUENTIAL)
        return kai_error_set(err, KAI_ERROR_UNSUPPORTED,
                             "contact impact sequential needs the integrator euler");
    const bool stiff = joints && (joints->tangents.terms.count > 0 || joints->elements.fea);
    if (!stiff || kai_solver_cone_of(&world->solver_def) != KAI_SOLVER_ADMM) return KAI_OK;
    return kai_error_set(err, KAI_ERROR_UNSUPPORTED,
                         "the cone solver admm cannot take stiff loads or finite elements with "
                         "euler-implicit; use apgd, psor or bb");
}

kai_result kai_newmark_cones_begin(kai_newmark_cones* k, kai_contacts* contacts, kai_world* world,
                                   kai_constraints* joints, const kai_system_backup* start,
                                   double h, kai_error* err)
{
    *k = (kai_newmark_cones){.joints = joints};
    KAI_TRY(kai_contacts_find(contacts, world, &(kai_contacts_options){.h = h}, err));
    k->count = world->collision->proximity.contact_count;
    if (k->count == 0) return KAI_OK;
    KAI_TRY(cones_check_solver(world, joints, err));
    const int outer = kai_clock_begin(&world->clock, KAI_CLOCK_formulation);
    kai_result r = kai_contacts_cones_make(&k->cones, contacts, world, start, h, err);
    k->cones.pose = start->pose;
    if (r == KAI_OK) r = kai_contacts_impact_begin(&k->cones, joints, err);
    if (r == KAI_OK) r = cones_take_room(k, err);
    if (r == KAI_OK) {
        kai_contacts_cones_fill_motion(&k->cones);
        kai_contacts_cones_fill_rows(&k->cones);
        cones_sum_forces(k);
        for (size_t i = 0; i < k->count; i++)
            k->speed[i] = kai_vec3_make(HUGE_VAL, HUGE_VAL, HUGE_VAL);
    }
    if (joints) {
        k->cones.problem.project = cones_project;
        k->cones.problem.project_context = k;
    }
    kai_clock_end(&world->clock, outer);
    return r;
}

double kai_newmark_cones_change(kai_newmark_cones* k)
{
    double most = 0.0;
    kai_contacts_cones_fill_motion(&k->cones);
    for (size_t i = 0; i < k->count; i++)
        most = fmax(most, kai_vec3_distance(kai_contacts_cones_speed(&k->cones, &k->cones.rows[i]),
                                            k->speed[i]));
    return most;
}

/// Velocities of shafts that contacts have changed through joints.
static void cones_take_shafts(const kai_newmark_cones* k)
{
    const kai_constraints* j = k->joints;
    const uint32_t* shafts = j->shafts.data;
    for (size_t i = 0; i < j->shafts.count; i++)
        kai_shaft_all(k->cones.world)[shafts[i]].speed = k->given[6 * j->bodies.count + i];
}

kai_result kai_newmark_cones_solve(kai_newmark_cones* k, kai_error* err)
{
    kai_world* world = k->cones.world;
    const int outer = kai_clock_begin(&world->clock, KAI_CLOCK_solve);
    if (k->joints) {
        cones_read_system(k, k->first);
        memcpy(k->given, k->first, kai_constraints_coordinates(k->joints) * sizeof *k->given);
    }
    kai_contacts_cones_fill_motion(&k->cones);
    kai_contacts_cones_take_out(&k->cones);
    k->heat = 0.0;
    kai_result r = kai_contacts_velocities_solve(&k->cones, NULL, true, &k->cone, err);
    if (r == KAI_OK) r = kai_contacts_cones_finish(&k->cones, &k->heat, err);
    k->residual = world->solver_tally.cone_last;
    if (r == KAI_OK && k->joints) cones_take_shafts(k);
    for (size_t i = 0; r == KAI_OK && i < k->count; i++)
        k->speed[i] = kai_contacts_cones_speed(&k->cones, &k->cones.rows[i]);
    if (r == KAI_OK) cones_sum_forces(k);
    kai_clock_end(&world->clock, outer);
    return r;
}

kai_result kai_newmark_cones_end(kai_newmark_cones* k, kai_error* err)
{
    kai_contacts_cones* c = &k->cones;
    kai_world* world = c->world;
    double lifted = 0.0;
    world->dissipated += k->heat;
    if (!k->cone || !kai_contacts_recovery_needed(world)) return KAI_OK;
    const int outer = kai_clock_begin(&world->clock, KAI_CLOCK_solve);
    c->pose = world->bodies.pose;
    kai_contacts_cones_fill_motion(c);
    for (size_t i = 0; i < k->count; i++)
        kai_contacts_recovery_ask(c, i, kai_vec3_dot(c->rows[i].normal, k->speed[i]));
    const kai_result r = kai_contacts_recovery(c, k->cone, k->joints, &lifted, err);
    if (r == KAI_OK && world->fea) kai_fea_follow_bodies(world->fea, world);
    world->dissipated -= lifted;
    kai_clock_end(&world->clock, outer);
    return r;
}
