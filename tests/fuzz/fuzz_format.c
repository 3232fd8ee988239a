// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The layout of texts from anyone: what was laid out holds the same, and is laid out already.
#include "scene/document.h"
#include "scene/problems.h"

#include <kairos/scene.h>
#include <stdlib.h>
#include <string.h>

// The same values in the same order under the same keys.
static bool same_node(const kai_document_node* a, const kai_document_node* b)
{
    if (a->kind != b->kind || a->count != b->count || !a->key != !b->key) return false;
    if (a->key && strcmp(a->key, b->key) != 0) return false;
    if (a->kind == KAI_DOCUMENT_STRING && strcmp(a->string, b->string) != 0) return false;
    if (a->kind == KAI_DOCUMENT_NUMBER && memcmp(&a->number, &b->number, sizeof a->number) != 0)
        return false;
    if (a->kind == KAI_DOCUMENT_BOOL && a->boolean != b->boolean) return false;
    const kai_document_node* y = b->first;
    for (const kai_document_node* x = a->first; x; x = x->next, y = y->next)
        if (!same_node(x, y)) return false;
    return true;
}

static size_t occurrences(const char* text, size_t size, const char* what)
{
    size_t found = 0;
    for (size_t i = 0; i + strlen(what) <= size; i++)
        if (memcmp(text + i, what, strlen(what)) == 0) found++;
    return found;
}

static kai_document_node* parse_text(kai_document* document, const char* text, size_t size)
{
    kai_problems problems = {0};
    const uint32_t file = kai_document_add_file(document, "fuzz.json", ".", false);
    kai_document_node* root = kai_document_parse(document, file, text, size, &problems);
    kai_problems_free(&problems);
    return root;
}

static void compare_documents(const char* text, size_t size, const char* laid_out)
{
    kai_document one = {0}, two = {0};
    const kai_document_node* a = parse_text(&one, text, size);
    const kai_document_node* b = parse_text(&two, laid_out, strlen(laid_out));
    if (!a || !b || !same_node(a, b)) abort();
    kai_document_free(&one);
    kai_document_free(&two);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    char *out = NULL, *again = NULL;
    kai_error err = {0};
    const char* text = (const char*)data;
    if (kai_format("fuzz.json", text, size, &out, &err) != KAI_OK) {
        if (!err.message[0] || out) abort();
        return 0;
    }
    compare_documents(text, size, out);
    if (occurrences(out, strlen(out), "//") < occurrences(text, size, "//")) abort();
    if (kai_format("fuzz.json", out, strlen(out), &again, &err) != KAI_OK) abort();
    if (strcmp(out, again) != 0) abort();
    free(out);
    free(again);
    return 0;
}
