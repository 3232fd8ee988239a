// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "record/csv.h"

#include "record/file.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BUFFER = 1 << 20 }; // written out after the row that fills it

kai_result kai_csv_check(const char* path, uint64_t keep, kai_error* err)
{
    struct stat info;
    if (stat(path, &info) != 0) return kai_file_error(err, path, errno);
    if ((uint64_t)info.st_size >= keep) return KAI_OK;
    return kai_error_set(
        err, KAI_ERROR_FILE,
        "%s: has %lld bytes; the checkpoint says it had %llu, so the run cannot go on", path,
        (long long)info.st_size, (unsigned long long)keep);
}

static kai_result cut_back(kai_csv* csv, uint64_t keep, kai_error* err)
{
    KAI_TRY(kai_csv_check(csv->path, keep, err));
    if (ftruncate(csv->descriptor, (off_t)keep) != 0 ||
        lseek(csv->descriptor, (off_t)keep, SEEK_SET) < 0)
        return kai_file_error(err, csv->path, errno);
    csv->bytes = keep;
    return KAI_OK;
}

kai_result kai_csv_open(kai_csv* csv, const char* path, uint64_t keep, kai_error* err)
{
    *csv = (kai_csv){
        .descriptor = -1, .path = strdup(path), .buffer = malloc(BUFFER), .capacity = BUFFER};
    kai_result r = csv->path && csv->buffer ? KAI_OK : kai_file_no_memory(path, err);
    if (r == KAI_OK) {
        if (keep > 0) r = kai_file_continue(path, &csv->descriptor, err);
        if (keep == 0 && (csv->descriptor = kai_file_create(path)) < 0)
            r = kai_file_error(err, path, errno);
    }
    if (r == KAI_OK && keep > 0) r = cut_back(csv, keep, err);
    if (r != KAI_OK) kai_csv_abandon(csv);
    return r;
}

// Writes out the first `size` bytes of the buffer. When the disk is full the file is cut after its
// last whole row.
static kai_result write_out(kai_csv* csv, size_t size, kai_error* err)
{
    size_t written;
    if (!kai_file_write_all(csv->descriptor, csv->buffer, size, &written)) {
        const int why = errno;
        while (written > 0 && csv->buffer[written - 1] != '\n') written--;
        if (ftruncate(csv->descriptor, (off_t)(csv->bytes + written)) == 0) csv->bytes += written;
        csv->used = csv->row = 0;
        return kai_file_error(err, csv->path, why);
    }
    csv->bytes += size;
    csv->used -= size;
    csv->row = csv->used;
    memmove(csv->buffer, csv->buffer + size, csv->used);
    return KAI_OK;
}

kai_result kai_csv_text(kai_csv* csv, const char* text, kai_error* err)
{
    const size_t size = strlen(text);
    if (size > csv->capacity - csv->used) {
        const size_t capacity = 2 * csv->capacity + size;
        char* grown = realloc(csv->buffer, capacity);
        if (grown == NULL) return kai_file_no_memory(csv->path, err);
        csv->buffer = grown;
        csv->capacity = capacity;
    }
    memcpy(csv->buffer + csv->used, text, size);
    csv->used += size;
    csv->begun = true;
    return KAI_OK;
}

kai_result kai_csv_cell(kai_csv* csv, const char* text, kai_error* err)
{
    const char* quote = strpbrk(text, ",\"\n\r") != NULL ? "\"" : "";
    KAI_TRY(kai_csv_text(csv, csv->begun ? "," : "", err));
    KAI_TRY(kai_csv_text(csv, quote, err));
    for (; *text != '\0'; text++) {
        const char letter[3] = {*text, *text == '"' ? '"' : '\0', '\0'};
        KAI_TRY(kai_csv_text(csv, letter, err));
    }
    return kai_csv_text(csv, quote, err);
}

kai_result kai_csv_number(kai_csv* csv, double number, kai_error* err)
{
    char text[40];
    if (!isfinite(number)) return kai_csv_text(csv, csv->begun ? "," : "", err);
    snprintf(text, sizeof text, "%s%.17g", csv->begun ? "," : "", number);
    return kai_csv_text(csv, text, err);
}

void kai_csv_drop_row(kai_csv* csv)
{
    csv->used = csv->row;
    csv->begun = false;
}

kai_result kai_csv_end_row(kai_csv* csv, kai_error* err)
{
    KAI_TRY(kai_csv_text(csv, "\n", err));
    csv->begun = false;
    csv->row = csv->used;
    return csv->used < BUFFER / 2 ? KAI_OK : write_out(csv, csv->used, err);
}

kai_result kai_csv_flush(kai_csv* csv, bool sync, kai_error* err)
{
    if (csv->used > 0) KAI_TRY(write_out(csv, csv->used, err));
    // Some files cannot be synced (a pipe, /dev/null): no reason to stop.
    if (sync && fsync(csv->descriptor) != 0 && errno != EINVAL && errno != EROFS)
        return kai_file_error(err, csv->path, errno);
    return KAI_OK;
}

void kai_csv_abandon(kai_csv* csv)
{
    if (csv->descriptor >= 0) close(csv->descriptor);
    free(csv->path);
    free(csv->buffer);
    *csv = (kai_csv){.descriptor = -1};
}

kai_result kai_csv_close(kai_csv* csv, kai_error* err)
{
    if (csv->path == NULL) return KAI_OK;
    kai_result r = kai_csv_flush(csv, false, err);
    if (close(csv->descriptor) != 0 && r == KAI_OK) r = kai_file_error(err, csv->path, errno);
    csv->descriptor = -1;
    kai_csv_abandon(csv);
    return r;
}
