// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Events on a page: marks on its plots.
#ifndef VIEW_PAGE_EVENTS_H
#define VIEW_PAGE_EVENTS_H

#include "base/text.h"

#include <kairos/result.h>

/// Most events that a page has.
#define KAI_PAGE_EVENTS 1000

/// Adds ,"events": [{"time", "name", "actions"}] from the rows of a table of events, those of one
/// moment and name as one; the first KAI_PAGE_EVENTS of them. `path` NULL, or without a file: none.
kai_result kai_page_events_write(const char* path, kai_text* to, kai_error* err);

#endif
