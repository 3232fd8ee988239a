// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "fea/structures/structure_quality.h"

#include "base/error.h"

/// Corner k of a cell and those at the ends of its edges, right-handed.
static const uint8_t TET[4][4] = {{0, 1, 2, 3}, {1, 2, 0, 3}, {2, 0, 1, 3}, {3, 1, 0, 2}};
static const uint8_t HEX[8][4] = {{0, 1, 3, 4}, {1, 2, 0, 5}, {2, 3, 1, 6}, {3, 0, 2, 7},
                                  {4, 7, 5, 0}, {5, 4, 6, 1}, {6, 5, 7, 2}, {7, 6, 4, 3}};

static kai_vec3 edge(const kai_structure_mesh* mesh, const uint32_t* cell, int from, int to)
{
    return kai_vec3_normalize(kai_vec3_sub(kai_structure_mesh_node_at(mesh, cell[to])->position,
                                           kai_structure_mesh_node_at(mesh, cell[from])->position));
}

static double corner_of_volume(const kai_structure_mesh* mesh, const uint32_t* cell,
                               const uint8_t at[4])
{
    const kai_vec3 a = edge(mesh, cell, at[0], at[1]), b = edge(mesh, cell, at[0], at[2]),
                   c = edge(mesh, cell, at[0], at[3]);
    return kai_vec3_dot(kai_vec3_cross(a, b), c);
}

static double corner_of_face(const kai_structure_mesh* mesh, const uint32_t* cell, int count, int k)
{
    const kai_vec3 a = edge(mesh, cell, k, (k + 1) % count),
                   b = edge(mesh, cell, k, (k + count - 1) % count);
    const kai_vec3 normal = kai_vec3_normalize(
        count == 4 ? kai_vec3_cross(edge(mesh, cell, 0, 2), edge(mesh, cell, 1, 3))
                   : kai_vec3_cross(a, b));
    return kai_vec3_dot(kai_vec3_cross(a, b), normal);
}

/// The scaled Jacobian of corner k; corners of other cells have none: 1.
static double corner(const kai_structure_mesh* mesh, kai_structure_cell sort, const uint32_t* cell,
                     int k)
{
    switch (sort) {
    case KAI_STRUCTURE_TRIANGLE: return corner_of_face(mesh, cell, 3, k);
    case KAI_STRUCTURE_QUADRANGLE: return corner_of_face(mesh, cell, 4, k);
    case KAI_STRUCTURE_TETRAHEDRON: return corner_of_volume(mesh, cell, TET[k]);
    case KAI_STRUCTURE_HEXAHEDRON: return corner_of_volume(mesh, cell, HEX[k]);
    default: return 1.0;
    }
}

static kai_result bad(const kai_structure_mesh* mesh, size_t i, uint32_t node, double value,
                      kai_error* err)
{
    const kai_vec3 p = kai_structure_mesh_node_at(mesh, node)->position;
    return kai_error_set(
        err, KAI_ERROR_ARGUMENT,
        "cell %lld of the mesh is %s at its node %lld at [%g, %g, %g]: the scaled Jacobian there "
        "is %.3g; must be >= %g%s",
        kai_structure_mesh_cell_number(mesh, i), value < -1e-9 ? "inside out" : "flat",
        kai_structure_mesh_node_number(mesh, node), p.x, p.y, p.z, value,
        KAI_STRUCTURE_QUALITY_LEAST, value < -1e-9 ? ", with nodes in the order of VTK" : "");
}

kai_result kai_structure_quality_check(const kai_structure_mesh* mesh,
                                       const kai_element_kind* element, kai_error* err)
{
    static const int CORNERS[] = {0, 0, 3, 4, 4, 8};
    const kai_structure_cell sort = kai_structure_cell_of(element);
    for (size_t i = 0; i < kai_structure_mesh_cell_count(mesh); i++) {
        const uint32_t* cell = kai_structure_mesh_cell_at(mesh, i);
        for (int k = 0; k < CORNERS[sort]; k++) {
            const double value = corner(mesh, sort, cell, k);
            if (!(value >= KAI_STRUCTURE_QUALITY_LEAST)) return bad(mesh, i, cell[k], value, err);
        }
    }
    return KAI_OK;
}
