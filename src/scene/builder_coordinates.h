// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Limits, springs, damping and friction that a joint of a scene gives its coordinates.
#ifndef SCENE_BUILDER_COORDINATES_H
#define SCENE_BUILDER_COORDINATES_H

#include "scene/builder.h"

#include <kairos/coordinate.h>

/// What a joint says about its angle and its travel.
typedef struct kai_builder_coordinates {
    kai_coordinate_def def[2]; // by kai_joint_coordinate
    bool given[2];
} kai_builder_coordinates;

/// Reads the keys of a joint's node. False after a report.
bool kai_builder_coordinates_read(kai_builder* builder, const kai_document_node* node,
                                  const kai_joint_kind* kind, kai_builder_coordinates* out);

/// Gives the joint made from that node what was read; problems are reported.
void kai_builder_coordinates_add(kai_builder* builder, const kai_document_node* node,
                                 kai_joint joint, const kai_builder_coordinates* read);

#endif
