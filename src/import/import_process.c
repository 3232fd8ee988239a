// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#define _GNU_SOURCE // secure_getenv, dladdr, nftw
#include "import/import_process.h"

#include "base/clock.h"
#include "import/import_protocol.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static const uint64_t MEMORY_MOST = (uint64_t)8 << 30; // where the environment says nothing
static const double SECONDS_MOST = 300.0;
static const double LAST_SECONDS = 2.0; // for a process that says no more to end

// A whole positive number of the environment, or 0.
static double environment_number(const char* name, double most)
{
    const char* text = secure_getenv(name);
    char* end = NULL;
    const double value = text ? strtod(text, &end) : 0.0;
    return text && end != text && *end == '\0' && value >= 1.0 && value <= most ? value : 0.0;
}

void kai_import_process_limits(kai_import_process* p, uint64_t memory)
{
    const long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    const uint64_t half = pages > 0 && page > 0 ? (uint64_t)pages / 2 * (uint64_t)page : 0;
    const double mib = environment_number("KAIROS_IMPORT_MEMORY", 1e9);
    const double seconds = environment_number("KAIROS_IMPORT_SECONDS", 1e7);
    p->memory = half > 0 && half < MEMORY_MOST ? half : MEMORY_MOST;
    if (memory > 0 && memory < p->memory) p->memory = memory;
    if (mib > 0.0) p->memory = (uint64_t)mib << 20;
    p->seconds = seconds > 0.0 ? seconds : SECONDS_MOST;
}

// Finding ----------------------------------------------------------------------------------------

// The folder of the file that this code is in: the shared library, or a program linked with the
// static one. "" when it is not known. A relative name is not used: it would depend on where the
// user is.
static void own_folder(char* out, size_t size)
{
    static const char here = 0;
    Dl_info info;
    char path[PATH_MAX];
    const char* name = dladdr(&here, &info) != 0 ? info.dli_fname : NULL;
    out[0] = '\0';
    if (!name || name[0] != '/') {
        const ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
        if (n <= 0 || path[0] != '/') return;
        path[n] = '\0';
        name = path;
    }
    char* real = realpath(name, NULL);
    char* slash = real ? strrchr(real, '/') : NULL;
    if (slash) snprintf(out, size, "%.*s", (int)(slash - real), real);
    free(real);
}

// A program that nobody but the user and root could have put there.
static bool is_ours(const char* path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISREG(status.st_mode) && access(path, X_OK) == 0 &&
           (status.st_uid == 0 || status.st_uid == geteuid()) && (status.st_mode & S_IWOTH) == 0;
}

static kai_result find_program(char* out, size_t size, kai_error* err)
{
    const char* given = secure_getenv("KAIROS_IMPORT");
    if (given && given[0]) {
        snprintf(out, size, "%s", given);
        if (access(out, X_OK) == 0) return KAI_OK;
        return kai_error_set(err, KAI_ERROR_UNSUPPORTED,
                             "it needs the program kairos-import; KAIROS_IMPORT is %.200s, which "
                             "cannot be run: %s",
                             given, strerror(errno));
    }
    // KAIROS_IMPORT_… come from CMakeLists.txt: paths from bin and lib, and where it is installed
    // and built.
    char folder[PATH_MAX], seen[900] = "";
    own_folder(folder, sizeof folder);
    const char* const places[][2] = {{folder, "/" KAIROS_IMPORT_FROM_BIN},
                                     {folder, "/" KAIROS_IMPORT_FROM_LIB},
                                     {KAIROS_IMPORT_INSTALLED, ""},
                                     {KAIROS_IMPORT_BUILT, ""}};
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        if (places[i][0][0] == '\0') continue;
        const int n = snprintf(out, size, "%s%s/kairos-import", places[i][0], places[i][1]);
        if (n < 0 || (size_t)n >= size) continue;
        if (is_ours(out)) return KAI_OK;
        const size_t used = strlen(seen);
        snprintf(seen + used, sizeof seen - used, "%s%.200s", used ? ", " : "", out);
    }
    return kai_error_set(
        err, KAI_ERROR_UNSUPPORTED,
        "it needs the program kairos-import, which was not found (looked for: %s); "
        "the environment variable KAIROS_IMPORT can name it",
        seen);
}

