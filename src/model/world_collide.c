// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "model/check.h"
#include "model/collision/collision.h"

kai_result kai_world_collide(kai_world* world)
{
    KAI_CHANGE(world);
    return kai_world_fail(world, __func__, kai_collision_update(world, &world->error));
}
