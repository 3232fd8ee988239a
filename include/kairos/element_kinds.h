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
    kai_solid solid;   ///< material
    double area;       ///< cross section, m²
} kai_element_bar_params;

/// Parameters of `node-spring`: a spring and a damper between two nodes.
typedef struct kai_element_node_spring_params {
    kai_node nodes[2];  ///< its ends
    double stiffness;   ///< N/m
    double damping;     ///< N s/m
    double rest_length; ///< m; negative: that of the nodes at the start
} kai_element_node_spring_params;

/// How volume elements take strains.
typedef enum kai_element_formulation {
    KAI_ELEMENT_AUTOMATIC, ///< corotational when the material is linear, else total
    KAI_ELEMENT_COROTATIONAL, ///< linear strain in a frame that rotates with the element; linear materials only
    KAI_ELEMENT_TOTAL ///< Green-Lagrange strain, any material
} kai_element_formulation;

/// Parameters of `tet4`: corners, 1 2 3 counter-clockwise seen from outside when 0 is inside: 0 1 2
/// counter-clockwise seen from 3.
typedef struct kai_element_tet4_params {
    kai_node nodes[4];   ///< in the order of VTK
    kai_solid solid;     ///< material
    int32_t formulation; ///< kai_element_formulation
} kai_element_tet4_params;

/// Parameters of `tet10`: corners as tet4, then the middles of edges 01 12 20 03 13 23.
typedef struct kai_element_tet10_params {
    kai_node nodes[10];  ///< in the order of VTK; Gmsh swaps the last two
    kai_solid solid;     ///< material
    int32_t formulation; ///< kai_element_formulation
    bool enhanced;       ///< one change of volume for all of it, against locking
} kai_element_tet10_params;

/// Parameters of `hex8`: 0 1 2 3 round the bottom, counter-clockwise seen from above, 4 5 6 7 above
/// them.
typedef struct kai_element_hex8_params {
    kai_node nodes[8];   ///< in the order of VTK
    kai_solid solid;     ///< material
    int32_t formulation; ///< kai_element_formulation
    bool enhanced;       ///< with inner strain modes against locking
} kai_element_hex8_params;

/// Parameters of `hex20`: corners as hex8, then the middles of edges 01 12 23 30, 45 56 67 74, 04
/// 15 26 37.
typedef struct kai_element_hex20_params {
    kai_node nodes[20];  ///< in the order of VTK; Gmsh has another
    kai_solid solid;     ///< material
    int32_t formulation; ///< kai_element_formulation
    bool enhanced;       ///< with a linear change of volume, against locking
} kai_element_hex20_params;

/// Parameters of `ancf-cable`: nodes have one slope, a unit vector along the cable.
typedef struct kai_element_ancf_cable_params {
    kai_node nodes[2]; ///< its ends
    kai_solid solid;   ///< material
    double radius;     ///< of a round section, m; NaN: see area
    double area;       ///< cross section, m²; NaN: see radius
    double moment;     ///< second moment of area, m⁴; NaN: that of a circle of that area
} kai_element_ancf_cable_params;

/// Parameters of `euler-beam`: bodies at its ends; it runs from mass centre to mass centre. The
/// section is round (radius), a rectangle (width and height), or any (area and moments); what is
/// not given is NaN.
typedef struct kai_element_euler_beam_params {
    kai_body nodes[2]; ///< its ends
    kai_solid solid;   ///< material
    kai_vec3 y_axis;   ///< of the section, world, at the start; NaN: that of the first body
    double radius, inner_radius; ///< m; a tube has both
    double width, height;        ///< of a rectangle along y and z, m
    double area;                 ///< m²
    double iyy, izz;             ///< second moments for bending about y and z, m⁴
    double torsion;              ///< torsion constant, m⁴
} kai_element_euler_beam_params;

/// One layer of a shell.
typedef struct kai_element_layer {
    kai_solid solid;  ///< material
    double thickness; ///< m
    double angle;     ///< from the shell's material x axis to the layer's, about the normal
} kai_element_layer;

/// Material of a shell: one, or layers from the bottom (-ζ) to the top.
typedef struct kai_element_layers {
    kai_solid solid;  ///< of the only layer; null: see list
    double thickness; ///< of the only layer, m
    kai_list list;    ///< of kai_element_layer, up to 8; empty: see solid
    kai_vec3 x_axis;  ///< along which material x lies; zero: along the side of nodes 0 and 1
} kai_element_layers;

