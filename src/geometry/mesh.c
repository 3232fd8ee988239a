// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "geometry/mesh.h"

#include "base/array.h"
#include "base/hash.h"
#include "geometry/mesh_tree.h"
#include "geometry/solid.h"

#include <stdlib.h>
#include <string.h>

// Edges that turn less than this, in radians, are flat.
static const double FLAT = 1e-6;

static kai_result no_memory(kai_error* err)
{
    return kai_error_set(err, KAI_ERROR_MEMORY, "mesh: out of memory");
}

// Welding ----------------------------------------------------------------------------------------

typedef struct welder {
    const kai_vec3* points;
    double weld;
    kai_vec3 low;    // of all points: cells are counted from here
    uint32_t* slots; // [mask + 1] 1 + vertex, 0: free
    size_t mask;
    kai_vec3* vertices;
    uint32_t count;
} welder;

// The cell of a point: of size `weld`, or the point's own bits.
static void cell_of(const welder* w, kai_vec3 p, int64_t cell[3])
{
    const double c[3] = {p.x, p.y, p.z}, low[3] = {w->low.x, w->low.y, w->low.z};
    for (int k = 0; k < 3; k++) {
        const double x = c[k] + 0.0; // -0 becomes 0
        if (w->weld > 0.0)
            cell[k] = (int64_t)floor((x - low[k]) / w->weld);
        else
            memcpy(&cell[k], &x, sizeof x);
    }
}

// The vertex in a cell near p, or KAI_MESH_NONE; *slot is where a new one would go.
static uint32_t find_in_cell(const welder* w, kai_vec3 p, const int64_t cell[3], size_t* slot)
{
    size_t i = (size_t)kai_hash_bytes(KAI_HASH_START, cell, 3 * sizeof *cell) & w->mask;
    for (; w->slots[i]; i = (i + 1) & w->mask) {
        const uint32_t v = w->slots[i] - 1;
        int64_t other[3];
        cell_of(w, w->vertices[v], other);
        if (memcmp(other, cell, sizeof other) != 0) continue;
        if (kai_vec3_distance(w->vertices[v], p) <= w->weld) return v;
    }
    *slot = i;
    return KAI_MESH_NONE;
}

static uint32_t weld_point(welder* w, kai_vec3 p)
{
    int64_t cell[3], near[3];
    size_t slot = 0, other;
    cell_of(w, p, cell);
    uint32_t v = find_in_cell(w, p, cell, &slot);
    for (int i = 0; i < 27 && v == KAI_MESH_NONE && w->weld > 0.0; i++) {
        const int64_t step[3] = {i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1};
        for (int k = 0; k < 3; k++) near[k] = cell[k] + step[k];
        v = find_in_cell(w, p, near, &other);
    }
    if (v != KAI_MESH_NONE) return v;
    w->vertices[w->count] = kai_vec3_make(p.x + 0.0, p.y + 0.0, p.z + 0.0);
    w->slots[slot] = ++w->count;
    return w->count - 1;
}

// Vertex of each point into `map` [count], the vertices themselves into `vertices` [count].
static kai_result weld_points(const kai_vec3* points, size_t count, double weld, kai_memory* memory,
                              uint32_t* map, kai_vec3* vertices, uint32_t* made, kai_error* err)
{
    size_t size = 16;
    while (size < 2 * count) size *= 2;
    welder w = {points, weld, points[0], NULL, size - 1, vertices, 0};
    w.slots = kai_memory_allocate_zeroed(memory, size, sizeof *w.slots);
    if (!w.slots) return no_memory(err);
    double most = 0.0;
    for (size_t i = 0; i < count; i++) {
        w.low = kai_vec3_min(w.low, points[i]);
        most = fmax(most, kai_vec3_max_abs(points[i]));
    }
    if (weld < 1e-15 * most) w.weld = 0.0; // cells must be countable
    for (size_t i = 0; i < count; i++) map[i] = weld_point(&w, points[i]);
    kai_memory_release(memory, w.slots, size * sizeof *w.slots);
    *made = w.count;
    return KAI_OK;
}

