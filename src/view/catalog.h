// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// What trajectory.h5 says about its bodies: ids, names, shapes. Nothing in the file is believed.
#ifndef VIEW_CATALOG_H
#define VIEW_CATALOG_H

#include "record/trajectory/trajectory_read.h"

/// A shape of a body.
typedef struct kai_catalog_shape {
    uint32_t body;         // row of the catalog
    const char* kind;      // "box", "sphere" …
    const double* numbers; // [number_count] parameters in the order of the kind
    size_t number_count;
    const float* vertices; // [vertex_count][3] of hulls, meshes and height fields, shape's frame
    size_t vertex_count;
    const uint32_t* triangles; // [triangle_count][3] below vertex_count
    size_t triangle_count;
    double margin;   // radius of a ball that the shape is grown by
    kai_frame frame; // in the body's own frame
} kai_catalog_shape;

typedef struct kai_catalog {
    size_t count;
    uint32_t* ids;       // [count] id index of each body
    const char** names;  // [count] "" without one
    double* radius;      // [count] of a body that is a ball, else 0
    uint32_t* row_of_id; // [id_count] row of an id index, UINT32_MAX: none
    size_t id_count;
    kai_catalog_shape* shapes; // [shape_count]
    size_t shape_count;
    char *name_texts, *kind_texts; // owned
    double* numbers;
    float* vertices;
    uint32_t* triangles;
} kai_catalog;

/// Reads the description in an open file.
kai_result kai_catalog_read(kai_catalog* catalog, const kai_trajectory_read* reader,
                            kai_error* err);

/// The row of a name, SIZE_MAX when there is none, and the name most like it (or NULL).
size_t kai_catalog_find(const kai_catalog* catalog, const char* name);
const char* kai_catalog_nearest(const kai_catalog* catalog, const char* name); ///< did you mean

/// Gives the memory back.
void kai_catalog_free(kai_catalog* catalog);

#endif
