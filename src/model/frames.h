// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// A table of frames that few objects have: index 0 stands for the identity and costs nothing.
#ifndef MODEL_FRAMES_H
#define MODEL_FRAMES_H

#include "base/array.h"

#include <kairos/math.h>

typedef struct kai_frames {
    kai_array items;  // kai_frame; index i sits at i - 1
    kai_array unused; // uint32_t: indices given back
} kai_frames;

/// An empty table; allocates nothing.
void kai_frames_init(kai_frames* frames);

/// The same numbers; -0 equals 0, as a conjugate quaternion has it.
bool kai_frames_equal(const kai_frame* a, const kai_frame* b);

/// Keeps a frame and gives its index: 0 when it is the identity exactly.
kai_result kai_frames_add(kai_frames* frames, kai_memory* memory, const kai_frame* frame,
                          uint32_t* index, kai_error* err);

/// The frame of an index.
kai_frame kai_frames_at(const kai_frames* frames, uint32_t index);

/// Gives an index back; never fails. 0 is allowed.
void kai_frames_drop(kai_frames* frames, uint32_t index);

/// Gives all memory back.
void kai_frames_free(kai_frames* frames, kai_memory* memory);

#endif
