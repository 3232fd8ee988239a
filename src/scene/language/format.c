// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The layout of scene files: an object or list stands on one line where it fits into 110 columns
// and holds no comment. Else its items stand on lines of their own, but plain values of a list, and
// values of an object that fit on a line, fill lines; those of the whole scene do not. Numbers, texts, comments and single blank lines stay as they were written.
#include "base/check.h"
#include "scene/document.h"

#include <kairos/scene.h>
#include <stdlib.h>
#include <string.h>

#define WIDTH  110
#define INDENT 2

// The pieces of a text ---------------------------------------------------------------------------

typedef struct piece piece;
struct piece {
    const char *key, *text; // as written; text NULL: an object or list
    int key_size, text_size;
    char open;                    // '{', '[' or 0
    const char *before, *beside;  // comments before it, and behind it on the same line
    int before_size, beside_size; // bytes from the first to the last one
    const char* inside;           // comments at the end of an object or list
    int inside_size;
    bool blank;   // a blank line before it
    size_t width; // on one line; SIZE_MAX: cannot be
    piece *first, *last, *next;
};

// Reads a text that was found right before.
typedef struct cutter {
    kai_document* document; // memory of the pieces
    const char *at, *end;
} cutter;

static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

// Over one comment; false when there is none.
static bool skip_comment(cutter* c)
{
    if (c->end - c->at < 2 || c->at[0] != '/') return false;
    const char* close =
        c->at[1] == '/' ? memchr(c->at, '\n', (size_t)(c->end - c->at)) : strstr(c->at + 2, "*/");
    if (c->at[1] == '/')
        c->at = close ? close : c->end;
    else
        c->at = close ? close + 2 : c->end;
    return true;
}

// Over spaces and comments; tells where the comments are and whether a blank line came first.
static void skip_gap(cutter* c, const char** first, int* size, bool* blank)
{
    int lines = 0;
    *first = NULL;
    *size = 0;
    *blank = false;
    for (;;) {
        for (; c->at < c->end && is_space(*c->at); c->at++)
            if (*c->at == '\n' && !*first && ++lines > 1) *blank = true;
        const char* begin = c->at;
        if (!skip_comment(c)) return;
        if (!*first) *first = begin;
        *size = (int)(c->at - *first);
    }
}

// A comment on the line that a value ends on.
static void take_beside(cutter* c, piece* p)
{
    const char* before = c->at;
    while (c->at < c->end && (*c->at == ' ' || *c->at == '\t')) c->at++;
    const char* begin = c->at;
    if (c->end - begin > 1 && begin[0] == '/' && begin[1] == '/' && skip_comment(c)) {
        p->beside = begin;
        p->beside_size = (int)(c->at - begin);
    } else {
        c->at = before;
    }
}

static int token_size(const cutter* c)
{
    const char* p = c->at;
    if (*p != '"') {
        while (p < c->end && !is_space(*p) && !strchr(",:[]{}/", *p)) p++;
        return (int)(p - c->at);
    }
    for (p++; p < c->end && *p != '"'; p++)
        if (*p == '\\') p++;
    return (int)(p + 1 - c->at);
}

static int columns(const char* text, int size)
{
    int n = 0;
    for (int i = 0; i < size; i++) n += ((unsigned char)text[i] & 0xc0) != 0x80;
    return n;
}

static bool cut_value(cutter* c, piece* p);

// Over a gap within a child: comments there move to the lines before it.
static void skip_within(cutter* c, piece* child)
{
    const char* comments;
    int size;
    bool blank;
    skip_gap(c, &comments, &size, &blank);
    if (!comments) return;
    char* all = kai_document_allocate(c->document, (size_t)(child->before_size + 1 + size), 1);
    if (!all) return;
    if (child->before) memcpy(all, child->before, (size_t)child->before_size);
    all[child->before_size] = '\n';
    memcpy(all + child->before_size + 1, comments, (size_t)size);
    child->before = all;
    child->before_size += 1 + size;
}

// Whether a comma comes next, behind spaces and comments.
static bool is_comma_next(cutter c)
{
    const char* comments;
    int size;
    bool blank;
    skip_gap(&c, &comments, &size, &blank);
    return c.at < c.end && *c.at == ',';
}

