// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Mass properties of a body bounded by triangles, exact for flat faces.
//
// Each triangle spans a signed tetrahedron with a reference point r. For corners a, b, c seen from
// r, with v = a · (b × c) / 6 and s = a + b + c:
//     ∫ dV = v,   ∫ x dV = v s / 4,   ∫ x xᵀ dV = v (a aᵀ + b bᵀ + c cᵀ + s sᵀ) / 20.
// The sums over a closed surface do not depend on r; a reference near the centre keeps digits.
#ifndef GEOMETRY_SOLID_H
#define GEOMETRY_SOLID_H

#include <kairos/math.h>

typedef struct kai_solid {
    kai_vec3 reference;
    double volume;
    kai_vec3 first;   // ∫ (x - r) dV
    kai_mat33 second; // ∫ (x - r) (x - r)ᵀ dV
} kai_solid;

/// Starts the sums.
kai_solid kai_solid_make(kai_vec3 reference);

/// Adds a triangle, its corners counter-clockwise seen from outside.
void kai_solid_add(kai_solid* solid, kai_vec3 a, kai_vec3 b, kai_vec3 c);

/// Volume, centre and inertia for density 1. Meaningless where the volume is not > 0.
kai_mass_properties kai_solid_mass(const kai_solid* solid);

#endif
