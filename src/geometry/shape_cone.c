// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Tip at z = l/2, base at z = -l/2. V = π r² l / 3, centre at z = -l/4,
// I_z = 3/10 m r², I_x = 3/80 m (4 r² + l²).
#include <kairos/shape.h>

typedef kai_shape_round_params params;

static void shape_cone_mass(const void* instance, kai_mass_properties* out)
{
    const params* p = instance;
    const double r2 = p->radius * p->radius, l = p->length, m = KAI_PI * r2 * l / 3.0;
    const double i = 0.0375 * m * (4.0 * r2 + l * l);
    out->mass = m;
    out->com = kai_vec3_make(0.0, 0.0, -0.25 * l);
    out->inertia = kai_mat33_diagonal(kai_vec3_make(i, i, 0.3 * m * r2));
}

/// Length of the part of row i of a rotation that is perpendicular to the axis z.
static double shape_cone_across(const kai_mat33* rotation, int i)
{
    return hypot(rotation->m[i][0], rotation->m[i][1]);
}

static void shape_cone_bounds(const void* instance, const kai_mat33* rotation, kai_vec3* centre,
                              kai_vec3* half)
{
    const params* p = instance;
    double c[3], h[3];
    for (int i = 0; i < 3; i++) {
        const double tip = 0.5 * rotation->m[i][2] * p->length;
        const double rim = p->radius * shape_cone_across(rotation, i);
        const double high = fmax(tip, -tip + rim), low = fmin(tip, -tip - rim);
        c[i] = 0.5 * (high + low);
        h[i] = 0.5 * (high - low);
    }
    *centre = kai_vec3_make(c[0], c[1], c[2]);
    *half = kai_vec3_make(h[0], h[1], h[2]);
}

/// The base, and the side, whose outward normal is (l, r) / sqrt(l² + r²) in radius and z.
static double shape_cone_depth(const void* instance, kai_vec3 point)
{
    const params* p = instance;
    const double l = p->length, r = p->radius, below = 0.5 * l - point.z;
    return fmin(point.z + 0.5 * l, (below * r - hypot(point.x, point.y) * l) / hypot(l, r));
}

static const kai_param PARAMS[] = {
    KAI_PARAM(REAL, params, radius, .unit = "m", .required = true, .range = KAI_ABOVE(0.0),
              .doc = "Radius of the base."),
    KAI_PARAM(REAL, params, length, .unit = "m", .required = true, .range = KAI_ABOVE(0.0),
              .doc = "Height along z."),
};

const kai_shape_kind kai_shape_cone = {
    .kind = KAI_KIND("cone", params, PARAMS, .doc = "A cone, axis z, tip at +length/2."),
    .mass = shape_cone_mass,
    .bounds = shape_cone_bounds,
    .depth = shape_cone_depth};
