// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#define ZLIB_CONST // input is const
#include "view/codec.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { LEVEL = 6, LEVEL_RUNS = 3 };

// Small numbers of either sign become small numbers: 0 -1 1 -2 2 … → 0 1 2 3 4 …
static uint32_t zigzag32(uint32_t v) { return v << 1 ^ (0u - (v >> 31)); }

static uint16_t zigzag16(uint16_t v) { return (uint16_t)(v << 1 ^ (0u - (v >> 15))); }

size_t kai_codec_size(const kai_codec_block* block)
{
    return block->frames * (12 * block->movers + 8 * block->rotated);
}

// One component of all frames: absolute, first differences, then second differences, modulo 2^32.
static void encode_position(const int32_t* p, size_t frames, size_t n, uint8_t* out)
{
    const size_t count = frames * n;
    for (size_t k = 0; k < frames; k++) {
        const int32_t *now = p + k * n, *one = k > 0 ? now - n : now, *two = k > 1 ? one - n : one;
        uint8_t* to = out + k * n;
        for (size_t i = 0; i < n; i++) {
            uint32_t v = (uint32_t)now[i];
            if (k == 1) v -= (uint32_t)one[i];
            if (k > 1) v = v - 2u * (uint32_t)one[i] + (uint32_t)two[i];
            v = zigzag32(v);
            to[i] = (uint8_t)v;
            to[i + count] = (uint8_t)(v >> 8);
            to[i + 2 * count] = (uint8_t)(v >> 16);
            to[i + 3 * count] = (uint8_t)(v >> 24);
        }
    }
}

static void encode_rotation(const int16_t* q, size_t frames, size_t n, uint8_t* out)
{
    const size_t count = frames * n;
    for (size_t i = 0; i < count; i++) {
        uint16_t v = (uint16_t)q[i];
        if (i >= n) v = (uint16_t)(v - (uint16_t)q[i - n]);
        v = zigzag16(v);
        out[i] = (uint8_t)v;
        out[i + count] = (uint8_t)(v >> 8);
    }
}

void kai_codec_encode(const kai_codec_block* block, uint8_t* out)
{
    const size_t moved = block->frames * block->movers, turned = block->frames * block->rotated;
    for (size_t c = 0; c < 3; c++, out += 4 * moved)
        encode_position(block->position + c * moved, block->frames, block->movers, out);
    for (size_t c = 0; c < 4; c++, out += 2 * turned)
        encode_rotation(block->rotation + c * turned, block->frames, block->rotated, out);
}

int32_t kai_codec_position(double coordinate, double origin, double step, int32_t before)
{
    const double v = rint((coordinate - origin) / step);
    if (!isfinite(v)) return before;
    if (v > KAI_CODEC_FARTHEST) return KAI_CODEC_FARTHEST;
    return v < -KAI_CODEC_FARTHEST ? -KAI_CODEC_FARTHEST : (int32_t)v;
}

void kai_codec_rotation(const double q[4], const int16_t before[4], int16_t out[4])
{
    double along = 0.0, length = 0.0;
    for (int c = 0; c < 4; c++) {
        along += q[c] * before[c];
        length += q[c] * q[c];
    }
    if (!isfinite(along) || !(length > 1e-12) || !isfinite(length)) {
        memmove(out, before, 4 * sizeof *out);
        return;
    }
    const double scale = (along < 0.0 ? -1.0 : 1.0) / (KAI_CODEC_ROTATION_STEP * sqrt(length));
    for (int c = 0; c < 4; c++) out[c] = (int16_t)rint(q[c] * scale);
}

kai_result kai_codec_deflate(const void* data, size_t size, bool runs, void** out, size_t* out_size,
                             kai_error* err)
{
    *out = NULL;
    *out_size = 0;
    const size_t room = compressBound((uLong)size);
    z_stream z = {0};
    void* block = size < UINT_MAX / 2 ? malloc(room) : NULL;
    if (block == NULL)
        return kai_error_set(err, KAI_ERROR_MEMORY, "no memory to compress %zu bytes", size);
    int done = deflateInit2(&z, runs ? LEVEL_RUNS : LEVEL, Z_DEFLATED, MAX_WBITS, 8,
                            runs ? Z_RLE : Z_DEFAULT_STRATEGY);
    if (done == Z_OK) {
        z.next_in = data;
        z.avail_in = (uInt)size;
        z.next_out = block;
        z.avail_out = (uInt)room;
        done = deflate(&z, Z_FINISH);
        deflateEnd(&z);
    }
    if (done != Z_STREAM_END) {
        free(block);
        return kai_error_set(err, KAI_ERROR_MEMORY, "no memory to compress %zu bytes", size);
    }
    // Give back what was not used: many chunks wait in memory at once.
    void* smaller = realloc(block, z.total_out > 0 ? z.total_out : 1);
    *out = smaller != NULL ? smaller : block;
    *out_size = z.total_out;
    return KAI_OK;
}
