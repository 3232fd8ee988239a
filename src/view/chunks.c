// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "view/chunks.h"

#include "record/file.h"
#include "view/codec.h"
#include "view/deflate.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    HEADER = 16,        // bytes
    ELEMENT = 80,       // of the script element around a chunk, at most
    HELD_MOST = 1 << 26 // bytes in memory
};

static kai_result no_memory(kai_error* err)
{
    return kai_error_set(err, KAI_ERROR_MEMORY, "no memory for the page");
}

static kai_result write_out(const kai_chunks* chunks, const void* data, size_t size, kai_error* err)
{
    const bool done = kai_file_write_all(chunks->descriptor, data, size, NULL);
    return done ? KAI_OK : kai_file_error(err, chunks->path, errno);
}

kai_result kai_chunks_spill(kai_chunks* chunks, kai_error* err)
{
    if (chunks->descriptor >= 0) return KAI_OK;
    char* name = kai_file_aside(chunks->path);
    if (name == NULL) return no_memory(err);
    chunks->descriptor = kai_file_create(name);
    const int why = errno;
    free(name);
    if (chunks->descriptor < 0) return kai_file_error(err, chunks->path, why);
    KAI_TRY(write_out(chunks, chunks->held.data, chunks->held.size, err));
    kai_text_free(&chunks->held);
    return KAI_OK;
}

static kai_result chunks_append(kai_chunks* chunks, const void* data, size_t size, kai_error* err)
{
    if (chunks->descriptor < 0 && chunks->held.size + size > HELD_MOST)
        KAI_TRY(kai_chunks_spill(chunks, err));
    if (chunks->descriptor < 0) {
        kai_text_add_bytes(&chunks->held, data, size);
        if (chunks->held.failed) return no_memory(err);
    } else {
        KAI_TRY(write_out(chunks, data, size, err));
    }
    chunks->end += size;
    return KAI_OK;
}

kai_result kai_chunks_hold(kai_chunks* chunks, const char* path, kai_error* err)
{
    static const char header[HEADER] = KAI_CHUNKS_MAGIC;
    *chunks = (kai_chunks){.descriptor = -1, .path = strdup(path)};
    return chunks->path != NULL ? chunks_append(chunks, header, HEADER, err) : no_memory(err);
}

kai_result kai_chunks_create(kai_chunks* chunks, const char* path, kai_error* err)
{
    KAI_TRY(kai_chunks_hold(chunks, path, err));
    return kai_chunks_spill(chunks, err);
}

const void* kai_chunks_read(const kai_chunks* chunks, size_t index, uint64_t offset, size_t size,
                            void* room)
{
    const kai_chunks_place place = chunks->places[index];
    if (offset > place.size || size > place.size - offset) return NULL;
    if (chunks->descriptor < 0)
        return chunks->held.data != NULL ? chunks->held.data + place.offset + offset : NULL;
    const off_t at = (off_t)(place.offset + offset);
    return pread(chunks->descriptor, room, size, at) == (ssize_t)size ? room : NULL;
}

static kai_result add_place(kai_chunks* chunks, kai_chunks_place place, size_t* index,
                            kai_error* err)
{
    if (chunks->count == chunks->capacity) {
        const size_t capacity = chunks->capacity > 0 ? 2 * chunks->capacity : 16;
        kai_chunks_place* places = realloc(chunks->places, capacity * sizeof *places);
        if (places == NULL) return no_memory(err);
        chunks->places = places;
        chunks->capacity = capacity;
    }
    *index = chunks->count;
    chunks->places[chunks->count++] = place;
    return KAI_OK;
}

kai_result kai_chunks_add(kai_chunks* chunks, const void* data, size_t size, size_t* index,
                          kai_error* err)
{
    const kai_chunks_place place = {chunks->end, size};
    KAI_TRY(chunks_append(chunks, data, size, err));
    return add_place(chunks, place, index, err);
}

