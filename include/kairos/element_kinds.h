// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The built-in kinds of finite elements and what their instances hold.
#ifndef KAIROS_ELEMENT_KINDS_H
#define KAIROS_ELEMENT_KINDS_H

#include <kairos/element.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Parameters of `bar`: pulls and pushes along the line of its nodes.
typedef struct kai_element_bar_params {
    kai_node nodes[2]; ///< its ends
    kai_solid solid;   ///< what it is made of
    double area;       ///< cross section, m²
} kai_element_bar_params;

/// Parameters of `ancf-cable`: nodes have one slope, a unit vector along the cable.
typedef struct kai_element_ancf_cable_params {
    kai_node nodes[2]; ///< its ends
    kai_solid solid;   ///< what it is made of
    double radius;     ///< of a round section, m; NaN: see area
    double area;       ///< cross section, m²; NaN: see radius
    double moment;     ///< second moment of area, m⁴; NaN: that of a circle of that area
} kai_element_ancf_cable_params;

KAI_API extern const kai_element_kind kai_element_bar;        ///< see kai_element_bar_params
KAI_API extern const kai_element_kind kai_element_ancf_cable; ///< a rope that bends

#ifdef __cplusplus
}
#endif

#endif
