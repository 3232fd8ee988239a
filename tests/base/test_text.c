// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "base/text.h"
#include "helper.h"

// Distances in half steps, counted by hand.
static void test_distance(void** state)
{
    (void)state;
    static const struct {
        const char *a, *b;
        int half_steps;
    } cases[] = {
        {"", "", 0},
        {"mass", "mass", 0},
        {"", "abc", 6},
        {"mas", "mass", 2},   // insert
        {"masss", "mass", 2}, // delete
        {"mast", "mass", 2},  // replace
        {"amss", "mass", 2},  // swap
        {"Mass", "mass", 1},  // case
        {"rest-angle", "rest_angle", 1},
        {"REST-ANGLE", "rest_angle", 10},
        {"kitten", "sitting", 6},    // Levenshtein's example: 3
        {"ca", "abc", 6},            // optimal string alignment: 3, not 2
        {"gravity", "velocity", 10}, // five edits
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(kai_text_distance(cases[i].a, cases[i].b, 100), cases[i].half_steps);
        assert_int_equal(kai_text_distance(cases[i].b, cases[i].a, 100), cases[i].half_steps);
    }
}

static void random_word(uint64_t i, char word[12])
{
    static const char letters[] = "abAB-_";
    uint32_t w[4];
    kai_random_words(9, 0, i, w);
    const size_t length = w[0] % 11;
    for (size_t k = 0; k < length; k++) {
        uint32_t v[4];
        kai_random_words(9, 1 + k, i, v);
        word[k] = letters[v[0] % 6];
    }
    word[length] = '\0';
}

// A limit only cuts the answer: whatever it is, the distance is the smaller of itself and limit
// + 1.
static void test_limit(void** state)
{
    (void)state;
    for (uint64_t i = 0; i < 10000; i++) {
        char a[12], b[12];
        random_word(2 * i, a);
        random_word(2 * i + 1, b);
        const int d = kai_text_distance(a, b, 100);
        assert_int_equal(kai_text_distance(b, a, 100), d);
        assert_true((d == 0) == (strcmp(a, b) == 0));
        for (int limit = 0; limit < 25; limit++) {
            assert_int_equal(kai_text_distance(a, b, limit), d <= limit ? d : limit + 1);
        }
    }
}

static void test_very_long_words(void** state)
{
    (void)state;
    enum { SIZE = 1000000 };
    char* a = malloc(SIZE);
    char* b = malloc(SIZE);
    memset(a, 'a', SIZE - 1);
    memset(b, 'a', SIZE - 1);
    a[SIZE - 1] = b[SIZE - 1] = '\0';
    assert_int_equal(kai_text_distance(a, b, 4), 0);
    b[5] = 'b';
    assert_int_equal(kai_text_distance(a, b, 4), 5);
    a[255] = b[255] = '\0';
    assert_int_equal(kai_text_distance(a, b, 4), 2);
    free(a);
    free(b);
}

static const char* from_list(size_t i, const void* context)
{
    return ((const char* const*)context)[i];
}

static void test_nearest(void** state)
{
    (void)state;
    const char* const list[] = {"mass",     "inertia",    NULL, "position",
                                "rotation", "rest_angle", "x",  "at"};
    const size_t n = sizeof list / sizeof *list;
    assert_string_equal(kai_text_nearest("mas", n, from_list, list), "mass");
    assert_string_equal(kai_text_nearest("Mass", n, from_list, list), "mass");
    assert_string_equal(kai_text_nearest("postion", n, from_list, list), "position");
    assert_string_equal(kai_text_nearest("restangle", n, from_list, list), "rest_angle");
    assert_string_equal(kai_text_nearest("ta", n, from_list, list), "at");
    assert_string_equal(kai_text_nearest("X", n, from_list, list), "x");
    assert_null(kai_text_nearest("y", n, from_list, list)); // nothing in common with "x"
    assert_null(kai_text_nearest("", n, from_list, list));
    assert_null(kai_text_nearest("density", n, from_list, list));
    assert_null(kai_text_nearest("mast-head", n, from_list, list));
    assert_null(kai_text_nearest("mass", 0, from_list, list));
    // Nearer wins; of equals the first.
    const char* const wheels[] = {"wheel-b", "wheel-a", "whee-a"};
    assert_string_equal(kai_text_nearest("wheel-x", 3, from_list, wheels), "wheel-b");
    assert_string_equal(kai_text_nearest("wheel_a", 3, from_list, wheels), "wheel-a");
}

static void test_growing_string(void** state)
{
    (void)state;
    kai_text text = {0};
    size_t expected = 0;
    for (int i = 0; i < 5000; i++) {
        kai_text_add(&text, "%d,", i);
        expected += (size_t)snprintf(NULL, 0, "%d,", i);
        assert_int_equal(text.size, expected);
        assert_int_equal(strlen(text.data), expected);
    }
    kai_text_add(&text, "%s", "");
    kai_text_add_bytes(&text, "a\0b", 3); // bytes as they are
    kai_text_add_bytes(&text, NULL, 0);
    assert_int_equal(text.size, expected + 3);
    assert_memory_equal(text.data + expected, "a\0b", 4);
    assert_int_equal(strncmp(text.data, "0,1,2,3,", 8), 0);
    assert_false(text.failed);
    kai_text_free(&text);
    assert_null(text.data);
    kai_text_free(&text);
}

// A size that cannot be had: what is there stays, and the failure is remembered.
static void test_failure_is_kept(void** state)
{
    (void)state;
    kai_text text = {0};
    kai_text_add(&text, "kept");
    kai_text_add_bytes(&text, "x", SIZE_MAX - 2);
    assert_true(text.failed);
    kai_text_add(&text, "not added");
    assert_string_equal(text.data, "kept");
    kai_text_free(&text);
    assert_false(text.failed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_distance),        cmocka_unit_test(test_limit),
        cmocka_unit_test(test_very_long_words), cmocka_unit_test(test_nearest),
        cmocka_unit_test(test_growing_string),  cmocka_unit_test(test_failure_is_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
