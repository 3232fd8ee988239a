// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// A hexahedron of twenty nodes: corners as hex8, then the midpoints of the edges 01 12 23 30, 45 56
// 67 74, 04 15 26 37 (VTK; Gmsh orders them otherwise).
//
// Quadrature of Irons (IJNME 3, 1971), 14 points, exact to order 5. The usual 2 × 2 × 2 rule is
// cheaper and a little softer, but leaves six motions without any force (48 strains for 54
// motions): an element alone, or hung by its corner, would shake them for ever.
//
// With 14 points it locks where the volume hardly changes: 0.88 of what a thick cylinder should
// grow by at ν = 0.4999. Its change of volume is projected onto 1, ξ, η, ζ (projected.h), which
// keeps the order of the element and takes that away; `"enhanced": false` leaves it out.
#include "fea/elements/volume.h"

enum { N = 20, POINTS = 14, PROJECTED = 4, COUNT = KAI_VOLUME_COUNT(N, POINTS, 0) };

typedef kai_element_hex20_params instance_type;

static const kai_param PARAMS[] = {
    KAI_VOLUME_PARAMS(instance_type, N),
    KAI_VOLUME_ENHANCED_PARAM(
        instance_type, 1,
        "Volume strain projected onto linear functions, against volumetric locking of nearly incompressible materials."),
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
                                       .projected = PROJECTED};

static const kai_element_face FACES[] = {{4, {0, 3, 2, 1}}, {4, {4, 5, 6, 7}}, {4, {0, 1, 5, 4}},
                                         {4, {1, 2, 6, 5}}, {4, {2, 3, 7, 6}}, {4, {3, 0, 4, 7}}};

#include "fea/elements/volume_kind.h"

const kai_element_kind kai_element_hex20 = KAI_VOLUME_KIND(
    "hex20", "A hexahedron of twenty nodes: quadratic displacements, edges that may be curved.");
