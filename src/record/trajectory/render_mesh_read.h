// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Reading a meshes.h5 back. Nothing in the file is believed.
#ifndef RECORD_RENDER_MESH_READ_H
#define RECORD_RENDER_MESH_READ_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

typedef struct kai_render_mesh_read kai_render_mesh_read;

/// Opens a file whose meshes have `vertices` vertices in all. KAI_ERROR_FORMAT when it is none,
/// KAI_ERROR_FILE when it cannot be opened.
kai_result kai_render_mesh_read_open(kai_render_mesh_read** out, const char* path, size_t vertices,
                                     kai_error* err);

/// How many frames there are, and the time of each.
size_t kai_render_mesh_read_frames(const kai_render_mesh_read* reader);
const double* kai_render_mesh_read_times(const kai_render_mesh_read* reader);

/// Where vertices are at frame k: [vertices][3], m.
kai_result kai_render_mesh_read_positions(kai_render_mesh_read* reader, size_t k, double* out,
                                          kai_error* err);

/// A field at frame k, of vertices [first, first + count). KAI_ERROR_FORMAT when there is none of
/// that name.
kai_result kai_render_mesh_read_field(kai_render_mesh_read* reader, size_t k, const char* name,
                                      size_t first, size_t count, double* out, kai_error* err);

/// Closes. NULL is allowed.
void kai_render_mesh_read_close(kai_render_mesh_read* reader);

#endif
