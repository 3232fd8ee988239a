// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// From JSON text to nodes: Jansson's tree for the values, a scanner over the same text for the
// places.
#define _GNU_SOURCE // memmem
#include "scene/document.h"

#include "base/memory.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FLAGS (JSON_REJECT_DUPLICATES | JSON_DECODE_INT_AS_REAL | JSON_DECODE_ANY)

// The scanner ------------------------------------------------------------------------------------

// Walks over JSON text and knows line and column. Never reads past the end, whatever the text is.
typedef struct scanner {
    const char *at, *end;
    uint32_t line, column;
} scanner;

static scanner scanner_start(const char* text, size_t size)
{
    return (scanner){text, text + size, 1, 1};
}

// One byte further. Columns count characters: continuation bytes of UTF-8 do not move them.
static void document_parse_advance(scanner* s)
{
    const unsigned char c = (unsigned char)*s->at++;
    if (c == '\n') {
        s->line++;
        s->column = 1;
    } else if ((c & 0xc0) != 0x80) {
        s->column++;
    }
}

static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

static bool begins_comment(const char* at, const char* end)
{
    return end - at > 1 && at[0] == '/' && (at[1] == '/' || at[1] == '*');
}

// The end of the comment that begins at a place; the place itself when there is none, or no end.
static const char* comment_end(const char* at, const char* end)
{
    if (!begins_comment(at, end)) return at;
    const size_t left = (size_t)(end - at);
    const char* close = at[1] == '/' ? memchr(at, '\n', left) : memmem(at + 2, left - 2, "*/", 2);
    if (at[1] == '/' && !close) close = end;
    if (at[1] == '*' && close) close += 2;
    return close ? close : at;
}

// Over spaces and comments.
static void skip_space(scanner* s)
{
    for (;;) {
        while (s->at < s->end && is_space(*s->at)) document_parse_advance(s);
        const char* end = comment_end(s->at, s->end);
        if (end == s->at) return;
        while (s->at < end) document_parse_advance(s);
    }
}

static bool is_word(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '+' ||
           c == '-' || c == '.' || c == '_';
}

// Over one token: a text in quotes, a word or number, or a single character.
static void skip_token(scanner* s)
{
    if (s->at == s->end) return;
    if (*s->at == '"') {
        document_parse_advance(s);
        while (s->at < s->end && *s->at != '"') {
            if (*s->at == '\\' && s->at + 1 < s->end) document_parse_advance(s);
            document_parse_advance(s);
        }
        if (s->at < s->end) document_parse_advance(s);
    } else if (is_word(*s->at)) {
        while (s->at < s->end && is_word(*s->at)) document_parse_advance(s);
    } else {
        document_parse_advance(s);
    }
}

// Errors -----------------------------------------------------------------------------------------

#define TOKEN_SHOWN 40

// The token that ends at or after a byte position, copied (cut) into `token`; returns where it
// begins.
static scanner find_token(const char* text, size_t size, size_t position, char* token,
                          size_t token_size)
{
    scanner s = scanner_start(text, size), begin = s;
    do {
        skip_space(&s);
        begin = s;
        skip_token(&s);
    } while (s.at < s.end && (size_t)(s.at - text) < position);
    size_t length = (size_t)(s.at - begin.at);
    if (length >= token_size) length = token_size - 1;
    while (length > 0 && length == token_size - 1 &&
           ((unsigned char)begin.at[length] & 0xc0) == 0x80)
        length--;
    memcpy(token, begin.at, length);
    token[length] = '\0';
    return begin;
}

static bool is_non_finite_word(const char* token)
{
    static const char* const words[] = {"nan", "inf", "infinity"};
    if (*token == '-' || *token == '+') token++;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strcasecmp(token, words[i]) == 0) return true;
    return false;
}

