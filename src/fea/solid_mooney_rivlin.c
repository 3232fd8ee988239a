// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Mooney-Rivlin, shape and volume apart:
//
//     W = c₁₀ (Ī₁ - 3) + c₀₁ (Ī₂ - 3) + κ/2 (J - 1)²,  Ī₁ = I₁ I₃^(-1/3),  Ī₂ = I₂ I₃^(-2/3)
//
// At small strain the shear modulus is 2 (c₁₀ + c₀₁) and the bulk modulus κ.
#include "base/error.h"
#include "fea/solid_invariants.h"
#include "fea/solid_params.h"

typedef kai_solid_mooney_rivlin_params instance_type;

static const kai_param PARAMS[] = {
    KAI_SOLID_PARAMS(instance_type),
    KAI_PARAM(REAL, instance_type, c10, .unit = "Pa", .required = true,
              .doc = "Coefficient C10 of the first invariant."),
    KAI_PARAM(REAL, instance_type, c01, .unit = "Pa",
              .doc = "Coefficient C01 of the second invariant."),
    KAI_PARAM(REAL, instance_type, bulk, .unit = "Pa", .required = true, .range = KAI_ABOVE(0.0),
              .doc = "Bulk modulus."),
};

static kai_result check(const void* instance, kai_error* err)
{
    const instance_type* p = instance;
    if (!(p->c10 + p->c01 > 0.0))
        return kai_error_set(
            err, KAI_ERROR_ARGUMENT,
            "mooney-rivlin: c10 + c01 is %g Pa, half the shear modulus; must be > 0",
            p->c10 + p->c01);
    return KAI_OK;
}

static bool evaluate(const void* instance, const double strain[6], double* energy, double* stress,
                     double* stiffness)
{
    const instance_type* p = instance;
    kai_invariants v;
    if (!kai_invariants_of(strain, &v)) return false;
    const double a = exp(-v.log3 / 3.0), b = a * a; // I₃^(-1/3), I₃^(-2/3)
    const double j = sqrt(v.i3), i1 = 3.0 + v.i1, i2 = 3.0 + v.i2;
    if (energy) {
        const double grown = expm1(0.5 * v.log3);
        *energy = p->c10 * (3.0 * expm1(-v.log3 / 3.0) + v.i1 * a) +
                  p->c01 * (3.0 * expm1(-2.0 * v.log3 / 3.0) + v.i2 * b) +
                  0.5 * p->bulk * grown * grown;
    }
    const double ca = p->c10 * a / v.i3, cb = p->c01 * b / v.i3;
    const kai_invariants_slope w = {
        .w1 = p->c10 * a,
        .w2 = p->c01 * b,
        .w3 = -ca * i1 / 3.0 - 2.0 * cb * i2 / 3.0 + 0.5 * p->bulk * (1.0 - 1.0 / j),
        .w13 = -ca / 3.0,
        .w23 = -2.0 * cb / 3.0,
        .w33 = (4.0 * ca * i1 + 10.0 * cb * i2) / (9.0 * v.i3) + 0.25 * p->bulk / (j * v.i3)};
    kai_invariants_stress(&v, &w, stress, stiffness);
    return true;
}

const kai_solid_kind kai_solid_mooney_rivlin = {
    .kind = KAI_KIND("mooney-rivlin", instance_type, PARAMS, .check = check,
                     .doc = "Mooney-Rivlin material: rubber, nearly incompressible."),
    .evaluate = evaluate};
