// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "geometry/hull.h"

#include "geometry/hull_qhull.h"
#include "geometry/solid.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// What is on the way from points to a hull.
typedef struct work {
    kai_memory* memory;
    kai_error* err;
    const kai_vec3* points;
    size_t count;
    kai_vec3 middle; // of the box around the points
    double scale;    // half of its longest side
    double noise;    // what is no feature, scaled
    double* scaled;  // [3 count]
    uint32_t* uses;  // [count] faces at each point, then its vertex + 1
    kai_array first, corners;
} work;

static kai_result no_memory(kai_error* err)
{
    return kai_error_set(err, KAI_ERROR_MEMORY, "hull: out of memory");
}

// Points -----------------------------------------------------------------------------------------

static kai_result scale_points(work* w)
{
    kai_vec3 low = w->points[0], high = low;
    for (size_t i = 0; i < w->count; i++) {
        if (!kai_vec3_is_finite(w->points[i]))
            return kai_error_set(w->err, KAI_ERROR_ARGUMENT,
                                 "hull: point %zu is [%g, %g, %g]; must be finite", i,
                                 w->points[i].x, w->points[i].y, w->points[i].z);
        low = kai_vec3_min(low, w->points[i]);
        high = kai_vec3_max(high, w->points[i]);
    }
    w->middle = kai_vec3_lerp(low, high, 0.5);
    w->scale = 0.5 * kai_vec3_max_abs(kai_vec3_sub(high, low));
    if (!(w->scale > 1e-60 && w->scale < 1e60))
        return kai_error_set(w->err, KAI_ERROR_ARGUMENT,
                             w->scale > 1.0 ? "hull: points span %g m; must span less than 1e60 m"
                             : w->scale > 0.0
                                 ? "hull: points span %g m; must span more than 1e-60 m"
                                 : "hull: all points coincide (they span %g m)",
                             2.0 * w->scale);
    for (size_t i = 0; i < w->count; i++) {
        const kai_vec3 p = kai_vec3_sub(w->points[i], w->middle);
        w->scaled[3 * i] = p.x / w->scale;
        w->scaled[3 * i + 1] = p.y / w->scale;
        w->scaled[3 * i + 2] = p.z / w->scale;
    }
    return KAI_OK;
}

static kai_vec3 scaled_at(const work* w, size_t i)
{
    return kai_vec3_make(w->scaled[3 * i], w->scaled[3 * i + 1], w->scaled[3 * i + 2]);
}

// Length, breadth and thickness: the farthest point from a point, from a line, from a plane.
static kai_result check_span(work* w)
{
    const kai_vec3 a = scaled_at(w, 0);
    kai_vec3 b = a, n = kai_vec3_zero();
    double length = 0.0, breadth = 0.0, thickness = 0.0;
    for (size_t i = 0; i < w->count; i++) {
        const double d = kai_vec3_distance(scaled_at(w, i), a);
        if (d > length) length = d, b = scaled_at(w, i);
    }
    const kai_vec3 along = kai_vec3_normalize(kai_vec3_sub(b, a));
    for (size_t i = 0; i < w->count; i++) {
        const kai_vec3 x = kai_vec3_cross(along, kai_vec3_sub(scaled_at(w, i), a));
        if (kai_vec3_norm(x) > breadth) breadth = kai_vec3_norm(x), n = x;
    }
    n = kai_vec3_normalize(n);
    for (size_t i = 0; i < w->count; i++)
        thickness = fmax(thickness, fabs(kai_vec3_dot(n, kai_vec3_sub(scaled_at(w, i), a))));
    w->noise = fmin(KAI_HULL_NOISE, 1e-3 * thickness);
    if (breadth <= KAI_HULL_FLAT * length)
        return kai_error_set(w->err, KAI_ERROR_ARGUMENT,
                             "hull: all points lie on one line, %g m long and %g m thick; must "
                             "enclose a volume",
                             length * w->scale, breadth * w->scale);
    if (thickness <= KAI_HULL_FLAT * length)
        return kai_error_set(w->err, KAI_ERROR_ARGUMENT,
                             "hull: all points lie in one plane, %g m long and %g m thick; must "
                             "enclose a volume",
                             length * w->scale, thickness * w->scale);
    return KAI_OK;
}

