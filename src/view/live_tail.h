// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// New rows of the time series of a run that goes on, read from their files as they grow: the run
// does not know that anybody looks.
#ifndef VIEW_LIVE_TAIL_H
#define VIEW_LIVE_TAIL_H

#include "base/text.h"

#include <stdint.h>

/// How far one viewer is in one file.
typedef struct kai_live_tail {
    uint64_t offset; // of the first row that was not sent
} kai_live_tail;

/// Adds the next rows of a file as {"type": "series", "file": …, "columns": […], "rows": […]} to
/// the text; the columns only with the first rows. False when there are none now.
bool kai_live_tail_read(kai_live_tail* tail, const char* path, const char* file, kai_text* to);

/// Adds the names of the columns of a file as a list; false when it has none yet.
bool kai_live_tail_columns(const char* path, kai_text* to);

#endif
