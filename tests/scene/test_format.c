// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The layout of scene files.
#include "scene_helper.h"

static void check_layout(const char* text, const char* expected)
{
    char *in = quoted(text), *out = NULL, *again = NULL, *wanted = quoted(expected);
    kai_error err = {0};
    check_ok(kai_format("a.json", in, strlen(in), &out, &err));
    assert_string_equal(out, wanted);
    check_ok(kai_format("a.json", out, strlen(out), &again, &err));
    assert_string_equal(again, out); // what is laid out stays
    free(in);
    free(out);
    free(again);
    free(wanted);
}

static void what_fits_stands_on_a_line(void** state)
{
    (void)state;
    check_layout("{}", "{}\n");
    check_layout("{'a':1,'b':[1,2,\n3],'c':{'d':null}}",
                 "{\n  'a': 1,\n  'b': [1, 2, 3],\n  'c': {'d': null}\n}\n");
    check_layout("{'a': 1.50e-3, 'b': 'x\\u00e4\\\\\\\\', 'c': [ ], 'd': { }}",
                 "{\n  'a': 1.50e-3,\n  'b': 'x\\u00e4\\\\\\\\',\n  'c': [],\n  'd': {}\n}\n");
}

#define TEN \
    "1111111, 2222222, 3333333, 4444444, 5555555, 6666666, 7777777, 8888888, 9999999, 1000000"

static void long_lists_fill_lines(void** state)
{
    (void)state;
    check_layout("{'a': [" TEN ", " TEN "]}",
                 "{\n  'a': [\n    " TEN
                 ", 1111111,\n    2222222, 3333333, 4444444, 5555555, 6666666, "
                 "7777777, 8888888, 9999999, 1000000\n  ]\n}\n");
    check_layout("{'a': [{'name': 'x', 'list': [" TEN "], 'other': 12345678, 'more': [1, 2, 3]}]}",
                 "{\n  'a': [\n    {\n      'name': 'x',\n      'list': [" TEN "],\n"
                 "      'other': 12345678, 'more': [1, 2, 3]\n    }\n  ]\n}\n");
}

static void comments_stay(void** state)
{
    (void)state;
    check_layout(
        "// top\n{ // of a\n'a': 1, // beside a\n\n\n/* before b */ 'b': [1, // one\n 2]\n// "
        "end\n}\n// last\n",
        "// top\n{\n  // of a\n  'a': 1, // beside a\n\n  /* before b */\n  'b': [\n    1, // "
        "one\n    2\n  ]\n  // end\n}\n// last\n");
    check_layout("{'a': 'no // comment', 'b': 'nor /* this */'}",
                 "{\n  'a': 'no // comment',\n  'b': 'nor /* this */'\n}\n");
}

// Comments within an item move to the lines before it.
static void comments_within_items_stay(void** state)
{
    (void)state;
    check_layout("{'a' // of a\n: /* its value */ 1 /* was 2 */, 'b': 2}",
                 "{\n  // of a\n  /* its value */\n  /* was 2 */\n  'a': 1,\n  'b': 2\n}\n");
    check_layout("{'a': [ // none\n]}", "{\n  'a': [\n    // none\n  ]\n}\n");
    check_layout("[1 // one\n, 2 /* two\n 2 */\n, 3]",
                 "[\n  // one\n  1,\n  /* two\n  2 */\n  2,\n  3\n]\n");
}

static void what_is_no_json_is_told(void** state)
{
    (void)state;
    char* out = NULL;
    kai_error err = {0};
    check_error(kai_format("a.json", "{\"a\": 1,\n}", 10, &out, &err), KAI_ERROR_FORMAT);
    assert_string_equal(err.message, "a.json:2:1: bad JSON: nothing stands between ',' and '}'");
    assert_null(out);
    check_error(kai_format("a.json", "[1, //\0\n2]", 10, &out, &err), KAI_ERROR_FORMAT);
    assert_string_equal(err.message, "a.json:1:7: a zero byte; must be text");
    check_error(kai_format("a.json", "[1,\n 2\0]", 8, &out, &err), KAI_ERROR_FORMAT);
    assert_string_equal(err.message, "a.json:2:3: a zero byte; must be text");
    assert_null(out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_fits_stands_on_a_line),
        cmocka_unit_test(long_lists_fill_lines),
        cmocka_unit_test(comments_stay),
        cmocka_unit_test(comments_within_items_stay),
        cmocka_unit_test(what_is_no_json_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