// Faces ------------------------------------------------------------------------------------------

static const uint32_t* firsts(const work* w) { return w->first.data; }

// Area vector of a ring of scaled points, twice, by Newell's sum about its first corner.
static kai_vec3 ring_area(const work* w, const uint32_t* ring, uint32_t corners)
{
    const kai_vec3 a = scaled_at(w, ring[0]);
    kai_vec3 sum = kai_vec3_zero();
    for (uint32_t i = 1; i + 1 < corners; i++)
        sum = kai_vec3_add(sum, kai_vec3_cross(kai_vec3_sub(scaled_at(w, ring[i]), a),
                                               kai_vec3_sub(scaled_at(w, ring[i + 1]), a)));
    return sum;
}

// Turns every ring counter-clockwise as seen from a point inside.
static void orient(work* w)
{
    uint32_t* corners = w->corners.data;
    kai_vec3 inside = kai_vec3_zero();
    for (size_t i = 0; i < w->corners.count; i++)
        inside = kai_vec3_add(inside, scaled_at(w, corners[i]));
    inside = kai_vec3_scale(inside, 1.0 / (double)w->corners.count);
    for (size_t f = 0; f + 1 < w->first.count; f++) {
        uint32_t* ring = corners + firsts(w)[f];
        const uint32_t n = firsts(w)[f + 1] - firsts(w)[f];
        const kai_vec3 out = kai_vec3_sub(scaled_at(w, ring[0]), inside);
        if (kai_vec3_dot(ring_area(w, ring, n), out) >= 0.0) continue;
        for (uint32_t i = 0; i < n / 2; i++) {
            const uint32_t t = ring[i];
            ring[i] = ring[n - 1 - i];
            ring[n - 1 - i] = t;
        }
    }
}

// Corners where only two faces meet lie inside an edge: they go. False when a face has too few.
static bool drop_inner_corners(work* w)
{
    uint32_t *corners = w->corners.data, *first = w->first.data, kept = 0, begin = 0;
    for (size_t i = 0; i < w->corners.count; i++) w->uses[corners[i]]++;
    for (size_t f = 0; f + 1 < w->first.count; f++) {
        const uint32_t end = first[f + 1], start = kept;
        for (uint32_t i = begin; i < end; i++)
            if (w->uses[corners[i]] >= 3) corners[kept++] = corners[i];
        begin = end;
        first[f + 1] = kept;
        if (kept - start < 3) return false;
    }
    w->corners.count = kept;
    return true;
}

typedef struct half_edge {
    uint32_t from, to;
} half_edge;

static int compare_edges(const void* a, const void* b)
{
    const half_edge *x = a, *y = b;
    if (x->from != y->from) return x->from < y->from ? -1 : 1;
    return x->to < y->to ? -1 : x->to > y->to;
}

// All edges, both ways, sorted. False when one has no twin or comes twice: no closed surface.
static bool find_edges(const work* w, half_edge* edges)
{
    const uint32_t* corners = w->corners.data;
    size_t n = 0;
    for (size_t f = 0; f + 1 < w->first.count; f++) {
        const uint32_t begin = firsts(w)[f], end = firsts(w)[f + 1];
        for (uint32_t i = begin; i < end; i++)
            edges[n++] = (half_edge){corners[i], corners[i + 1 < end ? i + 1 : begin]};
    }
    qsort(edges, n, sizeof *edges, compare_edges);
    for (size_t i = 0; i < n; i++) {
        const half_edge twin = {edges[i].to, edges[i].from};
        if (i > 0 && compare_edges(&edges[i - 1], &edges[i]) == 0) return false;
        if (!bsearch(&twin, edges, n, sizeof *edges, compare_edges)) return false;
    }
    return true;
}

