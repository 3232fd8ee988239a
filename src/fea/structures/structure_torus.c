// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// A profile swept round the y axis: a tire, or a whole torus. The profile lies in the plane of y
// (across the wheel) and r (distance from the axle): a circle with a gap on the side of the axle,
// or points joined by the cubic of Catmull and Rom.
#include "base/error.h"
#include "fea/structures/structure_grid.h"

static const double PI = 3.14159265358979323846;

typedef kai_structure_torus_params torus;

static const kai_param PARAMS[] = {
    KAI_STRUCTURE_PARAMS(torus),
    KAI_PARAM(REAL, torus, radius, .unit = "m", .initial = {(double)NAN}, .range = KAI_ABOVE(0.0),
              .doc = "Distance from the axle to the centre of a round profile."),
    KAI_PARAM(REAL, torus, tube_radius, .unit = "m", .initial = {(double)NAN},
              .range = KAI_ABOVE(0.0), .doc = "Radius of a round profile."),
    KAI_PARAM(REAL, torus, opening, .unit = "rad", .range = KAI_BETWEEN(0.0, 6.0),
              .doc = "Angle of the opening of a round profile on the side of the axle."),
    KAI_PARAM(
        TABLE, torus, profile, .unit = "m", .columns = 2, .rows_min = 2, .rows_max = 100000,
        .doc =
            "Instead of a round profile: rows [y, r] from one rim to the other, with y increasing where r is largest."),
    KAI_STRUCTURE_GRID_CELLS(torus, 2, "Number of elements around the axle and along the profile."),
};

/// Place and direction of a profile of points at v in 0…1, by number of points.
static void through_points(const kai_table* t, double v, double at[2], double way[2])
{
    const double x = v * (t->rows - 1);
    const uint32_t last = t->rows - 2, i = x < last ? (uint32_t)x : last;
    const double s = x - i;
    for (int k = 0; k < 2; k++) {
        const double* p = t->data + 2 * (size_t)i + k;
        const double a = p[0], b = p[2];
        const double u = i > 0 ? 0.5 * (b - p[-2]) : b - a, w = i < last ? 0.5 * (p[4] - a) : b - a;
        at[k] = a + (b - a) * s * s * (3.0 - 2.0 * s) + u * s * (1.0 - s) * (1.0 - s) +
                w * s * s * (s - 1.0);
        way[k] = (b - a) * 6.0 * s * (1.0 - s) + u * (1.0 - 4.0 * s + 3.0 * s * s) +
                 w * (3.0 * s * s - 2.0 * s);
    }
}

static void place(const void* instance, double u, double v, kai_structure_node* out)
{
    const torus* p = instance;
    double at[2], way[2]; // of y and r
    if (p->profile.rows > 0) {
        through_points(&p->profile, v, at, way);
    } else {
        // From the gap on the side of -y over the tread to that of +y
        const double a = (2.0 * PI - p->opening) * (v - 0.5);
        at[0] = p->tube_radius * sin(a), at[1] = p->radius + p->tube_radius * cos(a);
        way[0] = cos(a), way[1] = -sin(a);
    }
    const double b = 2.0 * PI * u, c = cos(b), s = sin(b), n = hypot(way[0], way[1]);
    const kai_vec3 ray = kai_vec3_make(s, 0.0, c), y = kai_vec3_axis(1);
    out->position = kai_vec3_add(kai_vec3_scale(ray, at[1]), kai_vec3_scale(y, at[0]));
    out->axes[0] = kai_vec3_make(c, 0.0, -s);
    out->axes[1] = kai_vec3_add(kai_vec3_scale(y, way[0] / n), kai_vec3_scale(ray, way[1] / n));
    out->axes[2] = kai_vec3_cross(out->axes[0], out->axes[1]);
}

static kai_result check(const torus* p, kai_error* err)
{
    const bool round = !isnan(p->radius) && !isnan(p->tube_radius);
    if (round == (p->profile.rows > 0) || (!round && (!isnan(p->radius) || !isnan(p->tube_radius))))
        return kai_error_set(err, KAI_ERROR_ARGUMENT,
                             "its profile must be given by radius and tube_radius, or by profile");
    if (round && !(p->tube_radius < p->radius))
        return kai_error_set(err, KAI_ERROR_ARGUMENT, "tube_radius is %g m; must be < radius, %g m",
                             p->tube_radius, p->radius);
    for (uint32_t i = 0; i < p->profile.rows; i++)
        if (!(p->profile.data[2 * i + 1] > 0.0))
            return kai_error_set(err, KAI_ERROR_ARGUMENT, "profile[%u] has r = %g m; must be > 0",
                                 i, p->profile.data[2 * i + 1]);
    return KAI_OK;
}

static kai_result build(const void* instance, const kai_element_kind* element,
                        kai_structure_mesh* mesh, kai_error* err)
{
    (void)element;
    const torus* p = instance;
    const bool closed = p->profile.rows == 0 && p->opening == 0.0;
    KAI_TRY(check(p, err));
    KAI_TRY(kai_structure_grid_check(p->cells, 1, 3.0, err));
    KAI_TRY(kai_structure_grid_check(p->cells + 1, 1, closed ? 3.0 : 1.0, err));
    const kai_structure_grid grid = {.cells = {(uint32_t)p->cells[0], (uint32_t)p->cells[1]},
                                     .closed = {true, closed},
                                     .place = place,
                                     .instance = p};
    return kai_structure_grid_build(&grid, mesh);
}

const kai_structure_kind kai_structure_torus = {
    .kind = KAI_KIND(
        "torus", torus, PARAMS,
        .doc = "A tire or torus about y, of shells whose normal points out. Sets: where it is "
               "open the rims `y0`, `y1`."),
    .cells = 1u << KAI_STRUCTURE_QUADRANGLE,
    .build = build};
