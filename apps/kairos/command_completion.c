// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// kairos completion: commands, options, scenes and folders completed by a shell.
#include "cli.h"

static int run(int argc, char** argv)
{
    const char* word = NULL;
    size_t words;
    if (!cli_parse(argc, argv, NULL, 0, &word, 1, &words)) return CLI_USAGE;
    if (words == 0) {
        cli_error("completion needs a shell: bash, zsh or fish");
        return CLI_USAGE;
    }
    if (cli_print_completion(word)) return CLI_DONE;
    cli_error("completion is for bash, zsh and fish, not '%s'", word);
    return CLI_USAGE;
}

const cli_command cli_completion = {
    .name = "completion",
    .arguments = "bash|zsh|fish",
    .doc = "Prints what makes a shell complete commands, options and scenes.",
    .run = run,
    .notes = "'make install' puts them where these shells look. For one session of bash:\n\n"
             "    source <(kairos completion bash)\n"};