// One try with certain options of Qhull. *sound is false when what came is no closed polyhedron.
static kai_result find_faces(work* w, const char* options, half_edge** edges, bool* sound)
{
    w->first.count = w->corners.count = 0;
    *sound = false;
    KAI_TRY(kai_hull_qhull_facets(w->scaled, w->count, options, w->memory, &w->first, &w->corners,
                                  w->err));
    if (w->corners.count == 0) return KAI_OK;
    memset(w->uses, 0, w->count * sizeof *w->uses);
    if (!drop_inner_corners(w)) return KAI_OK;
    orient(w);
    *edges = kai_memory_allocate(w->memory, w->corners.count * sizeof **edges);
    if (!*edges) return no_memory(w->err);
    *sound = find_edges(w, *edges);
    if (*sound) return KAI_OK;
    kai_memory_release(w->memory, *edges, w->corners.count * sizeof **edges);
    *edges = NULL;
    return KAI_OK;
}

// The hull ---------------------------------------------------------------------------------------

static uint32_t round_up(uint32_t count)
{
    return (count + KAI_HULL_LANES - 1u) / KAI_HULL_LANES * KAI_HULL_LANES;
}

static kai_result allocate(kai_hull* hull, const work* w)
{
    const size_t v = hull->vertex_count, f = hull->face_count, e = w->corners.count;
    hull->vertices = kai_memory_allocate(w->memory, v * sizeof(kai_vec3));
    hull->face_first = kai_memory_allocate(w->memory, (f + 1) * sizeof(uint32_t));
    hull->face_vertices = kai_memory_allocate(w->memory, e * sizeof(uint32_t));
    hull->face_normal = kai_memory_allocate(w->memory, f * sizeof(kai_vec3));
    hull->face_offset = kai_memory_allocate(w->memory, f * sizeof(double));
    hull->neighbour_first = kai_memory_allocate(w->memory, (v + 1) * sizeof(uint32_t));
    hull->neighbours = kai_memory_allocate(w->memory, e * sizeof(uint32_t));
    hull->lane_count = round_up(hull->vertex_count);
    hull->face_lane_count = round_up(hull->face_count);
    hull->lanes = kai_memory_allocate(w->memory, 3 * hull->lane_count * sizeof(double));
    hull->face_lanes = kai_memory_allocate(w->memory, 3 * hull->face_lane_count * sizeof(double));
    if (hull->face_first) hull->face_first[f] = (uint32_t)e; // what free reads
    if (hull->neighbour_first) hull->neighbour_first[v] = (uint32_t)e;
    const bool ok = hull->vertices && hull->face_first && hull->face_vertices &&
                    hull->face_normal && hull->face_offset && hull->neighbour_first &&
                    hull->neighbours && hull->lanes && hull->face_lanes;
    return ok ? KAI_OK : no_memory(w->err);
}

// Unit normal of a ring. On a thin face the sum loses digits along its length, where they matter
// most: there the longest edge says better what is perpendicular.
static kai_vec3 ring_normal(const work* w, const uint32_t* ring, uint32_t corners)
{
    const kai_vec3 area = ring_area(w, ring, corners), n = kai_vec3_normalize(area);
    kai_vec3 longest = kai_vec3_zero();
    for (uint32_t i = 0; i < corners; i++) {
        const kai_vec3 e =
            kai_vec3_sub(scaled_at(w, ring[i + 1 < corners ? i + 1 : 0]), scaled_at(w, ring[i]));
        if (kai_vec3_norm2(e) > kai_vec3_norm2(longest)) longest = e;
    }
    if (kai_vec3_norm(area) > 1e-3 * kai_vec3_norm2(longest)) return n;
    const kai_vec3 e = kai_vec3_normalize(longest);
    return kai_vec3_normalize(kai_vec3_mul_add(n, e, -kai_vec3_dot(n, e)));
}

// Normals and offsets, in scaled coordinates first: squares of sizes need not be numbers.
static void find_planes(kai_hull* hull, const work* w)
{
    const uint32_t* corners = w->corners.data;
    for (uint32_t f = 0; f < hull->face_count; f++) {
        const uint32_t begin = firsts(w)[f], end = firsts(w)[f + 1];
        const kai_vec3 n = ring_normal(w, corners + begin, end - begin);
        double offset = -HUGE_VAL;
        for (uint32_t i = begin; i < end; i++)
            offset = fmax(offset, kai_vec3_dot(n, scaled_at(w, corners[i])));
        hull->face_normal[f] = n;
        hull->face_offset[f] = offset * w->scale + kai_vec3_dot(n, w->middle);
    }
}

