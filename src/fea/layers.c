// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "fea/layers.h"

#include "base/error.h"

static const kai_param ITEM_PARAMS[] = {
    {.name = "solid",
     .type = KAI_PARAM_SOLID,
     .offset = offsetof(kai_element_layer, solid),
     .required = true,
     .doc = "What the layer is made of."},
    {.name = "thickness",
     .type = KAI_PARAM_REAL,
     .offset = offsetof(kai_element_layer, thickness),
     .unit = "m",
     .required = true,
     .range = KAI_ABOVE(0.0),
     .doc = "Its thickness."},
    {.name = "angle",
     .type = KAI_PARAM_REAL,
     .offset = offsetof(kai_element_layer, angle),
     .unit = "rad",
     .doc = "From the material x axis of the shell to that of the layer, about the normal."},
};

const kai_kind kai_layers_item_kind = {.name = "layer",
                                       .doc = "A layer of a shell.",
                                       .size = sizeof(kai_element_layer),
                                       .params = ITEM_PARAMS,
                                       .param_count = KAI_COUNT(ITEM_PARAMS)};

double kai_layers_half(const kai_element_layers* layers)
{
    const kai_element_layer* item = layers->list.items;
    double sum = layers->list.count ? 0.0 : layers->thickness;
    for (uint32_t i = 0; i < layers->list.count; i++) sum += item[i].thickness;
    return 0.5 * sum;
}

void kai_layers_read(const kai_element_layers* layers, const kai_solid_view* solids,
                     kai_layers_view* out)
{
    const kai_element_layer* item = layers->list.items;
    const bool list = layers->list.count > 0;
    out->count = list ? (int)layers->list.count : 1;
    out->half = kai_layers_half(layers);
    out->x_axis = layers->x_axis;
    double z = -out->half;
    for (int i = 0; i < out->count; i++) {
        kai_layers_ply* ply = &out->ply[i];
        ply->solid = list ? &solids[1 + i] : &solids[0];
        ply->bottom = z;
        z += list ? item[i].thickness : layers->thickness;
        ply->top = z;
        ply->cosine = list ? cos(item[i].angle) : 1.0;
        ply->sine = list ? sin(item[i].angle) : 0.0;
    }
}

kai_result kai_layers_check(const kai_element_layers* layers, const kai_solid_view* solids,
                            kai_error* err)
{
    if (layers->list.count > KAI_LAYERS_MOST)
        return kai_error_set(err, KAI_ERROR_ARGUMENT, "it has %u layers; must be at most %d",
                             layers->list.count, KAI_LAYERS_MOST);
    if (layers->list.count > 0 && (!KAI_IS_NULL(layers->solid) || layers->thickness > 0.0))
        return kai_error_set(err, KAI_ERROR_ARGUMENT,
                             "it has layers beside solid and thickness; must have either");
    if (layers->list.count == 0 && !solids[0].kind)
        return kai_error_set(err, KAI_ERROR_ARGUMENT,
                             "it has neither solid nor layers; must have one of them");
    if (layers->list.count == 0 && !(layers->thickness > 0.0))
        return kai_error_set(err, KAI_ERROR_ARGUMENT, "its thickness is %g m; must be > 0",
                             layers->thickness);
    for (uint32_t i = 0; i < layers->list.count; i++)
        if (!solids[1 + i].kind)
            return kai_error_set(err, KAI_ERROR_ARGUMENT, "layer %u has no solid; every layer must",
                                 i);
    return KAI_OK;
}

bool kai_layers_linear(const kai_layers_view* view, double* damping)
{
    *damping = kai_solid_view_base(view->ply[0].solid)->damping;
    for (int i = 0; i < view->count; i++)
        if (!view->ply[i].solid->kind->linear ||
            kai_solid_view_base(view->ply[i].solid)->damping != *damping)
            return false;
    return true;
}

void kai_layers_mass(const kai_layers_view* view, double* mass, double* moment)
{
    *mass = *moment = 0.0;
    for (int i = 0; i < view->count; i++) {
        const kai_layers_ply* p = &view->ply[i];
        const double density = kai_solid_view_base(p->solid)->density;
        *mass += density * (p->top - p->bottom);
        *moment += density * (p->top * p->top * p->top - p->bottom * p->bottom * p->bottom) / 3.0;
    }
}
