// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Pressure on a face that goes with it: f_a = -p ∫ N_a r_ξ × r_η dξ dη over triangles and
// quadrangles, r bilinear. One table for each sort of node that elements have. Quadrature of 2 × 2
// points is exact for quadrangles; triangles are flat, with a third of the force for each corner.
//
// The tangent's part without symmetry, which a surface with free edges has, is left out. No energy
// is stored: the work of a follower is that of a load.
#include "base/error.h"

#include <kairos/element_kinds.h>
#include <string.h>

/// An instance.
typedef struct pressure_load {
    kai_element_pressure_params given;
    double reference[28]; // frames without deformation
} pressure_load;

/// Shape functions and their derivatives at a point of quadrature.
typedef struct point {
    double weight, n[4], by_x[4], by_y[4];
} point;

static const double ROOT = 0.57735026918962576451; // 1/√3

static void quadrangle_point(int i, point* out)
{
    static const double X[4] = {-1, 1, 1, -1}, Y[4] = {-1, -1, 1, 1};
    const double x = ROOT * X[i], y = ROOT * Y[i];
    out->weight = 1.0;
    for (int a = 0; a < 4; a++) {
        out->n[a] = 0.25 * (1.0 + X[a] * x) * (1.0 + Y[a] * y);
        out->by_x[a] = 0.25 * X[a] * (1.0 + Y[a] * y);
        out->by_y[a] = 0.25 * Y[a] * (1.0 + X[a] * x);
    }
}

static void triangle_point(int i, point* out)
{
    (void)i;
    *out = (point){.weight = 0.5,
                   .n = {1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0},
                   .by_x = {-1.0, 1.0, 0.0},
                   .by_y = {-1.0, 0.0, 1.0}};
}

/// Sort of nodes that a table is for.
typedef struct layout {
    int corners;
    size_t each, rows; // numbers in q and unknowns of a node
} layout;

static void add_tangent(const layout* l, const point* p, kai_vec3 x, kai_vec3 y, double factor,
                        double* out)
{
    const size_t rows = l->rows * (size_t)l->corners;
    for (int b = 0; b < l->corners; b++) {
        // ∂(r_ξ × r_η)/∂r_b as a cross product with u
        const kai_vec3 u =
            kai_vec3_sub(kai_vec3_scale(x, p->by_y[b]), kai_vec3_scale(y, p->by_x[b]));
        const kai_mat33 cross = kai_mat33_skew(u);
        for (int a = 0; a < l->corners; a++) {
            for (size_t i = 0; i < 3; i++) {
                for (size_t k = 0; k < 3; k++) {
                    const size_t row = (size_t)a * l->rows + i, column = (size_t)b * l->rows + k;
                    const double t = 0.5 * factor * p->n[a] * cross.m[i][k];
                    out[row * rows + column] += t;
                    out[column * rows + row] += t;
                }
            }
        }
    }
}

static void face(const layout* l, const double* q, double pressure, double position, double* force,
                 double* tangent)
{
    const int points = l->corners == 4 ? 4 : 1;
    for (int i = 0; i < points; i++) {
        point p;
        if (l->corners == 4)
            quadrangle_point(i, &p);
        else
            triangle_point(i, &p);
        kai_vec3 x = kai_vec3_zero(), y = kai_vec3_zero();
        for (int a = 0; a < l->corners; a++) {
            const double* r = q + (size_t)a * l->each;
            const kai_vec3 at = kai_vec3_make(r[0], r[1], r[2]);
            x = kai_vec3_mul_add(x, at, p.by_x[a]);
            y = kai_vec3_mul_add(y, at, p.by_y[a]);
        }
        const kai_vec3 push = kai_vec3_scale(kai_vec3_cross(x, y), -pressure * p.weight);
        for (int a = 0; a < l->corners; a++) {
            double* f = force + (size_t)a * l->rows;
            f[0] += p.n[a] * push.x;
            f[1] += p.n[a] * push.y;
            f[2] += p.n[a] * push.z;
        }
        if (tangent) add_tangent(l, &p, x, y, position * pressure * p.weight, tangent);
    }
}

