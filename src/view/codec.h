// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// How frames become bytes (docs/page-format.md). Positions are whole multiples
// of a step and are written as second differences in time: free flight costs next to nothing.
// Values go out as byte planes, so that the high bytes, nearly all zero, vanish in the compression.
#ifndef VIEW_CODEC_H
#define VIEW_CODEC_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Size of a rotation's step: components are multiples of 2^-14.
#define KAI_CODEC_ROTATION_STEP 6.103515625e-5

/// Largest multiple of the position step that is written; what is farther away stands there.
#define KAI_CODEC_FARTHEST (INT32_C(1) << 30)

/// Some frames in a row.
typedef struct kai_codec_block {
    size_t frames, movers, rotated;
    int32_t* position; // [3][frames][movers] multiples of the position step
    int16_t* rotation; // [4][frames][rotated] w x y z, multiples of 2^-14
} kai_codec_block;

/// Bytes of a block before compression.
size_t kai_codec_size(const kai_codec_block* block);

/// The block as bytes, to `out` [kai_codec_size].
void kai_codec_encode(const kai_codec_block* block, uint8_t* out);

/// A coordinate as a multiple of a step. Not finite: `before`, where it was last.
int32_t kai_codec_position(double coordinate, double origin, double step, int32_t before);

/// Four components of a unit quaternion, of the sign that is nearer to `before`.
void kai_codec_rotation(const double q[4], const int16_t before[4], int16_t out[4]);

/// Compresses to a zlib stream (RFC 1950) in a new block; free() it. `runs`: for planes of many
/// numbers, where looking for anything but runs of equal bytes is wasted time.
kai_result kai_codec_deflate(const void* data, size_t size, bool runs, void** out, size_t* out_size,
                             kai_error* err);

#endif
