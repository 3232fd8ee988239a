// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Frames from the run to the server without either waiting for the other: three buffers, of which
// the run writes one, the server reads another, and the third, in the middle, is the newest that
// is whole. Both swap theirs with the middle one in a single atomic exchange.
//
//     run → [back] ⇄ [middle] ⇄ [front] → server
#ifndef VIEW_LIVE_FRAMES_H
#define VIEW_LIVE_FRAMES_H

#include "view/movers.h"
#include "view/server.h"

#include <stdatomic.h>

#define KAI_LIVE_FRAMES_MAGIC 0x4B414946u

typedef struct kai_live_frames {
    const kai_movers* movers;
    kai_vec3 origin;
    size_t size;              // bytes of a frame
    unsigned char* buffer[3]; // [KAI_SERVER_ROOM + size]
    uint32_t number[3];       // of the frame in it, 0: none
    int back, front;
    atomic_int middle; // index, + 4 when the server has not seen it
    uint32_t written;  // frames so far
} kai_live_frames;

/// Makes the buffers.
kai_result kai_live_frames_init(kai_live_frames* frames, const kai_movers* movers, kai_vec3 origin,
                                kai_error* err);

/// The run: writes the present state as the newest frame.
void kai_live_frames_write(kai_live_frames* frames, const kai_world* world);

/// The server: the newest frame; NULL while there is none. Valid until the next call.
unsigned char* kai_live_frames_read(kai_live_frames* frames, uint32_t* number);

/// Gives the memory back.
void kai_live_frames_free(kai_live_frames* frames);

#endif
