// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Signals that ask the program to end. While a scene is read nothing is half done: they end the
// process. A run stops at its next chance, saves and closes its files.
#include "cli.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

// With `once`, the first one puts the default back, so that a second one ends the process. A closed
// terminal may send SIGHUP more than once, and a spent limit sends SIGXCPU every second: those wait
// until the run has saved.
static const struct {
    int number;
    bool once;
} ASKING[] = {{SIGINT, true}, {SIGTERM, true}, {SIGHUP, false}, {SIGXCPU, false}};

static volatile int* request; // what on_stop sets

static void on_quit(int number)
{
    (void)number;
    static const char text[] = "kairos: stopped before the run began\n";
    const ssize_t ignored = write(STDERR_FILENO, text, sizeof text - 1);
    (void)ignored;
    _exit(CLI_STOPPED);
}

static void on_stop(int number)
{
    (void)number;
    *request = 1;
}

static void handle(void (*handler)(int), bool may_reset)
{
    for (size_t i = 0; i < KAI_COUNT(ASKING); i++) {
        struct sigaction action = {.sa_handler = handler}, before;
        if (may_reset && ASKING[i].once) action.sa_flags = SA_RESETHAND;
        sigemptyset(&action.sa_mask);
        // Under nohup a closed terminal is no reason to stop.
        const bool ignored = ASKING[i].number == SIGHUP && sigaction(SIGHUP, NULL, &before) == 0 &&
                             before.sa_handler == SIG_IGN;
        if (!ignored) sigaction(ASKING[i].number, &action, NULL);
    }
}

void cli_signals_quit(void) { handle(on_quit, false); }

void cli_signals_stop(volatile int* stop)
{
    request = stop;
    handle(on_stop, true);
}