/// Parameters of `ancf-shell`: nodes have one slope, the unit vector across the shell.
typedef struct kai_element_ancf_shell_params {
    kai_node nodes[4];         ///< counter-clockwise seen from where slopes point
    kai_element_layers layers; ///< material
    bool natural_strain;       ///< assumed natural strains: true, or thin shells lock
    bool enhanced_strain;      ///< enhanced assumed strains: true, or bending is too stiff
} kai_element_ancf_shell_params;

/// Parameters of `ancf-plate`: nodes have two slopes, tangents of the middle surface.
typedef struct kai_element_ancf_plate_params {
    kai_node nodes[4];         ///< counter-clockwise seen from the top
    kai_element_layers layers; ///< layers of linear materials with equal damping
} kai_element_ancf_plate_params;

/// Parameters of `pressure-triangle-…` and `pressure-quadrangle-…`: faces of nodes with 0, 1 or 2
/// slopes, or of frames. Nodes go counter-clockwise round the side that is pushed.
typedef struct kai_element_pressure_params {
    kai_node nodes[4];  ///< or bodies; a triangle has three
    kai_value pressure; ///< Pa
} kai_element_pressure_params;

/// Parameters of `node-load-…`: a force and a moment on a node with 0, 1 or 2 slopes, or on a body.
typedef struct kai_element_node_load_params {
    kai_node nodes[1]; ///< the node or body
    kai_value3 force;  ///< N, world axes
    kai_value3 moment; ///< N m, world axes: turns slopes or the body
    double share;      ///< both are multiplied by it
    double lever[9];   ///< without slopes: force of a unit moment, 1/m, by rows; 0: cannot turn
} kai_element_node_load_params;

/// Parameters of `reissner-shell`: bodies at its corners.
typedef struct kai_element_reissner_shell_params {
    kai_body nodes[4];         ///< counter-clockwise seen from the top
    kai_element_layers layers; ///< layers of linear materials with equal damping
    /// Across the shell: 0 the element's normal, 1 the z axis of a body's frame, 2 that axis where
    /// it is within 10° of the normal
    int32_t director;
    double drilling; ///< stiffness of turns about the director, in parts of shear stiffness
} kai_element_reissner_shell_params;

KAI_API extern const kai_element_kind kai_element_bar;            ///< see kai_element_bar_params
KAI_API extern const kai_element_kind kai_element_ancf_cable;     ///< a rope that bends
KAI_API extern const kai_element_kind kai_element_euler_beam;     ///< any rotation
KAI_API extern const kai_element_kind kai_element_ancf_plate;     ///< thin: stretches and bends
KAI_API extern const kai_element_kind kai_element_ancf_shell;     ///< bends, shears and thins
KAI_API extern const kai_element_kind kai_element_reissner_shell; ///< the same between bodies

/// Pressure that goes with a face.
KAI_API extern const kai_element_kind kai_element_pressure_triangle_0;        ///< no slopes
KAI_API extern const kai_element_kind kai_element_pressure_triangle_1;        ///< one slope
KAI_API extern const kai_element_kind kai_element_pressure_triangle_2;        ///< two slopes
KAI_API extern const kai_element_kind kai_element_pressure_triangle_frames;   ///< bodies
KAI_API extern const kai_element_kind kai_element_pressure_quadrangle_0;      ///< no slopes
KAI_API extern const kai_element_kind kai_element_pressure_quadrangle_1;      ///< one slope
KAI_API extern const kai_element_kind kai_element_pressure_quadrangle_2;      ///< two slopes
KAI_API extern const kai_element_kind kai_element_pressure_quadrangle_frames; ///< bodies

/// A force and a moment on a node that vary in time.
KAI_API extern const kai_element_kind kai_element_node_load_0;      ///< no slopes
KAI_API extern const kai_element_kind kai_element_node_load_1;      ///< one slope
KAI_API extern const kai_element_kind kai_element_node_load_2;      ///< two slopes
KAI_API extern const kai_element_kind kai_element_node_load_frames; ///< a body

KAI_API extern const kai_element_kind kai_element_node_spring; ///< between two nodes
KAI_API extern const kai_element_kind kai_element_tet4;        ///< constant strain
KAI_API extern const kai_element_kind kai_element_tet10;       ///< quadratic
KAI_API extern const kai_element_kind kai_element_hex8;        ///< bends without locking
KAI_API extern const kai_element_kind kai_element_hex20;       ///< quadratic

#ifdef __cplusplus
}
#endif

#endif
