// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Formulas: "track/2 - 0.1", "if(speed > 55 km/h, 0, gain)". A text is compiled once to a list of
// operations on a stack, units are checked while that is done, and evaluation is a plain loop that
// cannot fail, allocate or run long.
//
//   condition  a ? b : c                          comparisons give 1 or 0
//   logic      a || b   a && b   !a               0 is false, all else true
//   compare    <  <=  >  >=  ==  !=
//   sums       +  -        products  *  /        powers  ^ (from the right; -2^2 is -4)
//   calls      the functions of KAI_EXPRESSION_FUNCTIONS
//   numbers    12  0.5  1e-3, and with a unit behind: 55 mm, 90 deg, 3 N/mm, 9.81 m/s^2
//   names      letters, digits and _, joined by points: track, front.left; any text in '…'
//   constants  pi, deg
//
// A unit reaches as far as its words do: "10 m/s" is a speed, "10 m/track" a length divided by track;
// parentheses end it. A number without unit may be added to anything and is then taken for SI.
#ifndef MATH_EXPRESSION_H
#define MATH_EXPRESSION_H

#include "math/unit.h"

#include <kairos/result.h>

/// Functions: X(name, fewest arguments, most).
#define KAI_EXPRESSION_FUNCTIONS(X) \
    X(min, 1, 16)                   \
    X(max, 1, 16)                   \
    X(clamp, 3, 3)                  \
    X(abs, 1, 1)                    \
    X(sign, 1, 1)                   \
    X(floor, 1, 1)                  \
    X(ceil, 1, 1)                   \
    X(round, 1, 1)                  \
    X(mod, 2, 2)                    \
    X(sqrt, 1, 1)                   \
    X(hypot, 2, 2)                  \
    X(exp, 1, 1)                    \
    X(log, 1, 1)                    \
    X(log10, 1, 1)                  \
    X(sin, 1, 1)                    \
    X(cos, 1, 1)                    \
    X(tan, 1, 1)                    \
    X(asin, 1, 1)                   \
    X(acos, 1, 1)                   \
    X(atan, 1, 1)                   \
    X(atan2, 2, 2)                  \
    X(tanh, 1, 1)                   \
    X(if, 3, 3)

/// Largest formula: bytes of text, operations, nesting.
#define KAI_EXPRESSION_BYTES 2000
#define KAI_EXPRESSION_OPS   256
#define KAI_EXPRESSION_DEPTH 64

/// One operation: takes its arguments off the stack and puts its result there.
typedef struct kai_expression_op {
    uint16_t code;   // a kai_expression_code
    uint16_t column; // 1-based character of the text that it stands for
    uint32_t index;  // of a variable; how many arguments a call has
    double number;   // of a constant
} kai_expression_op;

/// A compiled formula. Plain data: may be copied and kept; only ops[0…count) matter.
typedef struct kai_expression {
    bool has_unit; // false: a plain number
    kai_unit unit; // of the result, SI: only the powers matter
    uint32_t count;
    kai_expression_op ops[KAI_EXPRESSION_OPS];
} kai_expression;

/// What a name stands for: a place in the values given to evaluation.
typedef struct kai_expression_variable {
    uint32_t index;
    bool has_unit;
    kai_unit unit;
} kai_expression_variable;

/// Who knows names.
typedef struct kai_expression_scope {
    void* context;
    /// Finds a name. False: there is none; `err` then may hold a message of its own, whose code is
    /// not KAI_OK.
    bool (*find)(void* context, const char* name, kai_expression_variable* out, kai_error* err);
    /// The known name most like `name`, for "did you mean"; may be NULL, and may return NULL.
    const char* (*nearest)(void* context, const char* name);
} kai_expression_scope;

/// Compiles a text. On failure `err` holds the message, and in `column` the 1-based character of the
/// text that is wrong. `scope` may be NULL: no names.
kai_result kai_expression_compile(const char* text, const kai_expression_scope* scope,
                                  kai_expression* out, kai_error* err);

/// The value, in SI units. `values` are those of the variables by index. May be infinite or NaN.
double kai_expression_evaluate(const kai_expression* expression, const double* values);

/// The first operation whose result is not finite, NULL when all are: says where a division by zero
/// happened.
const kai_expression_op* kai_expression_evaluate_odd(const kai_expression* expression,
                                                     const double* values);

#endif
