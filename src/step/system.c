// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "step/system.h"

#include "base/stop.h"
#include "contact/contacts.h"
#include "model/check.h"
#include "model/state.h"
#include "step/constraints.h"
#include "step/integrators/newmark_contacts.h"
#include "step/part_list.h"
#include "step/project.h"
#include "step/rotation.h"
#include "step/term.h"

#include <string.h>

kai_result kai_system_forces(kai_system* system, double time, const kai_fea_options* options,
                             kai_error* err)
{
    kai_world* world = system->world;
    KAI_TRY(kai_stop_check(world->stop, err));
    const int outer = kai_clock_begin(&world->clock, KAI_CLOCK_formulation);
    const kai_fea_options none = {0};
    const kai_result r = kai_term_forces_all(world, time, options ? options : &none, err);
    kai_clock_end(&world->clock, outer);
    return r;
}

size_t kai_system_scalars(const kai_world* world)
{
    return 2 * world->shafts.count + kai_state_total(world);
}

void kai_system_read_scalars(const kai_world* world, double* scalars)
{
    const kai_shaft_def* shafts = kai_shaft_all(world);
    for (size_t i = 0; i < world->shafts.count; i++) {
        *scalars++ = shafts[i].angle;
        *scalars++ = shafts[i].speed;
    }
    kai_state_read(world, scalars);
}

void kai_system_write_scalars(kai_world* world, const double* scalars)
{
    kai_shaft_def* shafts = kai_shaft_all(world);
    for (size_t i = 0; i < world->shafts.count; i++) {
        shafts[i].angle = *scalars++;
        shafts[i].speed = *scalars++;
    }
    kai_state_write(world, scalars);
}

/// The copy of a part.
static void* copy_of(const kai_part_backup* parts, size_t part)
{
    return parts->block + parts->first[part];
}

kai_result kai_system_save(kai_system* system, kai_system_backup* backup, kai_error* err)
{
    kai_world* world = system->world;
    KAI_TRY(kai_part_backup_begin(world, KAI_PART_STEP, &backup->parts, err));
    backup->pose = copy_of(&backup->parts, KAI_PART_bodies);
    backup->motion = (kai_motion*)(void*)(backup->pose + world->bodies.count);
    backup->scalars = copy_of(&backup->parts, KAI_PART_shafts);
    backup->states = copy_of(&backup->parts, KAI_PART_states);
    backup->node_q = copy_of(&backup->parts, KAI_PART_nodes);
    backup->node_v = backup->node_q + kai_fea_coordinates(world);
    return KAI_OK;
}

void kai_system_end(kai_system* system, const kai_system_backup* backup, bool keep)
{
    if (system->contacts) kai_contacts_end(system->contacts, system->world, keep);
    kai_part_backup_end(system->world, &backup->parts, keep);
}

typedef struct acceleration_context {
    const kai_world* world;
    const kai_wrench* touch; // [bodies] forces of contacts, torques in the world frame; NULL: none
} acceleration_context;

static void acceleration_range(size_t begin, size_t end, void* context)
{
    const acceleration_context* c = context;
    const kai_world* world = c->world;
    const kai_wrench* touch = c->touch;
    for (size_t i = begin; i < end; i++) {
        const kai_motion* motion = &world->bodies.motion[i];
        kai_wrench* a = &world->bodies.acceleration[i];
        *a = (kai_wrench){0};
        if (motion->flags & KAI_BODY_FIXED) continue;
        const kai_bodies_mass* mass = kai_bodies_mass_of(&world->bodies, i);
        kai_wrench sum = {0}, *f = &sum;
        if (world->bodies.wrench) sum = world->bodies.wrench[i];
        if (touch) {
            sum.force = kai_vec3_add(sum.force, touch[i].force);
            sum.torque = kai_vec3_add(
                sum.torque, kai_quat_unrotate(world->bodies.pose[i].rotation, touch[i].torque));
        }
        const kai_vec3 gyroscopic =
            kai_vec3_cross(kai_rotation_momentum(mass, motion->spin), motion->spin);
        a->force = kai_vec3_mul_add(world->gravity, f->force, mass->inverse_mass);
        a->torque = kai_rotation_spin(mass, kai_vec3_add(f->torque, gyroscopic));
    }
}

/// Accelerations that the forces last evaluated give without joints.
static void free_accelerations(const kai_system* system)
{
    kai_world* world = system->world;
    kai_shaft_def* shafts = kai_shaft_all(world);
    const acceleration_context c = {world, system->contacts ? kai_system_contacts_forces(system)
                                                            : kai_contacts_sums(world)};
    kai_parallel_for(world->threads, world->bodies.owned, 1024, acceleration_range,
                     (void*)(uintptr_t)&c);
    for (size_t i = 0; i < world->shafts.count; i++)
        shafts[i].acceleration = kai_shaft_inverse(&shafts[i]) * shafts[i].torque;
}

