// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The deforming meshes of a page: what they are made of once, and from meshes.h5 where their
// vertices are and what their fields are at every frame.
#ifndef VIEW_PAGE_RENDER_MESHES_H
#define VIEW_PAGE_RENDER_MESHES_H

#include "view/frames_plan.h"

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
