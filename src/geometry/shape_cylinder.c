// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// V = π r² l, I_z = m r² / 2, I_x = m (3 r² + l²) / 12.
#include <kairos/shape.h>

typedef kai_shape_round_params params;

static void shape_cylinder_mass(const void* instance, kai_mass_properties* out)
{
    const params* p = instance;
    const double r2 = p->radius * p->radius, m = KAI_PI * r2 * p->length;
    const double i = m * (3.0 * r2 + p->length * p->length) / 12.0;
    out->mass = m;
    out->com = kai_vec3_zero();
    out->inertia = kai_mat33_diagonal(kai_vec3_make(i, i, 0.5 * m * r2));
}

/// Length of the part of row i of a rotation that is perpendicular to the axis z.
static double shape_cylinder_across(const kai_mat33* rotation, int i)
{
    return hypot(rotation->m[i][0], rotation->m[i][1]);
}

static void shape_cylinder_bounds(const void* instance, const kai_mat33* rotation, kai_vec3* centre,
                                  kai_vec3* half)
{
    const params* p = instance;
    double h[3];
    for (int i = 0; i < 3; i++)
        h[i] = 0.5 * fabs(rotation->m[i][2]) * p->length +
               p->radius * shape_cylinder_across(rotation, i);
    *centre = kai_vec3_zero();
    *half = kai_vec3_make(h[0], h[1], h[2]);
}

static double shape_cylinder_depth(const void* instance, kai_vec3 point)
{
    const params* p = instance;
    return fmin(p->radius - hypot(point.x, point.y), 0.5 * p->length - fabs(point.z));
}

static const kai_param PARAMS[] = {
    KAI_PARAM(REAL, params, radius, .unit = "m", .required = true, .range = KAI_ABOVE(0.0),
              .doc = "Radius."),
    KAI_PARAM(REAL, params, length, .unit = "m", .required = true, .range = KAI_ABOVE(0.0),
              .doc = "Length along z."),
};

const kai_shape_kind kai_shape_cylinder = {
    .kind = KAI_KIND("cylinder", params, PARAMS, .doc = "A cylinder, centred, axis z."),
    .mass = shape_cylinder_mass,
    .bounds = shape_cylinder_bounds,
    .depth = shape_cylinder_depth};
