// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The part of a manifest that says what there is to draw: bodies and their shapes, particles,
// joints, motors, loads and controls.
#ifndef VIEW_DESCRIBE_H
#define VIEW_DESCRIBE_H

#include "base/text.h"
#include "view/chunks.h"
#include "view/movers.h"

/// Adds "bodies": […], "particles": […], "meshes": […], "joints": […], "springs": […],
/// "motors": […], "loads": […] to the text; radii that differ go into a chunk.
kai_result kai_describe(const kai_world* world, const kai_movers* movers, kai_chunks* chunks,
                        kai_text* to, kai_error* err);

/// The mover of a body, -1: it is none.
long kai_describe_mover(const kai_movers* movers, kai_body body);

/// Adds ,"KEY":{"position":…,"rotation":…}: a frame given in a body's principal frame, in its own.
void kai_describe_frame(kai_text* to, const kai_world* world, const char* key, kai_body body,
                        kai_frame inner);

#endif
