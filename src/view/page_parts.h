// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Parts of a page: the colour fields that trajectory.h5 keeps of bodies and particles; contacts,
// points, normals and gaps of each frame; deforming meshes, what they are made of once, and from
// meshes.h5 where their vertices are and what their fields are at every frame.
#ifndef VIEW_PAGE_PARTS_H
#define VIEW_PAGE_PARTS_H

#include "view/frames_plan.h"

/// Adds {"name", "unit", "blocks", "range"} of each field to the text, commas between, and their
/// chunks.
kai_result kai_page_fields_write(const kai_frames_plan* plan, kai_chunks* chunks, kai_text* to,
                                 kai_error* err);

/// The head of a field, up to its blocks. `mesh`: whose vertices it is of; SIZE_MAX: of movers.
void kai_page_fields_begin(kai_text* to, bool first, const char* name, const char* unit,
                           size_t mesh);

/// Every how many-th contact fits into `room` bytes of a page; 1: all of them.
size_t kai_page_contacts_stride(const kai_frames_plan* plan, double room);

/// Adds ,"contacts": {…} to the text, where there were any looked for, and their chunks.
kai_result kai_page_contacts_write(const kai_frames_plan* plan, size_t stride, kai_chunks* chunks,
                                   kai_text* to, kai_error* err);

/// Adds "meshes": […] of "skins" with their corners: ,"skins":{"vertices":V,"meshes":[…] — without
/// the closing brace — and their chunks. Nothing in a world without any. True: there are some.
bool kai_page_render_meshes_describe(const kai_world* world, kai_chunks* chunks, kai_text* to,
                                     kai_result* result, kai_error* err);

/// Adds ,"skins": {…} with all frames of the plan, where there are any.
kai_result kai_page_render_meshes_write(const kai_frames_plan* plan, kai_chunks* chunks,
                                        kai_text* to, kai_error* err);

/// Adds the fields of meshes to a list of fields. `first`: it is empty yet.
kai_result kai_page_render_meshes_fields(const kai_frames_plan* plan, bool first,
                                         kai_chunks* chunks, kai_text* to, kai_error* err);

#endif
