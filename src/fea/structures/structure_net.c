// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// A net in its x-y plane: strands along x and along y that meet in knots, which they share. A knot
// of elements with a slope has one for each strand.
#include "base/error.h"
#include "fea/structures/structure_grid.h"
#include "fea/structures/structure_mesh.h"

#include <stdio.h>

typedef kai_structure_net_params net;

static const kai_param PARAMS[] = {
    KAI_STRUCTURE_PARAMS(net),
    KAI_PARAM(REAL, net, size, .unit = "m", .columns = 2, .required = true, .range = KAI_ABOVE(0.0),
              .doc = "Size along x and y; the centre is the origin."),
    KAI_STRUCTURE_GRID_CELLS(net, 2, "Number of meshes of the net along x and y."),
    KAI_PARAM(INT, net, segments, .initial = {1.0}, .range = KAI_BETWEEN(1.0, 1000.0),
              .doc = "Elements from knot to knot."),
};

typedef struct weaving {
    const net* net;
    kai_structure_mesh* mesh;
    uint32_t cells[2], segments;
    bool slopes;     // elements have one
    uint32_t* knots; // [(cells[0] + 1) (cells[1] + 1)]: their nodes
} weaving;

static kai_result add_sets(const weaving* w, double u, double v, uint32_t node)
{
    if (u == 0.0) KAI_TRY(kai_structure_mesh_set(w->mesh, "x0", node));
    if (u == 1.0) KAI_TRY(kai_structure_mesh_set(w->mesh, "x1", node));
    if (v == 0.0) KAI_TRY(kai_structure_mesh_set(w->mesh, "y0", node));
    if (v == 1.0) KAI_TRY(kai_structure_mesh_set(w->mesh, "y1", node));
    return KAI_OK;
}

/// A node of a strand along x (0) or y (1); its y axis is across the net, but that of a knot with
/// slopes lies along the other strand.
static kai_result add_node(const weaving* w, int along, bool knot, double u, double v,
                           uint32_t* out)
{
    const kai_vec3 x = kai_vec3_axis(along), z = kai_vec3_axis(2);
    kai_structure_node node = {
        .position = kai_vec3_make((u - 0.5) * w->net->size[0], (v - 0.5) * w->net->size[1], 0.0),
        .axes = {x, z, kai_vec3_cross(x, z)}};
    if (!knot || !w->slopes) return kai_structure_mesh_node(w->mesh, &node, out);
    node.axes[1] = kai_vec3_axis(1);
    node.axes[2] = z;
    return kai_structure_mesh_knot(w->mesh, &node, out);
}

/// Strand number `line` along x (0) or y (1).
static kai_result add_strand(weaving* w, int along, uint32_t line)
{
    const uint32_t count = w->cells[along] * w->segments, rows = w->cells[1] + 1;
    const double at = (double)line / w->cells[1 - along];
    uint32_t last = 0;
    for (uint32_t i = 0; i <= count; i++) {
        const double s = (double)i / count;
        const bool knot = i % w->segments == 0;
        const uint32_t n = i / w->segments;
        uint32_t* other = &w->knots[along == 0 ? n * rows + line : line * rows + n];
        uint32_t node;
        if (along == 1 && knot) {
            node = *other;
        } else {
            const double u = along == 0 ? s : at, v = along == 0 ? at : s;
            KAI_TRY(add_node(w, along, knot, u, v, &node));
            KAI_TRY(add_sets(w, u, v, node));
        }
        if (along == 0 && knot) *other = node;
        if (i > 0) KAI_TRY(kai_structure_mesh_cell(w->mesh, (const uint32_t[]){last, node}));
        last = node;
    }
    return KAI_OK;
}

static kai_result weave(weaving* w)
{
    for (uint32_t j = 0; j <= w->cells[1]; j++) KAI_TRY(add_strand(w, 0, j));
    for (uint32_t i = 0; i <= w->cells[0]; i++) KAI_TRY(add_strand(w, 1, i));
    return KAI_OK;
}

static kai_result build(const void* instance, const kai_element_kind* element,
                        kai_structure_mesh* mesh, kai_error* err)
{
    const net* p = instance;
    KAI_TRY(kai_structure_grid_check(p->cells, 2, 1.0, err));
    weaving w = {.net = p,
                 .mesh = mesh,
                 .cells = {(uint32_t)p->cells[0], (uint32_t)p->cells[1]},
                 .segments = (uint32_t)p->segments,
                 .slopes = element->slopes == 1};
    const size_t knots = ((size_t)w.cells[0] + 1) * (w.cells[1] + 1);
    char shape[96];
    snprintf(shape, sizeof shape, "%u × %u meshes with %u segments a side", w.cells[0], w.cells[1],
             w.segments);
    const double pieces = 2.0 * (double)w.cells[0] * w.cells[1] * w.segments;
    KAI_TRY(kai_structure_mesh_room(mesh, pieces, pieces, shape));
    w.knots = kai_memory_allocate_zeroed(mesh->memory, knots, sizeof *w.knots);
    if (!w.knots) return kai_error_set(err, KAI_ERROR_MEMORY, "no memory for a net");
    const kai_result r = weave(&w);
    kai_memory_release(mesh->memory, w.knots, knots * sizeof *w.knots);
    return r;
}

const kai_structure_kind kai_structure_net = {
    .kind = KAI_KIND(
        "net", net, PARAMS,
        .doc = "A net of bars, beams or cables that meet in knots. Sets: sides `x0`, `x1`, `y0`, "
               "`y1`."),
    .cells = 1u << KAI_STRUCTURE_LINE,
    .build = build};
