// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Any mesh: points and cells that come from a file or from a table. Slopes and frames follow from
// the cells: the mean direction of lines, the mean normal of surfaces.
#include "base/error.h"
#include "fea/structures/structure_check.h"

#include <stdio.h>
#include <string.h>

typedef kai_structure_file_params file;

static const kai_param GROUP_PARAMS[] = {
    KAI_PARAM(STRING, kai_structure_group, name, .required = true, .doc = "Name of the set."),
    KAI_PARAM(TABLE, kai_structure_group, nodes, .columns = 1, .required = true,
              .doc = "Row numbers of points, from 0."),
};

static const kai_kind GROUP_KIND =
    KAI_KIND("group", kai_structure_group, GROUP_PARAMS, .doc = "Nodes that have a name.");

static const kai_param PARAMS[] = {
    KAI_STRUCTURE_PARAMS(file),
    KAI_PARAM(
        STRING, file, file,
        .doc = "A mesh (.msh, .inp) or a shape to be meshed (.step, .stp, .brep, .iges), relative "
               "to the file that names it."),
    KAI_PARAM(REAL, file, scale, .initial = {1.0}, .range = KAI_ABOVE(0.0),
              .doc = "Coordinates are multiplied by it: 0.001 for millimetres."),
    KAI_PARAM(
        REAL, file, size, .range = KAI_AT_LEAST(0.0),
        .doc = "Size of cells where a shape is meshed, in units of the file; 0: as Gmsh chooses."),
    KAI_PARAM(TABLE, file, points, .unit = "m", .columns = 3,
              .doc = "Instead of a file: positions of the nodes."),
    KAI_PARAM(
        TABLE, file, cells, .columns = KAI_ANY_COLUMNS,
        .doc =
            "Instead of a file: nodes of each element, as row numbers of `points` from 0, in VTK's order."),
    KAI_PARAM(LIST, file, groups, .item = &GROUP_KIND,
              .doc = "Instead of a file: named sets of nodes."),
    KAI_PARAM_AS("node_numbers", TABLE, file, numbers[0], .columns = 1, .hidden = true),
    KAI_PARAM_AS("cell_numbers", TABLE, file, numbers[1], .columns = 1, .hidden = true),
};

static kai_result check_numbers(const kai_table* t, double count, const char* what, kai_error* err)
{
    for (size_t i = 0; i < (size_t)t->rows * t->columns; i++) {
        const double x = t->data[i];
        if (x != floor(x) || !(x >= 0.0) || !(x < count))
            return kai_error_set(err, KAI_ERROR_ARGUMENT,
                                 "%s: row %zu names node %g; there are nodes 0 to %g", what,
                                 i / t->columns, x, count - 1.0);
    }
    return KAI_OK;
}

static kai_result check(const file* p, const kai_element_kind* element, kai_error* err)
{
    if (p->points.rows == 0 || p->cells.rows == 0)
        return kai_error_set(err, KAI_ERROR_ARGUMENT,
                             "the mesh has %u points and %u cells; must have both", p->points.rows,
                             p->cells.rows);
    if (p->cells.columns != (uint32_t)element->nodes)
        return kai_error_set(err, KAI_ERROR_ARGUMENT, "cells have %u nodes; %s must have %d",
                             p->cells.columns, element->kind.name, element->nodes);
    KAI_TRY(check_numbers(&p->cells, p->points.rows, "cells", err));
    const kai_structure_group* groups = p->groups.items;
    for (uint32_t i = 0; i < p->groups.count; i++)
        KAI_TRY(check_numbers(&groups[i].nodes, p->points.rows, groups[i].name.text, err));
    return KAI_OK;
}

/// Axes of every node from the directions that cells add up in its first or third axis.
static void finish_axes(kai_structure_node* nodes, size_t count, bool lines)
{
    for (size_t i = 0; i < count; i++) {
        kai_vec3* a = nodes[i].axes;
        const kai_vec3 sum = kai_vec3_normalize(a[lines ? 0 : 2]);
        const bool zero = kai_vec3_norm2(sum) == 0.0; // opposite cells cancel: any axes
        const kai_vec3 main = zero ? kai_vec3_axis(lines ? 0 : 2) : sum;
        const kai_vec3 side = kai_vec3_normalize(kai_vec3_perpendicular(main));
        if (lines) {
            a[0] = main, a[1] = side, a[2] = kai_vec3_cross(main, side);
        } else {
            a[2] = main, a[0] = side, a[1] = kai_vec3_cross(main, side);
        }
    }
}

