// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The functions that kinds of volume elements share but for a few numbers. A file that includes
// this has defined N, POINTS and COUNT (numbers in an element's data), instance_type, PARAMS, SHAPE
// and FACES, and PROJECTED: functions of projected.h, 0 for modes. Then a table is
//
//     const kai_element_kind kai_element_x = KAI_VOLUME_KIND("x", "What it is.");
#ifndef FEA_VOLUME_KIND_H
#define FEA_VOLUME_KIND_H

#include "fea/elements/corotational.h"
#include "fea/elements/projected.h"

static const double* data_of(const kai_element_batch* batch, size_t i)
{
    return (const double*)batch->data + COUNT * i;
}

#ifndef KAI_VOLUME_KIND_OWN_FORCE

KAI_CLONES static void force(const kai_element_batch* batch)
{
    const double none[6] = {0.0};
    for (size_t i = 0; i < batch->count; i++) {
        const double* data = data_of(batch, i);
        const kai_volume_head* head = (const kai_volume_head*)(const void*)data;
        const kai_solid_view* solid = batch->solids + i;
        if (!head->total) {
            kai_corotational_element(data + KAI_VOLUME_X, data + KAI_VOLUME_MEAN(N),
                                     data + KAI_VOLUME_STIFFNESS(N), head->damping, batch, i, N);
            continue;
        }
        double d[36];
        const double* constant = solid->kind->linear ? d : NULL;
        if (constant) solid->kind->evaluate(solid->instance, none, NULL, NULL, d);
        if (PROJECTED > 0 && head->enhanced)
            kai_projected_element(data, solid, constant, SHAPE.points, PROJECTED, batch, i, N,
                                  POINTS);
        else
            kai_total_element(data, solid, constant, batch, i, N, POINTS, PROJECTED == 0);
    }
}

static kai_result prepare(const kai_element_setup* setup, void* data, kai_error* err)
{
    const instance_type* p = setup->instance;
    return kai_volume_prepare(&SHAPE, setup, p->formulation, p->enhanced, force, data, err);
}

static double energy(const kai_element_batch* batch, size_t i)
{
    return kai_volume_energy(&SHAPE, batch->solids + i, data_of(batch, i), batch->q + 3 * N * i);
}

static void sample(const kai_element_batch* batch, size_t i, const double at[3],
                   kai_element_sample* out)
{
    kai_volume_sample(&SHAPE, batch->solids + i, data_of(batch, i), batch->q + 3 * N * i, at, out);
}

#endif

static void mass(const kai_element_batch* batch, size_t i, double* out)
{
    kai_volume_mass(&SHAPE, data_of(batch, i), out);
}

#define KAI_VOLUME_KIND(name_, doc_)                                                            \
    {                                                                                           \
        .kind = KAI_KIND((name_), instance_type, PARAMS, .doc = doc_), .nodes = N, .slopes = 0, \
        .solids = 1, .data_size = COUNT * sizeof(double), .prepare = prepare, .mass = mass,     \
        .force = force, .energy = energy, .sample = sample, .faces = FACES,                     \
        .face_count = KAI_COUNT(FACES)                                                          \
    }

#endif
