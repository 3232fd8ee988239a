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

int kai_file_write_all(int descriptor, const void* data, size_t size, size_t* written)
{
    *written = 0;
    while (*written < size) {
        const ssize_t n = write(descriptor, (const char*)data + *written, size - *written);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) {
            if (n == 0) errno = ENOSPC;
            return -1;
        }
        *written += (size_t)n;
    }
    return 0;
}

char* kai_file_join(const char* folder, const char* name)
{
    const size_t size = strlen(folder) + strlen(name) + 2;
    char* path = malloc(size);
    if (path != NULL) snprintf(path, size, "%s/%s", folder, name);
    return path;
}

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

static kai_result file_refuse(const char* path, const char* why, kai_error* err)
{
    return kai_error_set(err, KAI_ERROR_FORMAT, "%s: %s", path, why);
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
        return file_refuse(path, "is a link, which is not followed; put the file itself there",
                           err);
    if (!S_ISREG(info->st_mode)) return file_refuse(path, "is not a regular file", err);
    const int opened = open(path, flags | O_CLOEXEC | O_NONBLOCK);
    if (opened < 0 || fstat(opened, info) != 0) {
        const int why = errno;
        if (opened >= 0) close(opened);
        return kai_file_error(err, path, why);
    }
    if (!S_ISREG(info->st_mode)) {
        close(opened);
        return file_refuse(path, "is not a regular file", err);
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
    return file_refuse(path, "has a second name (a hard link); put a copy in its place", err);
}

// Replacing --------------------------------------------------------------------------------------

static int write_pieces(const char* path, const kai_file_piece* pieces, size_t count)
{
    const int descriptor = kai_file_create(path);
    if (descriptor < 0) return -1;
    int done = 0;
    for (size_t i = 0; done == 0 && i < count; i++) {
        size_t written;
        done = kai_file_write_all(descriptor, pieces[i].data, pieces[i].size, &written);
    }
    if (done == 0) done = fsync(descriptor);
    const int why = errno;
    if (close(descriptor) != 0 && done == 0) return -1;
    errno = why;
    return done;
}

kai_result kai_file_replace(const char* path, const kai_file_piece* pieces, size_t count,
                            kai_error* err)
{
    const size_t size = strlen(path) + sizeof ".tmp";
    char* aside = malloc(size);
    if (aside == NULL) return kai_error_set(err, KAI_ERROR_MEMORY, "%s: no memory", path);
    snprintf(aside, size, "%s.tmp", path);
    if (write_pieces(aside, pieces, count) != 0 || rename(aside, path) != 0) {
        const int why = errno;
        unlink(aside);
        free(aside);
        return kai_file_error(err, path, why);
    }
    free(aside);
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
    if (copy == NULL) return kai_error_set(err, KAI_ERROR_MEMORY, "%s: no memory", path);
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