static void add_axes(const file* p, kai_structure_cell cell, kai_structure_node* nodes)
{
    const bool lines = cell == KAI_STRUCTURE_LINE;
    const bool surface = cell == KAI_STRUCTURE_TRIANGLE || cell == KAI_STRUCTURE_QUADRANGLE;
    for (uint32_t i = 0; (lines || surface) && i < p->cells.rows; i++) {
        const double* c = p->cells.data + (size_t)i * p->cells.columns;
        kai_vec3 r[4] = {{0}};
        for (uint32_t k = 0; k < 4 && k < p->cells.columns; k++)
            r[k] = nodes[(size_t)c[k]].position;
        kai_vec3 d = kai_vec3_sub(r[1], r[0]);
        if (surface)
            d = kai_vec3_cross(kai_vec3_sub(r[2], r[0]), cell == KAI_STRUCTURE_QUADRANGLE
                                                             ? kai_vec3_sub(r[3], r[1])
                                                             : kai_vec3_sub(r[2], r[1]));
        if (lines) d = kai_vec3_normalize(d);
        for (uint32_t k = 0; k < p->cells.columns; k++) {
            kai_vec3* a = &nodes[(size_t)c[k]].axes[lines ? 0 : 2];
            *a = kai_vec3_add(*a, d);
        }
    }
    finish_axes(nodes, p->points.rows, lines);
}

/// Fills the mesh: nodes with axes first, then cells and sets.
static kai_result fill(const file* p, const kai_element_kind* element, kai_structure_node* nodes,
                       kai_structure_mesh* mesh)
{
    for (uint32_t i = 0; i < p->points.rows; i++) {
        const double* r = p->points.data + 3 * (size_t)i;
        nodes[i].position = kai_vec3_make(p->scale * r[0], p->scale * r[1], p->scale * r[2]);
    }
    add_axes(p, kai_structure_cell_of(element), nodes);
    for (uint32_t i = 0; i < p->points.rows; i++)
        KAI_TRY(kai_structure_mesh_node(mesh, &nodes[i], NULL));
    for (uint32_t i = 0; i < p->cells.rows; i++) {
        uint32_t cell[KAI_ELEMENT_NODES];
        for (uint32_t k = 0; k < p->cells.columns; k++)
            cell[k] = (uint32_t)p->cells.data[(size_t)i * p->cells.columns + k];
        KAI_TRY(kai_structure_mesh_cell(mesh, cell));
    }
    const kai_structure_group* groups = p->groups.items;
    for (uint32_t i = 0; i < p->groups.count; i++)
        for (uint32_t k = 0; k < groups[i].nodes.rows; k++)
            KAI_TRY(kai_structure_mesh_set(mesh, groups[i].name.text,
                                           (uint32_t)groups[i].nodes.data[k]));
    return KAI_OK;
}

static kai_result build(const void* instance, const kai_element_kind* element,
                        kai_structure_mesh* mesh, kai_error* err)
{
    const file* p = instance;
    KAI_TRY(check(p, element, err));
    const size_t count = p->points.rows;
    char shape[64];
    snprintf(shape, sizeof shape, "%u points and %u cells", p->points.rows, p->cells.rows);
    KAI_TRY(kai_structure_mesh_room(mesh, p->points.rows, p->cells.rows, shape));
    if (p->numbers[0].rows == count) mesh->node_numbers = p->numbers[0].data;
    if (p->numbers[1].rows == p->cells.rows) mesh->cell_numbers = p->numbers[1].data;
    kai_structure_node* nodes = kai_memory_allocate_zeroed(mesh->memory, count, sizeof *nodes);
    if (!nodes) return kai_error_set(err, KAI_ERROR_MEMORY, "no memory for %zu nodes", count);
    kai_result r = fill(p, element, nodes, mesh);
    kai_memory_release(mesh->memory, nodes, count * sizeof *nodes);
    return r == KAI_OK ? kai_structure_check_mesh(mesh, element, err) : r;
}

const kai_structure_kind kai_structure_file = {
    .kind = KAI_KIND(
        "file", file, PARAMS,
        .doc = "A mesh from a file, or from tables. Sets: its named groups of nodes or elements."),
    .cells = 1u << KAI_STRUCTURE_LINE | 1u << KAI_STRUCTURE_TRIANGLE |
             1u << KAI_STRUCTURE_QUADRANGLE | 1u << KAI_STRUCTURE_TETRAHEDRON |
             1u << KAI_STRUCTURE_HEXAHEDRON,
    .build = build};
