// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// A whole world as the HDF5 group "world", and back, bit for bit: same slots, ids, generations and
// order.
//
//     world                                   attributes format, version, time, steps, gravity,
//                                             energy figures, integrator_steps
//     world/bodies                            bodies_file.h
//     world/laws materials material_pairs shapes
//           functions loads joints            store_file.h
//     world/functions.depth shape_records
//           shape_frames                      beside them
//     world/particles                         names, and for each group its bodies
//     world/integrator                        parameters
//     world/integrator_state                  what it carries from step to step
#ifndef RECORD_WORLD_FILE_H
#define RECORD_WORLD_FILE_H

#include "model/world.h"
#include "record/h5.h"

/// Raised when a reader of before cannot understand the files of now.
#define KAI_WORLD_FILE_FORMAT 8

/// Writes the world into a file or group, inside kai_h5_begin.
kai_result kai_world_save_group(const kai_world* world, hid_t parent, kai_error* err);

/// Replaces all of a world by what the file holds, inside kai_h5_begin. Kinds that are registered
/// in the world are known; ids keep index and generation. On failure the world is as it was.
kai_result kai_world_restore(kai_world* world, hid_t parent, kai_error* err);

#endif
