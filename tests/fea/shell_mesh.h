// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Rectangular meshes of four-node shells of any kind over a surface, for newton.h.
#ifndef TESTS_FEA_SHELL_MESH_H
#define TESTS_FEA_SHELL_MESH_H

#include "fea/element_list.h"
#include "fea/layers.h"
#include "fea/newton.h"

// A point of a surface: where it is, and unit vectors along its lines u and v and across it.
typedef struct shell_point {
    kai_vec3 r, x, y, normal;
} shell_point;

typedef shell_point (*shell_map)(double u, double v, const void* context);

typedef struct shell_mesh {
    newton n;
    size_t along, across; // elements
} shell_mesh;

// The number of node i along u, j along v.
HELPER size_t shell_node(const shell_mesh* m, size_t i, size_t j)
{
    return i * (m->across + 1) + j;
}

// Which unknowns of a node turn the normal about which axis differs from kind to kind; these fix
// components of its position, and of its slopes or its rotation vector.
HELPER void shell_fix(shell_mesh* m, size_t i, size_t j, bool x, bool y, bool z)
{
    const bool all[3] = {x, y, z};
    for (size_t k = 0; k < 3; k++)
        if (all[k]) newton_fix(&m->n, shell_node(m, i, j), k, 1);
}

// A mirror at this node with the normal `axis`: slopes in its plane stay there, those across it
// stay across, frames turn about the normal only.
HELPER void shell_mirror(shell_mesh* m, size_t i, size_t j, size_t axis)
{
    const size_t node = shell_node(m, i, j);
    newton_fix(&m->n, node, axis, 1);
    for (int k = 1; k <= m->n.kind->slopes; k++) {
        const size_t first = 3 * (size_t)k;
        const bool across = fabs(m->n.reference[node * m->n.numbers + first + axis]) > 0.7;
        newton_fix(&m->n, node, first + (across ? (axis + 1) % 3 : axis), 1);
        if (across) newton_fix(&m->n, node, first + (axis + 2) % 3, 1);
    }
    if (m->n.kind->slopes < 0) {
        newton_fix(&m->n, node, 3 + (axis + 1) % 3, 1);
        newton_fix(&m->n, node, 3 + (axis + 2) % 3, 1);
    }
}

HELPER void shell_set(const kai_element_kind* kind, void* instance, const char* name,
                      const void* value)
{
    const kai_param* p = kai_kind_param(&kind->kind, name);
    assert_non_null(p);
    memcpy((char*)instance + p->offset, value, kai_kind_type_size(p->type));
}

// Nodes over the unit square of u and v, and elements between them. `instance` is of the kind.
HELPER void shell_mesh_init(shell_mesh* m, const kai_element_kind* kind, size_t along,
                            size_t across, shell_map map, const void* context, const void* instance,
                            const kai_solid_view* solids)
{
    m->along = along;
    m->across = across;
    newton_init(&m->n, kind, (along + 1) * (across + 1), along * across);
    for (size_t i = 0; i <= along; i++)
        for (size_t j = 0; j <= across; j++) {
            const shell_point p =
                map((double)i / (double)along, (double)j / (double)across, context);
            double q[9] = {p.r.x, p.r.y, p.r.z, p.x.x, p.x.y, p.x.z, p.y.x, p.y.y, p.y.z};
            if (kind->slopes == 1) q[3] = p.normal.x, q[4] = p.normal.y, q[5] = p.normal.z;
            if (kind->slopes < 0) { // as structures make them: z is the normal
                const kai_quat frame = kai_quat_from_axes(p.normal, p.x);
                q[3] = frame.w, q[4] = frame.x, q[5] = frame.y, q[6] = frame.z;
            }
            newton_node(&m->n, shell_node(m, i, j), q);
        }
    for (size_t i = 0; i < along; i++)
        for (size_t j = 0; j < across; j++) {
            const uint32_t corners[4] = {
                (uint32_t)shell_node(m, i, j), (uint32_t)shell_node(m, i + 1, j),
                (uint32_t)shell_node(m, i + 1, j + 1), (uint32_t)shell_node(m, i, j + 1)};
            newton_element(&m->n, i * across + j, corners, instance, solids);
        }
}

// An instance with one layer. The caller frees it.
HELPER void* shell_instance(const kai_element_kind* kind, double thickness)
{
    void* instance = newton_zeros(1, kind->kind.size);
    kai_kind_defaults(&kind->kind, instance);
    shell_set(kind, instance, "thickness", &thickness);
    return instance;
}

// How far a node has come.
HELPER kai_vec3 shell_moved(const shell_mesh* m, size_t i, size_t j)
{
    const size_t at = shell_node(m, i, j) * m->n.numbers;
    const double *q = m->n.q + at, *r = m->n.reference + at;
    return kai_vec3_make(q[0] - r[0], q[1] - r[1], q[2] - r[2]);
}

// A rectangle in the plane of x and y; the context is its two sides.
HELPER shell_point shell_rectangle(double u, double v, const void* context)
{
    const double* side = context;
    shell_point p = {kai_vec3_make(u * side[0], v * side[1], 0.0), kai_vec3_axis(0),
                     kai_vec3_axis(1), kai_vec3_axis(2)};
    return p;
}

#endif
