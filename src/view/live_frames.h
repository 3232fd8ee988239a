// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Frames from the run to the server without either waiting for the other: three buffers, of which
// the run writes one, the server reads another, and the third, in the middle, is the newest that
// is whole. Both swap theirs with the middle one in a single atomic exchange.
//
//     run → [back] ⇄ [middle] ⇄ [front] → server
//
// A frame is where things are, then what viewers have asked for: parts with a tag and a length each
// (docs/page-format.md).
#ifndef VIEW_LIVE_FRAMES_H
#define VIEW_LIVE_FRAMES_H

#include "record/trajectory/trajectory_contacts.h"
#include "record/trajectory/trajectory_fields.h"
#include "view/message.h"
#include "view/movers.h"
#include "view/server.h"

#include <stdatomic.h>

#define KAI_LIVE_FRAMES_MAGIC 0x4B414946u

/// Parts after where things are.
enum { KAI_LIVE_FRAMES_VERTICES = 1, KAI_LIVE_FRAMES_CONTACTS = 2, KAI_LIVE_FRAMES_FIELD = 3 };

/// What a frame holds beside where things are.
typedef struct kai_live_frames_wish {
    bool contacts;
    char fields[KAI_SERVER_VIEWERS][KAI_MESSAGE_FIELD];
    size_t field_count;
} kai_live_frames_wish;

typedef struct kai_live_frames {
    const kai_movers* movers;
    kai_vec3 origin;
    size_t vertices;          // of deforming meshes
    size_t size[3];           // bytes of the frame in it
    unsigned char* buffer[3]; // [KAI_SERVER_ROOM + capacity]
    size_t capacity[3];
    uint32_t number[3]; // of the frame in it, 0: none
    int back, front;
    atomic_int middle; // index, + 4 when the server has not seen it
    uint32_t written;  // frames so far
    // Of the run's thread.
    kai_trajectory_contacts_list contacts;
    kai_trajectory_fields fields;
    uint32_t* slots; // [movers]
    double* numbers; // [vertices][3], then fields of one mesh
} kai_live_frames;

/// Makes the buffers.
kai_result kai_live_frames_init(kai_live_frames* frames, const kai_movers* movers,
                                const kai_world* world, kai_vec3 origin, kai_error* err);

/// The run: writes the present state as the newest frame. What there is no memory for is left out.
void kai_live_frames_write(kai_live_frames* frames, kai_world* world,
                           const kai_live_frames_wish* wish);

/// The server: the newest frame; NULL while there is none. Valid until the next call.
unsigned char* kai_live_frames_read(kai_live_frames* frames, uint32_t* number, size_t* size);

/// Gives the memory back.
void kai_live_frames_free(kai_live_frames* frames);

#endif
