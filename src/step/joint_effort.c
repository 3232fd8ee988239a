// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The effort of a motor is the multiplier of its one row: the row's factors for b are those of the
// rate of the coordinate, so that λ times them is a force or torque along it.
// A row that moves by itself does work: with G v + ∂g/∂t = 0 the power λ · G v is -λ ∂g/∂t.
#include "step/joint_effort.h"

#include "model/id.h"

kai_result kai_joint_effort(const kai_world* world, kai_joint joint, double* effort)
{
    const kai_store_entry* entry = kai_store_find(&world->joints, KAI_ID_OF(joint));
    if (!entry)
        return kai_world_fail(
            world, __func__,
            kai_store_id_error(&world->joints, KAI_ID_OF(joint), kai_world_error_of(world)));
    const kai_kind* kind = world->joints.batches[entry->batch].kind;
    if (((const kai_joint_kind*)(const void*)kind)->rows != 1)
        return kai_error_set(kai_world_error_of(world), KAI_ERROR_ARGUMENT,
                             "kai_joint_effort: a %s joint has no effort; only motors have",
                             kind->name);
    *effort = 0.0;
    kai_constraints* c = world->solver;
    if (!c || c->joints_version != world->joints.version) return KAI_OK;
    KAI_TRY(kai_world_fail(world, __func__,
                           kai_constraints_solve_share(c, c->world, kai_world_error_of(world))));
    const size_t row = ((const uint32_t*)c->first.data)[entry->batch] + entry->slot;
    *effort = ((const double*)c->lambda.data)[row];
    return KAI_OK;
}

double kai_joint_effort_power(const kai_constraints* c, const kai_world* world)
{
    const uint32_t* first = c->first.data;
    const kai_joint_row* rows = c->rows.data;
    const double* lambda = c->lambda.data; // zero for joints that do not hold
    double power = 0.0;
    for (size_t b = 0; b < world->joints.batch_count; b++) {
        const kai_store_batch* batch = &world->joints.batches[b];
        const kai_joint_kind* kind = (const kai_joint_kind*)(const void*)batch->kind;
        if (!kind->driven) continue;
        const size_t end = first[b] + batch->items.count * (size_t)kind->rows;
        for (size_t r = first[b]; r < end; r++) power -= lambda[r] * rows[r].gt;
    }
    return power;
}
