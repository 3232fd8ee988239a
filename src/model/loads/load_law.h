// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Force laws given as functions: of the deflection or of its rate instead of time.
#ifndef MODEL_LOAD_LAW_H
#define MODEL_LOAD_LAW_H

#include <kairos/load.h>

/// The parameters `law` and `damping_law` of a spring whose instance is `type_`; `force_` is the
/// unit.
#define KAI_LOAD_LAW_PARAMS(type_, force_)                                                                         \
    KAI_PARAM(                                                                                                     \
        FUNCTION, type_, law, .unit = force_,                                                                      \
        .doc =                                                                                                     \
            "Additional resisting force or torque: a function whose argument is the deflection instead of time."), \
        KAI_PARAM(                                                                                                 \
            FUNCTION, type_, damping_law, .unit = force_,                                                          \
            .doc =                                                                                                 \
                "Additional resisting force or torque: a function whose argument is the rate of the deflection.")

/// A law at x; 0 without one.
static inline double kai_load_law_at(const kai_load_batch* b, kai_function law, double x)
{
    const kai_value value = {.function = law};
    return kai_function_set_value(b->functions, &value, x).y;
}

/// Its integral from 0 to x: the three-point rule of Gauss on 32 pieces, exact to order 6.
static inline double kai_load_law_integral(const kai_load_batch* b, kai_function law, double x)
{
    enum { PIECES = 32 };
    if (KAI_IS_NULL(law)) return 0.0;
    const double half = 0.5 * x / PIECES, off = half * sqrt(0.6);
    double sum = 0.0;
    for (int i = 0; i < PIECES; i++) {
        const double middle = (2 * i + 1) * half;
        sum +=
            8.0 * kai_load_law_at(b, law, middle) +
            5.0 * (kai_load_law_at(b, law, middle - off) + kai_load_law_at(b, law, middle + off));
    }
    return sum * half / 9.0;
}

#endif
