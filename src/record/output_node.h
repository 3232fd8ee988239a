// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// What outputs tell of a node of finite elements.
#ifndef RECORD_OUTPUT_NODE_H
#define RECORD_OUTPUT_NODE_H

#include "record/output.h"

/// Getters of quantities, three numbers each.
typedef kai_result kai_output_node_get(kai_world* world, const kai_output_subject* subject,
                                       double* out, kai_error* err);

kai_output_node_get kai_output_node_position, kai_output_node_displacement,
    kai_output_node_velocity, kai_output_node_acceleration, kai_output_node_slope;

#endif
