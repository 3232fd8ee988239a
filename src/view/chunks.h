// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The chunks of a page, kept in memory or in a file beside it while they are made:
//
//     "KAIVIEW1" | u64 index | chunk 0 | chunk 1 | … | manifest | index
//     index: u64 offset and size of the manifest, u64 count, then u64 offset and size of each chunk
//
// All little-endian. A page that is small enough takes its chunks from there and the file goes; a
// run too large for a page keeps it as view.bin. Memory holds the same bytes: pages of most runs
// never need the file, whose every byte would be copied by the system twice.
#ifndef VIEW_CHUNKS_H
#define VIEW_CHUNKS_H

#include "base/error.h"
#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Where a piece of a file lies.
typedef struct kai_chunks_place {
    uint64_t offset, size;
} kai_chunks_place;

typedef struct kai_chunks {
    char* path;
    int descriptor; // -1: closed, or still in memory
    kai_text held;  // the bytes of the file as long as there is none; then those of a new chunk
    size_t begun;   // where in `held` a new chunk begins
    uint64_t end;
    kai_chunks_place* places; // [count]
    size_t count, capacity;
} kai_chunks;

#define KAI_CHUNKS_MAGIC "KAIVIEW1"

/// Begins a file, PATH.tmp until it is kept.
kai_result kai_chunks_create(kai_chunks* chunks, const char* path, kai_error* err);

/// The same in memory: the file is made when there are many bytes, or when it is to be kept.
kai_result kai_chunks_hold(kai_chunks* chunks, const char* path, kai_error* err);

/// Appends bytes that are compressed already; `*index` receives the chunk's number.
kai_result kai_chunks_add(kai_chunks* chunks, const void* data, size_t size, size_t* index,
                          kai_error* err);

/// Begins a chunk: its bytes are to be appended to the text that is returned.
kai_text* kai_chunks_begin(kai_chunks* chunks);

/// Ends it; `*index` receives its number.
kai_result kai_chunks_end(kai_chunks* chunks, size_t* index, kai_error* err);

/// Compresses and appends.
kai_result kai_chunks_pack(kai_chunks* chunks, const void* data, size_t size, size_t* index,
                           kai_error* err);

/// The same, several times as fast, for many numbers that hardly shrink: see deflate.h.
kai_result kai_chunks_pack_numbers(kai_chunks* chunks, const void* data, size_t size, size_t* index,
                                   kai_error* err);

/// Makes the file of what is in memory.
kai_result kai_chunks_spill(kai_chunks* chunks, kai_error* err);

/// `size` bytes of a chunk from `offset` on, read to `room` where they are not in memory. NULL:
/// there are no such bytes.
const void* kai_chunks_read(const kai_chunks* chunks, size_t index, uint64_t offset, size_t size,
                            void* room);

/// Bytes of all chunks as base64, in their script elements.
uint64_t kai_chunks_page_bytes(const kai_chunks* chunks);

/// Writes manifest and index, and gives the file its name.
kai_result kai_chunks_keep(kai_chunks* chunks, const char* manifest, size_t size, kai_error* err);

/// Removes the file unless it was kept, and frees. A zeroed one is allowed.
void kai_chunks_free(kai_chunks* chunks);

#endif
