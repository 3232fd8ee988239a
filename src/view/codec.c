// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#define ZLIB_CONST // input is const
#include "view/codec.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { LEVEL = 1 };

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

kai_result kai_codec_deflate(const void* data, size_t size, void** out, size_t* out_size,
                             kai_error* err)
{
    *out = NULL;
    *out_size = 0;
    const size_t room = compressBound((uLong)size);
    z_stream z = {0};
    void* block = size < UINT_MAX / 2 ? malloc(room) : NULL;
    if (block == NULL)
        return kai_error_set(err, KAI_ERROR_MEMORY, "no memory to compress %zu bytes", size);
    int done = deflateInit(&z, LEVEL);
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
