// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Parts of a world (model/part.h) in HDF5: groups are HDF5 groups, few numbers and texts are
// attributes, lists are datasets.
#ifndef RECORD_PART_FILE_H
#define RECORD_PART_FILE_H

#include "model/part.h"
#include "record/h5.h"

/// Most groups within each other.
#define KAI_PART_FILE_DEPTH 8

typedef struct kai_part_file_writer {
    kai_part_writer base; // first member
    hid_t groups[KAI_PART_FILE_DEPTH];
    int depth; // of the group that is written to
} kai_part_file_writer;

typedef struct kai_part_file_reader {
    kai_part_reader base; // first member
    hid_t groups[KAI_PART_FILE_DEPTH];
    int depth;
    uint16_t world; // tag in ids
} kai_part_file_reader;

/// For parts that lie in a group, which stays the caller's.
kai_part_file_writer kai_part_file_write_to(hid_t group);
kai_part_file_reader kai_part_file_read_from(hid_t group, uint16_t world);

#endif
