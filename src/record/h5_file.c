// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "record/h5_file.h"

#include "record/file.h"
#include "record/h5_set.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    ATTEMPTS = 24,             // to read a piece that is being written; the waits double from 1 ns
    SECONDS = 5,               // of computing for any file,
    BYTES_A_SECOND = 20 << 20, // and for every so many bytes of it
    MEMORY = 512 << 20         // bytes for any file, and four times its own
};

// What is to be opened.
typedef struct source {
    const char* name;
    const void* data; // NULL: the file of that name
    uint64_t size;
    bool growing; // its writer was killed, or is at work
} source;

// Opening ----------------------------------------------------------------------------------------

// The memory driver works in the caller's block. It never writes to a file that is read only, and
// is given back what it was given.
static void* image_malloc(size_t size, H5FD_file_image_op_t op, void* context)
{
    (void)size;
    (void)op;
    return context;
}

static void* image_copy(void* to, const void* from, size_t size, H5FD_file_image_op_t op,
                        void* context)
{
    (void)from;
    (void)size;
    (void)op;
    (void)context;
    return to;
}

static hid_t open_image(const source* s)
{
    union {
        const void* read;
        void* data;
    } block = {s->data};
    H5FD_file_image_callbacks_t calls = {.image_malloc = image_malloc,
                                         .image_memcpy = image_copy,
                                         .image_free = kai_h5_image_keep,
                                         .udata_copy = kai_h5_image_context,
                                         .udata_free = kai_h5_image_leave,
                                         .udata = block.data};
    enum { GROWTH = 1 << 20 };
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    hid_t file = -1;
    if (access >= 0 && H5Pset_fapl_core(access, GROWTH, 0) >= 0 &&
        H5Pset_file_image_callbacks(access, &calls) >= 0 &&
        H5Pset_file_image(access, block.data, (size_t)s->size) >= 0)
        file = H5Fopen("image", H5F_ACC_RDONLY, access);
    if (access >= 0) H5Pclose(access);
    return file;
}

// A finished file is opened as any; one that was killed only as readers of a growing file do.
static hid_t open_source(const source* s)
{
    if (s->data != NULL) return open_image(s);
    hid_t file = H5Fopen(s->name, H5F_ACC_RDONLY, H5P_DEFAULT);
    if (file >= 0 || !s->growing) return file;
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    if (access >= 0 && H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST) >= 0 &&
        H5Pset_metadata_read_attempts(access, ATTEMPTS) >= 0)
        file = H5Fopen(s->name, H5F_ACC_RDONLY | H5F_ACC_SWMR_READ, access);
    if (access >= 0) H5Pclose(access);
    return file;
}

// The child --------------------------------------------------------------------------------------

static void h5_file_limit(int what, uint64_t most)
{
    struct rlimit now;
    if (getrlimit(what, &now) != 0) return;
    if (now.rlim_max != RLIM_INFINITY && most > now.rlim_max) most = now.rlim_max;
    now.rlim_cur = most;
    setrlimit(what, &now);
}

// Bytes of addresses that the process has now; 0 when that is not known.
static uint64_t memory_now(void)
{
    char text[64] = "";
    const int descriptor = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) return 0;
    const ssize_t n = read(descriptor, text, sizeof text - 1);
    close(descriptor);
    return n > 0 ? strtoull(text, NULL, 10) * (uint64_t)sysconf(_SC_PAGESIZE) : 0;
}

// The child dies of whatever happens, silently, and not of what its parent would survive.
static void prepare_child(const source* s)
{
    static const int signals[] = {SIGSEGV, SIGBUS,  SIGFPE,  SIGILL, SIGABRT,
                                  SIGXCPU, SIGALRM, SIGTERM, SIGINT, SIGHUP};
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) signal(signals[i], SIG_DFL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    const int nothing = open("/dev/null", O_WRONLY);
    if (nothing >= 0) dup2(nothing, STDERR_FILENO);
    const uint64_t seconds = SECONDS + s->size / BYTES_A_SECOND, now = memory_now();
    h5_file_limit(RLIMIT_CORE, 0);
    h5_file_limit(RLIMIT_CPU, seconds);
    if (now > 0) h5_file_limit(RLIMIT_AS, now + MEMORY + 4 * s->size);
    alarm((unsigned)(4 * seconds));
}

