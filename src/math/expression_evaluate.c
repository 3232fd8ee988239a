// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "math/expression_code.h"

#include <math.h>

static double expression_extreme(const double* x, uint32_t count, bool largest)
{
    double best = x[0];
    for (uint32_t i = 1; i < count; i++)
        if (isnan(x[i]) || (largest ? x[i] > best : x[i] < best)) best = x[i];
    return best;
}

static double expression_call(kai_expression_code what, const double* x, uint32_t count)
{
    switch (what) {
    case KAI_EXPRESSION_CODE_CALL_min: return expression_extreme(x, count, false);
    case KAI_EXPRESSION_CODE_CALL_max: return expression_extreme(x, count, true);
    case KAI_EXPRESSION_CODE_CALL_clamp: return x[0] < x[1] ? x[1] : x[0] > x[2] ? x[2] : x[0];
    case KAI_EXPRESSION_CODE_CALL_abs: return fabs(x[0]);
    case KAI_EXPRESSION_CODE_CALL_sign: return x[0] > 0.0 ? 1.0 : x[0] < 0.0 ? -1.0 : x[0];
    case KAI_EXPRESSION_CODE_CALL_floor: return floor(x[0]);
    case KAI_EXPRESSION_CODE_CALL_ceil: return ceil(x[0]);
    case KAI_EXPRESSION_CODE_CALL_round: return round(x[0]);
    case KAI_EXPRESSION_CODE_CALL_mod: return x[0] - x[1] * floor(x[0] / x[1]);
    case KAI_EXPRESSION_CODE_CALL_sqrt: return sqrt(x[0]);
    case KAI_EXPRESSION_CODE_CALL_hypot: return hypot(x[0], x[1]);
    case KAI_EXPRESSION_CODE_CALL_exp: return exp(x[0]);
    case KAI_EXPRESSION_CODE_CALL_log: return log(x[0]);
    case KAI_EXPRESSION_CODE_CALL_log10: return log10(x[0]);
    case KAI_EXPRESSION_CODE_CALL_sin: return sin(x[0]);
    case KAI_EXPRESSION_CODE_CALL_cos: return cos(x[0]);
    case KAI_EXPRESSION_CODE_CALL_tan: return tan(x[0]);
    case KAI_EXPRESSION_CODE_CALL_asin: return asin(x[0]);
    case KAI_EXPRESSION_CODE_CALL_acos: return acos(x[0]);
    case KAI_EXPRESSION_CODE_CALL_atan: return atan(x[0]);
    case KAI_EXPRESSION_CODE_CALL_atan2: return atan2(x[0], x[1]);
    case KAI_EXPRESSION_CODE_CALL_tanh: return tanh(x[0]);
    case KAI_EXPRESSION_CODE_CALL_if: return x[0] != 0.0 ? x[1] : x[2];
    default: return (double)NAN;
    }
}

static double operate(const kai_expression_op* op, const double* x, const double* values)
{
    switch ((kai_expression_code)op->code) {
    case KAI_EXPRESSION_CODE_NUMBER: return op->number;
    case KAI_EXPRESSION_CODE_VARIABLE: return values[op->index];
    case KAI_EXPRESSION_CODE_ADD: return x[0] + x[1];
    case KAI_EXPRESSION_CODE_SUBTRACT: return x[0] - x[1];
    case KAI_EXPRESSION_CODE_MULTIPLY: return x[0] * x[1];
    case KAI_EXPRESSION_CODE_DIVIDE: return x[0] / x[1];
    case KAI_EXPRESSION_CODE_POWER: return pow(x[0], x[1]);
    case KAI_EXPRESSION_CODE_NEGATE: return -x[0];
    case KAI_EXPRESSION_CODE_NOT: return x[0] == 0.0;
    case KAI_EXPRESSION_CODE_LESS: return x[0] < x[1];
    case KAI_EXPRESSION_CODE_LESS_EQUAL: return x[0] <= x[1];
    case KAI_EXPRESSION_CODE_GREATER: return x[0] > x[1];
    case KAI_EXPRESSION_CODE_GREATER_EQUAL: return x[0] >= x[1];
    case KAI_EXPRESSION_CODE_EQUAL: return x[0] == x[1];
    case KAI_EXPRESSION_CODE_UNEQUAL: return x[0] != x[1];
    case KAI_EXPRESSION_CODE_AND: return x[0] != 0.0 && x[1] != 0.0;
    case KAI_EXPRESSION_CODE_OR: return x[0] != 0.0 || x[1] != 0.0;
    default: return expression_call((kai_expression_code)op->code, x, op->index);
    }
}

// How many values an operation takes off the stack.
static uint32_t taken_by(const kai_expression_op* op)
{
    return op->code <= KAI_EXPRESSION_CODE_VARIABLE ? 0 : op->index;
}

static double run(const kai_expression* e, const double* values, const kai_expression_op** odd)
{
    double stack[KAI_EXPRESSION_DEPTH + 1];
    uint32_t top = 0;
    for (uint32_t i = 0; i < e->count; i++) {
        const kai_expression_op* op = &e->ops[i];
        top -= taken_by(op);
        stack[top] = operate(op, &stack[top], values);
        if (odd && !*odd && !isfinite(stack[top])) *odd = op;
        top++;
    }
    return e->count > 0 ? stack[0] : (double)NAN;
}

double kai_expression_evaluate(const kai_expression* expression, const double* values)
{
    return run(expression, values, NULL);
}

const kai_expression_op* kai_expression_evaluate_odd(const kai_expression* expression,
                                                     const double* values)
{
    const kai_expression_op* odd = NULL;
    run(expression, values, &odd);
    return odd;
}
