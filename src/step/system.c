// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "step/system.h"

#include "base/stop.h"
#include "contact/contacts.h"
#include "fea/fea.h"
#include "model/state.h"
#include "model/term.h"
#include "step/constraints.h"
#include "step/diagnose.h"
#include "step/newmark_contacts.h"
#include "step/rotation.h"

#include <string.h>

static kai_result evaluate_forces(kai_world* world, double time, kai_error* err)
{
    kai_fea* fea;
    KAI_TRY(kai_fea_get(world, &fea, err));
    if (fea) KAI_TRY(kai_fea_forces_begin(fea, world, err));
    KAI_TRY(kai_load_evaluate(world, time, err));
    return fea ? kai_fea_forces_evaluate(fea, world, time, err) : KAI_OK;
}

kai_result kai_system_evaluate(kai_system* system, unsigned what, double time, kai_error* err)
{
    kai_world* world = system->world;
    KAI_TRY(kai_stop_check(world->stop, err));
    const int outer = kai_clock_begin(&world->clock, KAI_CLOCK_formulation);
    kai_result r = KAI_OK;
    if (what & KAI_SYSTEM_FORCES) r = evaluate_forces(world, time, err);
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
    kai_part_backup_end(system->world, &backup->parts, keep);
}

static void acceleration_range(size_t begin, size_t end, int worker, void* context)
{
    (void)worker;
    const kai_world* world = context;
    const kai_wrench* touch = kai_contacts_sums(world);
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
static void free_accelerations(kai_world* world)
{
    kai_shaft_def* shafts = kai_shaft_all(world);
    kai_parallel_for(world->threads, world->bodies.count, 1024, acceleration_range, world);
    for (size_t i = 0; i < world->shafts.count; i++)
        shafts[i].acceleration = shafts[i].inverse * shafts[i].torque;
}

kai_result kai_system_accelerations(kai_system* system, double time, kai_error* err)
{
    kai_world* world = system->world;
    KAI_TRY(kai_bodies_need_acceleration(&world->bodies, err));
    KAI_TRY(kai_system_evaluate(system, KAI_SYSTEM_FORCES, time, err));
    // Contacts act as in the last step.
    if (kai_contact_report_count(world) > 0) KAI_TRY(kai_contacts_sum(world->contact, world, err));
    kai_newmark_contacts_elements(world);
    free_accelerations(world);
    kai_constraints* joints;
    KAI_TRY(kai_constraints_get(world, &joints, err));
    if (!joints) return KAI_OK;
    kai_constraints_evaluate(joints, world, time);
    kai_constraints_accelerations_slip(joints, world);
    for (;;) { // every round cuts rows, so it ends
        KAI_TRY(kai_constraints_factor(joints, world, false, err));
        KAI_TRY(kai_constraints_accelerations(joints, world, time, err));
        if (!kai_constraints_accelerations_cut(joints)) return KAI_OK;
        free_accelerations(world);
    }
}

/// Names the first node of elements that is not finite.
static kai_result check_nodes(const kai_world* world, double time, kai_error* err)
{
    const kai_node_def* nodes = kai_node_all(world);
    for (size_t i = 0; i < world->nodes.count; i++) {
        const double *q = &nodes[i].position.x, *v = &nodes[i].velocity.x;
        double sum = 0.0;
        for (size_t k = 0; k < kai_node_size(&nodes[i]); k++) sum += 0.0 * q[k] + 0.0 * v[k];
        if (sum == 0.0) continue;
        char text[KAI_STRING_SIZE + 32];
        kai_node_describe(world, i, text, sizeof text);
        return kai_error_set(
            err, KAI_ERROR_DIVERGED,
            "%s: position [%g, %g, %g] m, velocity [%g, %g, %g] m/s at t = %.9g s: "
            "it is not finite",
            text, kai_term_number(q[0]), kai_term_number(q[1]), kai_term_number(q[2]),
            kai_term_number(v[0]), kai_term_number(v[1]), kai_term_number(v[2]), time);
    }
    return KAI_OK;
}

/// Names the first shaft or state that is not finite.
static kai_result check_scalars(const kai_world* world, double time, kai_error* err)
{
    char text[KAI_STRING_SIZE + 32];
    const kai_shaft_def* shafts = kai_shaft_all(world);
    for (size_t i = 0; i < world->shafts.count; i++) {
        if (isfinite(shafts[i].angle) && isfinite(shafts[i].speed)) continue;
        kai_shaft_describe(world, i, text, sizeof text);
        return kai_error_set(err, KAI_ERROR_DIVERGED,
                             "%s: angle %g rad, speed %g rad/s at t = %.9g s is not finite", text,
                             shafts[i].angle, shafts[i].speed, time);
    }
    size_t cursor = 0;
    kai_state_source s;
    while (kai_state_next(world, &cursor, &s)) {
        for (size_t i = 0; i < s.items->items.count; i++) {
            const double* y = kai_state_at(&s, i);
            for (size_t k = 0; k < s.count; k++) {
                if (isfinite(y[k])) continue;
                char name[KAI_TERM_SIZE];
                kai_term_describe(world, s.store, s.batch, i, name, sizeof name);
                return kai_error_set(err, KAI_ERROR_DIVERGED,
                                     "%s: its state %zu is %g at t = %.9g s; it is not finite",
                                     name, k + 1, kai_term_number(y[k]), time);
            }
        }
    }
    return KAI_OK;
}

static bool is_finite(const kai_pose* pose, const kai_motion* motion)
{
    return kai_vec3_is_finite(pose->position) && isfinite(kai_quat_norm2(pose->rotation)) &&
           kai_vec3_is_finite(motion->velocity) && kai_vec3_is_finite(motion->spin);
}

/// Says which numbers of a body are not finite.
static kai_result tell_body(const kai_world* world, size_t i, double time, kai_error* err)
{
    const kai_pose* pose = &world->bodies.pose[i];
    const kai_motion* motion = &world->bodies.motion[i];
    const kai_vec3 turn = kai_quat_vector(pose->rotation);
    const struct {
        const char *what, *unit;
        kai_vec3 value;
    } all[] = {{"velocity", "m/s", motion->velocity},
               {"spin", "rad/s", motion->spin},
               {"position", "m", pose->position},
               {"rotation", "(quaternion)", turn}};
    size_t k = 0;
    while (k + 1 < KAI_COUNT(all) && kai_vec3_is_finite(all[k].value)) k++;
    char text[KAI_STRING_SIZE + 96];
    kai_term_body(world, i, text, sizeof text);
    return kai_error_set(
        err, KAI_ERROR_DIVERGED, "%s: its %s [%g, %g, %g] %s at t = %.9g s is not finite", text,
        all[k].what, kai_term_number(all[k].value.x), kai_term_number(all[k].value.y),
        kai_term_number(all[k].value.z), all[k].unit, time);
}

/// Names the first body that is not finite; one that moves, if there is one.
static kai_result check_bodies(const kai_world* world, double time, kai_error* err)
{
    const kai_bodies* bodies = &world->bodies;
    size_t found = SIZE_MAX;
    for (size_t i = 0; i < bodies->count; i++) {
        if (is_finite(&bodies->pose[i], &bodies->motion[i])) continue;
        if (found == SIZE_MAX) found = i;
        if (!(bodies->motion[i].flags & KAI_BODY_FIXED)) return tell_body(world, i, time, err);
    }
    return found == SIZE_MAX ? KAI_OK : tell_body(world, found, time, err);
}

static kai_result check_state(const kai_world* world, double time, kai_error* err)
{
    KAI_TRY(check_bodies(world, time, err));
    KAI_TRY(check_nodes(world, time, err));
    return check_scalars(world, time, err);
}

kai_result kai_system_check_finite(const kai_system* system, double time, kai_error* err)
{
    const kai_result r = check_state(system->world, time, err);
    if (r != KAI_OK && err) kai_diagnose_terms(system->world, time, err);
    return r;
}