kai_text* kai_chunks_begin(kai_chunks* chunks)
{
    if (chunks->descriptor >= 0) chunks->held.size = 0;
    chunks->begun = chunks->held.size;
    return &chunks->held;
}

kai_result kai_chunks_end(kai_chunks* chunks, size_t* index, kai_error* err)
{
    const kai_text* held = &chunks->held;
    const kai_chunks_place place = {chunks->end, held->size - chunks->begun};
    if (held->failed) return no_memory(err);
    if (chunks->descriptor >= 0) KAI_TRY(write_out(chunks, held->data, held->size, err));
    chunks->end += place.size;
    KAI_TRY(add_place(chunks, place, index, err));
    return held->size > HELD_MOST ? kai_chunks_spill(chunks, err) : KAI_OK;
}

kai_result kai_chunks_pack(kai_chunks* chunks, const void* data, size_t size, size_t* index,
                           kai_error* err)
{
    void* packed;
    size_t bytes;
    KAI_TRY(kai_codec_deflate(data, size, &packed, &bytes, err));
    const kai_result r = kai_chunks_add(chunks, packed, bytes, index, err);
    free(packed);
    return r;
}

kai_result kai_chunks_pack_numbers(kai_chunks* c, const void* data, size_t size, size_t* index,
                                   kai_error* err)
{
    enum { PIECE = 16384 };
    kai_text packed = {0};
    uint32_t checksum = KAI_DEFLATE_EMPTY;
    kai_deflate_begin(&packed);
    for (size_t at = 0; at < size; at += PIECE) {
        const size_t n = size - at < PIECE ? size - at : PIECE;
        const uint32_t sum = kai_deflate_piece((const uint8_t*)data + at, n, &packed);
        checksum = kai_deflate_join(checksum, sum, n);
    }
    kai_deflate_end(checksum, &packed);
    const kai_result r = packed.failed ? kai_error_set(err, KAI_ERROR_MEMORY,
                                                       "no memory to compress %zu bytes", size)
                                       : kai_chunks_add(c, packed.data, packed.size, index, err);
    kai_text_free(&packed);
    return r;
}

uint64_t kai_chunks_page_bytes(const kai_chunks* chunks)
{
    uint64_t bytes = 0;
    for (size_t i = 0; i < chunks->count; i++)
        bytes += (chunks->places[i].size + 2) / 3 * 4 + ELEMENT;
    return bytes;
}

kai_result kai_chunks_keep(kai_chunks* chunks, const char* manifest, size_t size, kai_error* err)
{
    const uint64_t begun = chunks->end;
    KAI_TRY(kai_chunks_spill(chunks, err));
    KAI_TRY(chunks_append(chunks, manifest, size, err));
    const uint64_t index = chunks->end, head[3] = {begun, size, chunks->count};
    KAI_TRY(chunks_append(chunks, head, sizeof head, err));
    KAI_TRY(chunks_append(chunks, chunks->places, chunks->count * sizeof *chunks->places, err));
    if (pwrite(chunks->descriptor, &index, sizeof index, sizeof KAI_CHUNKS_MAGIC - 1) !=
            (ssize_t)sizeof index ||
        fsync(chunks->descriptor) != 0)
        return kai_file_error(err, chunks->path, errno);
    char* name = kai_file_aside(chunks->path);
    if (name == NULL) return no_memory(err);
    const int done = rename(name, chunks->path);
    free(name);
    if (done != 0) return kai_file_error(err, chunks->path, errno);
    close(chunks->descriptor);
    chunks->descriptor = -1;
    return KAI_OK;
}

void kai_chunks_free(kai_chunks* chunks)
{
    if (chunks->descriptor >= 0 && chunks->path != NULL) {
        char* name = kai_file_aside(chunks->path);
        if (name != NULL) unlink(name);
        free(name);
        close(chunks->descriptor);
    }
    kai_text_free(&chunks->held);
    free(chunks->path);
    free(chunks->places);
    *chunks = (kai_chunks){.descriptor = -1};
}