// Triangles --------------------------------------------------------------------------------------

// Area is nothing against the longest edge: the height over it is below 1e-12 of it.
static bool is_thin(const kai_mesh* mesh, const uint32_t corner[3])
{
    const kai_vec3 a = mesh->vertices[corner[0]], b = mesh->vertices[corner[1]],
                   c = mesh->vertices[corner[2]];
    const kai_vec3 ab = kai_vec3_sub(b, a), ac = kai_vec3_sub(c, a), bc = kai_vec3_sub(c, b);
    const double longest =
        fmax(kai_vec3_max_abs(ab), fmax(kai_vec3_max_abs(ac), kai_vec3_max_abs(bc)));
    if (!(longest > 0.0)) return true;
    const kai_vec3 n =
        kai_vec3_cross(kai_vec3_scale(ab, 1.0 / longest), kai_vec3_scale(ac, 1.0 / longest));
    return kai_vec3_norm(n) < 1e-12;
}

static bool has_twice(const uint32_t c[3]) { return c[0] == c[1] || c[1] == c[2] || c[2] == c[0]; }

typedef struct edge {
    uint32_t low, high; // vertices
    uint32_t triangle;
    uint8_t k;        // which edge of it
    uint8_t backward; // from high to low
} edge;

static int compare_edges(const void* a, const void* b)
{
    const edge *x = a, *y = b;
    if (x->low != y->low) return x->low < y->low ? -1 : 1;
    if (x->high != y->high) return x->high < y->high ? -1 : 1;
    return x->triangle < y->triangle ? -1 : x->triangle > y->triangle;
}

// The edges of all triangles, sorted so that equal ones lie side by side.
static void list_edges(const kai_mesh* mesh, edge* edges)
{
    for (uint32_t t = 0; t < mesh->triangle_count; t++)
        for (int k = 0; k < 3; k++) {
            const uint32_t a = mesh->triangles[t][k], b = mesh->triangles[t][(k + 1) % 3];
            edges[3 * (size_t)t + (size_t)k] =
                (edge){a < b ? a : b, a < b ? b : a, t, (uint8_t)k, a > b};
        }
    qsort(edges, 3 * (size_t)mesh->triangle_count, sizeof *edges, compare_edges);
}

// How many edges from the i-th on are the same one.
static size_t equal_edges(const edge* edges, size_t i, size_t n)
{
    size_t m = 1;
    while (i + m < n && edges[i + m].low == edges[i].low && edges[i + m].high == edges[i].high) m++;
    return m;
}

static void note(kai_mesh* mesh, const edge* e, const uint32_t* source)
{
    kai_mesh_report* report = &mesh->report;
    const uint32_t t = source[e->triangle];
    if (report->triangle != KAI_MESH_NONE && t >= report->triangle) return;
    report->triangle = t;
    report->edge[0] = mesh->vertices[e->backward ? e->high : e->low];
    report->edge[1] = mesh->vertices[e->backward ? e->low : e->high];
}

// Neighbours across edges; edges that are not shared by just two triangles of one orientation are
// counted, and have none.
static void join_triangles(kai_mesh* mesh, const edge* edges, const uint32_t* source)
{
    const size_t n = 3 * (size_t)mesh->triangle_count;
    mesh->report.triangle = KAI_MESH_NONE;
    for (size_t i = 0, m; i < n; i += m) {
        const edge *a = &edges[i], *b = a + 1;
        m = equal_edges(edges, i, n);
        for (size_t j = 0; j < m; j++) mesh->neighbours[a[j].triangle][a[j].k] = KAI_MESH_NONE;
        if (m == 2 && a->backward != b->backward) {
            mesh->neighbours[a->triangle][a->k] = b->triangle;
            mesh->neighbours[b->triangle][b->k] = a->triangle;
            continue;
        }
        mesh->report.open += m == 1;
        mesh->report.opposed += m == 2;
        mesh->report.crowded += m > 2;
        for (size_t j = 0; j < m; j++) note(mesh, &a[j], source);
    }
    mesh->closed = mesh->report.triangle == KAI_MESH_NONE;
}

