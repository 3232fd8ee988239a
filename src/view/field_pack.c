// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Levels of frame 0, then differences from frame to frame modulo 2^16, in zigzag; first all low
// bytes, then all high ones. Level 65535 stands for a number that is not known.
#include "view/field_pack.h"

#include "base/error.h"
#include "view/codec.h"
#include "view/json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    BLOCK_VALUES = 1 << 20, // numbers of a block, about
    LEVELS = 65534,         // the largest level
    UNKNOWN = 65535
};

kai_result kai_field_pack_make(kai_field_pack* p, size_t count, size_t frames, kai_error* err)
{
    const size_t n = kai_codec_block(BLOCK_VALUES, count, frames);
    *p = (kai_field_pack){.count = count, .most = n};
    p->values = malloc((n * count + 1) * sizeof *p->values);
    p->bytes = malloc(2 * n * count + 1);
    p->level = malloc((count + 1) * sizeof *p->level);
    if (p->values != NULL && p->bytes != NULL && p->level != NULL) return KAI_OK;
    kai_field_pack_free(p);
    return kai_error_set(err, KAI_ERROR_MEMORY, "no memory for fields of the page");
}

float* kai_field_pack_next(kai_field_pack* p) { return p->values + p->frames++ * p->count; }

// Least and largest of what is known; 0 0 where nothing is.
static void range_of(const kai_field_pack* p, double* low, double* high)
{
    *low = HUGE_VAL;
    *high = -HUGE_VAL;
    for (size_t i = 0; i < p->frames * p->count; i++) {
        const double x = (double)p->values[i];
        if (!isfinite(x)) continue;
        if (x < *low) *low = x;
        if (x > *high) *high = x;
    }
    if (!(*low <= *high)) *low = *high = 0.0;
}

static void field_pack_encode(const kai_field_pack* p, double low, double high)
{
    const size_t n = p->count, total = p->frames * n;
    const double scale = high > low ? LEVELS / (high - low) : 0.0;
    uint16_t* level = p->level;
    memset(level, 0, n * sizeof *level);
    for (size_t f = 0; f < p->frames; f++)
        for (size_t i = 0; i < n; i++) {
            const size_t k = f * n + i;
            const double x = (double)p->values[k];
            const uint16_t now = isfinite(x) ? (uint16_t)lrint((x - low) * scale) : UNKNOWN;
            const uint16_t d = (uint16_t)(now - level[i]);
            const uint16_t v = (uint16_t)(d << 1 ^ (0u - (d >> 15)));
            level[i] = now;
            p->bytes[k] = (uint8_t)v;
            p->bytes[total + k] = (uint8_t)(v >> 8);
        }
}

kai_result kai_field_pack_end(kai_field_pack* p, kai_chunks* chunks, kai_text* to, kai_error* err)
{
    double low, high;
    size_t chunk;
    range_of(p, &low, &high);
    for (size_t k = 0; k < p->frames; k++)
        kai_spread_add(&p->spread, p->values + k * p->count, p->count);
    field_pack_encode(p, low, high);
    KAI_TRY(kai_chunks_pack_numbers(chunks, p->bytes, 2 * p->frames * p->count, &chunk, err));
    kai_text_add(to, "%s{\"first\":%zu,\"count\":%zu,\"chunk\":%zu,\"low\":", p->any ? "," : "",
                 p->first, p->frames, chunk);
    kai_json_number(to, low);
    kai_text_add(to, ",\"high\":");
    kai_json_number(to, high);
    kai_text_add(to, "}");
    p->low = p->any ? fmin(p->low, low) : low;
    p->high = p->any ? fmax(p->high, high) : high;
    p->any = true;
    p->first += p->frames;
    p->frames = 0;
    return KAI_OK;
}

void kai_field_pack_finish(kai_field_pack* p, kai_text* to)
{
    const double range[2] = {p->low, p->high};
    kai_text_add(to, "],\"range\":");
    kai_json_numbers(to, range, 2);
    // Where nearly all of them lie, unless that is all one.
    double usual[2] = {kai_spread_at(&p->spread, 0.02), kai_spread_at(&p->spread, 0.98)};
    if (!(usual[0] < usual[1])) {
        usual[0] = p->low;
        usual[1] = p->high;
    }
    kai_text_add(to, ",\"usual\":");
    kai_json_numbers(to, usual, 2);
    kai_text_add(to, "}");
    p->spread.sample.size = 0;
    p->frames = p->first = 0;
    p->low = p->high = 0.0;
    p->any = false;
}

void kai_field_pack_free(kai_field_pack* p)
{
    free(p->values);
    free(p->bytes);
    free(p->level);
    kai_spread_free(&p->spread);
    *p = (kai_field_pack){0};
}
