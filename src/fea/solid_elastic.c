// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Isotropic and linear:  W = λ/2 (tr E)² + μ E : E,  λ = E ν / ((1 + ν)(1 - 2ν)),  μ = E / 2(1 + ν)
#include "fea/solid_params.h"

#include <string.h>

typedef kai_solid_elastic_params instance_type;

static const kai_param PARAMS[] = {
    KAI_SOLID_PARAMS(instance_type),
    KAI_PARAM(REAL, instance_type, young, .unit = "Pa", .required = true, .range = KAI_ABOVE(0.0),
              .doc = "Young's modulus."),
    KAI_PARAM(REAL, instance_type, poisson, .initial = {0.3}, .range = KAI_BETWEEN(-0.99, 0.4999),
              .doc = "Poisson's ratio."),
};

static bool evaluate(const void* instance, const double strain[6], double* energy, double* stress,
                     double* stiffness)
{
    const instance_type* p = instance;
    const double mu = 0.5 * p->young / (1.0 + p->poisson);
    const double lambda = 2.0 * mu * p->poisson / (1.0 - 2.0 * p->poisson);
    const double trace = strain[0] + strain[1] + strain[2];
    double s[6], w = 0.0;
    for (int i = 0; i < 6; i++) {
        s[i] = i < 3 ? lambda * trace + 2.0 * mu * strain[i] : mu * strain[i];
        w += 0.5 * s[i] * strain[i];
    }
    if (energy) *energy = w;
    if (stress) memcpy(stress, s, sizeof s);
    if (stiffness) {
        memset(stiffness, 0, 36 * sizeof *stiffness);
        for (int i = 0; i < 3; i++) {
            for (int j = 0; j < 3; j++) stiffness[6 * i + j] = lambda;
            stiffness[7 * i] += 2.0 * mu;
            stiffness[7 * (i + 3)] = mu;
        }
    }
    return true;
}

const kai_solid_kind kai_solid_elastic = {
    .kind = KAI_KIND("elastic", instance_type, PARAMS,
                     .doc = "Isotropic and linear; St Venant-Kirchhoff where strains are large."),
    .linear = true,
    .evaluate = evaluate};
