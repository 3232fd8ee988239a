// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// What exports share: the trajectory of a run, the bodies that were asked for, and files.
#ifndef VIEW_EXPORT_FRAMES_H
#define VIEW_EXPORT_FRAMES_H

#include "base/text.h"
#include "view/catalog.h"

#include <kairos/view.h>

typedef struct kai_export_frames {
    kai_trajectory_read* reader;
    kai_catalog catalog;
    bool* chosen; // [catalog.count]
    size_t every;
} kai_export_frames;

/// Opens the trajectory of a run and finds the bodies of the def; then makes the folder of the
/// output. KAI_ERROR_NAME for a body that is not there: nothing was written.
kai_result kai_export_frames_open(kai_export_frames* frames, const kai_view_export_def* def,
                                  kai_error* err);

/// The row of the catalog of a point of a frame, SIZE_MAX when it was not asked for.
size_t kai_export_frames_row(const kai_export_frames* frames, uint32_t id);

/// Writes a file into the folder of the output.
kai_result kai_export_frames_write(const kai_view_export_def* def, const char* name,
                                   const kai_text* text, kai_error* err);

/// An array of a VTK file: its description in `head`; the caller appends its `bytes` to `data`.
void kai_export_frames_array(kai_text* head, kai_text* data, const char* type, const char* name,
                             int components, size_t bytes);

/// Ends a VTK file of one piece: joins `data` to `head` and writes them.
kai_result kai_export_frames_end(const kai_view_export_def* def, const char* name, kai_text* head,
                                 const kai_text* data, kai_error* err);

/// Closes.
void kai_export_frames_close(kai_export_frames* frames);

/// Writes every `every`-th frame of meshes.h5; nothing when the run has none.
kai_result kai_export_meshes(const kai_view_export_def* def, size_t every, kai_error* err);

#endif
