// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Sorting pairs (a, b) by a, then b. One pass spreads them over buckets of neighbouring a; each
// bucket, small enough for the cache, is then counted out by a, and the few pairs of one a are
// sorted by b. Pairs are unique, so the result does not depend on the order they arrive in.
//
// Bytes moved a pair: 8 read to count, 8 read and 8 + 8 written for the buckets, 8 read and 8 + 8
// written inside them: 56.
#include "base/parallel.h"
#include "base/simd.h"
#include "proximity/broad_search.h"
#include "proximity/radix.h"

#include <string.h>

enum { MOST_BUCKETS = 1024, LEAST_SHIFT = 8, SHORT_ROW = 16, LONG_ROW = 96 };

typedef struct pair_sort {
    uint64_t *pairs, *other;
    size_t count, parts, buckets;
    int shift;        // bucket of a = a >> shift
    int bits;         // of numbers of items
    uint32_t* counts; // [parts][buckets], then [buckets + 1] first pairs of buckets
    uint32_t* first;  // [buckets + 1]
    uint32_t* local;  // [threads][1 << shift]
    uint32_t* digits; // [threads] KAI_RADIX_SCRATCH(1)
} pair_sort;

static int shift_for(size_t n)
{
    int shift = LEAST_SHIFT;
    while ((n >> shift) >= MOST_BUCKETS) shift++;
    return shift;
}

size_t kai_broad_pairs_table(size_t n, int threads)
{
    const size_t t = (size_t)threads;
    return t * MOST_BUCKETS * 4 + (MOST_BUCKETS + 1) * 4 + (t << shift_for(n)) * 4 +
           t * KAI_RADIX_SCRATCH(1) + 64;
}

static size_t part_begin(const pair_sort* s, size_t part) { return s->count * part / s->parts; }

static void count_buckets(size_t begin, size_t end, void* context)
{
    const pair_sort* s = context;
    for (size_t part = begin; part < end; part++) {
        uint32_t* counts = s->counts + part * s->buckets;
        memset(counts, 0, s->buckets * sizeof *counts);
        const size_t last = part_begin(s, part + 1);
        for (size_t k = part_begin(s, part); k < last; k++)
            counts[s->pairs[k] >> (32 + s->shift)]++;
    }
}

static void spread(size_t begin, size_t end, void* context)
{
    const pair_sort* s = context;
    for (size_t part = begin; part < end; part++) {
        uint32_t* next = s->counts + part * s->buckets;
        const size_t last = part_begin(s, part + 1);
        for (size_t k = part_begin(s, part); k < last; k++)
            s->other[next[s->pairs[k] >> (32 + s->shift)]++] = s->pairs[k];
    }
}

static void place_buckets(const pair_sort* s)
{
    uint32_t sum = 0;
    for (size_t b = 0; b < s->buckets; b++) {
        s->first[b] = sum;
        for (size_t part = 0; part < s->parts; part++) {
            uint32_t* c = &s->counts[part * s->buckets + b];
            const uint32_t n = *c;
            *c = sum;
            sum += n;
        }
    }
    s->first[s->buckets] = sum;
}

// Short rows by rank: every pair counts those before it, with no branch to guess. Lanes past the
// end hold the largest number and are not written.
KAI_INLINE void rank_row(uint64_t* row, size_t count)
{
    uint32_t b[SHORT_ROW], rank[SHORT_ROW];
    const uint64_t a = row[0] >> 32 << 32;
    for (size_t i = 0; i < count; i++) b[i] = (uint32_t)row[i];
    for (size_t i = count; i < SHORT_ROW; i++) b[i] = UINT32_MAX;
    memset(rank, 0, sizeof rank);
    for (size_t k = 0; k < count; k++) {
        const uint32_t at = b[k];
#pragma omp simd
        for (int i = 0; i < SHORT_ROW; i++) rank[i] += at < b[i];
    }
    for (size_t i = 0; i < count; i++) row[rank[i]] = a | b[i];
}

// The same for longer ones, through the scratch.
KAI_INLINE void rank_long_row(uint64_t* row, uint64_t* scratch, size_t count)
{
    uint32_t b[LONG_ROW], rank[LONG_ROW];
    for (size_t i = 0; i < count; i++) {
        b[i] = (uint32_t)row[i];
        rank[i] = 0;
        scratch[i] = row[i];
    }
    for (size_t k = 0; k < count; k++) {
        const uint32_t at = b[k];
#pragma omp simd
        for (size_t i = 0; i < count; i++) rank[i] += at < b[i];
    }
    for (size_t i = 0; i < count; i++) row[rank[i]] = scratch[i];
}

// Pairs of one a, by b, a number of `bits` bits. `scratch` has room for as many.
KAI_INLINE void sort_row(uint64_t* row, uint64_t* scratch, size_t count, int bits, uint32_t* digits)
{
    if (count < 2) return;
    if (count <= SHORT_ROW) {
        rank_row(row, count);
        return;
    }
    if (count <= LONG_ROW) {
        rank_long_row(row, scratch, count);
        return;
    }
    const uint64_t* sorted = kai_radix_sort(row, scratch, count, 0, bits, 1, digits);
    if (sorted != row) memcpy(row, sorted, count * sizeof *row);
}

KAI_CLONES
static void sort_buckets(size_t begin, size_t end, int worker, void* context)
{
    const pair_sort* s = context;
    const size_t rows = (size_t)1 << s->shift;
    uint32_t* next = s->local + (size_t)worker * rows;
    uint32_t* digits = s->digits + (size_t)worker * (KAI_RADIX_SCRATCH(1) / sizeof *digits);
    for (size_t b = begin; b < end; b++) {
        const size_t first = s->first[b], last = s->first[b + 1];
        memset(next, 0, rows * sizeof *next);
        for (size_t k = first; k < last; k++) next[s->other[k] >> 32 & (rows - 1)]++;
        uint32_t sum = (uint32_t)first;
        for (size_t r = 0; r < rows; r++) {
            const uint32_t n = next[r];
            next[r] = sum;
            sum += n;
        }
        for (size_t k = first; k < last; k++)
            s->pairs[next[s->other[k] >> 32 & (rows - 1)]++] = s->other[k];

        // next[r] is now the end of row r; the bucket's part of `other` is free.
        size_t row = first;
        for (size_t r = 0; r < rows; r++) {
            sort_row(s->pairs + row, s->other + row, next[r] - row, s->bits, digits);
            row = next[r];
        }
    }
}

void kai_broad_pairs_sort(uint64_t* pairs, uint64_t* other, size_t count, size_t n, int threads,
                          uint32_t* table)
{
    if (count < 2) return;
    pair_sort s = {.pairs = pairs,
                   .other = other,
                   .count = count,
                   .shift = shift_for(n),
                   .bits = kai_radix_bits(n)};
    s.buckets = ((n - 1) >> s.shift) + 1;
    s.parts = count < 4096 ? 1 : (size_t)threads;
    s.counts = table;
    s.first = s.counts + (size_t)threads * MOST_BUCKETS;
    s.local = s.first + MOST_BUCKETS + 1;
    s.digits = s.local + ((size_t)threads << s.shift);
    kai_parallel_for(threads, s.parts, 1, count_buckets, &s);
    place_buckets(&s);
    kai_parallel_for(threads, s.parts, 1, spread, &s);
    kai_parallel_for_workers(threads, s.buckets, 1, sort_buckets, &s);
}
