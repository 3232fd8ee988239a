// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Where an instance of a template lies: x ↦ t + Q S x, with a rotation Q and a diagonal matrix S of
// signs, which is not the unit matrix where the instance is mirrored.
//
// A body of a mirrored template keeps a right-handed own frame: its axes are those of the mirror
// image with the signs of S. So its rotation matrix R becomes Q S R S, and what is given in its own
// frame, a point p say, becomes S p. Axial vectors (angular velocity, torque, axis of a hinge) are
// also multiplied by det S: the mirror image of a hinge turns by the same angle about them.
#ifndef SCENE_PLACEMENT_H
#define SCENE_PLACEMENT_H

#include <kairos/kind.h>

typedef struct kai_placement {
    kai_quat turn;  // Q
    kai_vec3 sign;  // diagonal of S: 1 or -1
    kai_vec3 shift; // t
} kai_placement;

/// Where nothing is moved.
kai_placement kai_placement_none(void);

/// A placement within another one.
kai_placement kai_placement_within(const kai_placement* outer, const kai_placement* inner);

/// True where nothing is moved, turned or mirrored.
bool kai_placement_is_none(const kai_placement* p);

/// det S < 0.
bool kai_placement_is_mirrored(const kai_placement* p);

/// A vector that the placing says; a rotation likewise.
kai_vec3 kai_placement_vector(const kai_placement* p, kai_placing placing, kai_vec3 x);
kai_quat kai_placement_rotation(const kai_placement* p, kai_placing placing, kai_quat q);

#endif
