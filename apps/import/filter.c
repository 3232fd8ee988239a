// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The list of system calls that a reader of files needs. Everything else is refused with EPERM:
// starting programs and processes, sockets, signals to others, mounts, tracing, kernel keys …
// Memory cannot become executable, so that no code can be brought along or loaded.
#include "import.h"

#include <errno.h>

#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__)) && \
    __has_include(<linux/seccomp.h>)

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifdef __x86_64__
#define MACHINE AUDIT_ARCH_X86_64
#else
#define MACHINE AUDIT_ARCH_AARCH64
#endif

enum { THREAD = 0x00010000, EXECUTABLE = 4, ROOM = 512 }; // CLONE_THREAD, PROT_EXEC

// Calls that any argument may have.
static const int PLAIN[] = {
    SYS_read,
    SYS_write,
    SYS_readv,
    SYS_writev,
    SYS_pread64,
    SYS_pwrite64,
    SYS_lseek,
    SYS_close,
    SYS_fstat,
    SYS_fcntl,
    SYS_dup,
    SYS_munmap,
    SYS_mremap,
    SYS_brk,
    SYS_madvise,
    SYS_futex,
    SYS_set_robust_list,
    SYS_rt_sigaction,
    SYS_rt_sigprocmask,
    SYS_rt_sigreturn,
    SYS_sigaltstack,
    SYS_sched_yield,
    SYS_sched_getaffinity,
    SYS_getpid,
    SYS_gettid,
    SYS_getppid,
    SYS_exit,
    SYS_exit_group,
    SYS_clock_gettime,
    SYS_clock_getres,
    SYS_gettimeofday,
    SYS_times,
    SYS_getrusage,
    SYS_nanosleep,
    SYS_clock_nanosleep,
    SYS_sysinfo,
    SYS_uname,
    SYS_getuid,
    SYS_geteuid,
    SYS_getgid,
    SYS_getegid,
    SYS_getrandom,
    SYS_restart_syscall,
    SYS_ppoll,
#ifdef SYS_poll
    SYS_poll,
#endif
#ifdef SYS_time
    SYS_time,
#endif
#ifdef SYS_rseq
    SYS_rseq,
#endif
};

// Calls with names of files in them.
static const int FILES[] = {
    SYS_openat,   SYS_newfstatat, SYS_faccessat, SYS_readlinkat, SYS_getcwd,
    SYS_unlinkat, SYS_getdents64, SYS_ftruncate, SYS_fsync,
#ifdef SYS_statx
    SYS_statx,
#endif
#ifdef SYS_open
    SYS_open,
#endif
#ifdef SYS_stat
    SYS_stat,
#endif
#ifdef SYS_lstat
    SYS_lstat,
#endif
#ifdef SYS_access
    SYS_access,
#endif
#ifdef SYS_readlink
    SYS_readlink,
#endif
#ifdef SYS_unlink
    SYS_unlink,
#endif
};

typedef struct program {
    struct sock_filter code[ROOM];
    unsigned short count;
} program;

static void put(program* p, unsigned short code, uint32_t k, uint8_t yes, uint8_t no)
{
    if (p->count < ROOM) p->code[p->count++] = (struct sock_filter){code, yes, no, k};
}

static void load(program* p, uint32_t at) { put(p, BPF_LD | BPF_W | BPF_ABS, at, 0, 0); }
static void give(program* p, uint32_t what) { put(p, BPF_RET | BPF_K, what, 0, 0); }
static void refuse(program* p, int why) { give(p, SECCOMP_RET_ERRNO | (uint32_t)why); }

// The low or high half of an argument; both machines are little-endian.
static uint32_t half(int argument, int high)
{
    return (uint32_t)(offsetof(struct seccomp_data, args) + 8 * (size_t)argument +
                      4 * (size_t)high);
}

static void allow(program* p, const int* calls, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        put(p, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)calls[i], 0, 1);
        give(p, SECCOMP_RET_ALLOW);
    }
}

static void answer(program* p, int call, int why)
{
    put(p, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)call, 0, 1);
    refuse(p, why);
}

// A call that is allowed when all, or none, of some bits of an argument are set.
static void when_bits(program* p, int call, int argument, uint32_t bits, bool set)
{
    put(p, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)call, 0, 4);
    load(p, half(argument, 0));
    put(p, BPF_JMP | BPF_JSET | BPF_K, bits, set ? 0 : 1, set ? 1 : 0);
    give(p, SECCOMP_RET_ALLOW);
    refuse(p, EPERM);
}

// A call that is allowed when an argument has a value.
static void when_equal(program* p, int call, int argument, uint32_t value)
{
    put(p, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)call, 0, 6);
    load(p, half(argument, 0));
    put(p, BPF_JMP | BPF_JEQ | BPF_K, value, 0, 3);
    load(p, half(argument, 1));
    put(p, BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 1);
    give(p, SECCOMP_RET_ALLOW);
    refuse(p, EPERM);
}

int import_filter_install(bool files)
{
    static program p;
    p.count = 0;
    load(&p, offsetof(struct seccomp_data, arch));
    put(&p, BPF_JMP | BPF_JEQ | BPF_K, MACHINE, 1, 0);
    give(&p, SECCOMP_RET_KILL_PROCESS);
    load(&p, offsetof(struct seccomp_data, nr));
#ifdef __x86_64__
    put(&p, BPF_JMP | BPF_JGE | BPF_K, 0x40000000u, 0, 1); // x32 has other numbers
    give(&p, SECCOMP_RET_KILL_PROCESS);
#endif
    allow(&p, PLAIN, sizeof PLAIN / sizeof PLAIN[0]);
    if (files) allow(&p, FILES, sizeof FILES / sizeof FILES[0]);
    when_bits(&p, SYS_mmap, 2, EXECUTABLE, false);
    when_bits(&p, SYS_mprotect, 2, EXECUTABLE, false);
    when_bits(&p, SYS_clone, 0, THREAD, true);
    when_equal(&p, SYS_tgkill, 0, (uint32_t)getpid()); // abort()
    when_equal(&p, SYS_prlimit64, 2, 0);               // limits are read, not set
#ifdef SYS_clone3
    answer(&p, SYS_clone3, ENOSYS); // its flags cannot be seen; the C library then takes clone
#endif
    answer(&p, SYS_ioctl, ENOTTY);
    refuse(&p, EPERM);
    if (p.count >= ROOM) return E2BIG;
    struct sock_fprog all = {.len = p.count, .filter = p.code};
    if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &all) != 0)
        return errno ? errno : EPERM;
    return 0;
}

#else

int import_filter_install(bool files)
{
    (void)files;
    return ENOSYS;
}

#endif
