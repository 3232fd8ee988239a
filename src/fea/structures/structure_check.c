// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Nodes are sorted into cubes as wide as the mean edge; what may be near lies in a few of them.
#include "fea/structures/structure_check.h"

#include "base/error.h"
#include "fea/structures/structure_quality.h"

#include <stdlib.h>
#include <string.h>

/// A node and the cube that it is in.
typedef struct place {
    uint64_t key;
    uint32_t node;
} place;

/// An edge of a face, in the direction in which the face goes round.
typedef struct edge {
    uint32_t from, to, cell;
} edge;

typedef struct checking {
    kai_structure_mesh* mesh;
    const kai_element_kind* element;
    kai_error* err;
    place* places; // [nodes], by key
    size_t count;
    double width; // of a cube, m
    double near;  // what counts as the same place, m
} checking;

static kai_vec3 at(const checking* c, uint32_t node)
{
    return kai_structure_mesh_node_at(c->mesh, node)->position;
}

static long long number(const checking* c, uint32_t node)
{
    return kai_structure_mesh_node_number(c->mesh, node);
}

static int64_t cube_of(const checking* c, double x) { return (int64_t)floor(x / c->width); }

static uint64_t key_of(int64_t x, int64_t y, int64_t z)
{
    return ((uint64_t)x * UINT64_C(0x9e3779b97f4a7c15)) ^
           ((uint64_t)y * UINT64_C(0xc2b2ae3d27d4eb4f)) ^
           ((uint64_t)z * UINT64_C(0x165667b19e3779f9));
}

static int by_key(const void* a, const void* b)
{
    const place *x = a, *y = b;
    if (x->key != y->key) return x->key < y->key ? -1 : 1;
    return (x->node > y->node) - (x->node < y->node);
}

static int by_ends(const void* a, const void* b)
{
    const edge *x = a, *y = b;
    if (x->from != y->from) return x->from < y->from ? -1 : 1;
    if (x->to != y->to) return x->to < y->to ? -1 : 1;
    return (x->cell > y->cell) - (x->cell < y->cell);
}

