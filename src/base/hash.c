// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "base/hash.h"

#include <string.h>

// Steele, Lea and Flood (2014), "Fast splittable pseudorandom number generators": the increment and
// the bijection of splitmix64, where every bit that goes in flips half of those that come out.
static uint64_t mix(uint64_t h)
{
    h += UINT64_C(0x9e3779b97f4a7c15); // else a run of zeros would be a fixed point
    h = (h ^ (h >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    h = (h ^ (h >> 27)) * UINT64_C(0x94d049bb133111eb);
    return h ^ (h >> 31);
}

uint64_t kai_hash_bytes(uint64_t hash, const void* bytes, size_t size)
{
    const unsigned char* p = bytes;
    for (; size >= 8; size -= 8, p += 8) {
        uint64_t word;
        memcpy(&word, p, 8);
        hash = mix(hash ^ word);
    }
    if (size > 0) {
        // The length in the free top byte, and a turn of the hash, set a tail apart from words.
        uint64_t word = (uint64_t)size << 56;
        for (size_t i = 0; i < size; i++) word |= (uint64_t)p[i] << (8 * i);
        hash = mix((hash << 32 | hash >> 32) ^ word);
    }
    return hash;
}
