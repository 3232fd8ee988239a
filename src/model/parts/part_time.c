// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "base/hash.h"
#include "model/part.h"

#include <math.h>

static uint64_t hash_time(const kai_world* world, const void* data, uint64_t hash)
{
    (void)data;
    hash = kai_hash_bytes(hash, &world->time, sizeof world->time);
    return kai_hash_bytes(hash, &world->steps, sizeof world->steps);
}

static kai_result save(const kai_world* world, const kai_part* part, const void* data,
                       kai_part_writer* w, kai_error* err)
{
    (void)part, (void)data;
    KAI_TRY(w->numbers(w, "time", KAI_NUMBER_F64, 1, &world->time, err));
    KAI_TRY(w->numbers(w, "steps", KAI_NUMBER_U64, 1, &world->steps, err));
    KAI_TRY(w->numbers(w, "time_base", KAI_NUMBER_F64, 1, &world->time_base, err));
    KAI_TRY(w->numbers(w, "time_step", KAI_NUMBER_F64, 1, &world->time_step, err));
    KAI_TRY(w->numbers(w, "steps_base", KAI_NUMBER_U64, 1, &world->steps_base, err));
    return w->numbers(w, "gravity", KAI_NUMBER_F64, 3, &world->gravity, err);
}

static kai_result load(kai_world* p, const kai_part* part, void* data, kai_part_reader* r,
                       kai_error* err)
{
    (void)part, (void)data;
    KAI_TRY(r->numbers(r, "time", KAI_NUMBER_F64, 1, &p->time, err));
    KAI_TRY(r->numbers(r, "steps", KAI_NUMBER_U64, 1, &p->steps, err));
    KAI_TRY(r->numbers(r, "time_base", KAI_NUMBER_F64, 1, &p->time_base, err));
    KAI_TRY(r->numbers(r, "time_step", KAI_NUMBER_F64, 1, &p->time_step, err));
    KAI_TRY(r->numbers(r, "steps_base", KAI_NUMBER_U64, 1, &p->steps_base, err));
    KAI_TRY(r->numbers(r, "gravity", KAI_NUMBER_F64, 3, &p->gravity, err));
    if (!isfinite(p->time) || !isfinite(p->time_base) || !isfinite(p->time_step) ||
        p->steps_base > p->steps || !kai_vec3_is_finite(p->gravity))
        return kai_error_set(err, KAI_ERROR_FORMAT, "time or gravity breaks its rule");
    return KAI_OK;
}

const kai_part kai_part_time = {
    .name = "time", KAI_PART_SPAN(time, gravity), .save = save, .load = load, .hash = hash_time};
