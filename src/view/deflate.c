// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Blocks of deflate (RFC 1951) with codes of their own, whose only distance is 1: a run of equal
// bytes is one byte and a copy of what stands just before. Symbols 0…255 are bytes, 256 ends a
// block, 257…285 are lengths. A block that would not shrink is stored as it is.
//
// Codes of at most 13 bits: four of them and 7 bits that wait fit into one 64-bit word. Second
// differences of smooth motion are noise of a few values, and most pieces have less than 16 in a
// row: there, bytes are counted value by value and written eight at a time, in pairs or, of less
// than 8 values, in fours, with codes of at most 7 bits: eight of them and 7 bits that wait fit as
// well.
#include "view/deflate.h"

#include "base/simd.h"

#include <stdbool.h>
#include <string.h>
#include <zlib.h>

enum {
    SYMBOLS = 286,
    END = 256,
    LONGEST_RUN = 258, // of one symbol
    SHORTEST_RUN = 8,  // that is looked for
    BITS_MOST = 13,
    NARROW = 16,        // values in a row of a piece that is packed in pairs
    NARROWER = 8,       // … in fours
    NARROW_BITS = 7,    // most bits of its codes
    PAIR_BITS = 16,     // of a table's entry that hold codes of a pair; above them, how many
    FOUR_BITS = 32,     // the same of four
    NOISE = 64,         // bytes from which on a look at the code tells
    STORED = 5,         // bytes before those of a stored block
    ORDERS = 19,        // symbols of the code for code lengths
    ORDER_BITS_MOST = 7 // of that code
};

// A run of bytes equal to the one before `start`.
typedef struct run {
    uint32_t start, length;
} run;

// Canonical code: bits of each symbol, and how many.
typedef struct code {
    uint16_t bits[SYMBOLS];
    uint8_t length[SYMBOLS];
} code;

// Bits on their way, lowest first.
typedef struct stream {
    uint8_t* to;
    uint64_t waiting;
    unsigned count;
} stream;

// Bits -------------------------------------------------------------------------------------------

KAI_INLINE void put(stream* s, uint64_t value, unsigned count)
{
    s->waiting |= value << s->count;
    s->count += count;
}

// Leaves at most 7 bits. Writes 8 bytes, of which the last may be rubbish. The compiler makes one
// store of the eight.
KAI_INLINE void settle(stream* s)
{
    uint8_t* to = s->to;
    const uint64_t w = s->waiting;
    to[0] = (uint8_t)w;
    to[1] = (uint8_t)(w >> 8);
    to[2] = (uint8_t)(w >> 16);
    to[3] = (uint8_t)(w >> 24);
    to[4] = (uint8_t)(w >> 32);
    to[5] = (uint8_t)(w >> 40);
    to[6] = (uint8_t)(w >> 48);
    to[7] = (uint8_t)(w >> 56);
    const unsigned bytes = s->count >> 3;
    s->to += bytes;
    s->waiting >>= 8 * bytes;
    s->count &= 7;
}

KAI_INLINE void put_one(stream* s, uint64_t value, unsigned count)
{
    put(s, value, count);
    settle(s);
}

// An empty stored block: the next bit begins a byte.
static void deflate_align(stream* s)
{
    put(s, 0, 3);
    s->count = (s->count + 7) & ~7u;
    settle(s);
    put(s, 0xffff0000u, 32);
    settle(s);
}

// Codes ------------------------------------------------------------------------------------------

// Symbols that occur, rarest first, as frequency · 512 + symbol.
static size_t sort_symbols(const uint32_t* frequency, size_t count, uint64_t* out)
{
    static const size_t gaps[] = {57, 23, 10, 4, 1};
    size_t n = 0;
    for (size_t i = 0; i < count; i++)
        if (frequency[i] > 0) out[n++] = (uint64_t)frequency[i] << 9 | i;
    for (size_t g = 0; g < sizeof gaps / sizeof *gaps; g++) {
        const size_t gap = gaps[g];
        for (size_t i = gap; i < n; i++) {
            const uint64_t key = out[i];
            size_t j = i;
            for (; j >= gap && out[j - gap] > key; j -= gap) out[j] = out[j - gap];
            out[j] = key;
        }
    }
    return n;
}

