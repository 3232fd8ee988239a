// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "helper.h"
#include "view/codec.h"

#include <kairos/kind.h>
#include <math.h>
#include <zlib.h>

// Half a step at most; what is not a number stays where it was; far away is at the edge.
static void test_position(void** state)
{
    const double step = 0x1p-12;
    for (int i = 0; i < 1000; i++) {
        const double x = 37.0 * sin(0.7 * i);
        const int32_t p = kai_codec_position(x, 2.5, step, 0);
        check_near(2.5 + step * p, x, 0.5 * step * (1.0 + 1e-12), "half a step");
    }
    assert_int_equal(kai_codec_position((double)NAN, 0.0, step, 12), 12);
    assert_int_equal(kai_codec_position(HUGE_VAL, 0.0, step, -3), -3);
    assert_int_equal(kai_codec_position(1e300, 0.0, step, 0), KAI_CODEC_FARTHEST);
    assert_int_equal(kai_codec_position(-1e300, 0.0, step, 0), -KAI_CODEC_FARTHEST);
}

// q and -q are one rotation: the one nearer to the frame before is taken.
static void test_rotation(void** state)
{
    int16_t last[4] = {16384, 0, 0, 0};
    for (int i = 0; i < 200; i++) {
        const kai_quat q = kai_quat_from_axis_angle(kai_vec3_make(1.0, 2.0, -1.0), 0.11 * i);
        const double sign = i % 2 ? -1.0 : 1.0;
        const double given[4] = {sign * q.w, sign * q.x, sign * q.y, sign * q.z};
        int16_t now[4];
        kai_codec_rotation(given, last, now);
        long along = 0;
        for (int c = 0; c < 4; c++) along += (long)now[c] * last[c];
        assert_true(along > 0);
        const kai_quat back = kai_quat_make(now[0], now[1], now[2], now[3]);
        check_rotation(kai_quat_normalize(back), q, 2e-4, "a step of 2^-14 a component");
        memcpy(last, now, sizeof last);
    }
    const double broken[4] = {(double)NAN, 0.0, 0.0, 1.0}, none[4] = {0};
    int16_t kept[4];
    kai_codec_rotation(broken, last, kept);
    assert_memory_equal(kept, last, sizeof kept);
    kai_codec_rotation(none, last, kept);
    assert_memory_equal(kept, last, sizeof kept);
}

static void test_deflate(void** state)
{
    uint8_t data[5000], back[5000];
    for (size_t i = 0; i < sizeof data; i++) data[i] = (uint8_t)(i % 7 == 0 ? i * 31 : 0);
    void* packed;
    size_t size;
    check_ok(kai_codec_deflate(data, sizeof data, &packed, &size, NULL));
    uLongf length = sizeof back;
    assert_int_equal(uncompress(back, &length, packed, (uLong)size), Z_OK);
    assert_int_equal(length, sizeof data);
    assert_memory_equal(back, data, sizeof data);
    free(packed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_position),
        cmocka_unit_test(test_rotation),
        cmocka_unit_test(test_deflate),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
