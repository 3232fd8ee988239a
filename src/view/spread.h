// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Where most of many numbers lie: one impact among a thousand calm frames must not make a scale
// dark for all of them. Keeps a sample, evenly spread.
#ifndef VIEW_SPREAD_H
#define VIEW_SPREAD_H

#include "base/text.h"

/// A zeroed one is empty.
typedef struct kai_spread {
    kai_text sample; // float
} kai_spread;

/// Looks at some of `count` numbers, those not finite left out.
void kai_spread_add(kai_spread* spread, const float* numbers, size_t count);

/// The number that a share (0 to 1) of the sample lies below; 0 without any.
double kai_spread_at(kai_spread* spread, double share);

/// Gives the memory back.
void kai_spread_free(kai_spread* spread);

#endif