// How many codes of each length Huffman's tree of n >= 2 sorted frequencies has. Leaves and inner
// nodes both come in order, so the two smallest are at the heads of two queues.
static void count_lengths(const uint64_t* sorted, size_t n, unsigned* counts, unsigned most)
{
    uint64_t weight[SYMBOLS];
    uint16_t parent[2 * SYMBOLS];
    size_t leaf = 0, inner = 0;
    for (size_t node = 0; node + 1 < n; node++) {
        uint64_t sum = 0;
        for (int k = 0; k < 2; k++) {
            if (leaf < n && (inner == node || sorted[leaf] >> 9 <= weight[inner])) {
                sum += sorted[leaf] >> 9;
                parent[leaf++] = (uint16_t)node;
            } else {
                sum += weight[inner];
                parent[n + inner++] = (uint16_t)node;
            }
        }
        weight[node] = sum;
    }
    // Depths from the root, the last node, down. What is too deep is brought up to `most`.
    uint16_t depth[SYMBOLS];
    depth[n - 2] = 0;
    for (size_t node = n - 2; node-- > 0;) depth[node] = (uint16_t)(depth[parent[n + node]] + 1);
    memset(counts, 0, (most + 1) * sizeof *counts);
    for (size_t i = 0; i < n; i++) {
        const unsigned d = depth[parent[i]] + 1u;
        counts[d < most ? d : most]++;
    }
    // Codes that were brought up take too much of the room of all codes: others become longer.
    uint64_t taken = 0;
    for (unsigned d = 1; d <= most; d++) taken += (uint64_t)counts[d] << (most - d);
    for (; taken > UINT64_C(1) << most; taken--) {
        unsigned d = most - 1;
        while (counts[d] == 0) d--;
        counts[d]--;
        counts[d + 1] += 2;
        counts[most]--;
    }
}

static uint16_t deflate_reversed(unsigned bits, unsigned length)
{
    unsigned out = 0;
    for (unsigned i = 0; i < length; i++) out |= (bits >> i & 1u) << (length - 1 - i);
    return (uint16_t)out;
}

// A code for the symbols that occur; one symbol alone gets one bit.
static void make_code(const uint32_t* frequency, size_t count, unsigned most, code* c)
{
    uint64_t sorted[SYMBOLS];
    unsigned counts[BITS_MOST + 1] = {0};
    const size_t n = sort_symbols(frequency, count, sorted);
    memset(c->length, 0, sizeof c->length);
    if (n > 1)
        count_lengths(sorted, n, counts, most);
    else
        counts[1] = (unsigned)n;
    size_t next = 0;
    for (unsigned d = most; d > 0; d--)
        for (unsigned i = 0; i < counts[d]; i++) c->length[sorted[next++] & 511] = (uint8_t)d;
    unsigned first[BITS_MOST + 2] = {0};
    for (unsigned d = 1; d <= most; d++) first[d + 1] = (first[d] + counts[d]) << 1;
    for (size_t i = 0; i < count; i++)
        if (c->length[i] > 0) c->bits[i] = deflate_reversed(first[c->length[i]]++, c->length[i]);
}

// Lengths of runs --------------------------------------------------------------------------------

// Symbol of a length from 3 to 258, its extra bits and how many.
static unsigned length_symbol(unsigned length, unsigned* extra, unsigned* extra_bits)
{
    *extra = *extra_bits = 0;
    if (length == LONGEST_RUN) return 285;
    unsigned v = length - 3, bits = 0;
    while (v >> bits >= 8) bits++;
    *extra_bits = bits;
    *extra = v & ((1u << bits) - 1);
    return 257 + 4 * bits + (v >> bits);
}

