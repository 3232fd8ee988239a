// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Layers around the reader. Seccomp (filter.c) must be there. Of the two that keep other files
// away, Landlock and chroot, one must be there when files are opened at all.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE // unshare
#endif
#include "import.h"

#include <errno.h>
#include <string.h>

#ifdef __linux__

#include <dirent.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { FILES_OPEN = 64 };

// Namespaces -------------------------------------------------------------------------------------

static bool write_text(const char* path, const char* text)
{
    const int fd = open(path, O_WRONLY | O_CLOEXEC);
    const bool ok = fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text);
    if (fd >= 0) close(fd);
    return ok;
}

// A user namespace, in which nothing of the machine belongs to it, and others inside. The user
// stays the same, so that its folder stays its own.
static bool separate(int flags)
{
    char users[64], groups[64];
    snprintf(users, sizeof users, "%u %u 1", (unsigned)geteuid(), (unsigned)geteuid());
    snprintf(groups, sizeof groups, "%u %u 1", (unsigned)getegid(), (unsigned)getegid());
    if (unshare(CLONE_NEWUSER | flags) != 0) return false;
    (void)write_text("/proc/self/setgroups", "deny");
    return write_text("/proc/self/uid_map", users) && write_text("/proc/self/gid_map", groups);
}

// Some systems let a user namespace be made and then refuse what it is for. Since there is no way
// back from one, another process tries it first.
static bool can_separate(void)
{
    int status = 1;
    const pid_t pid = fork();
    if (pid == 0) _exit(separate(CLONE_NEWNS) && chroot(".") == 0 ? 0 : 1);
    if (pid < 0) return false;
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {}
    return status == 0;
}

void import_contain_begin(import_layers* layers)
{
    const int flags = CLONE_NEWNS | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS;
    if (can_separate()) {
        if (!separate(flags)) import_fail(KAI_IMPORT_MISSING, "it cannot be contained: namespaces");
        layers->namespaces = true;
    } else if (geteuid() == 0) {
        layers->namespaces = unshare(flags) == 0;
    }
}

// Landlock ---------------------------------------------------------------------------------------

// Numbers of the kernel; headers of an older one lack some.
enum {
    LANDLOCK_CREATE = 444, // system calls, the same on all machines
    LANDLOCK_ADD = 445,
    LANDLOCK_RESTRICT = 446,
    ASK_VERSION = 1,
    BENEATH = 1
};
static const uint64_t WRITE_FILE = 1 << 1, READ_FILE = 1 << 2, READ_FOLDER = 1 << 3,
                      REMOVE_FILE = 1 << 5, MAKE_FILE = 1 << 8, TRUNCATE = 1 << 14;

typedef struct ruleset {
    uint64_t files, network, scope;
} ruleset;

typedef struct __attribute__((packed)) beneath {
    uint64_t allowed;
    int32_t folder;
} beneath;

// What each version knows to forbid; all of it is forbidden. Returns the version, 0 without.
static int landlock(void)
{
    const long version = syscall(LANDLOCK_CREATE, NULL, 0, ASK_VERSION);
    if (version < 1) return 0;
    ruleset rules = {.files = (1u << 13) - 1};
    size_t size = sizeof rules.files;
    if (version >= 2) rules.files |= 1u << 13; // moving between folders
    if (version >= 3) rules.files |= TRUNCATE;
    if (version >= 4) rules.network = 3, size = 2 * sizeof rules.files; // TCP
    if (version >= 5) rules.files |= 1u << 15;                          // devices
    if (version >= 6) rules.scope = 3, size = sizeof rules;             // signals, abstract sockets
    const uint64_t own =
        (WRITE_FILE | READ_FILE | READ_FOLDER | REMOVE_FILE | MAKE_FILE | TRUNCATE) & rules.files;
    const int set = (int)syscall(LANDLOCK_CREATE, &rules, size, 0);
    const beneath rule = {own, open(".", O_PATH | O_CLOEXEC)};
    const bool ok = set >= 0 && rule.folder >= 0 &&
                    syscall(LANDLOCK_ADD, set, BENEATH, &rule, 0) == 0 &&
                    syscall(LANDLOCK_RESTRICT, set, 0) == 0;
    if (set >= 0) close(set);
    if (rule.folder >= 0) close(rule.folder);
    return ok ? (int)version : 0;
}

// Landlock is for one thread; a library that has started more gets around it.
static bool has_one_thread(void)
{
    DIR* tasks = opendir("/proc/self/task");
    int count = 0;
    for (const struct dirent* e; tasks && (e = readdir(tasks));) count += e->d_name[0] != '.';
    if (tasks) closedir(tasks);
    return count == 1;
}

// Limits and rights ------------------------------------------------------------------------------

static void limit(int what, uint64_t most)
{
    struct rlimit now;
    const rlim_t value = (rlim_t)most;
    if (getrlimit(what, &now) != 0) return;
    if (now.rlim_max != RLIM_INFINITY && now.rlim_max < value) return; // it is tighter already
    now.rlim_cur = now.rlim_max = value;
    if (setrlimit(what, &now) != 0)
        import_fail(KAI_IMPORT_MISSING, "it cannot be contained: limit %d: %s", what,
                    strerror(errno));
}

// Gives up every capability, of a namespace or of root.
static void drop_rights(void)
{
    struct {
        uint32_t version;
        int pid;
    } head = {0x20080522, 0};
    const uint32_t none[6] = {0};
    if (syscall(SYS_capset, &head, none) != 0)
        import_fail(KAI_IMPORT_MISSING, "it cannot be contained: capset: %s", strerror(errno));
}

void import_contain_end(import_layers* layers, const kai_import_request* request, bool files,
                        long parent)
{
    const bool alone = has_one_thread();
    layers->chroot = chroot(".") == 0 && chdir("/") == 0;
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_NOFILE, FILES_OPEN);
    limit(RLIMIT_FSIZE, KAI_IMPORT_LARGEST);
    limit(RLIMIT_CPU, request->seconds);
    limit(RLIMIT_AS, request->memory);
    drop_rights();
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0 ||
        prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) != 0)
        import_fail(KAI_IMPORT_MISSING, "it cannot be contained: prctl: %s", strerror(errno));
    if (getppid() != (pid_t)parent) _exit(1); // it ended before it could take us along
    layers->landlock = alone ? landlock() : 0;
    const int why = import_filter_install(files);
    if (why != 0)
        import_fail(KAI_IMPORT_MISSING,
                    "it cannot be contained on this machine, and is not read: seccomp: %s",
                    strerror(why));
    if (files && !layers->chroot && layers->landlock == 0)
        import_fail(KAI_IMPORT_MISSING,
                    "it cannot be contained on this machine, and is not read: neither Landlock nor "
                    "user namespaces are there");
}

#else // other systems: nothing that would do

void import_contain_begin(import_layers* layers) { (void)layers; }

void import_contain_end(import_layers* layers, const kai_import_request* request, bool files,
                        long parent)
{
    (void)layers, (void)request, (void)files, (void)parent;
    import_fail(KAI_IMPORT_MISSING,
                "it cannot be contained on this system, and is not read: there is no seccomp");
}

#endif
