// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#define _GNU_SOURCE // asprintf, memmem
#include "scene/decomposition.h"

#include "base/hash.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"
#include "geometry/decompose.h"
#include "record/file.h"
#include "scene/decomposition_check.h"
#include "scene/paths.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char TITLE[] = "kairos decomposition 3\n";
static const char SUM[] = "checksum ";
enum { SUM_LENGTH = sizeof SUM - 1 + 17 }; // the last line
static const size_t LARGEST = (size_t)256 << 20;

void kai_decomposition_free(kai_decomposition* d)
{
    free((void*)(uintptr_t)d->parts.data);
    *d = (kai_decomposition){0};
}

static uint64_t hash_of(const kai_mesh_file* mesh, double weld, double concavity)
{
    const double numbers[4] = {concavity, weld, mesh->vertices.rows, mesh->triangles.rows};
    uint64_t hash = kai_hash_bytes(KAI_HASH_START, numbers, sizeof numbers);
    hash = kai_hash_bytes(hash, mesh->vertices.data, 3 * sizeof(double) * mesh->vertices.rows);
    return kai_hash_bytes(hash, mesh->triangles.data, 3 * sizeof(double) * mesh->triangles.rows);
}

// Reading ----------------------------------------------------------------------------------------

// The next number of the text, which a blank or the end of a line follows.
static bool next_number(const char** at, const char* end, double* out)
{
    while (*at < end && (**at == ' ' || **at == '\n')) ++*at;
    const char* begin = *at;
    while (*at < end && **at != ' ' && **at != '\n') ++*at;
    return begin < *at && kai_number_parse(begin, *at, out) == KAI_NUMBER_OK;
}

static bool read_rows(const char* at, const char* end, uint32_t rows, double* to,
                      kai_decomposition* out)
{
    double part = -1.0;
    uint32_t corners = 4; // of the part before
    for (uint32_t i = 0; i < rows; i++, to += 4) {
        for (int k = 0; k < 4; k++)
            if (!next_number(&at, end, &to[k])) return false;
        // Parts are counted 0, 1, 2 … and have four corners or more.
        const bool next = to[0] == part + 1.0;
        if (!next && to[0] != part) return false;
        if (next && corners < 4) return false;
        corners = next ? 1 : corners + 1;
        part = to[0];
    }
    out->count = (uint32_t)part + 1;
    return corners >= 4 && out->count <= KAI_DECOMPOSE_PARTS;
}

kai_result kai_decomposition_parse(const char* text, size_t size, uint64_t hash,
                                   kai_decomposition* out)
{
    const char *at = text, *end = text + size;
    const size_t title = sizeof TITLE - 1;
    char key[24];
    double rows;
    *out = (kai_decomposition){.cached = true};
    snprintf(key, sizeof key, "%016" PRIx64 "\n", hash);
    if (size < title + 17 || memcmp(at, TITLE, title) != 0 || memcmp(at + title, key, 17) != 0)
        return KAI_ERROR_FORMAT;
    at += title + 17;
    if (!next_number(&at, end, &rows) || !next_number(&at, end, &out->concavity) ||
        !next_number(&at, end, &out->volume_error))
        return KAI_ERROR_FORMAT;
    // A row has eight characters at least, so that a number cannot ask for more than there is.
    if (!(rows >= 4.0 && rows <= (double)(size / 8) && rows == (double)(uint32_t)rows))
        return KAI_ERROR_FORMAT;
    double* data = malloc(4 * (size_t)rows * sizeof *data);
    if (!data) return KAI_ERROR_MEMORY;
    out->parts = (kai_table){data, (uint32_t)rows, 4};
    if (read_rows(at, end, (uint32_t)rows, data, out)) return KAI_OK;
    kai_decomposition_free(out);
    return KAI_ERROR_FORMAT;
}

// Whether the last line is the hash of what is before it; takes that line off.
static bool is_whole(const char* text, size_t* size)
{
    char line[SUM_LENGTH + 1];
    if (*size < SUM_LENGTH) return false;
    *size -= SUM_LENGTH;
    snprintf(line, sizeof line, "%s%016" PRIx64 "\n", SUM,
             kai_hash_bytes(KAI_HASH_START, text, *size));
    return memcmp(text + *size, line, SUM_LENGTH) == 0;
}

// Whether it is there for this mesh, and then, whether it is whole.
static bool decomposition_load(const char* path, uint64_t hash, kai_decomposition* out, bool* there)
{
    struct stat status;
    char* text = NULL;
    size_t size = 0;
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
    *there = false;
    if (fd < 0) return false;
    bool ok = fstat(fd, &status) == 0 && S_ISREG(status.st_mode) &&
              kai_file_read(fd, LARGEST, &text, &size) == KAI_OK;
    close(fd);
    char key[64];
    const int n = snprintf(key, sizeof key, "%s%016" PRIx64 "\n", TITLE, hash);
    *there = ok && size > (size_t)n && memcmp(text, key, (size_t)n) == 0;
    ok =
        *there && is_whole(text, &size) && kai_decomposition_parse(text, size, hash, out) == KAI_OK;
    free(text);
    return ok;
}

