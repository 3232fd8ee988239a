// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// kairos scenes: the scenes that ship.
#include "cli.h"

#include <stdio.h>

static void print_scene(void* context, const char* name, const char* title, const char* path)
{
    (void)path;
    ++*(size_t*)context;
    printf("%-24s %s\n", name, title);
}

static int run(int argc, char** argv)
{
    const char* words[1];
    size_t found, count = 0;
    if (!cli_parse(argc, argv, NULL, 0, words, 0, &found)) return CLI_USAGE;
    cli_scene_list("", print_scene, &count);
    if (count == 0) cli_error("no scenes were found; KAIROS_SCENES can name their folder");
    return count > 0 ? CLI_DONE : CLI_FAILED;
}

const cli_command cli_scenes = {.name = "scenes",
                                .arguments = "",
                                .doc = "Lists the scenes that ship; 'kairos run NAME' runs one.",
                                .run = run};
