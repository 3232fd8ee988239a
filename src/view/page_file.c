// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "view/page_file.h"

#include "base/simd.h"
#include "record/file.h"
#include "view/template.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PIECE = 48 * 1024 }; // bytes of a chunk encoded in one go; a multiple of 3

// The letter of 6 bits: each of the rows A…Z, a…z, 0…9 and the signs + and / has its own distance
// to the numbers. No table: many at once.
KAI_INLINE uint8_t letter_of(uint8_t v)
{
    uint8_t add = 'A';
    add = v >= 26 ? (uint8_t)('a' - 26) : add;
    add = v >= 52 ? (uint8_t)('0' - 52) : add;
    add = v == 62 ? (uint8_t)('+' - 62) : add;
    add = v == 63 ? (uint8_t)('/' - 63) : add;
    return (uint8_t)(v + add);
}

// Three bytes, the first one lowest, as four letters, likewise.
KAI_INLINE uint32_t parts_of(uint32_t v)
{
    return (v >> 2 & 0x3f) | (v & 0x03) << 12 | (v >> 4 & 0x0f00) | (v & 0x0f00) << 10 |
           (v >> 6 & 0x030000) | (v & 0x3f0000) << 8;
}

// Base64 (RFC 4648) of n bytes; returns how many letters.
KAI_CLONES
static size_t base64(const uint8_t* restrict in, size_t n, uint8_t* restrict out)
{
    enum { GROUP = 64 };
    size_t i = 0, to = 0;
    // Four bytes are read for three.
    for (; i + 3 * GROUP < n; i += 3 * GROUP, to += 4 * GROUP) {
        uint32_t w[GROUP];
        for (size_t k = 0; k < GROUP; k++) memcpy(&w[k], in + i + 3 * k, 4);
#pragma omp simd
        for (int k = 0; k < GROUP; k++) w[k] = parts_of(w[k]);
        memcpy(out + to, w, sizeof w);
#pragma omp simd
        for (size_t k = 0; k < 4 * GROUP; k++) out[to + k] = letter_of(out[to + k]);
    }
    for (; i < n; i += 3, to += 4) {
        const size_t left = n - i < 3 ? n - i : 3;
        uint32_t v = in[i];
        for (size_t k = 1; k < left; k++) v |= (uint32_t)in[i + k] << 8 * k;
        v = parts_of(v);
        for (size_t k = 0; k < 4; k++)
            out[to + k] = k > left ? '=' : letter_of((uint8_t)(v >> 8 * k));
    }
    return to;
}

static bool put_chunk(int descriptor, const kai_chunks* chunks, size_t k)
{
    uint8_t piece[PIECE], text[PIECE / 3 * 4];
    char tag[80];
    const int length = snprintf(tag, sizeof tag, KAI_PAGE_FILE_CHUNK, k);
    if (!kai_file_write_all(descriptor, tag, (size_t)length, NULL)) return false;
    const uint64_t size = chunks->places[k].size;
    for (uint64_t done = 0; done < size;) {
        const size_t n = size - done < PIECE ? (size_t)(size - done) : PIECE;
        const uint8_t* bytes = kai_chunks_read(chunks, k, done, n, piece);
        if (bytes == NULL) {
            errno = EIO;
            return false;
        }
        if (!kai_file_write_all(descriptor, text, base64(bytes, n, text), NULL)) return false;
        done += n;
    }
    return kai_file_write_all(descriptor, KAI_PAGE_FILE_END, sizeof KAI_PAGE_FILE_END - 1, NULL);
}

static bool put_all(int descriptor, const char* manifest, size_t size, const kai_chunks* chunks)
{
    const kai_template_text text = kai_template_get();
    if (!kai_file_write_all(descriptor, text.head, text.head_size, NULL) ||
        !kai_file_write_all(descriptor, KAI_PAGE_FILE_MANIFEST, sizeof KAI_PAGE_FILE_MANIFEST - 1,
                            NULL) ||
        !kai_file_write_all(descriptor, manifest, size, NULL) ||
        !kai_file_write_all(descriptor, KAI_PAGE_FILE_END, sizeof KAI_PAGE_FILE_END - 1, NULL))
        return false;
    for (size_t k = 0; k < chunks->count; k++)
        if (!put_chunk(descriptor, chunks, k)) return false;
    return kai_file_write_all(descriptor, text.tail, text.tail_size, NULL);
}

// Not synced: a page that a power cut took can be made again, and waiting for the disk would cost
// a short run more than all the rest.
kai_result kai_page_file_write(const char* path, const char* manifest, size_t size,
                               const kai_chunks* chunks, kai_error* err)
{
    char* aside = kai_file_aside(path);
    if (aside == NULL) return kai_file_no_memory(path, err);
    const int descriptor = kai_file_create(aside);
    const bool good = descriptor >= 0 &&
                      kai_file_close(descriptor, put_all(descriptor, manifest, size, chunks)) &&
                      rename(aside, path) == 0;
    const int why = errno;
    if (!good && descriptor >= 0) unlink(aside);
    free(aside);
    return good ? KAI_OK : kai_file_error(err, path, why);
}
