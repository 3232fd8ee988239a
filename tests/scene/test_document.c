// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "scene/document.h"

#include "scene_helper.h"

typedef struct parsed {
    kai_document document;
    kai_problems problems;
    kai_document_node* root;
} parsed;

static parsed parse(const char* text, size_t size)
{
    parsed p = {0};
    kai_document_add_file(&p.document, "f.json", NULL, false);
    p.root = kai_document_parse(&p.document, 0, text, size, &p.problems);
    return p;
}

static parsed parse_text(const char* text) { return parse(text, strlen(text)); }

static void release(parsed* p)
{
    kai_document_free(&p->document);
    kai_problems_free(&p->problems);
}

static void check_place(const kai_document_node* node, uint32_t line, uint32_t column)
{
    assert_non_null(node);
    assert_int_equal(node->place.line, line);
    assert_int_equal(node->place.column, column);
}

// Columns count characters, not bytes: é and € before a value move it by one each.
static void places_of_keys_and_values(void** state)
{
    (void)state;
    parsed p = parse_text(
        "{\n  \"a\": 1,\n\t\"b\" : [true, null,\n  {\"é€\": \"x\\\"y\", \"c\": -2.5e3}]\n}");
    assert_non_null(p.root);
    check_place(p.root, 1, 1);
    const kai_document_node *a = kai_document_get(p.root, "a"), *b = kai_document_get(p.root, "b");
    check_place(a, 2, 8);
    assert_int_equal(a->key_place.line, 2);
    assert_int_equal(a->key_place.column, 3);
    check_place(b, 3, 8);
    check_place(b->first, 3, 9);
    check_place(b->first->next, 3, 15);
    check_place(b->last, 4, 3);
    check_place(kai_document_get(b->last, "é€"), 4, 10);
    const kai_document_node* c = kai_document_get(b->last, "c");
    check_place(c, 4, 23);
    assert_int_equal(c->key_place.column, 18);
    check_near(c->number, -2500.0, 0.0, "the text");
    assert_string_equal(kai_document_get(b->last, "é€")->string, "x\"y");
    char pointer[64];
    kai_document_pointer(c, pointer, sizeof pointer);
    assert_string_equal(pointer, "/b/2/c");
    release(&p);
}

static void a_byte_order_mark_is_skipped(void** state)
{
    (void)state;
    parsed p = parse_text("\xef\xbb\xbf{\"a\": 1}");
    check_place(kai_document_get(p.root, "a"), 1, 7);
    release(&p);
}

static void pointers_are_escaped_and_cut(void** state)
{
    (void)state;
    parsed p = parse_text("{\"a/b\": {\"m~n\": [0]}}");
    char pointer[64], small[6];
    const kai_document_node* item = p.root->first->first->first;
    kai_document_pointer(item, pointer, sizeof pointer);
    assert_string_equal(pointer, "/a~1b/m~0n/0");
    kai_document_pointer(item, small, sizeof small);
    assert_string_equal(small, "/a~1b");
    release(&p);
}

static void nesting_is_limited(void** state)
{
    (void)state;
    char text[512] = "";
    for (int i = 0; i < KAI_DOCUMENT_DEPTH; i++) strcat(text, "[");
    strcat(text, "0");
    for (int i = 0; i < KAI_DOCUMENT_DEPTH; i++) strcat(text, "]");
    parsed p = parse_text(text);
    assert_non_null(p.root);
    release(&p);

    char deeper[514];
    snprintf(deeper, sizeof deeper, "[%s]", text);
    p = parse_text(deeper);
    assert_null(p.root);
    assert_string_equal(p.problems.list[0].message, "f.json:1:102: nested more than 100 deep");
    release(&p);

    // Deeper than Jansson itself goes.
    char* deepest = malloc(100000);
    memset(deepest, '[', 100000);
    p = parse(deepest, 100000);
    assert_null(p.root);
    assert_int_equal(p.problems.count, 1);
    release(&p);
    free(deepest);
}

static void writing_is_canonical(void** state)
{
    (void)state;
    parsed p = parse_text(
        "{ \"b\" : [ 1, 0.1, -1e300, true, null ],\n \"end\": 2, \"a\": {\"end\": \"\\u0007\\\"é\"} }");
    kai_text text = {0};
    kai_document_write(p.root, &text);
    assert_string_equal(text.data, "{\"b\":[1,0.1,-1e+300,true,null],\"end\":2,"
                                   "\"a\":{\"end\":\"\\u0007\\\"é\"}}");
    kai_text_free(&text);
    release(&p);
}

static void long_texts_are_cut_in_messages(void** state)
{
    (void)state;
    char text[256] = "{\"a\": \"";
    for (int i = 0; i < 50; i++) strcat(text, "é");
    strcat(text, "\"}");
    parsed p = parse_text(text);
    char what[256];
    kai_document_describe(p.root->first, what, sizeof what);
    assert_int_equal(strlen(what), 60 + strlen("\"…\"")); // 30 whole characters of two bytes
    release(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(places_of_keys_and_values),
        cmocka_unit_test(a_byte_order_mark_is_skipped),
        cmocka_unit_test(pointers_are_escaped_and_cut),
        cmocka_unit_test(nesting_is_limited),
        cmocka_unit_test(writing_is_canonical),
        cmocka_unit_test(long_texts_are_cut_in_messages),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
