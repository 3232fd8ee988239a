// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Grey PNG pictures as heights. (W3C, Portable Network Graphics, second edition, 2003.)
#ifndef SCENE_HEIGHT_PNG_H
#define SCENE_HEIGHT_PNG_H

#include "base/error.h"

#include <kairos/kind.h>

/// Most bytes of pixels.
#define KAI_HEIGHT_PNG_BYTES ((size_t)1 << 29)

/// Reads a picture of 8 or 16 bit grey, not interlaced, into a table of malloc's memory: black 0,
/// white 1, bottom row first. KAI_ERROR_LIMIT when it would pass `limit` bytes of memory.
kai_result kai_height_png_parse(const char* bytes, size_t size, size_t limit, kai_table* out,
                                kai_error* err);

#endif
