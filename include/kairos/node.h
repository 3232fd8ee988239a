// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Nodes: the coordinates of finite elements. A node has a position and up to two *slopes*, vectors
// that move with the material (gradients of the absolute nodal coordinate formulation). Elements
// that need rotations (beams, shells with directors) use bodies as their nodes.
#ifndef KAIROS_NODE_H
#define KAIROS_NODE_H

#include <kairos/function.h>
#include <kairos/material.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Most slopes of a node, and most coordinates.
#define KAI_NODE_SLOPES      2
#define KAI_NODE_COORDINATES 9 ///< 3 (1 + slopes)

/// Bits of kai_node_def.fixed: which coordinates cannot move.
typedef enum kai_node_fixed {
    KAI_NODE_FIX_POSITION = 0x007, ///< x, y and z
    KAI_NODE_FIX_SLOPE_0 = 0x038,  ///< the first slope
    KAI_NODE_FIX_SLOPE_1 = 0x1c0,  ///< the second slope
    KAI_NODE_FIX_ALL = 0x1ff       ///< everything
} kai_node_fixed;

/// A node: what it is, and its state. Coordinates lie side by side: position, then slopes.
typedef struct kai_node_def {
    int64_t slopes;                  ///< 0, 1 or 2
    int64_t fixed;                   ///< coordinate k cannot move: bit k
    double mass;                     ///< kg at its position, in addition to that of elements
    kai_vec3 position;               ///< m, world
    kai_vec3 slope[KAI_NODE_SLOPES]; ///< without unit
    kai_vec3 velocity;               ///< m/s
    kai_vec3 slope_velocity[KAI_NODE_SLOPES];   ///< 1/s
    kai_vec3 acceleration[1 + KAI_NODE_SLOPES]; ///< last evaluated; set by the engine
    kai_vec3 force[1 + KAI_NODE_SLOPES];        ///< of loads, last evaluated; set by the engine
} kai_node_def;

/// Description of kai_node_def: defaults, ranges, scene keys.
KAI_API extern const kai_kind kai_node_kind;

/// A node without slopes at the origin.
KAI_API kai_node_def kai_node_def_default(void);

/// Adds a node. `name` may be NULL or "". The coordinates given are those without deformation.
KAI_API kai_result kai_node_create(kai_world* world, const kai_node_def* def, const char* name,
                                   kai_node* out);

/// Removes a node. KAI_ERROR_ARGUMENT while something names it.
KAI_API kai_result kai_node_destroy(kai_world* world, kai_node node);

/// The node as it stands.
KAI_API kai_result kai_node_get(const kai_world* world, kai_node node, kai_node_def* out);

/// Its coordinates without deformation, position first, then slopes; zeros for those that it does not
/// have.
KAI_API kai_result kai_node_reference(const kai_world* world, kai_node node,
                                      kai_vec3 out[1 + KAI_NODE_SLOPES]);

/// Sets coordinates and velocities, position first, then slopes. Either may be NULL: unchanged.
KAI_API kai_result kai_node_set_motion(kai_world* world, kai_node node, const kai_vec3* coordinates,
                                       const kai_vec3* velocities);

/// Says which coordinates cannot move: kai_node_fixed.
KAI_API kai_result kai_node_set_fixed(kai_world* world, kai_node node, int64_t fixed);

/// A force on the position of a node, N, that stays until it is set again.
KAI_API kai_result kai_node_set_force(kai_world* world, kai_node node, kai_vec3 force);

/// What holds the coordinates of a node that are fixed, position first, then slopes: forces of the
/// support on it, N and N m, in world axes; zero for coordinates that are free. They are those of
/// the last kai_world_evaluate, and after kai_world_statics those of equilibrium.
KAI_API kai_result kai_node_reaction(kai_world* world, kai_node node,
                                     kai_vec3 out[1 + KAI_NODE_SLOPES]);

/// Lets a node touch things: a sphere about its position, of that radius (m) and material (null:
/// the default one). It is a body of its own that never turns, whose mass is that of the elements
/// at the node; contacts see it, energy and momentum do not count it. Nodes of the same family
/// (0…15) do not touch each other unless `among` is true.
KAI_API kai_result kai_node_set_contact(kai_world* world, kai_node node, double radius,
                                        kai_material material, int family, bool among);

/// The node of a name, null when there is none; and the name of a node, "" when it has none.
KAI_API kai_node kai_node_find(const kai_world* world, const char* name);
KAI_API const char* kai_node_name(const kai_world* world, kai_node node); ///< "" without one

/// The key of a node, and the node of a key, null when there is none: see kai_body_key.
KAI_API uint64_t kai_node_key(const kai_world* world, kai_node node);
KAI_API kai_node kai_node_by_key(const kai_world* world, uint64_t key); ///< null when there is none

/// How many nodes the world has, and the i-th of them.
KAI_API size_t kai_node_count(const kai_world* world);
KAI_API kai_node kai_node_at_index(const kai_world* world, size_t i); ///< null beyond the last

#ifdef __cplusplus
}
#endif

#endif
