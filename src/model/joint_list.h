// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The built-in kinds of joints. A new kind is a file joints/joint_<name>.c, and one word here.
#ifndef MODEL_JOINT_LIST_H
#define MODEL_JOINT_LIST_H

#define KAI_JOINT_KINDS(X)    \
    X(fixed)                  \
    X(revolute)               \
    X(prismatic)              \
    X(cylindrical)            \
    X(spherical)              \
    X(universal)              \
    X(planar)                 \
    X(point_on_line)          \
    X(point_on_plane)         \
    X(parallel)               \
    X(perpendicular)          \
    X(distance)               \
    X(revolute_spherical)     \
    X(revolute_translational) \
    X(screw)                  \
    X(constant_velocity)      \
    X(oldham)                 \
    X(point_on_curve)         \
    X(generic)                \
    X(coupling)               \
    X(gear)                   \
    X(bevel_gear)             \
    X(rack_pinion)            \
    X(pulley)                 \
    X(limit)                  \
    X(friction)               \
    X(rope)                   \
    X(strut)                  \
    X(motor_rotation_angle)   \
    X(motor_rotation_speed)   \
    X(motor_linear_position)  \
    X(motor_linear_speed)     \
    X(imposed_motion)         \
    X(shaft_gear)             \
    X(planetary)              \
    X(differential)           \
    X(clutch)                 \
    X(shaft_brake)            \
    X(free_wheel)             \
    X(shaft_body)             \
    X(shaft_speed)            \
    X(shaft_angle)            \
    X(node_point)             \
    X(node_fixed)             \
    X(node_direction)         \
    X(node_revolute)          \
    X(node_node)              \
    X(node_motion)            \
    X(node_slide)

#endif
