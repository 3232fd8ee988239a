// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "cli.h"

#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

void cli_error(const char* format, ...)
{
    va_list args;
    va_start(args, format);
    fputs("kairos: ", stderr);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    va_end(args);
}

const char* cli_message(const kai_error* error)
{
    static const char NAME[] = "abcdefghijklmnopqrstuvwxyz0123456789_";
    const char* text = error->message;
    while (strncmp(text, "kai_", 4) == 0) {
        const size_t n = strspn(text, NAME);
        if (strncmp(text + n, ": ", 2) != 0) break;
        text += n + 2;
    }
    return text;
}

double cli_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// Did you mean -----------------------------------------------------------------------------------

static int smaller(int a, int b) { return a < b ? a : b; }

// Edit distance with swaps of neighbours.
static int distance(const char* a, const char* b)
{
    enum { MOST = 63 };
    const int m = (int)strnlen(a, MOST), n = (int)strnlen(b, MOST);
    int d[MOST + 1][MOST + 1];
    for (int i = 0; i <= m; i++) d[i][0] = i;
    for (int j = 0; j <= n; j++) d[0][j] = j;
    for (int i = 1; i <= m; i++) {
        for (int j = 1; j <= n; j++) {
            d[i][j] = smaller(smaller(d[i - 1][j], d[i][j - 1]) + 1,
                              d[i - 1][j - 1] + (a[i - 1] != b[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                d[i][j] = smaller(d[i][j], d[i - 2][j - 2] + 1);
        }
    }
    return d[m][n];
}

const char* cli_nearest(const char* word, const char* (*candidate)(size_t i, const void* context),
                        const void* context)
{
    const int length = (int)strlen(word);
    int best = length < 6 ? 1 : length / 3;
    const char *nearest = NULL, *text;
    for (size_t i = 0; (text = candidate(i, context)) != NULL; i++) {
        const int apart = distance(word, text);
        if (apart > best || (nearest != NULL && apart == best)) continue;
        best = apart;
        nearest = text;
    }
    return nearest;
}

// Parsing ----------------------------------------------------------------------------------------

typedef struct option_list {
    const cli_option* options;
    size_t count;
} option_list;

static const char* option_name(size_t i, const void* context)
{
    const option_list* list = context;
    return i < list->count ? list->options[i].name : NULL;
}

static const cli_option* find_option(const option_list* list, const char* word)
{
    if (word[1] != '-') {
        for (size_t i = 0; i < list->count; i++)
            if (list->options[i].letter != 0 && list->options[i].letter == word[1])
                return &list->options[i];
        return NULL;
    }
    const size_t length = strcspn(word + 2, "=");
    for (size_t i = 0; i < list->count; i++) {
        const char* name = list->options[i].name;
        if (strlen(name) == length && strncmp(name, word + 2, length) == 0)
            return &list->options[i];
    }
    return NULL;
}

static bool unknown(const option_list* list, const char* word)
{
    char name[64];
    const char* bare = word + (word[1] == '-' ? 2 : 1);
    snprintf(name, sizeof name, "%.*s", (int)strcspn(bare, "="), bare);
    const char* near = cli_nearest(name, option_name, list);
    if (near != NULL)
        cli_error("unknown option '%s'; did you mean '--%s'?", word, near);
    else
        cli_error("unknown option '%s'", word);
    return false;
}

static bool set_number(const cli_option* o, const char* text)
{
    char* end = NULL;
    const double x = strtod(text, &end);
    const bool number =
        !isspace((unsigned char)text[0]) && end != text && *end == '\0' && isfinite(x);
    if (number && (o->type == CLI_NUMBER ? x >= 0.0 : x > 0.0)) {
        *(double*)o->target = x;
        return true;
    }
    cli_error("--%s is '%s'; must be a number %s 0", o->name, text,
              o->type == CLI_NUMBER ? ">=" : ">");
    return false;
}

static bool set_count(const cli_option* o, const char* text)
{
    char* end = NULL;
    const long n = strtol(text, &end, 10), least = o->type == CLI_INDEX ? 0 : 1;
    if (isdigit((unsigned char)text[0]) && *end == '\0' && n >= least && n <= INT_MAX) {
        *(int*)o->target = (int)n;
        return true;
    }
    cli_error("--%s is '%s'; must be a whole number %s 0", o->name, text, least > 0 ? ">" : ">=");
    return false;
}

/// A number of bytes: 512M, 1.5G; letters count in powers of 1024.
static bool set_size(const cli_option* o, const char* text)
{
    static const char letters[] = "KMGT";
    char* end = NULL;
    double x = strtod(text, &end);
    const char* letter =
        *end != '\0' && end != text ? strchr(letters, toupper((unsigned char)*end)) : NULL;
    if (letter != NULL) x = ldexp(x, 10 * (int)(letter - letters + 1)), end++;
    if (isdigit((unsigned char)text[0]) && *end == '\0' && x >= 1.0 && x < ldexp(1.0, 62)) {
        *(size_t*)o->target = (size_t)x;
        return true;
    }
    cli_error("--%s is '%s'; must be a number of bytes > 0, such as 512M or 4G", o->name, text);
    return false;
}

static bool set_port(const cli_option* o, const char* text)
{
    char* end = NULL;
    const long n = text != NULL ? strtol(text, &end, 10) : 0;
    if (text == NULL || (isdigit((unsigned char)text[0]) && *end == '\0' && n <= 65535)) {
        *(int*)o->target = (int)n;
        return true;
    }
    cli_error("--%s is '%s'; must be a port from 0 to 65535", o->name, text);
    return false;
}

static bool add_item(cli_list* list, const char* text)
{
    const char** grown = realloc(list->items, (list->count + 1) * sizeof *grown);
    if (grown == NULL) {
        cli_error("out of memory");
        return false;
    }
    list->items = grown;
    list->items[list->count++] = text;
    return true;
}

static bool set_value(const cli_option* o, const char* text)
{
    switch (o->type) {
    case CLI_FLAG: *(bool*)o->target = true; return true;
    case CLI_TEXT: *(const char**)o->target = text; return true;
    case CLI_NUMBER:
    case CLI_POSITIVE: return set_number(o, text);
    case CLI_COUNT:
    case CLI_INDEX: return set_count(o, text);
    case CLI_SIZE: return set_size(o, text);
    case CLI_PORT: return set_port(o, text);
    case CLI_LIST: return add_item(o->target, text);
    }
    return false;
}

// One option at argv[*i], with its value there, after '=' or in the next word.
static bool parse_option(int argc, char** argv, int* i, const option_list* list)
{
    const char* word = argv[*i];
    const cli_option* o = find_option(list, word);
    if (o == NULL) return unknown(list, word);
    const char* value = word[1] == '-' ? strchr(word, '=') : word[2] != '\0' ? word + 1 : NULL;
    if (o->type == CLI_FLAG) {
        if (value == NULL) return set_value(o, NULL);
        cli_error("'%s' takes no value", word);
        return false;
    }
    if (value != NULL) return set_value(o, value + 1);
    if (o->type == CLI_PORT) return set_value(o, NULL);
    if (*i + 1 < argc) return set_value(o, argv[++*i]);
    cli_error("'%s' needs a value: %s", word, o->value);
    return false;
}

bool cli_parse(int argc, char** argv, const cli_option* options, size_t count, const char** words,
               size_t most, size_t* found)
{
    const option_list list = {options, count};
    bool only_words = false;
    *found = 0;
    for (int i = 1; i < argc; i++) {
        if (!only_words && strcmp(argv[i], "--") == 0) {
            only_words = true;
        } else if (!only_words && argv[i][0] == '-' && argv[i][1] != '\0') {
            if (!parse_option(argc, argv, &i, &list)) return false;
        } else if (*found == most) {
            cli_error("'%s' is one argument too many", argv[i]);
            return false;
        } else {
            words[(*found)++] = argv[i];
        }
    }
    return true;
}
