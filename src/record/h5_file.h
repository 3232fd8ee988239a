// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Opening HDF5 files that may be damaged or hostile.
//
// HDF5 crashes on some of them, and waits for ever on others. So a child process opens the file
// first and walks through all of it, with limits on memory and time; what ends the child is an
// error here. The child is a fork: it sees the same bytes, and nothing that it does is seen here.
// It also refuses what Kairos never writes: links out of the file, datasets in other files,
// filters of others, types of unknown layout.
#ifndef RECORD_H5_FILE_H
#define RECORD_H5_FILE_H

#include "record/h5.h"

/// Opens a file for reading (H5Fclose it), between kai_h5_begin and kai_h5_end. A file whose writer
/// was killed or is still at work is opened as readers of a growing file do it. KAI_ERROR_FILE when
/// it cannot be opened, KAI_ERROR_FORMAT when it is no sound HDF5 file; the message names it.
kai_result kai_h5_file_open(const char* path, hid_t* out, kai_error* err);

/// The same for a file that lies in memory: data[size] must stay until the file is closed, and is
/// not changed. `name` is for messages.
kai_result kai_h5_file_open_image(const void* data, size_t size, const char* name, hid_t* out,
                                  kai_error* err);

#endif
