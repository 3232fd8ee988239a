// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "geometry/decompose.h"

#include "base/parallel.h"
#include "geometry/decompose_piece.h"

typedef kai_decompose_piece piece_type;
typedef kai_decompose_piece_plane plane_type;

enum {
    ACROSS = 11, // planes across each axis
    EDGES = 8    // concave edges that give planes
};

typedef struct work {
    const kai_mesh* mesh;
    kai_memory* memory;
    kai_error* err;
    double bound;
    kai_array pieces; // piece_type
    kai_array planes; // plane_type: candidates
} work;

// Thin walls -------------------------------------------------------------------------------------

// A wall that bends keeps its shape only if the depth of the bend is small against its thickness,
// whatever share of the whole the bound is.
static const double SHARE = 0.2, LEAST = 1.0 / 16.0;

// The least distance of two parallel planes, one of them a face, that hold the hull; and across.
static double width_of(const kai_hull* hull, kai_vec3* across)
{
    double least = HUGE_VAL;
    for (uint32_t f = 0; f < hull->face_count; f++) {
        double most = 0.0;
        for (uint32_t i = 0; i < hull->vertex_count; i++)
            most = fmax(most, hull->face_offset[f] -
                                  kai_vec3_dot(hull->face_normal[f], hull->vertices[i]));
        if (most < least) least = most, *across = hull->face_normal[f];
    }
    return least;
}

// Whether a direction is about that of the thin way.
static bool is_across(kai_vec3 n, kai_vec3 across) { return fabs(kai_vec3_dot(n, across)) >= 0.7; }

// How deep a point lies below the hull; 0 where the nearest face does not look across.
static double depth_at(const kai_hull* hull, kai_vec3 x, kai_vec3 across)
{
    double depth = HUGE_VAL;
    uint32_t nearest = 0;
    for (uint32_t f = 0; f < hull->face_count; f++) {
        const double d = hull->face_offset[f] - kai_vec3_dot(hull->face_normal[f], x);
        if (d < depth) depth = d, nearest = f;
    }
    return is_across(hull->face_normal[nearest], across) ? depth : 0.0;
}

// How deep those triangles of the surface that look across lie below the hull, at most: at corners,
// in the middle of edges and of triangles.
static double bend_of(const piece_type* piece, kai_vec3 across)
{
    const kai_decompose_piece_triangle* triangles = piece->triangles.data;
    double bend = 0.0;
    for (size_t t = 0; t < piece->triangles.count; t++) {
        const kai_vec3* c = triangles[t].corner;
        const kai_vec3 n = kai_triangle_normal(c);
        if (!is_across(n, across)) continue;
        const kai_vec3 sum = kai_vec3_add(c[0], kai_vec3_add(c[1], c[2]));
        bend = fmax(bend, depth_at(&piece->hull, kai_vec3_scale(sum, 1.0 / 3.0), across));
        for (int k = 0; k < 3; k++) {
            const kai_vec3 middle = kai_vec3_lerp(c[k], c[(k + 1) % 3], 0.5);
            bend = fmax(bend, depth_at(&piece->hull, c[k], across));
            bend = fmax(bend, depth_at(&piece->hull, middle, across));
        }
    }
    return bend;
}

static kai_result measure(const work* w, piece_type* piece)
{
    kai_vec3 across = kai_vec3_axis(2);
    const double width = width_of(&piece->hull, &across);
    piece->bent = bend_of(piece, across) > fmax(SHARE * width, LEAST * w->bound);
    return kai_decompose_piece_measure(piece, w->mesh, w->bound, w->memory, w->err);
}

// Candidates -------------------------------------------------------------------------------------

static kai_result add_plane(work* w, kai_vec3 n, kai_vec3 at)
{
    const plane_type plane = {n, kai_vec3_dot(n, at)};
    return kai_array_append(&w->planes, w->memory, &plane, 1, w->err);
}

static kai_result add_axis_planes(work* w, const piece_type* piece)
{
    for (int axis = 0; axis < 3; axis++)
        for (int i = 1; i <= ACROSS; i++)
            KAI_TRY(add_plane(
                w, kai_vec3_axis(axis),
                kai_vec3_lerp(piece->hull.low, piece->hull.high, (double)i / (ACROSS + 1))));
    return KAI_OK;
}

// A concave edge of the mesh, and how much it hinders: its depth below the hull times its angle.
typedef struct bend {
    double weight;
    kai_vec3 middle, n[2];
} bend;

static bool in_cell(const piece_type* piece, kai_vec3 x)
{
    const plane_type* p = piece->planes.data;
    for (size_t i = 0; i < piece->planes.count; i++)
        if (kai_vec3_dot(p[i].n, x) > p[i].d) return false;
    return true;
}

