// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// index.html: the results of a run as one page that needs nothing else. Made in two steps, since
// what the page leaves out is told in run.json, and run.json is part of the page.
#ifndef VIEW_PAGE_H
#define VIEW_PAGE_H

#include "base/error.h"

#include <kairos/output.h>

#define KAI_PAGE_FILE "index.html" ///< the page
#define KAI_PAGE_SIDE "view.bin"   ///< what does not fit into it; docs/viewing.md

/// What a page is made of. Everything must live until kai_page_finish.
typedef struct kai_page_def {
    const char* folder;       // of results: trajectory.h5, time series
    kai_world* world;         // at the end of the run
    const kai_view_def* view; // what the scene says
    const char* name;         // title of the scene
    const char* scene_text;   // resolved scene
    const char* const* files; // [file_count] names of time series in the folder
    size_t file_count;
    const kai_output_def* const* outputs; // [file_count] that wrote them
    const char* events;                   // name of the table of events in the folder; NULL: none
    int threads;
} kai_page_def;

typedef struct kai_page kai_page;

/// Encodes frames and time series. What does not fit into the budget is made coarser, told by a
/// warning to the world's log and kept in view.bin.
kai_result kai_page_prepare(kai_page** out, const kai_page_def* def, kai_error* err);

/// Writes the page, with the text of run.json, and the side file when there is one. Frees the page
/// whatever happens; on failure there is no page.
kai_result kai_page_finish(kai_page* page, const char* summary, kai_error* err);

/// Gives a page up. NULL is allowed.
void kai_page_discard(kai_page* page);

#endif
