// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// A flat rectangle of shells in its x-y plane.
#include "fea/structures/structure_grid.h"

typedef kai_structure_sheet_params sheet;

static const kai_param PARAMS[] = {
    KAI_STRUCTURE_PARAMS(sheet),
    KAI_PARAM(REAL, sheet, size, .unit = "m", .columns = 2, .required = true,
              .range = KAI_ABOVE(0.0), .doc = "Size along x and y; the centre is the origin."),
    KAI_STRUCTURE_GRID_CELLS(sheet, 2, "Number of elements along x and y."),
};

static void place(const void* instance, double u, double v, kai_structure_node* out)
{
    const sheet* p = instance;
    out->position = kai_vec3_make((u - 0.5) * p->size[0], (v - 0.5) * p->size[1], 0.0);
    for (int k = 0; k < 3; k++) out->axes[k] = kai_vec3_axis(k);
}

static kai_result build(const void* instance, const kai_element_kind* element,
                        kai_structure_mesh* mesh, kai_error* err)
{
    (void)element;
    const sheet* p = instance;
    KAI_TRY(kai_structure_grid_check(p->cells, 2, 1.0, err));
    const kai_structure_grid grid = {
        .cells = {(uint32_t)p->cells[0], (uint32_t)p->cells[1]}, .place = place, .instance = p};
    return kai_structure_grid_build(&grid, mesh);
}

const kai_structure_kind kai_structure_sheet = {
    .kind = KAI_KIND(
        "sheet", sheet, PARAMS,
        .doc = "A flat rectangle of shells. Sets: sides `x0`, `x1`, `y0`, `y1`, corners `x0y0`, "
               "`x1y0`, `x0y1`, `x1y1`."),
    .cells = 1u << KAI_STRUCTURE_QUADRANGLE,
    .build = build};
