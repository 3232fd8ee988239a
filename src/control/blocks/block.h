// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// What kinds of signals share. Derivatives that nobody knows are NaN: sums and products of them stay
// NaN, so that no kind has to ask.
#ifndef CONTROL_BLOCKS_BLOCK_H
#define CONTROL_BLOCKS_BLOCK_H

#include "base/error.h"

#include <kairos/signal.h>
#include <math.h>

static inline kai_jet kai_block_unknown(double y) { return (kai_jet){y, (double)NAN, (double)NAN}; }

static inline kai_jet kai_block_times(kai_jet u, double factor)
{
    return (kai_jet){factor * u.y, factor * u.dy, factor * u.ddy};
}

/// Within limits; there it stands still.
static inline kai_jet kai_block_within(kai_jet u, double low, double high)
{
    if (u.y > high) return (kai_jet){high, 0.0, 0.0};
    if (u.y < low) return (kai_jet){low, 0.0, 0.0};
    return u;
}

/// KAI_ERROR_ARGUMENT unless low < high.
static inline kai_result kai_block_check_limits(double low, double high, kai_error* err)
{
    if (low < high) return KAI_OK;
    return kai_error_set(err, KAI_ERROR_ARGUMENT, "high is %g; must be > low, %g", high, low);
}

/// Limits that need not be given.
#define KAI_BLOCK_LIMITS(instance)                                                                 \
    KAI_PARAM(REAL, instance, low, .initial = {-HUGE_VAL}, .doc = "Smallest value; absent: any."), \
        KAI_PARAM(REAL, instance, high, .initial = {HUGE_VAL},                                     \
                  .doc = "Largest value; absent: any.")

/// The one input of many kinds.
#define KAI_BLOCK_INPUT(instance, text) \
    KAI_PARAM(SIGNAL, instance, input, .required = true, .doc = text)

#endif
