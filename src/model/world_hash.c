// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "base/hash.h"
#include "model/check.h"
#include "model/part.h"

uint64_t kai_world_hash(const kai_world* world)
{
    KAI_GIVEN_OR(0, world);
    return kai_part_hash_all(world, KAI_HASH_START);
}
