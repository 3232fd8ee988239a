// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Deforming meshes of a run as files for ParaView: meshes.pvd, and a .vtp a frame with triangles,
// lines and all fields of vertices.
#ifndef VIEW_EXPORT_MESHES_H
#define VIEW_EXPORT_MESHES_H

#include "base/error.h"

#include <kairos/view.h>

/// Writes every `every`-th frame of meshes.h5; nothing when the run has none.
kai_result kai_export_meshes(const kai_view_export_def* def, size_t every, kai_error* err);

#endif
