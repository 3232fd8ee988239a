// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// What a sweep varies: NAME=A:B:N for N equal steps from A to B, or NAME=a,b,c.
#define _GNU_SOURCE // asprintf
#include "sweep.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { RUNS_MOST = 100000, NUMBER = 40 };

static bool plan_no_memory(void)
{
    cli_error("out of memory");
    return false;
}

static bool add_value(sweep_vary* v, const char* text, size_t length)
{
    char** grown = realloc(v->values, (v->count + 1) * sizeof *grown);
    if (grown == NULL) return plan_no_memory();
    v->values = grown;
    v->values[v->count] = strndup(text, length);
    if (v->values[v->count] == NULL) return plan_no_memory();
    v->count++;
    return true;
}

// A number with no more digits than it needs.
static void print_number(double x, char out[NUMBER])
{
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(out, NUMBER, "%.*g", digits, x);
        if (strtod(out, NULL) == x) return;
    }
}

// Whether the text is A:B:N.
static bool is_span(const char* text, double* from, double* to, long* steps)
{
    char* end;
    *from = strtod(text, &end);
    if (end == text || *end != ':') return false;
    text = end + 1;
    *to = strtod(text, &end);
    if (end == text || *end != ':' || !isdigit((unsigned char)end[1])) return false;
    *steps = strtol(end + 1, &end, 10);
    return *end == '\0' && isfinite(*from) && isfinite(*to);
}

static bool add_span(sweep_vary* v, double from, double to, long count)
{
    if (count < 2 || count > RUNS_MOST) {
        cli_error("--vary %s: %ld values; must be from 2 to %d", v->name, count, RUNS_MOST);
        return false;
    }
    for (long i = 0; i < count; i++) {
        char number[NUMBER];
        const double t = (double)i / (double)(count - 1);
        print_number(i + 1 == count ? to : from + t * (to - from), number);
        if (!add_value(v, number, strlen(number))) return false;
    }
    return true;
}

// Values between commas that stand in no brackets, braces or quotes.
static bool add_list(sweep_vary* v, const char* text)
{
    int depth = 0;
    bool quoted = false;
    for (const char *begin = text, *c = text;; c++) {
        if (*c == '"') quoted = !quoted;
        if (!quoted) depth += (*c == '[' || *c == '{') - (*c == ']' || *c == '}');
        if (*c != '\0' && (*c != ',' || depth > 0 || quoted)) continue;
        if (c == begin) {
            cli_error("--vary %s=%s: has an empty value", v->name, text);
            return false;
        }
        if (!add_value(v, begin, (size_t)(c - begin))) return false;
        if (*c == '\0') return true;
        begin = c + 1;
    }
}

static bool read_vary(sweep_vary* v, const char* text)
{
    const char* equal = strchr(text, '=');
    if (equal == NULL || equal == text) {
        cli_error("--vary is '%s'; must be NAME=A:B:N or NAME=a,b,c", text);
        return false;
    }
    v->name = strndup(text, (size_t)(equal - text));
    if (v->name == NULL) return plan_no_memory();
    double from, to;
    long count;
    return is_span(equal + 1, &from, &to, &count) ? add_span(v, from, to, count)
                                                  : add_list(v, equal + 1);
}

bool sweep_plan_read(sweep_plan* plan, const cli_list* texts)
{
    *plan = (sweep_plan){.total = 1};
    if (texts->count == 0) {
        cli_error("sweep needs something to vary: --vary NAME=A:B:N or --vary NAME=a,b,c");
        return false;
    }
    plan->varies = calloc(texts->count, sizeof *plan->varies);
    if (plan->varies == NULL) return plan_no_memory();
    for (size_t i = 0; i < texts->count; i++) {
        sweep_vary* v = &plan->varies[plan->count++];
        if (!read_vary(v, texts->items[i])) return false;
        for (size_t k = 0; k < i; k++) {
            if (strcmp(plan->varies[k].name, v->name) != 0) continue;
            cli_error("--vary %s is given twice", v->name);
            return false;
        }
        if (v->count > RUNS_MOST / plan->total) {
            cli_error("the sweep has more than %d runs", RUNS_MOST);
            return false;
        }
        plan->total *= v->count;
    }
    return true;
}

void sweep_plan_free(sweep_plan* plan)
{
    for (size_t i = 0; i < plan->count; i++) {
        for (size_t k = 0; k < plan->varies[i].count; k++) free(plan->varies[i].values[k]);
        free(plan->varies[i].values);
        free(plan->varies[i].name);
    }
    free(plan->varies);
    *plan = (sweep_plan){0};
}

const char* sweep_plan_value(const sweep_plan* plan, size_t k, size_t i)
{
    for (size_t later = plan->count - 1; later > i; later--) k /= plan->varies[later].count;
    return plan->varies[i].values[k % plan->varies[i].count];
}

char* sweep_plan_set(const sweep_plan* plan, size_t k, size_t i)
{
    char* text = NULL;
    const int size = asprintf(&text, "%s=%s", plan->varies[i].name, sweep_plan_value(plan, k, i));
    return size >= 0 ? text : NULL;
}

void sweep_plan_folder(size_t k, char* out, size_t size)
{
    snprintf(out, size, "run-%04zu", k + 1);
}