kai_result kai_system_accelerations(kai_system* system, double time, kai_error* err)
{
    kai_world* world = system->world;
    KAI_TRY(kai_bodies_need_acceleration(&world->bodies, err));
    KAI_TRY(kai_system_forces(system, time, NULL, err));
    // Where the step has found none of its own, contacts act as in the last one.
    if (!system->contacts && kai_contact_report_count(world) > 0)
        KAI_TRY(kai_contacts_sum(world->contact, world, err));
    kai_newmark_contacts_elements(world);
    free_accelerations(system);
    kai_constraints* joints;
    KAI_TRY(kai_constraints_get(world, &joints, err));
    if (!joints) return KAI_OK;
    kai_constraints_evaluate(joints, world, time);
    kai_constraints_accelerations_slip(joints, world);
    for (;;) { // every round cuts rows, so it ends
        KAI_TRY(kai_constraints_factor(joints, world, false, err));
        KAI_TRY(kai_constraints_accelerations(joints, world, time, err));
        if (!kai_constraints_accelerations_cut(joints)) return KAI_OK;
        free_accelerations(system);
    }
}

// What public integrators see: kairos/integrator.h ------------------------------------------------

kai_system_size kai_system_sizes(const kai_system* system)
{
    KAI_GIVEN_OR((kai_system_size){0}, system);
    const kai_world* world = system->world;
    return (kai_system_size){.positions = 7 * world->bodies.count + world->shafts.count,
                             .velocities = 6 * world->bodies.count + world->shafts.count,
                             .states = kai_state_total(world)};
}

const kai_world* kai_system_world(const kai_system* system)
{
    KAI_GIVEN_OR(NULL, system);
    return system->world;
}

double kai_system_time(const kai_system* system)
{
    KAI_GIVEN_OR(0.0, system);
    return system->time;
}

// Vectors ----------------------------------------------------------------------------------------

static void put_vec3(double* out, kai_vec3 v) { out[0] = v.x, out[1] = v.y, out[2] = v.z; }
static kai_vec3 vec3_at(const double* in) { return kai_vec3_make(in[0], in[1], in[2]); }

static void read_positions(const kai_world* world, double* out)
{
    for (size_t i = 0; i < world->bodies.count; i++, out += 7) {
        const kai_quat q = world->bodies.pose[i].rotation;
        put_vec3(out, world->bodies.pose[i].position);
        out[3] = q.w;
        put_vec3(out + 4, kai_quat_vector(q));
    }
    const kai_shaft_def* shafts = kai_shaft_all(world);
    for (size_t i = 0; i < world->shafts.count; i++) out[i] = shafts[i].angle;
}

static void read_velocities(const kai_world* world, double* out)
{
    for (size_t i = 0; i < world->bodies.count; i++, out += 6) {
        put_vec3(out, world->bodies.motion[i].velocity);
        put_vec3(out + 3, world->bodies.motion[i].spin);
    }
    const kai_shaft_def* shafts = kai_shaft_all(world);
    for (size_t i = 0; i < world->shafts.count; i++) out[i] = shafts[i].speed;
}

kai_result kai_system_read(const kai_system* system, double* positions, double* velocities,
                           double* states)
{
    KAI_GIVEN(NULL, system);
    if (positions) read_positions(system->world, positions);
    if (velocities) read_velocities(system->world, velocities);
    if (states) kai_state_read(system->world, states);
    return KAI_OK;
}

static void write_positions(kai_world* world, const double* in)
{
    for (size_t i = 0; i < world->bodies.count; i++, in += 7) {
        if (world->bodies.motion[i].flags & KAI_BODY_FIXED) continue;
        world->bodies.pose[i].position = vec3_at(in);
        world->bodies.pose[i].rotation =
            kai_quat_normalize(kai_quat_make(in[3], in[4], in[5], in[6]));
    }
    kai_shaft_def* shafts = kai_shaft_all(world);
    for (size_t i = 0; i < world->shafts.count; i++) shafts[i].angle = in[i];
}

static void write_velocities(kai_world* world, const double* in)
{
    for (size_t i = 0; i < world->bodies.count; i++, in += 6) {
        kai_motion* m = &world->bodies.motion[i];
        if (m->flags & KAI_BODY_FIXED) continue;
        m->velocity = vec3_at(in);
        m->spin = vec3_at(in + 3);
    }
    kai_shaft_def* shafts = kai_shaft_all(world);
    for (size_t i = 0; i < world->shafts.count; i++) shafts[i].speed = in[i];
}

kai_result kai_system_write(kai_system* system, const double* positions, const double* velocities,
                            const double* states)
{
    KAI_GIVEN(NULL, system);
    if (positions) write_positions(system->world, positions);
    if (velocities) write_velocities(system->world, velocities);
    if (states) kai_state_write(system->world, states);
    return KAI_OK;
}

