// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "measure/output.h"

#include "base/error.h"
#include "model/joints/joint_view.h"

static const kai_joint_base* joint_at(const kai_store_batch* batch, size_t i)
{
    return (const kai_joint_base*)(const void*)((const char*)batch->items.data +
                                                i * batch->kind->size);
}

// Whether joint i of a batch holds.
static bool is_active(const kai_store_batch* batch, size_t i) { return joint_at(batch, i)->active; }

static const kai_joint_kind* kind_of(const kai_store_batch* batch)
{
    return (const kai_joint_kind*)(const void*)batch->kind;
}

uint64_t kai_output_joints_rows(const kai_world* world)
{
    uint64_t rows = 0;
    for (size_t b = 0; b < world->joints.batch_count; b++) {
        const kai_store_batch* batch = &world->joints.batches[b];
        for (size_t i = 0; i < batch->items.count; i++)
            if (is_active(batch, i))
                rows += (uint64_t)kai_joint_view_rows(kind_of(batch), joint_at(batch, i));
    }
    return rows;
}

kai_result kai_output_joints_violation(kai_world* world, double* violation)
{
    *violation = 0.0;
    for (size_t b = 0; b < world->joints.batch_count; b++) {
        const kai_store_batch* batch = &world->joints.batches[b];
        if (kind_of(batch)->velocity_level) continue; // what they hold is a speed
        for (size_t i = 0; i < batch->items.count; i++) {
            if (!is_active(batch, i)) continue;
            const kai_id id = kai_store_id(&world->joints, b, i);
            const kai_joint joint = {id.index, id.generation, id.world};
            double one;
            KAI_TRY(kai_joint_violation(world, joint, &one));
            // A NaN must show, so no fmax.
            if (!(one <= *violation)) *violation = one;
        }
    }
    return KAI_OK;
}