// Bit k when the surface turns away from the outside across edge k, or ends there.
static void flag_edges(kai_mesh* mesh)
{
    for (uint32_t t = 0; t < mesh->triangle_count; t++) {
        uint8_t flags = 0;
        const kai_vec3 n = kai_mesh_normal(mesh, t);
        for (int k = 0; k < 3; k++) {
            const uint32_t other = mesh->neighbours[t][k];
            bool convex = other == KAI_MESH_NONE;
            if (!convex) {
                const kai_vec3 along =
                    kai_vec3_normalize(kai_vec3_sub(mesh->vertices[mesh->triangles[t][(k + 1) % 3]],
                                                    mesh->vertices[mesh->triangles[t][k]]));
                const kai_vec3 m = kai_mesh_normal(mesh, other);
                convex = kai_vec3_dot(kai_vec3_cross(n, m), along) > FLAT ||
                         kai_vec3_dot(n, m) < FLAT - 1.0;
            }
            flags |= (uint8_t)(convex << k);
        }
        mesh->edge_flags[t] = flags;
    }
}

// Thin triangles ---------------------------------------------------------------------------------

// Which edge of a triangle is the longest.
static int longest_edge(const kai_mesh* mesh, const uint32_t c[3])
{
    double length[3];
    for (int k = 0; k < 3; k++)
        length[k] = kai_vec3_distance(mesh->vertices[c[k]], mesh->vertices[c[(k + 1) % 3]]);
    return length[0] >= length[1] ? (length[0] >= length[2] ? 0 : 2)
                                  : (length[1] >= length[2] ? 1 : 2);
}

// Hands the long edge a b of a thin triangle a b c, whose corner c lies on it, to the neighbour
// b a d: they become a d c and d b c. So the surface stays closed where the triangle goes.
static bool flip(kai_mesh* mesh, uint32_t thin, uint32_t other, int k)
{
    uint32_t *x = mesh->triangles[thin], *y = mesh->triangles[other];
    const uint32_t a = x[k], b = x[(k + 1) % 3], c = x[(k + 2) % 3];
    for (int j = 0; j < 3; j++) {
        if (y[j] != b || y[(j + 1) % 3] != a) continue;
        const uint32_t d = y[(j + 2) % 3];
        if (d == c) return false;
        const uint32_t first[3] = {a, d, c}, second[3] = {d, b, c};
        memcpy(x, first, sizeof first);
        memcpy(y, second, sizeof second);
        return true;
    }
    return false;
}

static void remove_marked(kai_mesh* mesh, uint32_t* source)
{
    uint32_t kept = 0;
    for (uint32_t t = 0; t < mesh->triangle_count; t++) {
        if (source[t] == KAI_MESH_NONE) continue;
        memcpy(mesh->triangles[kept], mesh->triangles[t], 3 * sizeof(uint32_t));
        source[kept++] = source[t];
    }
    mesh->triangle_count = kept;
}

// One round over all thin triangles. True when another one may help.
static bool flip_thin(kai_mesh* mesh, edge* edges, const uint32_t* source)
{
    bool again = false;
    list_edges(mesh, edges);
    join_triangles(mesh, edges, source);
    for (uint32_t t = 0; t < mesh->triangle_count; t++) {
        if (has_twice(mesh->triangles[t]) || !is_thin(mesh, mesh->triangles[t])) continue;
        const int k = longest_edge(mesh, mesh->triangles[t]);
        const uint32_t other = mesh->neighbours[t][k];
        if (other == KAI_MESH_NONE || !flip(mesh, t, other, k)) continue;
        mesh->report.flipped++;
        again = true;
    }
    return again;
}

