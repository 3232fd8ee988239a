// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The parameters that every solid has.
#ifndef FEA_SOLID_PARAMS_H
#define FEA_SOLID_PARAMS_H

#include <kairos/solid.h>

/// Of kai_solid_base, which is the first member `base` of struct `type_`.
#define KAI_SOLID_PARAMS(type_)                                                                                         \
    KAI_PARAM_AS("density", REAL, type_, base.density, .unit = "kg/m³", .required = true,                               \
                 .range = KAI_ABOVE(0.0), .doc = "Density without deformation."),                                       \
        KAI_PARAM_AS(                                                                                                   \
            "damping", REAL, type_, base.damping, .unit = "s", .range = KAI_AT_LEAST(0.0),                              \
            .doc =                                                                                                      \
                "Stiffness-proportional damping (Rayleigh β): stress per rate of strain, as a multiple of stiffness."), \
        KAI_PARAM_AS(                                                                                                   \
            "mass_damping", REAL, type_, base.mass_damping, .unit = "1/s",                                              \
            .range = KAI_AT_LEAST(0.0),                                                                                 \
            .doc =                                                                                                      \
                "Mass-proportional damping (Rayleigh α): force per velocity, as a multiple of mass.")

#endif
