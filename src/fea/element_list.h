// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The built-in kinds of finite elements. A new kind is one file, elements/element_<name>.c, and one
// word here.
#ifndef FEA_ELEMENT_LIST_H
#define FEA_ELEMENT_LIST_H

#include <kairos/element_kinds.h>

#define KAI_ELEMENT_KINDS(X) \
    X(bar)                   \
    X(node_spring)           \
    X(tet4)                  \
    X(tet10)                 \
    X(hex8)                  \
    X(hex20)                 \
    X(ancf_cable)            \
    X(euler_beam)            \
    X(ancf_shell)            \
    X(ancf_plate)            \
    X(reissner_shell)

/// Those that are loads: they have no mass and store no energy.
#define KAI_ELEMENT_LOAD_KINDS(X) \
    X(pressure_triangle_0)        \
    X(pressure_triangle_1)        \
    X(pressure_triangle_2)        \
    X(pressure_triangle_frames)   \
    X(pressure_quadrangle_0)      \
    X(pressure_quadrangle_1)      \
    X(pressure_quadrangle_2)      \
    X(pressure_quadrangle_frames) \
    X(node_load_0)                \
    X(node_load_1)                \
    X(node_load_2)                \
    X(node_load_frames)

#endif
