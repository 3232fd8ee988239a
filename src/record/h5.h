// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// What record/ needs of HDF5, with our own errors. Four rules:
//
// 1. Every use stands between kai_h5_begin and kai_h5_end. Between them HDF5 prints nothing, loads
//    no plugins, and one thread at a time is inside: the usual builds of HDF5 are not safe for
//    threads.
// 2. HDF5 never meets a full disk. After a write that failed, HDF5 1.10 leaves objects behind that
//    make it crash when the process ends (seen with 1.10.8). So files are either made in memory and
//    written by us (checkpoints), or their room is reserved before HDF5 writes into it
//    (trajectories).
// 3. Files are opened for reading by h5_file.h only, since HDF5 does not survive every file.
// 4. HDF5 does not survive the lack of memory: it crashes, or calls exit. So before it writes,
//    kai_h5_room looks whether there is some; a file that cannot be closed for lack of it is left
//    open. Where exit is called inside HDF5, or without memory for HDF5 to end, the process ends at
//    once with status 1 and a line on stderr.
#ifndef RECORD_H5_H
#define RECORD_H5_H

#include "base/error.h"
#include "base/member.h"

#include <hdf5.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

void kai_h5_begin(void);
void kai_h5_end(void);

/// KAI_ERROR_MEMORY unless there is memory for what HDF5 itself takes; the message names the file.
kai_result kai_h5_room(const char* path, kai_error* err);

/// KAI_ERROR_MEMORY with the name of a dataset or attribute.
kai_result kai_h5_no_memory(const char* name, kai_error* err);

/// Callbacks of H5FD_file_image_callbacks_t for files in a block of the caller's: HDF5 frees neither
/// the block nor the context.
herr_t kai_h5_image_keep(void* data, H5FD_file_image_op_t op, void* context);
void* kai_h5_image_context(void* context); ///< itself
herr_t kai_h5_image_leave(void* context);  ///< nothing to do

/// HDF5's type of a number; not to be closed.
hid_t kai_h5_native(kai_number number);

/// A new compound type for records of `size` bytes in memory; negative on failure.
hid_t kai_h5_compound(const kai_member* members, size_t count, size_t size);

/// A new type for texts of `size` bytes, the end included; negative on failure.
hid_t kai_h5_text_type(size_t size);

// Writing ----------------------------------------------------------------------------------------

/// Makes a group.
kai_result kai_h5_make_group(hid_t parent, const char* name, hid_t* out, kai_error* err);

/// Makes a dataset of `count` rows of `columns` items (1: a plain list) of a memory type. Compound
/// types lie packed in the file.
kai_result kai_h5_make(hid_t parent, const char* name, hid_t type, size_t count, size_t columns,
                       hid_t* out, kai_error* err);

/// Writes rows [first, first + count) of a plain list; `name` is for messages.
kai_result kai_h5_put(hid_t set, const char* name, hid_t type, size_t first, size_t count,
                      const void* data, kai_error* err);

/// Writes `count` rows of `columns` items (1: a plain list) of a memory type as a new dataset.
/// Compound types lie packed in the file.
kai_result kai_h5_write(hid_t parent, const char* name, hid_t type, size_t count, size_t columns,
                        const void* data, kai_error* err);

/// Writes `count` items of a list that is described as a new dataset.
kai_result kai_h5_write_list(hid_t parent, const kai_member_list* list, const void* items,
                             size_t count, kai_error* err);

/// Writes `count` numbers as an attribute.
kai_result kai_h5_write_attribute(hid_t object, const char* name, kai_number number, size_t count,
                                  const void* data, kai_error* err);

/// Writes members of a struct as attributes of their names.
kai_result kai_h5_write_members(hid_t object, const kai_member* members, size_t count,
                                const void* from, kai_error* err);

/// Writes a text as an attribute.
kai_result kai_h5_write_text(hid_t object, const char* name, const char* text, kai_error* err);

// Reading: nothing in the file is believed -------------------------------------------------------

/// True when a group or dataset of that name is there.
bool kai_h5_has(hid_t parent, const char* name);

/// Opens a group. KAI_ERROR_FORMAT when there is none.
kai_result kai_h5_open_group(hid_t parent, const char* name, hid_t* out, kai_error* err);

/// Reads a whole dataset into a new block (free() it; never NULL). It must have `columns` columns,
/// hold every member of `type`, and lie in the file in full; `*count` receives its rows.
kai_result kai_h5_read(hid_t parent, const char* name, hid_t type, size_t columns, void** data,
                       size_t* count, kai_error* err);

/// The same for a number of rows that is known.
kai_result kai_h5_read_exactly(hid_t parent, const char* name, hid_t type, size_t columns,
                               size_t count, void** data, kai_error* err);

/// Reads a list that is described: `*count` items, SIZE_MAX: as many as there are, which it receives.
kai_result kai_h5_read_list(hid_t parent, const kai_member_list* list, void** items, size_t* count,
                            kai_error* err);

/// Reads an attribute of exactly `count` numbers.
kai_result kai_h5_read_attribute(hid_t object, const char* name, kai_number number, size_t count,
                                 void* data, kai_error* err);

/// Reads members of a struct from attributes of their names.
kai_result kai_h5_read_members(hid_t object, const kai_member* members, size_t count, void* to,
                               kai_error* err);

/// Reads a text attribute that fits into `size` bytes.
kai_result kai_h5_read_text(hid_t object, const char* name, char* out, size_t size, kai_error* err);

#endif
