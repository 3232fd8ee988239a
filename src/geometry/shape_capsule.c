// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// A cylinder of length l with two half balls, masses m_c = π r² l and m_s = 4/3 π r³ together:
// I_z = m_c r² / 2 + 2/5 m_s r²,  I_x = m_c (3 r² + l²) / 12 + m_s (2/5 r² + l² / 4 + 3/8 l r).
#include <kairos/shape.h>

typedef kai_shape_round_params params;

static void shape_capsule_mass(const void* instance, kai_mass_properties* out)
{
    const params* p = instance;
    const double r = p->radius, l = p->length;
    const double mc = KAI_PI * r * r * l, ms = 4.0 / 3.0 * KAI_PI * r * r * r;
    const double iz = 0.5 * mc * r * r + 0.4 * ms * r * r;
    const double ix =
        mc * (3.0 * r * r + l * l) / 12.0 + ms * (0.4 * r * r + 0.25 * l * l + 0.375 * l * r);
    out->mass = mc + ms;
    out->com = kai_vec3_zero();
    out->inertia = kai_mat33_diagonal(kai_vec3_make(ix, ix, iz));
}

static void shape_capsule_bounds(const void* instance, const kai_mat33* rotation, kai_vec3* centre,
                                 kai_vec3* half)
{
    const params* p = instance;
    double h[3];
    for (int i = 0; i < 3; i++) h[i] = 0.5 * fabs(rotation->m[i][2]) * p->length + p->radius;
    *centre = kai_vec3_zero();
    *half = kai_vec3_make(h[0], h[1], h[2]);
}

/// The axis is a line; all points are as deep as they are near to it.
static double shape_capsule_depth(const void* instance, kai_vec3 point)
{
    const params* p = instance;
    point.z = fmax(fabs(point.z) - 0.5 * p->length, 0.0);
    return p->radius - kai_vec3_norm(point);
}

static const kai_param PARAMS[] = {
    KAI_PARAM(REAL, params, radius, .unit = "m", .required = true, .range = KAI_ABOVE(0.0),
              .doc = "Radius."),
    KAI_PARAM(REAL, params, length, .unit = "m", .required = true, .range = KAI_ABOVE(0.0),
              .doc = "Length of the straight part, along z."),
};

const kai_shape_kind kai_shape_capsule = {
    .kind =
        KAI_KIND("capsule", params, PARAMS, .doc = "A cylinder with round ends, centred, axis z."),
    .mass = shape_capsule_mass,
    .bounds = shape_capsule_bounds,
    .depth = shape_capsule_depth};
