// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Where the power of loads goes.
//
// With P the power of a load's forces on its bodies, D what it turns into heat and E what it
// stores: P = W - D - Ė, W the work that comes from outside. A kind with energy() takes none, W =
// 0; for others W = P + D, which is what a moving fluid does, and all of P when the kind knows
// nothing.
#include "model/load.h"
#include "model/load_switch.h"

static const size_t BLOCK = 256; // instances

typedef struct energy_context {
    const kai_load_kind* kind;
    kai_load_batch batch;
    const kai_store_batch* items;
    bool off; // some load is switched off
} energy_context;

static void energy_range(size_t begin, size_t end, double* sums, void* context)
{
    const energy_context* c = context;
    for (size_t i = begin; i < end; i++)
        if (!c->off || !kai_load_switch_is_off(c->batch.world, c->items, i))
            sums[0] += c->kind->energy(&c->batch, i);
}

/// P of one instance, from the forces last evaluated.
static double power_of(const kai_load_batch* b, size_t i)
{
    double power = 0.0;
    for (size_t k = i * b->bodies; k < (i + 1) * b->bodies; k++) {
        if (b->slot[k] == UINT32_MAX) continue; // the ground
        if (b->slot[k] >= b->body_count) {
            power += b->out[k].force.x * kai_load_shaft(b, k)->speed;
            continue;
        }
        const kai_motion* m = &b->motion[b->slot[k]];
        power +=
            kai_vec3_dot(b->out[k].force, m->velocity) + kai_vec3_dot(b->out[k].torque, m->spin);
    }
    return power;
}

/// W and D of instances.
static void power_range(size_t begin, size_t end, double* sums, void* context)
{
    const energy_context* c = context;
    for (size_t i = begin; i < end; i++) {
        if (c->off && kai_load_switch_is_off(c->batch.world, c->items, i)) continue;
        const double lost = c->kind->dissipation ? c->kind->dissipation(&c->batch, i) : 0.0;
        if (!c->kind->energy) sums[0] += power_of(&c->batch, i) + lost;
        sums[1] += lost;
    }
}

/// Ordered sums over all loads; kinds without energy() are passed over when `stored`.
static kai_result sum_loads(kai_world* world, bool stored, double time, double sums[2],
                            kai_error* err)
{
    size_t ends = 0;
    sums[0] = sums[1] = 0.0;
    for (size_t b = 0; b < world->loads.batch_count; b++) {
        const kai_store_batch* batch = &world->loads.batches[b];
        if (batch->items.count == 0) continue;
        energy_context c = {(const kai_load_kind*)(const void*)batch->kind,
                            kai_load_batch_make(world, b, ends, time), batch,
                            world->loads_off.count > 0};
        ends += batch->items.count * c.batch.bodies;
        if (stored && !c.kind->energy) continue;
        double part[2] = {0.0, 0.0};
        KAI_TRY(kai_parallel_sum(world->threads, batch->items.count, BLOCK,
                                 stored ? energy_range : power_range, &c, stored ? 1 : 2, part,
                                 &world->arena, err));
        sums[0] += part[0];
        sums[1] += part[1];
    }
    return KAI_OK;
}

kai_result kai_load_energy(kai_world* world, double* elastic, kai_error* err)
{
    double sums[2] = {0.0, 0.0};
    if (world->loads.count > 0) {
        KAI_TRY(kai_load_ready(world, err));
        KAI_TRY(sum_loads(world, true, world->time, sums, err));
    }
    *elastic = sums[0];
    return KAI_OK;
}

kai_result kai_load_energy_spend(kai_world* world, double seconds, kai_error* err)
{
    if (world->loads.count == 0) return KAI_OK;
    // Loads came or went since they were evaluated: at the start of a step, so at the world's time.
    KAI_TRY(kai_load_ready(world, err));
    if (!world->plan.evaluated) KAI_TRY(kai_load_evaluate(world, world->time, err));
    double sums[2];
    KAI_TRY(sum_loads(world, false, world->plan.time, sums, err));
    world->work += seconds * sums[0];
    world->dissipated += seconds * sums[1];
    return KAI_OK;
}
