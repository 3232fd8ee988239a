// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "model/part.h"

static kai_result save(const kai_world* world, const kai_part* part, const void* data,
                       kai_part_writer* w, kai_error* err)
{
    (void)part, (void)data;
    const uint8_t known = world->energy_known;
    KAI_TRY(w->numbers(w, "work", KAI_NUMBER_F64, 1, &world->work, err));
    KAI_TRY(w->numbers(w, "dissipated", KAI_NUMBER_F64, 1, &world->dissipated, err));
    KAI_TRY(w->numbers(w, "energy_reference", KAI_NUMBER_F64, 1, &world->energy_reference, err));
    return w->numbers(w, "energy_known", KAI_NUMBER_U8, 1, &known, err);
}

static kai_result load(kai_world* p, const kai_part* part, void* data, kai_part_reader* r,
                       kai_error* err)
{
    (void)part, (void)data;
    uint8_t known = 0;
    KAI_TRY(r->numbers(r, "work", KAI_NUMBER_F64, 1, &p->work, err));
    KAI_TRY(r->numbers(r, "dissipated", KAI_NUMBER_F64, 1, &p->dissipated, err));
    KAI_TRY(r->numbers(r, "energy_reference", KAI_NUMBER_F64, 1, &p->energy_reference, err));
    KAI_TRY(r->numbers(r, "energy_known", KAI_NUMBER_U8, 1, &known, err));
    p->energy_known = known != 0;
    return KAI_OK;
}

static void loaded(kai_world* world, void* data, const void* old)
{
    (void)data, (void)old;
    world->tame_steps = 0;
}

const kai_part kai_part_energy = {.name = "energy",
                                  KAI_PART_SPAN(work, energy_known),
                                  .save = save,
                                  .load = load,
                                  .loaded = loaded,
                                  .undo = KAI_PART_STEP | KAI_PART_STOP};