// Starting ---------------------------------------------------------------------------------------

static kai_result make_folder(kai_import_process* p, kai_error* err)
{
    const char* base = secure_getenv("TMPDIR");
    if (!base || base[0] != '/' || strlen(base) > 200) base = "/tmp";
    snprintf(p->folder, sizeof p->folder, "%s/kairos-import-XXXXXX", base);
    if (mkdtemp(p->folder)) return KAI_OK;
    p->folder[0] = '\0';
    return kai_error_set(err, KAI_ERROR_FILE, "no folder can be made in %s: %s", base,
                         strerror(errno));
}

// The little that it is told of its surroundings. One thread: the limits are for one.
static int import_process_spawn(kai_import_process* p, const char* program, int socket)
{
    char home[300], temporary[300], parent[24], libraries[4096];
    snprintf(home, sizeof home, "HOME=%s", p->folder);
    snprintf(temporary, sizeof temporary, "TMPDIR=%s", p->folder);
    snprintf(parent, sizeof parent, "%ld", (long)getpid());
    const char* path = secure_getenv("LD_LIBRARY_PATH"); // where Gmsh may be
    const int n = snprintf(libraries, sizeof libraries, "LD_LIBRARY_PATH=%s", path ? path : "");
    char name[PATH_MAX], one[] = "OMP_NUM_THREADS=1", blas[] = "OPENBLAS_NUM_THREADS=1",
                         locale[] = "LC_ALL=C";
    snprintf(name, sizeof name, "%s", program);
    char* arguments[] = {name, p->folder, parent, NULL};
    char* environment[] = {home, temporary, locale, one, blas, NULL, NULL};
    if (path && (size_t)n < sizeof libraries) environment[5] = libraries;
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    posix_spawn_file_actions_adddup2(&actions, socket, KAI_IMPORT_SOCKET);
    for (int k = 0; k < 3; k++)
        posix_spawn_file_actions_addopen(&actions, k, "/dev/null", k ? O_WRONLY : O_RDONLY, 0);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    const int why = posix_spawn(&p->pid, program, &actions, &attributes, arguments, environment);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    if (why != 0) p->pid = 0;
    return why;
}

kai_result kai_import_process_start(kai_import_process* p, kai_error* err)
{
    char program[PATH_MAX];
    int ends[2];
    p->pid = 0;
    p->socket = -1;
    p->folder[0] = '\0';
    p->late = false;
    p->until = kai_clock_now() + p->seconds;
    KAI_TRY(find_program(program, sizeof program, err));
    KAI_TRY(make_folder(p, err));
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return kai_error_set(err, KAI_ERROR_FILE, "no socket for kairos-import: %s",
                             strerror(errno));
    // Above the number that it becomes in the other process.
    const int theirs = fcntl(ends[1], F_DUPFD_CLOEXEC, 10);
    close(ends[1]);
    p->socket = ends[0];
    fcntl(p->socket, F_SETFL, O_NONBLOCK);
    const int why = theirs >= 0 ? import_process_spawn(p, program, theirs) : errno;
    if (theirs >= 0) close(theirs);
    if (why == 0) return KAI_OK;
    return kai_error_set(err, KAI_ERROR_UNSUPPORTED, "%s cannot be started: %s", program,
                         strerror(why));
}

// Talking ----------------------------------------------------------------------------------------

// Waits until the socket is ready; false when it is late.
static bool wait_for(kai_import_process* p, short events)
{
    for (;;) {
        const double left = p->until - kai_clock_now();
        struct pollfd wait = {.fd = p->socket, .events = events};
        p->late = left <= 0.0;
        if (p->late) return false;
        const int n = poll(&wait, 1, left < 1e6 ? (int)(1000.0 * left) + 1 : 1000000000);
        if (n > 0) return true;
        if (n < 0 && errno != EINTR) return false;
    }
}

