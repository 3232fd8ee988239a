// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "fea/structures/structure_grid.h"

#include "base/error.h"
#include "fea/structures/structure_mesh.h"

#include <stdio.h>

kai_result kai_structure_grid_check(const double* cells, int count, double least, kai_error* err)
{
    for (int i = 0; i < count; i++)
        if (cells[i] != floor(cells[i]) || cells[i] < least)
            return kai_error_set(err, KAI_ERROR_ARGUMENT,
                                 "cells[%d] is %g; must be a whole number ≥ %g", i, cells[i],
                                 least);
    return KAI_OK;
}

static kai_result add_sets(const kai_structure_grid* g, uint32_t i, uint32_t j, uint32_t node,
                           kai_structure_mesh* mesh)
{
    const bool x[2] = {!g->closed[0] && i == 0, !g->closed[0] && i == g->cells[0]};
    const bool y[2] = {!g->closed[1] && j == 0, !g->closed[1] && j == g->cells[1]};
    static const char* const X[2] = {"x0", "x1"};
    static const char* const Y[2] = {"y0", "y1"};
    static const char* const CORNER[2][2] = {{"x0y0", "x0y1"}, {"x1y0", "x1y1"}};
    for (int k = 0; k < 2; k++) {
        if (x[k]) KAI_TRY(kai_structure_mesh_set(mesh, X[k], node));
        if (y[k]) KAI_TRY(kai_structure_mesh_set(mesh, Y[k], node));
        for (int l = 0; l < 2; l++)
            if (x[k] && y[l]) KAI_TRY(kai_structure_mesh_set(mesh, CORNER[k][l], node));
    }
    return KAI_OK;
}

kai_result kai_structure_grid_build(const kai_structure_grid* g, kai_structure_mesh* mesh)
{
    const uint32_t nx = g->cells[0], ny = g->cells[1];
    char shape[64];
    snprintf(shape, sizeof shape, "%u × %u cells", nx, ny);
    const double cells = (double)nx * ny;
    KAI_TRY(kai_structure_mesh_room(mesh, cells, cells, shape));
    const uint32_t across = g->closed[1] ? ny : ny + 1, along = g->closed[0] ? nx : nx + 1;
    for (uint32_t i = 0; i < along; i++) {
        for (uint32_t j = 0; j < across; j++) {
            kai_structure_node node;
            uint32_t at;
            g->place(g->instance, (double)i / nx, (double)j / ny, &node);
            KAI_TRY(kai_structure_mesh_node(mesh, &node, &at));
            KAI_TRY(add_sets(g, i, j, at, mesh));
        }
    }
    for (uint32_t i = 0; i < nx; i++) {
        for (uint32_t j = 0; j < ny; j++) {
            const uint32_t a = i * across, b = (i + 1) % along * across;
            const uint32_t k = (j + 1) % across;
            KAI_TRY(kai_structure_mesh_cell(mesh, (const uint32_t[]){a + j, b + j, b + k, a + k}));
        }
    }
    return KAI_OK;
}
