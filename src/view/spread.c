// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "view/spread.h"

#include <math.h>
#include <stdlib.h>

enum { EACH = 512, MOST = 1 << 20 }; // numbers of one call, and in all

void kai_spread_add(kai_spread* s, const float* numbers, size_t count)
{
    const size_t n = count < EACH ? count : EACH;
    for (size_t i = 0; i < n && s->sample.size < MOST * sizeof *numbers; i++) {
        const float x = numbers[i * count / n];
        if (isfinite(x)) kai_text_add_bytes(&s->sample, &x, sizeof x);
    }
}

static int spread_compare(const void* a, const void* b)
{
    const float x = *(const float*)a, y = *(const float*)b;
    return (x > y) - (x < y);
}

double kai_spread_at(kai_spread* s, double share)
{
    const size_t n = s->sample.size / sizeof(float);
    if (n == 0) return 0.0;
    float* sample = (float*)(void*)s->sample.data;
    qsort(sample, n, sizeof *sample, spread_compare);
    return (double)sample[(size_t)(share * (double)(n - 1))];
}

void kai_spread_free(kai_spread* s) { kai_text_free(&s->sample); }
