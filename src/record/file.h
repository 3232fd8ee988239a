// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Files of a folder of results: opened so that nothing that lies there leads elsewhere, and whole
// or not there.
//
// A folder may come from anyone, with links and pipes in it that have the names of results. Three
// rules: what is new replaces what was there and is never written through it (kai_file_create);
// what is gone on with must be a file of the folder alone (kai_file_continue); what is read must be
// a regular file, and may lie behind a link (kai_file_open). None waits for a pipe. The folder
// itself may be a link: the user names it. Someone who changes the folder while kairos is at work
// is not met: HDF5 opens by name what was looked at before.
#ifndef RECORD_FILE_H
#define RECORD_FILE_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// One piece of a file.
typedef struct kai_file_piece {
    const void* data;
    size_t size;
} kai_file_piece;

/// Writes all bytes to a descriptor. False on failure: errno says why, and `*written`, unless that
/// is NULL, how many bytes went out.
bool kai_file_write_all(int descriptor, const void* data, size_t size, size_t* written);

/// Closes a file that was written. False when that failed, or `good` is false already; errno is that
/// of the first failure.
bool kai_file_close(int descriptor, bool good);

/// Reads from where a descriptor stands to the end, at most `most` bytes, into a new block with a
/// zero behind them (free() it). KAI_ERROR_LIMIT when there are more, _FILE, _MEMORY; no message.
kai_result kai_file_read(int descriptor, size_t most, char** bytes, size_t* size);

/// Makes a new file and opens it for reading and writing. What has its name, a file, a link or a
/// pipe, is removed first; a folder is not. Returns the descriptor, or -1 with errno.
int kai_file_create(const char* path);

/// Opens a file for reading and writing that is there already. KAI_ERROR_FORMAT when it is a link,
/// no regular file, or a file with a second name (a hard link), which would be changed too.
kai_result kai_file_continue(const char* path, int* descriptor, kai_error* err);

/// Opens a file for reading; `*size` receives its bytes. KAI_ERROR_FORMAT when it is no regular
/// file.
kai_result kai_file_open(const char* path, int* descriptor, uint64_t* size, kai_error* err);

/// Replaces the file at `path` by these pieces: through PATH.tmp, synced and renamed, so that after
/// a failure or a crash the old file is still there, or there is none.
kai_result kai_file_replace(const char* path, const kai_file_piece* pieces, size_t count,
                            kai_error* err);

/// Makes a folder and those above it. KAI_OK when it is there already.
kai_result kai_file_make_folder(const char* path, kai_error* err);

/// "folder/name" in a new block (free() it), or NULL; and "path.tmp", where a file is made that then
/// takes the name.
char* kai_file_join(const char* folder, const char* name);
char* kai_file_aside(const char* path);

/// KAI_ERROR_FILE with "path: what errno says".
kai_result kai_file_error(kai_error* err, const char* path, int error_number);

/// KAI_ERROR_FORMAT with "path: why".
kai_result kai_file_malformed(const char* path, const char* why, kai_error* err);

/// KAI_ERROR_MEMORY with "path: no memory".
kai_result kai_file_no_memory(const char* path, kai_error* err);

#endif
