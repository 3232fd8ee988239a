// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Instances of a kind as HDF5 datasets, one a parameter, made from the kind's own description. So a
// file can be read by any HDF5 tool and does not depend on the layout of a struct.
//
//     numbers    <name>                              [count] or [count][3], [4], [6]
//     values     <name>                              compound: constant, function, generation
//     ids        <name>                              compound: index, generation
//     tables     <name>, <name>.rows, .columns       data of all instances in a row
//     curves     the same, and <name>.slope
//     lists      <name>/…, <name>.count              parameters of all items in a row
#ifndef RECORD_PARAM_FILE_H
#define RECORD_PARAM_FILE_H

#include "record/h5.h"

#include <kairos/kind.h>

/// Blocks that instances read from a file point to, until they are copied into a store.
typedef struct kai_param_file_pool kai_param_file_pool;

/// Writes `count` instances into a group.
kai_result kai_param_file_write(hid_t group, const kai_kind* kind, const void* items, size_t count,
                                kai_error* err);

/// Reads `count` instances into `items` ([count * kind->size] bytes, zeroed). Ids get the tag
/// `world`. What tables and lists point to is added to `*pool` (start with NULL).
kai_result kai_param_file_read(hid_t group, const kai_kind* kind, void* items, size_t count,
                               uint16_t world, kai_param_file_pool** pool, kai_error* err);

/// Frees a pool; NULL is allowed.
void kai_param_file_free(kai_param_file_pool* pool);

/// Writes the names of `count` things, NULL or "" for those that have none: datasets "named" and
/// "names".
kai_result kai_param_file_write_names(hid_t group, const char* const* names, size_t count,
                                      kai_error* err);

/// Reads them back: `*named` receives [*count] places below `limit`, `*names` as many texts of
/// `*stride` bytes; free() both.
kai_result kai_param_file_read_names(hid_t group, size_t limit, uint32_t** named, char** names,
                                     size_t* stride, size_t* count, kai_error* err);

#endif
