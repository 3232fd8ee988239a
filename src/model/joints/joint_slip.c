// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The rate of a joint's one row: G v over all of its ends.
#include "base/error.h"
#include "model/check.h"
#include "model/id.h"
#include "model/joint.h"
#include "model/shaft.h"

#include <kairos/driveline.h>

static double body_rate(const kai_world* world, uint32_t slot, const kai_wrench* factors)
{
    if (slot == UINT32_MAX) return 0.0;
    const kai_motion* m = &world->bodies.motion[slot];
    return kai_vec3_dot(factors->force, m->velocity) + kai_vec3_dot(factors->torque, m->spin);
}

kai_result kai_joint_slip(const kai_world* world, kai_joint joint, double* slip)
{
    KAI_READ(world, slip);
    const kai_joint_kind* kind;
    const void* instance;
    *slip = 0.0;
    KAI_TRY(kai_joint_get(world, joint, &kind, &instance));
    if (kind->rows != 1)
        return kai_error_set(kai_world_error_of(world), KAI_ERROR_ARGUMENT,
                             "kai_joint_slip: a %s joint has %d rows; only those with one have a "
                             "slip",
                             kind->kind.name, kind->rows);
    const kai_joint_base* j = instance;
    const uint32_t slot[2] = {(uint32_t)kai_bodies_slot(&world->bodies, j->bodies[0]),
                              (uint32_t)kai_bodies_slot(&world->bodies, j->bodies[1])};
    uint32_t beyond[KAI_JOINT_ENDS - 2];
    kai_joint_row row = {0};
    kai_wrench further[KAI_JOINT_ENDS - 2] = {0};
    kai_joint_find_further(world, kind, j, beyond);
    const kai_joint_batch one = {.world = world,
                                 .time = world->time,
                                 .instances = j,
                                 .size = kind->kind.size,
                                 .end = 1,
                                 .slot = slot,
                                 .pose = world->bodies.pose,
                                 .motion = world->bodies.motion,
                                 .functions = &world->functions,
                                 .rows = &row,
                                 .further_slot = beyond,
                                 .further = further,
                                 .shafts = kai_shaft_all(world)};
    kind->evaluate(&one);
    double rate = body_rate(world, slot[0], &row.a) + body_rate(world, slot[1], &row.b);
    for (int k = 0; k < kai_joint_further(kind); k++) {
        if (k < kind->other_count)
            rate += body_rate(world, beyond[k], &further[k]);
        else if (beyond[k] != UINT32_MAX)
            rate += further[k].force.x * kai_shaft_all(world)[beyond[k]].speed;
    }
    *slip = rate;
    return KAI_OK;
}