static bool cut_child(cutter* c, piece* parent, const piece* gap)
{
    piece* child = kai_document_allocate(c->document, 1, sizeof *child);
    if (!child) return false;
    child->before = gap->before;
    child->before_size = gap->before_size;
    child->blank = gap->blank;
    if (parent->open == '{') {
        child->key = c->at;
        child->key_size = token_size(c);
        c->at += child->key_size;
        skip_within(c, child);
        c->at++; // the colon
        skip_within(c, child);
    }
    if (!cut_value(c, child)) return false;
    if (is_comma_next(*c)) {
        skip_within(c, child);
        c->at++;
    }
    take_beside(c, child);
    if (parent->last)
        parent->last->next = child;
    else
        parent->first = child;
    parent->last = child;
    return true;
}

// Widths add up until something cannot stand on one line.
static void add_width(piece* parent, const piece* child)
{
    const bool whole = child->width != SIZE_MAX && !child->before && !child->beside;
    if (!whole || parent->width == SIZE_MAX)
        parent->width = SIZE_MAX;
    else
        parent->width += child->width + (child == parent->first ? 0 : 2);
}

static bool cut_value(cutter* c, piece* p)
{
    const size_t key = p->key ? (size_t)columns(p->key, p->key_size) + 2 : 0;
    if (*c->at != '{' && *c->at != '[') {
        p->text = c->at;
        p->text_size = token_size(c);
        p->width = key + (size_t)columns(p->text, p->text_size);
        c->at += p->text_size;
        return true;
    }
    p->open = *c->at++;
    p->width = key + 2;
    for (;;) {
        piece gap = {0};
        skip_gap(c, &gap.before, &gap.before_size, &gap.blank);
        if (c->at >= c->end || *c->at == '}' || *c->at == ']') {
            p->inside = gap.before;
            p->inside_size = gap.before_size;
            if (p->inside) p->width = SIZE_MAX;
            if (c->at < c->end) c->at++;
            return true;
        }
        if (!cut_child(c, p, &gap)) return false;
        add_width(p, p->last);
    }
}

// Writing ----------------------------------------------------------------------------------------

static void indent(kai_text* out, int depth)
{
    for (int i = 0; i < depth * INDENT; i++) kai_text_add_bytes(out, " ", 1);
}

// Comments that stand on lines of their own.
static void put_comments(kai_text* out, const char* text, int size, int depth)
{
    for (const char *line = text, *end = text + size; line < end;) {
        const char* stop = memchr(line, '\n', (size_t)(end - line));
        if (!stop) stop = end;
        while (line < stop && is_space(*line)) line++;
        const char* last = stop;
        while (last > line && is_space(last[-1])) last--;
        if (last > line) {
            indent(out, depth);
            kai_text_add_bytes(out, line, (size_t)(last - line));
            kai_text_add_bytes(out, "\n", 1);
        }
        line = stop + 1;
    }
}

static void put_key(kai_text* out, const piece* p)
{
    if (!p->key) return;
    kai_text_add_bytes(out, p->key, (size_t)p->key_size);
    kai_text_add_bytes(out, ": ", 2);
}

static void put_flat(kai_text* out, const piece* p)
{
    put_key(out, p);
    if (p->text) {
        kai_text_add_bytes(out, p->text, (size_t)p->text_size);
        return;
    }
    kai_text_add_bytes(out, &p->open, 1);
    for (const piece* child = p->first; child; child = child->next) {
        put_flat(out, child);
        if (child->next) kai_text_add_bytes(out, ", ", 2);
    }
    kai_text_add_bytes(out, p->open == '{' ? "}" : "]", 1);
}

static void put_broken(kai_text* out, const piece* p, int depth);

static bool fits(const piece* p, int depth)
{
    return p->width != SIZE_MAX && (size_t)(depth * INDENT) + p->width + 1 <= WIDTH;
}

static void put_value(kai_text* out, const piece* p, int depth)
{
    if (p->text || (!p->first && !p->inside) || fits(p, depth))
        put_flat(out, p);
    else
        put_broken(out, p, depth);
}