// What Jansson expected, without its "near …", in `out`.
static void document_parse_expectation(const json_error_t* error, char* out, size_t size)
{
    snprintf(out, size, "%s", error->text);
    char* near = strstr(out, " near ");
    if (near) *near = '\0';
    if (strcmp(out, "'}' expected") == 0) snprintf(out, size, "',' or '}' expected");
    if (strcmp(out, "']' expected") == 0) snprintf(out, size, "',' or ']' expected");
}

// `before`: the last character before the token that is no space.
static void syntax_text(const json_error_t* error, const char* token, char before, char* out,
                        size_t size)
{
    char wanted[JSON_ERROR_TEXT_LENGTH + 16];
    document_parse_expectation(error, wanted, sizeof wanted);
    switch (json_error_code(error)) {
    case json_error_duplicate_key: snprintf(out, size, "key %s is given twice", token); return;
    case json_error_numeric_overflow:
        snprintf(out, size, "number %s is too large; numbers must be finite", token);
        return;
    case json_error_invalid_utf8: snprintf(out, size, "text is not valid UTF-8"); return;
    case json_error_stack_overflow:
        snprintf(out, size, "nested more than %d deep", KAI_DOCUMENT_DEPTH);
        return;
    case json_error_null_character:
    case json_error_null_byte_in_key:
        snprintf(out, size, "\\u0000 is not allowed in texts");
        return;
    case json_error_premature_end_of_input: snprintf(out, size, "file ends too early"); return;
    case json_error_end_of_input_expected:
        snprintf(out, size, "unexpected %s after the end", token);
        return;
    default: break;
    }
    if (is_non_finite_word(token))
        snprintf(out, size, "%s is not allowed; numbers must be finite", token);
    else if (token[0] == '#')
        snprintf(out, size, "comments begin with //");
    else if (token[0] == '/')
        snprintf(out, size, "a comment is // to the end of the line, or /* to */");
    else if (before == ',' && (token[0] == '}' || token[0] == ']'))
        snprintf(out, size, "bad JSON: nothing stands between ',' and '%s'", token);
    else
        snprintf(out, size, "bad JSON: %s, found %s", wanted, token);
}

// `plain`: the text without its comments.
static void report_syntax(const kai_document* document, uint32_t file, const char* text,
                          const char* plain, size_t size, const json_error_t* error,
                          kai_problems* problems)
{
    char token[TOKEN_SHOWN + 1], message[256];
    const size_t position = error->position > 0 ? (size_t)error->position : 0;
    scanner place = find_token(text, size, position, token, sizeof token);
    if (json_error_code(error) == json_error_invalid_utf8) {
        // Inside a text: the byte itself is the place.
        while (place.at < place.end && (size_t)(place.at - text) < position)
            document_parse_advance(&place);
    }
    const char* last = plain + (place.at - text);
    while (last > plain && is_space(last[-1])) last--;
    syntax_text(error, token, last > plain ? last[-1] : '\0', message, sizeof message);
    kai_problems_add(problems, KAI_ERROR_FORMAT, (int)place.line, (int)place.column, "%s:%u:%u: %s",
                     document->files[file].name, place.line, place.column, message);
}

// Comments ---------------------------------------------------------------------------------------

// Turns comments outside of strings into spaces, for Jansson, which knows none; NULL in `*out` where
// there are none. False when memory ran out.
static bool blank_comments(const char* text, size_t size, char** out)
{
    const char* const end = text + size;
    bool quoted = false;
    *out = NULL;
    for (const char* c = text; c < end; c++) {
        if (*c == '"') quoted = !quoted;
        if (quoted && *c == '\\') c++;
        const char* close = quoted || c >= end ? c : comment_end(c, end);
        // What is no comment is an error, which Jansson finds there.
        if (close == c && !quoted && begins_comment(c, end)) break;
        if (close <= c) continue;
        if (!*out) {
            *out = malloc(size);
            if (!*out) return false;
            memcpy(*out, text, size);
        }
        for (; c < close; c++)
            if (*c != '\n') (*out)[c - text] = ' ';
        c--;
    }
    return true;
}

// The walk in step -------------------------------------------------------------------------------

