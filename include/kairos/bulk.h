// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Coordinates and forces of many things at once, as arrays: for programs and languages that work on
// whole arrays, such as NumPy.
//
// A *view* points into the engine's own arrays: nothing is copied. It stays valid until the next
// call that takes the world without const; kai_world_step is one. Bodies lie in storage order (that
// of kai_body_at), nodes and shafts in that of kai_node_at_index and kai_shaft_at_index.
//
// The engine keeps bodies by their mass centre and principal axes. What refers to the own frame of
// a body is worked out when it is copied.
#ifndef KAIROS_BULK_H
#define KAIROS_BULK_H

#include <kairos/world.h>

#ifdef __cplusplus
extern "C" {
#endif

/// An array inside the engine: item i has its `numbers` doubles at (const char*)data + i stride.
typedef struct kai_bulk_view {
    const double* data; ///< NULL when there are no items
    size_t count;       ///< items
    size_t stride;      ///< bytes from item to item
    size_t numbers;     ///< doubles of an item, side by side
} kai_bulk_view;

/// What bodies have, with the numbers of an item.
typedef enum kai_bulk_body {
    KAI_BULK_POSITION,             ///< 3: of the own frame, world, m
    KAI_BULK_ROTATION,             ///< 4: own frame to world, w x y z
    KAI_BULK_VELOCITY,             ///< 3: of the origin of the own frame, world, m/s
    KAI_BULK_ANGULAR_VELOCITY,     ///< 3: world, rad/s
    KAI_BULK_ACCELERATION,         ///< 3: of that origin, world, m/s²
    KAI_BULK_ANGULAR_ACCELERATION, ///< 3: world, rad/s²
    KAI_BULK_TORQUE,               ///< 3: of all loads about the mass centre, world, N m
    // As the engine keeps them: these have views.
    KAI_BULK_COM_POSITION,       ///< 3: of the mass centre, world, m
    KAI_BULK_PRINCIPAL_ROTATION, ///< 4: principal axes to world, w x y z
    KAI_BULK_COM_VELOCITY,       ///< 3: of the mass centre, world, m/s
    KAI_BULK_SPIN,               ///< 3: angular velocity in principal axes, rad/s
    KAI_BULK_FORCE,              ///< 3: of all loads without gravity, world, N
    KAI_BULK_PRINCIPAL_TORQUE,   ///< 3: of all loads, principal axes, N m
    KAI_BULK_COM_ACCELERATION,   ///< 3: of the mass centre, world, m/s²
    KAI_BULK_SPIN_ACCELERATION,  ///< 3: angular, in principal axes, rad/s²
    KAI_BULK_BODY_QUANTITIES     ///< how many there are
} kai_bulk_body;

/// What nodes have, 3 numbers each. Slopes that a node does not have are zero.
typedef enum kai_bulk_node {
    KAI_BULK_NODE_POSITION,         ///< m
    KAI_BULK_NODE_SLOPE_0,          ///< the first slope
    KAI_BULK_NODE_SLOPE_1,          ///< the second slope
    KAI_BULK_NODE_VELOCITY,         ///< m/s
    KAI_BULK_NODE_SLOPE_VELOCITY_0, ///< 1/s
    KAI_BULK_NODE_SLOPE_VELOCITY_1, ///< 1/s
    KAI_BULK_NODE_ACCELERATION,     ///< of the position, as of kai_world_evaluate, m/s²
    KAI_BULK_NODE_FORCE,            ///< of loads on the position, likewise, N
    KAI_BULK_NODE_QUANTITIES        ///< how many there are
} kai_bulk_node;

/// What shafts have, 1 number each.
typedef enum kai_bulk_shaft {
    KAI_BULK_SHAFT_ANGLE,        ///< rad
    KAI_BULK_SHAFT_SPEED,        ///< rad/s
    KAI_BULK_SHAFT_ACCELERATION, ///< rad/s²
    KAI_BULK_SHAFT_TORQUE,       ///< of loads, N m
    KAI_BULK_SHAFT_QUANTITIES    ///< how many there are
} kai_bulk_shaft;

/// A view of all bodies. KAI_ERROR_UNSUPPORTED for what is not kept but worked out: copy it. Forces
/// and accelerations that were never evaluated have no items.
KAI_API kai_result kai_bulk_bodies(const kai_world* world, kai_bulk_body what, kai_bulk_view* out);

/// Views of all nodes and of all shafts.
KAI_API kai_result kai_bulk_nodes(const kai_world* world, kai_bulk_node what, kai_bulk_view* out);
KAI_API kai_result kai_bulk_shafts(const kai_world* world, kai_bulk_shaft what,
                                   kai_bulk_view* out); ///< likewise

/// The ids of all bodies in storage order to `out` [kai_body_count].
KAI_API kai_result kai_bulk_body_ids(const kai_world* world, kai_body* out);

/// Copies what some bodies have to `out` [count * numbers], on the world's threads. `bodies` may be
/// NULL: the first `count` in storage order. Never evaluated forces and accelerations are zero.
/// KAI_ERROR_ID when one of them does not exist.
KAI_API kai_result kai_bulk_copy_bodies(const kai_world* world, kai_bulk_body what,
                                        const kai_body* bodies, size_t count, double* out);

/// The same for the particles of a group, in the order in which they were created, to `out`
/// [kai_particles_count * numbers]; NaN for those that were destroyed.
KAI_API kai_result kai_bulk_copy_particles(const kai_world* world, kai_bulk_body what,
                                           kai_particles group, double* out);

/// Sets own frames and their velocities of some bodies; arrays as kai_bulk_copy_bodies writes them,
/// those that are NULL stay. Of a body that is named twice the later row counts. Fixed bodies keep velocity zero.
/// KAI_ERROR_ARGUMENT for a number that is not finite, or a rotation of norm 0; nothing has changed
/// then.
KAI_API kai_result kai_bulk_set_bodies(kai_world* world, const kai_body* bodies, size_t count,
                                       const double* positions, const double* rotations,
                                       const double* velocities, const double* angular_velocities);

#ifdef __cplusplus
}
#endif

#endif
