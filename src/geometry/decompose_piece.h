// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// A piece of a solid: the part of it in a convex cell, as the part of its surface in there.
#ifndef GEOMETRY_DECOMPOSE_PIECE_H
#define GEOMETRY_DECOMPOSE_PIECE_H

#include "base/array.h"
#include "geometry/hull.h"
#include "geometry/mesh.h"

/// Keeps n · x ≤ d.
typedef struct kai_decompose_piece_plane {
    kai_vec3 n;
    double d;
} kai_decompose_piece_plane;

typedef struct kai_decompose_piece_triangle {
    kai_vec3 corner[3];
} kai_decompose_piece_triangle;

typedef struct kai_decompose_piece {
    kai_array triangles; // kai_decompose_piece_triangle: the surface in the cell
    kai_array planes;    // kai_decompose_piece_plane: the cell
    kai_hull hull;
    double volume;    // of the hull
    double concavity; // at most
    bool bent;        // a wall that bends more than its thickness allows
    bool whole;       // no cut makes it better
} kai_decompose_piece;

/// The piece that is the whole mesh, without its hull.
kai_result kai_decompose_piece_make(kai_decompose_piece* piece, const kai_mesh* mesh,
                                    kai_memory* memory, kai_error* err);

/// The two sides of a piece, with hulls, not measured. *good is false when one has no hull: then
/// both are empty.
kai_result kai_decompose_piece_cut(const kai_decompose_piece* piece, const kai_mesh* mesh,
                                   const kai_decompose_piece_plane* plane, kai_memory* memory,
                                   kai_decompose_piece sides[2], bool* good, kai_error* err);

/// Finds the hull and its volume. *good is false when there is none.
kai_result kai_decompose_piece_close(kai_decompose_piece* piece, const kai_mesh* mesh,
                                     kai_memory* memory, bool* good, kai_error* err);

/// Finds the concavity.
kai_result kai_decompose_piece_measure(kai_decompose_piece* piece, const kai_mesh* mesh,
                                       double bound, kai_memory* memory, kai_error* err);

/// Gives the memory back.
void kai_decompose_piece_free(kai_decompose_piece* piece, kai_memory* memory);

#endif
