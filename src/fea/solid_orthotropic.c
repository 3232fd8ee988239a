// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Orthotropic and linear. The three normal strains follow from the stresses by
//
//     ε_x = σ_x/E_x - ν_xy σ_y/E_x - ν_xz σ_z/E_x    and so on, ν_yx/E_y = ν_xy/E_x,
//
// and each shear stress is G times its shear strain. W = E : D : E / 2.
#include "base/error.h"
#include "fea/solid_params.h"

#include <string.h>

typedef kai_solid_orthotropic_params instance_type;

static const kai_param PARAMS[] = {
    KAI_SOLID_PARAMS(instance_type),
    KAI_PARAM(VEC3, instance_type, young, .unit = "Pa", .required = true, .range = KAI_ABOVE(0.0),
              .doc = "Young's moduli along x, y and z."),
    KAI_PARAM(
        VEC3, instance_type, poisson,
        .doc =
            "Poisson's ratios yz, xz and xy: contraction along the second axis under tension along the first."),
    KAI_PARAM(VEC3, instance_type, shear, .unit = "Pa", .required = true, .range = KAI_ABOVE(0.0),
              .doc = "Shear moduli yz, xz and xy."),
};

/// The compliance of normal strains, xx yy zz xy xz yz, and its determinant.
static double compliance(const instance_type* p, double c[6])
{
    c[0] = 1.0 / p->young.x;
    c[1] = 1.0 / p->young.y;
    c[2] = 1.0 / p->young.z;
    c[3] = -p->poisson.z / p->young.x;
    c[4] = -p->poisson.y / p->young.x;
    c[5] = -p->poisson.x / p->young.y;
    return c[0] * (c[1] * c[2] - c[5] * c[5]) - c[3] * (c[3] * c[2] - c[5] * c[4]) +
           c[4] * (c[3] * c[5] - c[1] * c[4]);
}

/// A pull must cost energy: every 2 × 2 part and the whole are positive.
static kai_result check(const void* instance, kai_error* err)
{
    const instance_type* p = instance;
    const struct {
        const char* name;
        double ratio, along, across;
    } pairs[] = {{"yz", p->poisson.x, p->young.y, p->young.z},
                 {"xz", p->poisson.y, p->young.x, p->young.z},
                 {"xy", p->poisson.z, p->young.x, p->young.y}};
    for (size_t i = 0; i < KAI_COUNT(pairs); i++)
        if (!(pairs[i].ratio * pairs[i].ratio < pairs[i].along / pairs[i].across))
            return kai_error_set(
                err, KAI_ERROR_ARGUMENT,
                "orthotropic: poisson %s is %g; its square must be < %g, the ratio of the "
                "Young's moduli, or a pull would give energy",
                pairs[i].name, pairs[i].ratio, pairs[i].along / pairs[i].across);
    double c[6];
    const double whole = compliance(p, c) / (c[0] * c[1] * c[2]);
    if (!(whole > 0.0))
        return kai_error_set(
            err, KAI_ERROR_ARGUMENT,
            "orthotropic: poisson is [%g, %g, %g]: the determinant of the compliance is %g of "
            "that without; must be > 0, or a pull would give energy",
            p->poisson.x, p->poisson.y, p->poisson.z, whole);
    return KAI_OK;
}

static bool evaluate(const void* instance, const double strain[6], double* energy, double* stress,
                     double* stiffness)
{
    const instance_type* p = instance;
    double c[6], d[36] = {0.0}, s[6], w = 0.0;
    const double scale = 1.0 / compliance(p, c);
    d[0] = scale * (c[1] * c[2] - c[5] * c[5]);
    d[7] = scale * (c[0] * c[2] - c[4] * c[4]);
    d[14] = scale * (c[0] * c[1] - c[3] * c[3]);
    d[1] = d[6] = scale * (c[4] * c[5] - c[3] * c[2]);
    d[2] = d[12] = scale * (c[3] * c[5] - c[4] * c[1]);
    d[8] = d[13] = scale * (c[3] * c[4] - c[0] * c[5]);
    d[21] = p->shear.x;
    d[28] = p->shear.y;
    d[35] = p->shear.z;
    for (int i = 0; i < 6; i++) {
        s[i] = 0.0;
        for (int j = 0; j < 6; j++) s[i] += d[6 * i + j] * strain[j];
        w += 0.5 * s[i] * strain[i];
    }
    if (energy) *energy = w;
    if (stress) memcpy(stress, s, sizeof s);
    if (stiffness) memcpy(stiffness, d, sizeof d);
    return true;
}

const kai_solid_kind kai_solid_orthotropic = {
    .kind = KAI_KIND("orthotropic", instance_type, PARAMS, .check = check,
                     .doc = "Orthotropic and linear: wood, plies of fibres."),
    .linear = true,
    .evaluate = evaluate};