// Keeps the heaviest bends, the heaviest first; of equals the first.
static void keep(bend bends[EDGES], const bend* b)
{
    int i = EDGES;
    while (i > 0 && b->weight > bends[i - 1].weight) {
        if (i < EDGES) bends[i] = bends[i - 1];
        i--;
    }
    if (i < EDGES) bends[i] = *b;
}

static void find_bends(const work* w, const piece_type* piece, bend bends[EDGES])
{
    const kai_mesh* mesh = w->mesh;
    for (uint32_t t = 0; t < mesh->triangle_count; t++)
        for (int k = 0; k < 3; k++) {
            const uint32_t other = mesh->neighbours[t][k];
            if (other == KAI_MESH_NONE || other < t || mesh->edge_flags[t] >> k & 1) continue;
            const kai_vec3 a = mesh->vertices[mesh->triangles[t][k]],
                           b = mesh->vertices[mesh->triangles[t][(k + 1) % 3]];
            bend here = {.middle = kai_vec3_lerp(a, b, 0.5),
                         .n = {kai_mesh_normal(mesh, t), kai_mesh_normal(mesh, other)}};
            const double turn = kai_vec3_distance(here.n[0], here.n[1]);
            if (turn < 1e-3 || !in_cell(piece, here.middle)) continue;
            here.weight = turn * -kai_hull_height(&piece->hull, here.middle);
            if (here.weight > bends[EDGES - 1].weight) keep(bends, &here);
        }
}

// Through a concave edge: on along either of its faces, or between them.
static kai_result add_edge_planes(work* w, const piece_type* piece)
{
    bend bends[EDGES] = {{0.0, {0.0, 0.0, 0.0}, {{0.0, 0.0, 0.0}}}};
    find_bends(w, piece, bends);
    for (int i = 0; i < EDGES && bends[i].weight > 0.0; i++) {
        const kai_vec3* n = bends[i].n;
        const kai_vec3 between = kai_vec3_sub(n[0], n[1]);
        KAI_TRY(add_plane(w, n[0], bends[i].middle));
        KAI_TRY(add_plane(w, n[1], bends[i].middle));
        KAI_TRY(add_plane(w, kai_vec3_normalize(between), bends[i].middle));
    }
    return KAI_OK;
}

// Cutting ----------------------------------------------------------------------------------------

// Neither side is a mere slice: each keeps an eighth of the bound on its side of the plane.
static bool is_fair(const work* w, const piece_type* piece, const plane_type* plane)
{
    const kai_hull* hull = &piece->hull;
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (uint32_t i = 0; i < hull->vertex_count; i++) {
        const double d = kai_vec3_dot(plane->n, hull->vertices[i]) - plane->d;
        low = fmin(low, d);
        high = fmax(high, d);
    }
    return fmin(high, -low) > 0.125 * w->bound;
}

// Planes tried on threads: each block has memory of its own, each plane a place for its cost.
typedef struct trial {
    const work* w;
    const piece_type* piece;
    const plane_type* planes;
    double* costs; // HUGE_VAL: no good, NaN: out of memory
} trial;

static void try_planes(size_t begin, size_t end, void* context)
{
    const trial* t = context;
    for (size_t i = begin; i < end; i++) {
        kai_memory memory;
        piece_type sides[2];
        bool good;
        kai_memory_init(&memory, NULL);
        t->costs[i] = HUGE_VAL;
        if (!is_fair(t->w, t->piece, &t->planes[i])) continue;
        const kai_result r = kai_decompose_piece_cut(t->piece, t->w->mesh, &t->planes[i], &memory,
                                                     sides, &good, NULL);
        if (r != KAI_OK) t->costs[i] = (double)NAN;
        if (r != KAI_OK || !good) continue;
        // A little of imbalance is paid for, so that of equal cuts the one in the middle wins.
        const double sum = sides[0].volume + sides[1].volume,
                     uneven = fabs(sides[0].volume - sides[1].volume);
        t->costs[i] = sum + 0.01 * uneven;
        for (int k = 0; k < 2; k++) kai_decompose_piece_free(&sides[k], &memory);
    }
}

// The plane that leaves the least volume, as hulls; KAI_OK and *found false when none helps.
static kai_result choose(work* w, const piece_type* piece, plane_type* out, bool* found)
{
    double best = HUGE_VAL;
    *found = false;
    w->planes.count = 0;
    KAI_TRY(add_edge_planes(w, piece));
    KAI_TRY(add_axis_planes(w, piece));
    double costs[3 * (ACROSS + EDGES)];
    trial t = {w, piece, w->planes.data, costs};
    kai_parallel_for(kai_parallel_hardware(), w->planes.count, 1, try_planes, &t);
    for (size_t i = 0; i < w->planes.count; i++) {
        if (isnan(costs[i])) return kai_error_set(w->err, KAI_ERROR_MEMORY, "mesh: out of memory");
        if (costs[i] < best * (1.0 - 1e-9)) best = costs[i], *out = t.planes[i], *found = true;
    }
    return KAI_OK;
}

