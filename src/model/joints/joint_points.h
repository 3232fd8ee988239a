// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// What the kinds with two end points share: distance, rope, strut, revolute-spherical.
#ifndef MODEL_JOINT_POINTS_H
#define MODEL_JOINT_POINTS_H

#include <kairos/joint.h>

/// The parameters of kai_joint_distance_params.
#define KAI_JOINT_POINTS_PARAMS(points_doc, length_doc)                                          \
    KAI_JOINT_PARAMS,                                                                            \
        KAI_PARAM(VEC3, kai_joint_distance_params, points, .placing = KAI_PLACING_POINT,         \
                  .unit = "m", .columns = 2, .initial = {(double)NAN, (double)NAN, (double)NAN}, \
                  .doc = points_doc),                                                            \
        KAI_PARAM(REAL, kai_joint_distance_params, length, .unit = "m", .range = KAI_ABOVE(0.0), \
                  .doc = length_doc)

#endif
