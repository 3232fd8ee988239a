// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The frames of a page: read from trajectory.h5, rounded, and encoded block by block on threads.
#ifndef VIEW_FRAMES_PLAN_H
#define VIEW_FRAMES_PLAN_H

#include "base/text.h"
#include "record/trajectory/render_mesh_read.h"
#include "record/trajectory/trajectory_read.h"
#include "view/chunks.h"
#include "view/movers.h"
#include "view/planes.h"

/// Where frames come from and how they are rounded. Without a reader there is one frame: the world
/// as it stands.
typedef struct kai_frames_plan {
    kai_world* world;
    const kai_movers* movers;
    kai_trajectory_read* reader;         // or NULL
    kai_render_mesh_read* render_meshes; // vertices of deforming meshes, or NULL: as they stand
    size_t recorded;                     // frames of the reader
    size_t stride;                       // every stride-th of them is taken
    double step;                         // of positions, m; a power of two
    kai_vec3 origin;                     // of positions
    int threads;
} kai_frames_plan;

/// How many frames a plan takes, and which one is the k-th of them: the last is always among them.
size_t kai_frames_plan_count(const kai_frames_plan* plan);
size_t kai_frames_plan_frame(const kai_frames_plan* plan, size_t k);

/// Where the vertices of all deforming meshes are at the k-th of them, [vertices][3], m.
kai_result kai_frames_plan_vertices(const kai_frames_plan* plan, size_t k, double* out,
                                    kai_error* err);

/// The numbers of a field of one of these meshes there, one per vertex.
kai_result kai_frames_plan_field(const kai_frames_plan* plan, size_t k, size_t mesh, size_t field,
                                 double* out, kai_error* err);

/// Chooses the step and the origin from some of the frames and the sizes of shapes. `error`: the
/// largest error that is allowed, m; 0: chosen. `*coarsest` receives the largest step that still
/// shows the scene.
kai_result kai_frames_plan_scale(kai_frames_plan* plan, double error, double* coarsest,
                                 kai_error* err);

/// Ends a block of planes, of frames [first, first + count): adds its chunk, and {"first", "count",
/// "chunk"} to the text.
kai_result kai_frames_plan_end_block(kai_planes* planes, size_t first, size_t count,
                                     kai_chunks* chunks, kai_text* to, kai_error* err);

/// Encodes all frames and adds "frames": {…} to the text. `*beyond` counts positions too far away
/// to be written.
kai_result kai_frames_plan_encode(const kai_frames_plan* plan, kai_chunks* chunks, kai_text* to,
                                  uint64_t* beyond, kai_error* err);

#endif
