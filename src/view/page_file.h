// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The file of a page: the viewer with a manifest and its chunks in script elements.
#ifndef VIEW_PAGE_FILE_H
#define VIEW_PAGE_FILE_H

#include "view/chunks.h"

/// The elements around the data, for those who write them and those who look for them.
#define KAI_PAGE_FILE_MANIFEST "<script type=\"application/json\" id=\"kairos-manifest\">"
#define KAI_PAGE_FILE_CHUNK    "<script type=\"text/plain\" id=\"kairos-chunk-%zu\">"
#define KAI_PAGE_FILE_END      "</script>\n"

/// Writes a page: aside, then renamed. The manifest must have no '<' in it.
kai_result kai_page_file_write(const char* path, const char* manifest, size_t size,
                               const kai_chunks* chunks, kai_error* err);

#endif