// Runs of a piece, looked for at every eighth byte and then followed to both sides. Returns how
// many.
static size_t find_runs(const uint8_t* data, size_t size, run* runs)
{
    size_t count = 0, least = 1; // least: where the next may begin
    for (size_t i = 1; i + SHORTEST_RUN <= size;) {
        const uint64_t same = data[i - 1] * UINT64_C(0x0101010101010101);
        uint64_t word;
        size_t end = i;
        while (end + 8 <= size && (memcpy(&word, data + end, 8), word == same)) end += 8;
        if (end == i) {
            i += 8;
            continue;
        }
        while (end < size && data[end] == data[i - 1]) end++;
        while (i > least && data[i - 2] == data[i - 1]) i--;
        runs[count++] = (run){(uint32_t)i, (uint32_t)(end - i)};
        least = i = end + 1;
    }
    return count;
}

// Blocks -----------------------------------------------------------------------------------------

static void count_bytes(const uint8_t* data, size_t size, uint32_t tables[4][256])
{
    size_t i = 0;
    for (; i + 4 <= size; i += 4)
        for (size_t k = 0; k < 4; k++) tables[k][data[i + k]]++;
    for (; i < size; i++) tables[0][data[i]]++;
}

// How often each symbol occurs: the bytes between runs, and the runs.
static void count_symbols(const uint8_t* data, size_t size, const run* runs, size_t run_count,
                          uint32_t* frequency)
{
    uint32_t tables[4][256] = {{0}};
    memset(frequency, 0, SYMBOLS * sizeof *frequency);
    size_t from = 0;
    for (size_t k = 0; k < run_count; k++) {
        count_bytes(data + from, runs[k].start - from, tables);
        from = (size_t)runs[k].start + runs[k].length;
        frequency[285] += runs[k].length / LONGEST_RUN;
        const unsigned rest = runs[k].length % LONGEST_RUN;
        unsigned extra, bits;
        if (rest >= 3)
            frequency[length_symbol(rest, &extra, &bits)]++;
        else
            tables[0][data[runs[k].start - 1]] += rest;
    }
    if (from < size) count_bytes(data + from, size - from, tables);
    for (size_t i = 0; i < 256; i++)
        frequency[i] = tables[0][i] + tables[1][i] + tables[2][i] + tables[3][i];
    frequency[END] = 1;
}

// Code lengths as symbols: a length; 16: the one before 3 to 6 times more; 17, 18: 3 to 10 or 11 to
// 138 zeros. `extra` is how many.
static size_t list_lengths(const code* c, size_t count, uint8_t* symbols, uint8_t* extra)
{
    size_t n = 0;
    for (size_t i = 0; i < count;) {
        const uint8_t length = c->length[i];
        const size_t most = length == 0 ? 138 : 6, skip = length == 0 ? 0 : 1;
        size_t same = 0;
        while (i + skip + same < count && same < most && c->length[i + skip + same] == length)
            same++;
        if (same < 3 || skip > 0) {
            symbols[n] = length;
            extra[n++] = 0;
            i++;
        }
        if (same < 3) continue;
        symbols[n] = length > 0 ? 16 : same < 11 ? 17 : 18;
        extra[n] = (uint8_t)(same - (symbols[n] == 18 ? 11 : 3));
        n++;
        i += same;
    }
    return n;
}

// The head of a block: code lengths of all symbols and of the only distance, themselves in code.
static void put_code(stream* s, const code* c)
{
    static const uint8_t order[ORDERS] = {16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
                                          11, 4,  12, 3, 13, 2, 14, 1, 15};
    static const unsigned extra_bits[] = {2, 3, 7};
    size_t used = SYMBOLS;
    while (c->length[used - 1] == 0) used--;
    uint8_t symbols[SYMBOLS + 1], extra[SYMBOLS + 1];
    uint32_t frequency[ORDERS] = {0};
    size_t n = list_lengths(c, used, symbols, extra);
    symbols[n] = 1; // of the distance
    extra[n++] = 0;
    for (size_t i = 0; i < n; i++) frequency[symbols[i]]++;
    // A code with one symbol only would not be complete.
    frequency[0] += frequency[0] == 0;
    frequency[1] += frequency[1] == 0;
    code lengths;
    make_code(frequency, ORDERS, ORDER_BITS_MOST, &lengths);
    size_t last = ORDERS;
    while (last > 4 && lengths.length[order[last - 1]] == 0) last--;
    put(s, 0x4, 3); // not the last block; codes of its own
    put(s, used - 257, 5);
    put(s, 0, 5); // one distance
    put_one(s, last - 4, 4);
    for (size_t i = 0; i < last; i++) put_one(s, lengths.length[order[i]], 3);
    for (size_t i = 0; i < n; i++) {
        put(s, lengths.bits[symbols[i]], lengths.length[symbols[i]]);
        if (symbols[i] >= 16) put(s, extra[i], extra_bits[symbols[i] - 16]);
        settle(s);
    }
}

