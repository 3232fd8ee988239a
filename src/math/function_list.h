// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The built-in kinds of functions. A new kind is one file, function_<name>.c, and one word here.
#ifndef MATH_FUNCTION_LIST_H
#define MATH_FUNCTION_LIST_H

#define KAI_FUNCTION_KINDS(X) \
    X(sine)                   \
    X(ramp)                   \
    X(step)                   \
    X(table)                  \
    X(polynomial)             \
    X(sequence)               \
    X(repeat)                 \
    X(sum)                    \
    X(product)                \
    X(signal)                 \
    X(control)

#endif
