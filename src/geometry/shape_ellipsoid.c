// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// V = 4/3 π abc, I_x = m (b² + c²) / 5.
#include <kairos/shape.h>

typedef kai_shape_ellipsoid_params params;

static void shape_ellipsoid_mass(const void* instance, kai_mass_properties* out)
{
    const kai_vec3 a = ((const params*)instance)->semi_axes;
    const double m = 4.0 / 3.0 * KAI_PI * a.x * a.y * a.z;
    out->mass = m;
    out->com = kai_vec3_zero();
    out->inertia = kai_mat33_diagonal(kai_vec3_make(0.2 * m * (a.y * a.y + a.z * a.z),
                                                    0.2 * m * (a.x * a.x + a.z * a.z),
                                                    0.2 * m * (a.x * a.x + a.y * a.y)));
}

static void shape_ellipsoid_bounds(const void* instance, const kai_mat33* rotation,
                                   kai_vec3* centre, kai_vec3* half)
{
    const kai_vec3 a = ((const params*)instance)->semi_axes;
    double h[3];
    for (int i = 0; i < 3; i++) {
        const double* row = rotation->m[i];
        h[i] = kai_vec3_norm(kai_vec3_make(row[0] * a.x, row[1] * a.y, row[2] * a.z));
    }
    *centre = kai_vec3_zero();
    *half = kai_vec3_make(h[0], h[1], h[2]);
}

static const kai_param PARAMS[] = {
    KAI_PARAM(VEC3, params, semi_axes, .unit = "m", .required = true, .range = KAI_ABOVE(0.0),
              .doc = "Half the length along x, y and z."),
};

const kai_shape_kind kai_shape_ellipsoid = {
    .kind = KAI_KIND("ellipsoid", params, PARAMS, .doc = "An ellipsoid."),
    .mass = shape_ellipsoid_mass,
    .bounds = shape_ellipsoid_bounds};
