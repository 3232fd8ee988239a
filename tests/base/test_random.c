// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "base/parallel.h"
#include "helper.h"

// Known answers of Random123 (kat_vectors, philox4x32 10 rounds).
static void test_known_answers(void** state)
{
    (void)state;
    static const struct {
        uint64_t seed, stream, index;
        uint32_t words[4];
    } cases[] = {
        {0, 0, 0, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
        {UINT64_MAX, UINT64_MAX, UINT64_MAX, {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
        // Digits of pi: counter words 243f6a88 85a308d3 13198a2e 03707344, key a4093822 299f31d0.
        {0x299f31d0a4093822,
         0x0370734413198a2e,
         0x85a308d3243f6a88,
         {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
    };
    for (int i = 0; i < 3; i++) {
        uint32_t words[4];
        kai_random_words(cases[i].seed, cases[i].stream, cases[i].index, words);
        for (int k = 0; k < 4; k++) assert_int_equal(words[k], cases[i].words[k]);
    }
}

enum { DRAWS = 1000000 };

// Moments of N draws differ from the exact ones by about σ/√N; five times that is allowed.
static double allowed(double variance) { return 5.0 * sqrt(variance / DRAWS); }

static void test_uniform(void** state)
{
    (void)state;
    double sum = 0.0, squares = 0.0, neighbours = 0.0, last = 0.0;
    double least = 1.0, most = 0.0;
    for (uint64_t i = 0; i < DRAWS; i++) {
        const double u = kai_random_uniform(42, 7, i);
        assert_true(u >= 0.0 && u < 1.0);
        assert_true(u == ldexp(floor(ldexp(u, 53)), -53));
        sum += u;
        squares += u * u;
        neighbours += (u - 0.5) * (last - 0.5);
        last = u;
        least = fmin(least, u);
        most = fmax(most, u);
    }
    check_near(sum / DRAWS, 1.0 / 2.0, allowed(1.0 / 12.0), "mean of a uniform number");
    check_near(squares / DRAWS, 1.0 / 3.0, allowed(4.0 / 45.0), "mean square of a uniform number");
    check_near(neighbours / DRAWS, 0.0, allowed(1.0 / 144.0), "neighbours are independent");
    assert_true(least < 2e-5 && most > 1.0 - 2e-5);
}

static void test_normal(void** state)
{
    (void)state;
    double m[5] = {0};
    for (uint64_t i = 0; i < DRAWS; i++) {
        const double x = kai_random_normal(42, 8, i);
        assert_true(isfinite(x));
        for (int k = 1; k < 5; k++) m[k] += pow(x, k);
    }
    check_near(m[1] / DRAWS, 0.0, allowed(1.0), "mean of a normal number");
    check_near(m[2] / DRAWS, 1.0, allowed(2.0), "its variance");
    check_near(m[3] / DRAWS, 0.0, allowed(15.0), "its third moment");
    check_near(m[4] / DRAWS, 3.0, allowed(96.0), "its fourth moment");
}

static void test_direction(void** state)
{
    (void)state;
    kai_vec3 sum = kai_vec3_zero();
    kai_mat33 squares = kai_mat33_zero();
    for (uint64_t i = 0; i < DRAWS; i++) {
        const kai_vec3 d = kai_random_direction(42, 9, i);
        assert_true(fabs(kai_vec3_norm(d) - 1.0) < 4e-16);
        sum = kai_vec3_add(sum, d);
        squares = kai_mat33_add(squares, kai_mat33_outer(d, d));
    }
    check_vec3(kai_vec3_scale(sum, 1.0 / DRAWS), kai_vec3_zero(), allowed(1.0),
               "no preferred side");
    // Var(x²) = 1/5 - 1/9 and Var(xy) = 1/15, both below 0.09.
    check_mat33(kai_mat33_scale(squares, 1.0 / DRAWS),
                kai_mat33_scale(kai_mat33_identity(), 1.0 / 3.0), allowed(0.09),
                "second moments of the unit sphere");
}

static void test_rotation(void** state)
{
    (void)state;
    double second[4][4] = {{0}}, angle = 0.0;
    for (uint64_t i = 0; i < DRAWS; i++) {
        const kai_quat q = kai_random_rotation(42, 10, i);
        assert_true(kai_quat_is_unit(q, 4e-16));
        const double c[4] = {q.w, q.x, q.y, q.z};
        for (int k = 0; k < 4; k++)
            for (int l = 0; l < 4; l++) second[k][l] += c[k] * c[l];
        angle += kai_quat_angle_between(q, kai_quat_identity());
    }
    // Uniform on the sphere in four dimensions: E[q qᵀ] = 1/4, Var(w²) = 1/8 - 1/16.
    for (int k = 0; k < 4; k++)
        for (int l = 0; l < 4; l++)
            check_near(second[k][l] / DRAWS, k == l ? 0.25 : 0.0, allowed(1.0 / 16.0),
                       "second moments of the unit sphere in four dimensions");
    // Density of the angle (1 - cos θ)/π on [0, π]: mean π/2 + 2/π.
    check_near(angle / DRAWS, KAI_PI / 2 + 2 / KAI_PI, allowed(0.5),
               "mean angle of a random rotation");
}

static void test_streams_and_seeds_differ(void** state)
{
    (void)state;
    for (uint64_t i = 0; i < 1000; i++) {
        const double u = kai_random_uniform(1, 1, i);
        assert_true(u != kai_random_uniform(2, 1, i));
        assert_true(u != kai_random_uniform(1, 2, i));
        assert_true(u != kai_random_uniform(1, 1, i + 1));
        assert_true(u != kai_random_uniform(1 + (UINT64_C(1) << 32), 1, i));
        assert_true(u != kai_random_uniform(1, 1 + (UINT64_C(1) << 32), i));
        assert_true(u != kai_random_uniform(1, 1, i + (UINT64_C(1) << 32)));
    }
}

static void draw(size_t begin, size_t end, void* context)
{
    double* out = context;
    for (size_t i = begin; i < end; i++) out[i] = kai_random_normal(3, 4, i);
}

static void test_same_numbers_on_any_number_of_threads(void** state)
{
    (void)state;
    enum { COUNT = 20000 };
    static double one[COUNT], many[COUNT];
    kai_parallel_for(1, COUNT, 64, draw, one);
    const int threads[] = {2, 3, 7, 16};
    for (int k = 0; k < 4; k++) {
        memset(many, 0, sizeof many);
        kai_parallel_for(threads[k], COUNT, 64, draw, many);
        assert_memory_equal(one, many, sizeof one);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known_answers),
        cmocka_unit_test(test_uniform),
        cmocka_unit_test(test_normal),
        cmocka_unit_test(test_direction),
        cmocka_unit_test(test_rotation),
        cmocka_unit_test(test_streams_and_seeds_differ),
        cmocka_unit_test(test_same_numbers_on_any_number_of_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
