// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// What the rest of the engine needs of nodes: all of them lie side by side.
#ifndef MODEL_NODE_H
#define MODEL_NODE_H

#include "model/world.h"

#include <kairos/node.h>

/// A node as the store keeps it.
typedef struct kai_node_record {
    kai_node_def def;                        // what users see
    kai_vec3 reference[1 + KAI_NODE_SLOPES]; // coordinates without deformation
    kai_body contact;                        // that stands for it in contacts; null: none
} kai_node_record;

/// All nodes [world->nodes.count].
static inline kai_node_record* kai_node_all(const kai_world* world)
{
    return world->nodes.batches[0].items.data;
}

/// The place of a node among all, UINT32_MAX when it does not exist.
uint32_t kai_node_slot(const kai_world* world, kai_node node);

/// Describes the node in a place: "node 'tip' (#3)".
void kai_node_describe(const kai_world* world, size_t slot, char* out, size_t size);

/// Coordinates, velocities, accelerations and forces of a node as numbers: position, then slopes.
static inline double* kai_node_q(kai_node_record* node) { return &node->def.position.x; }
static inline double* kai_node_v(kai_node_record* node) { return &node->def.velocity.x; }
static inline double* kai_node_a(kai_node_record* node) { return &node->def.acceleration[0].x; }
static inline double* kai_node_f(kai_node_record* node) { return &node->def.force[0].x; }

/// How many of them there are.
static inline size_t kai_node_size(const kai_node_record* node)
{
    return 3 * (1 + (size_t)node->def.slopes);
}

/// Whether its position never moves.
static inline bool kai_node_is_fixed(const kai_node_record* node)
{
    return (node->def.fixed & KAI_NODE_FIX_POSITION) == KAI_NODE_FIX_POSITION;
}

#endif
