// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// What lies in a folder by the name of a result: links are not written through, pipes do not wait.
#include "record/csv.h"
#include "record/file.h"
#include "record/trajectory/trajectory.h"
#include "worlds.h"

#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

static const char PRECIOUS[] = "precious\n";

static void write_precious(const char* path)
{
    const int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    assert_int_equal(write(fd, PRECIOUS, sizeof PRECIOUS - 1), sizeof PRECIOUS - 1);
    close(fd);
}

static void check_precious(const char* path)
{
    char text[64] = "";
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    assert_int_equal(read(fd, text, sizeof text), sizeof PRECIOUS - 1);
    close(fd);
    assert_string_equal(text, PRECIOUS);
}

static bool is_own_file(const char* path)
{
    struct stat info;
    return lstat(path, &info) == 0 && S_ISREG(info.st_mode) && info.st_nlink == 1;
}

// The things that can have the name of a result.
enum { SYMBOLIC, DANGLING, HARD, PIPE, SOCKET, KINDS };

static void put(int kind, const char* path, const char* victim)
{
    unlink(path);
    unlink(victim);
    if (kind != DANGLING) write_precious(victim);
    if (kind == SYMBOLIC || kind == DANGLING) assert_int_equal(symlink(victim, path), 0);
    if (kind == HARD) assert_int_equal(link(victim, path), 0);
    if (kind == PIPE) assert_int_equal(mkfifo(path, 0666), 0);
    if (kind == SOCKET) {
        struct sockaddr_un address = {.sun_family = AF_UNIX};
        const int fd = socket(AF_UNIX, SOCK_STREAM, 0);
        assert_true(strlen(path) < sizeof address.sun_path);
        strcpy(address.sun_path, path);
        assert_int_equal(bind(fd, (const struct sockaddr*)&address, sizeof address), 0);
        close(fd);
    }
}

static void check_kept(int kind, const char* victim)
{
    if (kind == DANGLING)
        assert_int_equal(access(victim, F_OK), -1);
    else
        check_precious(victim);
}

// Every way to make a result replaces what is there.
static void test_new(void** state)
{
    char path[256], aside[300], victim[256];
    worlds_path(path, "w.csv");
    snprintf(aside, sizeof aside, "%s.tmp", path);
    worlds_path(victim, "victim");
    kai_world* world = worlds_make(NULL, NULL);
    const kai_trajectory_def def = {.enabled = true, .every = 0.1};
    const kai_file_piece piece = {"new", 3};
    for (int kind = 0; kind < KINDS; kind++) {
        kai_csv csv;
        kai_trajectory* t = NULL;
        put(kind, path, victim);
        check_ok(kai_csv_open(&csv, path, 0, NULL));
        check_ok(kai_csv_text(&csv, "row", NULL));
        check_ok(kai_csv_close(&csv, NULL));
        check_kept(kind, victim);
        assert_true(is_own_file(path));
        put(kind, aside, victim);
        check_ok(kai_file_replace(path, &piece, 1, NULL));
        check_kept(kind, victim);
        put(kind, path, victim);
        check_ok(kai_file_replace(path, &piece, 1, NULL));
        check_kept(kind, victim);
        assert_true(is_own_file(path));
        put(kind, path, victim);
        check_ok(kai_trajectory_create(&t, path, world, &def, "scene", NULL));
        check_ok(kai_trajectory_close(t, false, NULL));
        check_kept(kind, victim);
        assert_true(is_own_file(path));
    }
    unlink(path);
    mkdir(path, 0777);
    assert_int_equal(kai_file_create(path), -1);
    rmdir(path);
    unlink(victim);
    kai_world_destroy(world);
}

// What a run goes on with must be its own.
static void test_continued(void** state)
{
    static const char* const words[KINDS] = {"is a link", "is a link", "second name",
                                             "is not a regular file", "is not a regular file"};
    char path[256], victim[256];
    kai_csv csv;
    worlds_path(path, "c.csv");
    worlds_path(victim, "victim");
    for (int kind = 0; kind < KINDS; kind++) {
        kai_error err = {0};
        put(kind, path, victim);
        check_error(kai_csv_open(&csv, path, 4, &err), KAI_ERROR_FORMAT);
        if (!strstr(err.message, path) || !strstr(err.message, words[kind]))
            fail_msg("%s", err.message);
        check_kept(kind, victim);
    }
    unlink(path);
    unlink(victim);
    int fd;
    check_error(kai_file_continue(path, &fd, NULL), KAI_ERROR_FILE);
    assert_int_equal(fd, -1);
}

// Reading follows a link to a regular file, and to nothing else.
static void test_read(void** state)
{
    char path[256], victim[256];
    worlds_path(path, "r.csv");
    worlds_path(victim, "victim");
    for (int kind = 0; kind < KINDS; kind++) {
        int fd = -1;
        uint64_t size = 0;
        put(kind, path, victim);
        const kai_result r = kai_file_open(path, &fd, &size, NULL);
        if (kind == SYMBOLIC || kind == HARD) {
            check_ok(r);
            assert_int_equal(size, sizeof PRECIOUS - 1);
            assert_int_equal(fcntl(fd, F_GETFL) & O_NONBLOCK, 0);
            close(fd);
        } else {
            check_error(r, kind == DANGLING ? KAI_ERROR_FILE : KAI_ERROR_FORMAT);
            assert_int_equal(fd, -1);
        }
    }
    unlink(path);
    assert_int_equal(symlink("/dev/zero", path), 0);
    int fd;
    uint64_t size;
    check_error(kai_file_open(path, &fd, &size, NULL), KAI_ERROR_FORMAT);
    unlink(path);
    unlink(victim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_new), cmocka_unit_test(test_continued),
                                       cmocka_unit_test(test_read)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
