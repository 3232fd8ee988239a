// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Contacts as stages of a step that works at mid-step: who touches whom and by penalty how hard, then
// by complementarity what that makes of velocities.
#include "contact/contacts.h"
#include "step/contacts_velocities.h"
#include "step/islands.h"
#include "step/system.h"

kai_result kai_system_contacts(kai_system* system, double h, double* heat, kai_error* err)
{
    kai_world* world = system->world;
    if (world->contact_def.method == KAI_CONTACT_NONE) return KAI_OK;
    const kai_contacts_options options = {.h = h};
    KAI_TRY(kai_contacts_get(world, &system->contacts, err));
    do KAI_TRY(kai_contacts_find(system->contacts, world, &options, err));
    while (kai_islands_wake(world));
    if (world->contact_def.method != KAI_CONTACT_SMC) return KAI_OK;
    const int outer = kai_clock_begin(&world->clock, KAI_CLOCK_formulation);
    const kai_result r = kai_contacts_push(system->contacts, world, &options, heat, err);
    kai_clock_end(&world->clock, outer);
    return r;
}

const kai_wrench* kai_system_contacts_forces(const kai_system* system)
{
    const bool penalty = system->world->contact_def.method == KAI_CONTACT_SMC;
    return system->contacts && penalty ? kai_contacts_forces(system->contacts, system->world)
                                       : NULL;
}

kai_result kai_system_contacts_velocities(kai_system* system, struct kai_constraints* joints,
                                          const kai_system_backup* start, double h, bool last,
                                          double* heat, kai_error* err)
{
    kai_world* world = system->world;
    if (!system->contacts || world->contact_def.method != KAI_CONTACT_NSC) return KAI_OK;
    *heat = 0.0;
    return kai_contacts_velocities(system->contacts, world, joints, start, h, last, heat, err);
}

void kai_system_contacts_follow(const kai_system* system)
{
    kai_world* world = system->world;
    if (kai_fea_coordinates(world) + world->elements.count > 0 && world->collision)
        kai_patch_follow(&world->collision->surface, world);
}
