// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "geometry/decompose_piece.h"

#include "geometry/triangle.h"

#include <stdlib.h>

typedef kai_decompose_piece piece_type;
typedef kai_decompose_piece_plane plane_type;
typedef kai_decompose_piece_triangle triangle_type;

kai_result kai_decompose_piece_make(piece_type* piece, const kai_mesh* mesh, kai_memory* memory,
                                    kai_error* err)
{
    *piece = (piece_type){.triangles = kai_array_make(sizeof(triangle_type)),
                          .planes = kai_array_make(sizeof(plane_type))};
    KAI_TRY(kai_array_resize(&piece->triangles, memory, mesh->triangle_count, err));
    triangle_type* triangles = piece->triangles.data;
    for (uint32_t t = 0; t < mesh->triangle_count; t++)
        kai_mesh_corners(mesh, t, triangles[t].corner);
    return KAI_OK;
}

void kai_decompose_piece_free(piece_type* piece, kai_memory* memory)
{
    kai_array_free(&piece->triangles, memory);
    kai_array_free(&piece->planes, memory);
    kai_hull_free(&piece->hull, memory);
}

static double size_of(const kai_mesh* mesh)
{
    return kai_vec3_max_abs(kai_vec3_sub(mesh->high, mesh->low));
}

// Inside the solid, by the side from which a ray meets the surface first; three rays vote.
static bool is_inside(const kai_mesh* mesh, kai_vec3 x)
{
    static const kai_vec3 rays[3] = {
        {0.612, 0.353, 0.707}, {-0.433, 0.75, -0.5}, {0.26, -0.9, 0.35}};
    int votes = 0;
    for (int k = 0; k < 3; k++) {
        if (k == 2 && votes != 1) break; // decided
        const kai_mesh_hit hit = kai_mesh_ray(mesh, x, rays[k], HUGE_VAL);
        if (hit.triangle == KAI_MESH_NONE) continue;
        kai_vec3 c[3];
        kai_mesh_corners(mesh, hit.triangle, c);
        const kai_vec3 n = kai_triangle_area(c);
        votes += kai_vec3_dot(n, rays[k]) > 0.0;
    }
    return votes >= 2;
}

// Cutting ----------------------------------------------------------------------------------------

// The part of a triangle on the side n · x ≤ d, as a fan. Corners within `slack` are on the plane.
static kai_result clip(const triangle_type* t, plane_type plane, double slack, kai_array* out,
                       kai_memory* memory, kai_error* err)
{
    double height[3];
    kai_vec3 ring[4];
    int n = 0, below = 0;
    for (int k = 0; k < 3; k++) {
        height[k] = kai_vec3_dot(plane.n, t->corner[k]) - plane.d;
        if (fabs(height[k]) <= slack) height[k] = 0.0;
        below += height[k] < 0.0;
    }
    // What only touches the plane belongs to neither side, but for its outline.
    if (below == 0) return KAI_OK;
    for (int k = 0; k < 3; k++) {
        const int j = (k + 1) % 3;
        if (height[k] <= 0.0) ring[n++] = t->corner[k];
        if ((height[k] < 0.0 && height[j] > 0.0) || (height[k] > 0.0 && height[j] < 0.0))
            ring[n++] =
                kai_vec3_lerp(t->corner[k], t->corner[j], height[k] / (height[k] - height[j]));
    }
    for (int k = 1; k + 1 < n; k++) {
        const triangle_type piece = {{ring[0], ring[k], ring[k + 1]}};
        KAI_TRY(kai_array_append(out, memory, &piece, 1, err));
    }
    return KAI_OK;
}

static kai_result cut_side(const piece_type* piece, const kai_mesh* mesh, plane_type plane,
                           kai_memory* memory, piece_type* out, bool* good, kai_error* err)
{
    const triangle_type* triangles = piece->triangles.data;
    const double slack = 1e-9 * size_of(mesh);
    for (size_t i = 0; i < piece->triangles.count; i++)
        KAI_TRY(clip(&triangles[i], plane, slack, &out->triangles, memory, err));
    KAI_TRY(kai_array_append(&out->planes, memory, piece->planes.data, piece->planes.count, err));
    KAI_TRY(kai_array_append(&out->planes, memory, &plane, 1, err));
    return kai_decompose_piece_close(out, mesh, memory, good, err);
}

