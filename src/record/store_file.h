// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// A store as an HDF5 group, and back into the same slots and ids.
//
//     entries                {next, generation, used}, attribute free_head
//     <kind>/owner           id index of each instance, in slot order
//     <kind>/named, names    those that have names
//     <kind>/parameters/…    see param_file.h
#ifndef RECORD_STORE_FILE_H
#define RECORD_STORE_FILE_H

#include "base/store.h"
#include "record/h5.h"

/// Writes a store as group `name` of `parent`.
kai_result kai_store_file_write(hid_t parent, const char* name, const kai_store* store,
                                kai_error* err);

/// Reads one into a store that has its kinds but no instances. On failure the store is to be freed.
/// `hidden`: tables and lists that are hidden parameters are read too; false where the caller makes
/// them anew.
kai_result kai_store_file_read(hid_t parent, const char* name, kai_store* store, bool hidden,
                               kai_error* err);

/// Whether a chain of free places that starts at `head` (1 + place, 0: end) visits each of the
/// `count` places that are not in use, once. `next[i]` follows place i.
kai_result kai_store_file_check_free(const uint32_t* next, const uint8_t* used, size_t count,
                                     uint32_t head, const char* what, kai_error* err);

#endif
