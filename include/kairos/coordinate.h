// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// What a coordinate of a joint takes in one call: limits, spring, damping, dry friction. In scenes
// these are keys of the joint.
#ifndef KAIROS_COORDINATE_H
#define KAIROS_COORDINATE_H

#include <kairos/load.h>

#ifdef __cplusplus
extern "C" {
#endif

/// What a coordinate x (the angle or travel of b against a, zero at creation) is to have.
typedef struct kai_coordinate_def {
    int32_t coordinate;  ///< a kai_joint_coordinate; the joint must have it
    double low, high;    ///< limits of x, rad or m; beyond ±1e30: none
    kai_curve stiffness; ///< of a spring, over x - rest: N m or N, a number or rows
    double rest;         ///< x at which that spring is not deflected
    double preload;      ///< N m or N at `rest`; positive drives x down
    kai_function law;    ///< further torque or force over x - rest; null: none
    kai_curve damping;   ///< over dx/dt: N m or N, a number or rows
    kai_value friction;  ///< largest dry friction, N m or N; >= 0
} kai_coordinate_def;

/// What kai_coordinate_add made; null where there was nothing to make.
typedef struct kai_coordinate_parts {
    kai_joint limit;    ///< a `limit`
    kai_joint friction; ///< a `friction`
    kai_load spring;    ///< a `rotational-spring` or `linear-spring` with stiffness and damping
} kai_coordinate_parts;

/// Nothing on a coordinate: no limits, no spring, no damping, no friction.
KAI_API kai_coordinate_def kai_coordinate_def_default(kai_joint_coordinate coordinate);

/// Gives a coordinate of a joint what `def` says, as joints and loads of their own. They are called
/// after the joint: "hinge.limits", "hinge.friction", "hinge.spring", or "hinge.angle.limits" and
/// so on where the joint has both coordinates; they have no name when the joint has none. `parts`
/// may be NULL. KAI_ERROR_ARGUMENT when the joint has no such coordinate, or a number is wrong; on
/// failure nothing has changed.
KAI_API kai_result kai_coordinate_add(kai_world* world, kai_joint joint,
                                      const kai_coordinate_def* def, kai_coordinate_parts* parts);

#ifdef __cplusplus
}
#endif

#endif