// Removes triangles without area. A few rounds of flips, as one thin triangle may border another;
// what is still thin then is just dropped, which leaves a slit of no width.
static kai_result remove_thin(kai_mesh* mesh, kai_memory* memory, uint32_t* source, kai_error* err)
{
    const uint32_t before = mesh->triangle_count;
    uint32_t thin = 0;
    for (uint32_t t = 0; t < before; t++) {
        if (has_twice(mesh->triangles[t]))
            source[t] = KAI_MESH_NONE;
        else
            thin += is_thin(mesh, mesh->triangles[t]);
    }
    remove_marked(mesh, source);
    if (thin > 0) {
        const size_t bytes = 3 * (size_t)mesh->triangle_count * sizeof(edge);
        edge* edges = kai_memory_allocate(memory, bytes);
        if (!edges) return no_memory(err);
        for (int round = 0; round < 8 && flip_thin(mesh, edges, source); round++) {}
        kai_memory_release(memory, edges, bytes);
        for (uint32_t t = 0; t < mesh->triangle_count; t++)
            if (is_thin(mesh, mesh->triangles[t])) source[t] = KAI_MESH_NONE;
        remove_marked(mesh, source);
    }
    mesh->report =
        (kai_mesh_report){.welded = mesh->report.welded,
                          .flipped = mesh->report.flipped,
                          .degenerate = before - mesh->triangle_count + mesh->report.flipped};
    return KAI_OK;
}

// Building ---------------------------------------------------------------------------------------

static kai_result check_input(const kai_vec3* points, size_t point_count,
                              const uint32_t (*triangles)[3], size_t triangle_count, kai_error* err)
{
    if (point_count < 3 || triangle_count < 1)
        return kai_error_set(err, KAI_ERROR_ARGUMENT,
                             "mesh: %zu points and %zu triangles; needs at least one triangle",
                             point_count, triangle_count);
    if (point_count > UINT32_MAX / 4 || triangle_count > UINT32_MAX / 8)
        return kai_error_set(err, KAI_ERROR_LIMIT, "mesh: %zu points and %zu triangles; at most %u",
                             point_count, triangle_count, UINT32_MAX / 8);
    for (size_t i = 0; i < point_count; i++)
        if (!(kai_vec3_max_abs(points[i]) < 1e30) || !kai_vec3_is_finite(points[i]))
            return kai_error_set(err, KAI_ERROR_ARGUMENT,
                                 "mesh: vertex %zu is [%g, %g, %g]; must be finite and below 1e30",
                                 i, points[i].x, points[i].y, points[i].z);
    for (size_t t = 0; t < triangle_count; t++)
        for (int k = 0; k < 3; k++)
            if (triangles[t][k] >= point_count)
                return kai_error_set(err, KAI_ERROR_ARGUMENT,
                                     "mesh: triangle %zu has vertex %u; there are %zu", t,
                                     triangles[t][k], point_count);
    return KAI_OK;
}

// Sums over all triangles, about the middle.
static kai_solid sum_solid(const kai_mesh* mesh, kai_vec3 reference)
{
    kai_solid solid = kai_solid_make(reference);
    for (uint32_t t = 0; t < mesh->triangle_count; t++) {
        kai_vec3 c[3];
        kai_mesh_corners(mesh, t, c);
        kai_solid_add(&solid, c[0], c[1], c[2]);
    }
    return solid;
}

static double sum_area(const kai_mesh* mesh)
{
    double area = 0.0;
    for (uint32_t t = 0; t < mesh->triangle_count; t++) {
        kai_vec3 c[3];
        kai_mesh_corners(mesh, t, c);
        area += 0.5 * kai_vec3_norm(kai_triangle_area(c));
    }
    return area;
}

// The mesh while it is made from input: arrays of the input's sizes.
typedef struct draft {
    kai_mesh mesh; // vertices, triangles, neighbours, report
    size_t points, triangles;
    uint32_t* map;    // [points] vertex of each point; later 1 + new vertex of each vertex
    uint32_t* source; // [triangles] number in the input
} draft;

static void free_draft(draft* d, kai_memory* memory)
{
    kai_memory_release(memory, d->mesh.vertices, d->points * sizeof(kai_vec3));
    kai_memory_release(memory, d->mesh.triangles, d->triangles * sizeof *d->mesh.triangles);
    kai_memory_release(memory, d->mesh.neighbours, d->triangles * sizeof *d->mesh.neighbours);
    kai_memory_release(memory, d->map, d->points * sizeof *d->map);
    kai_memory_release(memory, d->source, d->triangles * sizeof *d->source);
}

