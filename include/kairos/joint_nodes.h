// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Joints of nodes of finite elements: to bodies, to the ground (a null body) and to each other. In
// scenes they stand under "joints".
#ifndef KAIROS_JOINT_NODES_H
#define KAIROS_JOINT_NODES_H

#include <kairos/joint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Parameters of `node-point`: base.bodies[0] is the body that holds the node, null: the ground.
typedef struct kai_joint_node_point_params {
    kai_joint_base base;
    kai_node node;
} kai_joint_node_point_params;

/// Parameters of `node-fixed`: likewise.
typedef struct kai_joint_node_fixed_params {
    kai_joint_base base;
    kai_node node;
} kai_joint_node_fixed_params;

/// Parameters of `node-direction`: likewise.
typedef struct kai_joint_node_direction_params {
    kai_joint_base base;
    kai_node node;
    int64_t slope; ///< 0 or 1
} kai_joint_node_direction_params;

/// Parameters of `node-revolute`: likewise; base.axis is the axis.
typedef struct kai_joint_node_revolute_params {
    kai_joint_base base;
    kai_node node;
} kai_joint_node_revolute_params;

/// Parameters of `node-node`.
typedef struct kai_joint_node_node_params {
    kai_joint_base base;
    kai_node nodes[2];
    bool slopes; ///< their first slopes stay together, too
} kai_joint_node_node_params;

/// Parameters of `node-motion`.
typedef struct kai_joint_node_motion_params {
    kai_joint_base base;
    kai_node node;
    kai_value3 value; ///< displacement over time, m
} kai_joint_node_motion_params;

/// Parameters of `node-slide`: base.bodies[0] slides by its point base.at, or `node` slides. The
/// line is that of a structure, or the one that an element is part of: name it, or give its id.
typedef struct kai_joint_node_slide_params {
    kai_joint_base base;
    kai_string structure; ///< name of a structure that is one line, "": see element
    kai_string element;   ///< name of an element of the line, "": see along
    kai_element along;    ///< an element of the line
    kai_node node;        ///< the node that slides; null: the body does
} kai_joint_node_slide_params;

KAI_API extern const kai_joint_kind kai_joint_node_point;     ///< position held, free to turn
KAI_API extern const kai_joint_kind kai_joint_node_fixed;     ///< position and first slope held
KAI_API extern const kai_joint_kind kai_joint_node_direction; ///< direction of a slope held
KAI_API extern const kai_joint_kind kai_joint_node_revolute;  ///< turns about an axis of a body
KAI_API extern const kai_joint_kind kai_joint_node_node;      ///< two nodes keep their offset
KAI_API extern const kai_joint_kind kai_joint_node_motion;    ///< prescribed displacement
KAI_API extern const kai_joint_kind kai_joint_node_slide;     ///< slides along cables or beams

#ifdef __cplusplus
}
#endif

#endif
