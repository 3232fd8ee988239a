// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "geometry/mesh.h"

#include "geometry/triangle.h"

// Squared distance from a point to a box.
static double box_distance2(const kai_mesh_node* node, kai_vec3 p)
{
    const double c[3] = {p.x, p.y, p.z};
    double sum = 0.0;
    for (int k = 0; k < 3; k++) {
        const double d = fmax(0.0, fmax((double)node->low[k] - c[k], c[k] - (double)node->high[k]));
        sum += d * d;
    }
    return sum;
}

uint32_t kai_mesh_nearest_triangle(const kai_mesh* mesh, kai_vec3 point, double limit,
                                   double* distance, kai_vec3* nearest)
{
    const kai_vec3 from = kai_vec3_sub(point, mesh->origin);
    double best = limit;
    uint32_t found = KAI_MESH_NONE;
    *distance = limit;
    if (mesh->node_count == 0) return found;
    uint32_t stack[KAI_MESH_LEVELS], waiting = 0, here = 0;
    for (;;) {
        const kai_mesh_node* node = &mesh->nodes[here];
        if (box_distance2(node, from) <= best * best) {
            if (node->count == 0) {
                // The nearer child first: it makes the other one needless more often.
                const uint32_t left = here + 1, right = node->first;
                const bool swap = box_distance2(&mesh->nodes[right], from) <
                                  box_distance2(&mesh->nodes[left], from);
                stack[waiting++] = swap ? left : right;
                here = swap ? right : left;
                continue;
            }
            for (uint32_t t = node->first; t < node->first + node->count; t++) {
                kai_vec3 c[3];
                kai_mesh_corners(mesh, t, c);
                const kai_vec3 x = kai_triangle_nearest(c[0], c[1], c[2], point);
                const double d = kai_vec3_distance(x, point);
                if (d < best) {
                    best = d;
                    found = t;
                    *nearest = x;
                }
            }
        }
        if (waiting == 0) break;
        here = stack[--waiting];
    }
    *distance = best;
    return found;
}

double kai_mesh_nearest(const kai_mesh* mesh, kai_vec3 point, double limit, kai_vec3* nearest)
{
    double distance;
    kai_vec3 x = point;
    kai_mesh_nearest_triangle(mesh, point, limit, &distance, &x);
    if (nearest) *nearest = x;
    return distance;
}
