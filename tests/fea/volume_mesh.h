// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// A block of volume elements in a world: nx × ny × nz cells of the unit cube, carried to where a
// function says. A cell is a hexahedron or six tetrahedra about its diagonal. Points lie on a grid
// of half cells; nodes are those that elements use.
#ifndef TESTS_FEA_VOLUME_MESH_H
#define TESTS_FEA_VOLUME_MESH_H

#include "helper.h"

#include <kairos/kairos.h>

typedef kai_vec3 (*volume_map)(double x, double y, double z);

/// Whether tet10 has one change of volume.
static bool mesh_mean_volume __attribute__((unused));

typedef struct volume_mesh {
    kai_world* world;
    const kai_element_kind* kind;
    int32_t formulation;
    bool enhanced;
    kai_solid solid;
    volume_map map;
    int size[3];      // points of the half grid: twice the cells, and one
    kai_node* nodes;  // [size], null where there is none
    kai_vec3* places; // likewise, undeformed
    kai_element* elements;
    size_t count;
} volume_mesh;

HELPER void mesh_check(const volume_mesh* m, kai_result r)
{
    if (r != KAI_OK) fail_msg("%s: %s", m->kind->kind.name, kai_world_error(m->world)->message);
}

HELPER size_t mesh_index(const volume_mesh* m, int i, int j, int k)
{
    return ((size_t)k * (size_t)m->size[1] + (size_t)j) * (size_t)m->size[0] + (size_t)i;
}

HELPER size_t mesh_points(const volume_mesh* m)
{
    return (size_t)m->size[0] * (size_t)m->size[1] * (size_t)m->size[2];
}

// The node at a point of the half grid, made when it is first needed.
HELPER kai_node mesh_take(volume_mesh* m, const int at[3])
{
    const size_t i = mesh_index(m, at[0], at[1], at[2]);
    if (KAI_IS_NULL(m->nodes[i])) {
        kai_node_def def = kai_node_def_default();
        def.position = m->map((double)at[0] / (m->size[0] - 1), (double)at[1] / (m->size[1] - 1),
                              (double)at[2] / (m->size[2] - 1));
        m->places[i] = def.position;
        mesh_check(m, kai_node_create(m->world, &def, NULL, &m->nodes[i]));
    }
    return m->nodes[i];
}

// An element with corners at points of the half grid, and middles of edges between them.
HELPER void mesh_add(volume_mesh* m, const int (*corners)[3], int corner_count,
                     const int (*edges)[2])
{
    char instance[sizeof(kai_element_hex20_params)];
    kai_kind_defaults(&m->kind->kind, instance);
    kai_node* nodes = (kai_node*)(void*)instance;
    for (int a = 0; a < m->kind->nodes; a++) {
        int at[3];
        for (int k = 0; k < 3; k++)
            at[k] = a < corner_count ? corners[a][k]
                                     : (corners[edges[a - corner_count][0]][k] +
                                        corners[edges[a - corner_count][1]][k]) /
                                           2;
        nodes[a] = mesh_take(m, at);
    }
    const kai_param* p = kai_kind_param(&m->kind->kind, "solid");
    memcpy(instance + p->offset, &m->solid, sizeof m->solid);
    p = kai_kind_param(&m->kind->kind, "formulation");
    memcpy(instance + p->offset, &m->formulation, sizeof m->formulation);
    p = kai_kind_param(&m->kind->kind, "enhanced");
    // tet10 is for solids that hardly change their volume when it is; others want it plain.
    const bool enhanced = m->enhanced && (m->kind != &kai_element_tet10 || mesh_mean_volume);
    if (p) memcpy(instance + p->offset, &enhanced, sizeof enhanced);
    mesh_check(m, kai_element_create(m->world, m->kind, instance, NULL, &m->elements[m->count++]));
}

HELPER void mesh_add_cell(volume_mesh* m, int i, int j, int k)
{
    static const int HEX[8][3] = {{0, 0, 0}, {2, 0, 0}, {2, 2, 0}, {0, 2, 0},
                                  {0, 0, 2}, {2, 0, 2}, {2, 2, 2}, {0, 2, 2}};
    static const int HEX_EDGES[12][2] = {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {4, 5}, {5, 6},
                                         {6, 7}, {7, 4}, {0, 4}, {1, 5}, {2, 6}, {3, 7}};
    static const int TET_EDGES[6][2] = {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}};
    // Ways from corner 0 to corner 6, as corners of HEX; each has a positive volume.
    static const int TETS[6][4] = {{0, 1, 2, 6}, {0, 2, 3, 6}, {0, 3, 7, 6},
                                   {0, 7, 4, 6}, {0, 4, 5, 6}, {0, 5, 1, 6}};
    int corners[8][3];
    if (m->kind == &kai_element_hex8 || m->kind == &kai_element_hex20) {
        for (int a = 0; a < 8; a++) {
            const int at[3] = {2 * i + HEX[a][0], 2 * j + HEX[a][1], 2 * k + HEX[a][2]};
            memcpy(corners[a], at, sizeof at);
        }
        mesh_add(m, (const int(*)[3])corners, 8, HEX_EDGES);
        return;
    }
    for (int t = 0; t < 6; t++) {
        for (int a = 0; a < 4; a++) {
            const int* h = HEX[TETS[t][a]];
            const int at[3] = {2 * i + h[0], 2 * j + h[1], 2 * k + h[2]};
            memcpy(corners[a], at, sizeof at);
        }
        mesh_add(m, (const int(*)[3])corners, 4, TET_EDGES);
    }
}