// Whether a child of `parent` may share its line with others.
static bool is_filling(const piece* parent, const piece* p, int depth)
{
    if (p->before || p->beside || depth == 0 || p->width == SIZE_MAX) return false;
    return parent->open == '{' ? fits(p, depth + 1) : p->text != NULL;
}

// As many children as fit on one line; returns the last one.
static const piece* put_filled(kai_text* out, const piece* parent, const piece* p, int depth)
{
    size_t used = (size_t)((depth + 1) * INDENT) + p->width + 1;
    put_flat(out, p);
    while (p->next && is_filling(parent, p->next, depth) && !p->next->blank &&
           used + p->next->width + 2 <= WIDTH) {
        p = p->next;
        used += p->width + 2;
        kai_text_add_bytes(out, ", ", 2);
        put_flat(out, p);
    }
    return p;
}

static void put_broken(kai_text* out, const piece* p, int depth)
{
    put_key(out, p);
    kai_text_add_bytes(out, &p->open, 1);
    kai_text_add_bytes(out, "\n", 1);
    for (const piece* child = p->first; child; child = child->next) {
        if (child->blank && child != p->first) kai_text_add_bytes(out, "\n", 1);
        if (child->before) put_comments(out, child->before, child->before_size, depth + 1);
        indent(out, depth + 1);
        if (is_filling(p, child, depth))
            child = put_filled(out, p, child, depth);
        else
            put_value(out, child, depth + 1);
        if (child->next) kai_text_add_bytes(out, ",", 1);
        if (child->beside) {
            kai_text_add_bytes(out, " ", 1);
            kai_text_add_bytes(out, child->beside, (size_t)child->beside_size);
        }
        kai_text_add_bytes(out, "\n", 1);
    }
    if (p->inside) put_comments(out, p->inside, p->inside_size, depth + 1);
    indent(out, depth);
    kai_text_add_bytes(out, p->open == '{' ? "}" : "]", 1);
}

// The root is never on one line.
static void put_root(kai_text* out, const piece* root)
{
    if (root->before) put_comments(out, root->before, root->before_size, 0);
    if (root->first || root->inside)
        put_broken(out, root, 0);
    else
        put_flat(out, root);
    kai_text_add_bytes(out, "\n", 1);
    if (root->beside) put_comments(out, root->beside, root->beside_size, 0);
}

// Call -------------------------------------------------------------------------------------------

kai_result kai_format(const char* name, const char* text, size_t size, char** out, kai_error* err)
{
    KAI_CLEAR(out);
    KAI_GIVEN(err, name, text, out);
    kai_document document = {0};
    kai_problems problems = {0};
    kai_text written = {0};
    piece root = {0};
    bool blank;
    char* copy = malloc(size + 1); // ends with a zero
    if (copy) {
        memcpy(copy, text, size);
        copy[size] = '\0';
        const uint32_t file = kai_document_add_file(&document, name, NULL, false);
        kai_document_parse(&document, file, copy, size, &problems);
    }
    const bool good = copy && problems.count == 0 && !document.failed;
    cutter c = {.document = &document, .at = copy, .end = copy ? copy + size : NULL};
    if (good) {
        if (size >= 3 && memcmp(copy, "\xef\xbb\xbf", 3) == 0) c.at += 3;
        skip_gap(&c, &root.before, &root.before_size, &blank);
        if (cut_value(&c, &root)) {
            skip_gap(&c, &root.beside, &root.beside_size, &blank);
            put_root(&written, &root);
        }
    }
    const bool failed = !copy || document.failed || written.failed;
    kai_result r = KAI_OK;
    if (problems.kept > 0) {
        r = KAI_ERROR_FORMAT;
        if (err) *err = problems.list[0];
    } else if (failed) {
        r = kai_error_set(err, KAI_ERROR_MEMORY, "kai_format: out of memory");
    }
    if (r == KAI_OK) {
        *out = written.data;
        written.data = NULL;
    }
    kai_text_free(&written);
    kai_problems_free(&problems);
    kai_document_free(&document);
    free(copy);
    return r;
}
