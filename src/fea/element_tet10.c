// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// A tetrahedron of ten nodes. Four corners, then the midpoints of the edges 01 12 20 03 13 23 (the
// order of VTK; Gmsh writes the last two the other way round).
//
// Four points of quadrature, exact to second order: that of the stiffness of straight edges. It has
// the full rank of 24.
#include "fea/corotational.h"
#include "fea/total.h"

enum { N = 10, POINTS = 4, COUNT = KAI_VOLUME_COUNT(N, POINTS, 0) };

typedef kai_element_tet10_params instance_type;

static const kai_param PARAMS[] = {
    KAI_VOLUME_PARAMS(instance_type, N),
};

static const double POINTS_4[POINTS][4] = {
    {0.1381966011250105, 0.1381966011250105, 0.1381966011250105, 0.041666666666666664},
    {0.58541019662496852, 0.1381966011250105, 0.1381966011250105, 0.041666666666666664},
    {0.1381966011250105, 0.58541019662496852, 0.1381966011250105, 0.041666666666666664},
    {0.1381966011250105, 0.1381966011250105, 0.58541019662496852, 0.041666666666666664}};

// Barycentric: corners L (2 L - 1), edges 4 L L. Slopes by the first three; the fourth is what is
// left to 1 and belongs to corner 0.
static const int EDGES[6][2] = {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}};

static void evaluate(const double at[3], double* n, double* slopes)
{
    const double l[4] = {1.0 - at[0] - at[1] - at[2], at[0], at[1], at[2]};
    const double dl[4][3] = {{-1.0, -1.0, -1.0}, {1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    for (int a = 0; a < 4; a++) {
        n[a] = l[a] * (2.0 * l[a] - 1.0);
        for (int i = 0; i < 3; i++) slopes[i * N + a] = (4.0 * l[a] - 1.0) * dl[a][i];
    }
    for (int e = 0; e < 6; e++) {
        const int a = EDGES[e][0], b = EDGES[e][1];
        n[4 + e] = 4.0 * l[a] * l[b];
        for (int i = 0; i < 3; i++)
            slopes[i * N + 4 + e] = 4.0 * (dl[a][i] * l[b] + l[a] * dl[b][i]);
    }
}

static const kai_volume_shape SHAPE = {.nodes = N,
                                       .point_count = POINTS,
                                       .points = POINTS_4,
                                       .fine_count = 14,
                                       .fine = kai_volume_tet_14,
                                       .evaluate = evaluate,
                                       .place = kai_volume_place_tet,
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
        kai_total_element(data, solid, solid->kind->linear ? d : NULL, batch, i, N, POINTS, false);
    }
}

static kai_result prepare(const kai_element_setup* setup, void* data, kai_error* err)
{
    const instance_type* p = setup->instance;
    return kai_volume_prepare(&SHAPE, setup, p->formulation, false, force, data, err);
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

static const kai_element_face FACES[] = {
    {3, {0, 2, 1}}, {3, {0, 1, 3}}, {3, {1, 2, 3}}, {3, {2, 0, 3}}};

const kai_element_kind kai_element_tet10 = {
    .kind = {.name = "tet10",
             .doc =
                 "A tetrahedron of ten nodes: quadratic displacements, edges that may be curved.",
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
