// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "view/codec.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { LEVEL = 1, FRAMES_LEAST = 8, FRAMES_MOST = 64 };

size_t kai_codec_block(size_t values, size_t count, size_t frames)
{
    size_t n = count > 0 ? values / count : FRAMES_MOST;
    if (n < FRAMES_LEAST) n = FRAMES_LEAST;
    if (n > FRAMES_MOST) n = FRAMES_MOST;
    if (n > frames) n = frames;
    return n > 0 ? n : 1;
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

kai_result kai_codec_deflate(const void* data, size_t size, void** out, size_t* out_size,
                             kai_error* err)
{
    uLongf length = compressBound((uLong)size);
    *out_size = 0;
    *out = size < UINT_MAX / 2 ? malloc(length) : NULL;
    if (*out == NULL || compress2(*out, &length, data, (uLong)size, LEVEL) != Z_OK) {
        free(*out);
        *out = NULL;
        return kai_error_set(err, KAI_ERROR_MEMORY, "no memory to compress %zu bytes", size);
    }
    // Give back what was not used: many chunks wait in memory at once.
    void* smaller = realloc(*out, length);
    if (smaller != NULL) *out = smaller;
    *out_size = length;
    return KAI_OK;
}
