// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// HDF5 without memory: processes end with a status and a word, and not by a signal.
#include "record/h5.h"

#include "record/trajectory/trajectory.h"
#include "worlds.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

// Takes all memory that can be had; never gives it back.
static void take_all(void)
{
    struct rlimit limit;
    getrlimit(RLIMIT_AS, &limit);
    limit.rlim_cur = 1 << 20; // less than there is in use
    setrlimit(RLIMIT_AS, &limit);
    for (size_t size = 1 << 24; size >= 16; size /= 2) {
        void* volatile block = malloc(size);
        while (block != NULL) block = malloc(size);
    }
}

static void without_memory(const char* path)
{
    const kai_trajectory_def def = {.enabled = true};
    kai_world* world = worlds_make(NULL, NULL);
    kai_trajectory* t = NULL;
    kai_error err = {0};
    if (kai_trajectory_create(&t, path, world, &def, "scene", NULL) != KAI_OK) _exit(2);
    if (kai_trajectory_add_world(t, world, NULL) != KAI_OK) _exit(3);
    take_all();
    if (kai_trajectory_close(t, false, &err) != KAI_ERROR_MEMORY) _exit(4);
    if (strstr(err.message, path) == NULL) _exit(5);
    exit(0);
}

static void inside(const char* path)
{
    (void)path;
    kai_h5_begin();
    exit(255); // as HDF5 does
}

static void outside(const char* path)
{
    (void)path;
    kai_h5_begin();
    kai_h5_end();
    exit(7);
}

static const int SIGNALS[] = {SIGSEGV, SIGBUS, SIGABRT, SIGILL, SIGFPE};

// What a process that does this leaves: its status, and its words on stderr.
static int status_of(void (*work)(const char*), char words[256])
{
    char path[256];
    int ends[2], status = 0;
    worlds_path(path, "m.h5");
    assert_int_equal(pipe(ends), 0);
    fflush(NULL); // or the child writes it again
    const pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], STDERR_FILENO);
        // As in a program: cmocka would go on with the next test after a crash.
        for (size_t i = 0; i < sizeof SIGNALS / sizeof *SIGNALS; i++) signal(SIGNALS[i], SIG_DFL);
        alarm(60);
        work(path);
    }
    close(ends[1]);
    const ssize_t n = read(ends[0], words, 255);
    words[n > 0 ? n : 0] = '\0';
    close(ends[0]);
    assert_int_equal(waitpid(child, &status, 0), child);
    unlink(path);
    if (!WIFEXITED(status)) fail_msg("ended by signal %d", WTERMSIG(status));
    return WEXITSTATUS(status);
}

static void test_no_memory(void** state)
{
    if (getenv("KAIROS_SANITIZE") && getenv("KAIROS_SANITIZE")[0]) skip(); // they end the process
    char words[256];
    assert_int_equal(status_of(without_memory, words), 1);
    assert_non_null(strstr(words, "no memory"));
}

static void test_exit(void** state)
{
    char words[256];
    assert_int_equal(status_of(inside, words), 1);
    assert_non_null(strstr(words, "no memory"));
    assert_int_equal(status_of(outside, words), 7);
    assert_string_equal(words, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_no_memory),
                                       cmocka_unit_test(test_exit)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