bool kai_import_process_send(kai_import_process* p, const void* bytes, size_t size)
{
    const char* at = bytes;
    while (size > 0) {
        if (!wait_for(p, POLLOUT)) return false;
        const ssize_t n = send(p->socket, at, size, MSG_NOSIGNAL);
        if (n < 0 && (errno == EINTR || errno == EAGAIN)) continue;
        if (n <= 0) return false;
        at += n;
        size -= (size_t)n;
    }
    return true;
}

bool kai_import_process_receive(kai_import_process* p, void* bytes, size_t size)
{
    char* at = bytes;
    while (size > 0) {
        if (!wait_for(p, POLLIN)) return false;
        const ssize_t n = recv(p->socket, at, size, 0);
        if (n < 0 && (errno == EINTR || errno == EAGAIN)) continue;
        if (n <= 0) return false;
        at += n;
        size -= (size_t)n;
    }
    return true;
}

// Ending -----------------------------------------------------------------------------------------

// Waits for the end, at most so long; false when it still runs.
static bool import_process_reap(kai_import_process* p, double seconds, int* status,
                                struct rusage* used)
{
    const double until = kai_clock_now() + seconds;
    *status = 0;
    *used = (struct rusage){0};
    while (p->pid > 0) {
        const pid_t got = wait4(p->pid, status, WNOHANG, used);
        if (got == p->pid || (got < 0 && errno != EINTR)) {
            p->pid = 0; // or the host program does not want to know how its children end
        } else if (kai_clock_now() > until) {
            return false;
        } else {
            usleep(1000);
        }
    }
    return true;
}

kai_result kai_import_process_memory(const kai_import_process* p, kai_error* err)
{
    return kai_error_set(err, KAI_ERROR_LIMIT,
                         "reading it needs more than %llu MiB of memory; KAIROS_IMPORT_MEMORY=MiB "
                         "allows more",
                         (unsigned long long)(p->memory >> 20));
}

kai_result kai_import_process_why(kai_import_process* p, kai_error* err)
{
    int status;
    struct rusage used;
    const bool ended = !p->late && import_process_reap(p, LAST_SECONDS, &status, &used);
    if (p->late || (ended && WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU))
        return kai_error_set(err, KAI_ERROR_LIMIT,
                             "reading it takes longer than %g s; KAIROS_IMPORT_SECONDS=N allows "
                             "more",
                             p->seconds);
    if (!ended)
        return kai_error_set(err, KAI_ERROR_FORMAT,
                             "the importer stopped answering; the file is "
                             "damaged or its reader has a fault");
    if ((double)used.ru_maxrss * 1024.0 > 0.9 * (double)p->memory)
        return kai_import_process_memory(p, err);
    if (WIFSIGNALED(status))
        return kai_error_set(err, KAI_ERROR_FORMAT,
                             "the importer ended by signal %d; the file is damaged or its reader "
                             "has a fault",
                             WTERMSIG(status));
    return kai_error_set(err, KAI_ERROR_FORMAT,
                         "the importer ended without an answer (status %d); the file is damaged or "
                         "its reader has a fault",
                         WEXITSTATUS(status));
}

static int remove_entry(const char* path, const struct stat* status, int type, struct FTW* at)
{
    (void)status, (void)type, (void)at;
    (void)remove(path); // what cannot go now stays, the rest goes
    return 0;
}

void kai_import_process_end(kai_import_process* p)
{
    int status;
    if (p->socket >= 0) close(p->socket);
    p->socket = -1;
    if (p->pid > 0) {
        kill(p->pid, SIGKILL);
        while (waitpid(p->pid, &status, 0) < 0 && errno == EINTR) {}
        p->pid = 0;
    }
    // Links are removed, not followed.
    if (p->folder[0]) nftw(p->folder, remove_entry, 8, FTW_DEPTH | FTW_PHYS | FTW_MOUNT);
    p->folder[0] = '\0';
}
