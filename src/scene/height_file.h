// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Heights on a grid from files: CSV rows of numbers, or grey PNG pictures.
#ifndef SCENE_HEIGHT_FILE_H
#define SCENE_HEIGHT_FILE_H

#include "base/error.h"

#include <kairos/kind.h>

/// Most heights of a file.
#define KAI_HEIGHT_FILE_MOST ((size_t)1 << 28)

/// Reads bytes of the format that the end of `name` says (.csv, .png) into a table of malloc's
/// memory, the row of lowest y first. CSV: rows in that order, numbers with commas between, all
/// rows of one length; blank lines and lines that begin with # are passed over. PNG: grey of 8 or
/// 16 bit, not interlaced; black is 0, white 1; the top row becomes the last. KAI_ERROR_LIMIT when
/// the heights, and a shape of them, would pass `limit` bytes of memory.
kai_result kai_height_file_parse(const char* bytes, size_t size, const char* name, size_t limit,
                                 kai_table* out, kai_error* err);

/// Whether so many heights lie within a limit of memory, in bytes. KAI_ERROR_LIMIT.
kai_result kai_height_file_room(size_t limit, double heights, kai_error* err);

/// Most bytes of pixels.
#define KAI_HEIGHT_PNG_BYTES ((size_t)1 << 29)

/// Reads a picture of 8 or 16 bit grey, not interlaced, into a table of malloc's memory: black 0,
/// white 1, bottom row first. KAI_ERROR_LIMIT when it would pass `limit` bytes of memory.
kai_result kai_height_png_parse(const char* bytes, size_t size, size_t limit, kai_table* out,
                                kai_error* err);

#endif
