// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "fea/layers.h"

#include "base/error.h"
#include "math/dense.h"

#include <string.h>

static const kai_param ITEM_PARAMS[] = {
    KAI_PARAM(SOLID, kai_element_layer, solid, .required = true, .doc = "Material of the layer."),
    KAI_PARAM(REAL, kai_element_layer, thickness, .unit = "m", .required = true,
              .range = KAI_ABOVE(0.0), .doc = "Its thickness."),
    KAI_PARAM(REAL, kai_element_layer, angle, .unit = "rad",
              .doc =
                  "From the material x axis of the shell to that of the layer, about the normal."),
};

const kai_kind kai_layers_item_kind =
    KAI_KIND("layer", kai_element_layer, ITEM_PARAMS, .doc = "A layer of a shell.");

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

// Plane stress -----------------------------------------------------------------------------------

/// Stiffness xx yy xy of a solid whose zz, yz and xz stresses are zero, in its own axes.
static bool plane_stress(const kai_solid_view* solid, double out[3][3])
{
    static const int KEEP[3] = {0, 1, 5}, FREE[3] = {2, 3, 4};
    const double none[6] = {0.0};
    double d[36], m[3][6];
    if (!solid->kind->evaluate(solid->instance, none, NULL, NULL, d)) return false;
    // Eliminate what is free: m = [D_ff | D_fk] becomes [1 | D_ff⁻¹ D_fk].
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            m[i][j] = d[6 * FREE[i] + FREE[j]];
            m[i][3 + j] = d[6 * FREE[i] + KEEP[j]];
        }
    if (!kai_dense_reduce(3, 6, &m[0][0], 6)) return false;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            out[i][j] = d[6 * KEEP[i] + KEEP[j]];
            for (int k = 0; k < 3; k++) out[i][j] -= d[6 * KEEP[i] + FREE[k]] * m[k][3 + j];
        }
    return true;
}

void kai_layers_turn(double cosine, double sine, double out[3][3])
{
    const double c = cosine, s = sine;
    const double all[3][3] = {
        {c * c, s * s, c * s}, {s * s, c * c, -c * s}, {-2.0 * c * s, 2.0 * c * s, c * c - s * s}};
    memcpy(out, all, sizeof all);
}

bool kai_layers_plane(const kai_layers_view* view, double out[6][6])
{
    memset(out, 0, 6 * sizeof *out);
    for (int l = 0; l < view->count; l++) {
        const kai_layers_ply* p = &view->ply[l];
        double q[3][3], turn[3][3], half[3][3];
        if (!plane_stress(p->solid, q)) return false;
        kai_layers_turn(p->cosine, p->sine, turn);
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) {
                half[i][j] = 0.0;
                for (int k = 0; k < 3; k++) half[i][j] += q[i][k] * turn[k][j];
            }
        const double a = p->bottom, b = p->top;
        const double moment[3] = {b - a, 0.5 * (b * b - a * a), (b * b * b - a * a * a) / 3.0};
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) {
                double sum = 0.0;
                for (int k = 0; k < 3; k++) sum += turn[k][i] * half[k][j];
                out[i][j] += moment[0] * sum;
                out[i][3 + j] += moment[1] * sum;
                out[3 + i][j] += moment[1] * sum;
                out[3 + i][3 + j] += moment[2] * sum;
            }
    }
    return true;
}

const kai_layers_ply* kai_layers_at(const kai_layers_view* view, double z)
{
    int l = 0;
    while (l < view->count - 1 && z >= view->ply[l].top) l++;
    return &view->ply[l];
}

bool kai_layers_stress(const kai_layers_ply* ply, const double strain[3], double out[3],
                       double own[3])
{
    double q[3][3], turn[3][3];
    if (!plane_stress(ply->solid, q)) return false;
    kai_layers_turn(ply->cosine, ply->sine, turn);
    for (int i = 0; i < 3; i++) {
        own[i] = 0.0;
        for (int k = 0; k < 3; k++) own[i] += turn[i][k] * strain[k];
    }
    for (int i = 0; i < 3; i++) {
        out[i] = 0.0;
        for (int k = 0; k < 3; k++) out[i] += q[i][k] * own[k];
    }
    return true;
}
