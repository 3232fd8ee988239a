// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Reference: strtod of the C library, which rounds correctly. The bits must be equal.
#include "base/number.h"

#include "helper.h"

#include <locale.h>

static void check_text(const char* text)
{
    double actual = 0.0;
    const double expected = strtod(text, NULL);
    const kai_number_status status = kai_number_parse(text, text + strlen(text), &actual);
    if (isinf(expected)) {
        assert_int_equal(status, KAI_NUMBER_TOO_LARGE);
        return;
    }
    if (status != KAI_NUMBER_OK || memcmp(&actual, &expected, sizeof actual) != 0)
        fail_msg("%s reads %.17g, not %.17g", text, actual, expected);
}

static void edge_cases(void** state)
{
    (void)state;
    static const char* const texts[] = {"0",
                                        "-0",
                                        "+1",
                                        "1.",
                                        ".5",
                                        "-.5e1",
                                        "1e22",
                                        "1e23",
                                        "1e-22",
                                        "1e27",
                                        "1e28",
                                        "1e-27",
                                        "1e-28",
                                        "9007199254740993",
                                        "9007199254740992",
                                        "9007199254740991e22",
                                        "18446744073709551615",
                                        "18446744073709551616",
                                        "0.1",
                                        "0.3",
                                        "2.2250738585072014e-308",
                                        "4.9e-324",
                                        "2e-324",
                                        "1e-400",
                                        "1.7976931348623157e308",
                                        "1.8e308",
                                        "1e999",
                                        "-1e999",
                                        "1e99999999999999999999",
                                        "0e99999999999999",
                                        "1.00000000000000011102230246251565404236316680908203125",
                                        "1.00000000000000011102230246251565404236316680908203124",
                                        "0000000000000000000000000000000000001.5",
                                        "0.00000000000000000000000000000000000000015",
                                        "123456789012345678",
                                        "5e-1",
                                        "7450580596923828125e-27",
                                        "9007199254740993e-5",
                                        "4503599627370496.5",
                                        "4503599627370497.5"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) check_text(texts[i]);
}

static void random_numbers(void** state)
{
    (void)state;
    for (uint64_t i = 0; i < 300000; i++) {
        uint32_t w[4];
        char text[96];
        kai_random_words(HELPER_SEED, 77, i, w);
        const uint64_t wide = (uint64_t)w[0] << 32 | w[1];
        double x;
        memcpy(&x, &wide, sizeof x); // any bits, with 17 digits
        if (isfinite(x)) {
            snprintf(text, sizeof text, "%.17g", x);
            check_text(text);
        }
        snprintf(text, sizeof text, "%.17g", (double)(int64_t)wide / 1e15); // what tables hold
        check_text(text);
        snprintf(text, sizeof text, "%llue%d", (unsigned long long)(wide >> (w[2] % 64)),
                 (int)(w[3] % 60) - 30);
        check_text(text);
        snprintf(text, sizeof text, "%u.%ue%d", w[2] % 100000, w[3], (int)(w[0] % 50) - 25);
        check_text(text);
    }
}

static void what_is_no_number(void** state)
{
    (void)state;
    static const char* const texts[] = {"",      "-",    ".",   "e5",    "1e",  "1e+",
                                        "1.2.3", "0x10", "nan", "inf",   "1,5", "--1",
                                        " 1",    "1 ",   "1_0", "1e5.0", "١",   "1d5"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        double x;
        if (kai_number_parse(texts[i], texts[i] + strlen(texts[i]), &x) != KAI_NUMBER_BAD)
            fail_msg("\"%s\" was read as a number", texts[i]);
    }
    char digits[KAI_NUMBER_LONGEST + 2];
    memset(digits, '1', sizeof digits);
    double x;
    assert_int_equal(kai_number_parse(digits, digits + KAI_NUMBER_LONGEST + 1, &x),
                     KAI_NUMBER_TOO_LONG);
}

// A program with a decimal comma reads the same numbers.
static void locales_do_not_matter(void** state)
{
    (void)state;
    const char* const names[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "C.UTF-8"};
    for (size_t i = 0; i < 3; i++)
        if (setlocale(LC_NUMERIC, names[i])) break;
    double x = 0.0;
    const char text[] = "1.2500000000000000000000000001e-30";
    assert_int_equal(kai_number_parse(text, text + strlen(text), &x), KAI_NUMBER_OK);
    check_relative(x, 1.25e-30, 1e-15, "the text");
    setlocale(LC_NUMERIC, "C");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(edge_cases),
        cmocka_unit_test(random_numbers),
        cmocka_unit_test(what_is_no_number),
        cmocka_unit_test(locales_do_not_matter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