// `solid` is an instance of `solid_kind`. Gravity is that of `gravity`.
HELPER void mesh_make(volume_mesh* m, const kai_element_kind* kind, int32_t formulation,
                      bool enhanced, const kai_solid_kind* solid_kind, const void* solid, int nx,
                      int ny, int nz, volume_map map, kai_vec3 gravity)
{
    memset(m, 0, sizeof *m);
    kai_world_def def = kai_world_def_default();
    def.gravity = gravity;
    def.threads = 1;
    m->kind = kind;
    m->formulation = formulation;
    m->enhanced = enhanced;
    m->map = map;
    m->size[0] = 2 * nx + 1;
    m->size[1] = 2 * ny + 1;
    m->size[2] = 2 * nz + 1;
    check_ok(kai_world_create(&def, &m->world, NULL));
    m->nodes = calloc(mesh_points(m), sizeof *m->nodes);
    m->places = calloc(mesh_points(m), sizeof *m->places);
    m->elements = calloc((size_t)(6 * nx * ny * nz), sizeof *m->elements);
    mesh_check(m, kai_solid_create(m->world, solid_kind, solid, NULL, &m->solid));
    for (int k = 0; k < nz; k++)
        for (int j = 0; j < ny; j++)
            for (int i = 0; i < nx; i++) mesh_add_cell(m, i, j, k);
}

HELPER void mesh_free(volume_mesh* m)
{
    kai_world_destroy(m->world);
    free(m->nodes);
    free(m->places);
    free(m->elements);
}

// Holds coordinates (bits) of all nodes of the plane where index `axis` of the half grid is `at`.
HELPER void mesh_fix(volume_mesh* m, int axis, int at, int64_t bits)
{
    for (size_t p = 0; p < mesh_points(m); p++) {
        const size_t x = (size_t)m->size[0], y = (size_t)m->size[1];
        const size_t index[3] = {p % x, p / x % y, p / (x * y)};
        kai_node_def def;
        if (KAI_IS_NULL(m->nodes[p]) || index[axis] != (size_t)at) continue;
        mesh_check(m, kai_node_get(m->world, m->nodes[p], &def));
        mesh_check(m, kai_node_set_fixed(m->world, m->nodes[p], def.fixed | bits));
    }
}

// Share of a cell's face that its point (a, b) of the half grid, 0…2, takes of a uniform traction.
HELPER double mesh_share(const kai_element_kind* kind, int a, int b)
{
    const bool corner = a % 2 == 0 && b % 2 == 0, middle = a == 1 && b == 1;
    if (kind == &kai_element_hex8) return corner ? 0.25 : 0.0;
    if (kind == &kai_element_hex20) return corner ? -1.0 / 12.0 : middle ? 0.0 : 1.0 / 3.0;
    if (kind == &kai_element_tet4) return !corner ? 0.0 : a == b ? 1.0 / 3.0 : 1.0 / 6.0;
    return corner ? 0.0 : middle ? 1.0 / 3.0 : 1.0 / 6.0;
}

// Sets forces on the face where index `axis` is `at`: traction(place) of a uniform traction with
// total 1 over a face of equal cells.
HELPER void mesh_pull(volume_mesh* m, int axis, int at, kai_vec3 (*traction)(kai_vec3 place))
{
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    double* share = calloc(mesh_points(m), sizeof *share);
    const int nu = (m->size[u] - 1) / 2, nv = (m->size[v] - 1) / 2;
    for (int a = 0; a < nu; a++) {
        for (int b = 0; b < nv; b++) {
            for (int i = 0; i <= 2; i++) {
                for (int j = 0; j <= 2; j++) {
                    int index[3];
                    index[axis] = at;
                    index[u] = 2 * a + i;
                    index[v] = 2 * b + j;
                    share[mesh_index(m, index[0], index[1], index[2])] +=
                        mesh_share(m->kind, i, j) / (nu * nv);
                }
            }
        }
    }
    for (size_t p = 0; p < mesh_points(m); p++)
        if (share[p] != 0.0)
            mesh_check(m, kai_node_set_force(m->world, m->nodes[p],
                                             kai_vec3_scale(traction(m->places[p]), share[p])));
    free(share);
}

// Where a point of the half grid has gone.
HELPER kai_vec3 mesh_moved(const volume_mesh* m, int i, int j, int k)
{
    kai_node_def def;
    const size_t p = mesh_index(m, i, j, k);
    assert_false(KAI_IS_NULL(m->nodes[p]));
    mesh_check(m, kai_node_get(m->world, m->nodes[p], &def));
    return kai_vec3_sub(def.position, m->places[p]);
}

#endif
