// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// How numbers of a page are rounded and bytes compressed (docs/page-format.md). Positions are whole
// multiples of a step, rotations of 2^-14.
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

/// How many frames a block has, of `frames` with `count` numbers each, so that it has about `values`
/// in all: some, so that differences are worth it, but not too many to get one soon.
size_t kai_codec_block(size_t values, size_t count, size_t frames);

/// A coordinate as a multiple of a step. Not finite: `before`, where it was last.
int32_t kai_codec_position(double coordinate, double origin, double step, int32_t before);

/// Four components of a unit quaternion, of the sign that is nearer to `before`.
void kai_codec_rotation(const double q[4], const int16_t before[4], int16_t out[4]);

/// Compresses to a zlib stream (RFC 1950) in a new block; free() it.
kai_result kai_codec_deflate(const void* data, size_t size, void** out, size_t* out_size,
                             kai_error* err);

#endif
