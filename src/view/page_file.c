// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "view/page_file.h"

#include "record/file.h"
#include "view/template.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PIECE = 48 * 1024 }; // bytes of a chunk encoded in one go; a multiple of 3

// Two letters for each 12 bits: half the look-ups of one at a time.
typedef struct alphabet {
    char pair[4096][2];
} alphabet;

static void make_alphabet(alphabet* a)
{
    static const char letters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (unsigned i = 0; i < 4096; i++) {
        a->pair[i][0] = letters[i >> 6];
        a->pair[i][1] = letters[i & 63];
    }
}

// Base64 (RFC 4648) of n bytes; returns how many letters.
static size_t base64(const alphabet* a, const unsigned char* in, size_t n, char* out)
{
    char* to = out;
    size_t i = 0;
    for (; i + 3 <= n; i += 3, to += 4) {
        const unsigned v = (unsigned)in[i] << 16 | (unsigned)in[i + 1] << 8 | in[i + 2];
        memcpy(to, a->pair[v >> 12], 2);
        memcpy(to + 2, a->pair[v & 4095], 2);
    }
    if (i == n) return (size_t)(to - out);
    const unsigned v = (unsigned)in[i] << 16 | (n - i > 1 ? (unsigned)in[i + 1] << 8 : 0u);
    memcpy(to, a->pair[v >> 12], 2);
    memcpy(to + 2, a->pair[v & 4095], 2);
    to[3] = '=';
    if (n - i == 1) to[2] = '=';
    return (size_t)(to - out) + 4;
}

static bool put(int descriptor, const void* data, size_t size)
{
    size_t written;
    return kai_file_write_all(descriptor, data, size, &written) == 0;
}

static bool put_chunk(int descriptor, const alphabet* letters, const kai_chunks* chunks, size_t k)
{
    unsigned char piece[PIECE];
    char text[PIECE / 3 * 4], tag[80];
    const kai_chunks_place place = chunks->places[k];
    const int length = snprintf(tag, sizeof tag, KAI_PAGE_FILE_CHUNK, k);
    if (!put(descriptor, tag, (size_t)length)) return false;
    for (uint64_t done = 0; done < place.size;) {
        const size_t n = place.size - done < PIECE ? (size_t)(place.size - done) : PIECE;
        if (pread(chunks->descriptor, piece, n, (off_t)(place.offset + done)) != (ssize_t)n) {
            errno = EIO;
            return false;
        }
        if (!put(descriptor, text, base64(letters, piece, n, text))) return false;
        done += n;
    }
    return put(descriptor, KAI_PAGE_FILE_END, sizeof KAI_PAGE_FILE_END - 1);
}

static bool put_all(int descriptor, const char* manifest, size_t size, const kai_chunks* chunks)
{
    const kai_template_text text = kai_template_get();
    if (!put(descriptor, text.head, text.head_size) ||
        !put(descriptor, KAI_PAGE_FILE_MANIFEST, sizeof KAI_PAGE_FILE_MANIFEST - 1) ||
        !put(descriptor, manifest, size) ||
        !put(descriptor, KAI_PAGE_FILE_END, sizeof KAI_PAGE_FILE_END - 1))
        return false;
    alphabet letters;
    make_alphabet(&letters);
    for (size_t k = 0; k < chunks->count; k++)
        if (!put_chunk(descriptor, &letters, chunks, k)) return false;
    return put(descriptor, text.tail, text.tail_size);
}

// Not synced: a page that a power cut took can be made again, and waiting for the disk would cost
// a short run more than all the rest.
kai_result kai_page_file_write(const char* path, const char* manifest, size_t size,
                               const kai_chunks* chunks, kai_error* err)
{
    const size_t length = strlen(path) + sizeof ".tmp";
    char* aside = malloc(length);
    if (aside == NULL) return kai_error_set(err, KAI_ERROR_MEMORY, "%s: no memory", path);
    snprintf(aside, length, "%s.tmp", path);
    const int descriptor = open(aside, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    bool good = descriptor >= 0 && put_all(descriptor, manifest, size, chunks);
    int why = errno;
    if (descriptor >= 0 && close(descriptor) != 0 && good) {
        good = false;
        why = errno;
    }
    if (good && rename(aside, path) != 0) {
        good = false;
        why = errno;
    }
    if (!good && descriptor >= 0) unlink(aside);
    free(aside);
    return good ? KAI_OK : kai_file_error(err, path, why);
}
