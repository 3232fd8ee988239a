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
        cli_print_usage(stderr);
        return CLI_USAGE;
    }
    const char* word = argv[1];
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
        cli_print_usage(stdout);
        return finish(CLI_DONE);
    }
    if (strcmp(word, "--version") == 0 || strcmp(word, "-V") == 0) {
        printf("kairos %s\n", kai_info_version());
        return finish(CLI_DONE);
    }
    const cli_command* command = cli_command_find(word);
    if (command != NULL && !wants_help(argc - 1, argv + 1))
        return finish(command->run(argc - 1, argv + 1));
    if (command != NULL) {
        cli_print_help(command);
        return finish(CLI_DONE);
    }
    const char* near = cli_command_nearest(word);
    if (near != NULL)
        cli_error("unknown command '%s'; did you mean '%s'?", word, near);
    else
        cli_error("unknown command '%s'; 'kairos --help' lists the commands", word);
    return CLI_USAGE;
}
