// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// A hexahedron of eight nodes: 0 1 2 3 round the bottom, 4 5 6 7 above them (VTK, Gmsh). 2 × 2 × 2
// points of quadrature.
//
// The plain element is far too stiff in bending and where the volume hardly changes. Nine enhanced
// modes (enhanced.h) take that away; `"enhanced": false` leaves them out, for comparison. In the
// corotational formulation they are condensed once and cost nothing afterwards.
#include "fea/elements/volume.h"

enum { N = 8, POINTS = 8, PROJECTED = 0, COUNT = KAI_VOLUME_COUNT(N, POINTS, 1) };

typedef kai_element_hex8_params instance_type;

static const kai_param PARAMS[] = {
    KAI_VOLUME_PARAMS(instance_type, N),
    KAI_VOLUME_ENHANCED_PARAM(instance_type, 1,
                              "Enhanced (incompatible) strain modes against locking."),
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
                                       .evaluate = evaluate};

static const kai_element_face FACES[] = {{4, {0, 3, 2, 1}}, {4, {4, 5, 6, 7}}, {4, {0, 1, 5, 4}},
                                         {4, {1, 2, 6, 5}}, {4, {2, 3, 7, 6}}, {4, {3, 0, 4, 7}}};

#include "fea/elements/volume_kind.h"

const kai_element_kind kai_element_hex8 =
    KAI_VOLUME_KIND("hex8", "A hexahedron of eight nodes that bends without locking.");
