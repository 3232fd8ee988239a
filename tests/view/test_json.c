// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "helper.h"
#include "view/json.h"

#include <jansson.h>
#include <kairos/kind.h>

static void check_bytes(const char* in, size_t size, const char* expected)
{
    kai_text text = {0};
    kai_json_bytes(&text, in, size);
    assert_string_equal(text.data, expected);
    kai_text_free(&text);
}

#define CHECK(in, expected) check_bytes(in, sizeof(in) - 1, expected)

static void test_strings(void** state)
{
    CHECK("plain", "\"plain\"");
    CHECK("a\"b\\c", "\"a\\\"b\\\\c\"");
    CHECK("</script><!--", "\"\\u003c/script>\\u003c!--\"");
    CHECK("a\0b\n\x7f", "\"a\\u0000b\\u000a\\u007f\"");
    CHECK("é→😀", "\"é→😀\"");
    // Broken UTF-8: a lone byte, too long, a surrogate, beyond the end, cut off.
    CHECK("\xff", "\"\\ufffd\"");
    CHECK("\xc0\xbc", "\"\\ufffd\\ufffd\"");
    CHECK("\xed\xa0\x80", "\"\\ufffd\\ufffd\\ufffd\"");
    CHECK("\xf4\x90\x80\x80", "\"\\ufffd\\ufffd\\ufffd\\ufffd\"");
    CHECK("x\xe2\x82", "\"x\\ufffd\\ufffd\"");
    kai_text text = {0};
    kai_json_string(&text, NULL);
    assert_string_equal(text.data, "null");
    kai_text_free(&text);
}

static void test_numbers(void** state)
{
    static const struct {
        double value;
        const char* text;
    } cases[] = {{0.0, "0"},
                 {-3.0, "-3"},
                 {0.1, "0.10000000000000001"},
                 {1e300, "1.0000000000000001e+300"},
                 {(double)NAN, "null"},
                 {HUGE_VAL, "null"},
                 {-HUGE_VAL, "null"}};
    for (size_t i = 0; i < KAI_COUNT(cases); i++) {
        kai_text text = {0};
        kai_json_number(&text, cases[i].value);
        assert_string_equal(text.data, cases[i].text);
        kai_text_free(&text);
    }
}

static void test_layout(void** state)
{
    static const char scene[] =
        "{\"name\":\"a, b: {c}\",\"bodies\":[{\"name\":\"x\",\"mass\":1,\"position\":[0,0,1]},"
        "{\"name\":\"y\",\"shapes\":[]}],\"step\":0.001}";
    kai_text text = {0};
    kai_json_layout(&text, scene, sizeof scene - 1, 60);
    assert_string_equal(text.data, "{\n"
                                   "  \"name\": \"a, b: {c}\",\n"
                                   "  \"bodies\": [\n"
                                   "    {\"name\": \"x\", \"mass\": 1, \"position\": [0, 0, 1]},\n"
                                   "    {\"name\": \"y\", \"shapes\": []}\n"
                                   "  ],\n"
                                   "  \"step\": 0.001\n"
                                   "}");
    json_t *before = json_loads(scene, 0, NULL), *after = json_loads(text.data, 0, NULL);
    assert_true(json_equal(before, after));
    json_decref(before);
    json_decref(after);
    kai_text_free(&text);
    // Text that is no JSON comes out as some text.
    static const char* const broken[] = {"", "]", "}}}}", "\"abc", "{\"a\":", "\\", "[[[[", "{,,}"};
    for (size_t i = 0; i < KAI_COUNT(broken); i++) {
        kai_json_layout(&text, broken[i], strlen(broken[i]), 10);
        assert_false(text.failed);
    }
    kai_text_free(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_strings),
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_layout),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
