// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Datasets of files that may be damaged or hostile. A dataset is refused unless it is one that
// Kairos could have written: numbers or texts of known types, single or in one to three dimensions, stored in
// this very file, unpacked or deflated. Sizes are held against what the file has before memory is
// taken.
#ifndef RECORD_H5_SET_H
#define RECORD_H5_SET_H

#include "record/h5.h"

/// The shape of a dataset.
typedef struct kai_h5_set {
    int rank;        // 0 (one item), 1, 2 or 3
    hsize_t rows;    // as the dataset says
    hsize_t stored;  // of these, that lie in the file; fewer where a writer was killed
    hsize_t columns; // numbers of a row: 1 for rank 1; of rank 3, of both dimensions
    hsize_t inner;   // the last dimension of rank 3, else 1
} kai_h5_set;

/// Checks type, layout, filters and storage. `unpack`: chunks that are deflated are also unpacked,
/// since HDF5 1.10 reads past the end of one that comes out too short. `name` is for messages.
kai_result kai_h5_set_check(hid_t set, const char* name, bool unpack, kai_h5_set* out,
                            kai_error* err);

/// Whether a type is one that Kairos writes.
bool kai_h5_set_is_type(hid_t type);

/// Whether values of `file_type`, one that Kairos writes, can become values of `type`, member by
/// member.
bool kai_h5_set_types_agree(hid_t file_type, hid_t type);

/// Opens a dataset of `columns` columns whose values can become values of `type`; `rank` is 1 to 3.
kai_result kai_h5_set_open(hid_t parent, const char* name, int rank, hsize_t columns, hid_t type,
                           hid_t* set, kai_h5_set* out, kai_error* err);

/// Reads rows [first, first + count) of an open dataset of that shape into `out`, as `type`.
bool kai_h5_set_read(hid_t set, const kai_h5_set* shape, hid_t type, hsize_t first, hsize_t count,
                     void* out);

/// Opens every group, dataset and attribute of a file. KAI_ERROR_FORMAT for the first that Kairos
/// would not have written; the message names it. HDF5 may crash: see h5_file.h.
kai_result kai_h5_walk(hid_t file, kai_error* err);

#endif
