// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// y = c0 + c1 x + c2 x² + …, by Horner's rule with both derivatives carried along.
#include <kairos/function.h>

typedef kai_function_polynomial_params params;

static kai_jet evaluate(const kai_function_set* set, const void* instance, double x)
{
    (void)set;
    const params* p = instance;
    double y = 0.0, dy = 0.0, half = 0.0; // half: half the second derivative
    for (uint32_t i = p->coefficients.rows; i-- > 0;) {
        half = half * x + dy;
        dy = dy * x + y;
        y = y * x + p->coefficients.data[i];
    }
    return (kai_jet){y, dy, 2.0 * half};
}

static const kai_param PARAMS[] = {
    KAI_PARAM(TABLE, params, coefficients, .columns = 1, .rows_max = 64, .main = true,
              .required = true, .doc = "c0, c1, c2 and so on, of c0 + c1 x + c2 x² and so on."),
};

const kai_function_kind kai_function_polynomial = {
    .kind = KAI_KIND("polynomial", params, PARAMS, .doc = "A polynomial."), .evaluate = evaluate};
