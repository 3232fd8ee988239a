// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "proximity/radix.h"

#include "base/parallel.h"

#include <stdbool.h>
#include <string.h>

/// One pass: items go from `from` to `to`, cut into as many parts as there are threads.
typedef struct radix_pass {
    const uint64_t* from;
    uint64_t* to;
    uint32_t* counts; // [parts][size]
    size_t count, parts, size;
    int shift;
} radix_pass;

static size_t part_begin(const radix_pass* p, size_t part) { return p->count * part / p->parts; }

static void count_digits(size_t begin, size_t end, void* context)
{
    const radix_pass* p = context;
    for (size_t part = begin; part < end; part++) {
        uint32_t* counts = p->counts + part * p->size;
        memset(counts, 0, p->size * sizeof *counts);
        const size_t last = part_begin(p, part + 1);
        for (size_t k = part_begin(p, part); k < last; k++)
            counts[p->from[k] >> p->shift & (p->size - 1)]++;
    }
}

static void move_items(size_t begin, size_t end, void* context)
{
    const radix_pass* p = context;
    for (size_t part = begin; part < end; part++) {
        uint32_t* next = p->counts + part * p->size;
        const size_t last = part_begin(p, part + 1);
        for (size_t k = part_begin(p, part); k < last; k++) {
            const uint64_t item = p->from[k];
            p->to[next[item >> p->shift & (p->size - 1)]++] = item;
        }
    }
}

// Turns counts into first places: digit by digit, and part by part inside a digit. Returns false
// when all items share one digit, so that nothing has to move.
static bool places(const radix_pass* p)
{
    uint32_t sum = 0;
    for (size_t digit = 0; digit < p->size; digit++) {
        const uint32_t before = sum;
        for (size_t part = 0; part < p->parts; part++) {
            uint32_t* c = &p->counts[part * p->size + digit];
            const uint32_t n = *c;
            *c = sum;
            sum += n;
        }
        if (sum - before == p->count) return false;
    }
    return true;
}

uint64_t* kai_radix_sort(uint64_t* items, uint64_t* other, size_t count, int low, int high,
                         int threads, uint32_t* counts)
{
    if (count < 2 || high <= low) return items;
    // Counts are cleared and added up once a pass: no more of them than items, about.
    const int most = count >= 2048 ? KAI_RADIX_BITS : count >= 128 ? 8 : 5;
    const int passes = (high - low + most - 1) / most;
    const int digit = (high - low + passes - 1) / passes;
    const size_t parts = count < 4096 || threads < 1 ? 1 : (size_t)threads;
    for (int shift = low; shift < high; shift += digit) {
        const int bits = high - shift < digit ? high - shift : digit;
        radix_pass p = {items, other, counts, count, parts, (size_t)1 << bits, shift};
        kai_parallel_for(threads, parts, 1, count_digits, &p);
        if (!places(&p)) continue;
        kai_parallel_for(threads, parts, 1, move_items, &p);
        uint64_t* swap = items;
        items = other;
        other = swap;
    }
    return items;
}
