// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// kairos view: the page of a run in a browser, served where it is too large to be one file.
#include "cli.h"

#include <signal.h>
#include <stdio.h>

static volatile int stop;

static void on_signal(int number)
{
    (void)number;
    stop = 1;
}

static struct {
    const char* host;
    int port;
} args;

static const cli_option OPTIONS[] = {
    {"port", 0, CLI_COUNT, &args.port, "P", "port to listen at (default: any that is free)"},
    {"host", 0, CLI_TEXT, &args.host, "ADDRESS",
     "address to listen at (default: 127.0.0.1, this machine only)"},
};

static void ready(void* context, const char* url)
{
    (void)context;
    printf("%s\n", url);
    fprintf(stderr, "open this address in a browser; Ctrl-C ends\n");
    fflush(stdout);
}

static int run(int argc, char** argv)
{
    const char* word = NULL;
    size_t words;
    if (!cli_parse(argc, argv, OPTIONS, KAI_COUNT(OPTIONS), &word, 1, &words)) return CLI_USAGE;
    if (words == 0) {
        cli_error("view needs the folder of a run");
        return CLI_USAGE;
    }
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESETHAND};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    const kai_view_serve_def def = {
        .directory = word, .host = args.host, .port = args.port, .stop = &stop, .ready = ready};
    kai_error error = {0};
    const kai_result result = kai_view_serve(&def, &error);
    if (result == KAI_OK) return CLI_DONE;
    cli_error("%s", cli_message(&error));
    return CLI_USAGE;
}

const cli_command cli_view = {.name = "view",
                              .arguments = "DIR",
                              .doc = "Serves the page of a run to a browser.",
                              .run = run,
                              CLI_OPTIONS(OPTIONS)};