// Cuts a piece in two. Where no cut can be made, it stays whole.
static kai_result split(work* w, size_t index)
{
    plane_type plane;
    bool found = false, good = false;
    piece_type sides[2];
    KAI_TRY(choose(w, (const piece_type*)w->pieces.data + index, &plane, &found));
    piece_type* piece = (piece_type*)w->pieces.data + index;
    if (found)
        KAI_TRY(kai_decompose_piece_cut(piece, w->mesh, &plane, w->memory, sides, &good, w->err));
    if (!good) {
        piece->whole = true;
        return KAI_OK;
    }
    kai_result r = KAI_OK;
    for (int k = 0; k < 2 && r == KAI_OK; k++) r = measure(w, &sides[k]);
    if (r == KAI_OK) r = kai_array_append(&w->pieces, w->memory, &sides[1], 1, w->err);
    if (r != KAI_OK) {
        for (int k = 0; k < 2; k++) kai_decompose_piece_free(&sides[k], w->memory);
        return r;
    }
    piece = (piece_type*)w->pieces.data + index;
    kai_decompose_piece_free(piece, w->memory);
    *piece = sides[0];
    return KAI_OK;
}

// The most concave piece that is not good enough yet; SIZE_MAX: none.
static size_t worst(const work* w)
{
    const piece_type* pieces = w->pieces.data;
    size_t found = SIZE_MAX;
    for (size_t i = 0; i < w->pieces.count; i++) {
        if (pieces[i].whole || !(pieces[i].concavity > w->bound || pieces[i].bent)) continue;
        if (found == SIZE_MAX || pieces[i].concavity > pieces[found].concavity) found = i;
    }
    return found;
}

static kai_result start(work* w)
{
    piece_type piece;
    bool good = false;
    kai_result r = kai_decompose_piece_make(&piece, w->mesh, w->memory, w->err);
    if (r == KAI_OK) r = kai_decompose_piece_close(&piece, w->mesh, w->memory, &good, w->err);
    if (r == KAI_OK && !good)
        r = kai_error_set(w->err, KAI_ERROR_ARGUMENT, "mesh is too thin to be decomposed");
    if (r == KAI_OK) r = measure(w, &piece);
    if (r == KAI_OK) r = kai_array_append(&w->pieces, w->memory, &piece, 1, w->err);
    if (r != KAI_OK) kai_decompose_piece_free(&piece, w->memory);
    return r;
}

static kai_result hand_over(work* w, kai_decompose_result* out)
{
    piece_type* pieces = w->pieces.data;
    const size_t count = w->pieces.count;
    out->parts = kai_memory_allocate(w->memory, count * sizeof *out->parts);
    if (!out->parts) return kai_error_set(w->err, KAI_ERROR_MEMORY, "mesh: out of memory");
    out->count = (uint32_t)count;
    out->bound = w->bound;
    double volume = 0.0;
    for (size_t i = 0; i < count; i++) {
        out->parts[i] = pieces[i].hull;
        pieces[i].hull = (kai_hull){0};
        volume += pieces[i].volume;
        out->concavity = fmax(out->concavity, pieces[i].concavity);
    }
    out->volume_error = volume / w->mesh->report.volume - 1.0;
    return KAI_OK;
}

kai_result kai_decompose(const kai_mesh* mesh, kai_memory* memory, double bound,
                         kai_decompose_result* out, kai_error* err)
{
    *out = (kai_decompose_result){0};
    KAI_TRY(kai_mesh_check_solid(mesh, err));
    const double size = kai_vec3_max_abs(kai_vec3_sub(mesh->high, mesh->low));
    if (!(bound >= 1e-4 * size))
        return kai_error_set(err, KAI_ERROR_ARGUMENT,
                             "concavity is %g m; must be at least 1e-4 of the size, %g m", bound,
                             size);
    work w = {.mesh = mesh,
              .memory = memory,
              .err = err,
              .bound = bound,
              .pieces = kai_array_make(sizeof(piece_type)),
              .planes = kai_array_make(sizeof(plane_type))};
    kai_result r = start(&w);
    while (r == KAI_OK && w.pieces.count < KAI_DECOMPOSE_PARTS && worst(&w) != SIZE_MAX)
        r = split(&w, worst(&w));
    if (r == KAI_OK) r = hand_over(&w, out);
    for (size_t i = 0; i < w.pieces.count; i++)
        kai_decompose_piece_free((piece_type*)w.pieces.data + i, memory);
    kai_array_free(&w.pieces, memory);
    kai_array_free(&w.planes, memory);
    return r;
}

void kai_decompose_free(kai_decompose_result* result, kai_memory* memory)
{
    for (uint32_t i = 0; i < result->count; i++) kai_hull_free(&result->parts[i], memory);
    kai_memory_release(memory, result->parts, result->count * sizeof *result->parts);
    *result = (kai_decompose_result){0};
}
