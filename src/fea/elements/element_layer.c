// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "base/error.h"
#include "model/check.h"
#include "model/element.h"
#include "model/id.h"

#include <kairos/element_kinds.h>

static const kai_element_layers* layers_of(const kai_world* world, kai_element element)
{
    const kai_element_kind* kind = kai_element_kind_of(world, element);
    if (!kind || kind->layers == 0) return NULL;
    return (
        const kai_element_layers*)(const void*)((const char*)kai_element_params(world, element) +
                                                kind->layers);
}

size_t kai_element_layer_count(const kai_world* world, kai_element element)
{
    KAI_GIVEN_OR(0, world);
    const kai_element_layers* layers = layers_of(world, element);
    if (!layers) return 0;
    return layers->list.count > 0 ? layers->list.count : 1;
}

kai_result kai_element_layer_at(kai_world* world, kai_element element, size_t layer, double place,
                                double* zeta)
{
    KAI_CHANGE(world, zeta);
    const size_t count = kai_element_layer_count(world, element);
    if (!kai_store_find(&world->elements, KAI_ID_OF(element)))
        return kai_world_fail(
            world, __func__,
            kai_store_id_error(&world->elements, KAI_ID_OF(element), &world->error));
    if (layer >= count || !(fabs(place) <= 1.0))
        return kai_error_set(&world->error, KAI_ERROR_ARGUMENT,
                             "kai_element_layer_at: layer %zu, place %g of an element with %zu "
                             "layers; must be below that, and from -1 to 1",
                             layer, place, count);
    const kai_element_layers* layers = layers_of(world, element);
    const kai_element_layer* item = layers->list.items;
    double below = 0.0, all = 0.0, own = layers->thickness;
    for (uint32_t i = 0; i < layers->list.count; i++) {
        if (i < layer) below += item[i].thickness;
        if (i == layer) own = item[i].thickness;
        all += item[i].thickness;
    }
    if (layers->list.count == 0) all = own;
    // A little inside, so that faces between layers belong to the one that is meant.
    const double inner = place * (1.0 - 1e-9);
    *zeta = 2.0 * (below + 0.5 * own * (1.0 + inner)) / all - 1.0;
    return KAI_OK;
}
