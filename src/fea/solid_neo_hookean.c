// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Compressible neo-Hookean:  W = μ/2 (I₁ - 3) - μ ln J + λ/2 (ln J)²,  ln J = (ln I₃)/2
#include "fea/solid_invariants.h"
#include "fea/solid_params.h"

typedef kai_solid_neo_hookean_params instance_type;

static const kai_param PARAMS[] = {
    KAI_SOLID_PARAMS(instance_type),
    KAI_PARAM(REAL, instance_type, young, .unit = "Pa", .required = true, .range = KAI_ABOVE(0.0),
              .doc = "Young's modulus at small strain."),
    KAI_PARAM(REAL, instance_type, poisson, .initial = {0.45}, .range = KAI_BETWEEN(0.0, 0.4999),
              .doc = "Poisson's ratio at small strain."),
};

static bool evaluate(const void* instance, const double strain[6], double* energy, double* stress,
                     double* stiffness)
{
    const instance_type* p = instance;
    const double mu = 0.5 * p->young / (1.0 + p->poisson);
    const double lambda = 2.0 * mu * p->poisson / (1.0 - 2.0 * p->poisson);
    kai_invariants v;
    if (!kai_invariants_of(strain, &v)) return false;
    if (energy) *energy = 0.5 * mu * (v.i1 - v.log3) + 0.125 * lambda * v.log3 * v.log3;
    const kai_invariants_slope w = {.w1 = 0.5 * mu,
                                    .w3 = (-0.5 * mu + 0.25 * lambda * v.log3) / v.i3,
                                    .w33 = (0.5 * mu + 0.25 * lambda * (1.0 - v.log3)) /
                                           (v.i3 * v.i3)};
    kai_invariants_stress(&v, &w, stress, stiffness);
    return true;
}

const kai_solid_kind kai_solid_neo_hookean = {
    .kind = KAI_KIND(
        "neo-hookean", instance_type, PARAMS,
        .doc =
            "Neo-Hookean material: rubber at moderate strain; resists elements being turned inside out."),
    .evaluate = evaluate};
