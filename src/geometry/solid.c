// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "geometry/solid.h"

kai_solid kai_solid_make(kai_vec3 reference) { return (kai_solid){.reference = reference}; }

void kai_solid_add(kai_solid* solid, kai_vec3 a, kai_vec3 b, kai_vec3 c)
{
    a = kai_vec3_sub(a, solid->reference);
    b = kai_vec3_sub(b, solid->reference);
    c = kai_vec3_sub(c, solid->reference);
    const double v = kai_vec3_dot(a, kai_vec3_cross(b, c)) / 6.0;
    const kai_vec3 s = kai_vec3_add(a, kai_vec3_add(b, c));
    solid->volume += v;
    solid->first = kai_vec3_mul_add(solid->first, s, 0.25 * v);
    const kai_vec3 terms[4] = {a, b, c, s};
    for (int k = 0; k < 4; k++)
        solid->second = kai_mat33_add(
            solid->second, kai_mat33_outer(terms[k], kai_vec3_scale(terms[k], v / 20.0)));
}

kai_mass_properties kai_solid_mass(const kai_solid* solid)
{
    const kai_vec3 centre = kai_vec3_scale(solid->first, 1.0 / solid->volume);
    const kai_mat33 about = kai_mat33_sub(
        solid->second, kai_mat33_outer(centre, kai_vec3_scale(centre, solid->volume)));
    const double trace = about.m[0][0] + about.m[1][1] + about.m[2][2];
    kai_mass_properties out = {.mass = solid->volume,
                               .com = kai_vec3_add(solid->reference, centre)};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            out.inertia.m[i][j] = (i == j ? trace : 0.0) - 0.5 * (about.m[i][j] + about.m[j][i]);
    return out;
}
