// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// What every unit test needs: cmocka, checks of numbers that say what was compared with what and
// why, repeatable random inputs, and an allocator that counts and fails on request.
#ifndef TESTS_HELPER_H
#define TESTS_HELPER_H

#include "base/thread_pool.h"

// cmocka.h wants these first.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <kairos/math.h>
#include <kairos/memory.h>
#include <kairos/random.h>
#include <kairos/result.h>

#define HELPER static __attribute__((unused))

/// Loops of tests may have this many threads on any machine, so that results for 16 threads are
/// those of 16 threads also where there are two processors.
__attribute__((constructor)) HELPER void helper_processors(void)
{
    kai_thread_pool_set_processors(16);
}

// Checks -----------------------------------------------------------------------------------------

// |actual - expected| ≤ tolerance; `source` says where the expected number or the tolerance comes
// from.
#define check_near(actual, expected, tolerance, source) \
    helper_near(actual, expected, tolerance, 1.0, #actual, source, __FILE__, __LINE__)

// |actual - expected| ≤ tolerance |expected|
#define check_relative(actual, expected, tolerance, source) \
    helper_near(actual, expected, tolerance, fabs(expected), #actual, source, __FILE__, __LINE__)

// |actual - expected| ≤ tolerance, as the length of a vector
#define check_vec3(actual, expected, tolerance, source) \
    helper_vec3_near(actual, expected, tolerance, #actual, source, __FILE__, __LINE__)

// Every entry of two matrices within tolerance
#define check_mat33(actual, expected, tolerance, source) \
    helper_mat33_near(actual, expected, tolerance, #actual, source, __FILE__, __LINE__)

// The same rotation, q or -q, every component within tolerance
#define check_rotation(actual, expected, tolerance, source) \
    helper_rotation_near(actual, expected, tolerance, #actual, source, __FILE__, __LINE__)

// A call that must succeed, and one that must fail with a certain code
#define check_ok(result)          helper_code(result, KAI_OK, #result, __FILE__, __LINE__)
#define check_error(result, code) helper_code(result, code, #result, __FILE__, __LINE__)

// Written so that NaN fails.
HELPER void helper_near(double actual, double expected, double tolerance, double scale,
                        const char* what, const char* source, const char* file, int line)
{
    if (fabs(actual - expected) <= tolerance * scale) return;
    print_error("%s\n    actual    %.17g\n    expected  %.17g\n    off by    %.3g, allowed %.3g\n"
                "    source    %s\n",
                what, actual, expected, fabs(actual - expected), tolerance * scale, source);
    _fail(file, line);
}

HELPER void helper_vec3_near(kai_vec3 actual, kai_vec3 expected, double tolerance, const char* what,
                             const char* source, const char* file, int line)
{
    const double off = kai_vec3_distance(actual, expected);
    if (off <= tolerance) return;
    print_error("%s\n    actual    (%.17g, %.17g, %.17g)\n    expected  (%.17g, %.17g, %.17g)\n"
                "    off by    %.3g, allowed %.3g\n    source    %s\n",
                what, actual.x, actual.y, actual.z, expected.x, expected.y, expected.z, off,
                tolerance, source);
    _fail(file, line);
}

HELPER void helper_mat33_near(kai_mat33 actual, kai_mat33 expected, double tolerance,
                              const char* what, const char* source, const char* file, int line)
{
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            char entry[160];
            snprintf(entry, sizeof entry, "%.100s, entry %d %d", what, i, j);
            helper_near(actual.m[i][j], expected.m[i][j], tolerance, 1.0, entry, source, file,
                        line);
        }
    }
}

HELPER void helper_rotation_near(kai_quat actual, kai_quat expected, double tolerance,
                                 const char* what, const char* source, const char* file, int line)
{
    const double a[4] = {actual.w, actual.x, actual.y, actual.z};
    const double e[4] = {expected.w, expected.x, expected.y, expected.z};
    double dot = 0.0, off = 0.0;
    for (int i = 0; i < 4; i++) dot += a[i] * e[i];
    for (int i = 0; i < 4; i++) off = fmax(off, fabs(a[i] - (dot < 0.0 ? -e[i] : e[i])));
    if (off <= tolerance && isfinite(dot)) return;
    print_error("%s\n    actual    (%.17g, %.17g, %.17g, %.17g)\n"
                "    expected  ±(%.17g, %.17g, %.17g, %.17g)\n"
                "    off by    %.3g, allowed %.3g\n    source    %s\n",
                what, a[0], a[1], a[2], a[3], e[0], e[1], e[2], e[3], off, tolerance, source);
    _fail(file, line);
}

HELPER void helper_code(kai_result actual, kai_result expected, const char* what, const char* file,
                        int line)
{
    if (actual == expected) return;
    print_error("%s\n    actual    %s (%s)\n    expected  %s\n", what, kai_result_name(actual),
                kai_result_text(actual), kai_result_name(expected));
    _fail(file, line);
}

// Random inputs: the i-th is the same in every run -----------------------------------------------

#define HELPER_SEED UINT64_C(20260101)

// Uniform in [-1, 1)
HELPER double helper_random(uint64_t i)
{
    return 2.0 * kai_random_uniform(HELPER_SEED, 0, i) - 1.0;
}

// Components uniform in [-1, 1)
HELPER kai_vec3 helper_random_vec3(uint64_t i)
{
    double c[3];
    for (uint64_t k = 0; k < 3; k++) c[k] = 2.0 * kai_random_uniform(HELPER_SEED, 1 + k, i) - 1.0;
    return kai_vec3_make(c[0], c[1], c[2]);
}

// Uniform over the unit sphere, and over all rotations
HELPER kai_vec3 helper_random_direction(uint64_t i)
{
    return kai_random_direction(HELPER_SEED, 4, i);
}
HELPER kai_quat helper_random_rotation(uint64_t i)
{
    return kai_random_rotation(HELPER_SEED, 5, i);
}

// Entries uniform in [-1, 1)
HELPER kai_mat33 helper_random_mat33(uint64_t i)
{
    return kai_mat33_from_rows(helper_random_vec3(3 * i), helper_random_vec3(3 * i + 1),
                               helper_random_vec3(3 * i + 2));
}

// A counting allocator ---------------------------------------------------------------------------

typedef struct helper_allocator {
    uint64_t calls;   // of allocate, failed ones included
    uint64_t fail_at; // this call and all later ones fail; 0: none
    size_t blocks;    // not yet given back
    size_t bytes;     // not yet given back
} helper_allocator;

HELPER void* helper_allocate(void* context, size_t bytes)
{
    helper_allocator* a = context;
    a->calls++;
    assert_true(bytes > 0 && bytes % KAI_ALIGNMENT == 0);
    if (a->fail_at != 0 && a->calls >= a->fail_at) return NULL;
    void* block = aligned_alloc(KAI_ALIGNMENT, bytes);
    assert_non_null(block);
    memset(block, 0xa5, bytes); // nobody may count on zeros
    a->blocks++;
    a->bytes += bytes;
    return block;
}

HELPER void helper_release(void* context, void* block, size_t bytes)
{
    helper_allocator* a = context;
    assert_non_null(block);
    assert_true(a->blocks > 0 && a->bytes >= bytes);
    a->blocks--;
    a->bytes -= bytes;
    free(block);
}

// The kai_allocator that counts in `a`. When all is done, a->blocks and a->bytes must be 0.
HELPER kai_allocator helper_allocator_make(helper_allocator* a)
{
    kai_allocator r = {helper_allocate, helper_release, a};
    return r;
}

#endif
