// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "base/check.h"
#include "solve/problem.h"

#include <math.h>
#include <stdlib.h>

void kai_problem_measure_project(double friction, const double r[3], double out[3])
{
    const double n = r[0], t = hypot(r[1], r[2]);
    double scale = 1.0; // of the tangential part
    out[0] = n;
    if (n < 0.0 || t > friction * n) {
        const double along = (n + friction * t) / (1.0 + friction * friction);
        out[0] = along > 0.0 ? along : 0.0;
        scale = t > 0.0 ? friction * out[0] / t : 0.0;
    }
    out[1] = scale * r[1];
    out[2] = scale * r[2];
}

double kai_problem_measure_given(const kai_problem* p, const double* r, const double* u,
                                 bool associated)
{
    double worst = 0.0;
    for (size_t i = 0; i < p->contacts; i++) {
        const double *ri = &r[3 * i], *ui = &u[3 * i], weight = p->system.weight[i];
        const double m = weight > 0.0 ? 1.0 / weight : 1.0;
        const double lift = associated ? 0.0 : p->mu[i] * hypot(ui[1], ui[2]);
        const double at[3] = {ri[0] - m * (ui[0] + lift), ri[1] - m * ui[1], ri[2] - m * ui[2]};
        double to[3];
        kai_problem_measure_project(p->mu[i], at, to);
        const double d[3] = {ri[0] - to[0], ri[1] - to[1], ri[2] - to[2]};
        const double far = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]) / m;
        if (!(far <= worst)) worst = far;
    }
    return worst;
}

kai_result kai_problem_measure(kai_problem* problem, const double* r, bool associated,
                               double* residual, kai_error* err)
{
    kai_problem* p = problem;
    KAI_GIVEN(err, problem, r, residual);
    KAI_TRY(kai_problem_system_make(p, 1, err));
    double *v = kai_problem_numbers(p->velocities), *l = kai_problem_numbers(p->equations),
           *u = kai_problem_numbers(3 * p->contacts),
           *inside = kai_problem_numbers(3 * p->contacts);
    kai_result result = v && l && u && inside
                            ? KAI_OK
                            : kai_error_set(err, KAI_ERROR_MEMORY, "no memory for a solution");
    for (size_t i = 0; result == KAI_OK && i < p->contacts; i++)
        kai_problem_measure_project(p->mu[i], &r[3 * i], &inside[3 * i]);
    if (result == KAI_OK) result = kai_problem_system_apply(p, 1, inside, v, l, u, err);
    if (result == KAI_OK) *residual = kai_problem_measure_given(p, inside, u, associated);
    free(v);
    free(l);
    free(u);
    free(inside);
    return result;
}