static void force(const kai_element_batch* batch, const layout* l)
{
    const size_t rows = l->rows * (size_t)l->corners, each = l->each * (size_t)l->corners;
    const pressure_load* p = batch->instances;
    memset(batch->force, 0, batch->count * rows * sizeof(double));
    if (batch->tangent) memset(batch->tangent, 0, batch->count * rows * rows * sizeof(double));
    for (size_t i = 0; i < batch->count; i++) {
        const double pressure =
            kai_function_set_value(batch->functions, &p[i].given.pressure, batch->time).y;
        face(l, batch->q + i * each, pressure, batch->position, batch->force + i * rows,
             batch->tangent ? batch->tangent + i * rows * rows : NULL);
    }
}

static const kai_element_face TRIANGLE[] = {{3, {0, 1, 2}}}, QUADRANGLE[] = {{4, {0, 1, 2, 3}}};

// Bodies stand where nodes do: ids have one layout.
#define PARAMS(corners_, type_)                                                                           \
    {                                                                                                     \
        KAI_PARAM(                                                                                        \
            type_, kai_element_pressure_params, nodes, .columns = corners_, .required = true,             \
            .doc =                                                                                        \
                "Corners of the face, counter-clockwise seen from the side on which the pressure acts."), \
            KAI_PARAM(VALUE, kai_element_pressure_params, pressure, .unit = "Pa",                         \
                      .required = true, .doc = "Pressure; negative: suction."),                           \
            KAI_PARAM(REAL, pressure_load, reference, .columns = 28, .hidden = true)                      \
    }

static const kai_param TRIANGLE_PARAMS[] = PARAMS(3, NODE), QUADRANGLE_PARAMS[] = PARAMS(4, NODE),
                       TRIANGLE_FRAME_PARAMS[] = PARAMS(3, BODY),
                       QUADRANGLE_FRAME_PARAMS[] = PARAMS(4, BODY);

// A table for a number of corners and a sort of nodes.
#define PRESSURE(name_, word_, corners_, slopes_, each_, rows_, params_, face_)              \
    static void name_##_force(const kai_element_batch* batch)                                \
    {                                                                                        \
        static const layout l = {corners_, each_, rows_};                                    \
        force(batch, &l);                                                                    \
    }                                                                                        \
    const kai_element_kind kai_element_pressure_##name_ = {                                  \
        .kind = KAI_KIND(                                                                    \
            "pressure-" word_, pressure_load, params_,                                       \
            .given = sizeof(kai_element_pressure_params),                                    \
            .doc = "Pressure on a face that follows the face as it moves (follower load)."), \
        .nodes = corners_,                                                                   \
        .slopes = slopes_,                                                                   \
        .reference = offsetof(pressure_load, reference),                                     \
        .force = name_##_force,                                                              \
        .external = true,                                                                    \
        .faces = face_,                                                                      \
        .face_count = 1};

PRESSURE(triangle_0, "triangle-0", 3, 0, 3, 3, TRIANGLE_PARAMS, TRIANGLE)
PRESSURE(triangle_1, "triangle-1", 3, 1, 6, 6, TRIANGLE_PARAMS, TRIANGLE)
PRESSURE(triangle_2, "triangle-2", 3, 2, 9, 9, TRIANGLE_PARAMS, TRIANGLE)
PRESSURE(triangle_frames, "triangle-frames", 3, KAI_ELEMENT_FRAMES, 7, 6, TRIANGLE_FRAME_PARAMS,
         TRIANGLE)
PRESSURE(quadrangle_0, "quadrangle-0", 4, 0, 3, 3, QUADRANGLE_PARAMS, QUADRANGLE)
PRESSURE(quadrangle_1, "quadrangle-1", 4, 1, 6, 6, QUADRANGLE_PARAMS, QUADRANGLE)
PRESSURE(quadrangle_2, "quadrangle-2", 4, 2, 9, 9, QUADRANGLE_PARAMS, QUADRANGLE)
PRESSURE(quadrangle_frames, "quadrangle-frames", 4, KAI_ELEMENT_FRAMES, 7, 6,
         QUADRANGLE_FRAME_PARAMS, QUADRANGLE)
