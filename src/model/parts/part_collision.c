// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Whether and how near contacts are looked for; who touches whom is found again.
#include "model/collision/collision.h"
#include "model/part.h"

#include <math.h>

static void free_collision(kai_world* world, void* data)
{
    (void)data;
    kai_collision_destroy(world);
}

static kai_result save(const kai_world* world, const kai_part* part, const void* data,
                       kai_part_writer* w, kai_error* err)
{
    (void)part, (void)data;
    const uint8_t detect = world->collision_detect;
    KAI_TRY(w->numbers(w, "collision_detect", KAI_NUMBER_U8, 1, &detect, err));
    return w->numbers(w, "collision_reach", KAI_NUMBER_F64, 1, &world->collision_reach, err);
}

static kai_result load(kai_world* p, const kai_part* part, void* data, kai_part_reader* r,
                       kai_error* err)
{
    (void)part, (void)data;
    uint8_t detect = 0;
    KAI_TRY(r->numbers(r, "collision_detect", KAI_NUMBER_U8, 1, &detect, err));
    KAI_TRY(r->numbers(r, "collision_reach", KAI_NUMBER_F64, 1, &p->collision_reach, err));
    p->collision_detect = detect != 0;
    if (!(p->collision_reach >= 0.0) || !isfinite(p->collision_reach))
        return kai_error_set(err, KAI_ERROR_FORMAT, "collision_reach is %g m; must be >= 0",
                             p->collision_reach);
    return KAI_OK;
}

const kai_part kai_part_collision = {.name = "collision",
                                     KAI_PART_SPAN(collision_reach, collision_detect),
                                     .free = free_collision,
                                     .save = save,
                                     .load = load};
