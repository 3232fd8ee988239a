// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// meshes.h5: the render meshes of a world (model/render_mesh.h) at the frames of trajectory.h5, in the VTKHDF
// layout: one grid of all meshes, triangles and lines, whose points move (docs/trajectory.md).
// Frame k here is frame k there.
#ifndef RECORD_RENDER_MESH_FILE_H
#define RECORD_RENDER_MESH_FILE_H

#include "base/error.h"

#include <kairos/output.h>

#define KAI_RENDER_MESH_FILE "meshes.h5" ///< its name in the folder of a run

typedef struct kai_render_mesh_file kai_render_mesh_file;

/// Makes a new file for the render meshes of a world, in the precision of its trajectory. The first
/// `frames` frames of a file of that name are kept: those of an earlier run that goes on.
kai_result kai_render_mesh_file_create(kai_render_mesh_file** out, const char* path,
                                       const kai_world* world, const kai_trajectory_def* def,
                                       uint64_t frames, kai_error* err);

/// Adds the present state as a frame.
kai_result kai_render_mesh_file_add(kai_render_mesh_file* file, kai_world* world, kai_error* err);

/// Appends what is gathered; `sync`: waits until it is on disk.
kai_result kai_render_mesh_file_flush(kai_render_mesh_file* file, bool sync, kai_error* err);

/// Finishes and closes. `discard`: what is gathered is not written. NULL is allowed.
kai_result kai_render_mesh_file_close(kai_render_mesh_file* file, bool discard, kai_error* err);

#endif