typedef struct builder {
    kai_document* document;
    uint32_t file;
    scanner scan;
    bool too_deep; // scan stands at the value that is
} builder;

static kai_document_place place_here(const builder* b)
{
    return (kai_document_place){b->file, b->scan.line, b->scan.column};
}

static const char* copy_text(kai_document* document, const char* text, size_t length)
{
    char* copy = kai_document_allocate(document, length + 1, 1);
    if (copy) memcpy(copy, text, length);
    return copy;
}

static kai_document_node* document_parse_build(builder* b, json_t* value, int depth);

// Both kinds of container read: bracket, children with commas between, bracket.
static bool build_children(builder* b, kai_document_node* node, json_t* value, int depth)
{
    void* member = json_is_object(value) ? json_object_iter(value) : NULL;
    size_t index = 0;
    skip_token(&b->scan);
    while (json_is_object(value) ? member != NULL : index < json_array_size(value)) {
        if (node->count > 0) {
            skip_space(&b->scan);
            skip_token(&b->scan); // the comma
        }
        const char* key = NULL;
        kai_document_place key_place = {0};
        skip_space(&b->scan);
        if (member) {
            key = copy_text(b->document, json_object_iter_key(member),
                            json_object_iter_key_len(member));
            if (!key) return false;
            key_place = place_here(b);
            skip_token(&b->scan);
            skip_space(&b->scan);
            skip_token(&b->scan); // the colon
        }
        json_t* item = member ? json_object_iter_value(member) : json_array_get(value, index);
        kai_document_node* child = document_parse_build(b, item, depth + 1);
        if (!child) return false;
        child->key = key;
        child->key_place = key_place;
        kai_document_append(node, child);
        if (member) member = json_object_iter_next(value, member);
        index++;
    }
    skip_space(&b->scan);
    skip_token(&b->scan);
    return true;
}

// The node of a Jansson value, the scanner just before it. NULL when too deep or out of memory.
static kai_document_node* document_parse_build(builder* b, json_t* value, int depth)
{
    skip_space(&b->scan);
    if (depth > KAI_DOCUMENT_DEPTH) {
        b->too_deep = true;
        return NULL;
    }
    kai_document_node* node = kai_document_allocate(b->document, 1, sizeof *node);
    if (!node) return NULL;
    node->place = place_here(b);
    switch (json_typeof(value)) {
    case JSON_OBJECT:
    case JSON_ARRAY:
        node->kind = json_is_object(value) ? KAI_DOCUMENT_OBJECT : KAI_DOCUMENT_LIST;
        return build_children(b, node, value, depth) ? node : NULL;
    case JSON_STRING:
        node->kind = KAI_DOCUMENT_STRING;
        node->string = copy_text(b->document, json_string_value(value), json_string_length(value));
        if (!node->string) return NULL;
        break;
    case JSON_INTEGER:
    case JSON_REAL:
        node->kind = KAI_DOCUMENT_NUMBER;
        node->number = json_number_value(value);
        break;
    case JSON_TRUE:
    case JSON_FALSE:
        node->kind = KAI_DOCUMENT_BOOL;
        node->boolean = json_is_true(value);
        break;
    case JSON_NULL: break;
    }
    skip_token(&b->scan);
    return node;
}

/// Values in a text, no fewer than a reader finds: commas and openings outside of strings.
static size_t count_values(const char* text, size_t size)
{
    size_t count = 1;
    bool quoted = false;
    for (size_t i = 0; i < size; i++) {
        if (text[i] == '"') quoted = !quoted;
        if (quoted && text[i] == '\\') i++;
        count += !quoted && (text[i] == ',' || text[i] == '[' || text[i] == '{');
    }
    return count;
}

// Calls ------------------------------------------------------------------------------------------

static void report_at(const kai_document* document, uint32_t file, const scanner* s,
                      kai_problems* problems, const char* message)
{
    kai_problems_add(problems, KAI_ERROR_FORMAT, (int)s->line, (int)s->column, "%s:%u:%u: %s",
                     document->files[file].name, s->line, s->column, message);
}

