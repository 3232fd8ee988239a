// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// A line of cables or beams along points. Between them runs the cubic of Catmull and Rom with
// tangents by chord length: a straight line for two points, smooth through more.
#include "base/error.h"
#include "fea/structures/structure_mesh.h"
#include "model/structures/structure_params.h"

#include <stdio.h>

typedef kai_structure_cable_params cable;

static const kai_param PARAMS[] = {
    KAI_STRUCTURE_PARAMS(cable),
    KAI_PARAM(TABLE, cable, points, .unit = "m", .columns = 3, .rows_min = 2, .rows_max = 100000,
              .required = true, .doc = "Points that the line goes through, two or more."),
    KAI_PARAM(INT, cable, cells, .initial = {8.0}, .range = KAI_BETWEEN(1.0, 10000000.0),
              .doc = "Number of elements, of about equal length."),
    KAI_PARAM(
        VEC3, cable, y_axis, .initial = {(double)NAN, (double)NAN, (double)NAN},
        .doc =
            "y axis of the nodes; its part along the line is removed. When absent, an axis perpendicular to the line that twists as little as possible."),
};

static kai_vec3 point_at(const cable* p, size_t i)
{
    const double* r = p->points.data + 3 * i;
    return kai_vec3_make(r[0], r[1], r[2]);
}

/// Tangent at a point by length: that of the parabola through it and its neighbours.
static kai_vec3 tangent_at(const cable* p, size_t i)
{
    const size_t last = p->points.rows - 1;
    const kai_vec3 here = point_at(p, i);
    const kai_vec3 before = kai_vec3_sub(here, point_at(p, i > 0 ? i - 1 : i));
    const kai_vec3 after = kai_vec3_sub(point_at(p, i < last ? i + 1 : i), here);
    const double b = kai_vec3_norm(before), a = kai_vec3_norm(after);
    if (i == 0) return kai_vec3_scale(after, 1.0 / a);
    if (i == last) return kai_vec3_scale(before, 1.0 / b);
    const kai_vec3 middle =
        kai_vec3_add(kai_vec3_scale(before, a / b), kai_vec3_scale(after, b / a));
    return kai_vec3_scale(middle, 1.0 / (a + b));
}

/// Point and direction at s in 0…1 of the piece from point i to point i + 1.
static kai_vec3 curve(const cable* p, size_t i, double s, kai_vec3* direction)
{
    const kai_vec3 a = point_at(p, i), b = point_at(p, i + 1);
    const double l = kai_vec3_distance(a, b);
    kai_vec3 u = tangent_at(p, i), v = tangent_at(p, i + 1);
    // The line goes on at its ends as it comes: the first and last piece are parabolas.
    const kai_vec3 chord = kai_vec3_scale(kai_vec3_sub(b, a), 1.0 / l);
    if (i == 0) u = kai_vec3_sub(kai_vec3_scale(chord, 2.0), v);
    if (i + 2 == p->points.rows && i > 0) v = kai_vec3_sub(kai_vec3_scale(chord, 2.0), u);
    const double h01 = s * s * (3.0 - 2.0 * s), h10 = l * s * (1.0 - s) * (1.0 - s),
                 h11 = l * s * s * (s - 1.0);
    const double d01 = 6.0 * s * (1.0 - s), d10 = l * (1.0 - 4.0 * s + 3.0 * s * s),
                 d11 = l * (3.0 * s * s - 2.0 * s);
    kai_vec3 t = kai_vec3_scale(kai_vec3_sub(b, a), d01);
    t = kai_vec3_mul_add(kai_vec3_mul_add(t, u, d10), v, d11);
    *direction = kai_vec3_normalize(t);
    const kai_vec3 r = kai_vec3_mul_add(a, kai_vec3_sub(b, a), h01);
    return kai_vec3_mul_add(kai_vec3_mul_add(r, u, h10), v, h11);
}

enum { PARTS = 64 }; // of each piece, to measure its length

