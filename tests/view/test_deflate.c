// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Streams put together from pieces are read by zlib, and come back as they were.
#include "helper.h"
#include "view/deflate.h"

#include <kairos/kind.h>
#include <zlib.h>

static uint32_t state_of_noise = 1;

static uint32_t noise(void)
{
    state_of_noise = state_of_noise * 1664525u + 1013904223u;
    return state_of_noise >> 8;
}

// Bytes of many sorts: random, few values, mostly one value, runs of all lengths, all equal.
static uint8_t byte_of(int sort, size_t i)
{
    const uint32_t r = noise();
    switch (sort) {
    case 0: return (uint8_t)r;
    case 1: return (uint8_t)(r % 3 + (r >> 8) % 3);
    case 2: return (uint8_t)(r % 200 == 0 ? r >> 8 : 0);
    case 3: return (uint8_t)(i * i / 4096);
    case 4: return 7;
    case 5: return (uint8_t)(r % 100 < 99 ? (i >> 9) : r >> 10);
    // Few values up to the largest one: packed in fours, in pairs, and just not any more.
    case 6: return (uint8_t)(255 - r % 8);
    case 7: return (uint8_t)(255 - r % 16 * (r >> 9) % 16);
    case 8: return (uint8_t)(r % 17);
    // One value is twice as frequent as the next: codes as long as they can get.
    default: return (uint8_t)__builtin_ctz(r | 1u << 23);
    }
}

static void check_stream(const kai_text* stream, const uint8_t* data, size_t size)
{
    assert_false(stream->failed);
    uint8_t* back = malloc(size + 1);
    uLongf length = size + 1;
    assert_int_equal(uncompress(back, &length, (const Bytef*)stream->data, (uLong)stream->size),
                     Z_OK);
    assert_int_equal(length, size);
    assert_memory_equal(back, data, size);
    free(back);
}

static void test_pieces(void** state)
{
    static const size_t sizes[] = {1, 2, 8, 9, 17, 100, 267, 1000, 4096, 30000, KAI_DEFLATE_PIECE};
    uint8_t* data = malloc(KAI_DEFLATE_PIECE);
    for (int sort = 0; sort < 10; sort++)
        for (size_t k = 0; k < KAI_COUNT(sizes); k++) {
            for (size_t i = 0; i < sizes[k]; i++) data[i] = byte_of(sort, i);
            kai_text stream = {0};
            kai_deflate_begin(&stream);
            kai_deflate_end(kai_deflate_piece(data, sizes[k], &stream), &stream);
            check_stream(&stream, data, sizes[k]);
            assert_true(stream.size <= sizes[k] + 16); // never much larger
            kai_text_free(&stream);
        }
    free(data);
}

// Planes of numbers must become as small as a general compression for runs makes them.
static void test_small(void** state)
{
    enum { SIZE = 16384 };
    uint8_t data[SIZE], other[2 * SIZE];
    for (int sort = 0; sort < 10; sort++) {
        for (size_t i = 0; i < SIZE; i++) data[i] = byte_of(sort, i);
        kai_text stream = {0};
        kai_deflate_begin(&stream);
        kai_deflate_end(kai_deflate_piece(data, SIZE, &stream), &stream);
        z_stream z = {.next_in = data, .avail_in = SIZE, .next_out = other, .avail_out = 2 * SIZE};
        deflateInit2(&z, 3, Z_DEFLATED, MAX_WBITS, 8, Z_RLE);
        deflate(&z, Z_FINISH);
        deflateEnd(&z);
        // Runs are looked for at every eighth byte, so that some of less than 15 bytes are missed:
        // one in seven of those of sort 5, where nearly all there is are runs.
        const double bar = sort == 5 ? 1.2 : 1.05;
        assert_true((double)stream.size < bar * (double)z.total_out + 16.0);
        kai_text_free(&stream);
    }
}

static void test_zeros(void** state)
{
    static const uint64_t counts[] = {1, 2, 3, 4, 258, 259, 260, 261, 517, 65521, 3000000};
    uint8_t* data = calloc(1, 3000002);
    data[0] = 1;
    for (size_t k = 0; k < KAI_COUNT(counts); k++) {
        kai_text stream = {0};
        kai_deflate_begin(&stream);
        uint32_t sum = kai_deflate_piece(data, 1, &stream);
        sum = kai_deflate_join(sum, kai_deflate_zeros(counts[k], &stream), counts[k]);
        data[counts[k] + 1] = 9;
        sum = kai_deflate_join(sum, kai_deflate_piece(data + counts[k] + 1, 1, &stream), 1);
        kai_deflate_end(sum, &stream);
        check_stream(&stream, data, counts[k] + 2);
        data[counts[k] + 1] = 0;
        assert_true(stream.size < 80 + counts[k] / 1000);
        kai_text_free(&stream);
    }
    free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pieces),
        cmocka_unit_test(test_small),
        cmocka_unit_test(test_zeros),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
