// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The bodies of a world as the HDF5 group "bodies", and back into the same slots and ids.
//
//     pose motion mass cold    one compound dataset per array, one row per body, in slot order
//     acceleration             the same, when accelerations are kept
//     entries                  {slot, generation, used}, attribute free_head
//     named, names             those that have names
//     offsets/                 own frames in the principal frame
#ifndef RECORD_BODIES_FILE_H
#define RECORD_BODIES_FILE_H

#include "model/bodies.h"
#include "record/h5.h"

kai_result kai_bodies_file_write(hid_t parent, const kai_bodies* bodies, kai_error* err);

/// Reads into a set that is empty. On failure the set is to be freed. Groups, shapes and loads that
/// bodies refer to are checked by the caller.
kai_result kai_bodies_file_read(hid_t parent, kai_bodies* bodies, kai_error* err);

/// A table of frames as a group of that name.
kai_result kai_bodies_file_write_frames(hid_t parent, const char* name, const kai_frames* frames,
                                        kai_error* err);
kai_result kai_bodies_file_read_frames(hid_t parent, const char* name, kai_frames* frames,
                                       kai_memory* memory, kai_error* err);

#endif