static void walk_in_child(const source* s, int answer)
{
    kai_error err = {0};
    prepare_child(s);
    const hid_t file = open_source(s);
    if (file < 0)
        kai_file_malformed(s->name, "HDF5 cannot open it; it is damaged or no file of Kairos",
                           &err);
    else if (kai_h5_walk(file, &err) != KAI_OK)
        kai_error_prefix(&err, "%s", s->name);
    kai_file_write_all(answer, &err, sizeof err, NULL);
    // Nothing is closed: a file that is also open in the parent is not for us to finish.
    _exit(0);
}

// How the child ended, when it had no answer to give.
static kai_result describe_death(const source* s, int status, kai_error* err)
{
    const int why = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    if (why == SIGXCPU || why == SIGALRM || why == SIGKILL)
        return kai_file_malformed(s->name, "damaged: HDF5 does not come to an end with it", err);
    return kai_file_malformed(s->name, "damaged: HDF5 crashes on it", err);
}

static bool read_all(int from, void* data, size_t size)
{
    size_t got = 0;
    while (got < size) {
        const ssize_t n = read(from, (char*)data + got, size - got);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return false;
        got += (size_t)n;
    }
    return true;
}

static kai_result check_in_child(const source* s, kai_error* err)
{
    int ends[2];
    if (pipe(ends) != 0) return kai_file_error(err, s->name, errno);
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    const pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        walk_in_child(s, ends[1]);
    }
    const int why = errno;
    kai_error answer = {0};
    int status = 0;
    close(ends[1]);
    const bool answered = child > 0 && read_all(ends[0], &answer, sizeof answer);
    close(ends[0]);
    if (child < 0) {
        kai_file_error(err, "no process could be started to check it", why);
        kai_error_prefix(err, "%s", s->name);
        return KAI_ERROR_FILE;
    }
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {}
    if (!answered) return describe_death(s, status, err);
    if (answer.code != KAI_OK && err != NULL) *err = answer;
    return answer.code;
}

// Files ------------------------------------------------------------------------------------------

// Looks at the first bytes: the signature, and in newer files whether a writer has finished.
static kai_result h5_file_look(source* s, const unsigned char header[12], kai_error* err)
{
    static const unsigned char signature[8] = {0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'};
    enum { VERSION = 8, STATE = 11, AT_WORK = 4 };
    if (memcmp(header, signature, sizeof signature) != 0)
        return kai_file_malformed(s->name, "damaged, or no HDF5 file", err);
    s->growing = header[VERSION] >= 3 && (header[STATE] & AT_WORK) != 0;
    return KAI_OK;
}

static kai_result look_at_file(source* s, kai_error* err)
{
    unsigned char header[12] = {0};
    int descriptor;
    KAI_TRY(kai_file_open(s->name, &descriptor, &s->size, err));
    const ssize_t n = pread(descriptor, header, sizeof header, 0);
    const int why = errno;
    close(descriptor);
    return n >= 0 ? h5_file_look(s, header, err) : kai_file_error(err, s->name, why);
}

static kai_result open_checked(const source* s, hid_t* out, kai_error* err)
{
    KAI_TRY(kai_h5_room(s->name, err));
    KAI_TRY(check_in_child(s, err));
    *out = open_source(s);
    return *out < 0 ? kai_file_malformed(s->name, "HDF5 cannot open it", err) : KAI_OK;
}

kai_result kai_h5_file_open(const char* path, hid_t* out, kai_error* err)
{
    source s = {.name = path};
    *out = -1;
    KAI_TRY(look_at_file(&s, err));
    return open_checked(&s, out, err);
}

kai_result kai_h5_file_open_image(const void* data, size_t size, const char* name, hid_t* out,
                                  kai_error* err)
{
    source s = {.name = name, .data = data, .size = size};
    unsigned char header[12] = {0};
    *out = -1;
    memcpy(header, data, size < sizeof header ? size : sizeof header);
    KAI_TRY(h5_file_look(&s, header, err));
    return open_checked(&s, out, err);
}
