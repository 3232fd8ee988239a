// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The built-in kinds of loads. A new kind is a file loads/load_<name>.c, and one word here.
#ifndef MODEL_LOAD_LIST_H
#define MODEL_LOAD_LIST_H

#define KAI_LOAD_KINDS(X)    \
    X(force)                 \
    X(torque)                \
    X(spring)                \
    X(rotational_spring)     \
    X(linear_spring)         \
    X(bushing)               \
    X(drag)                  \
    X(motor_rotation_torque) \
    X(motor_linear_force)    \
    X(motor_rotation_pid)    \
    X(motor_linear_pid)      \
    X(torsion_spring)        \
    X(shaft_torque)          \
    X(shaft_drag)            \
    X(engine)                \
    X(torque_converter)

#endif
