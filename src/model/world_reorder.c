// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "model/body_order.h"
#include "model/check.h"
#include "model/world.h"

kai_result kai_world_reorder(kai_world* world)
{
    KAI_CHANGE(world);
    return kai_world_fail(world, __func__, kai_body_order(world, &world->error));
}
