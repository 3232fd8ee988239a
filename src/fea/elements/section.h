// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// What cables and beams need of a solid.
#ifndef FEA_SECTION_H
#define FEA_SECTION_H

#include <kairos/solid.h>

/// Young's modulus along x and shear modulus of twist about x, at small strain.
typedef struct kai_section_moduli {
    double young, shear; ///< Pa
} kai_section_moduli;

static inline kai_section_moduli kai_section_of(const kai_solid_view* solid)
{
    const double none[6] = {0.0};
    double d[36];
    if (!solid->kind || !solid->kind->evaluate(solid->instance, none, NULL, NULL, d))
        return (kai_section_moduli){0.0, 0.0};
    // A pull along x leaves the other two directions free: 1 / (D⁻¹)_xx of the upper left part.
    const double minor = d[7] * d[14] - d[8] * d[13];
    const double det =
        d[0] * minor - d[1] * (d[6] * d[14] - d[8] * d[12]) + d[2] * (d[6] * d[13] - d[7] * d[12]);
    return (kai_section_moduli){det / minor, 0.5 * (d[28] + d[35])};
}

#endif
