// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Segments, triangles and boxes that overlap or touch: the least depth over the axes that can
// separate them. Exact; flat pairs (two triangles in one plane) included.
#include "proximity/narrow_pair.h"

#include <math.h>

/// Directions of the edges and normals of the faces of a small polytope.
typedef struct axes {
    int edges, normals;
    kai_vec3 edge[3], normal[7];
} axes;

static void list(const kai_geometry* g, axes* out)
{
    out->edges = 0;
    out->normals = 0;
    if (g->type == KAI_CONVEX_SEGMENT) {
        out->edge[out->edges++] = kai_vec3_axis(2);
        return;
    }
    if (g->type == KAI_CONVEX_BOX) {
        for (int i = 0; i < 3; i++) {
            out->edge[out->edges++] = kai_vec3_axis(i);
            out->normal[out->normals++] = kai_vec3_axis(i);
        }
        return;
    }
    const kai_vec3* v = g->triangle;
    const kai_vec3 n =
        kai_vec3_normalize(kai_vec3_cross(kai_vec3_sub(v[1], v[0]), kai_vec3_sub(v[2], v[0])));
    out->normal[out->normals++] = n;
    for (int k = 0; k < 3; k++) {
        const kai_vec3 e = kai_vec3_normalize(kai_vec3_sub(v[(k + 1) % 3], v[k]));
        out->edge[out->edges++] = e;
        // In its plane: for pairs in one plane, and a bound for all others.
        out->normal[out->normals++] = kai_vec3_cross(e, n);
    }
}

/// Tries a unit axis in both directions.
static void try_axis(const kai_narrow_pair* p, kai_vec3 n, double prefer, kai_narrow_witness* best)
{
    kai_narrow_hint hint = {0, 0};
    if (!(kai_vec3_norm2(n) > 0.5)) return;
    for (int k = 0; k < 2; k++) {
        const kai_vec3 d = kai_vec3_sub(kai_narrow_support_b(p, kai_vec3_neg(n), &hint),
                                        kai_narrow_support_a(p, n, &hint));
        const double gap = kai_vec3_dot(d, n);
        if (gap > best->gap + prefer) {
            best->gap = gap;
            best->normal = n;
        }
        n = kai_vec3_neg(n);
    }
}

void kai_narrow_sat(const kai_narrow_pair* p, kai_narrow_witness* out)
{
    axes a, b;
    const double prefer = 1e-12 * p->size;
    list(p->a, &a);
    list(p->b, &b);
    out->gap = -HUGE_VAL;
    out->normal = kai_vec3_axis(2);
    for (int j = 0; j < b.edges; j++) b.edge[j] = kai_mat33_mul_vec(p->r, b.edge[j]);
    for (int i = 0; i < a.normals; i++) try_axis(p, a.normal[i], prefer, out);
    for (int j = 0; j < b.normals; j++)
        try_axis(p, kai_mat33_mul_vec(p->r, b.normal[j]), prefer, out);
    for (int i = 0; i < a.edges; i++) {
        for (int j = 0; j < b.edges; j++) {
            const kai_vec3 n = kai_vec3_cross(a.edge[i], b.edge[j]);
            if (kai_vec3_norm2(n) > 1e-14) try_axis(p, kai_vec3_normalize(n), prefer, out);
        }
    }
    // Points and parallel lines: any direction across will do.
    if (out->gap == -HUGE_VAL) {
        const kai_vec3 along = a.edges ? a.edge[0] : b.edges ? b.edge[0] : kai_vec3_axis(2);
        const kai_vec3 n = kai_vec3_perpendicular(along);
        try_axis(p, n, 0.0, out);
        try_axis(p, kai_vec3_cross(n, along), 0.0, out);
    }
    out->pointless = true;
}