static void put_bytes(stream* s, const code* c, const uint8_t* data, size_t size)
{
    stream t = *s; // in registers
    size_t i = 0;
    for (; i + 4 <= size; i += 4) {
        for (size_t k = 0; k < 4; k++) put(&t, c->bits[data[i + k]], c->length[data[i + k]]);
        settle(&t);
    }
    for (; i < size; i++) put_one(&t, c->bits[data[i]], c->length[data[i]]);
    *s = t;
}

// Pairs ------------------------------------------------------------------------------------------

// Eight bytes less `least` each, all below 16, as four pairs: in the low bytes of 16-bit words.
KAI_INLINE uint64_t pairs_of(const uint8_t* data, uint64_t least)
{
    uint64_t w;
    memcpy(&w, data, 8);
    w -= least;
    return (w | w >> 4) & UINT64_C(0x00ff00ff00ff00ff);
}

// Adds how often each value from `least` to `most` occurs among bytes that are of no others.
KAI_CLONES
static void count_few(const uint8_t* data, size_t size, unsigned least, unsigned most,
                      uint32_t* frequency)
{
    enum { LANES = 64, ROWS = 255, PART = LANES * ROWS }; // rows that sums of 8 bits take
    for (size_t at = 0; at + LANES <= size; at += PART) {
        const size_t rows = size - at < PART ? (size - at) / LANES : ROWS;
        for (unsigned v = least; v <= most; v++) {
            const uint8_t value = (uint8_t)v; // compared as a byte, not as a wider number
            uint8_t sums[LANES] = {0};
            uint32_t sum = 0;
            for (size_t r = 0; r < rows; r++) {
                const uint8_t* d = data + at + LANES * r;
#pragma omp simd
                for (int k = 0; k < LANES; k++)
                    sums[k] = (uint8_t)(sums[k] + (d[k] == value ? 1 : 0));
            }
#pragma omp simd reduction(+ : sum)
            for (int k = 0; k < LANES; k++) sum += sums[k];
            frequency[v] += sum;
        }
    }
    for (size_t i = size / LANES * LANES; i < size; i++) frequency[data[i]]++;
}

// Bits of two symbols one after the other, and how many above them; 0 where one does not occur.
KAI_INLINE uint32_t join_codes(const code* c, size_t a, size_t b)
{
    if (c->length[a] == 0 || c->length[b] == 0) return 0;
    return (c->bits[a] | (uint32_t)c->bits[b] << c->length[a]) |
           (uint32_t)(c->length[a] + c->length[b]) << PAIR_BITS;
}

// All bytes but the last few.
static size_t put_pairs(stream* s, const code* c, const uint8_t* data, size_t size, uint8_t least)
{
    enum { LOW = (1 << PAIR_BITS) - 1 };
    uint32_t table[256];
    const uint64_t all = least * UINT64_C(0x0101010101010101);
    // Values beyond 255 are in no pair that occurs.
    for (size_t k = 0; k < 256; k++)
        table[k] = join_codes(c, (least + (k & 15)) & 255, (least + (k >> 4)) & 255);
    stream t = *s;
    size_t i = 0;
    for (; i + 8 <= size; i += 8) {
        const uint64_t p = pairs_of(data + i, all);
        const uint32_t e0 = table[p & 255], e1 = table[p >> 16 & 255];
        const uint32_t e2 = table[p >> 32 & 255], e3 = table[p >> 48];
        const unsigned n01 = (e0 >> PAIR_BITS) + (e1 >> PAIR_BITS);
        const uint64_t b01 = (e0 & LOW) | (uint64_t)(e1 & LOW) << (e0 >> PAIR_BITS);
        const uint64_t b23 = (e2 & LOW) | (uint64_t)(e3 & LOW) << (e2 >> PAIR_BITS);
        put(&t, b01 | b23 << n01, n01 + (e2 >> PAIR_BITS) + (e3 >> PAIR_BITS));
        settle(&t);
    }
    *s = t;
    return i;
}

