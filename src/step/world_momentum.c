// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// P = Σ m v,  L = Σ x × m v + R I ω, over bodies that are not fixed, summed in a fixed order; then
// what terms bring (term.h).
#include "model/check.h"
#include "parallel/comm.h"
#include "step/term.h"

static void sum_range(size_t begin, size_t end, double* sums, void* context)
{
    const kai_world* world = context;
    for (size_t i = begin; i < end; i++) {
        const kai_motion* motion = &world->bodies.motion[i];
        const kai_pose* pose = &world->bodies.pose[i];
        const kai_bodies_mass* mass = kai_bodies_mass_of(&world->bodies, i);
        if (motion->flags & (KAI_BODY_FIXED | KAI_BODY_NODE)) continue;
        const kai_vec3 w = motion->spin;
        const kai_vec3 inner = {mass->moments.x * w.x, mass->moments.y * w.y,
                                mass->moments.z * w.z};
        const kai_vec3 p = kai_vec3_scale(motion->velocity, mass->mass);
        const kai_vec3 l =
            kai_vec3_add(kai_vec3_cross(pose->position, p), kai_quat_rotate(pose->rotation, inner));
        sums[0] += p.x;
        sums[1] += p.y;
        sums[2] += p.z;
        sums[3] += l.x;
        sums[4] += l.y;
        sums[5] += l.z;
    }
}

kai_result kai_world_momentum(kai_world* world, kai_vec3* linear, kai_vec3* angular)
{
    KAI_CHANGE(world, linear, angular);
    double sums[6];
    KAI_TRY(kai_world_fail(world, __func__,
                           kai_parallel_sum(world->threads, world->bodies.owned, 1024, sum_range,
                                            world, 6, sums, &world->arena, &world->error)));
    kai_vec3 p = kai_vec3_make(sums[0], sums[1], sums[2]),
             l = kai_vec3_make(sums[3], sums[4], sums[5]);
    KAI_TRY(kai_world_fail(world, __func__, kai_term_momentum_all(world, &p, &l, &world->error)));
    double all[] = {p.x, p.y, p.z, l.x, l.y, l.z};
    KAI_TRY(kai_world_fail(
        world, __func__,
        world->comm->reduce(world->comm, KAI_COMM_SUM, all, KAI_COUNT(all), &world->error)));
    *linear = kai_vec3_make(all[0], all[1], all[2]);
    *angular = kai_vec3_make(all[3], all[4], all[5]);
    return KAI_OK;
}
