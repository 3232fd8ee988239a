// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Snapshots of a particle group, of elements or of all contacts: one numbered file a sample; those
// of particles in the format of particle tables, so that a scene can start from one.
#ifndef RECORD_SNAPSHOT_H
#define RECORD_SNAPSHOT_H

#include "base/error.h"

#include <kairos/output.h>

/// The path of snapshot `number`: grains.csv becomes folder/grains-000007.csv. free() it; NULL: no
/// memory.
char* kai_snapshot_path(const char* folder, const kai_output_def* def, uint64_t number);

/// Writes a snapshot of the particles that still exist, of elements that have a node in a set, or
/// of the contacts of the last step.
kai_result kai_snapshot_write(kai_world* world, const kai_output_def* def, const char* path,
                              kai_error* err);

#endif
