// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// A block of hexahedra or tetrahedra. Nodes lie on a lattice of half cells: corners where all three
// numbers are even, and the nodes between them of quadratic elements. A block cell is cut into six
// tetrahedra that share the diagonal from its first to its last corner (Kuhn), so that neighbours
// meet.
#include "base/error.h"
#include "fea/structures/structure_grid.h"
#include "fea/structures/structure_mesh.h"

#include <stdio.h>

typedef kai_structure_box_params box;

static const kai_param PARAMS[] = {
    KAI_STRUCTURE_PARAMS(box),
    KAI_PARAM(REAL, box, size, .unit = "m", .columns = 3, .required = true, .range = KAI_ABOVE(0.0),
              .doc = "Size along x, y and z; the centre is the origin."),
    KAI_STRUCTURE_GRID_CELLS(
        box, 3, "Number of cells along x, y and z; each is one hexahedron or six tetrahedra."),
};

/// Corners of a cell in VTK's order, in whole cells.
static const uint8_t CORNERS[8][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0},
                                      {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};
/// Edges whose middle is a node, in VTK's order.
static const uint8_t HEX_EDGES[12][2] = {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {4, 5}, {5, 6},
                                         {6, 7}, {7, 4}, {0, 4}, {1, 5}, {2, 6}, {3, 7}};
static const uint8_t TET_EDGES[6][2] = {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}};
/// Six tetrahedra, by corners.
static const uint8_t TETS[6][4] = {{0, 1, 2, 6}, {0, 2, 3, 6}, {0, 3, 7, 6},
                                   {0, 7, 4, 6}, {0, 4, 5, 6}, {0, 5, 1, 6}};

typedef struct lattice {
    const box* box;
    kai_structure_mesh* mesh;
    uint32_t points[3]; // along each axis
    uint32_t* number;   // 1 + node of each point, 0: none yet
} lattice;

static kai_result add_sets(const lattice* l, const uint32_t at[3], uint32_t node)
{
    static const char* const SETS[3][2] = {{"x0", "x1"}, {"y0", "y1"}, {"z0", "z1"}};
    static const char* const CORNER[8] = {"x0y0z0", "x1y0z0", "x0y1z0", "x1y1z0",
                                          "x0y0z1", "x1y0z1", "x0y1z1", "x1y1z1"};
    int corner = 0, ends = 0;
    for (int k = 0; k < 3; k++) {
        const bool low = at[k] == 0, high = at[k] == l->points[k] - 1;
        if (low) KAI_TRY(kai_structure_mesh_set(l->mesh, SETS[k][0], node));
        if (high) KAI_TRY(kai_structure_mesh_set(l->mesh, SETS[k][1], node));
        corner += high ? 1 << k : 0;
        ends += low || high;
    }
    return ends == 3 ? kai_structure_mesh_set(l->mesh, CORNER[corner], node) : KAI_OK;
}

/// The node at a point of the lattice, made when it is new.
static kai_result node_at(lattice* l, const uint32_t at[3], uint32_t* out)
{
    uint32_t* number = &l->number[((size_t)at[0] * l->points[1] + at[1]) * l->points[2] + at[2]];
    if (*number == 0) {
        kai_structure_node node;
        double x[3];
        for (int k = 0; k < 3; k++) {
            x[k] = (0.5 * at[k] / l->box->cells[k] - 0.5) * l->box->size[k];
            node.axes[k] = kai_vec3_axis(k);
        }
        node.position = kai_vec3_make(x[0], x[1], x[2]);
        uint32_t made;
        KAI_TRY(kai_structure_mesh_node(l->mesh, &node, &made));
        *number = made + 1;
        KAI_TRY(add_sets(l, at, made));
    }
    *out = *number - 1;
    return KAI_OK;
}

/// Adds a cell of corners, and of the middles of edges where the element has such nodes.
static kai_result add_cell(lattice* l, const uint32_t first[3], const uint8_t* corners,
                           size_t count, const uint8_t (*edges)[2], size_t nodes)
{
    uint32_t cell[KAI_ELEMENT_NODES], place[8][3];
    for (size_t i = 0; i < count; i++) {
        for (int k = 0; k < 3; k++) place[i][k] = first[k] + 2u * CORNERS[corners[i]][k];
        KAI_TRY(node_at(l, place[i], &cell[i]));
    }
    for (size_t i = count; i < nodes; i++) {
        const uint32_t *a = place[edges[i - count][0]], *b = place[edges[i - count][1]];
        const uint32_t middle[3] = {(a[0] + b[0]) / 2, (a[1] + b[1]) / 2, (a[2] + b[2]) / 2};
        KAI_TRY(node_at(l, middle, &cell[i]));
    }
    return kai_structure_mesh_cell(l->mesh, cell);
}

static kai_result add_cells(lattice* l, const kai_element_kind* element)
{
    static const uint8_t ALL[8] = {0, 1, 2, 3, 4, 5, 6, 7};
    const bool hex = kai_structure_cell_of(element) == KAI_STRUCTURE_HEXAHEDRON;
    const size_t nodes = (size_t)element->nodes;
    uint32_t at[3];
    for (at[0] = 0; at[0] + 2 < l->points[0]; at[0] += 2) {
        for (at[1] = 0; at[1] + 2 < l->points[1]; at[1] += 2) {
            for (at[2] = 0; at[2] + 2 < l->points[2]; at[2] += 2) {
                if (hex) KAI_TRY(add_cell(l, at, ALL, 8, HEX_EDGES, nodes));
                for (int t = 0; !hex && t < 6; t++)
                    KAI_TRY(add_cell(l, at, TETS[t], 4, TET_EDGES, nodes));
            }
        }
    }
    return KAI_OK;
}

static kai_result build(const void* instance, const kai_element_kind* element,
                        kai_structure_mesh* mesh, kai_error* err)
{
    const box* p = instance;
    KAI_TRY(kai_structure_grid_check(p->cells, 3, 1.0, err));
    lattice l = {.box = p, .mesh = mesh};
    double size = 1.0;
    for (int k = 0; k < 3; k++) {
        l.points[k] = 2 * (uint32_t)p->cells[k] + 1;
        size *= l.points[k];
    }
    const double blocks = p->cells[0] * p->cells[1] * p->cells[2];
    const bool hex = kai_structure_cell_of(element) == KAI_STRUCTURE_HEXAHEDRON;
    char shape[96];
    snprintf(shape, sizeof shape, "%g × %g × %g blocks", p->cells[0], p->cells[1], p->cells[2]);
    KAI_TRY(kai_structure_mesh_room(mesh, blocks, hex ? blocks : 6.0 * blocks, shape));
    if (size > 4e9)
        return kai_error_set(err, KAI_ERROR_LIMIT, "%s have a lattice of %g points; at most 4e9",
                             shape, size);
    l.number = kai_memory_allocate_zeroed(mesh->memory, (size_t)size, sizeof *l.number);
    if (!l.number) return kai_error_set(err, KAI_ERROR_MEMORY, "no memory for the mesh of a box");
    const kai_result r = add_cells(&l, element);
    kai_memory_release(mesh->memory, l.number, (size_t)size * sizeof *l.number);
    return r;
}

const kai_structure_kind kai_structure_box = {
    .kind = KAI_KIND(
        "box", box, PARAMS,
        .doc = "A block of hexahedra or tetrahedra. Sets: sides `x0` … `z1`, corners `x0y0z0` … "
               "`x1y1z1`."),
    .cells = 1u << KAI_STRUCTURE_HEXAHEDRON | 1u << KAI_STRUCTURE_TETRAHEDRON,
    .build = build};