// Writing ----------------------------------------------------------------------------------------

static void write_rows(kai_text* to, uint64_t hash, const kai_decomposition* d)
{
    kai_text_add(to, "%s%016" PRIx64 "\n%u %.17g %.17g\n", TITLE, hash, d->parts.rows, d->concavity,
                 d->volume_error);
    for (size_t i = 0; i < d->parts.rows; i++) {
        const double* row = d->parts.data + 4 * i;
        kai_text_add(to, "%.0f %.17g %.17g %.17g\n", row[0], row[1], row[2], row[3]);
    }
    if (to->failed) return;
    kai_text_add(to, "%s%016" PRIx64 "\n", SUM, kai_hash_bytes(KAI_HASH_START, to->data, to->size));
}

// Aside, then renamed, so that nobody reads half a file. A new file, and the name itself: links are
// not followed. Where it cannot be written, it is not.
static void decomposition_save(const char* path, uint64_t hash, const kai_decomposition* d)
{
    char* aside = NULL;
    kai_text text = {0};
    if (asprintf(&aside, "%s.%ld", path, (long)getpid()) < 0) return;
    write_rows(&text, hash, d);
    const int fd =
        text.failed ? -1 : open(aside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (fd >= 0) {
        const bool ok = kai_file_write_all(fd, text.data, text.size, NULL);
        if (close(fd) != 0 || !ok || rename(aside, path) != 0) unlink(aside);
    }
    kai_text_free(&text);
    free(aside);
}

// Finding ----------------------------------------------------------------------------------------

static kai_result to_rows(const kai_decompose_result* found, double size, kai_decomposition* out,
                          kai_error* err)
{
    uint32_t rows = 0;
    for (uint32_t i = 0; i < found->count; i++) rows += found->parts[i].vertex_count;
    double* row = malloc(4 * (size_t)rows * sizeof *row);
    if (!row) return kai_error_set(err, KAI_ERROR_MEMORY, "no memory for convex parts");
    *out = (kai_decomposition){{row, rows, 4},      found->count, found->concavity / size,
                               found->volume_error, false,        false};
    for (uint32_t i = 0; i < found->count; i++)
        for (uint32_t k = 0; k < found->parts[i].vertex_count; k++, row += 4) {
            const kai_vec3 x = found->parts[i].vertices[k];
            row[0] = i, row[1] = x.x, row[2] = x.y, row[3] = x.z;
        }
    return KAI_OK;
}

static kai_result build_mesh(const kai_mesh_file* from, double weld, kai_memory* memory,
                             kai_mesh* out, kai_error* err)
{
    const size_t points = from->vertices.rows, triangles = from->triangles.rows;
    kai_vec3* x = malloc((points + 1) * sizeof *x);
    uint32_t(*t)[3] = malloc((triangles + 1) * sizeof *t);
    kai_result r = x && t ? KAI_OK : kai_error_set(err, KAI_ERROR_MEMORY, "no memory for a mesh");
    if (r == KAI_OK) {
        memcpy(x, from->vertices.data, points * sizeof *x);
        for (size_t i = 0; i < triangles; i++)
            for (size_t k = 0; k < 3; k++) t[i][k] = (uint32_t)from->triangles.data[3 * i + k];
        r = kai_mesh_build(out, memory, x, points, (const uint32_t(*)[3])t, triangles, weld, err);
    }
    free(x);
    free(t);
    return r;
}

kai_result kai_decomposition_find(const kai_mesh_file* from, double weld, double concavity,
                                  const char* path, kai_decomposition* out, kai_error* err)
{
    const uint64_t hash = hash_of(from, weld, concavity);
    char* beside = NULL;
    *out = (kai_decomposition){0};
    if (path && asprintf(&beside, "%s%s", path, KAI_DECOMPOSITION_SUFFIX) < 0)
        return kai_error_set(err, KAI_ERROR_MEMORY, "no memory for the name of a file");
    kai_memory memory;
    kai_mesh mesh = {0};
    kai_decompose_result found = {0};
    kai_memory_init(&memory, NULL);
    kai_result r = build_mesh(from, weld, &memory, &mesh, err);
    const double size = kai_vec3_max_abs(kai_vec3_sub(mesh.high, mesh.low));
    bool there = false;
    const bool kept = r == KAI_OK && beside && decomposition_load(beside, hash, out, &there);
    const bool good = kept && kai_decomposition_check(&mesh, out, &memory);
    if (kept && !good) kai_decomposition_free(out);
    if (r == KAI_OK && !good) {
        r = kai_decompose(&mesh, &memory, concavity * size, &found, err);
        if (r == KAI_OK) r = to_rows(&found, size, out, err);
        if (r == KAI_OK && beside) decomposition_save(beside, hash, out);
        out->distrusted = there;
    }
    kai_decompose_free(&found, &memory);
    kai_mesh_free(&mesh, &memory);
    free(beside);
    return r;
}
