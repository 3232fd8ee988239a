// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// trajectory.h5: snapshots for replay and ParaView, in the VTKHDF layout (docs/trajectory.md).
//
// Every body is a point with a vertex cell. vtkhdf.h says how the file is written.
#ifndef RECORD_TRAJECTORY_H
#define RECORD_TRAJECTORY_H

#include "base/error.h"

#include <kairos/output.h>

typedef struct kai_trajectory kai_trajectory;

/// Most contacts that a frame keeps; of more, as many that are evenly spread in their order.
#define KAI_TRAJECTORY_CONTACTS 20000

/// Contacts of a frame. The order is that of kai_collision_at.
typedef struct kai_trajectory_contacts {
    size_t count;         // kept
    size_t found;         // there were
    const double* point;  // [count][3] midway between the two surfaces, world, m
    const double* normal; // [count][3] unit, from a to b
    const double* gap;    // [count] m; negative when they overlap
    const double* force;  // [count][3] on b, world, N; NULL: not known, or there is no force
    const uint32_t* body; // [count][2] id indices of a and b; NULL: not known
} kai_trajectory_contacts;

/// One frame, as the file holds it.
typedef struct kai_trajectory_frame {
    double time;
    size_t count;
    const double* position;                           // [count][3]
    const double* rotation;                           // [count][4]
    const double* velocity;                           // [count][3]; NULL: not known
    const uint32_t* id;                               // [count] id indices
    kai_trajectory_contacts contacts;                 // none in a world that does not detect them
    const double* fields[KAI_TRAJECTORY_FIELD_COUNT]; // [count] each; NULL: not known
} kai_trajectory_frame;

/// Makes a new file for a world. It keeps contacts where the world detects them.
kai_result kai_trajectory_create(kai_trajectory** out, const char* path, const kai_world* world,
                                 const kai_trajectory_def* def, const char* scene, kai_error* err);

/// Goes on with the file of an earlier run, cut back to its first `frames` frames: they are copied
/// to a new file, since a file that was killed must not be written to. KAI_ERROR_FORMAT when there
/// are fewer.
kai_result kai_trajectory_resume(kai_trajectory** out, const char* path, const kai_world* world,
                                 const kai_trajectory_def* def, const char* scene, uint64_t frames,
                                 kai_error* err);

/// Adds the world's present state as a frame, with the contacts that were found last: who wants
/// those of now calls kai_collision_refresh before.
kai_result kai_trajectory_add_world(kai_trajectory* trajectory, kai_world* world, kai_error* err);

/// Adds a frame.
kai_result kai_trajectory_add(kai_trajectory* trajectory, const kai_trajectory_frame* frame,
                              kai_error* err);

/// Frames added so far.
uint64_t kai_trajectory_frames(const kai_trajectory* trajectory);

/// Appends what is gathered to the file; `sync`: waits until it is on disk. On a full disk the file
/// keeps the frames that it has.
kai_result kai_trajectory_flush(kai_trajectory* trajectory, bool sync, kai_error* err);

/// Finishes and closes the file. `discard`: what is gathered is not written, after an error. NULL
/// is allowed.
kai_result kai_trajectory_close(kai_trajectory* trajectory, bool discard, kai_error* err);

#endif