kai_result kai_decompose_piece_cut(const piece_type* piece, const kai_mesh* mesh,
                                   const plane_type* plane, kai_memory* memory, piece_type sides[2],
                                   bool* good, kai_error* err)
{
    kai_result r = KAI_OK;
    *good = true;
    for (int k = 0; k < 2; k++)
        sides[k] = (piece_type){.triangles = kai_array_make(sizeof(triangle_type)),
                                .planes = kai_array_make(sizeof(plane_type))};
    for (int k = 0; k < 2 && r == KAI_OK && *good; k++) {
        const plane_type side = k == 0 ? *plane : (plane_type){kai_vec3_neg(plane->n), -plane->d};
        r = cut_side(piece, mesh, side, memory, &sides[k], good, err);
    }
    if (r == KAI_OK && *good) return KAI_OK;
    for (int k = 0; k < 2; k++) kai_decompose_piece_free(&sides[k], memory);
    return r;
}

// The hull ---------------------------------------------------------------------------------------

// Where three planes of the cell meet inside the solid there is a corner that no surface shows. It
// may lie on a surface that is in one of the planes: whether the solid is there is asked a trace
// inside all three.
static kai_result add_inner_corners(const piece_type* piece, const kai_mesh* mesh,
                                    kai_array* points, kai_memory* memory, kai_error* err)
{
    const plane_type* p = piece->planes.data;
    const size_t n = piece->planes.count;
    const double slack = 1e-9 * size_of(mesh);
    for (size_t i = 0; i < n; i++)
        for (size_t j = i + 1; j < n; j++)
            for (size_t k = j + 1; k < n; k++) {
                kai_mat33 inverse;
                if (!kai_mat33_inverse(kai_mat33_from_rows(p[i].n, p[j].n, p[k].n), &inverse))
                    continue;
                const kai_vec3 x =
                    kai_mat33_mul_vec(inverse, kai_vec3_make(p[i].d, p[j].d, p[k].d));
                bool inside = true;
                for (size_t m = 0; m < n && inside; m++)
                    inside = kai_vec3_dot(p[m].n, x) <= p[m].d + slack;
                const double in = 100.0 * slack;
                const kai_vec3 within = kai_mat33_mul_vec(
                    inverse, kai_vec3_make(p[i].d - in, p[j].d - in, p[k].d - in));
                if (inside && is_inside(mesh, within))
                    KAI_TRY(kai_array_append(points, memory, &x, 1, err));
            }
    return KAI_OK;
}

static int compare_points(const void* a, const void* b)
{
    const kai_vec3 *p = a, *q = b;
    if (p->x != q->x) return p->x < q->x ? -1 : 1;
    if (p->y != q->y) return p->y < q->y ? -1 : 1;
    return p->z < q->z ? -1 : p->z > q->z;
}

// Each point once: triangles share their corners, which costs Qhull time.
static void drop_equal(kai_array* points)
{
    kai_vec3* x = points->data;
    size_t kept = 0;
    qsort(x, points->count, sizeof *x, compare_points);
    for (size_t i = 0; i < points->count; i++)
        if (kept == 0 || compare_points(&x[kept - 1], &x[i]) != 0) x[kept++] = x[i];
    points->count = kept;
}

kai_result kai_decompose_piece_close(piece_type* piece, const kai_mesh* mesh, kai_memory* memory,
                                     bool* good, kai_error* err)
{
    kai_array points = kai_array_make(sizeof(kai_vec3));
    kai_result r =
        kai_array_append(&points, memory, piece->triangles.data, 3 * piece->triangles.count, err);
    if (r == KAI_OK) r = add_inner_corners(piece, mesh, &points, memory, err);
    *good = false;
    if (r == KAI_OK && points.count > 0) drop_equal(&points);
    if (r == KAI_OK && points.count >= 4) {
        r = kai_hull_build(&piece->hull, memory, points.data, points.count, err);
        *good = r == KAI_OK;
        if (r == KAI_ERROR_ARGUMENT) r = KAI_OK; // flat
    }
    kai_array_free(&points, memory);
    if (*good) piece->volume = kai_hull_mass(&piece->hull).mass;
    return r;
}

// Measuring --------------------------------------------------------------------------------------

typedef struct search {
    const piece_type* piece;
    const kai_mesh* mesh;
    double bound;
    double best;     // largest value met
    double ceiling;  // no value is larger
    kai_array stack; // triangle_type
} search;

// Far enough: what is left of this triangle does not matter. Once it is known that the piece is to
// be cut, less care is needed.
static bool settled(search* s, double most)
{
    const double slack = (s->best > s->bound ? 0.1 : 0.02) * s->bound;
    if (most > s->best + slack && most > 0.25 * s->bound) return false;
    s->ceiling = fmax(s->ceiling, most);
    return true;
}

