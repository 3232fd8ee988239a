// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Grids of quadrangles on a surface, for the structures that are such.
#ifndef FEA_STRUCTURE_GRID_H
#define FEA_STRUCTURE_GRID_H

#include "model/structures/structure_params.h"

/// A grid over u and v in 0…1. Cells go round as seen from the normal of the surface when its axes
/// go with u and v.
typedef struct kai_structure_grid {
    uint32_t cells[2];
    bool closed[2]; ///< u or v = 1 is u or v = 0
    /// Puts the node at u, v.
    void (*place)(const void* instance, double u, double v, kai_structure_node* out);
    const void* instance;
} kai_structure_grid;

/// Lays a grid out. Sets of open sides: x0 and x1 for u = 0 and 1, y0 and y1 for v; corners x0y0,
/// x1y0, x0y1, x1y1.
kai_result kai_structure_grid_build(const kai_structure_grid* grid, kai_structure_mesh* mesh);

/// Whether `count` numbers are whole and at least `least`: how many cells there are.
kai_result kai_structure_grid_check(const double* cells, int count, double least, kai_error* err);

/// The parameter `cells` of struct `type_`: a row of `count_` numbers.
#define KAI_STRUCTURE_GRID_CELLS(type_, count_, doc_)                    \
    KAI_PARAM(REAL, type_, cells, .columns = (count_), .required = true, \
              .range = KAI_BETWEEN(1.0, 100000.0), .doc = doc_)

#endif
