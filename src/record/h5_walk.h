// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// A walk through an HDF5 file that looks at everything but plain numbers.
#ifndef RECORD_H5_WALK_H
#define RECORD_H5_WALK_H

#include "record/h5.h"

/// Opens every group, dataset and attribute of a file. KAI_ERROR_FORMAT for the first that Kairos
/// would not have written; the message names it. HDF5 may crash: see h5_file.h.
kai_result kai_h5_walk(hid_t file, kai_error* err);

#endif
