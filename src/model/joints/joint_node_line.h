// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Finds the line that a `node-slide` goes along: a chain of elements with two nodes each, from the
// first node to the last, or round.
#ifndef MODEL_JOINT_NODE_LINE_H
#define MODEL_JOINT_NODE_LINE_H

#include "base/arena.h"
#include "model/world.h"

#include <kairos/joint_nodes.h>

/// Numbers in a row of the line: index and generation of the node (or body), the tangent of a body
/// without load in principal axes (of a node which of its slopes it is, 0 and 0), and the length to
/// the next node.
#define KAI_JOINT_NODE_LINE_COLUMNS 6

/// Sets line, closed and frames of an instance from what it names. The rows are taken from `arena`.
kai_result kai_joint_node_line_find(const kai_world* world, kai_arena* arena,
                                    kai_joint_node_slide_params* p, kai_error* err);

#endif
