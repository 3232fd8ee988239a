// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The effort of a motor is the multiplier of its one row: the row's factors for b are those of the
// rate of the coordinate, so that λ times them is a force or torque along it.
// A row that moves by itself does work: with G v + ∂g/∂t = 0 the power λ · G v is -λ ∂g/∂t.
// The impulse h λ of a row changes the kinetic energy by h λ G (v₀ + v₁) / 2: for rows with bounds
// that is heat, when it slips as when it locks.
#include "step/joint_effort.h"

#include "model/check.h"
#include "model/id.h"

kai_result kai_joint_effort(const kai_world* world, kai_joint joint, double* effort)
{
    KAI_CHANGE(world, effort);
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

/// G v₀ of row r of a joint.
static double rate_before(const kai_constraints* c, const kai_constraints_joint* joint, uint32_t r,
                          const kai_system_backup* start)
{
    const kai_constraints_end* ends = kai_constraints_ends(c, joint);
    double rate = 0.0;
    for (int k = 0; k < joint->ends; k++) {
        const double* g = kai_constraints_piece(c, joint, r, &ends[k]);
        if (ends[k].shaft) {
            rate += g[0] * start->scalars[2 * (size_t)ends[k].slot + 1];
            continue;
        }
        if (ends[k].element) {
            const double* v = start->node_v +
                              ((const uint32_t*)c->elements.fea->first.data)[ends[k].slot] +
                              ends[k].at;
            for (size_t p = 0; p < ends[k].width; p++) rate += g[p] * v[p];
            continue;
        }
        const kai_wrench* w = (const kai_wrench*)(const void*)g;
        const kai_motion* m = &start->motion[ends[k].slot];
        rate += kai_vec3_dot(w->force, m->velocity) + kai_vec3_dot(w->torque, m->spin);
    }
    return rate;
}

/// G v of row r of a joint.
static double rate_now(const kai_constraints* c, const kai_world* world,
                       const kai_constraints_joint* joint, uint32_t r)
{
    return kai_constraints_rate(c, world, joint, r) - kai_constraints_row(c, joint->first + r)->gt;
}

double kai_joint_effort_slip(const kai_constraints* c, const kai_world* world)
{
    const kai_constraints_joint* joints = c->joints.data;
    const double* lambda = c->lambda.data;
    double power = 0.0;
    for (size_t i = 0; c->bounded && i < c->joints.count; i++)
        for (uint32_t r = 0; joints[i].bounded && r < joints[i].count; r++)
            power -= lambda[joints[i].first + r] * rate_now(c, world, &joints[i], r);
    return power;
}

double kai_joint_effort_loss(const kai_constraints* c, const kai_world* world,
                             const kai_system_backup* start)
{
    const kai_constraints_joint* joints = c->joints.data;
    const double* lambda = c->lambda.data;
    double power = 0.0;
    for (size_t i = 0; c->bounded && i < c->joints.count; i++) {
        for (uint32_t r = 0; joints[i].bounded && r < joints[i].count; r++) {
            const uint32_t row = joints[i].first + r;
            power -= 0.5 * lambda[row] *
                     (rate_before(c, &joints[i], r, start) + rate_now(c, world, &joints[i], r));
        }
    }
    return power;
}