// The codes of four values below 8, from those of two.
KAI_CLONES
static void join_fours(const uint32_t* restrict pairs, uint64_t* restrict fours)
{
    for (size_t b = 0; b < 64; b++) {
        const uint64_t high = pairs[b] & ((1 << PAIR_BITS) - 1), more = pairs[b] >> PAIR_BITS;
#pragma omp simd
        for (size_t a = 0; a < 64; a++) {
            const uint64_t bits = pairs[a] >> PAIR_BITS;
            fours[64 * b + a] =
                (pairs[a] & ((1 << PAIR_BITS) - 1)) | high << bits | (bits + more) << FOUR_BITS;
        }
    }
}

static size_t put_fours(stream* s, const code* c, const uint8_t* data, size_t size, uint8_t least)
{
    static const uint64_t LOW = (UINT64_C(1) << FOUR_BITS) - 1;
    uint32_t pairs[64];
    uint64_t table[4096];
    const uint64_t all = least * UINT64_C(0x0101010101010101);
    for (size_t k = 0; k < 64; k++)
        pairs[k] = join_codes(c, (least + (k & 7)) & 255, (least + (k >> 3)) & 255);
    join_fours(pairs, table);
    stream t = *s;
    size_t i = 0;
    for (; i + 8 <= size; i += 8) {
        uint64_t w;
        memcpy(&w, data + i, 8);
        w -= all;
        w = (w | w >> 5) & UINT64_C(0x003f003f003f003f);
        w |= w >> 10;
        const uint64_t e0 = table[w & 4095], e1 = table[w >> 32 & 4095];
        const unsigned n = (unsigned)(e0 >> FOUR_BITS);
        put(&t, (e0 & LOW) | (e1 & LOW) << n, n + (unsigned)(e1 >> FOUR_BITS));
        settle(&t);
    }
    *s = t;
    return i;
}

// Blocks of runs ---------------------------------------------------------------------------------

static void put_run(stream* s, const code* c, uint8_t byte, uint32_t length)
{
    for (; length >= LONGEST_RUN; length -= LONGEST_RUN)
        put_one(s, c->bits[285], c->length[285] + 1u); // the distance is one zero bit
    if (length < 3) {
        for (; length > 0; length--) put_one(s, c->bits[byte], c->length[byte]);
        return;
    }
    unsigned extra, bits;
    const unsigned symbol = length_symbol(length, &extra, &bits);
    put(s, c->bits[symbol], c->length[symbol]);
    put_one(s, extra, bits + 1);
}

// Bits of a block without its head.
static uint64_t bits_of(const code* c, const uint32_t* frequency)
{
    uint64_t bits = 0;
    for (unsigned i = 0; i < SYMBOLS; i++) bits += (uint64_t)frequency[i] * c->length[i];
    for (unsigned i = 257; i < SYMBOLS; i++) {
        const unsigned extra = i < 265 || i == 285 ? 0 : (i - 261) / 4;
        bits += (uint64_t)frequency[i] * (extra + 1);
    }
    return bits;
}

static void put_stored(const uint8_t* data, size_t size, kai_text* out)
{
    uint8_t* to = (uint8_t*)kai_text_room(out, size + STORED);
    if (to == NULL) return;
    const unsigned head[] = {0, (unsigned)size & 255, (unsigned)size >> 8};
    for (int i = 0; i < 3; i++) to[i] = (uint8_t)head[i];
    to[3] = (uint8_t)~to[1];
    to[4] = (uint8_t)~to[2];
    memcpy(to + STORED, data, size);
}

