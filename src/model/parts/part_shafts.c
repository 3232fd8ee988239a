// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "base/hash.h"
#include "model/part.h"
#include "model/shaft.h"

static const kai_kind* const SHAFT_KINDS[] = {&kai_shaft_kind, NULL};

static uint64_t hash_shafts(const kai_world* world, const void* data, uint64_t hash)
{
    (void)data;
    const kai_shaft_def* shafts = kai_shaft_all(world);
    for (size_t i = 0; i < world->shafts.count; i++) {
        hash = kai_hash_bytes(hash, &shafts[i].angle, sizeof shafts[i].angle);
        hash = kai_hash_bytes(hash, &shafts[i].speed, sizeof shafts[i].speed);
    }
    return hash;
}

// Angle and speed of each ------------------------------------------------------------------------

static size_t backup_bytes(const kai_world* world, const void* data)
{
    (void)data;
    return 2 * world->shafts.count * sizeof(double);
}

static void backup(const kai_world* world, const void* data, void* to)
{
    (void)data;
    const kai_shaft_def* shafts = kai_shaft_all(world);
    double* numbers = to;
    for (size_t i = 0; i < world->shafts.count; i++) {
        *numbers++ = shafts[i].angle;
        *numbers++ = shafts[i].speed;
    }
}

static void restore(kai_world* world, void* data, const void* from)
{
    (void)data;
    kai_shaft_def* shafts = kai_shaft_all(world);
    const double* numbers = from;
    for (size_t i = 0; i < world->shafts.count; i++) {
        shafts[i].angle = *numbers++;
        shafts[i].speed = *numbers++;
    }
}

const kai_part kai_part_shafts = {KAI_PART_STORE(shafts, "shaft", SHAFT_KINDS),
                                  .hash = hash_shafts,
                                  .undo = KAI_PART_STEP,
                                  .backup_bytes = backup_bytes,
                                  .backup = backup,
                                  .restore = restore};
