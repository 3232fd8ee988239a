// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "model/frames.h"

void kai_frames_init(kai_frames* frames)
{
    frames->items = kai_array_make(sizeof(kai_frame));
    frames->unused = kai_array_make(sizeof(uint32_t));
}

bool kai_frames_equal(const kai_frame* a, const kai_frame* b)
{
    return a->position.x == b->position.x && a->position.y == b->position.y &&
           a->position.z == b->position.z && a->rotation.w == b->rotation.w &&
           a->rotation.x == b->rotation.x && a->rotation.y == b->rotation.y &&
           a->rotation.z == b->rotation.z;
}

kai_result kai_frames_add(kai_frames* frames, kai_memory* memory, const kai_frame* frame,
                          uint32_t* index, kai_error* err)
{
    const kai_frame identity = kai_frame_identity();
    *index = 0;
    if (kai_frames_equal(frame, &identity)) return KAI_OK;
    if (frames->unused.count > 0) {
        *index = ((const uint32_t*)frames->unused.data)[--frames->unused.count];
        ((kai_frame*)frames->items.data)[*index - 1] = *frame;
        return KAI_OK;
    }
    // Room to take every index back one day, so that dropping one cannot fail.
    KAI_TRY(kai_array_reserve(&frames->unused, memory, frames->items.count + 1, err));
    KAI_TRY(kai_array_append(&frames->items, memory, frame, 1, err));
    *index = (uint32_t)frames->items.count;
    return KAI_OK;
}

kai_frame kai_frames_at(const kai_frames* frames, uint32_t index)
{
    return index == 0 ? kai_frame_identity() : ((const kai_frame*)frames->items.data)[index - 1];
}

void kai_frames_drop(kai_frames* frames, uint32_t index)
{
    if (index > 0) ((uint32_t*)frames->unused.data)[frames->unused.count++] = index;
}

void kai_frames_free(kai_frames* frames, kai_memory* memory)
{
    kai_array_free(&frames->items, memory);
    kai_array_free(&frames->unused, memory);
}
