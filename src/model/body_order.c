// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "model/body_order.h"

#include "model/collision/collision.h"
#include "proximity/broad_order.h"

static void fill_points(size_t begin, size_t end, kai_vec3 origin, kai_broad_box* boxes,
                        float* travel, void* context)
{
    (void)travel;
    const kai_bodies* bodies = context;
    for (size_t i = begin; i < end; i++) {
        const kai_vec3 at = bodies->pose[i].position;
        boxes[i - begin] = (kai_broad_box){.owner = (uint32_t)i};
        kai_broad_round(&boxes[i - begin], at, at, origin);
    }
}

kai_result kai_body_order(kai_world* world, kai_error* err)
{
    kai_bodies* bodies = &world->bodies;
    const size_t n = bodies->owned, bytes = n * (KAI_BODIES_WIDEST + sizeof(uint32_t));
    if (n < 2) return KAI_OK;
    void* scratch = kai_memory_allocate(&world->memory, bytes);
    if (!scratch)
        return kai_error_set(err, KAI_ERROR_MEMORY, "no memory to put %zu bodies in order", n);
    uint32_t* order = (uint32_t*)(void*)((char*)scratch + n * KAI_BODIES_WIDEST);
    kai_result r =
        kai_broad_order(&world->memory, world->threads, n, fill_points, bodies, order, err);
    bool same = true;
    for (size_t i = 0; r == KAI_OK && same && i < n; i++) same = order[i] == i;
    if (r == KAI_OK && !same) r = kai_collision_note_slots(world, 0, n, err);
    if (r == KAI_OK && !same) {
        kai_bodies_permute(bodies, world->threads, order, scratch);
        world->bodies_version++;
        world->term_slots_version++;
        world->integrator_steps = 0;
    }
    kai_memory_release(&world->memory, scratch, bytes);
    return r;
}

double kai_body_order_spread(const kai_world* world)
{
    enum { SAMPLES = 1 << 16 };
    const kai_collision* c = world->collision;
    if (!c || c->bodies_version != world->bodies_version) return 0.0;
    const kai_broad* broad = &c->proximity.broad;
    const size_t step = broad->pair_count / SAMPLES + 1;
    double sum = 0.0, count = 0.0;
    for (size_t k = 0; k < broad->pair_count; k += step) {
        const uint32_t a = kai_proximity_owner(&c->proximity, KAI_BROAD_A(broad->pairs[k]));
        const uint32_t b = kai_proximity_owner(&c->proximity, KAI_BROAD_B(broad->pairs[k]));
        if ((a | b) & KAI_BROAD_FIXED) continue; // walls and floors touch whoever is there
        sum += fabs((double)a - (double)b);
        count += 1.0;
    }
    return count > 0.0 ? sum / count / pow((double)world->bodies.count, 2.0 / 3.0) : 0.0;
}
