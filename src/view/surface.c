// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Everything round is a body of revolution about z: a profile of radii and heights from the bottom
// to the top, turned in AROUND steps; an ellipsoid is a stretched ball.
#include "view/surface.h"

#include <math.h>
#include <string.h>

enum { AROUND = 24, ARC = 8 }; // steps around, and of a quarter circle

static uint32_t add_point(kai_surface* s, const kai_catalog_shape* shape, kai_vec3 p)
{
    const uint32_t index = (uint32_t)kai_surface_points(s);
    const kai_vec3 at = kai_frame_point_to_parent(shape->frame, p);
    kai_text_add_bytes(&s->points, &at, sizeof at);
    return index;
}

static void add_triangle(kai_surface* s, uint32_t a, uint32_t b, uint32_t c)
{
    const uint32_t corners[3] = {a, b, c};
    kai_text_add_bytes(&s->triangles, corners, sizeof corners);
}

// Corners in binary: bit 0 is x, 1 is y, 2 is z.
static void add_box(kai_surface* s, const kai_catalog_shape* shape)
{
    static const uint8_t faces[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                        {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
    uint32_t first = 0;
    for (unsigned i = 0; i < 8; i++) {
        const double* n = shape->numbers;
        const uint32_t k =
            add_point(s, shape,
                      kai_vec3_make((i & 1 ? 0.5 : -0.5) * n[0], (i & 2 ? 0.5 : -0.5) * n[1],
                                    (i & 4 ? 0.5 : -0.5) * n[2]));
        if (i == 0) first = k;
    }
    for (int f = 0; f < 6; f++) {
        const uint8_t* c = faces[f];
        add_triangle(s, first + c[0], first + c[1], first + c[2]);
        add_triangle(s, first + c[0], first + c[2], first + c[3]);
    }
}

// A profile of `count` rings, bottom to top, scaled in x and y; its ends are closed by points on
// the axis.
static void add_turned(kai_surface* s, const kai_catalog_shape* shape, const double (*profile)[2],
                       size_t count, double x_scale, double y_scale)
{
    const uint32_t bottom = add_point(s, shape, kai_vec3_make(0.0, 0.0, profile[0][1]));
    const uint32_t top = add_point(s, shape, kai_vec3_make(0.0, 0.0, profile[count - 1][1]));
    const uint32_t ring = top + 1;
    for (size_t k = 0; k < count; k++)
        for (int i = 0; i < AROUND; i++) {
            const double angle = 2.0 * KAI_PI * i / AROUND, r = profile[k][0];
            add_point(
                s, shape,
                kai_vec3_make(x_scale * r * cos(angle), y_scale * r * sin(angle), profile[k][1]));
        }
    for (uint32_t i = 0; i < AROUND; i++) {
        const uint32_t j = (i + 1) % AROUND;
        for (uint32_t k = 0; k + 1 < count; k++) {
            const uint32_t a = ring + k * AROUND, b = a + AROUND;
            add_triangle(s, a + i, a + j, b + j);
            add_triangle(s, a + i, b + j, b + i);
        }
        const uint32_t last = ring + (uint32_t)(count - 1) * AROUND;
        add_triangle(s, bottom, ring + j, ring + i);
        add_triangle(s, top, last + i, last + j);
    }
}

// A ball cut at its equator, the halves `apart` from each other, stretched by `height` along z.
static void add_round(kai_surface* s, const kai_catalog_shape* shape, double radius, double height,
                      double apart, double x_scale, double y_scale)
{
    double profile[2 * ARC][2];
    for (int k = 0; k < 2 * ARC; k++) {
        const int step = k < ARC ? k + 1 - ARC : k - ARC; // -ARC + 1 … 0, 0 … ARC - 1
        const double angle = 0.5 * KAI_PI * step / ARC;
        profile[k][0] = radius * cos(angle);
        profile[k][1] = height * sin(angle) + (k < ARC ? -0.5 : 0.5) * apart;
    }
    // The ends of the profile stop short of the poles; the points on the axis go there.
    const size_t before = s->points.size;
    add_turned(s, shape, profile, 2 * ARC, x_scale, y_scale);
    if (kai_surface_failed(s)) return;
    for (int end = 0; end < 2; end++) {
        const double z = (end == 0 ? -1.0 : 1.0) * (height + 0.5 * apart);
        const kai_vec3 at = kai_frame_point_to_parent(shape->frame, kai_vec3_make(0.0, 0.0, z));
        memcpy(s->points.data + before + (size_t)end * sizeof at, &at, sizeof at);
    }
}

// Hulls, meshes and height fields have their triangles in the file.
static void add_triangles(kai_surface* s, const kai_catalog_shape* shape)
{
    const uint32_t first = (uint32_t)kai_surface_points(s);
    for (size_t i = 0; i < shape->vertex_count && !kai_surface_failed(s); i++) {
        const float* v = shape->vertices + 3 * i;
        add_point(s, shape, kai_vec3_make((double)v[0], (double)v[1], (double)v[2]));
    }
    for (size_t i = 0; i < shape->triangle_count && !kai_surface_failed(s); i++) {
        const uint32_t* c = shape->triangles + 3 * i;
        add_triangle(s, first + c[0], first + c[1], first + c[2]);
    }
}

bool kai_surface_add(kai_surface* s, const kai_catalog_shape* shape)
{
    const double* n = shape->numbers;
    const char* kind = shape->kind;
    for (size_t i = 0; i < shape->number_count; i++)
        if (!isfinite(n[i])) return false;
    if (strcmp(kind, "sphere") == 0 && shape->number_count >= 1) {
        add_round(s, shape, n[0], n[0], 0.0, 1.0, 1.0);
    } else if (strcmp(kind, "ellipsoid") == 0 && shape->number_count >= 3) {
        add_round(s, shape, 1.0, n[2], 0.0, n[0], n[1]);
    } else if (strcmp(kind, "box") == 0 && shape->number_count >= 3) {
        add_box(s, shape);
    } else if (strcmp(kind, "capsule") == 0 && shape->number_count >= 2) {
        add_round(s, shape, n[0], n[0], n[1], 1.0, 1.0);
    } else if (strcmp(kind, "cylinder") == 0 && shape->number_count >= 2) {
        const double profile[2][2] = {{n[0], -0.5 * n[1]}, {n[0], 0.5 * n[1]}};
        add_turned(s, shape, profile, 2, 1.0, 1.0);
    } else if (strcmp(kind, "cone") == 0 && shape->number_count >= 2) {
        const double profile[2][2] = {{n[0], -0.5 * n[1]}, {0.0, 0.5 * n[1]}};
        add_turned(s, shape, profile, 2, 1.0, 1.0);
    } else if (shape->triangle_count > 0) {
        add_triangles(s, shape);
    } else {
        return false;
    }
    return true;
}

void kai_surface_free(kai_surface* s)
{
    kai_text_free(&s->points);
    kai_text_free(&s->triangles);
}
