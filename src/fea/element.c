// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// What users ask of elements; creation is in model/element.c.
#include "fea/fea.h"
#include "model/check.h"
#include "model/id.h"

kai_result kai_element_sample_at(kai_world* world, kai_element element, const double at[3],
                                 kai_element_sample* out)
{
    KAI_CHANGE(world, at, out);
    const kai_store_entry* entry = kai_store_find(&world->elements, KAI_ID_OF(element));
    kai_error* err = &world->error;
    kai_fea* fea;
    kai_result r = KAI_OK;
    if (!entry) r = kai_store_id_error(&world->elements, KAI_ID_OF(element), err);
    if (r == KAI_OK) r = kai_fea_get(world, &fea, err);
    if (r == KAI_OK) r = kai_fea_forces_sample(fea, world, entry->batch, entry->slot, at, out, err);
    return kai_world_fail(world, __func__, r);
}

kai_result kai_element_energy(kai_world* world, double* energy)
{
    KAI_CHANGE(world, energy);
    kai_fea* fea;
    *energy = 0.0;
    kai_result r = kai_fea_get(world, &fea, &world->error);
    if (r == KAI_OK && fea) r = kai_fea_forces_stored(fea, world, energy, &world->error);
    return kai_world_fail(world, __func__, r);
}