static void find_radii(kai_hull* hull)
{
    hull->centre = kai_hull_mass(hull).com;
    hull->outer_radius = 0.0;
    hull->low = hull->high = hull->vertices[0];
    for (uint32_t i = 0; i < hull->vertex_count; i++) {
        const kai_vec3 x = hull->vertices[i];
        hull->outer_radius = fmax(hull->outer_radius, kai_vec3_distance(x, hull->centre));
        hull->low = kai_vec3_min(hull->low, x);
        hull->high = kai_vec3_max(hull->high, x);
    }
    hull->inner_radius = fmax(0.0, -kai_hull_height(hull, hull->centre));
}

// Vectors less an origin, in blocks of all x, all y, all z.
static void fill_lanes(const kai_vec3* from, uint32_t count, kai_vec3 origin, double* to,
                       uint32_t lanes)
{
    for (uint32_t i = 0; i < lanes; i++) {
        const kai_vec3 x = kai_vec3_sub(from[i < count ? i : count - 1u], origin);
        const uint32_t in = i % KAI_HULL_LANES;
        double* block = to + (size_t)3 * (i - in);
        block[in] = x.x;
        block[KAI_HULL_LANES + in] = x.y;
        block[2 * KAI_HULL_LANES + in] = x.z;
    }
}

static kai_result assemble(kai_hull* hull, work* w, const half_edge* edges)
{
    hull->vertex_count = 0;
    for (size_t i = 0; i < w->count; i++) w->uses[i] = w->uses[i] >= 3 ? ++hull->vertex_count : 0;
    hull->face_count = (uint32_t)w->first.count - 1;
    KAI_TRY(allocate(hull, w));
    const uint32_t* corners = w->corners.data;
    for (size_t i = 0; i < w->count; i++)
        if (w->uses[i]) hull->vertices[w->uses[i] - 1] = w->points[i];
    for (uint32_t f = 0; f < hull->face_count; f++) hull->face_first[f] = firsts(w)[f];
    uint32_t vertex = 0;
    for (size_t i = 0; i < w->corners.count; i++) {
        hull->face_vertices[i] = w->uses[corners[i]] - 1;
        // Edges are sorted by their first end, as vertices are.
        while (vertex < w->uses[edges[i].from]) hull->neighbour_first[vertex++] = (uint32_t)i;
        hull->neighbours[i] = w->uses[edges[i].to] - 1;
    }
    find_planes(hull, w);
    find_radii(hull);
    fill_lanes(hull->vertices, hull->vertex_count, hull->centre, hull->lanes, hull->lane_count);
    fill_lanes(hull->face_normal, hull->face_count, kai_vec3_zero(), hull->face_lanes,
               hull->face_lane_count);
    return KAI_OK;
}

static kai_result build(kai_hull* hull, work* w)
{
    // Facets merged within noise; where these do not close, within rounding; triangles; at last,
    // joggled.
    char merged[32];
    const char* const options[] = {merged, "Pp", "Pp Qt", "Pp QJ"};
    half_edge* edges = NULL;
    bool sound = false;
    KAI_TRY(scale_points(w));
    KAI_TRY(check_span(w));
    snprintf(merged, sizeof merged, "Pp C%.3g", w->noise);
    kai_result r = KAI_OK;
    for (int i = 0; i < 4 && !sound; i++) {
        r = find_faces(w, options[i], &edges, &sound);
        if (r == KAI_ERROR_MEMORY || r == KAI_ERROR_UNSUPPORTED) return r;
    }
    if (r != KAI_OK) return r;
    if (!sound)
        return kai_error_set(w->err, KAI_ERROR_ARGUMENT,
                             "hull: Qhull finds no closed surface around the %zu points, which "
                             "span %g m",
                             w->count, 2.0 * w->scale);
    const size_t bytes = w->corners.count * sizeof *edges;
    r = assemble(hull, w, edges);
    kai_memory_release(w->memory, edges, bytes);
    return r;
}

