// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Reading a trajectory.h5 back, whatever state a kill left it in. Nothing in the file is believed.
#ifndef RECORD_TRAJECTORY_READ_H
#define RECORD_TRAJECTORY_READ_H

#include "record/trajectory/trajectory.h"

typedef struct kai_trajectory_read kai_trajectory_read;

/// Opens a file. `most`: how many of its frames are wanted. KAI_ERROR_FORMAT when it is none,
/// KAI_ERROR_FILE when it cannot be opened.
kai_result kai_trajectory_read_open(kai_trajectory_read** out, const char* path, uint64_t most,
                                    kai_error* err);

/// How many frames there are, at most `most` of them, and the time of each.
size_t kai_trajectory_read_frames(const kai_trajectory_read* reader);
const double* kai_trajectory_read_times(const kai_trajectory_read* reader);

/// Points of frame k; 0 for one that is broken.
size_t kai_trajectory_read_count(const kai_trajectory_read* reader, size_t k);

/// Reads frame k with its contacts; what `frame` points to is valid until the next call.
kai_result kai_trajectory_read_frame(kai_trajectory_read* reader, size_t k,
                                     kai_trajectory_frame* frame, kai_error* err);

/// True when the file has velocities; those of frames are NULL otherwise.
bool kai_trajectory_read_moving(const kai_trajectory_read* reader);

/// Where the bodies of a frame are, in the precision of the file: no number is converted.
typedef struct kai_trajectory_places {
    size_t count;
    bool doubles;         // double, or float
    const void* position; // [count][3]
    const void* rotation; // [turned][4]
    const uint32_t* id;   // [count]
    bool same_ids;        // the ids are those of the call before
} kai_trajectory_places;

/// Reads where the bodies of frame k are, rotations of the first `turned` of them only. Valid until
/// the next call.
kai_result kai_trajectory_read_places(kai_trajectory_read* reader, size_t k, size_t turned,
                                      kai_trajectory_places* places, kai_error* err);

/// The ids of frame k, `*count` of them; valid until the next call.
kai_result kai_trajectory_read_ids(kai_trajectory_read* reader, size_t k, const uint32_t** id,
                                   size_t* count, kai_error* err);

/// Which fields the file has: bits of kai_trajectory_field.
uint32_t kai_trajectory_read_fields(const kai_trajectory_read* reader);

/// Reads a field of frame k, in the order of its rows: out[kai_trajectory_read_count].
kai_result kai_trajectory_read_field(kai_trajectory_read* reader, size_t k, size_t field,
                                     float* out, kai_error* err);

/// True when the file has contacts, and when it has their forces.
bool kai_trajectory_read_pushing(const kai_trajectory_read* reader);

/// Whether contacts tell their bodies.
bool kai_trajectory_read_pairing(const kai_trajectory_read* s);
bool kai_trajectory_read_touching(const kai_trajectory_read* reader);

/// How many contacts frame k keeps; 0 for one that is broken.
size_t kai_trajectory_read_contact_count(const kai_trajectory_read* reader, size_t k);

/// Reads the contacts of frame k; none without any. Valid until the next call.
kai_result kai_trajectory_read_contacts(kai_trajectory_read* reader, size_t k,
                                        kai_trajectory_contacts* contacts, kai_error* err);

/// The open file, for the group "Kairos"; see h5.h for how to use it.
int64_t kai_trajectory_read_file(const kai_trajectory_read* reader);

/// Closes. NULL is allowed.
void kai_trajectory_read_close(kai_trajectory_read* reader);

#endif
