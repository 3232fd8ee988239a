// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The built-in kinds of signals. A new kind is a file blocks/block_<name>.c, and one word here.
#ifndef CONTROL_BLOCK_LIST_H
#define CONTROL_BLOCK_LIST_H

#define KAI_BLOCK_KINDS(X) \
    X(value)               \
    X(measure)             \
    X(gain)                \
    X(sum)                 \
    X(product)             \
    X(expression)          \
    X(table)               \
    X(limiter)             \
    X(rate_limiter)        \
    X(filter)              \
    X(integrator)          \
    X(pid)                 \
    X(ode)                 \
    X(delay)               \
    X(sample)              \
    X(state_machine)       \
    X(select)

#endif
