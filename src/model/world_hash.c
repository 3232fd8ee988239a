// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "base/hash.h"
#include "model/world.h"

uint64_t kai_world_hash(const kai_world* world)
{
    const size_t count = world->bodies.count;
    uint64_t hash = kai_hash_bytes(KAI_HASH_START, &world->time, sizeof world->time);
    hash = kai_hash_bytes(hash, &world->steps, sizeof world->steps);
    hash = kai_hash_bytes(hash, world->bodies.pose, count * sizeof(kai_pose));
    return kai_hash_bytes(hash, world->bodies.motion, count * sizeof(kai_motion));
}
