// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// kairos doc: the reference of scenes in the terminal. The pages of docs/scene are made from the
// descriptions of all keys and kinds; the assembler takes them in, one after the other
// (CLI_REFERENCE, from CMake), and here they are searched by headings and by the first cells of
// their tables.
#define _GNU_SOURCE // memmem
#include "cli.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

__asm__(".section .rodata\n"
        "cli_reference:\n"
        ".incbin \"" CLI_REFERENCE "\"\n"
        ".byte 0\n"
        ".previous\n");

extern const char cli_reference[];

static const char* reference = cli_reference; // with what plug-ins add
static cli_list loads;

static const cli_option OPTIONS[] = {CLI_LOAD(&loads)};

enum { LINE_MOST = 4096, NAME_MOST = 128, NAMES_MOST = 8192, CELLS_MOST = 8 };

// Lines ------------------------------------------------------------------------------------------

typedef struct place {
    const char* at;                        // the next line
    char line[LINE_MOST];                  // without its end; long ones are cut
    char page[NAME_MOST], part[NAME_MOST]; // titles above it, without marks
    char head[LINE_MOST];                  // first line of the table that it is in, else ""
    int level;                             // of a heading: 1 to 6; 0: another line
} place;

// Copies a text without marks: `code`, **bold**, [text](link).
static void strip(const char* text, char* out, size_t size)
{
    size_t n = 0;
    for (const char* c = text; *c && n + 1 < size; c++) {
        if (*c == '`' || (*c == '*' && c[1] == '*') || (*c == '*' && c > text && c[-1] == '*'))
            continue;
        const char* middle = *c == '[' ? strstr(c, "](") : NULL;
        const char* end = middle ? strchr(middle, ')') : NULL;
        if (end && !memchr(c + 1, '[', (size_t)(middle - c - 1))) {
            for (c++; c < middle && n + 1 < size; c++)
                if (*c != '`') out[n++] = *c;
            c = end;
            continue;
        }
        if (*c == '\\' && c[1] == '|') continue;
        out[n++] = *c;
    }
    out[n] = '\0';
}

static bool next_line(place* p)
{
    if (!*p->at) return false;
    const size_t length = strcspn(p->at, "\n");
    snprintf(p->line, sizeof p->line, "%.*s", (int)length, p->at);
    p->at += length + (p->at[length] == '\n');
    p->level = (int)strspn(p->line, "#");
    if (p->level > 0 && p->line[p->level] != ' ') p->level = 0;
    if (p->level == 1) strip(p->line + 2, p->page, sizeof p->page);
    if (p->level == 1) p->part[0] = '\0';
    if (p->level > 1) strip(p->line + p->level + 1, p->part, sizeof p->part);
    if (p->line[0] != '|')
        p->head[0] = '\0';
    else if (!p->head[0])
        snprintf(p->head, sizeof p->head, "%s", p->line);
    return true;
}

// The cells of a row, cut in place; how many.
static size_t cut(char* row, char* cells[CELLS_MOST])
{
    size_t count = 0;
    for (char* c = row + 1; *c && count < CELLS_MOST; count++) {
        char* end = c;
        while (*end && !(*end == '|' && end[-1] != '\\')) end++;
        const bool last = !*end;
        *end = '\0';
        c += strspn(c, " ");
        cells[count] = c;
        for (char* back = end; back > c && back[-1] == ' ';) *--back = '\0';
        if (last) return count + 1;
        c = end + 1;
    }
    return count;
}

// The key of a row, "" for what is none.
static void key_of(const char* line, char out[NAME_MOST])
{
    const char* end = strncmp(line, "| `", 3) == 0 ? strchr(line + 3, '`') : NULL;
    snprintf(out, NAME_MOST, "%.*s", end ? (int)(end - line - 3) : 0, line + 3 - (end ? 0 : 3));
}

// Searching --------------------------------------------------------------------------------------

// "revolute", or "revolute.spring": a word, and the title of the part or page that it is in.
typedef struct wish {
    char part[NAME_MOST]; // "" for any
    char word[NAME_MOST];
} wish;

