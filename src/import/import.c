// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#define _GNU_SOURCE // asprintf
#include "import/import.h"

#include "import/import_process.h"

#include <kairos/import.h>

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// Other files that a file may name, of all together.
enum { BESIDE_FILES = 256 };
static const uint64_t BESIDE_BYTES = (uint64_t)1 << 30;

// Memory for Assimp: a mesh takes some times the bytes of its file.
static const uint64_t ASSIMP_LEAST = (uint64_t)512 << 20, ASSIMP_TIMES = 64;

typedef struct talk {
    kai_import_process process;
    const kai_import_job* job;
    uint64_t beside_files, beside_bytes; // given so far
    kai_import_head head;                // of the message
    char* block;                         // its bytes, and a zero
    kai_error* err;
} talk;

// Other files ------------------------------------------------------------------------------------

// A plain file inside the folder, links followed; -1: it is not there, or not inside.
static int open_beside(const char* folder, const char* name, uint64_t* size)
{
    while (strncmp(name, "./", 2) == 0) name += 2;
    if (name[0] == '/' || name[0] == '\0' || !folder) return -1;
    char* path = NULL;
    const size_t length = strlen(folder);
    if (asprintf(&path, "%s/%s", folder, name) < 0) return -1;
    char* real = realpath(path, NULL);
    free(path);
    const bool inside = real && strncmp(real, folder, length) == 0 && real[length] == '/';
    const int fd = inside ? open(real, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW) : -1;
    free(real);
    struct stat status;
    if (fd < 0) return -1;
    if (fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0) {
        *size = (uint64_t)status.st_size;
        return fd;
    }
    close(fd);
    return -1;
}

// Answers a question for a file. False when that cannot be told.
static bool give_beside(talk* t)
{
    uint64_t size = 0;
    char piece[1 << 16];
    const int fd = open_beside(t->job->folder, t->block, &size);
    const bool given = fd >= 0 && size <= BESIDE_BYTES - t->beside_bytes;
    const kai_import_reply reply = {given, given ? size : 0};
    bool ok = kai_import_process_send(&t->process, &reply, sizeof reply);
    if (given) t->beside_bytes += size;
    for (uint64_t left = reply.size; ok && left > 0;) {
        const size_t want = left < sizeof piece ? (size_t)left : sizeof piece;
        const ssize_t got = read(fd, piece, want);
        ok = got > 0 && kai_import_process_send(&t->process, piece, (size_t)got);
        left -= ok ? (uint64_t)got : 0;
    }
    if (fd >= 0) close(fd);
    return ok;
}

// Messages ---------------------------------------------------------------------------------------

static kai_result not_understood(const talk* t)
{
    return kai_error_set(t->err, KAI_ERROR_FORMAT, "the importer's answer is not understood");
}

static kai_result import_stopped(talk* t) { return kai_import_process_why(&t->process, t->err); }

// The next message. Memory is taken as the bytes arrive, not as they are announced.
static kai_result import_receive(talk* t)
{
    free(t->block);
    t->block = NULL;
    if (!kai_import_process_receive(&t->process, &t->head, sizeof t->head))
        return import_stopped(t);
    const uint64_t most = t->head.kind == KAI_IMPORT_ASK ? KAI_IMPORT_NAME
                          : t->head.kind == KAI_IMPORT_LAYERS || t->head.kind == KAI_IMPORT_FAILED
                              ? KAI_IMPORT_TEXT
                              : KAI_IMPORT_LARGEST;
    if (t->head.kind < KAI_IMPORT_ASK || t->head.kind > KAI_IMPORT_FAILED || t->head.zero != 0)
        return not_understood(t);
    if (t->head.size > most)
        return kai_error_set(t->err, KAI_ERROR_LIMIT,
                             "the importer's answer has %llu bytes; %llu are allowed",
                             (unsigned long long)t->head.size, (unsigned long long)most);
    const size_t size = (size_t)t->head.size;
    for (size_t have = 0, room = (size_t)1 << 20; have < size || !t->block; room *= 2) {
        const size_t next = room < size ? room : size;
        char* larger = realloc(t->block, next + 1);
        if (!larger) return kai_error_set(t->err, KAI_ERROR_MEMORY, "no memory for the mesh");
        t->block = larger;
        if (!kai_import_process_receive(&t->process, t->block + have, next - have))
            return import_stopped(t);
        have = next;
    }
    t->block[size] = '\0';
    return KAI_OK;
}

// The text of a message, plain letters only.
static const char* text_of(talk* t, size_t from)
{
    const size_t size = (size_t)t->head.size;
    for (size_t i = from; i < size; i++)
        if (t->block[i] < ' ' || t->block[i] > '~') t->block[i] = '?';
    return t->block + (from < size ? from : size);
}

static kai_result import_failed(talk* t)
{
    const char what = t->block[0];
    if (what == KAI_IMPORT_MEMORY) return kai_import_process_memory(&t->process, t->err);
    return kai_error_set(t->err,
                         what == KAI_IMPORT_MISSING ? KAI_ERROR_UNSUPPORTED : KAI_ERROR_FORMAT,
                         "%s", text_of(t, 1));
}