kai_result kai_system_move(kai_system* system, const double* velocities, double h)
{
    KAI_GIVEN(NULL, system);
    kai_world* world = system->world;
    kai_shaft_def* shafts = kai_shaft_all(world);
    for (size_t i = 0; i < world->bodies.count; i++) {
        const kai_motion* m = &world->bodies.motion[i];
        kai_pose* p = &world->bodies.pose[i];
        if (m->flags & KAI_BODY_FIXED) continue;
        const kai_vec3 v = velocities ? vec3_at(velocities + 6 * i) : m->velocity;
        const kai_vec3 w = velocities ? vec3_at(velocities + 6 * i + 3) : m->spin;
        p->position = kai_vec3_mul_add(p->position, v, h);
        p->rotation =
            kai_rotation_polish(kai_quat_mul(p->rotation, kai_rotation_exp(kai_vec3_scale(w, h))));
    }
    for (size_t i = 0; i < world->shafts.count; i++)
        shafts[i].angle +=
            h * (velocities ? velocities[6 * world->bodies.count + i] : shafts[i].speed);
    return KAI_OK;
}

kai_result kai_system_mass(const kai_system* system, double* mass)
{
    KAI_GIVEN(NULL, system, mass);
    const kai_world* world = system->world;
    for (size_t i = 0; i < world->bodies.count; i++, mass += 6) {
        const kai_bodies_mass* m = kai_bodies_mass_of(&world->bodies, i);
        const bool fixed = world->bodies.motion[i].flags & KAI_BODY_FIXED;
        for (int k = 0; k < 3; k++) mass[k] = fixed ? 0.0 : m->mass;
        put_vec3(mass + 3, fixed ? kai_vec3_zero() : m->moments);
    }
    const kai_shaft_def* shafts = kai_shaft_all(world);
    for (size_t i = 0; i < world->shafts.count; i++)
        mass[i] = shafts[i].fixed ? 0.0 : shafts[i].inertia;
    return KAI_OK;
}

// Terms ------------------------------------------------------------------------------------------

kai_result kai_system_find_rates(kai_system* system, double time, double* accelerations,
                                 double* rates, kai_error* err)
{
    KAI_GIVEN(err, system);
    kai_world* world = system->world;
    KAI_TRY(kai_system_accelerations(system, time, err));
    if (rates) kai_state_rates(world, time, rates);
    if (!accelerations) return KAI_OK;
    for (size_t i = 0; i < world->bodies.count; i++, accelerations += 6) {
        put_vec3(accelerations, world->bodies.acceleration[i].force);
        put_vec3(accelerations + 3, world->bodies.acceleration[i].torque);
    }
    const kai_shaft_def* shafts = kai_shaft_all(world);
    for (size_t i = 0; i < world->shafts.count; i++) accelerations[i] = shafts[i].acceleration;
    return KAI_OK;
}

kai_result kai_system_spend(kai_system* system, double h, kai_error* err)
{
    KAI_GIVEN(err, system);
    return kai_term_spend_all(system->world, system->time, h, err);
}

kai_result kai_system_project(kai_system* system, double time, kai_error* err)
{
    static const double TOLERANCE = 1e-13; // m or rad
    KAI_GIVEN(err, system);
    kai_world* world = system->world;
    kai_constraints* joints;
    KAI_TRY(kai_constraints_get(world, &joints, err));
    if (!joints) return KAI_OK;
    KAI_TRY(kai_term_observe_all(world, time, err));
    KAI_TRY(kai_project_positions(joints, world, time, TOLERANCE, 10, err));
    KAI_TRY(kai_constraints_factor(joints, world, false, err));
    return kai_project_velocities(joints, world, err);
}

kai_result kai_system_find_contacts(kai_system* system, double h, kai_error* err)
{
    KAI_GIVEN(err, system);
    double heat = 0.0;
    KAI_TRY(kai_system_contacts(system, h, &heat, err));
    system->world->dissipated += heat;
    return KAI_OK;
}

kai_result kai_system_hold_velocities(kai_system* system, double time, double h, kai_error* err)
{
    KAI_GIVEN(err, system);
    kai_world* world = system->world;
    kai_constraints* joints;
    double heat = 0.0;
    KAI_TRY(kai_constraints_get(world, &joints, err));
    if (joints) {
        KAI_TRY(kai_term_observe_all(world, time, err));
        kai_constraints_evaluate(joints, world, time);
        KAI_TRY(kai_constraints_velocities(joints, world, h, &(kai_constraints_step){0}, err));
    }
    KAI_TRY(kai_system_contacts_velocities(system, joints, system->start, h, true, &heat, err));
    world->dissipated += heat;
    return KAI_OK;
}
