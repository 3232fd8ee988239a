// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// kairos info: what this build is and what the machine offers.
#include "cli.h"

#include <stdio.h>

static int run(int argc, char** argv)
{
    const char* words[1];
    size_t found;
    if (!cli_parse(argc, argv, NULL, 0, words, 0, &found)) return CLI_USAGE;
    for (int i = 0;; i++) {
        const kai_fact fact = kai_info_fact(i);
        if (fact.name == NULL) break;
        printf("%-9s %s\n", fact.name, fact.value);
    }
    // What contains the program that reads STEP, glTF and the like.
    char layers[256];
    kai_error error = {0};
    const kai_result known = kai_import_containment(layers, sizeof layers, &error);
    printf("%-9s %s\n", "importer", known == KAI_OK ? layers : error.message);
    return CLI_DONE;
}

const cli_command cli_info = {.name = "info",
                              .arguments = "",
                              .doc = "Says what this build is, and what it found.",
                              .run = run};
