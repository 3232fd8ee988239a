// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// A hexahedron of eight nodes: 0 1 2 3 round the bottom, 4 5 6 7 above them (VTK, Gmsh). 2 × 2 × 2
// points of quadrature.
//
// The plain element is far too stiff in bending and where the volume hardly changes. Nine enhanced
// modes (enhanced.h) take that away; `"enhanced": false` leaves them out, for comparison. In the
// corotational formulation they are condensed once and cost nothing afterwards.
#include "fea/corotational.h"
#include "fea/total.h"

enum { N = 8, POINTS = 8, COUNT = KAI_VOLUME_COUNT(N, POINTS, 1) };

typedef kai_element_hex8_params instance_type;

static const kai_param PARAMS[] = {
    KAI_VOLUME_PARAMS(instance_type, N),
    {.name = "enhanced",
     .type = KAI_PARAM_BOOL,
     .offset = offsetof(instance_type, enhanced),
     .initial = {1},
     .doc = "With inner strain modes against locking."},
};

static const double CORNERS[8][3] = {{-1, -1, -1}, {1, -1, -1}, {1, 1, -1}, {-1, 1, -1},
                                     {-1, -1, 1},  {1, -1, 1},  {1, 1, 1},  {-1, 1, 1}};

static void evaluate(const double at[3], double* n, double* slopes)
{
    for (int a = 0; a < N; a++) {
        const double* c = CORNERS[a];
        const double x = 1.0 + c[0] * at[0], y = 1.0 + c[1] * at[1], z = 1.0 + c[2] * at[2];
        n[a] = 0.125 * x * y * z;
        slopes[a] = 0.125 * c[0] * y * z;
        slopes[N + a] = 0.125 * c[1] * x * z;
        slopes[2 * N + a] = 0.125 * c[2] * x * y;
    }
}

static const kai_volume_shape SHAPE = {.nodes = N,
                                       .point_count = POINTS,
                                       .points = kai_volume_gauss_8,
                                       .fine_count = 27,
                                       .fine = kai_volume_gauss_27,
                                       .evaluate = evaluate,
                                       .data_count = COUNT};

// Work -------------------------------------------------------------------------------------------

KAI_CLONES static void force(const kai_element_batch* batch)
{
    for (size_t i = 0; i < batch->count; i++) {
        const double* data = (const double*)batch->data + COUNT * i;
        const kai_volume_head* head = (const kai_volume_head*)(const void*)data;
        const kai_solid_view* solid = batch->solids + i;
        if (!head->total) {
            kai_corotational_element(data + KAI_VOLUME_X, data + KAI_VOLUME_MEAN(N),
                                     data + KAI_VOLUME_STIFFNESS(N), head->damping, batch, i, N);
            continue;
        }
        const double none[6] = {0.0};
        double d[36];
        if (solid->kind->linear) solid->kind->evaluate(solid->instance, none, NULL, NULL, d);
        kai_total_element(data, solid, solid->kind->linear ? d : NULL, batch, i, N, POINTS, true);
    }
}

static kai_result prepare(const kai_element_setup* setup, void* data, kai_error* err)
{
    const instance_type* p = setup->instance;
    return kai_volume_prepare(&SHAPE, setup, p->formulation, p->enhanced, force, data, err);
}

static void mass(const kai_element_batch* batch, size_t i, double* out)
{
    kai_volume_mass(&SHAPE, (const double*)batch->data + COUNT * i, out);
}

static double energy(const kai_element_batch* batch, size_t i)
{
    return kai_volume_energy(&SHAPE, batch->solids + i, (const double*)batch->data + COUNT * i,
                             batch->q + 3 * N * i);
}

static void sample(const kai_element_batch* batch, size_t i, const double at[3],
                   kai_element_sample* out)
{
    kai_volume_sample(&SHAPE, batch->solids + i, (const double*)batch->data + COUNT * i,
                      batch->q + 3 * N * i, at, out);
}

static const kai_element_face FACES[] = {{4, {0, 3, 2, 1}}, {4, {4, 5, 6, 7}}, {4, {0, 1, 5, 4}},
                                         {4, {1, 2, 6, 5}}, {4, {2, 3, 7, 6}}, {4, {3, 0, 4, 7}}};

const kai_element_kind kai_element_hex8 = {
    .kind = {.name = "hex8",
             .doc = "A hexahedron of eight nodes that bends without locking.",
             .size = sizeof(instance_type),
             .params = PARAMS,
             .param_count = KAI_COUNT(PARAMS)},
    .nodes = N,
    .slopes = 0,
    .solids = 1,
    .data_size = COUNT * sizeof(double),
    .prepare = prepare,
    .mass = mass,
    .force = force,
    .energy = energy,
    .sample = sample,
    .faces = FACES,
    .face_count = KAI_COUNT(FACES)};
