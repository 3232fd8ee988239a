// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// A cylinder of shells about its x axis, whole or a part of it whose middle is on top (z > 0).
#include "fea/structures/structure_grid.h"

static const double TURN = 6.28318530717958647693;

typedef kai_structure_cylinder_params cylinder;

static const kai_param PARAMS[] = {
    KAI_STRUCTURE_PARAMS(cylinder),
    KAI_PARAM(REAL, cylinder, radius, .unit = "m", .required = true, .range = KAI_ABOVE(0.0),
              .doc = "Radius of the middle surface."),
    KAI_PARAM(REAL, cylinder, length, .unit = "m", .required = true, .range = KAI_ABOVE(0.0),
              .doc = "Length along x; the centre is the origin."),
    KAI_PARAM(REAL, cylinder, angle, .unit = "rad", .initial = {6.28318530717958647693},
              .range = {.bounded = true, .open_min = true, .min = 0.0, .max = 6.2831853071795871},
              .doc = "Angle of the circle that the wall covers; its middle points along z."),
    KAI_STRUCTURE_GRID_CELLS(cylinder, 2, "Number of elements along x and around it."),
};

static void place(const void* instance, double u, double v, kai_structure_node* out)
{
    const cylinder* p = instance;
    const double a = (v - 0.5) * p->angle, s = sin(a), c = cos(a);
    out->position = kai_vec3_make((u - 0.5) * p->length, p->radius * s, p->radius * c);
    out->axes[0] = kai_vec3_axis(0);
    out->axes[1] = kai_vec3_make(0.0, c, -s);
    out->axes[2] = kai_vec3_make(0.0, s, c);
}

static kai_result build(const void* instance, const kai_element_kind* element,
                        kai_structure_mesh* mesh, kai_error* err)
{
    (void)element;
    const cylinder* p = instance;
    const bool closed = p->angle >= TURN * (1.0 - 1e-12);
    KAI_TRY(kai_structure_grid_check(p->cells, 1, 1.0, err));
    KAI_TRY(kai_structure_grid_check(p->cells + 1, 1, closed ? 3.0 : 1.0, err));
    const kai_structure_grid grid = {.cells = {(uint32_t)p->cells[0], (uint32_t)p->cells[1]},
                                     .closed = {false, closed},
                                     .place = place,
                                     .instance = p};
    return kai_structure_grid_build(&grid, mesh);
}

const kai_structure_kind kai_structure_cylinder = {
    .kind = KAI_KIND(
        "cylinder", cylinder, PARAMS,
        .doc = "The wall of a cylinder about x, or a part of it, of shells whose normal points "
               "out. Sets: rims `x0`, `x1`; where it is open also `y0`, `y1` and corners."),
    .cells = 1u << KAI_STRUCTURE_QUADRANGLE,
    .build = build};
