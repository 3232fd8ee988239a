// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// kairos help: the commands, one of them, or the manual page.
#include "cli.h"

static struct {
    bool manual;
} args;

static const cli_option OPTIONS[] = {
    {"man", 0, CLI_FLAG, &args.manual, NULL, "print the manual page of kairos(1), for 'man -l -'"},
};

static int run(int argc, char** argv)
{
    const char* word = NULL;
    size_t words;
    if (!cli_parse(argc, argv, OPTIONS, KAI_COUNT(OPTIONS), &word, 1, &words)) return CLI_USAGE;
    const cli_command* command = words > 0 ? cli_command_find(word) : NULL;
    if (words > 0 && command == NULL) {
        const char* near = cli_command_nearest(word);
        if (near != NULL)
            cli_error("unknown command '%s'; did you mean '%s'?", word, near);
        else
            cli_error("unknown command '%s'; 'kairos help' lists the commands", word);
        return CLI_USAGE;
    }
    if (args.manual)
        cli_print_manual();
    else if (command != NULL)
        cli_print_help(command);
    else
        cli_print_usage(stdout);
    return CLI_DONE;
}

const cli_command cli_help = {.name = "help",
                              .arguments = "[COMMAND]",
                              .doc = "Says what the commands do.",
                              .run = run,
                              CLI_OPTIONS(OPTIONS)};
