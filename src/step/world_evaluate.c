// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "model/check.h"
#include "step/system.h"
#include "step/term.h"

kai_result kai_world_evaluate(kai_world* world)
{
    KAI_CHANGE(world);
    const kai_result ready = kai_term_prepare_all(world, &world->error);
    if (ready != KAI_OK) return kai_world_fail(world, __func__, ready);
    const int outer = kai_clock_begin(&world->clock, KAI_CLOCK_step);
    kai_system system = {.world = world, .time = world->time};
    kai_check_enter(world);
    const kai_result r = kai_system_accelerations(&system, world->time, &world->error);
    kai_check_leave(world, r);
    kai_clock_end(&world->clock, outer);
    return kai_world_fail(world, __func__, r);
}
