// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// A tetrahedron of ten nodes. Four corners, then the midpoints of the edges 01 12 20 03 13 23 (the
// order of VTK; Gmsh writes the last two the other way round).
//
// Four points of quadrature, exact to second order: that of the stiffness of straight edges. It has
// the full rank of 24.
//
// Four points ask for as many changes of volume: at ν = 0.4999 a thick cylinder grows by 0.987 of
// what it should, and Cook's membrane wants a fine mesh. `"enhanced": true` has one change of
// volume for all of it (projected.h): 0.9986. It is for solids that hardly change their volume;
// others bend too easily with it.
#include "fea/elements/volume.h"

enum { N = 10, POINTS = 4, PROJECTED = 1, COUNT = KAI_VOLUME_COUNT(N, POINTS, 0) };

typedef kai_element_tet10_params instance_type;

static const kai_param PARAMS[] = {
    KAI_VOLUME_PARAMS(instance_type, N),
    KAI_VOLUME_ENHANCED_PARAM(
        instance_type, 0,
        "One mean volume strain for the whole element, against volumetric locking of nearly incompressible materials."),
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
                                       .projected = PROJECTED};

static const kai_element_face FACES[] = {
    {3, {0, 2, 1}}, {3, {0, 1, 3}}, {3, {1, 2, 3}}, {3, {2, 0, 3}}};

#include "fea/elements/volume_kind.h"

const kai_element_kind kai_element_tet10 = KAI_VOLUME_KIND(
    "tet10", "A tetrahedron of ten nodes: quadratic displacements, edges that may be curved.");
