// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Blocks of frames, read back by a decoder written from docs/page-format.md.
#include "helper.h"
#include "view/codec.h"
#include "view/planes.h"

#include <math.h>
#include <zlib.h>

enum { FRAMES = 11, BLOCK = 6 };
static const double STEP = 0x1p-10;

typedef struct scene {
    size_t movers, rotated;
    bool doubles, mixed; // mixed: rows in another order, one of them missing in a frame
    double *x, *q;       // [frames][movers][3], [frames][movers][4]
} scene;

// Rounded to 32 bits. GCC 12 drops the rounding when it makes a vector of (double)(float)x.
static double as_float(double v)
{
    const volatile float f = (float)v;
    return (double)f;
}

static uint32_t unzigzag(uint32_t v) { return v >> 1 ^ (0u - (v & 1u)); }

static void decode(const uint8_t* in, size_t frames, size_t movers, size_t rotated,
                   int32_t* position, int16_t* rotation)
{
    const size_t n = frames * movers, m = frames * rotated;
    for (size_t c = 0; c < 3; c++, in += 4 * n, position += n)
        for (size_t i = 0; i < n; i++) {
            uint32_t v = unzigzag((uint32_t)in[i] | (uint32_t)in[n + i] << 8 |
                                  (uint32_t)in[2 * n + i] << 16 | (uint32_t)in[3 * n + i] << 24);
            if (i >= movers) v += (uint32_t)position[i - movers];
            if (i >= 2 * movers)
                v += (uint32_t)position[i - movers] - (uint32_t)position[i - 2 * movers];
            position[i] = (int32_t)v;
        }
    for (size_t c = 0; c < 4; c++, in += 2 * m, rotation += m)
        for (size_t i = 0; i < m; i++) {
            uint16_t v = (uint16_t)unzigzag((uint32_t)in[i] | (uint32_t)in[m + i] << 8);
            if (i >= rotated) v = (uint16_t)(v + (uint16_t)rotation[i - rotated]);
            rotation[i] = (int16_t)v;
        }
}

// Smooth flights, jumps, what is too far away, and what is no number.
static scene make(size_t movers, size_t rotated, bool doubles, bool mixed)
{
    scene s = {.movers = movers, .rotated = rotated, .doubles = doubles, .mixed = mixed};
    s.x = malloc(FRAMES * movers * 3 * sizeof *s.x);
    s.q = malloc(FRAMES * movers * 4 * sizeof *s.q);
    for (size_t k = 0; k < FRAMES; k++)
        for (size_t i = 0; i < movers; i++) {
            double *x = s.x + 3 * (k * movers + i), *q = s.q + 4 * (k * movers + i);
            const double t = 0.03 * (double)k, a = (double)i;
            for (int c = 0; c < 3; c++)
                x[c] = as_float(sin(a + c) + t * cos(3.0 * a) - 4.9 * t * t);
            if (i == 3) x[k % 3] = k % 2 ? 1e9 : -1e9;
            if (i == 4 && k > 2) x[1] = (double)NAN;
            if (i == 5) x[2] = k % 2 ? 70000.0 : -70000.0;
            q[0] = cos(a * t);
            q[1] = 0.6 * sin(a * t);
            q[2] = 0.8 * sin(a * t);
            q[3] = 0.0;
        }
    return s;
}

// The frame as a file would give it. `memory` holds what it points to.
static kai_trajectory_places places_of(const scene* s, size_t k, const uint32_t* rows,
                                       double* memory)
{
    double *x = memory, *q = memory + 3 * s->movers;
    for (size_t i = 0; i < s->movers; i++) {
        const size_t row = rows != NULL ? rows[i] : i;
        for (size_t c = 0; c < 3 && row != UINT32_MAX; c++) {
            const double v = s->x[3 * (k * s->movers + i) + c];
            if (s->doubles)
                x[3 * row + c] = v;
            else
                ((float*)x)[3 * row + c] = (float)v;
        }
        for (size_t c = 0; c < 4 && row != UINT32_MAX; c++) {
            const double v = s->q[4 * (k * s->movers + i) + c];
            if (s->doubles)
                q[4 * row + c] = v;
            else
                ((float*)q)[4 * row + c] = (float)v;
        }
    }
    return (kai_trajectory_places){s->movers, s->doubles, x, q, NULL, false};
}

