// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// kinetic = Σ ½ m v² + ½ ω·I ω,  potential = -Σ m g·x, over bodies that are not fixed, and Σ ½ J ω²
// over shafts, summed in a fixed order; then the energy of terms (term.h).
#include "step/world_energy.h"

#include "model/body.h"
#include "model/check.h"
#include "model/shaft.h"
#include "parallel/comm.h"
#include "step/term.h"

static void sum_range(size_t begin, size_t end, double* sums, void* context)
{
    const kai_world* world = context;
    for (size_t i = begin; i < end; i++) {
        double energy[2];
        kai_body_energy(world, i, energy);
        sums[0] += energy[0];
        sums[1] += energy[1];
    }
}

kai_result kai_world_energy_sum(kai_world* world, kai_energy* out, kai_error* err)
{
    double sums[2];
    KAI_TRY(kai_parallel_sum(world->threads, world->bodies.owned, 1024, sum_range, world, 2, sums,
                             &world->arena, err));
    const kai_shaft_def* shafts = kai_shaft_all(world);
    for (size_t i = 0; i < world->shafts.count; i++)
        sums[0] += 0.5 * shafts[i].inertia * shafts[i].speed * shafts[i].speed;
    kai_energy sum = {.kinetic = sums[0], .potential = sums[1]};
    KAI_TRY(kai_term_energy_all(world, &sum, err));
    double all[] = {sum.kinetic, sum.potential, sum.elastic, world->dissipated, world->work};
    KAI_TRY(world->comm->reduce(world->comm, KAI_COMM_SUM, all, KAI_COUNT(all), err));
    *out = (kai_energy){.kinetic = all[0],
                        .potential = all[1],
                        .elastic = all[2],
                        .dissipated = all[3],
                        .work = all[4]};
    const double balance =
        out->kinetic + out->potential + out->elastic + out->dissipated - out->work;
    out->drift = world->energy_known ? balance - world->energy_reference : 0.0;
    return KAI_OK;
}

kai_result kai_world_energy(kai_world* world, kai_energy* out)
{
    KAI_CLEAR(out);
    KAI_CHANGE(world, out);
    kai_check_enter(world);
    const kai_result r = kai_world_energy_sum(world, out, &world->error);
    kai_check_leave(world, r);
    return kai_world_fail(world, __func__, r);
}
