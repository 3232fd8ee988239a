// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// What element_ancf_cable.c and its kernels share.
#ifndef FEA_ANCF_CABLE_H
#define FEA_ANCF_CABLE_H

#include "base/cpu.h"
#include "base/simd.h"

#include <kairos/element.h>

enum { KAI_ANCF_CABLE_AXIAL = 5, KAI_ANCF_CABLE_BENDING = 3 }; ///< Gauss points

/// What does not change of a cable. Symbols are those of ancf_cable_loops.h.
typedef struct kai_ancf_cable_data {
    double length;                            ///< L, m
    double damping;                           ///< β, s
    double smooth;                            ///< η², 1/m²
    double metric[KAI_ANCF_CABLE_AXIAL];      ///< g, m²
    double axial[KAI_ANCF_CABLE_AXIAL];       ///< weight · E A / g², N/m³
    double bending[KAI_ANCF_CABLE_BENDING];   ///< weight · E I, N m³
    double curvature[KAI_ANCF_CABLE_BENDING]; ///< κ₀, 1/m; 0 where it is straight
    double stiffness[2];                      ///< E A, N, and E I, N m²
    double mass[10];                          ///< upper triangle by rows: kg, kg m, kg m²
} kai_ancf_cable_data;

/// Points of Gauss-Legendre quadrature on 0…1.
static const double KAI_ANCF_CABLE_S[KAI_ANCF_CABLE_AXIAL] = {
    0.046910077030668004, 0.230765344947158454, 0.5, 0.769234655052841546, 0.953089922969331996};
static const double KAI_ANCF_CABLE_T[KAI_ANCF_CABLE_BENDING] = {0.112701665379258311, 0.5,
                                                                0.887298334620741689};

/// Derivatives with respect to s = x/L of the shape functions of r₂ - r₁, L r₁' and L r₂'.
KAI_INLINE void kai_ancf_cable_first(double s, double out[3])
{
    out[0] = 6.0 * s * (1.0 - s);
    out[1] = 1.0 - 4.0 * s + 3.0 * s * s;
    out[2] = 3.0 * s * s - 2.0 * s;
}

/// Their second derivatives.
KAI_INLINE void kai_ancf_cable_second(double s, double out[3])
{
    out[0] = 6.0 - 12.0 * s;
    out[1] = 6.0 * s - 4.0;
    out[2] = 6.0 * s - 2.0;
}

/// Writes forces and tangents of a batch of cables.
typedef void kai_ancf_cable_kernel(const kai_element_batch* batch);

kai_ancf_cable_kernel kai_ancf_cable_v3; ///< for AVX2
kai_ancf_cable_kernel kai_ancf_cable_v4; ///< for AVX-512

#endif
