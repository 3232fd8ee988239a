// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "model/check.h"
#include "model/joint.h"
#include "step/project.h"
#include "step/system.h"
#include "step/term.h"
#include "step/undo.h"

static kai_result assemble(kai_system* system, kai_error* err)
{
    kai_world* world = system->world;
    kai_constraints* joints;
    KAI_TRY(kai_joint_pass(world, NULL, err));
    KAI_TRY(kai_term_observe_all(world, world->time, err));
    KAI_TRY(kai_constraints_get(world, &joints, err));
    if (!joints) return KAI_OK;
    KAI_TRY(kai_project_positions(joints, world, world->time, 1e-12, 50, err));
    KAI_TRY(kai_constraints_factor(joints, world, false, err));
    KAI_TRY(kai_project_velocities(joints, world, err));
    world->energy_known = false;
    world->integrator_steps = 0;
    return KAI_OK;
}

kai_result kai_world_assemble(kai_world* world)
{
    KAI_CHANGE(world);
    kai_system system = {.world = world, .time = world->time};
    kai_system_backup backup;
    kai_undo undo;
    const kai_result ready = kai_term_prepare_all(world, &world->error);
    if (ready != KAI_OK) return kai_world_fail(world, __func__, ready);
    const kai_result begun = kai_undo_begin(&undo, world, &world->error);
    if (begun != KAI_OK) return kai_world_fail(world, __func__, begun);
    kai_check_enter(world);
    kai_result r = kai_system_save(&system, &backup, &world->error);
    if (r == KAI_OK) {
        r = assemble(&system, &world->error);
        kai_system_end(&system, &backup, r == KAI_OK);
    }
    r = kai_undo_end(&undo, world, r);
    kai_check_leave(world, r);
    return kai_world_fail(world, __func__, r);
}
