// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// What code of a stranger could do in the process of kairos-import: the layers are put around a
// process of this test, which then tries.
#define _GNU_SOURCE // unshare
#include "helper.h"

#include "../../apps/import/contain.c"
#include "../../apps/import/filter.c"

#include <kairos/import.h>

#include <pthread.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>

static int told = -1; // where import_fail writes

_Noreturn void import_fail(char what, const char* format, ...)
{
    char text[400];
    va_list args;
    (void)what;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (write(told, text, strlen(text)) < 0) _exit(98);
    _exit(99);
}

static void* nothing(void* argument) { return argument; }

// Each returns true when it was NOT refused. The rest of the list is what a reader must be able to.
static bool try_read_outside(void) { return open("/etc/passwd", O_RDONLY) >= 0; }
static bool try_read_above(void) { return open("../secret", O_RDONLY) >= 0; }
static bool try_write_outside(void) { return open("/tmp/PWNED", O_WRONLY | O_CREAT, 0600) >= 0; }
static bool try_link(void) { return symlink("/etc/passwd", "link") == 0; }
static bool try_planted_link(void) { return open("planted", O_RDONLY) >= 0; }
static bool try_socket(void) { return socket(AF_INET, SOCK_STREAM, 0) >= 0; }
static bool try_unix_socket(void) { return socket(AF_UNIX, SOCK_STREAM, 0) >= 0; }
static bool try_fork(void) { return syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0) >= 0; }
static bool try_kill(void) { return kill(getppid(), 0) == 0; }
static bool try_unshare(void) { return unshare(CLONE_NEWUSER) == 0; }
static bool try_chroot(void) { return chroot(".") == 0; }
static bool try_ioctl(void) { return syscall(SYS_ioctl, 0, 0x5412, "x") == 0; } // TIOCSTI
static bool try_ptrace(void) { return syscall(SYS_ptrace, 16, getppid(), 0, 0) == 0; }
static bool try_more_memory(void)
{
    const struct rlimit more = {RLIM_INFINITY, RLIM_INFINITY};
    return setrlimit(RLIMIT_AS, &more) == 0;
}
static bool try_exec(void)
{
    char name[] = "/bin/true";
    char* arguments[] = {name, NULL};
    execve(name, arguments, NULL);
    return errno != EPERM;
}
static bool try_code(void)
{
    void* p = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) !=
               MAP_FAILED ||
           mprotect(p, 4096, PROT_READ | PROT_EXEC) == 0;
}
static bool can_write(void)
{
    const int fd = open("mesh.msh", O_RDWR | O_CREAT | O_EXCL, 0600);
    return fd >= 0 && write(fd, "x", 1) == 1 && close(fd) == 0 && unlink("mesh.msh") == 0;
}
static bool can_thread(void)
{
    pthread_t thread;
    return pthread_create(&thread, NULL, nothing, NULL) == 0 && pthread_join(thread, NULL) == 0;
}

typedef struct attempt {
    const char* name;
    bool (*try)(void);
    bool wanted, always; // always: also where there is no file to be opened
} attempt;

static const attempt ATTEMPTS[] = {
    {"read a file", try_read_outside, false, true},
    {"read a file above", try_read_above, false, true},
    {"write a file", try_write_outside, false, true},
    {"make a link", try_link, false, true},
    {"follow a link", try_planted_link, false, true},
    {"open a connection", try_socket, false, true},
    {"open a local connection", try_unix_socket, false, true},
    {"start a process", try_fork, false, true},
    {"signal a process", try_kill, false, true},
    {"trace a process", try_ptrace, false, true},
    {"make a namespace", try_unshare, false, true},
    {"change the root", try_chroot, false, true},
    {"push input to a terminal", try_ioctl, false, true},
    {"raise a limit", try_more_memory, false, true},
    {"run a program", try_exec, false, true},
    {"bring code along", try_code, false, true},
    {"start a thread", can_thread, true, true},
    {"write to its folder", can_write, true, false},
};

static void attack(const char* folder, bool files, long parent)
{
    import_layers layers = {0};
    const kai_import_request request = {.memory = (uint64_t)1 << 60, .seconds = 60};
    if (chdir(folder) != 0) _exit(97);
    import_contain_begin(&layers);
    import_contain_end(&layers, &request, files, parent);
    for (size_t i = 0; i < sizeof ATTEMPTS / sizeof ATTEMPTS[0]; i++) {
        const attempt* a = &ATTEMPTS[i];
        if ((files || a->always) && a->try() != a->wanted) {
            if (write(told, a->name, strlen(a->name)) < 0) _exit(98);
            _exit(1);
        }
    }
    _exit(0);
}

static void check_contained(bool files)
{
    char folder[] = "contain-XXXXXX", path[64], text[401] = "";
    int pipes[2], status = -1;
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/planted", folder);
    assert_int_equal(symlink("/etc/passwd", path), 0);
    FILE* secret = fopen("secret", "w");
    assert_non_null(secret);
    fclose(secret);
    assert_int_equal(pipe(pipes), 0);
    told = pipes[1];
    const long parent = getpid();
    const pid_t child = fork();
    if (child == 0) attack(folder, files, parent);
    close(pipes[1]);
    assert_true(read(pipes[0], text, sizeof text - 1) >= 0);
    close(pipes[0]);
    assert_int_equal(waitpid(child, &status, 0), child);
    unlink(path);
    unlink("secret");
    assert_int_equal(rmdir(folder), 0);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 99) {
        print_message("not here: %s\n", text); // refused instead of contained
        skip();
    }
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        fail_msg("the process could, or could not: %s (status %d)", text, status);
}

static void a_reader_of_files_reaches_nothing(void** state) { check_contained(true); }
static void a_reader_of_bytes_opens_nothing(void** state) { check_contained(false); }

static void layers_are_told(void** state)
{
    char text[256];
    kai_error err = {0};
    check_error(kai_import_containment(NULL, 0, &err), KAI_ERROR_ARGUMENT);
    const kai_result r = kai_import_containment(text, sizeof text, &err);
    if (r != KAI_OK) {
        assert_int_equal(r, KAI_ERROR_UNSUPPORTED);
        assert_non_null(strstr(err.message, "contained"));
    } else {
        assert_true(strncmp(text, "seccomp", 7) == 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_reader_of_files_reaches_nothing),
        cmocka_unit_test(a_reader_of_bytes_opens_nothing),
        cmocka_unit_test(layers_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
