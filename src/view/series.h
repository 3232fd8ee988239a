// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// A time series read back from its CSV file.
#ifndef VIEW_SERIES_H
#define VIEW_SERIES_H

#include "base/text.h"
#include "view/chunks.h"

#include <kairos/output.h>

typedef struct kai_series {
    char** columns; // [column_count] names
    size_t column_count, rows;
    double* values; // [column_count][rows]
} kai_series;

/// Reads a file of which every `stride`-th row is kept. Rows that are broken, as a kill may leave
/// the last one, end it. KAI_ERROR_FILE when it cannot be read, KAI_ERROR_FORMAT without a header.
kai_result kai_series_read(kai_series* series, const char* path, size_t stride, kai_error* err);

/// How many numbers a file has, roughly: from its size. 0 when there is no file.
uint64_t kai_series_estimate(const char* path);

/// A series on a page.
typedef struct kai_series_entry {
    const char* file;
    const kai_world* world;
    const kai_output_def* output; // that wrote it, for units; NULL: not known
    size_t stride;                // every stride-th row of the file was read
} kai_series_entry;

/// Adds {"file": …, "columns": […], "units": […], "rows": n, "chunk": k, "stride": s} to the text.
kai_result kai_series_write(const kai_series* series, const kai_series_entry* entry,
                            kai_chunks* chunks, kai_text* to, kai_error* err);

/// Adds ,"units": […], one of each column, where the output wrote that many; 0: how many is not known.
void kai_series_write_units(const kai_series_entry* entry, size_t columns, kai_text* to);

/// Gives the memory back.
void kai_series_free(kai_series* series);

#endif
