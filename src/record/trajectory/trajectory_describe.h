// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The group "Kairos" of a trajectory: names and shapes, which a replay draws. Written once, when
// the file is made.
#ifndef RECORD_TRAJECTORY_DESCRIBE_H
#define RECORD_TRAJECTORY_DESCRIBE_H

#include "record/h5.h"

#include <kairos/world.h>

/// Bytes that the description will need at most.
uint64_t kai_trajectory_describe_size(const kai_world* world);

/// Writes it, inside kai_h5_begin.
kai_result kai_trajectory_describe(hid_t file, const kai_world* world, const char* scene,
                                   kai_error* err);

#endif
