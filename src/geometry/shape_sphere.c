// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// V = 4/3 π r³, I = 2/5 m r².
#include <kairos/shape.h>

typedef kai_shape_sphere_params params;

static void shape_sphere_mass(const void* instance, kai_mass_properties* out)
{
    const double r = ((const params*)instance)->radius;
    const double m = 4.0 / 3.0 * KAI_PI * r * r * r, i = 0.4 * m * r * r;
    out->mass = m;
    out->com = kai_vec3_zero();
    out->inertia = kai_mat33_diagonal(kai_vec3_make(i, i, i));
}

static void shape_sphere_bounds(const void* instance, const kai_mat33* rotation, kai_vec3* centre,
                                kai_vec3* half)
{
    const double r = ((const params*)instance)->radius;
    (void)rotation;
    *centre = kai_vec3_zero();
    *half = kai_vec3_make(r, r, r);
}

static double shape_sphere_depth(const void* instance, kai_vec3 point)
{
    return ((const params*)instance)->radius - kai_vec3_norm(point);
}

static const kai_param PARAMS[] = {
    KAI_PARAM(REAL, params, radius, .unit = "m", .required = true, .range = KAI_ABOVE(0.0),
              .doc = "Radius."),
};

const kai_shape_kind kai_shape_sphere = {.kind =
                                             KAI_KIND("sphere", params, PARAMS, .doc = "A ball."),
                                         .mass = shape_sphere_mass,
                                         .bounds = shape_sphere_bounds,
                                         .depth = shape_sphere_depth};
