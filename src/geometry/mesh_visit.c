// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "geometry/mesh.h"

// Boxes are compared in double, so that a float box is met wherever the exact one is.
static bool meets(const kai_mesh_node* node, const double low[3], const double high[3])
{
    for (int k = 0; k < 3; k++)
        if ((double)node->low[k] > high[k] || (double)node->high[k] < low[k]) return false;
    return true;
}

void kai_mesh_visit(const kai_mesh* mesh, kai_vec3 low, kai_vec3 high, kai_mesh_visit_fn* fn,
                    void* context)
{
    if (mesh->node_count == 0) return;
    // The shift rounds: half a unit in the last place of the largest number is added.
    const double slack = 4e-16 * fmax(kai_vec3_max_abs(mesh->origin),
                                      fmax(kai_vec3_max_abs(low), kai_vec3_max_abs(high)));
    const kai_vec3 l = kai_vec3_sub(low, mesh->origin), h = kai_vec3_sub(high, mesh->origin);
    const double from[3] = {l.x - slack, l.y - slack, l.z - slack};
    const double to[3] = {h.x + slack, h.y + slack, h.z + slack};
    uint32_t stack[KAI_MESH_LEVELS], waiting = 0, here = 0;
    for (;;) {
        const kai_mesh_node* node = &mesh->nodes[here];
        if (meets(node, from, to)) {
            if (node->count == 0) {
                stack[waiting++] = node->first;
                here++;
                continue;
            }
            for (uint32_t t = node->first; t < node->first + node->count; t++) {
                kai_vec3 c[3];
                kai_mesh_corners(mesh, t, c);
                if (kai_triangle_box_meets(c, low, high)) fn(t, context);
            }
        }
        if (waiting == 0) return;
        here = stack[--waiting];
    }
}
