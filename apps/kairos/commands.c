// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The list of commands, and what is printed about them.
#include "cli.h"

#include <string.h>

// clang-format off
static const cli_command* const COMMANDS[] = {
    &cli_run,
    &cli_new,
    &cli_check,
    &cli_view,
    &cli_export,
    &cli_solve,
    &cli_sweep,
    &cli_diff,
    &cli_doc,
    &cli_fmt,
    &cli_scenes,
    &cli_info,
    &cli_bench,
    &cli_completion,
    &cli_help,
};
// clang-format on

const char cli_status_text[] =
    "0  done\n"
    "1  the run failed (diverged, out of memory, disk full …); results so far are kept\n"
    "2  bad usage or bad input; nothing was written\n"
    "3  stopped from outside (Ctrl-C, SIGTERM …); a run can be resumed\n";

const cli_command* cli_command_at(size_t i) { return i < KAI_COUNT(COMMANDS) ? COMMANDS[i] : NULL; }

const cli_command* cli_command_find(const char* name)
{
    for (size_t i = 0; i < KAI_COUNT(COMMANDS); i++)
        if (strcmp(name, COMMANDS[i]->name) == 0) return COMMANDS[i];
    return NULL;
}

static const char* command_name(size_t i, const void* context)
{
    (void)context;
    return i < KAI_COUNT(COMMANDS) ? COMMANDS[i]->name : NULL;
}

const char* cli_command_nearest(const char* word) { return cli_nearest(word, command_name, NULL); }

// Lines, each after so many spaces.
static void print_lines(FILE* out, const char* lines)
{
    while (*lines != '\0') {
        const size_t length = strcspn(lines, "\n");
        fprintf(out, "  %.*s\n", (int)length, lines);
        lines += length + (lines[length] != '\0');
    }
}

void cli_print_usage(FILE* out)
{
    fprintf(out, "usage: kairos COMMAND …\n\n");
    for (size_t i = 0; i < KAI_COUNT(COMMANDS); i++)
        fprintf(out, "  %-10s %-16s %s\n", COMMANDS[i]->name, COMMANDS[i]->arguments,
                COMMANDS[i]->doc);
    fprintf(out,
            "\n'kairos COMMAND --help' lists the options of a command; 'kairos --version' (-V) "
            "says the version.\n\nexit status:\n");
    print_lines(out, cli_status_text);
}

void cli_print_help(const cli_command* c)
{
    printf("usage: kairos %s%s%s%s\n\n%s\n", c->name, c->arguments[0] != '\0' ? " " : "",
           c->arguments, c->option_count > 0 ? " [OPTIONS]" : "", c->doc);
    if (c->option_count > 0) putchar('\n');
    for (size_t i = 0; i < c->option_count; i++) {
        const cli_option* o = &c->options[i];
        char left[64];
        snprintf(left, sizeof left, "%c%c%s--%s%s%s", o->letter ? '-' : ' ',
                 o->letter ? o->letter : ' ', o->letter ? ", " : "  ", o->name,
                 o->value == NULL || o->type == CLI_PORT ? "" : " ", o->value ? o->value : "");
        printf("  %-32s %s\n", left, o->doc);
    }
    if (c->notes != NULL) printf("\n%s", c->notes);
    printf("\nexit status:\n");
    print_lines(stdout, cli_status_text);
}