kai_result kai_hull_build(kai_hull* hull, kai_memory* memory, const kai_vec3* points, size_t count,
                          kai_error* err)
{
    *hull = (kai_hull){0};
    if (count < 4)
        return kai_error_set(err, KAI_ERROR_ARGUMENT, "hull: %zu points; must be at least 4",
                             count);
    work w = {.memory = memory,
              .err = err,
              .points = points,
              .count = count,
              .first = kai_array_make(sizeof(uint32_t)),
              .corners = kai_array_make(sizeof(uint32_t))};
    w.scaled = kai_memory_allocate(memory, 3 * count * sizeof(double));
    w.uses = kai_memory_allocate(memory, count * sizeof(uint32_t));
    kai_result r = w.scaled && w.uses ? build(hull, &w) : no_memory(err);
    if (r != KAI_OK) kai_hull_free(hull, memory);
    kai_array_free(&w.first, memory);
    kai_array_free(&w.corners, memory);
    kai_memory_release(memory, w.scaled, 3 * count * sizeof(double));
    kai_memory_release(memory, w.uses, count * sizeof(uint32_t));
    return r;
}

void kai_hull_free(kai_hull* hull, kai_memory* memory)
{
    const size_t v = hull->vertex_count, f = hull->face_count;
    const size_t e = hull->face_first        ? hull->face_first[f]
                     : hull->neighbour_first ? hull->neighbour_first[v]
                                             : 0;
    kai_memory_release(memory, hull->vertices, v * sizeof(kai_vec3));
    if (e > 0) {
        kai_memory_release(memory, hull->face_vertices, e * sizeof(uint32_t));
        kai_memory_release(memory, hull->neighbours, e * sizeof(uint32_t));
    }
    kai_memory_release(memory, hull->face_first, (f + 1) * sizeof(uint32_t));
    kai_memory_release(memory, hull->face_normal, f * sizeof(kai_vec3));
    kai_memory_release(memory, hull->face_offset, f * sizeof(double));
    kai_memory_release(memory, hull->neighbour_first, (v + 1) * sizeof(uint32_t));
    kai_memory_release(memory, hull->lanes, 3 * hull->lane_count * sizeof(double));
    kai_memory_release(memory, hull->face_lanes, 3 * hull->face_lane_count * sizeof(double));
    *hull = (kai_hull){0};
}

// Queries ----------------------------------------------------------------------------------------

kai_mass_properties kai_hull_mass(const kai_hull* hull)
{
    kai_solid solid = kai_solid_make(hull->vertices[0]);
    for (int round = 0; round < 2; round++) { // the second time about the centre
        for (uint32_t f = 0; f < hull->face_count; f++) {
            const uint32_t* ring = hull->face_vertices + hull->face_first[f];
            const uint32_t n = hull->face_first[f + 1] - hull->face_first[f];
            for (uint32_t i = 1; i + 1 < n; i++)
                kai_solid_add(&solid, hull->vertices[ring[0]], hull->vertices[ring[i]],
                              hull->vertices[ring[i + 1]]);
        }
        if (round == 0) solid = kai_solid_make(kai_solid_mass(&solid).com);
    }
    return kai_solid_mass(&solid);
}

uint32_t kai_hull_support(const kai_hull* hull, kai_vec3 direction, uint32_t start)
{
    uint32_t best = start;
    double most = kai_vec3_dot(direction, hull->vertices[best]);
    for (;;) {
        const uint32_t here = best;
        for (uint32_t i = hull->neighbour_first[here]; i < hull->neighbour_first[here + 1]; i++) {
            const double d = kai_vec3_dot(direction, hull->vertices[hull->neighbours[i]]);
            if (d > most) most = d, best = hull->neighbours[i];
        }
        if (best == here) return best;
    }
}

double kai_hull_height(const kai_hull* hull, kai_vec3 point)
{
    double height = -HUGE_VAL;
    for (uint32_t f = 0; f < hull->face_count; f++)
        height = fmax(height, kai_vec3_dot(hull->face_normal[f], point) - hull->face_offset[f]);
    return height;
}