// Cuts a triangle in two across its longest edge.
static kai_result halve(search* s, const triangle_type* t, kai_memory* memory, kai_error* err)
{
    int k = 0;
    double longest = 0.0;
    for (int i = 0; i < 3; i++) {
        const double d = kai_vec3_distance(t->corner[i], t->corner[(i + 1) % 3]);
        if (d > longest) longest = d, k = i;
    }
    const kai_vec3 a = t->corner[k], b = t->corner[(k + 1) % 3], c = t->corner[(k + 2) % 3];
    const kai_vec3 m = kai_vec3_lerp(a, b, 0.5);
    const triangle_type halves[2] = {{{a, m, c}}, {{m, b, c}}};
    return kai_array_append(&s->stack, memory, halves, 2, err);
}

// Depth of a triangle of the surface below the hull: the depth below each face is linear, so its
// largest value is at a corner, and the least of these over all faces is a bound.
static void depth_of(search* s, const triangle_type* t, double* most)
{
    const kai_hull* hull = &s->piece->hull;
    double least[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL};
    *most = HUGE_VAL;
    for (uint32_t f = 0; f < hull->face_count; f++) {
        double at_face = -HUGE_VAL;
        for (int k = 0; k < 3; k++) {
            const double d =
                hull->face_offset[f] - kai_vec3_dot(hull->face_normal[f], t->corner[k]);
            least[k] = fmin(least[k], d);
            at_face = fmax(at_face, d);
        }
        *most = fmin(*most, at_face);
    }
    s->best = fmax(s->best, fmax(least[0], fmax(least[1], least[2])));
}

// Distance of a triangle of the hull from the solid. With the middle inside, a ball around it is
// inside too. With it outside, the distance to the nearest triangle of the mesh is a convex
// function, largest at a corner; nor is it more than that of the middle and the radius.
static void reach_of(search* s, const triangle_type* t, double* most)
{
    const kai_vec3 *c = t->corner,
                   m = kai_vec3_scale(kai_vec3_add(c[0], kai_vec3_add(c[1], c[2])), 1.0 / 3.0);
    const double radius = fmax(kai_vec3_distance(c[0], m),
                               fmax(kai_vec3_distance(c[1], m), kai_vec3_distance(c[2], m)));
    double d, at_corners = 0.0;
    kai_vec3 x, f[3];
    const uint32_t nearest = kai_mesh_nearest_triangle(s->mesh, m, HUGE_VAL, &d, &x);
    kai_mesh_corners(s->mesh, nearest, f);
    for (int k = 0; k < 3; k++)
        at_corners =
            fmax(at_corners, kai_vec3_distance(kai_triangle_nearest(f[0], f[1], f[2], c[k]), c[k]));
    *most = fmin(d + radius, at_corners);
    if (*most <= fmax(s->best, 0.25 * s->bound)) return; // inside or not, it does not matter
    if (is_inside(s->mesh, m)) {
        *most = fmin(*most, fmax(0.0, radius - d));
        d = 0.0;
    }
    s->best = fmax(s->best, d);
}

static kai_result run(search* s, void (*value)(search*, const triangle_type*, double*),
                      kai_memory* memory, kai_error* err)
{
    const size_t limit = 500000; // triangles; what is then left counts with its bound
    for (size_t done = 0; s->stack.count > 0; done++) {
        const triangle_type t = ((const triangle_type*)s->stack.data)[--s->stack.count];
        double most;
        value(s, &t, &most);
        if (settled(s, most)) continue;
        if (done > limit)
            s->ceiling = fmax(s->ceiling, most);
        else
            KAI_TRY(halve(s, &t, memory, err));
    }
    return KAI_OK;
}

static kai_result push_hull(search* s, kai_memory* memory, kai_error* err)
{
    const kai_hull* hull = &s->piece->hull;
    for (uint32_t f = 0; f < hull->face_count; f++) {
        const uint32_t* ring = hull->face_vertices + hull->face_first[f];
        const uint32_t n = hull->face_first[f + 1] - hull->face_first[f];
        for (uint32_t i = 1; i + 1 < n; i++) {
            const triangle_type t = {
                {hull->vertices[ring[0]], hull->vertices[ring[i]], hull->vertices[ring[i + 1]]}};
            KAI_TRY(kai_array_append(&s->stack, memory, &t, 1, err));
        }
    }
    return KAI_OK;
}

kai_result kai_decompose_piece_measure(piece_type* piece, const kai_mesh* mesh, double bound,
                                       kai_memory* memory, kai_error* err)
{
    search s = {.piece = piece,
                .mesh = mesh,
                .bound = bound,
                .stack = kai_array_make(sizeof(triangle_type))};
    kai_result r =
        kai_array_append(&s.stack, memory, piece->triangles.data, piece->triangles.count, err);
    if (r == KAI_OK) r = run(&s, depth_of, memory, err);
    if (r == KAI_OK) r = push_hull(&s, memory, err);
    if (r == KAI_OK) r = run(&s, reach_of, memory, err);
    kai_array_free(&s.stack, memory);
    piece->concavity = fmax(s.best, s.ceiling);
    return r;
}
