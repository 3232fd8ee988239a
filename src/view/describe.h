// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The part of a manifest that says what there is to draw: bodies and their shapes, particles,
// joints and springs.
#ifndef VIEW_DESCRIBE_H
#define VIEW_DESCRIBE_H

#include "base/text.h"
#include "view/chunks.h"
#include "view/movers.h"

/// Adds "bodies": […], "particles": […], "meshes": […], "joints": […], "springs": […] to the
/// text; radii that differ go into a chunk.
kai_result kai_describe(const kai_world* world, const kai_movers* movers, kai_chunks* chunks,
                        kai_text* to, kai_error* err);

#endif
