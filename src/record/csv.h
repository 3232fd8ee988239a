// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// A growing CSV file of numbers: whole rows only, also after a full disk, and able to go on from a
// given size.
#ifndef RECORD_CSV_H
#define RECORD_CSV_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct kai_csv {
    char* path;
    int descriptor; // -1: closed
    char* buffer;   // whole rows that are not in the file yet
    size_t used, capacity;
    uint64_t bytes; // of the file, without the buffer
    size_t row;     // where the row in the making begins in the buffer
    bool begun;     // … and whether it has a number
} kai_csv;

/// Opens a new file (`keep` 0; see kai_file_create) or goes on with an old one (kai_file_continue),
/// cut back to `keep` bytes; KAI_ERROR_FILE when it has fewer.
kai_result kai_csv_open(kai_csv* csv, const char* path, uint64_t keep, kai_error* err);

/// Whether a table has at least the `keep` bytes that a checkpoint says it had.
kai_result kai_csv_check(const char* path, uint64_t keep, kai_error* err);

/// Adds text to the row in the making, as it is; or, after a comma where one is due, a cell of text,
/// in quotes when it would break the table, or a number with 17 significant digits, an empty cell for
/// one that is not finite.
kai_result kai_csv_text(kai_csv* csv, const char* text, kai_error* err);
kai_result kai_csv_cell(kai_csv* csv, const char* text, kai_error* err);
kai_result kai_csv_number(kai_csv* csv, double number, kai_error* err);

/// Forgets the row in the making.
void kai_csv_drop_row(kai_csv* csv);

/// Ends the row.
kai_result kai_csv_end_row(kai_csv* csv, kai_error* err);

/// Hands all rows to the system; `sync`: waits until they are on disk.
kai_result kai_csv_flush(kai_csv* csv, bool sync, kai_error* err);

/// Flushes and closes.
kai_result kai_csv_close(kai_csv* csv, kai_error* err);

/// Closes without writing what is left, after an error; a closed one is allowed.
void kai_csv_abandon(kai_csv* csv);

#endif
