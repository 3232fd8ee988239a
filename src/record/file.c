// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "record/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

kai_result kai_file_error(kai_error* err, const char* path, int error_number)
{
    char text[128] = "";
    if (strerror_r(error_number, text, sizeof text) != 0)
        snprintf(text, sizeof text, "error %d", error_number);
    return kai_error_set(err, KAI_ERROR_FILE, "%s: %s", path, text);
}

kai_result kai_file_no_memory(const char* path, kai_error* err)
{
    return kai_error_set(err, KAI_ERROR_MEMORY, "%s: no memory", path);
}

kai_result kai_file_malformed(const char* path, const char* why, kai_error* err)
{
    return kai_error_set(err, KAI_ERROR_FORMAT, "%s: %s", path, why);
}

bool kai_file_write_all(int descriptor, const void* data, size_t size, size_t* written)
{
    size_t done = 0;
    while (done < size) {
        const ssize_t n = write(descriptor, (const char*)data + done, size - done);
        if (n < 0 && errno == EINTR) continue;
        if (n == 0) errno = ENOSPC;
        if (n <= 0) break;
        done += (size_t)n;
    }
    if (written != NULL) *written = done;
    return done == size;
}

bool kai_file_close(int descriptor, bool good)
{
    const int why = errno;
    if (close(descriptor) != 0 && good) return false;
    errno = why;
    return good;
}

kai_result kai_file_read(int descriptor, size_t most, char** bytes, size_t* size)
{
    struct stat info;
    const bool known = fstat(descriptor, &info) == 0 && info.st_size > 0;
    // A byte more than a file has: the next read says that this was all.
    size_t capacity = known && (uint64_t)info.st_size < most ? (size_t)info.st_size + 2 : 1 << 16;
    char* data = malloc(capacity);
    *bytes = NULL;
    *size = 0;
    for (;;) {
        if (data == NULL) return KAI_ERROR_MEMORY;
        const ssize_t n = read(descriptor, data + *size, capacity - 1 - *size);
        if (n < 0 && errno == EINTR) continue;
        if (n == 0) break;
        if (n > 0) *size += (size_t)n;
        if (n < 0 || *size > most) {
            free(data);
            return n < 0 ? KAI_ERROR_FILE : KAI_ERROR_LIMIT;
        }
        if (*size + 1 < capacity) continue;
        capacity *= 2;
        char* grown = realloc(data, capacity);
        if (grown == NULL) free(data);
        data = grown;
    }
    data[*size] = '\0';
    *bytes = data;
    return KAI_OK;
}

// Two texts as one, in a new block.
static char* file_joined(const char* a, const char* between, const char* b)
{
    const size_t size = strlen(a) + strlen(between) + strlen(b) + 1;
    char* text = malloc(size);
    if (text != NULL) snprintf(text, size, "%s%s%s", a, between, b);
    return text;
}

char* kai_file_join(const char* folder, const char* name) { return file_joined(folder, "/", name); }

char* kai_file_aside(const char* path) { return file_joined(path, "", ".tmp"); }

// A rename is on disk once its folder is.
static void sync_folder_of(const char* path)
{
    char* folder = strdup(path);
    if (folder == NULL) return;
    char* slash = strrchr(folder, '/');
    if (slash != NULL) slash[slash == folder ? 1 : 0] = '\0';
    const int descriptor = open(slash != NULL ? folder : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    free(folder);
    if (descriptor < 0) return;
    fsync(descriptor); // some file systems cannot; the rename itself has succeeded
    close(descriptor);
}

// Opening ----------------------------------------------------------------------------------------

int kai_file_create(const char* path)
{
    if (unlink(path) != 0 && errno != ENOENT) return -1;
    // O_EXCL follows no link.
    return open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
}

// Looks before and after: opening alone can wait, and does something to some devices.
static kai_result open_regular(const char* path, int flags, int* descriptor, struct stat* info,
                               kai_error* err)
{
    *descriptor = -1;
    const bool follow = (flags & O_NOFOLLOW) == 0;
    if ((follow ? stat(path, info) : lstat(path, info)) != 0)
        return kai_file_error(err, path, errno);
    if (S_ISLNK(info->st_mode))
        return kai_file_malformed(
            path, "is a link, which is not followed; put the file itself there", err);
    if (!S_ISREG(info->st_mode)) return kai_file_malformed(path, "is not a regular file", err);
    const int opened = open(path, flags | O_CLOEXEC | O_NONBLOCK);
    if (opened < 0 || fstat(opened, info) != 0) {
        const int why = errno;
        if (opened >= 0) close(opened);
        return kai_file_error(err, path, why);
    }
    if (!S_ISREG(info->st_mode)) {
        close(opened);
        return kai_file_malformed(path, "is not a regular file", err);
    }
    fcntl(opened, F_SETFL, fcntl(opened, F_GETFL) & ~O_NONBLOCK);
    *descriptor = opened;
    return KAI_OK;
}

kai_result kai_file_open(const char* path, int* descriptor, uint64_t* size, kai_error* err)
{
    struct stat info;
    KAI_TRY(open_regular(path, O_RDONLY, descriptor, &info, err));
    *size = (uint64_t)info.st_size;
    return KAI_OK;
}

kai_result kai_file_continue(const char* path, int* descriptor, kai_error* err)
{
    struct stat info;
    KAI_TRY(open_regular(path, O_RDWR | O_NOFOLLOW, descriptor, &info, err));
    if (info.st_nlink <= 1) return KAI_OK;
    close(*descriptor);
    *descriptor = -1;
    return kai_file_malformed(path, "has a second name (a hard link); put a copy in its place",
                              err);
}

// Replacing --------------------------------------------------------------------------------------

static bool write_pieces(const char* path, const kai_file_piece* pieces, size_t count)
{
    const int descriptor = kai_file_create(path);
    if (descriptor < 0) return false;
    bool good = true;
    for (size_t i = 0; good && i < count; i++)
        good = kai_file_write_all(descriptor, pieces[i].data, pieces[i].size, NULL);
    return kai_file_close(descriptor, good && fsync(descriptor) == 0);
}

kai_result kai_file_replace(const char* path, const kai_file_piece* pieces, size_t count,
                            kai_error* err)
{
    char* aside = kai_file_aside(path);
    if (aside == NULL) return kai_file_no_memory(path, err);
    const bool good = write_pieces(aside, pieces, count) && rename(aside, path) == 0;
    const int why = errno;
    if (!good) unlink(aside);
    free(aside);
    if (!good) return kai_file_error(err, path, why);
    sync_folder_of(path);
    return KAI_OK;
}

static bool is_folder(const char* path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

kai_result kai_file_make_folder(const char* path, kai_error* err)
{
    if (path[0] == '\0')
        return kai_error_set(err, KAI_ERROR_ARGUMENT, "the folder's name is empty");
    char* copy = strdup(path);
    if (copy == NULL) return kai_file_no_memory(path, err);
    kai_result r = KAI_OK;
    for (char* c = copy + 1; r == KAI_OK; c++) {
        const char end = *c;
        if (end != '/' && end != '\0') continue;
        *c = '\0';
        if (mkdir(copy, 0777) != 0) {
            const int why = errno; // of mkdir, not of the look below
            if (!is_folder(copy)) r = kai_file_error(err, copy, why == EEXIST ? ENOTDIR : why);
        }
        *c = end;
        if (end == '\0') break;
    }
    free(copy);
    return r;
}
