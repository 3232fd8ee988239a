// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// What tetrahedra and hexahedra share: shape functions, quadrature, and the layout of what
// prepare() leaves. Nodes have no slopes. Their order is that of VTK (and Abaqus): corners, then
// midpoints of edges.
//
// Two formulations. *total*: Green-Lagrange strain at every point of quadrature, for any solid
// (total.h). *corotational*: linear strain in a frame that turns with the element, for linear
// solids; the stiffness is made once (corotational.h).
//
// Data of an element, numbers in a row: a head, reference coordinates [3][nodes] about their mean,
//
//     total          weights [points], gradients [points][3][nodes], then of enhanced elements
//                    ratios [points] and map [36] (hex8), or M⁻¹ of projected.h (quadratic kinds)
//     corotational   mean gradient [3][nodes], stiffness [9][nodes][nodes]: K_ab at [3 i + j][a][b]
#ifndef FEA_VOLUME_H
#define FEA_VOLUME_H

#include <kairos/element_kinds.h>

/// A shape: its functions and its quadrature, in natural coordinates.
typedef struct kai_volume_shape {
    int nodes;
    int point_count;
    const double (*points)[4]; ///< natural coordinates and weight
    int fine_count;            ///< for mass
    const double (*fine)[4];   ///< likewise
    /// Shape functions [nodes] and their slopes [3][nodes].
    void (*evaluate)(const double at[3], double* n, double* slopes);
    /// From the cube of kai_element_kind.sample to natural coordinates. NULL: the same.
    void (*place)(const double cube[3], double at[3]);
    /// Enhanced ones: functions that the change of volume is projected onto (projected.h). 0: modes
    /// of strain instead (enhanced.h).
    int projected;
} kai_volume_shape;

/// What the data of every element starts with.
typedef struct kai_volume_head {
    int64_t total;    ///< 1: total Lagrangian
    int64_t enhanced; ///< 1: with a remedy against locking
    int64_t isotropic;
    double volume;     ///< m³
    double density;    ///< kg/m³
    double damping;    ///< s
    double lambda, mu; ///< Pa, of isotropic ones
} kai_volume_head;

_Static_assert(sizeof(kai_volume_head) == 64, "eight numbers");

/// Where things lie, in numbers.
#define KAI_VOLUME_X               8
#define KAI_VOLUME_WEIGHTS(n)      (8 + 3 * (n))
#define KAI_VOLUME_GRADIENTS(n, g) (8 + 3 * (n) + (g))
#define KAI_VOLUME_ENHANCED(n, g)  (8 + 3 * (n) + (g) + 3 * (n) * (g))
#define KAI_VOLUME_MEAN(n)         (8 + 3 * (n))
#define KAI_VOLUME_STIFFNESS(n)    (8 + 6 * (n))

/// How many numbers the data of an element takes.
#define KAI_VOLUME_TOTAL_COUNT(n, g, enhanced) \
    (KAI_VOLUME_ENHANCED(n, g) + ((enhanced) ? (g) + 36 : 0))
#define KAI_VOLUME_COROTATIONAL_COUNT(n) (KAI_VOLUME_STIFFNESS(n) + 9 * (n) * (n))
#define KAI_VOLUME_COUNT(n, g, enhanced)                                       \
    (KAI_VOLUME_TOTAL_COUNT(n, g, enhanced) > KAI_VOLUME_COROTATIONAL_COUNT(n) \
         ? KAI_VOLUME_TOTAL_COUNT(n, g, enhanced)                              \
         : KAI_VOLUME_COROTATIONAL_COUNT(n))

/// Gauss points of the cube, 2 × 2 × 2 and 3 × 3 × 3, and of the tetrahedron, exact to order 5.
extern const double kai_volume_gauss_8[8][4];
extern const double kai_volume_gauss_27[27][4]; ///< likewise
extern const double kai_volume_tet_14[14][4];   ///< likewise

/// From the cube into a tetrahedron: centre to centroid, corners to corners.
void kai_volume_place_tet(const double cube[3], double at[3]);

/// Fills head, coordinates, weights and gradients as `total` wants them. The message names a
/// Jacobian that is not positive.
kai_result kai_volume_lay(const kai_volume_shape* shape, const double* q, bool enhanced,
                          double* data, kai_error* err);

/// prepare() of a kind; `force` is its own, which knows `total`.
kai_result kai_volume_prepare(const kai_volume_shape* shape, const kai_element_setup* setup,
                              int formulation, bool enhanced,
                              void (*force)(const kai_element_batch*), double* data,
                              kai_error* err);

/// From `total` to `corotational`: the stiffness at rest and the mean gradient take the place of
/// weights and gradients.
void kai_volume_settle(const kai_volume_shape* shape, const kai_solid_view* solid, const double* q,
                       void (*force)(const kai_element_batch*), double* data);

/// Head and formulation of an element: the part of prepare() that does not depend on its shape.
kai_result kai_volume_choose(const kai_solid_view* solid, int formulation, kai_volume_head* head,
                             kai_error* err);

/// mass(), energy() and sample() of a kind. `data` is that of the element, `q` its coordinates.
void kai_volume_mass(const kai_volume_shape* shape, const double* data, double* out);
double kai_volume_energy(const kai_volume_shape* shape, const kai_solid_view* solid,
                         const double* data, const double* q); ///< likewise
void kai_volume_sample(const kai_volume_shape* shape, const kai_solid_view* solid,
                       const double* data, const double* q, const double at[3],
                       kai_element_sample* out); ///< likewise

/// Parameters of struct `type_` with `count_` nodes.
#define KAI_VOLUME_PARAMS(type_, count_)                                                     \
    KAI_PARAM(NODE, type_, nodes, .columns = (count_), .required = true,                     \
              .doc = "Its nodes, in VTK's order."),                                          \
        KAI_PARAM(SOLID, type_, solid, .required = true, .doc = "Material of the element."), \
        KAI_PARAM(                                                                           \
            ENUM, type_, formulation, .words = KAI_VOLUME_WORDS,                             \
            .doc =                                                                           \
                "Corotational (linear strain in a frame that rotates with the element; linear materials only) or total Lagrangian; automatic takes the first where it can.")

/// The parameter `enhanced` of struct `type_`.
#define KAI_VOLUME_ENHANCED_PARAM(type_, initial_, doc_) \
    KAI_PARAM(BOOL, type_, enhanced, .initial = {initial_}, .doc = doc_)

/// Words of kai_element_formulation.
static const char* const KAI_VOLUME_WORDS[] = {"automatic", "corotational", "total", NULL};

#endif
