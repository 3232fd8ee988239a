// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "view/page_events.h"

#include "base/number.h"
#include "record/file.h"
#include "view/json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// One row: time, event, action.
typedef struct row {
    double time;
    char *name, *action; // in the line
} row;

// Undoes the quotes of a cell in place and ends it; what follows it, or NULL after the last.
static char* cut_cell(char* c, char** out)
{
    const bool quoted = *c == '"';
    char* to = *out = quoted ? ++c : c;
    while (*c != '\0' && (quoted ? *c != '"' || c[1] == '"' : *c != ',' && *c != '\n')) {
        if (quoted && *c == '"') c++;
        *to++ = *c++;
    }
    if (quoted && *c == '"') c++;
    const bool more = *c == ',';
    *to = '\0';
    return more ? c + 1 : NULL;
}

static bool page_events_row(char* line, row* out)
{
    char *time, *rest = cut_cell(line, &time);
    if (!rest || !(rest = cut_cell(rest, &out->name))) return false;
    cut_cell(rest, &out->action);
    return kai_number_parse(time, time + strlen(time), &out->time) == KAI_NUMBER_OK;
}

typedef struct writer {
    kai_text* to;
    size_t count;
    double time;   // of the event that is open
    kai_text name; // likewise
} writer;

static void begin_event(writer* w, const row* r)
{
    kai_text_add(w->to, "%s{\"time\":", w->count++ > 0 ? "]}," : "");
    kai_json_number(w->to, r->time);
    kai_text_add(w->to, ",\"name\":");
    kai_json_string(w->to, r->name);
    kai_text_add(w->to, ",\"actions\":[");
    w->time = r->time;
    kai_text_free(&w->name);
    kai_text_add(&w->name, "%s", r->name);
}

static void read_rows(writer* w, FILE* file)
{
    char* line = NULL;
    size_t size = 0;
    row r;
    bool begun = false, header = true; // begun: an action stands before the next one
    while (getline(&line, &size, file) > 0) {
        const bool first = header;
        header = false;
        if (first) continue;
        if (!page_events_row(line, &r)) break; // a kill may leave a part of the last one
        const bool same =
            w->count > 0 && r.time == w->time && w->name.data && strcmp(w->name.data, r.name) == 0;
        if (!same && w->count == KAI_PAGE_EVENTS) break;
        if (!same) begin_event(w, &r), begun = false;
        if (r.action[0] == '\0') continue;
        if (begun) kai_text_add(w->to, ",");
        kai_json_string(w->to, r.action);
        begun = true;
    }
    free(line);
}

kai_result kai_page_events_write(const char* path, kai_text* to, kai_error* err)
{
    int descriptor;
    uint64_t bytes;
    kai_error none = {0};
    kai_text_add(to, ",\"events\":[");
    // A run that failed early may have no file.
    if (path != NULL && kai_file_open(path, &descriptor, &bytes, &none) == KAI_OK) {
        FILE* file = fdopen(descriptor, "r");
        if (file == NULL) {
            close(descriptor);
            return kai_file_no_memory(path, err);
        }
        writer w = {.to = to};
        read_rows(&w, file);
        if (w.count > 0) kai_text_add(to, "]}");
        kai_text_free(&w.name);
        fclose(file);
    }
    kai_text_add(to, "]");
    return KAI_OK;
}