static kai_result make_draft(draft* d, kai_memory* memory, const kai_vec3* points,
                             const uint32_t (*triangles)[3], double weld, kai_error* err)
{
    kai_mesh* m = &d->mesh;
    m->vertices = kai_memory_allocate(memory, d->points * sizeof(kai_vec3));
    m->triangles = kai_memory_allocate(memory, d->triangles * sizeof *m->triangles);
    m->neighbours = kai_memory_allocate(memory, d->triangles * sizeof *m->neighbours);
    d->map = kai_memory_allocate(memory, d->points * sizeof *d->map);
    d->source = kai_memory_allocate(memory, d->triangles * sizeof *d->source);
    if (!m->vertices || !m->triangles || !m->neighbours || !d->map || !d->source)
        return no_memory(err);
    KAI_TRY(
        weld_points(points, d->points, weld, memory, d->map, m->vertices, &m->vertex_count, err));
    m->triangle_count = (uint32_t)d->triangles;
    for (uint32_t t = 0; t < m->triangle_count; t++) {
        d->source[t] = t;
        for (int k = 0; k < 3; k++) m->triangles[t][k] = d->map[triangles[t][k]];
    }
    m->report.welded = (uint32_t)d->points - m->vertex_count;
    KAI_TRY(remove_thin(m, memory, d->source, err));
    if (m->triangle_count > 0) return KAI_OK;
    return kai_error_set(err, KAI_ERROR_ARGUMENT, "mesh: none of its %zu triangles has an area",
                         d->triangles);
}

// Copies what is in use to arrays of the right size. Vertices keep their order.
static kai_result settle(kai_mesh* mesh, draft* d, kai_memory* memory, kai_error* err)
{
    const kai_mesh* from = &d->mesh;
    memset(d->map, 0, d->points * sizeof *d->map);
    for (uint32_t t = 0; t < from->triangle_count; t++)
        for (int k = 0; k < 3; k++) d->map[from->triangles[t][k]] = 1;
    uint32_t used = 0;
    for (uint32_t v = 0; v < from->vertex_count; v++)
        if (d->map[v]) d->map[v] = ++used;
    mesh->report = from->report;
    mesh->vertex_count = used;
    mesh->triangle_count = from->triangle_count;
    const size_t n = mesh->triangle_count;
    mesh->vertices = kai_memory_allocate(memory, used * sizeof(kai_vec3));
    mesh->triangles = kai_memory_allocate(memory, n * sizeof *mesh->triangles);
    mesh->neighbours = kai_memory_allocate(memory, n * sizeof *mesh->neighbours);
    mesh->edge_flags = kai_memory_allocate(memory, n);
    if (!mesh->vertices || !mesh->triangles || !mesh->neighbours || !mesh->edge_flags)
        return no_memory(err);
    for (uint32_t v = 0; v < from->vertex_count; v++)
        if (d->map[v]) mesh->vertices[d->map[v] - 1] = from->vertices[v];
    for (uint32_t t = 0; t < mesh->triangle_count; t++)
        for (int k = 0; k < 3; k++) mesh->triangles[t][k] = d->map[from->triangles[t][k]] - 1;
    return KAI_OK;
}

// Marks the first corner of every vertex.
static kai_result flag_corners(kai_mesh* mesh, kai_memory* memory, kai_error* err)
{
    uint8_t* seen = kai_memory_allocate_zeroed(memory, mesh->vertex_count, 1);
    if (!seen) return no_memory(err);
    for (uint32_t t = 0; t < mesh->triangle_count; t++) {
        for (int k = 0; k < 3; k++) {
            uint8_t* vertex = &seen[mesh->triangles[t][k]];
            if (!*vertex) mesh->edge_flags[t] |= (uint8_t)(KAI_MESH_OWN_CORNER << k);
            *vertex = 1;
        }
    }
    kai_memory_release(memory, seen, mesh->vertex_count);
    return KAI_OK;
}

