// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// A mesh while it is laid out.
#ifndef FEA_STRUCTURE_MESH_H
#define FEA_STRUCTURE_MESH_H

#include "base/array.h"
#include "base/names.h"

#include <kairos/structure.h>

struct kai_structure_mesh {
    kai_memory* memory;
    kai_error* err;
    const kai_element_kind* element;           // that cells become
    size_t corners;                            // nodes of a cell
    kai_array nodes;                           // kai_structure_node
    kai_array cells;                           // uint32_t [corners] each
    kai_array names;                           // kai_string: sets
    kai_names known;                           // the same names; id.index is 1 + the set
    bool odd;                                  // `names` holds some that no table of names takes
    kai_array places;                          // kai_structure_mesh_place
    kai_array ties;                            // uint32_t [2] each
    kai_array knots;                           // uint32_t: nodes with one slope more, ascending
    const double *node_numbers, *cell_numbers; // in a file, for messages; NULL: from 0
};

/// That a node belongs to a set.
typedef struct kai_structure_mesh_place {
    uint32_t set, node;
} kai_structure_mesh_place;

/// An empty mesh for a kind of element.
void kai_structure_mesh_init(kai_structure_mesh* mesh, const kai_element_kind* element,
                             kai_memory* memory, kai_error* err);

/// The numbers by which messages name a node and a cell.
static inline long long kai_structure_mesh_node_number(const kai_structure_mesh* mesh, size_t i)
{
    return mesh->node_numbers ? (long long)mesh->node_numbers[i] : (long long)i;
}
static inline long long kai_structure_mesh_cell_number(const kai_structure_mesh* mesh, size_t i)
{
    return mesh->cell_numbers ? (long long)mesh->cell_numbers[i] : (long long)i;
}

/// Checks before anything is taken that a mesh of so many nodes and cells, and what is laid out for
/// a step, lies within the limit of memory. KAI_ERROR_LIMIT names the numbers; `shape` says how
/// they come about: "100000 × 100000 cells".
kai_result kai_structure_mesh_room(const kai_structure_mesh* mesh, double nodes, double cells,
                                   const char* shape);

/// Gives the memory back.
void kai_structure_mesh_free(kai_structure_mesh* mesh);

/// Adds a node in which lines of elements with one slope cross: it has two slopes, its x and y
/// axes.
kai_result kai_structure_mesh_knot(kai_structure_mesh* mesh, const kai_structure_node* node,
                                   uint32_t* out);

/// Checks that cells name nodes that exist, each once, and that every node belongs to a cell.
kai_result kai_structure_mesh_check(const kai_structure_mesh* mesh);

#endif
