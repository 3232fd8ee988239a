// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Radix sort of 64-bit items by some of their bits, least digit first, on threads. It is stable, so
// the result does not depend on the number of threads.
//
// Bytes moved a pass and item: 8 read for the counts, 8 read and 8 written (and as many fetched for
// writing) for the move: 32.
#ifndef PROXIMITY_RADIX_H
#define PROXIMITY_RADIX_H

#include <stddef.h>
#include <stdint.h>

/// Most bits of one digit: 2,048 places to write to still fit the second level of address caches.
#define KAI_RADIX_BITS 11

/// Bytes of scratch for the counts on so many threads.
#define KAI_RADIX_SCRATCH(threads) ((size_t)(threads) << (KAI_RADIX_BITS + 2))

/// Sorts `count` < 2³² items by their bits [low, high). `other` [count] is scratch, `counts` has
/// KAI_RADIX_SCRATCH(threads) bytes. Returns the buffer that holds the result: items or other.
uint64_t* kai_radix_sort(uint64_t* items, uint64_t* other, size_t count, int low, int high,
                         int threads, uint32_t* counts);

/// How many bits hold the numbers below n.
static inline int kai_radix_bits(uint64_t n)
{
    int bits = 0;
    while (bits < 64 && n > (UINT64_C(1) << bits)) bits++;
    return bits;
}

#endif
