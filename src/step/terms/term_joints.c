// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Joints: rows of one linear system (constraints.h), whose multipliers are their forces.
#include "step/constraints.h"
#include "step/integrator.h"
#include "step/term.h"

/// Rows with bounds are looked for only where an integrator holds joints but no bounds: the system
/// need not be laid out for others.
static kai_result joints_need(kai_world* world, void* data, unsigned* capabilities, kai_error* err)
{
    (void)data;
    if (world->joints.count == 0) return KAI_OK;
    *capabilities = KAI_INTEGRATOR_JOINTS;
    if (!kai_integrator_can(world, KAI_INTEGRATOR_JOINTS) ||
        kai_integrator_can(world, KAI_INTEGRATOR_BOUNDS))
        return KAI_OK;
    kai_constraints* constraints;
    KAI_TRY(kai_constraints_get(world, &constraints, err));
    if (constraints && constraints->bounded) *capabilities |= KAI_INTEGRATOR_BOUNDS;
    return KAI_OK;
}

const kai_term kai_term_joints = {.name = "joints", .needs = joints_need};
