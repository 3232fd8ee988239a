// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The colour fields of a page: numbers of bodies and particles that trajectory.h5 keeps.
#ifndef VIEW_PAGE_FIELDS_H
#define VIEW_PAGE_FIELDS_H

#include "view/frames_plan.h"

/// Adds {"name", "unit", "blocks", "range"} of each field to the text, commas between, and their
/// chunks.
kai_result kai_page_fields_write(const kai_frames_plan* plan, kai_chunks* chunks, kai_text* to,
                                 kai_error* err);

/// The head of a field, up to its blocks. `mesh`: whose vertices it is of; SIZE_MAX: of movers.
void kai_page_fields_begin(kai_text* to, bool first, const char* name, const char* unit,
                           size_t mesh);

#endif