// Whether all values fit into the limit of memory, as far as that is known before they are read.
// False after a report.
static bool document_parse_fits(const kai_document* document, uint32_t file, const char* plain,
                                size_t size, const scanner* start, kai_problems* problems)
{
    // A node, and what Jansson takes for a number in a list.
    const double each = (double)sizeof(kai_document_node) + 40.0;
    const double values = (double)count_values(plain, size);
    if (kai_memory_fits(kai_document_limit(document), values, each)) return true;
    char message[160], needed[24], limit[24];
    kai_memory_text(values * each, needed);
    kai_memory_text((double)kai_document_limit(document), limit);
    snprintf(message, sizeof message,
             "%.0f values need about %s; the limit of memory is %s (--memory)", values, needed,
             limit);
    report_at(document, file, start, problems, message);
    return false;
}

// `plain`: the text without its comments; places are found in the text itself.
static kai_document_node* parse_text(kai_document* document, uint32_t file, const char* text,
                                     const char* plain, size_t size, kai_problems* problems)
{
    json_error_t error;
    json_t* tree = json_loadb(plain, size, FLAGS, &error);
    if (!tree) {
        if (json_error_code(&error) == json_error_out_of_memory)
            document->failed = true;
        else
            report_syntax(document, file, text, plain, size, &error, problems);
        return NULL;
    }
    builder b = {.document = document, .file = file, .scan = scanner_start(text, size)};
    kai_document_node* root = document_parse_build(&b, tree, 0);
    json_decref(tree);
    if (b.too_deep) {
        char message[64];
        snprintf(message, sizeof message, "nested more than %d deep", KAI_DOCUMENT_DEPTH);
        report_at(document, file, &b.scan, problems, message);
    }
    return root;
}

kai_document_node* kai_document_parse(kai_document* document, uint32_t file, const char* text,
                                      size_t size, kai_problems* problems)
{
    if (document->failed) return NULL;
    // A byte order mark is no part of the text.
    if (size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) {
        text += 3;
        size -= 3;
    }
    scanner start = scanner_start(text, size);
    skip_space(&start);
    if (start.at == start.end) {
        start = scanner_start(text, size);
        report_at(document, file, &start, problems, "file is empty");
        return NULL;
    }

    // Jansson takes some for blanks.
    const char* zero = memchr(text, '\0', size);
    if (zero) {
        start = scanner_start(text, size);
        while (start.at < zero) document_parse_advance(&start);
        report_at(document, file, &start, problems, "a zero byte; must be text");
        return NULL;
    }

    char* blank;
    if (!blank_comments(text, size, &blank)) {
        document->failed = true;
        return NULL;
    }
    const char* plain = blank ? blank : text;
    kai_document_node* root = NULL;
    if (document_parse_fits(document, file, plain, size, &start, problems))
        root = parse_text(document, file, text, plain, size, problems);
    free(blank);
    return root;
}

kai_document_node* kai_document_parse_value(kai_document* document, uint32_t file, const char* text)
{
    if (document->failed) return NULL;
    json_error_t error;
    json_t* tree = json_loadb(text, strlen(text), FLAGS, &error);
    if (tree) {
        builder b = {.document = document, .file = file, .scan = scanner_start(text, strlen(text))};
        kai_document_node* node = document_parse_build(&b, tree, 0);
        json_decref(tree);
        if (!b.too_deep) return node;
    }
    // No JSON: the text itself is the value.
    kai_document_node* node = kai_document_allocate(document, 1, sizeof *node);
    if (!node) return NULL;
    node->kind = KAI_DOCUMENT_STRING;
    node->place.file = file;
    node->string = copy_text(document, text, strlen(text));
    return node->string ? node : NULL;
}

bool kai_document_parse_is_utf8(const char* text)
{
    json_t* string = json_string(text); // NULL for bytes that are no UTF-8
    json_decref(string);
    return string != NULL;
}