/// The first place of a cube, or the count.
static size_t find(const checking* c, uint64_t key)
{
    size_t low = 0, high = c->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (c->places[middle].key < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/// Whether a node lies between the ends of an edge.
static bool hangs(const checking* c, uint32_t node, uint32_t from, uint32_t to)
{
    const kai_vec3 a = at(c, from), d = kai_vec3_sub(at(c, to), a),
                   r = kai_vec3_sub(at(c, node), a);
    const double s = kai_vec3_dot(r, d) / kai_vec3_norm2(d);
    if (!(s > 1e-6 && s < 1.0 - 1e-6)) return false;
    return kai_vec3_distance(r, kai_vec3_scale(d, s)) < 1e-6 * kai_vec3_norm(d);
}

/// The middle node of a quadratic edge is no stranger.
static bool belongs(const checking* c, uint32_t node, uint32_t cell)
{
    const uint32_t* nodes = kai_structure_mesh_cell_at(c->mesh, cell);
    for (int k = 0; k < c->element->nodes; k++)
        if (nodes[k] == node) return true;
    return false;
}

/// Looks through the cubes that an edge passes near; a long edge among small ones has many.
static kai_result check_edge(const checking* c, const edge* e)
{
    int64_t low[3], high[3];
    const kai_vec3 a = at(c, e->from), b = at(c, e->to);
    const double p[3] = {a.x, a.y, a.z}, q[3] = {b.x, b.y, b.z};
    double cubes = 1.0;
    for (int k = 0; k < 3; k++) {
        low[k] = cube_of(c, fmin(p[k], q[k]) - c->near);
        high[k] = cube_of(c, fmax(p[k], q[k]) + c->near);
        cubes *= (double)(high[k] - low[k] + 1);
    }
    if (cubes > 1e5) return KAI_OK; // too unlike its neighbours to be looked along
    for (int64_t x = low[0]; x <= high[0]; x++) {
        for (int64_t y = low[1]; y <= high[1]; y++) {
            for (int64_t z = low[2]; z <= high[2]; z++) {
                const uint64_t key = key_of(x, y, z);
                for (size_t i = find(c, key); i < c->count && c->places[i].key == key; i++) {
                    const uint32_t node = c->places[i].node;
                    if (belongs(c, node, e->cell) || !hangs(c, node, e->from, e->to)) continue;
                    const kai_vec3 r = at(c, node);
                    return kai_error_set(
                        c->err, KAI_ERROR_ARGUMENT,
                        "node %lld of the mesh at [%g, %g, %g] hangs on the edge from "
                        "node %lld to node %lld of cell %lld; cells must meet in nodes",
                        number(c, node), r.x, r.y, r.z, number(c, e->from), number(c, e->to),
                        kai_structure_mesh_cell_number(c->mesh, e->cell));
                }
            }
        }
    }
    return KAI_OK;
}

static kai_result check_places(checking* c)
{
    for (uint32_t i = 0; i < c->count; i++) {
        const kai_vec3 r = at(c, i);
        for (int k = 0; k < 8; k++) { // cubes that the neighbourhood of the node may reach into
            const double s[3] = {k & 1 ? c->near : -c->near, k & 2 ? c->near : -c->near,
                                 k & 4 ? c->near : -c->near};
            const uint64_t key =
                key_of(cube_of(c, r.x + s[0]), cube_of(c, r.y + s[1]), cube_of(c, r.z + s[2]));
            for (size_t n = find(c, key); n < c->count && c->places[n].key == key; n++) {
                const uint32_t other = c->places[n].node;
                if (other <= i || kai_vec3_distance(r, at(c, other)) > c->near) continue;
                return kai_error_set(
                    c->err, KAI_ERROR_ARGUMENT,
                    "nodes %lld and %lld of the mesh are both at [%g, %g, %g]; must be "
                    "one node",
                    number(c, i), number(c, other), r.x, r.y, r.z);
            }
        }
    }
    return KAI_OK;
}

/// Two cells of a surface that go the same way along their edge have opposite normals.
static kai_result check_sides(const checking* c, const edge* edges, size_t count)
{
    if (c->element->face_count != 1 || c->element->faces[0].count < 3) return KAI_OK;
    for (size_t i = 1; i < count; i++)
        if (edges[i].from == edges[i - 1].from && edges[i].to == edges[i - 1].to)
            return kai_error_set(c->err, KAI_ERROR_ARGUMENT,
                                 "cells %lld and %lld of the mesh both go from node %lld to node "
                                 "%lld; normals must point to one side",
                                 kai_structure_mesh_cell_number(c->mesh, edges[i - 1].cell),
                                 kai_structure_mesh_cell_number(c->mesh, edges[i].cell),
                                 number(c, edges[i].from), number(c, edges[i].to));
    return KAI_OK;
}

static size_t list_edges(const checking* c, edge* out)
{
    size_t count = 0;
    for (size_t i = 0; i < kai_structure_mesh_cell_count(c->mesh); i++) {
        const uint32_t* nodes = kai_structure_mesh_cell_at(c->mesh, i);
        for (size_t f = 0; f < c->element->face_count; f++) {
            const kai_element_face* face = &c->element->faces[f];
            const int edges = face->count == 2 ? 1 : face->count;
            for (int k = 0; k < edges; k++, count++) {
                const uint32_t a = nodes[face->nodes[k]],
                               b = nodes[face->nodes[(k + 1) % face->count]];
                // Faces of volumes share edges, whose direction says nothing.
                const bool turn = c->element->face_count > 1 && a > b;
                if (out) out[count] = (edge){turn ? b : a, turn ? a : b, (uint32_t)i};
            }
        }
    }
    return count;
}

static kai_result check_all(checking* c, edge* edges, size_t edge_count)
{
    double sum = 0.0, size = 0.0;
    list_edges(c, edges);
    for (size_t i = 0; i < edge_count; i++)
        sum += kai_vec3_distance(at(c, edges[i].from), at(c, edges[i].to));
    for (uint32_t i = 0; i < c->count; i++) size = fmax(size, kai_vec3_max_abs(at(c, i)));
    c->width = sum / (double)edge_count;
    if (!(c->width > 1e-12 * size) || !isfinite(sum))
        return kai_error_set(c->err, KAI_ERROR_ARGUMENT,
                             "the mesh has edges of length %g; must be > 0", c->width);
    c->near = 1e-9 * c->width;
    for (uint32_t i = 0; i < c->count; i++) {
        const kai_vec3 r = at(c, i);
        c->places[i] = (place){key_of(cube_of(c, r.x), cube_of(c, r.y), cube_of(c, r.z)), i};
    }
    qsort(c->places, c->count, sizeof *c->places, by_key);
    KAI_TRY(check_places(c));
    qsort(edges, edge_count, sizeof *edges, by_ends);
    KAI_TRY(check_sides(c, edges, edge_count));
    KAI_TRY(kai_structure_quality_check(c->mesh, c->element, c->err));
    for (size_t i = 0; i < edge_count; i++)
        if (i == 0 || edges[i].from != edges[i - 1].from || edges[i].to != edges[i - 1].to)
            KAI_TRY(check_edge(c, &edges[i]));
    return KAI_OK;
}

kai_result kai_structure_check_mesh(kai_structure_mesh* mesh, const kai_element_kind* element,
                                    kai_error* err)
{
    KAI_TRY(kai_structure_mesh_check(mesh));
    checking c = {
        .mesh = mesh, .element = element, .err = err, .count = kai_structure_mesh_node_count(mesh)};
    const size_t edge_count = list_edges(&c, NULL);
    c.places = kai_memory_allocate_zeroed(mesh->memory, c.count, sizeof *c.places);
    edge* edges = kai_memory_allocate_zeroed(mesh->memory, edge_count, sizeof *edges);
    const kai_result r = c.places && edges ? check_all(&c, edges, edge_count)
                                           : kai_error_set(err, KAI_ERROR_MEMORY,
                                                           "no memory to check %zu nodes", c.count);
    kai_memory_release(mesh->memory, c.places, c.count * sizeof *c.places);
    kai_memory_release(mesh->memory, edges, edge_count * sizeof *edges);
    return r;
}
