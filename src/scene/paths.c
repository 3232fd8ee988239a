// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#define _GNU_SOURCE // asprintf
#include "scene/paths.h"

#include "record/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// Paths as text ----------------------------------------------------------------------------------

// The part before the last slash: "." when there is none, "/" for the root.
static char* folder_text(const char* path)
{
    const char* slash = strrchr(path, '/');
    if (!slash) return strdup(".");
    if (slash == path) return strdup("/");
    return strndup(path, (size_t)(slash - path));
}

char* kai_paths_folder(const char* path)
{
    char* folder = folder_text(path);
    char* real = folder ? realpath(folder, NULL) : NULL;
    free(folder);
    return real;
}

// Removes "." and ".." and double slashes from an absolute path, in place, without looking at the
// disk.
static void paths_normalise(char* path)
{
    char* out = path;
    const char* in = path;
    while (*in) {
        while (*in == '/') in++;
        const char* end = strchrnul(in, '/');
        const size_t length = (size_t)(end - in);
        if (length == 2 && in[0] == '.' && in[1] == '.') {
            while (out > path && *--out != '/') {}
        } else if (length > 0 && !(length == 1 && in[0] == '.')) {
            *out++ = '/';
            memmove(out, in, length);
            out += length;
        }
        in = end;
    }
    if (out == path) *out++ = '/';
    *out = '\0';
}

static bool is_inside(const char* path, const char* folder)
{
    const size_t length = strlen(folder);
    if (strcmp(folder, "/") == 0) return true;
    return strncmp(path, folder, length) == 0 && (path[length] == '/' || path[length] == '\0');
}

// `name` seen from `folder`.
static char* paths_join(const char* folder, const char* name)
{
    char* path = NULL;
    if (name[0] == '/') return strdup(name);
    if (strcmp(folder, ".") == 0) return strdup(name);
    const char* slash = folder[strlen(folder) - 1] == '/' ? "" : "/";
    return asprintf(&path, "%s%s%s", folder, slash, name) < 0 ? NULL : path;
}

// Opening ----------------------------------------------------------------------------------------

static const kai_document_file* naming_file(const kai_document* document, uint32_t index)
{
    const kai_document_file* file = &document->files[index];
    return file->folder ? file : &document->files[0];
}

// Opens without ever waiting, as a pipe would, and refuses all but regular files. Returns why not,
// or NULL.
static const char* open_regular(const char* real, int* fd)
{
    struct stat status;
    *fd = open(real, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (*fd < 0) return strerror(errno);
    if (fstat(*fd, &status) != 0) return strerror(errno);
    if (S_ISDIR(status.st_mode)) return "it is a directory";
    return S_ISREG(status.st_mode) ? NULL : "it is no regular file";
}

static kai_result paths_refuse(kai_document* document, const kai_document_node* node,
                               kai_paths_file* out, kai_problems* problems, const char* why)
{
    char name[128];
    kai_document_describe(node, name, sizeof name);
    if (why)
        kai_document_report(document, problems, node, false, "file %s cannot be opened: %s", name,
                            why);
    else
        kai_document_report(document, problems, node, false,
                            "file %s lies outside the scene's folder; --allow-outside permits it",
                            name);
    kai_paths_close(out);
    return KAI_ERROR_FILE;
}

kai_result kai_paths_open(kai_document* document, const kai_document_node* node, bool allow_outside,
                          kai_paths_file* out, kai_problems* problems)
{
    *out = (kai_paths_file){.fd = -1};
    if (document->failed) return KAI_ERROR_MEMORY;
    const kai_document_file* from = naming_file(document, node->place.file);
    const char* root = document->files[0].folder;
    if (!root || !from->folder)
        return paths_refuse(document, node, out, problems, "the scene has no folder");
    if (node->string[0] == '\0')
        return paths_refuse(document, node, out, problems, "the name is empty");

    // Where it would be, before the disk is asked: what lies outside is not even looked for.
    char* path = paths_join(from->folder, node->string);
    char* shown_folder = folder_text(from->name);
    out->shown = shown_folder ? paths_join(shown_folder, node->string) : NULL;
    free(shown_folder);
    if (!path || !out->shown) {
        free(path);
        kai_paths_close(out);
        return KAI_ERROR_MEMORY;
    }
    paths_normalise(path);
    const bool outside = !allow_outside && !is_inside(path, root);
    out->real = outside ? NULL : realpath(path, NULL);
    const int error = errno;
    free(path);
    if (outside) return paths_refuse(document, node, out, problems, NULL);
    if (!out->real) return paths_refuse(document, node, out, problems, strerror(error));

    // Where it is, links followed.
    if (!allow_outside && !is_inside(out->real, root))
        return paths_refuse(document, node, out, problems, NULL);
    const char* why = open_regular(out->real, &out->fd);
    if (why) return paths_refuse(document, node, out, problems, why);
    out->folder = folder_text(out->real);
    if (out->folder) return KAI_OK;
    kai_paths_close(out);
    return KAI_ERROR_MEMORY;
}

kai_result kai_paths_open_main(const char* path, kai_paths_file* out, kai_problems* problems)
{
    struct stat status;
    *out = (kai_paths_file){.fd = open(path, O_RDONLY | O_CLOEXEC)};
    const char* why = NULL;
    if (out->fd < 0 || fstat(out->fd, &status) != 0)
        why = strerror(errno);
    else if (S_ISDIR(status.st_mode))
        why = "it is a directory";
    if (why) {
        kai_problems_add(problems, KAI_ERROR_FILE, 0, 0, "%s: cannot be opened: %s", path, why);
        kai_paths_close(out);
        return KAI_ERROR_FILE;
    }
    out->shown = strdup(path);
    out->real = realpath(path, NULL);
    out->folder = kai_paths_folder(path);
    if (out->shown) return KAI_OK;
    kai_paths_close(out);
    return KAI_ERROR_MEMORY;
}

kai_result kai_paths_load(const char* path, size_t limit, char** bytes, size_t* size,
                          kai_error* err)
{
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0) return kai_error_set(err, KAI_ERROR_FILE, "cannot be opened: %s", strerror(errno));
    const kai_result r = kai_file_read(fd, limit, bytes, size);
    close(fd);
    return r == KAI_OK ? r : kai_error_set(err, r, "%s", kai_result_text(r));
}

void kai_paths_close(kai_paths_file* file)
{
    if (file->fd >= 0) close(file->fd);
    free(file->real);
    free(file->folder);
    free(file->shown);
    *file = (kai_paths_file){.fd = -1};
}
