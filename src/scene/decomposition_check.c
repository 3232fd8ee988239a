// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "scene/decomposition_check.h"

#include "geometry/hull.h"

#include <math.h>
#include <stdlib.h>

static const double NOISE = 1e-5;        // of the longest side: hulls merge faces, cuts round
static const double VOLUME_NOISE = 1e-6; // of the volume
static const double VOLUME_LOST = 1e-4;  // of the volume, over all merged faces

typedef struct trial {
    const kai_mesh* mesh;
    kai_hull* hulls; // [count]
    uint32_t count;
    double tolerance; // m
    double concavity; // m, tolerance included
} trial;

// Whether a ray from the point leaves the solid. One that grazes an edge may err, so three are
// tried.
static bool is_inside(const kai_mesh* mesh, kai_vec3 x)
{
    static const double RAYS[3][3] = {
        {0.573, 0.311, 0.758}, {-0.419, 0.827, 0.375}, {0.236, -0.684, -0.690}};
    for (int i = 0; i < 3; i++) {
        const kai_vec3 d = kai_vec3_make(RAYS[i][0], RAYS[i][1], RAYS[i][2]);
        const kai_mesh_hit hit = kai_mesh_ray(mesh, x, d, HUGE_VAL);
        kai_vec3 c[3];
        if (hit.triangle == KAI_MESH_NONE) continue;
        kai_mesh_corners(mesh, hit.triangle, c);
        const kai_vec3 out = kai_triangle_area(c);
        if (kai_vec3_dot(out, d) > 0.0) return true;
    }
    return false;
}

static bool is_near(const kai_mesh* mesh, kai_vec3 x, double limit)
{
    return kai_mesh_nearest(mesh, x, limit, NULL) < limit || is_inside(mesh, x);
}

// In a part, and not too deep in the one that it is least deep in.
static bool is_covered(const trial* t, kai_vec3 x)
{
    double depth = HUGE_VAL;
    for (uint32_t i = 0; i < t->count; i++) {
        const kai_hull* h = &t->hulls[i];
        const double e = t->tolerance;
        if (x.x < h->low.x - e || x.y < h->low.y - e || x.z < h->low.z - e || x.x > h->high.x + e ||
            x.y > h->high.y + e || x.z > h->high.z + e)
            continue;
        const double height = kai_hull_height(h, x);
        if (height <= e) depth = fmin(depth, -height);
    }
    return depth <= t->concavity;
}

static bool check_parts(const trial* t)
{
    for (uint32_t i = 0; i < t->count; i++) {
        const kai_hull* h = &t->hulls[i];
        for (uint32_t k = 0; k < h->vertex_count; k++)
            if (!is_near(t->mesh, h->vertices[k], t->tolerance)) return false;
        for (uint32_t f = 0; f < h->face_count; f++) {
            kai_vec3 middle = {0};
            const uint32_t first = h->face_first[f], end = h->face_first[f + 1];
            for (uint32_t k = first; k < end; k++)
                middle = kai_vec3_add(middle, h->vertices[h->face_vertices[k]]);
            if (!is_near(t->mesh, kai_vec3_scale(middle, 1.0 / (end - first)), t->concavity))
                return false;
        }
    }
    return true;
}

static bool check_mesh(const trial* t)
{
    const kai_mesh* mesh = t->mesh;
    for (uint32_t i = 0; i < mesh->vertex_count; i++)
        if (!is_covered(t, mesh->vertices[i])) return false;
    for (uint32_t i = 0; i < mesh->triangle_count; i++) {
        kai_vec3 c[3];
        kai_mesh_corners(mesh, i, c);
        const kai_vec3 sum = kai_vec3_add(kai_vec3_add(c[0], c[1]), c[2]);
        if (!is_covered(t, kai_vec3_scale(sum, 1.0 / 3.0))) return false;
    }
    return true;
}

static bool check_volume(const trial* t, double claimed)
{
    double volume = 0.0;
    for (uint32_t i = 0; i < t->count; i++) volume += kai_hull_mass(&t->hulls[i]).mass;
    const double error = volume / t->mesh->report.volume - 1.0;
    return error >= -VOLUME_LOST && fabs(error - claimed) <= VOLUME_NOISE;
}

// The hulls of the parts, whose rows follow each other.
static bool build_hulls(trial* t, const kai_decomposition* parts, kai_memory* memory)
{
    const double* row = parts->parts.data;
    const double* end = row + 4 * (size_t)parts->parts.rows;
    kai_vec3* points = malloc((parts->parts.rows + 1) * sizeof *points);
    bool ok = points != NULL;
    while (ok && row < end) {
        size_t n = 0;
        const double part = row[0];
        for (; row < end && row[0] == part; row += 4)
            points[n++] = kai_vec3_make(row[1], row[2], row[3]);
        ok = kai_hull_build(&t->hulls[t->count], memory, points, n, NULL) == KAI_OK;
        t->count += ok;
    }
    free(points);
    return ok;
}

bool kai_decomposition_check(const kai_mesh* mesh, const kai_decomposition* parts,
                             kai_memory* memory)
{
    const double size = kai_vec3_max_abs(kai_vec3_sub(mesh->high, mesh->low));
    trial t = {.mesh = mesh, .tolerance = NOISE * size};
    t.concavity = parts->concavity * size + t.tolerance;
    if (!(parts->concavity >= 0.0 && parts->concavity <= 1.0)) return false;
    if (kai_mesh_check_solid(mesh, NULL) != KAI_OK) return false;
    t.hulls = calloc(parts->count + 1, sizeof *t.hulls);
    const bool ok = t.hulls && build_hulls(&t, parts, memory) &&
                    check_volume(&t, parts->volume_error) && check_parts(&t) && check_mesh(&t);
    for (uint32_t i = 0; i < t.count; i++) kai_hull_free(&t.hulls[i], memory);
    free(t.hulls);
    return ok;
}
