// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Files that are whole or not there: written aside, synced, renamed.
#ifndef RECORD_FILE_H
#define RECORD_FILE_H

#include "base/error.h"

#include <stddef.h>

/// One piece of a file.
typedef struct kai_file_piece {
    const void* data;
    size_t size;
} kai_file_piece;

/// Writes all bytes to a descriptor. On failure errno says why and `*written` how many bytes went
/// out.
int kai_file_write_all(int descriptor, const void* data, size_t size, size_t* written);

/// Replaces the file at `path` by these pieces: through PATH.tmp, synced and renamed, so that after
/// a failure or a crash the old file is still there, or there is none.
kai_result kai_file_replace(const char* path, const kai_file_piece* pieces, size_t count,
                            kai_error* err);

/// Makes a folder and those above it. KAI_OK when it is there already.
kai_result kai_file_make_folder(const char* path, kai_error* err);

/// "folder/name" in a new block (free() it), or NULL.
char* kai_file_join(const char* folder, const char* name);

/// KAI_ERROR_FILE with "path: what errno says".
kai_result kai_file_error(kai_error* err, const char* path, int error_number);

#endif
