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

/// An instance of `node-slide`.
typedef struct kai_joint_node_line_slide {
    kai_joint_node_slide_params given; // its last member is the node that slides
    kai_node window[3];                // those of the line about it
    kai_body others[3];                // bodies of the line about it
    kai_vec3 point;                    // where it is on the body
    kai_vec3 across;                   // a direction far from that of the line
    kai_table line;                    // rows of KAI_JOINT_NODE_LINE_COLUMNS
    int64_t first;                     // row of the first node about it
    bool closed;                       // the line is a ring
    bool frames;                       // its nodes are bodies
} kai_joint_node_line_slide;

_Static_assert(offsetof(kai_joint_node_line_slide, window) ==
                   offsetof(kai_joint_node_line_slide, given.node) + sizeof(kai_node),
               "the node that slides and those of the line lie side by side");

/// Sets line, closed and frames of an instance from what it names. The rows are taken from `arena`.
kai_result kai_joint_node_line_find(const kai_world* world, kai_arena* arena,
                                    kai_joint_node_line_slide* p, kai_error* err);

#endif
