// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Bytes: a node is 32, read once a packet; a triangle 12 and its corners 72.
#include "geometry/mesh.h"
#include "geometry/ray_packet.h"

typedef struct waiting {
    float near;
    uint32_t node;
} waiting;

/// A packet on its way down the tree.
typedef struct walk {
    const kai_mesh* mesh;
    kai_ray_packet* rays;
    kai_ray_shear shear;
    kai_ray_boxes boxes;
    float farthest; // how far some ray still looks
} walk;

KAI_INLINE void try_leaf(walk* w, const kai_mesh_node* leaf)
{
    bool nearer = false;
    for (uint32_t t = leaf->first; t < leaf->first + leaf->count; t++) {
        kai_vec3 corners[3];
        kai_mesh_corners(w->mesh, t, corners);
        nearer |= kai_ray_shear_try(&w->shear, w->rays, t, corners);
    }
    if (nearer) w->farthest = kai_ray_boxes_shrink(&w->boxes, w->rays->distance);
}

// Nodes in the order in which the first ray enters them.
KAI_CLONES static void walk_tree(walk* w)
{
    const kai_mesh_node* nodes = w->mesh->nodes;
    waiting stack[KAI_MESH_LEVELS];
    uint32_t count = 0, here = 0;
    for (;;) {
        const kai_mesh_node* node = &nodes[here];
        if (node->count > 0) {
            try_leaf(w, node);
        } else {
            const kai_mesh_node *left = node + 1, *right = nodes + node->first;
            const float l = kai_ray_boxes_meet(&w->boxes, left->low, left->high);
            const float r = kai_ray_boxes_meet(&w->boxes, right->low, right->high);
            const bool left_first = l <= r;
            if ((left_first ? r : l) < INFINITY)
                stack[count++] = left_first ? (waiting){r, node->first} : (waiting){l, here + 1};
            if ((left_first ? l : r) < INFINITY) {
                here = left_first ? here + 1 : node->first;
                continue;
            }
        }
        do {
            if (count == 0) return;
            count--;
        } while (!(stack[count].near <= w->farthest));
        here = stack[count].node;
    }
}

void kai_mesh_rays(const kai_mesh* mesh, kai_ray_packet* rays)
{
    if (mesh->node_count == 0) return;
    walk w = {.mesh = mesh, .rays = rays};
    for (int axis = 0; axis < 3; axis++) {
        if (!kai_ray_shear_make(&w.shear, rays, axis)) continue;
        kai_ray_boxes_make(&w.boxes, rays, w.shear.limit, mesh->nodes[0].low, mesh->nodes[0].high,
                           mesh->origin);
        w.farthest = kai_ray_boxes_shrink(&w.boxes, rays->distance);
        if (w.farthest >= 0.0f) walk_tree(&w);
    }
}