// Room for a block with a code and its head.
static bool begin_block(stream* s, const code* c, const uint32_t* frequency, kai_text* out)
{
    enum { HEAD_MOST = 400 }; // bytes
    char* to = kai_text_room(out, (size_t)(bits_of(c, frequency) / 8) + HEAD_MOST);
    if (to == NULL) return false;
    *s = (stream){.to = (uint8_t*)to};
    put_code(s, c);
    return true;
}

static void end_block(stream* s, const code* c, kai_text* out)
{
    put_one(s, c->bits[END], c->length[END]);
    deflate_align(s);
    out->size = (size_t)((char*)s->to - out->data);
}

// One block of bytes and runs. The last run may lead beyond the data.
static void put_block(const uint8_t* data, size_t size, const run* runs, size_t run_count,
                      kai_text* out)
{
    uint32_t frequency[SYMBOLS];
    code c;
    stream s;
    count_symbols(data, size, runs, run_count, frequency);
    make_code(frequency, SYMBOLS, BITS_MOST, &c);
    // Noise: not worth the time to see it grow. Runs, which may lead beyond the data, are none.
    if (run_count == 0 && bits_of(&c, frequency) >= 8 * (uint64_t)size && size >= NOISE) {
        put_stored(data, size, out);
        return;
    }
    if (!begin_block(&s, &c, frequency, out)) return;
    size_t from = 0;
    for (size_t k = 0; k < run_count; k++) {
        put_bytes(&s, &c, data + from, runs[k].start - from);
        put_run(&s, &c, data[runs[k].start - 1], runs[k].length);
        from = (size_t)runs[k].start + runs[k].length;
    }
    if (from < size) put_bytes(&s, &c, data + from, size - from);
    end_block(&s, &c, out);
}

// One block of bytes from `least` to `most`, less than 16.
static void put_narrow_block(const uint8_t* data, size_t size, uint8_t least, uint8_t most,
                             kai_text* out)
{
    uint32_t frequency[SYMBOLS];
    code c;
    stream s;
    memset(frequency, 0, sizeof frequency);
    frequency[END] = 1;
    count_few(data, size, least, most, frequency);
    make_code(frequency, SYMBOLS, NARROW_BITS, &c);
    if (!begin_block(&s, &c, frequency, out)) return;
    const size_t done = most - least < NARROWER ? put_fours(&s, &c, data, size, least)
                                                : put_pairs(&s, &c, data, size, least);
    put_bytes(&s, &c, data + done, size - done);
    end_block(&s, &c, out);
}

// The range of some bytes, and their checksum: with n bytes d, a = 1 + Σ dᵢ and
// b = n + Σ (n - i) dᵢ, modulo 65521 (RFC 1950).
//
// Rows of LANES bytes: where R rows have column sums S after each of them, that of S itself is
// Σ (R - r) d for column l, and n - i = LANES (R - r) - l. Both fit into 16 bits for few rows.
KAI_CLONES
static uint32_t deflate_survey(const uint8_t* data, size_t size, uint8_t* least, uint8_t* most)
{
    enum { LANES = 64, ROWS = 16, PART = LANES * ROWS };
    uint8_t low[LANES], high[LANES];
    uint32_t a = 1, b = 0;
    size_t at = 0;
    memset(low, 255, sizeof low);
    memset(high, 0, sizeof high);
    for (; at + PART <= size; at += PART) {
        uint16_t s[LANES] = {0}, w[LANES] = {0};
        uint32_t sum = 0, weighted = 0;
        for (size_t r = 0; r < ROWS; r++) {
            const uint8_t* d = data + at + LANES * r;
#pragma omp simd
            for (int k = 0; k < LANES; k++) {
                s[k] = (uint16_t)(s[k] + d[k]);
                w[k] = (uint16_t)(w[k] + s[k]);
            }
#pragma omp simd
            for (int k = 0; k < LANES; k++) {
                low[k] = d[k] < low[k] ? d[k] : low[k];
                high[k] = d[k] > high[k] ? d[k] : high[k];
            }
        }
#pragma omp simd reduction(+ : sum, weighted)
        for (uint32_t k = 0; k < LANES; k++) {
            sum += s[k];
            weighted += LANES * w[k] - k * s[k];
        }
        b = (b + PART * a + weighted) % 65521;
        a = (a + sum) % 65521;
    }
    for (; at < size; at++) { // less than a part: sums fit into 32 bits
        a += data[at];
        b += a;
        low[0] = data[at] < low[0] ? data[at] : low[0];
        high[0] = data[at] > high[0] ? data[at] : high[0];
    }
    a %= 65521;
    b %= 65521;
    *least = 255;
    *most = 0;
    for (int k = 0; k < LANES; k++) {
        *least = low[k] < *least ? low[k] : *least;
        *most = high[k] > *most ? high[k] : *most;
    }
    return b << 16 | a;
}

