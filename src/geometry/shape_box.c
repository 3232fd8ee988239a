// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// V = abc, I_x = m (b² + c²) / 12.
#include <kairos/shape.h>

typedef kai_shape_box_params params;

static void shape_box_mass(const void* instance, kai_mass_properties* out)
{
    const kai_vec3 s = ((const params*)instance)->size;
    const double m = s.x * s.y * s.z;
    out->mass = m;
    out->com = kai_vec3_zero();
    out->inertia = kai_mat33_diagonal(kai_vec3_make(m * (s.y * s.y + s.z * s.z) / 12.0,
                                                    m * (s.x * s.x + s.z * s.z) / 12.0,
                                                    m * (s.x * s.x + s.y * s.y) / 12.0));
}

static void shape_box_bounds(const void* instance, const kai_mat33* rotation, kai_vec3* centre,
                             kai_vec3* half)
{
    const kai_vec3 s = ((const params*)instance)->size;
    double h[3];
    for (int i = 0; i < 3; i++) {
        const double* row = rotation->m[i];
        h[i] = 0.5 * (fabs(row[0]) * s.x + fabs(row[1]) * s.y + fabs(row[2]) * s.z);
    }
    *centre = kai_vec3_zero();
    *half = kai_vec3_make(h[0], h[1], h[2]);
}

/// The nearest face.
static double shape_box_depth(const void* instance, kai_vec3 point)
{
    const kai_vec3 s = ((const params*)instance)->size;
    return fmin(fmin(0.5 * s.x - fabs(point.x), 0.5 * s.y - fabs(point.y)),
                0.5 * s.z - fabs(point.z));
}

static const kai_param PARAMS[] = {
    KAI_PARAM(VEC3, params, size, .unit = "m", .required = true, .range = KAI_ABOVE(0.0),
              .doc = "Full edge lengths along x, y and z."),
};

const kai_shape_kind kai_shape_box = {.kind =
                                          KAI_KIND("box", params, PARAMS, .doc = "A box, centred."),
                                      .mass = shape_box_mass,
                                      .bounds = shape_box_bounds,
                                      .depth = shape_box_depth};
