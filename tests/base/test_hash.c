// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "base/hash.h"
#include "helper.h"

static int bits_of(uint64_t x)
{
    int n = 0;
    for (; x != 0; x &= x - 1) n++;
    return n;
}

// Flipping one bit of the input flips each bit of the hash half of the time: of N flips the count
// is binomial, mean N/2, deviation √N/2. Six deviations over 64 × 64 × sizes pairs: one false alarm
// in 1e4.
static void test_avalanche(void** state)
{
    (void)state;
    enum { TRIALS = 4000 };
    const size_t sizes[] = {1, 3, 7, 8, 9, 16, 24};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        const size_t bit_count = 8 * sizes[k];
        int flips[64] = {0};
        long total = 0;
        for (uint64_t t = 0; t < TRIALS; t++) {
            uint32_t words[8];
            kai_random_words(1, t, 0, words);
            kai_random_words(1, t, 1, words + 4);
            unsigned char bytes[32];
            memcpy(bytes, words, sizeof bytes);
            // A start of its own for each trial, since one byte has too few values.
            const uint64_t begin = (uint64_t)words[6] << 32 | words[7];
            const uint64_t h = kai_hash_bytes(begin, bytes, sizes[k]);
            const size_t bit = (size_t)(t % bit_count);
            bytes[bit / 8] ^= (unsigned char)(1 << (bit % 8));
            const uint64_t d = h ^ kai_hash_bytes(begin, bytes, sizes[k]);
            for (int i = 0; i < 64; i++) flips[i] += (int)(d >> i & 1);
            total += bits_of(d);
        }
        for (int i = 0; i < 64; i++) {
            check_near(flips[i], TRIALS / 2.0, 6.0 * sqrt(TRIALS) / 2.0,
                       "binomial, six deviations");
        }
        check_near((double)total / TRIALS, 32.0, 0.5, "mean of 64 fair bits, 8 deviations");
    }
}

static void test_split_at_multiples_of_eight(void** state)
{
    (void)state;
    unsigned char bytes[203];
    for (uint64_t i = 0; i < sizeof bytes; i++) bytes[i] = (unsigned char)(97 * i + 13);
    for (size_t size = 0; size <= sizeof bytes; size++) {
        const uint64_t whole = kai_hash_bytes(KAI_HASH_START, bytes, size);
        for (size_t cut = 0; cut <= size; cut += 8) {
            uint64_t h = kai_hash_bytes(KAI_HASH_START, bytes, cut);
            h = kai_hash_bytes(h, bytes + cut, size - cut);
            assert_true(h == whole);
        }
    }
}

static void test_alignment_does_not_matter(void** state)
{
    (void)state;
    unsigned char bytes[64 + 8];
    for (size_t shift = 0; shift < 8; shift++) {
        for (size_t i = 0; i < 64; i++) bytes[shift + i] = (unsigned char)(i * i);
        static uint64_t first;
        const uint64_t h = kai_hash_bytes(KAI_HASH_START, bytes + shift, 61);
        if (shift == 0) first = h;
        assert_true(h == first);
    }
}

static int compare(const void* a, const void* b)
{
    const uint64_t x = *(const uint64_t*)a, y = *(const uint64_t*)b;
    return (x > y) - (x < y);
}

// Inputs that weak hashes confuse: zeros of any length, single bits, a tail against the same word.
static void test_no_collisions(void** state)
{
    (void)state;
    enum { ZEROS = 1000, BITS = 8000 };
    static uint64_t hashes[ZEROS + BITS];
    static unsigned char bytes[1000];
    size_t n = 0;
    for (size_t i = 0; i < ZEROS; i++) hashes[n++] = kai_hash_bytes(KAI_HASH_START, bytes, i);
    for (size_t i = 0; i < BITS; i++) {
        bytes[i / 8] = (unsigned char)(1 << (i % 8));
        hashes[n++] = kai_hash_bytes(KAI_HASH_START, bytes, sizeof bytes);
        bytes[i / 8] = 0;
    }
    qsort(hashes, n, sizeof *hashes, compare);
    for (size_t i = 1; i < n; i++) assert_true(hashes[i] != hashes[i - 1]);

    const unsigned char word[8] = {'a', 0, 0, 0, 0, 0, 0, 1};
    assert_true(kai_hash_bytes(KAI_HASH_START, word, 1) != kai_hash_bytes(KAI_HASH_START, word, 8));
    assert_true(kai_hash_bytes(KAI_HASH_START, NULL, 0) == KAI_HASH_START);
}

// Recorded hashes of run.json must mean the same in later versions: this value may not change.
static void test_frozen_value(void** state)
{
    (void)state;
    assert_true(kai_hash_bytes(KAI_HASH_START, "torque-free body", 16) ==
                UINT64_C(0xeb07e65bcc234739));
    assert_true(kai_hash_bytes(KAI_HASH_START, "torque-free bod", 15) ==
                UINT64_C(0x1a257b339be531ab));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_avalanche),
        cmocka_unit_test(test_split_at_multiples_of_eight),
        cmocka_unit_test(test_alignment_does_not_matter),
        cmocka_unit_test(test_no_collisions),
        cmocka_unit_test(test_frozen_value),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