// How often nine bytes in a row, counted from every eighth on, are equal.
KAI_CLONES
static size_t count_same(const uint8_t* data, size_t size)
{
    uint64_t count = 0;
    const size_t words = size > 0 ? (size - 1) / 8 : 0;
#pragma omp simd reduction(+ : count)
    for (size_t k = 0; k < words; k++) {
        uint64_t a, b;
        memcpy(&a, data + 8 * k, 8);
        memcpy(&b, data + 8 * k + 1, 8);
        count += a == b;
    }
    return (size_t)count;
}

// One piece, packed or, where that is shorter, as it is.
static void put_piece(const uint8_t* data, size_t size, uint8_t least, uint8_t most, kai_text* out)
{
    enum { RUN_MOST = 8 + 2 * 7 }; // bytes of a run for each place that was seen in it
    run runs[KAI_DEFLATE_PIECE / SHORTEST_RUN];
    const size_t before = out->size, same = count_same(data, size);
    const bool narrow = most - least < NARROW, few = same * RUN_MOST < size / 4;
    size_t count = 0, inside = 0;
    if (same > 0 && !(narrow && few)) count = find_runs(data, size, runs);
    // Short runs here and there save little: of few values, those take a bit or two anyway.
    for (size_t k = 0; k < count; k++) inside += runs[k].length;
    if (inside < size / 4 && narrow)
        put_narrow_block(data, size, least, most, out);
    else
        put_block(data, size, runs, count, out);
    if (out->failed || out->size - before <= size + STORED) return;
    out->size = before;
    put_stored(data, size, out);
}

// Streams ----------------------------------------------------------------------------------------

void kai_deflate_begin(kai_text* out) { kai_text_add_bytes(out, "\x78\x01", 2); }

uint32_t kai_deflate_piece(const uint8_t* data, size_t size, kai_text* out)
{
    uint8_t least, most;
    const uint32_t checksum = deflate_survey(data, size, &least, &most);
    if (size > 0) put_piece(data, size, least, most, out);
    return checksum;
}

uint32_t kai_deflate_zeros(uint64_t count, kai_text* out)
{
    static const uint8_t zeros[4]; // one is read
    for (uint64_t left = count; left > 0;) {
        const uint32_t n = left < UINT32_MAX ? (uint32_t)left : UINT32_MAX;
        const run rest = {1, n - 1};
        put_block(zeros, 1, &rest, 1, out);
        left -= n;
    }
    return KAI_DEFLATE_EMPTY + (uint32_t)(count % 65521 << 16);
}

uint32_t kai_deflate_join(uint32_t a, uint32_t b, uint64_t size)
{
    return (uint32_t)adler32_combine(a, b, (z_off_t)size);
}

void kai_deflate_end(uint32_t checksum, kai_text* out)
{
    // The last block is an empty one.
    const uint8_t end[6] = {3,
                            0,
                            (uint8_t)(checksum >> 24),
                            (uint8_t)(checksum >> 16),
                            (uint8_t)(checksum >> 8),
                            (uint8_t)checksum};
    kai_text_add_bytes(out, end, sizeof end);
}