static void check_block(const scene* s, const kai_text* packed, size_t first, size_t frames,
                        int32_t* last, int16_t* turned, size_t gone)
{
    const size_t n = s->movers, size = frames * (12 * n + 8 * s->rotated);
    uint8_t* bytes = malloc(size + 1);
    int32_t* position = malloc(frames * 3 * n * sizeof *position);
    int16_t* rotation = malloc((frames * 4 * s->rotated + 1) * sizeof *rotation);
    uLongf length = size + 1;
    assert_int_equal(uncompress(bytes, &length, (const Bytef*)packed->data, (uLong)packed->size),
                     Z_OK);
    assert_int_equal(length, size);
    decode(bytes, frames, n, s->rotated, position, rotation);
    for (size_t k = 0; k < frames; k++)
        for (size_t i = 0; i < n; i++) {
            const bool here = i != gone || first + k != 5;
            const double* x = s->x + 3 * ((first + k) * n + i);
            for (size_t c = 0; c < 3; c++) {
                int32_t* v = &last[3 * i + c];
                if (here) *v = kai_codec_position(x[c], 0.25, STEP, *v);
                assert_int_equal(position[(c * frames + k) * n + i], *v);
            }
            if (i >= s->rotated) continue;
            double q[4];
            for (size_t c = 0; c < 4; c++) {
                q[c] = s->q[4 * ((first + k) * n + i) + c];
                if (!s->doubles) q[c] = as_float(q[c]);
            }
            if (here) kai_codec_rotation(q, turned + 4 * i, turned + 4 * i);
            for (size_t c = 0; c < 4; c++)
                assert_int_equal(rotation[(c * frames + k) * s->rotated + i], turned[4 * i + c]);
        }
    free(bytes);
    free(position);
    free(rotation);
}

static void check_scene(scene s, int threads)
{
    const size_t n = s.movers, gone = s.mixed ? 1 : SIZE_MAX;
    const kai_planes_def def = {n,      s.rotated, BLOCK, STEP, kai_vec3_make(0.25, 0.25, 0.25),
                                threads};
    int32_t* last = calloc(3 * n, sizeof *last);
    int16_t* turned = calloc(4 * n, sizeof *turned);
    uint32_t* rows = malloc(n * sizeof *rows);
    double* memory = calloc(7 * n, sizeof *memory);
    for (size_t i = 0; i < n; i++) turned[4 * i] = 16384;
    kai_planes* planes;
    kai_text packed = {0};
    check_ok(kai_planes_make(&planes, &def, NULL));
    for (size_t k = 0, first = 0; k < FRAMES; k++) {
        for (size_t i = 0; i < n; i++) rows[i] = (uint32_t)(n - 1 - i);
        if (k == 5 && s.mixed) rows[gone] = UINT32_MAX;
        const uint32_t* given = s.mixed ? rows : NULL;
        const kai_trajectory_places places = places_of(&s, k, given, memory);
        check_ok(kai_planes_add(planes, &places, given, NULL));
        if (k != BLOCK - 1 && k != FRAMES - 1) continue;
        packed.size = 0;
        check_ok(kai_planes_end(planes, &packed, NULL));
        check_block(&s, &packed, first, k + 1 - first, last, turned, gone);
        first = k + 1;
    }
    // Mover 3 has one of its coordinates out of reach in every frame.
    assert_int_equal(kai_planes_beyond(planes), FRAMES);
    kai_planes_free(planes);
    kai_text_free(&packed);
    free(last);
    free(turned);
    free(rows);
    free(memory);
    free(s.x);
    free(s.q);
}

static void test_few(void** state)
{
    check_scene(make(7, 3, true, false), 1);
    check_scene(make(63, 63, false, true), 1);
}

static void test_one_slice(void** state)
{
    check_scene(make(64, 10, false, false), 1);
    check_scene(make(5000, 5000, true, true), 2);
}

static void test_slices(void** state)
{
    check_scene(make(20000, 0, false, false), 2);
    check_scene(make(20011, 9000, false, true), 3);
}

// More frames than a block has room for are refused.
static void test_full(void** state)
{
    const kai_planes_def def = {1, 0, 1, STEP, kai_vec3_make(0.0, 0.0, 0.0), 1};
    const double x[3] = {0};
    const kai_trajectory_places places = {1, true, x, NULL, NULL, false};
    kai_planes* planes;
    kai_error err;
    check_ok(kai_planes_make(&planes, &def, NULL));
    check_ok(kai_planes_add(planes, &places, NULL, NULL));
    check_error(kai_planes_add(planes, &places, NULL, &err), KAI_ERROR_LIMIT);
    kai_planes_free(planes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_few),
        cmocka_unit_test(test_one_slice),
        cmocka_unit_test(test_slices),
        cmocka_unit_test(test_full),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