/// How far somebody is who walks along the line.
typedef struct walker {
    const cable* cable;
    size_t piece;
    int part;     // of the piece
    double sum;   // length so far
    kai_vec3 was; // where that is
} walker;

static walker walk_from_start(const cable* p)
{
    kai_vec3 direction;
    return (walker){.cable = p, .was = curve(p, 0, 0.0, &direction)};
}

/// Walks on until a given length, no less than before, is reached; returns it, or the length of the
/// line.
static double walk(walker* w, double until, kai_vec3* at, kai_vec3* direction)
{
    const cable* p = w->cable;
    for (; w->piece + 1 < p->points.rows; w->piece++, w->part = 0) {
        for (; w->part < PARTS; w->part++) {
            kai_vec3 t;
            const kai_vec3 now = curve(p, w->piece, (double)(w->part + 1) / PARTS, &t);
            const double step = kai_vec3_distance(w->was, now);
            if (w->sum + step >= until) {
                const double s = (w->part + (step > 0.0 ? (until - w->sum) / step : 0.0)) / PARTS;
                *at = curve(p, w->piece, s, direction);
                return until;
            }
            w->sum += step;
            w->was = now;
        }
    }
    *at = curve(p, p->points.rows - 2, 1.0, direction);
    return w->sum;
}

static kai_result add_node(walker* w, double at, kai_structure_node* node, kai_structure_mesh* mesh,
                           kai_error* err)
{
    const cable* p = w->cable;
    const kai_vec3 y = isnan(p->y_axis.x) ? node->axes[1] : p->y_axis;
    walk(w, at, &node->position, &node->axes[0]);
    const kai_vec3 z = kai_vec3_cross(node->axes[0], y);
    if (!(kai_vec3_norm(z) > 1e-3 * kai_vec3_norm(y)))
        return kai_error_set(err, KAI_ERROR_ARGUMENT,
                             "y_axis is [%g, %g, %g]; must not point along the line", y.x, y.y,
                             y.z);
    node->axes[2] = kai_vec3_normalize(z);
    node->axes[1] = kai_vec3_cross(node->axes[2], node->axes[0]);
    return kai_structure_mesh_node(mesh, node, NULL);
}

static kai_result build(const void* instance, const kai_element_kind* element,
                        kai_structure_mesh* mesh, kai_error* err)
{
    (void)element;
    const cable* p = instance;
    for (size_t i = 0; i + 1 < p->points.rows; i++)
        if (!(kai_vec3_distance(point_at(p, i), point_at(p, i + 1)) > 0.0))
            return kai_error_set(err, KAI_ERROR_ARGUMENT,
                                 "points %zu and %zu are the same; must be apart", i, i + 1);
    char shape[64];
    snprintf(shape, sizeof shape, "%lld cells", (long long)p->cells);
    KAI_TRY(kai_structure_mesh_room(mesh, (double)p->cells, (double)p->cells, shape));
    kai_structure_node node;
    walker whole = walk_from_start(p), w = whole;
    const double length = walk(&whole, HUGE_VAL, &node.position, &node.axes[0]);
    walk(&w, 0.0, &node.position, &node.axes[0]);
    node.axes[1] = kai_vec3_perpendicular(node.axes[0]);
    const uint32_t cells = (uint32_t)p->cells;
    for (uint32_t i = 0; i <= cells; i++) {
        KAI_TRY(add_node(&w, i == cells ? HUGE_VAL : length * i / cells, &node, mesh, err));
        if (i > 0) KAI_TRY(kai_structure_mesh_cell(mesh, (const uint32_t[]){i - 1, i}));
    }
    KAI_TRY(kai_structure_mesh_set(mesh, "x0", 0));
    return kai_structure_mesh_set(mesh, "x1", cells);
}

const kai_structure_kind kai_structure_cable = {
    .kind = KAI_KIND(
        "cable", cable, PARAMS,
        .doc = "A line of cables, beams or bars through points. Sets: `x0` and `x1`, its ends."),
    .cells = 1u << KAI_STRUCTURE_LINE,
    .build = build};