// Triangles: what was counted is there, corners exist, coordinates are finite.
static kai_result take_triangles(talk* t, kai_import_mesh* out)
{
    kai_import_counts n;
    uint64_t rest = t->head.size - sizeof n;
    if (t->head.size < sizeof n) return not_understood(t);
    memcpy(&n, t->block, sizeof n);
    if (n.points > UINT32_MAX / 4 || n.triangles > UINT32_MAX / 8 ||
        rest != 24 * n.points + 12 * n.triangles)
        return not_understood(t);
    double* x = (double*)(void*)(t->block + sizeof n);
    uint32_t* corners = (uint32_t*)(void*)(x + 3 * n.points);
    for (uint64_t i = 0; i < 3 * n.points; i++)
        if (!isfinite(x[i]))
            return kai_error_set(t->err, KAI_ERROR_FORMAT, "vertex %llu is not finite",
                                 (unsigned long long)(i / 3));
    for (uint64_t i = 0; i < 3 * n.triangles; i++)
        if (corners[i] >= n.points)
            return kai_error_set(
                t->err, KAI_ERROR_FORMAT, "triangle %llu has vertex %u; there are %llu",
                (unsigned long long)(i / 3), corners[i], (unsigned long long)n.points);
    *out = (kai_import_mesh){.points = x,
                             .point_count = (size_t)n.points,
                             .triangles = corners,
                             .triangle_count = (size_t)n.triangles,
                             .block = t->block};
    t->block = NULL;
    return KAI_OK;
}

// Sends the request, answers questions, and leaves the last message in t->block.
static kai_result import_converse(talk* t)
{
    const kai_import_job* job = t->job;
    kai_import_request request = {.format = (uint32_t)job->format,
                                  .dimension = (uint32_t)job->dimension,
                                  .order = (uint32_t)job->order,
                                  .quads = job->quads,
                                  .size = job->cell_size,
                                  .memory = t->process.memory,
                                  .seconds = (uint64_t)t->process.seconds + 1,
                                  .bytes = job->size};
    memcpy(request.magic, KAI_IMPORT_MAGIC, sizeof request.magic);
    KAI_TRY(kai_import_process_start(&t->process, t->err));
    // One that refuses to begin says so before it has read all.
    if (kai_import_process_send(&t->process, &request, sizeof request))
        (void)kai_import_process_send(&t->process, job->bytes, job->size);
    for (;;) {
        KAI_TRY(import_receive(t));
        if (t->head.kind == KAI_IMPORT_FAILED) return import_failed(t);
        if (t->head.kind != KAI_IMPORT_ASK) return KAI_OK;
        if (++t->beside_files > BESIDE_FILES)
            return kai_error_set(t->err, KAI_ERROR_LIMIT, "it names more than %d other files",
                                 BESIDE_FILES);
        if (!give_beside(t)) return import_stopped(t);
    }
}

kai_result kai_import_read(const kai_import_job* job, kai_import_mesh* out, kai_error* err)
{
    const bool assimp = job->format >= KAI_IMPORT_GLTF;
    talk t = {.job = job, .err = err};
    *out = (kai_import_mesh){0};
    KAI_TRY(kai_import_format_check(job->format, job->bytes, job->size, err));
    kai_import_process_limits(&t.process,
                              assimp ? ASSIMP_LEAST + ASSIMP_TIMES * (uint64_t)job->size : 0);
    kai_result r = import_converse(&t);
    if (r == KAI_OK && assimp && t.head.kind == KAI_IMPORT_TRIANGLES) {
        r = take_triangles(&t, out);
    } else if (r == KAI_OK && !assimp && t.head.kind == KAI_IMPORT_MSH_TEXT) {
        *out =
            (kai_import_mesh){.text = t.block, .text_size = (size_t)t.head.size, .block = t.block};
        t.block = NULL;
    } else if (r == KAI_OK) {
        r = not_understood(&t);
    }
    kai_import_process_end(&t.process);
    free(t.block);
    return r;
}

void kai_import_free(kai_import_mesh* mesh)
{
    free(mesh->block);
    *mesh = (kai_import_mesh){0};
}

kai_result kai_import_containment(char* text, size_t size, kai_error* err)
{
    const kai_import_job job = {.format = KAI_IMPORT_NONE};
    talk t = {.job = &job, .err = err};
    if (!text || size == 0)
        return kai_error_set(err, KAI_ERROR_ARGUMENT, "kai_import_containment: text is empty");
    text[0] = '\0';
    kai_import_process_limits(&t.process, 0);
    kai_result r = import_converse(&t);
    if (r == KAI_OK && t.head.kind != KAI_IMPORT_LAYERS) r = not_understood(&t);
    if (r == KAI_OK)
        snprintf(text, size, "%s; at most %llu MiB, %g s", text_of(&t, 0),
                 (unsigned long long)(t.process.memory >> 20), t.process.seconds);
    kai_import_process_end(&t.process);
    free(t.block);
    return r;
}