// Tree, neighbours, flags and sums.
static kai_result complete(kai_mesh* mesh, kai_memory* memory, uint32_t* source, kai_error* err)
{
    KAI_TRY(kai_mesh_tree_build(mesh, memory, source, err));
    const size_t bytes = 3 * (size_t)mesh->triangle_count * sizeof(edge);
    edge* edges = kai_memory_allocate(memory, bytes);
    if (!edges) return no_memory(err);
    list_edges(mesh, edges);
    join_triangles(mesh, edges, source);
    kai_memory_release(memory, edges, bytes);
    flag_edges(mesh);
    KAI_TRY(flag_corners(mesh, memory, err));
    mesh->report.volume = sum_solid(mesh, mesh->origin).volume;
    mesh->report.area = sum_area(mesh);
    return KAI_OK;
}

kai_result kai_mesh_build(kai_mesh* mesh, kai_memory* memory, const kai_vec3* points,
                          size_t point_count, const uint32_t (*triangles)[3], size_t triangle_count,
                          double weld, kai_error* err)
{
    *mesh = (kai_mesh){0};
    KAI_TRY(check_input(points, point_count, triangles, triangle_count, err));
    draft d = {.points = point_count, .triangles = triangle_count};
    kai_result r = make_draft(&d, memory, points, triangles, weld, err);
    if (r == KAI_OK) r = settle(mesh, &d, memory, err);
    if (r == KAI_OK) r = complete(mesh, memory, d.source, err);
    free_draft(&d, memory);
    if (r != KAI_OK) kai_mesh_free(mesh, memory);
    return r;
}

void kai_mesh_free(kai_mesh* mesh, kai_memory* memory)
{
    const size_t n = mesh->triangle_count;
    kai_memory_release(memory, mesh->vertices, mesh->vertex_count * sizeof(kai_vec3));
    kai_memory_release(memory, mesh->triangles, n * sizeof *mesh->triangles);
    kai_memory_release(memory, mesh->neighbours, n * sizeof *mesh->neighbours);
    kai_memory_release(memory, mesh->edge_flags, n);
    kai_memory_release(memory, mesh->nodes, mesh->node_count * sizeof *mesh->nodes);
    *mesh = (kai_mesh){0};
}

// Volume -----------------------------------------------------------------------------------------

kai_result kai_mesh_check_solid(const kai_mesh* mesh, kai_error* err)
{
    const kai_mesh_report* r = &mesh->report;
    if (!mesh->closed) {
        const kai_vec3 a = r->edge[0], b = r->edge[1];
        return kai_error_set(
            err, KAI_ERROR_ARGUMENT,
            "mesh bounds no volume: %u open edges, %u with more than two triangles, %u whose "
            "triangles face opposite ways; the first at triangle %u, from [%g, %g, %g] to "
            "[%g, %g, %g]",
            r->open, r->crowded, r->opposed, r->triangle, a.x, a.y, a.z, b.x, b.y, b.z);
    }
    // Rounding of the sum leaves less than this of nothing.
    const double size = kai_vec3_max_abs(kai_vec3_sub(mesh->high, mesh->low));
    if (fabs(r->volume) <= 1e-12 * r->area * size)
        return kai_error_set(err, KAI_ERROR_ARGUMENT,
                             "mesh bounds no volume: it is flat (%g m³ inside)", r->volume);
    if (r->volume < 0.0)
        return kai_error_set(err, KAI_ERROR_ARGUMENT,
                             "mesh is inside out: its triangles face inwards (volume %g m³)",
                             r->volume);
    return KAI_OK;
}

kai_mass_properties kai_mesh_mass(const kai_mesh* mesh)
{
    const kai_solid about_middle = sum_solid(mesh, mesh->origin);
    const kai_solid about_centre = sum_solid(mesh, kai_solid_mass(&about_middle).com);
    return kai_solid_mass(&about_centre);
}