static bool is_in(const wish* w, const place* p)
{
    return !w->part[0] || strcasecmp(p->part, w->part) == 0 || strcasecmp(p->page, w->part) == 0 ||
           strcasestr(p->part, w->part);
}

// Writes a text in lines of at most 100 columns, each after so many spaces.
static void print_wrapped(const char* text, int indent)
{
    char plain[LINE_MOST];
    strip(text, plain, sizeof plain);
    int column = 0;
    for (char *rest = plain, *word; (word = strtok_r(rest, " ", &rest)) != NULL;) {
        const int length = (int)strlen(word);
        if (column == 0 || column + 1 + length > 100) {
            if (column > 0) putchar('\n');
            printf("%*s%s", indent, "", word);
            column = indent + length;
        } else {
            printf(" %s", word);
            column += 1 + length;
        }
    }
    if (column > 0) putchar('\n');
}

// A row: its key, what the columns between say, and the meaning below.
static void print_row(const char* head, const char* row)
{
    char titles[LINE_MOST], texts[LINE_MOST], facts[LINE_MOST] = "", plain[LINE_MOST];
    char *title[CELLS_MOST], *text[CELLS_MOST];
    snprintf(titles, sizeof titles, "%s", head);
    snprintf(texts, sizeof texts, "%s", row);
    const size_t columns = cut(titles, title), count = cut(texts, text);
    size_t last = count;
    while (last > 1 && !text[last - 1][0]) last--;
    for (size_t i = 1; i + 1 < last && i < columns; i++) {
        if (!text[i][0] || strcmp(text[i], "–") == 0) continue;
        const bool bare = strcmp(title[i], "type") == 0 || strcmp(title[i], "rule") == 0;
        const size_t used = strlen(facts);
        snprintf(facts + used, sizeof facts - used, "%s%s%s%s", used ? "; " : "",
                 bare ? "" : title[i], bare ? "" : " ", text[i]);
    }
    strip(text[0], plain, sizeof plain);
    printf("  %s", plain);
    strip(facts, plain, sizeof plain);
    printf("%s%s\n", plain[0] ? ": " : "", plain);
    if (last > 1) print_wrapped(text[last - 1], 6);
}

// A line that is no heading; what only pages in a browser need is left out. `*blank`: a blank line is
// due before the next one.
static void print_line(const place* p, bool* blank)
{
    char key[NAME_MOST];
    key_of(p->line, key);
    const bool link = strncmp(p->line, "[Scene files]", 13) == 0;
    if (!p->line[0]) *blank = true;
    if (!p->line[0] || link || strncmp(p->line, "<!--", 4) == 0) return;
    if (p->line[0] == '|' && !key[0]) return;
    if (*blank) putchar('\n');
    *blank = false;
    if (key[0])
        print_row(p->head, p->line);
    else
        print_wrapped(p->line, 0);
}

// The text of a part from its heading to the next one that is as high.
static void print_part(place* p)
{
    const int level = p->level;
    const char* before = p->at;
    bool blank = false;
    printf("%s%s%s\n", p->page, p->part[0] ? ": " : "", p->part);
    while (next_line(p) && (p->level == 0 || p->level > level)) {
        before = p->at;
        if (p->level > 0)
            printf("\n%s\n", p->part);
        else
            print_line(p, &blank);
    }
    if (*p->at || p->level > 0) p->at = before; // the next heading is read again
}

// Prints all that a wish finds; how much that was.
static size_t print_found(const wish* w)
{
    place p = {.at = reference};
    size_t found = 0;
    while (next_line(&p)) {
        char key[NAME_MOST];
        key_of(p.line, key);
        const char* title = p.level == 1 ? p.page : p.part;
        if (p.level > 0 && strcasecmp(title, w->word) == 0 &&
            (!w->part[0] || strcasecmp(p.page, w->part) == 0)) {
            if (found++ > 0) putchar('\n');
            print_part(&p);
        } else if (key[0] && strcmp(key, w->word) == 0 && is_in(w, &p)) {
            if (found++ > 0) putchar('\n');
            printf("%s%s%s\n", p.page, p.part[0] ? ": " : "", p.part);
            print_row(p.head, p.line);
        }
    }
    return found;
}

