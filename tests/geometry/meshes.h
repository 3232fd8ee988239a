// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Meshes for tests: points and triangles that are made here, not read.
#ifndef TESTS_GEOMETRY_MESHES_H
#define TESTS_GEOMETRY_MESHES_H

#include "geometry/mesh.h"
#include "helper.h"

typedef struct soup {
    kai_vec3* points;
    uint32_t (*triangles)[3];
    size_t point_count, triangle_count;
} soup;

HELPER soup soup_make(size_t points, size_t triangles)
{
    soup s = {calloc(points, sizeof(kai_vec3)), calloc(triangles, 3 * sizeof(uint32_t)), 0, 0};
    assert_true(s.points && s.triangles);
    return s;
}

HELPER void soup_free(soup* s)
{
    free(s->points);
    free(s->triangles);
}

HELPER uint32_t soup_point(soup* s, double x, double y, double z)
{
    s->points[s->point_count] = kai_vec3_make(x, y, z);
    return (uint32_t)s->point_count++;
}

HELPER void soup_triangle(soup* s, uint32_t a, uint32_t b, uint32_t c)
{
    s->triangles[s->triangle_count][0] = a;
    s->triangles[s->triangle_count][1] = b;
    s->triangles[s->triangle_count++][2] = c;
}

HELPER void soup_quad(soup* s, uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    soup_triangle(s, a, b, c);
    soup_triangle(s, a, c, d);
}

// A box from low to high: 8 points, 12 triangles.
HELPER void soup_box(soup* s, kai_vec3 low, kai_vec3 high)
{
    uint32_t p[8];
    for (int i = 0; i < 8; i++)
        p[i] =
            soup_point(s, i & 1 ? high.x : low.x, i & 2 ? high.y : low.y, i & 4 ? high.z : low.z);
    soup_quad(s, p[0], p[2], p[3], p[1]);
    soup_quad(s, p[4], p[5], p[7], p[6]);
    soup_quad(s, p[0], p[1], p[5], p[4]);
    soup_quad(s, p[2], p[6], p[7], p[3]);
    soup_quad(s, p[0], p[4], p[6], p[2]);
    soup_quad(s, p[1], p[3], p[7], p[5]);
}

// A torus around z: n rings of n / 2 points.
HELPER soup soup_torus(double big, double small, uint32_t n)
{
    const uint32_t m = n / 2;
    soup s = soup_make((size_t)n * m, 2 * (size_t)n * m);
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < m; j++) {
            const double a = 2.0 * KAI_PI * i / n, b = 2.0 * KAI_PI * j / m;
            const double r = big + small * cos(b);
            soup_point(&s, r * cos(a), r * sin(a), small * sin(b));
        }
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < m; j++) {
            const uint32_t i1 = (i + 1) % n, j1 = (j + 1) % m;
            soup_quad(&s, i * m + j, i1 * m + j, i1 * m + j1, i * m + j1);
        }
    return s;
}

// A sphere around the origin: rings of latitude, points on it.
HELPER soup soup_sphere(double radius, uint32_t n)
{
    const uint32_t rings = n / 2 - 1;
    soup s = soup_make((size_t)rings * n + 2, 2 * (size_t)rings * n);
    for (uint32_t i = 0; i < rings; i++)
        for (uint32_t j = 0; j < n; j++) {
            const double a = KAI_PI * (i + 1) / (rings + 1), b = 2.0 * KAI_PI * j / n;
            soup_point(&s, radius * sin(a) * cos(b), radius * sin(a) * sin(b), radius * cos(a));
        }
    const uint32_t top = soup_point(&s, 0.0, 0.0, radius),
                   bottom = soup_point(&s, 0.0, 0.0, -radius);
    for (uint32_t j = 0; j < n; j++) {
        const uint32_t k = (j + 1) % n;
        soup_triangle(&s, top, j, k);
        soup_triangle(&s, bottom, (rings - 1) * n + k, (rings - 1) * n + j);
        for (uint32_t i = 0; i + 1 < rings; i++)
            soup_quad(&s, i * n + j, (i + 1) * n + j, (i + 1) * n + k, i * n + k);
    }
    return s;
}

// A cup that stands on z = 0, of n sides: outer radius and height, thickness of wall and bottom.
HELPER soup soup_cup(double radius, double height, double thick, uint32_t n)
{
    soup s = soup_make(4 * (size_t)n + 2, 8 * (size_t)n);
    const double r[4] = {radius, radius, radius - thick, radius - thick};
    const double z[4] = {0.0, height, height, thick};
    for (uint32_t i = 0; i < n; i++)
        for (int k = 0; k < 4; k++) {
            const double a = 2.0 * KAI_PI * i / n;
            soup_point(&s, r[k] * cos(a), r[k] * sin(a), z[k]);
        }
    const uint32_t under = soup_point(&s, 0.0, 0.0, 0.0), over = soup_point(&s, 0.0, 0.0, thick);
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t a = 4 * i, b = 4 * ((i + 1) % n);
        soup_triangle(&s, under, b, a);
        for (uint32_t k = 0; k < 3; k++) soup_quad(&s, a + k, b + k, b + k + 1, a + k + 1);
        soup_triangle(&s, over, a + 3, b + 3);
    }
    return s;
}

// Tilted triangles at random: a soup without any order.
HELPER soup soup_random(uint32_t n, double size)
{
    soup s = soup_make(3 * (size_t)n, n);
    for (uint32_t i = 0; i < n; i++) {
        const kai_vec3 middle = helper_random_vec3(4 * i);
        for (uint32_t k = 0; k < 3; k++) {
            const kai_vec3 x = kai_vec3_mul_add(middle, helper_random_vec3(4 * i + 1 + k), size);
            soup_point(&s, x.x, x.y, x.z);
        }
        soup_triangle(&s, 3 * i, 3 * i + 1, 3 * i + 2);
    }
    return s;
}

HELPER kai_mesh soup_build(const soup* s, kai_memory* memory)
{
    kai_mesh mesh;
    kai_error err = {0};
    if (kai_mesh_build(&mesh, memory, s->points, s->point_count, (const uint32_t(*)[3])s->triangles,
                       s->triangle_count, 0.0, &err) != KAI_OK)
        fail_msg("%s", err.message);
    return mesh;
}

#endif
