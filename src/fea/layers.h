// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// What shells and plates are made of through their thickness: one solid, or layers from the bottom
// to the top, each turned about the normal.
#ifndef FEA_LAYERS_H
#define FEA_LAYERS_H

#include <kairos/element_kinds.h>

/// Most layers of a shell, and how many SOLID fields KAI_LAYERS_PARAMS gives an element.
#define KAI_LAYERS_MOST   8
#define KAI_LAYERS_SOLIDS (1 + KAI_LAYERS_MOST)

/// A layer as elements use it.
typedef struct kai_layers_ply {
    const kai_solid_view* solid;
    double bottom, top;  ///< distance from the middle surface, m
    double cosine, sine; ///< of its angle
} kai_layers_ply;

/// All layers of an element.
typedef struct kai_layers_view {
    kai_layers_ply ply[KAI_LAYERS_MOST];
    int count;
    double half; ///< half the thickness, m
    kai_vec3 x_axis;
} kai_layers_view;

/// Description of a layer.
extern const kai_kind kai_layers_item_kind;

/// Reads the layers of an element. `solids` has KAI_LAYERS_SOLIDS views: of `solid`, then of the
/// items.
void kai_layers_read(const kai_element_layers* layers, const kai_solid_view* solids,
                     kai_layers_view* out);

/// Half the thickness, m.
double kai_layers_half(const kai_element_layers* layers);

/// Says what is wrong with them: nothing given, given twice, no thickness.
kai_result kai_layers_check(const kai_element_layers* layers, const kai_solid_view* solids,
                            kai_error* err);

/// True when all layers are linear and damp alike; then `*damping` is theirs.
bool kai_layers_linear(const kai_layers_view* view, double* damping);

/// Mass a square metre, and its second moment through the thickness about the middle surface.
void kai_layers_mass(const kai_layers_view* view, double* mass, double* moment);

/// Stiffness of stretch and bending, xx yy xy each, of layers whose stress across is zero: N/m, N
/// and N m. False: a solid has none.
bool kai_layers_plane(const kai_layers_view* view, double out[6][6]);

/// Turns strains xx yy xy (engineering) into axes that are turned by an angle.
void kai_layers_turn(double cosine, double sine, double out[3][3]);

/// The layer at a distance from the middle surface.
const kai_layers_ply* kai_layers_at(const kai_layers_view* view, double z);

/// Strain xx yy xy in axes of the shell made strain and stress in those of a layer.
bool kai_layers_stress(const kai_layers_ply* ply, const double strain[3], double stress[3],
                       double own[3]);

/// Parameters of kai_element_layers, which is the member `layers` of struct `type_`.
#define KAI_LAYERS_PARAMS(type_)                                                               \
    KAI_PARAM_AS("solid", SOLID, type_, layers.solid,                                          \
                 .doc = "Material of the element, when it has one layer."),                    \
        KAI_PARAM_AS("thickness", REAL, type_, layers.thickness, .unit = "m",                  \
                     .range = KAI_AT_LEAST(0.0), .doc = "Thickness, when it has one layer."),  \
        KAI_PARAM_AS(                                                                          \
            "layers", LIST, type_, layers.list, .rows_max = KAI_LAYERS_MOST,                   \
            .item = &kai_layers_item_kind,                                                     \
            .doc = "Layers from the bottom (-ζ) to the top; instead of solid and thickness."), \
        KAI_PARAM_AS(                                                                          \
            "x_axis", VEC3, type_, layers.x_axis,                                              \
            .doc =                                                                             \
                "Direction of the material x axis, projected onto the surface; 0 0 0: along the side from node 0 to node 1.")

#endif