// Words ------------------------------------------------------------------------------------------

typedef struct words {
    char (*list)[NAME_MOST];
    size_t count;
} words;

static void collect(words* all)
{
    place p = {.at = reference};
    while (next_line(&p) && all->count < NAMES_MOST) {
        char* word = all->list[all->count];
        if (p.level > 0)
            snprintf(word, NAME_MOST, "%s", p.level == 1 ? p.page : p.part);
        else
            key_of(p.line, word);
        if (word[0]) all->count++;
    }
}

static const char* word_at(size_t i, const void* context)
{
    const words* all = context;
    return i < all->count ? all->list[i] : NULL;
}

static void print_contents(void)
{
    place p = {.at = reference};
    while (next_line(&p))
        if (p.level == 1) printf("%s\n", p.page);
    printf(
        "\n'kairos doc WORD' describes a section of this list, a kind (revolute) or a key (friction); "
        "'kairos doc revolute.damping' a key of a kind.\n");
}

// Plug-ins ---------------------------------------------------------------------------------------

// A text with what a plug-in says of its sections and kinds behind it; NULL after an error.
static char* extend(char* text, const kai_plugin* plugin)
{
    char *more = NULL, *longer = NULL;
    kai_error error = {0};
    if (kai_plugin_reference(plugin, &more, &error) != KAI_OK) {
        cli_error("%s", cli_message(&error));
    } else if (asprintf(&longer, "%s\n%s", text, more) < 0) {
        cli_error("out of memory");
        longer = NULL;
    }
    free(more);
    free(text);
    return longer;
}

// Takes in what plug-ins bring. False after an error.
static bool load_plugins(void)
{
    if (loads.count == 0) return true;
    kai_world_def def = kai_world_def_default();
    char* text = strdup(cli_reference);
    bool ok = text != NULL && cli_plugins_open(&loads, &def);
    for (size_t i = 0; ok && i < loads.count; i++)
        ok = (text = extend(text, def.kinds.plugins[i])) != NULL;
    if (ok)
        reference = text;
    else
        free(text);
    cli_plugins_free(&def);
    return ok;
}

static int describe(const char* word)
{
    if (word == NULL) {
        print_contents();
        return CLI_DONE;
    }
    wish w = {.part = ""};
    const char* point = strrchr(word, '.');
    snprintf(w.part, sizeof w.part, "%.*s", point ? (int)(point - word) : 0, word);
    snprintf(w.word, sizeof w.word, "%s", point ? point + 1 : word);
    if (print_found(&w) > 0) return CLI_DONE;
    words all = {.list = calloc(NAMES_MOST, sizeof *all.list)};
    if (all.list != NULL) collect(&all);
    const char* near = all.list != NULL ? cli_nearest(w.word, word_at, &all) : NULL;
    cli_error("nothing is called '%s'%s%s%s", word, near ? "; did you mean '" : "",
              near ? near : "", near ? "'?" : "; 'kairos doc' lists the sections");
    free(all.list);
    return CLI_USAGE;
}

static int run(int argc, char** argv)
{
    const char* word = NULL;
    size_t count;
    if (!cli_parse(argc, argv, OPTIONS, KAI_COUNT(OPTIONS), &word, 1, &count)) return CLI_USAGE;
    const int status = load_plugins() ? describe(count > 0 ? word : NULL) : CLI_USAGE;
    if (reference != cli_reference) free((char*)(uintptr_t)reference);
    reference = cli_reference;
    free(loads.items);
    return status;
}

const cli_command cli_doc = {.name = "doc",
                             .arguments = "[WORD]",
                             .doc = "Describes a section, kind or key of scenes.",
                             CLI_OPTIONS(OPTIONS),
                             .run = run};
