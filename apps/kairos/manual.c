// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The manual page kairos(1), from the tables of commands and options.
#include "cli.h"

#include <string.h>

// The character that begins at `text` as a number; `*size` bytes. Broken UTF-8 is taken byte by byte.
static unsigned long character_at(const char* text, size_t* size)
{
    const unsigned char* c = (const unsigned char*)text;
    const size_t more = c[0] >= 0xf0 ? 3 : c[0] >= 0xe0 ? 2 : c[0] >= 0xc0 ? 1 : 0;
    unsigned long code = more == 0 ? c[0] : c[0] & (0x3fu >> more);
    *size = 1;
    for (size_t i = 1; i <= more && (c[i] & 0xc0) == 0x80; i++, ++*size)
        code = code << 6 | (c[i] & 0x3fu);
    return code;
}

// Text as troff wants it: hyphens that can be copied, no control lines, ASCII only.
static void put_text(const char* text, size_t length)
{
    if (length > 0 && (text[0] == '.' || text[0] == '\'')) printf("\\&");
    for (size_t i = 0, size; i < length; i += size) {
        const unsigned long code = character_at(text + i, &size);
        if (code == '\\')
            printf("\\e");
        else if (code == '-')
            printf("\\-");
        else if (code == '\'')
            printf("\\(aq");
        else if (code < 0x80)
            putchar((int)code);
        else
            printf("\\[u%04lX]", code);
    }
}

static void put(const char* text) { put_text(text, strlen(text)); }

// Lines of text; those that begin with spaces stand as they are.
static void put_lines(const char* lines)
{
    bool plain = true;
    const char* const begin = lines;
    while (*lines != '\0') {
        const size_t length = strcspn(lines, "\n");
        const bool as_is = lines[0] == ' ';
        const size_t indent = strspn(lines, " ");
        if (as_is && plain && lines > begin) printf(".sp\n");
        if (as_is == plain) printf(as_is ? ".RS 4\n.nf\n" : ".fi\n.RE\n");
        plain = !as_is;
        if (length == 0 && plain && strncmp(lines, "\n ", 2) != 0 && lines[1] != '\0')
            printf(".PP\n");
        if (length > 0) {
            put_text(lines + indent, length - indent);
            putchar('\n');
        }
        lines += length + (lines[length] != '\0');
    }
    if (!plain) printf(".fi\n.RE\n");
}

static void put_option(const cli_option* o)
{
    const bool after = o->type == CLI_PORT; // its value follows '=' and is called so
    printf(".TP\n\\fB");
    if (o->letter != 0) printf("\\-%c\\fR, \\fB", o->letter);
    printf("\\-\\-");
    put(o->name);
    printf("\\fR");
    if (o->value != NULL) {
        printf("%s\\fI", after ? "" : " ");
        put(o->value);
        printf("\\fR");
    }
    putchar('\n');
    put(o->doc);
    putchar('\n');
}

static void put_command(const cli_command* c)
{
    printf(".SS kairos %s", c->name);
    if (c->arguments[0] != '\0') putchar(' ');
    put(c->arguments);
    printf("%s\n", c->option_count > 0 ? " [OPTIONS]" : "");
    put(c->doc);
    putchar('\n');
    for (size_t i = 0; i < c->option_count; i++) put_option(&c->options[i]);
    if (c->notes == NULL) return;
    printf(".PP\n");
    put_lines(c->notes);
}

// A list of terms: lines of a first word, spaces and a text.
static void put_terms(const char* lines)
{
    while (*lines != '\0') {
        const size_t length = strcspn(lines, "\n"), term = strcspn(lines, " ");
        const size_t text = term + strspn(lines + term, " ");
        printf(".TP\n\\fB");
        put_text(lines, term);
        printf("\\fR\n");
        put_text(lines + text, length - text);
        putchar('\n');
        lines += length + (lines[length] != '\0');
    }
}

static const char FILES[] =
    "run.json  what the run was and how it went: times, energy, contacts, solver, warnings, hash of the state\n"
    "*.csv  the time series that the scene's outputs ask for\n"
    "trajectory.h5  snapshots for replay and ParaView (VTKHDF)\n"
    "meshes.h5  deforming meshes at the same times\n"
    "checkpoint.h5  the newest complete checkpoint\n"
    "index.html  the page: replay in 3-D, plots, summary; one file, needs no network\n";

static const char ENVIRONMENT[] =
    "KAIROS_SCENES  a folder whose scenes are found by name before those that ship\n"
    "KAIROS_IMPORT  the program kairos-import, which reads STEP, glTF and DAE files\n"
    "KAIROS_IMPORT_MEMORY  most memory that it may take, in bytes\n"
    "KAIROS_IMPORT_SECONDS  longest time that it may take\n";

static const char EXAMPLES[] = "    kairos scenes\n"
                               "    kairos run double-pendulum\n"
                               "    kairos run scene.json -o out/first --set /step=1e-4\n"
                               "    kairos run scene.json -o out/first --resume\n"
                               "    kairos view out/first\n";

void cli_print_manual(void)
{
    printf(".TH KAIROS 1 2026-11-19 \"Kairos %s\" \"Kairos\"\n", kai_info_version());
    printf(".SH NAME\nkairos \\- dynamics of machines, grains and flexible structures\n");
    printf(".SH SYNOPSIS\n");
    const cli_command* c;
    for (size_t i = 0; (c = cli_command_at(i)) != NULL; i++) {
        printf("%s\\fBkairos %s\\fR", i > 0 ? ".br\n" : "", c->name);
        if (c->arguments[0] != '\0') putchar(' ');
        put(c->arguments);
        printf("%s\n", c->option_count > 0 ? " [OPTIONS]" : "");
    }
    printf(".SH DESCRIPTION\n");
    put_lines(
        "A scene is a JSON file that describes a world and how to run it. A run leaves a folder of\n"
        "results. Errors go to standard error, one line each: kairos: FILE:LINE:COL: message.\n");
    printf(".SH COMMANDS\n");
    for (size_t i = 0; (c = cli_command_at(i)) != NULL; i++) put_command(c);
    printf(".SH EXIT STATUS\n");
    put_terms(cli_status_text);
    printf(".SH FILES\nA run leaves in its folder:\n");
    put_terms(FILES);
    printf(".SH ENVIRONMENT\n");
    put_terms(ENVIRONMENT);
    printf(".SH EXAMPLES\n");
    put_lines(EXAMPLES);
}
