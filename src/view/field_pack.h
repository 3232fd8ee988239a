// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Blocks of a field's numbers for the page (docs/page-format.md): one number per mover or vertex and
// frame, as 65535 levels between the least and the largest of the block.
#ifndef VIEW_FIELD_PACK_H
#define VIEW_FIELD_PACK_H

#include "base/text.h"
#include "view/chunks.h"
#include "view/spread.h"

typedef struct kai_field_pack {
    size_t count;     // numbers per frame
    size_t most;      // frames of a block
    size_t frames;    // of this block so far
    size_t first;     // frame that it began with
    float* values;    // [most][count]
    uint8_t* bytes;   // [2 * most * count]
    uint16_t* level;  // [count] of the frame before
    double low, high; // of all blocks
    bool any;         // there was a block
    kai_spread spread;
} kai_field_pack;

/// For fields of so many numbers per frame.
kai_result kai_field_pack_make(kai_field_pack* pack, size_t count, size_t frames, kai_error* err);

/// Room for the next frame's numbers; NaN: not known.
float* kai_field_pack_next(kai_field_pack* pack);

/// Whether the block is full.
static inline bool kai_field_pack_is_full(const kai_field_pack* pack)
{
    return pack->frames == pack->most;
}

/// Ends a block: adds its chunk, and {"first", "count", "chunk", "low", "high"} to the text.
kai_result kai_field_pack_end(kai_field_pack* pack, kai_chunks* chunks, kai_text* to,
                              kai_error* err);

/// After the last block: adds ],"range":[low, high],"usual":[low, high]} and starts over for the
/// next field.
void kai_field_pack_finish(kai_field_pack* pack, kai_text* to);

/// Gives the memory back.
void kai_field_pack_free(kai_field_pack* pack);

#endif
