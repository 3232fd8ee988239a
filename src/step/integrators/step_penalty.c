// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "step/integrators/step_penalty.h"

#include "contact/contacts_grains.h"
#include "step/integrators/body_motion.h"

static void penalty_swap_poses(kai_bodies* bodies)
{
    kai_pose* next = bodies->pose_next;
    bodies->pose_next = bodies->pose;
    bodies->pose = next;
}

/// Moves bodies to the middle of the step, the old poses kept beside. False: some state is not fit
/// for forces.
static bool penalty_move_to_middle(kai_contacts* contacts, kai_world* world, double h)
{
    kai_contacts_list_check check;
    const bool checked = kai_contacts_grains_watch(contacts, world, &check);
    bool inside;
    const bool good = kai_body_motion_look(world, 0.5 * h, checked ? &check : NULL, &inside);
    penalty_swap_poses(&world->bodies);
    if (checked) kai_contacts_grains_seen(contacts, world, inside);
    return good;
}

/// Contacts at the middle of the step and their forces. `*done` false: they are not finite.
static kai_result penalty_find_forces(kai_contacts* contacts, kai_world* world, double h,
                                      double* heat, bool* done, kai_error* err)
{
    const kai_contacts_options options = {.h = h, .no_undo = true};
    KAI_TRY(kai_contacts_find(contacts, world, &options, err));
    const int outer = kai_clock_begin(&world->clock, KAI_CLOCK_formulation);
    const kai_result r = kai_contacts_push(contacts, world, &options, heat, err);
    kai_clock_end(&world->clock, outer);
    *done = r == KAI_OK && isfinite(world->contact_elastic + *heat);
    return r;
}

/// Velocities, and the second half of the motion.
static kai_result penalty_finish(kai_system* system, kai_contacts* contacts, double h,
                                 kai_error* err)
{
    kai_world* world = system->world;
    kai_body_motion_forces forces = {.contact = kai_contacts_forces(contacts, world)};
    kai_contacts_grains_uniform(contacts, &forces.equal_begin, &forces.equal_end);
    if (kai_body_motion_finish(world, h, &forces)) return KAI_OK;
    return kai_system_check_finite(system, system->time + h, err);
}

kai_result kai_step_penalty(kai_system* system, double h, bool* done, kai_error* err)
{
    kai_world* world = system->world;
    kai_contacts* contacts;
    *done = false;
    KAI_TRY(kai_bodies_need_pose_next(&world->bodies, err));
    KAI_TRY(kai_contacts_get(world, &contacts, err));
    kai_result r = KAI_OK;
    double heat = 0.0;
    if (penalty_move_to_middle(contacts, world, h))
        r = penalty_find_forces(contacts, world, h, &heat, done, err);
    if (*done) {
        world->dissipated += heat;
        r = penalty_finish(system, contacts, h, err);
    } else {
        penalty_swap_poses(&world->bodies);
    }
    kai_contacts_end(contacts, world, *done);
    return r;
}
