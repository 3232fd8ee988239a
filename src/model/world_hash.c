// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "base/hash.h"
#include "model/check.h"
#include "model/node.h"
#include "model/shaft.h"
#include "model/state.h"

/// Angles and speeds, nodes, then the states of users.
static uint64_t hash_scalars(uint64_t hash, const kai_world* world)
{
    const kai_shaft_def* shafts = kai_shaft_all(world);
    for (size_t i = 0; i < world->shafts.count; i++) {
        hash = kai_hash_bytes(hash, &shafts[i].angle, sizeof shafts[i].angle);
        hash = kai_hash_bytes(hash, &shafts[i].speed, sizeof shafts[i].speed);
    }
    const kai_node_def* nodes = kai_node_all(world);
    for (size_t i = 0; i < world->nodes.count; i++) {
        const size_t size = kai_node_size(&nodes[i]) * sizeof(double);
        hash = kai_hash_bytes(hash, &nodes[i].position, size);
        hash = kai_hash_bytes(hash, &nodes[i].velocity, size);
    }
    size_t cursor = 0;
    kai_state_source s;
    while (kai_state_next(world, &cursor, &s))
        for (size_t i = 0; i < s.items->items.count; i++)
            hash = kai_hash_bytes(hash, kai_state_at(&s, i), s.count * sizeof(double));
    return hash;
}

uint64_t kai_world_hash(const kai_world* world)
{
    KAI_GIVEN_OR(0, world);
    const size_t count = world->bodies.count;
    uint64_t hash = kai_hash_bytes(KAI_HASH_START, &world->time, sizeof world->time);
    hash = kai_hash_bytes(hash, &world->steps, sizeof world->steps);
    hash = kai_hash_bytes(hash, world->bodies.pose, count * sizeof(kai_pose));
    hash = kai_hash_bytes(hash, world->bodies.motion, count * sizeof(kai_motion));
    return hash_scalars(hash, world);
}
