// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Which spheres of a row of bodies are near each other, where all of them are of about one size:
// a grid of cells, searched sphere by sphere. There is no list of pairs in between, and nothing to
// sort but the spheres: 24 bytes a sphere of scratch memory, which forces lend (grains.h), 4 more
// where radii differ, and 4 a cell.
//
// Every sphere gets a *skin_box*, a cube around it that it may move in while the list holds: 16 bytes
// where the boxes of the broad phase take 32.
#ifndef CONTACT_GRAINS_CELLS_H
#define CONTACT_GRAINS_CELLS_H

#include "contact/grains.h"

/// Spheres in cells. A cell has a border of empty ones around the grid.
typedef struct kai_grains_cells {
    size_t first, count;    // slots
    const uint32_t* cell;   // [count]
    const uint32_t* start;  // [cells + 1] first place in `order`
    const int32_t* order;   // [count + lanes] sphere - first; ascending in a cell
    const float* centre[3]; // [count + lanes] of skin_boxes, in that order
    const float* play;      // [count + lanes] how far a centre may be off
    const float* radius;    // [count + lanes] where they differ; NULL: all equal
    size_t row, layer;      // cells a step in y, in z
    float margin;           // m: what floats may be wrong by
    double skin;            // of most spheres, a part of their diameter
} kai_grains_cells;

/// Where spheres are and how they move.
typedef struct kai_grains_cells_source {
    const kai_pose* pose;
    const kai_motion* motion;
    size_t first, count; // slots
    double lead;         // s: they are where velocities will have brought them by then
    double step;         // s that a step takes, for the size of skin_boxes
} kai_grains_cells_source;

/// Lays skin_boxes around spheres and puts them into cells. `*done` false: they are too different in
/// size or speed, or too far apart; skin_boxes are of no use then.
kai_result kai_grains_cells_make(kai_grains* grains, int threads,
                                 const kai_grains_cells_source* source, kai_grains_cells* out,
                                 bool* done, kai_error* err);

/// The skin_box of a sphere where it is, with a skin of at least `least` diameters.
kai_grains_skin_box kai_grains_cells_skin_box(const kai_grains* grains,
                                              const kai_grains_cells_source* source, size_t slot,
                                              double least);

/// Stretches bounds over n skin_boxes.
void kai_grains_cells_bound(kai_grains_bounds* bounds, const kai_grains_skin_box* skin_boxes,
                            size_t n);

/// Whether two spheres, counted from the first, may touch while skin_boxes hold.
bool kai_grains_cells_near(const kai_grains* grains, size_t a, size_t b);

/// Spheres behind sphere `a` (counted from the first) that it may touch while skin_boxes hold, in order;
/// at most KAI_GRAINS_CELLS_ROW of them are written. Returns how many there are.
size_t kai_grains_cells_row(const kai_grains* grains, const kai_grains_cells* cells, size_t a,
                            uint32_t* out);

#define KAI_GRAINS_CELLS_ROW 512

/// Which walls spheres [begin, end), counted from the first, may touch while skin_boxes hold: a bit a
/// wall.
void kai_grains_cells_walls(const kai_grains* grains, size_t begin, size_t end, uint64_t* out);

#endif
