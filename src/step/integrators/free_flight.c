// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "step/integrators/free_flight.h"

#include "contact/contacts_list_check.h"
#include "step/integrators/body_motion.h"

bool kai_free_flight_is_gentle(const kai_world* world, double h)
{
    static const double MOST = 1e60;
    return h < MOST && h * kai_vec3_max_abs(world->gravity) < MOST;
}

/// Whether a step may leave finite numbers. Where no place, velocity or spin is beyond 1e60, none
/// overflows within 2⁶⁴ such steps: v grows by h g, x by h v, and angular momentum is kept. So
/// bodies are looked at only when somebody has changed a state, or after steps of another sort.
static bool may_fail(const kai_world* world, double h)
{
    if (!kai_free_flight_is_gentle(world, h)) return true;
    if (world->tame_steps == world->steps + 1) return false;
    const kai_contacts_list_check all = {0};
    return kai_contacts_list_check_see(&all, &world->bodies, 0.0, world->threads) &
           KAI_CONTACTS_LIST_CHECK_OVERFLOW;
}

kai_result kai_free_flight(kai_system* system, double h, kai_error* err)
{
    kai_world* world = system->world;
    kai_system_backup backup;
    const bool may_overflow = may_fail(world, h);
    if (may_overflow) KAI_TRY(kai_system_save(system, &backup, err));
    const kai_result r = kai_body_motion_fly(world, h)
                             ? KAI_OK
                             : kai_system_check_finite(system, system->time + h, err);
    if (may_overflow) kai_system_end(system, &backup, r == KAI_OK);
    world->tame_steps =
        may_overflow ? 0 : world->steps + 2; // the step that is counted when all is done
    return r;
}
