// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// kairos: the command line.
#include "cli.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const cli_command* const COMMANDS[] = {&cli_run,    &cli_check, &cli_view, &cli_export,
                                              &cli_scenes, &cli_info,  &cli_bench};

static const char* command_name(size_t i, const void* context)
{
    (void)context;
    return i < KAI_COUNT(COMMANDS) ? COMMANDS[i]->name : NULL;
}

static void print_usage(FILE* out)
{
    fprintf(out, "usage: kairos COMMAND …\n\n");
    for (size_t i = 0; i < KAI_COUNT(COMMANDS); i++)
        fprintf(out, "  %-7s %-14s %s\n", COMMANDS[i]->name, COMMANDS[i]->arguments,
                COMMANDS[i]->doc);
    fprintf(
        out,
        "\n'kairos COMMAND --help' lists the options of a command; 'kairos --version' (-V) says the version.\n\n");
}

static bool wants_help(int argc, char** argv)
{
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--") == 0) return false;
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) return true;
    }
    return false;
}

// Whether nobody reads stdout any more, as after 'kairos … | head -1'.
static bool reader_is_gone(void)
{
    struct pollfd out = {.fd = STDOUT_FILENO, .events = POLLOUT};
    return poll(&out, 1, 0) == 1 && (out.revents & POLLERR);
}

// Text that could not be printed (a full disk behind a redirection) is a failure too, unless its
// reader has had enough.
static int finish(int status)
{
    if ((fflush(stdout) == 0 && ferror(stdout) == 0) || status != CLI_DONE) return status;
    if (reader_is_gone()) return status;
    cli_error("the output could not be written");
    return CLI_FAILED;
}

// Where stdin, stdout or stderr is closed, the next file that is opened would take its place, and
// messages would get into it. Writing to what is put there instead fails.
static void hold_descriptors(void)
{
    int descriptor;
    do descriptor = open("/dev/null", O_RDONLY);
    while (descriptor >= 0 && descriptor <= STDERR_FILENO);
    if (descriptor > STDERR_FILENO) close(descriptor);
}

int main(int argc, char** argv)
{
    hold_descriptors();
    // A file that outgrows its limit, and a pipe whose reader is gone, are errors of the write, not
    // a death.
    signal(SIGXFSZ, SIG_IGN);
    signal(SIGPIPE, SIG_IGN);
    if (argc < 2) {
        print_usage(stderr);
        return CLI_USAGE;
    }
    const char* word = argv[1];
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0 || strcmp(word, "help") == 0) {
        print_usage(stdout);
        cli_print_status();
        return finish(CLI_DONE);
    }
    if (strcmp(word, "--version") == 0 || strcmp(word, "-V") == 0) {
        printf("kairos %s\n", kai_info_version());
        return finish(CLI_DONE);
    }
    for (size_t i = 0; i < KAI_COUNT(COMMANDS); i++) {
        if (strcmp(word, COMMANDS[i]->name) != 0) continue;
        if (!wants_help(argc - 1, argv + 1)) return finish(COMMANDS[i]->run(argc - 1, argv + 1));
        COMMANDS[i]->help();
        return finish(CLI_DONE);
    }
    const char* near = cli_nearest(word, command_name, NULL);
    if (near != NULL)
        cli_error("unknown command '%s'; did you mean '%s'?", word, near);
    else
        cli_error("unknown command '%s'; 'kairos --help' lists the commands", word);
    return CLI_USAGE;
}
