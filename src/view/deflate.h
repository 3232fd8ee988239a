// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Compression of byte planes, several times as fast as a general one: codes for bytes and runs of
// equal bytes, nothing else. Planes of numbers hold no other patterns that would pay.
//
// A zlib stream (RFC 1950) is put together from pieces that are packed one by one, on any thread:
//
//     kai_deflate_begin, pieces in order, kai_deflate_end
//
// Every piece ends on a whole byte, so pieces are joined by copying them.
#ifndef VIEW_DEFLATE_H
#define VIEW_DEFLATE_H

#include "base/text.h"

#include <stdint.h>

/// Largest piece.
#define KAI_DEFLATE_PIECE 32767

/// Checksum of nothing.
#define KAI_DEFLATE_EMPTY 1u

/// Appends the head of a stream.
void kai_deflate_begin(kai_text* out);

/// Appends one piece: `size` bytes, at most KAI_DEFLATE_PIECE. Returns their checksum. When memory
/// runs out, out->failed is set.
uint32_t kai_deflate_piece(const uint8_t* data, size_t size, kai_text* out);

/// Appends one piece of `count` zeros, as many as wanted. Returns their checksum.
uint32_t kai_deflate_zeros(uint64_t count, kai_text* out);

/// Checksum of bytes `a` followed by `size` bytes `b`.
uint32_t kai_deflate_join(uint32_t a, uint32_t b, uint64_t size);

/// Appends the end of a stream whose bytes have a checksum.
void kai_deflate_end(uint32_t checksum, kai_text* out);

#endif
