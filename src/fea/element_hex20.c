// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// A hexahedron of twenty nodes: corners as hex8, then the midpoints of the edges 01 12 23 30, 45 56
// 67 74, 04 15 26 37 (VTK; Gmsh orders them otherwise).
//
// Quadrature of Irons (IJNME 3, 1971), 14 points, exact to order 5. The usual 2 × 2 × 2 rule is
// cheaper and a little softer, but leaves six motions without any force (48 strains for 54
// motions): an element alone, or hung by its corner, would shake them for ever.
#include "fea/corotational.h"
#include "fea/total.h"

enum { N = 20, POINTS = 14, COUNT = KAI_VOLUME_COUNT(N, POINTS, 0) };

typedef kai_element_hex20_params instance_type;

static const kai_param PARAMS[] = {
    KAI_VOLUME_PARAMS(instance_type, N),
};

static const double POINTS_14[POINTS][4] = {
    {-0.79582242575422146, 0, 0, 0.88642659279778391},
    {0.79582242575422146, 0, 0, 0.88642659279778391},
    {0, -0.79582242575422146, 0, 0.88642659279778391},
    {0, 0.79582242575422146, 0, 0.88642659279778391},
    {0, 0, -0.79582242575422146, 0.88642659279778391},
    {0, 0, 0.79582242575422146, 0.88642659279778391},
    {-0.75878691063932813, -0.75878691063932813, -0.75878691063932813, 0.33518005540166207},
    {0.75878691063932813, -0.75878691063932813, -0.75878691063932813, 0.33518005540166207},
    {-0.75878691063932813, 0.75878691063932813, -0.75878691063932813, 0.33518005540166207},
    {0.75878691063932813, 0.75878691063932813, -0.75878691063932813, 0.33518005540166207},
    {-0.75878691063932813, -0.75878691063932813, 0.75878691063932813, 0.33518005540166207},
    {0.75878691063932813, -0.75878691063932813, 0.75878691063932813, 0.33518005540166207},
    {-0.75878691063932813, 0.75878691063932813, 0.75878691063932813, 0.33518005540166207},
    {0.75878691063932813, 0.75878691063932813, 0.75878691063932813, 0.33518005540166207}};

static const double CORNERS[8][3] = {{-1, -1, -1}, {1, -1, -1}, {1, 1, -1}, {-1, 1, -1},
                                     {-1, -1, 1},  {1, -1, 1},  {1, 1, 1},  {-1, 1, 1}};

// Midpoints: the coordinate along the edge is 0.
static const double MIDDLES[12][3] = {{0, -1, -1}, {1, 0, -1}, {0, 1, -1}, {-1, 0, -1},
                                      {0, -1, 1},  {1, 0, 1},  {0, 1, 1},  {-1, 0, 1},
                                      {-1, -1, 0}, {1, -1, 0}, {1, 1, 0},  {-1, 1, 0}};

// Serendipity functions: corners (1+xx')(1+yy')(1+zz')(xx'+yy'+zz'-2)/8, middles
// (1-x²)(1+yy')(1+zz')/4.
static void evaluate(const double at[3], double* n, double* slopes)
{
    for (int a = 0; a < 8; a++) {
        const double* c = CORNERS[a];
        const double x = 1.0 + c[0] * at[0], y = 1.0 + c[1] * at[1], z = 1.0 + c[2] * at[2];
        const double s = x + y + z - 5.0;
        n[a] = 0.125 * x * y * z * s;
        slopes[a] = 0.125 * c[0] * y * z * (s + x);
        slopes[N + a] = 0.125 * c[1] * x * z * (s + y);
        slopes[2 * N + a] = 0.125 * c[2] * x * y * (s + z);
    }
    for (int e = 0; e < 12; e++) {
        const double* c = MIDDLES[e];
        double f[3], d[3];
        for (int i = 0; i < 3; i++) {
            f[i] = c[i] == 0.0 ? 1.0 - at[i] * at[i] : 1.0 + c[i] * at[i];
            d[i] = c[i] == 0.0 ? -2.0 * at[i] : c[i];
        }
        n[8 + e] = 0.25 * f[0] * f[1] * f[2];
        slopes[8 + e] = 0.25 * d[0] * f[1] * f[2];
        slopes[N + 8 + e] = 0.25 * f[0] * d[1] * f[2];
        slopes[2 * N + 8 + e] = 0.25 * f[0] * f[1] * d[2];
    }
}

static const kai_volume_shape SHAPE = {.nodes = N,
                                       .point_count = POINTS,
                                       .points = POINTS_14,
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

static const kai_element_face FACES[] = {{4, {0, 3, 2, 1}}, {4, {4, 5, 6, 7}}, {4, {0, 1, 5, 4}},
                                         {4, {1, 2, 6, 5}}, {4, {2, 3, 7, 6}}, {4, {3, 0, 4, 7}}};

const kai_element_kind kai_element_hex20 = {
    .kind = {.name = "hex20",
             .doc =
                 "A hexahedron of twenty nodes: quadratic displacements, edges that may be curved.",
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
