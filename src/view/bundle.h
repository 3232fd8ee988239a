// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The data of a page read back from its folder, to be served: from view.bin where there is one,
// else from index.html. Nothing in the files is believed.
#ifndef VIEW_BUNDLE_H
#define VIEW_BUNDLE_H

#include "view/chunks.h"
#include "view/server.h"

typedef struct kai_bundle {
    char* folder;
    char* text;     // index.html, or NULL
    int descriptor; // view.bin, or -1
    char* manifest; // points into text, or a block of its own
    size_t manifest_size;
    kai_chunks_place* places; // [count] in text (base64) or in the file
    size_t count;
    char** files; // [file_count] names of time series
    size_t file_count;
    char* page; // the viewer without data
    size_t page_size;
} kai_bundle;

/// Opens the results in a folder. KAI_ERROR_FILE when there is no page, KAI_ERROR_FORMAT when it is
/// none of ours.
kai_result kai_bundle_open(kai_bundle* bundle, const char* folder, kai_error* err);

/// The same from index.html, whether there is a view.bin or not.
kai_result kai_bundle_open_page(kai_bundle* bundle, const char* folder, kai_error* err);

/// The body of "", "manifest.json", "chunk/K" and "csv/NAME"; for kai_server_source.
bool kai_bundle_find(void* bundle, const char* name, kai_server_body* out);

/// The number after a prefix, such as that of "chunk/12"; false for anything else, leading zeros
/// and signs included.
bool kai_bundle_number(const char* name, const char* prefix, size_t* number);

/// The viewer without data, in a new block.
char* kai_bundle_viewer(size_t* size);

/// Gives all back; a zeroed one with descriptor -1 is allowed.
void kai_bundle_close(kai_bundle* bundle);

#endif
