// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Narrow phase: contacts of pairs, half of them overlapping by up to a tenth of their size, half
// apart by as much; beside libccd, FCL and Bullet. One thread, the same pairs for all, shapes and
// transforms made beforehand. Ours gives full manifolds, gaps, radii and persistent ids.
//
// The error is that of the depth of overlapping pairs, in units of the size (1 m): the largest, and
// the 99th of 100. References are independent of all of them: every separating axis for polyhedra,
// a search over directions (nested golden sections) for ellipsoids, the height of the lowest corner
// above the plane for the flat mesh.
#include "common.h"

#include "base/clock.h"
#include "base/memory.h"
#include "geometry/hull.h"
#include "geometry/mesh.h"
#include "peers/narrow.h"
#include "proximity/narrow.h"

#include <kairos/random.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PAIRS = 4096, SHAPES = 32, GRID = 101, SEED = 7 };

static const narrow_peer* const PEERS[] = {
#ifdef KAIROS_PEER_CCD
    &narrow_ccd_epa,
    &narrow_ccd_mpr,
#endif
#ifdef KAIROS_PEER_FCL
    &narrow_fcl,
    &narrow_fcl_indep,
#endif
#ifdef KAIROS_PEER_BULLET_NARROW
    &narrow_bullet,
#endif
    NULL};

typedef struct scene {
    kai_memory memory;
    narrow_task task;
    narrow_shape shapes[SHAPES];
    narrow_pair pairs[PAIRS];
    kai_geometry geometry[SHAPES];
    kai_hull hulls[SHAPES];
    kai_mesh mesh;
    bool flat;
    kai_frame frame[PAIRS][2];
    double exact[PAIRS]; // NaN: not known
} scene;

static double uniform(uint64_t stream, uint64_t i) { return kai_random_uniform(SEED, stream, i); }

// Reference --------------------------------------------------------------------------------------

static double height(const kai_geometry* g, kai_vec3 d)
{
    const kai_vec3 s = g->size;
    double most = -HUGE_VAL;
    if (g->type == KAI_CONVEX_BOX) return s.x * fabs(d.x) + s.y * fabs(d.y) + s.z * fabs(d.z);
    if (g->type == KAI_CONVEX_ELLIPSOID)
        return kai_vec3_norm(kai_vec3_make(s.x * d.x, s.y * d.y, s.z * d.z));
    for (uint32_t i = 0; i < g->hull->vertex_count; i++)
        most = fmax(most, kai_vec3_dot(g->hull->vertices[i], d));
    return most;
}

typedef struct placed {
    const kai_geometry *a, *b;
    kai_mat33 ra, rb;
    kai_vec3 d;
} placed;

/// Width of the gap between the support planes with normal n, of any length.
static double width(const placed* p, kai_vec3 n)
{
    n = kai_vec3_normalize(n);
    return kai_vec3_dot(n, p->d) - height(p->a, kai_mat33_transpose_mul_vec(p->ra, n)) -
           height(p->b, kai_mat33_transpose_mul_vec(p->rb, kai_vec3_neg(n)));
}

static double golden(const placed* p, kai_vec3 n, kai_vec3 u, kai_vec3 v, double w, bool inner)
{
    double low = -w, high = w, best = -HUGE_VAL;
    for (int k = 0; k < 36; k++) {
        const double x = high - 0.61803398874989485 * (high - low);
        const double y = low + 0.61803398874989485 * (high - low);
        const kai_vec3 nx = kai_vec3_mul_add(n, u, x), ny = kai_vec3_mul_add(n, u, y);
        const double fx = inner ? width(p, nx) : golden(p, nx, v, v, w, true);
        const double fy = inner ? width(p, ny) : golden(p, ny, v, v, w, true);
        best = fmax(best, fmax(fx, fy));
        if (fx > fy)
            high = y;
        else
            low = x;
    }
    return best;
}

static double search(const placed* p)
{
    enum { DIRECTIONS = 1000 };
    kai_vec3 top = kai_vec3_axis(0);
    double best = -HUGE_VAL;
    for (int i = 0; i < DIRECTIONS; i++) {
        const kai_vec3 n = kai_random_direction(SEED, 90, (uint64_t)i);
        const double s = width(p, n);
        if (s <= best) continue;
        best = s;
        top = n;
    }
    const kai_vec3 u = kai_vec3_perpendicular(top);
    return fmax(best, golden(p, top, u, kai_vec3_cross(top, u), 0.15, false));
}

/// Axes of a polyhedron in the world: normals of its faces, or directions of its edges.
static int list_axes(const kai_geometry* g, const kai_mat33* r, bool edges, kai_vec3* out)
{
    int n = 0;
    if (g->type == KAI_CONVEX_BOX) {
        for (int i = 0; i < 3; i++) out[n++] = kai_mat33_column(*r, i);
        return n;
    }
    const kai_hull* h = g->hull;
    for (uint32_t i = 0; !edges && i < h->face_count; i++)
        out[n++] = kai_mat33_mul_vec(*r, h->face_normal[i]);
    for (uint32_t i = 0; edges && i < h->vertex_count; i++) {
        for (uint32_t k = h->neighbour_first[i]; k < h->neighbour_first[i + 1]; k++) {
            if (h->neighbours[k] > i)
                out[n++] = kai_mat33_mul_vec(
                    *r, kai_vec3_sub(h->vertices[h->neighbours[k]], h->vertices[i]));
        }
    }
    return n;
}

/// Overlapping polyhedra: every axis there is.
static double all_axes(const placed* p)
{
    kai_vec3 a[600], b[600];
    double best = -HUGE_VAL;
    const int na = list_axes(p->a, &p->ra, false, a), nb = list_axes(p->b, &p->rb, false, b);
    for (int i = 0; i < na; i++)
        best = fmax(best, fmax(width(p, a[i]), width(p, kai_vec3_neg(a[i]))));
    for (int i = 0; i < nb; i++)
        best = fmax(best, fmax(width(p, b[i]), width(p, kai_vec3_neg(b[i]))));
    const int ea = list_axes(p->a, &p->ra, true, a), eb = list_axes(p->b, &p->rb, true, b);
    for (int i = 0; i < ea; i++) {
        for (int k = 0; k < eb; k++) {
            const kai_vec3 n = kai_vec3_cross(a[i], b[k]);
            if (!(kai_vec3_norm2(n) > 1e-14)) continue;
            const double side = kai_vec3_dot(n, p->d) < 0.0 ? -1.0 : 1.0;
            best = fmax(best, width(p, kai_vec3_scale(n, side)));
        }
    }
    return best;
}

/// How many pairs have a reference: those of large hulls take long.
static uint64_t every(const kai_geometry* g)
{
    return g->type != KAI_CONVEX_HULL ? 16 : g->hull->vertex_count < 50 ? 64 : PAIRS;
}

// Scenes -----------------------------------------------------------------------------------------

static void make_hull(scene* s, int k, int points)
{
    kai_vec3 p[256];
    kai_hull* h = &s->hulls[k];
    for (int i = 0; i < points; i++) {
        const kai_vec3 d = kai_random_direction(SEED, 10, (uint64_t)(k * 256 + i));
        p[i] = kai_vec3_make(0.5 * d.x, 0.4 * d.y, 0.35 * d.z);
    }
    if (kai_hull_build(h, &s->memory, p, (size_t)points, NULL) != KAI_OK) exit(1);
    const int ints = (int)(h->face_first[h->face_count] + h->face_count);
    int *faces = malloc((size_t)ints * sizeof *faces), n = 0;
    if (!faces) exit(1);
    for (uint32_t f = 0; f < h->face_count; f++) {
        faces[n++] = (int)(h->face_first[f + 1] - h->face_first[f]);
        for (uint32_t i = h->face_first[f]; i < h->face_first[f + 1]; i++)
            faces[n++] = (int)h->face_vertices[i];
    }
    s->shapes[k] = (narrow_shape){.vertex_count = (int)h->vertex_count,
                                  .face_count = (int)h->face_count,
                                  .vertices = &h->vertices[0].x,
                                  .faces = faces,
                                  .face_ints = ints};
    s->geometry[k] = (kai_geometry){.type = KAI_CONVEX_HULL, .hull = h};
}

static void make_shapes(scene* s, narrow_kind kind, int points)
{
    for (int k = 0; k < SHAPES; k++) {
        if (kind == NARROW_HULL || kind == NARROW_MESH) {
            make_hull(s, k, points);
            continue;
        }
        double* x = s->shapes[k].size;
        for (int i = 0; i < 3; i++) x[i] = 0.2 + 0.3 * uniform(11, (uint64_t)(3 * k + i));
        s->geometry[k] =
            (kai_geometry){.type = kind == NARROW_BOX ? KAI_CONVEX_BOX : KAI_CONVEX_ELLIPSOID,
                           .size = {x[0], x[1], x[2]}};
    }
}

static narrow_pose pose(const kai_frame* f)
{
    return (narrow_pose){{f->position.x, f->position.y, f->position.z},
                         {f->rotation.w, f->rotation.x, f->rotation.y, f->rotation.z}};
}

/// Moves b along a line until the gap is as wanted.
static void make_pair(scene* s, uint64_t i)
{
    const int a = (int)(i % SHAPES), b = (int)((7 * i + 3) % SHAPES);
    const kai_geometry *ga = &s->geometry[a], *gb = &s->geometry[b];
    const kai_vec3 u = kai_random_direction(SEED, 12, i);
    const double wanted = 0.2 * uniform(13, i) - 0.1;
    kai_frame* f = s->frame[i];
    double d = 0.8;
    f[0] = kai_frame_make(kai_random_direction(SEED, 14, i), kai_random_rotation(SEED, 15, i));
    f[1].rotation = kai_random_rotation(SEED, 16, i);
    for (int k = 0; k < 20; k++) {
        kai_vec3 n;
        f[1].position = kai_vec3_mul_add(f[0].position, u, d);
        const double gap = kai_narrow_distance(ga, &f[0], gb, &f[1], NULL, NULL, &n);
        if (k < 19) d -= (gap - wanted) / fmax(kai_vec3_dot(n, u), 0.5);
    }
    const placed p = {ga, gb, kai_quat_to_mat33(f[0].rotation), kai_quat_to_mat33(f[1].rotation),
                      kai_vec3_sub(f[1].position, f[0].position)};
    s->exact[i] = (double)NAN;
    if (wanted < 0.0 && i % every(ga) == 0)
        s->exact[i] = ga->type == KAI_CONVEX_ELLIPSOID ? search(&p) : all_axes(&p);
    s->pairs[i] = (narrow_pair){a, b, pose(&f[0]), pose(&f[1])};
}

static double ground(const scene* s, double x, double y)
{
    return s->flat ? 0.0 : 0.4 * sin(1.3 * x) * cos(1.1 * y);
}

static void make_mesh(scene* s)
{
    static kai_vec3 points[GRID * GRID];
    static uint32_t triangles[2 * GRID * GRID][3];
    static int copy[6 * GRID * GRID];
    size_t count = 0;
    for (uint32_t i = 0; i < GRID; i++) {
        for (uint32_t k = 0; k < GRID; k++) {
            const uint32_t a = i * GRID + k;
            const double x = 0.2 * k - 10.0 + 0.08 * uniform(17, a);
            const double y = 0.2 * i - 10.0 + 0.08 * uniform(18, a);
            points[a] = kai_vec3_make(x, y, ground(s, x, y));
            if (i + 1 == GRID || k + 1 == GRID) continue;
            const uint32_t t[2][3] = {{a, a + 1, a + GRID + 1}, {a, a + GRID + 1, a + GRID}};
            memcpy(triangles[count], t, sizeof t);
            count += 2;
        }
    }
    if (kai_mesh_build(&s->mesh, &s->memory, points, GRID * GRID, (const uint32_t(*)[3])triangles,
                       count, 0.0, NULL) != KAI_OK)
        exit(1);
    for (size_t i = 0; i < 3 * count; i++) copy[i] = (int)triangles[i / 3][i % 3];
    s->task.vertex_count = GRID * GRID;
    s->task.triangle_count = (int)count;
    s->task.vertices = &points[0].x;
    s->task.triangles = copy;
}

static void make_mesh_pair(scene* s, uint64_t i)
{
    const int a = (int)(i % SHAPES);
    const kai_geometry* g = &s->geometry[a];
    kai_frame* f = s->frame[i];
    const double x = 18.0 * uniform(19, i) - 9.0, y = 18.0 * uniform(20, i) - 9.0;
    f[0].rotation = kai_random_rotation(SEED, 21, i);
    f[1] = kai_frame_identity();
    const double low = height(g, kai_quat_unrotate(f[0].rotation, kai_vec3_make(0.0, 0.0, -1.0)));
    const double gap = 0.1 * uniform(22, i) - 0.05;
    f[0].position = kai_vec3_make(x, y, ground(s, x, y) + low + gap);
    s->exact[i] = s->flat ? gap : (double)NAN;
    s->pairs[i] = (narrow_pair){a, 0, pose(&f[0]), pose(&f[1])};
}

static scene* make_scene(const char* name, narrow_kind kind, int points, bool flat)
{
    scene* s = calloc(1, sizeof *s);
    if (!s) exit(1);
    kai_memory_init(&s->memory, NULL);
    s->flat = flat;
    make_shapes(s, kind, points);
    if (kind == NARROW_MESH) make_mesh(s);
    for (uint64_t i = 0; i < PAIRS; i++) {
        if (kind == NARROW_MESH)
            make_mesh_pair(s, i);
        else
            make_pair(s, i);
    }
    s->task.name = name;
    s->task.kind = kind;
    s->task.shape_count = SHAPES;
    s->task.pair_count = PAIRS;
    s->task.shapes = s->shapes;
    s->task.pairs = s->pairs;
    return s;
}

static void free_scene(scene* s)
{
    for (int k = 0; k < SHAPES; k++) {
        kai_hull_free(&s->hulls[k], &s->memory);
        free((void*)(uintptr_t)s->shapes[k].faces);
    }
    kai_mesh_free(&s->mesh, &s->memory);
    free(s);
}

// Runs -------------------------------------------------------------------------------------------

/// Some pairs at a time, as the pipeline does (proximity.c).
static void run_ours(scene* s, double* gap)
{
    enum { SOME = 16 };
    const kai_geometry mesh = {.type = KAI_GEOMETRY_MESH, .mesh = &s->mesh};
    const bool on_mesh = s->task.kind == NARROW_MESH;
    for (int i = 0; i < PAIRS; i += SOME) {
        kai_narrow_request q[SOME];
        kai_manifold m[SOME];
        for (int k = 0; k < SOME; k++)
            q[k] = (kai_narrow_request){&s->geometry[s->pairs[i + k].a],
                                        on_mesh ? &mesh : &s->geometry[s->pairs[i + k].b],
                                        &s->frame[i + k][0], &s->frame[i + k][1], 0.0};
        kai_narrow_find_many(q, SOME, 0.0, m);
        for (int k = 0; k < SOME; k++)
            gap[i + k] = m[k].count > 0 ? m[k].contacts[0].gap : HUGE_VAL;
    }
}

typedef struct figures {
    double rate;         // pairs a second, the best of all repetitions
    double worst, usual; // errors of the depth
    int missed;          // overlapping by more than 1e-3, and not found
} figures;

static int ascending(const void* a, const void* b)
{
    const double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

static void judge(const scene* s, const double* gap, figures* f)
{
    double errors[PAIRS];
    size_t n = 0;
    f->missed = 0;
    for (int i = 0; i < PAIRS; i++) {
        if (!(s->exact[i] < -1e-3)) continue;
        if (gap[i] == HUGE_VAL)
            f->missed++;
        else
            errors[n++] = fabs(gap[i] - s->exact[i]);
    }
    qsort(errors, n, sizeof *errors, ascending);
    f->worst = n ? errors[n - 1] : (double)NAN;
    f->usual = n ? errors[n * 99 / 100] : (double)NAN;
}

static void print(const common_options* o, const char* task, const char* engine, const char* method,
                  const figures* f, double ours)
{
    printf("  %-16s %-8s %-14s %10.0f  %7.2f  %9.1e  %9.1e  %6d\n", task, engine, method, f->rate,
           ours / f->rate, f->worst, f->usual, f->missed);
    if (o->csv)
        fprintf(o->csv, "narrow,%s,%s,%s,%.5g,%.4g,%.3g,%.3g,%d\n", task, engine, method, f->rate,
                ours / f->rate, f->worst, f->usual, f->missed);
}

static void compare(const common_options* o, const char* name, narrow_kind kind, int points,
                    bool flat)
{
    if (!common_wanted(o, name)) return;
    enum { MOST = 8 };
    scene* s = make_scene(name, kind, points, flat);
    void* peers[MOST];
    figures f[MOST + 1] = {{0}};
    double gap[PAIRS];
    int count = 0;
    for (; PEERS[count]; count++)
        peers[count] = PEERS[count]->can(kind) ? PEERS[count]->create(&s->task) : NULL;
    for (int k = 0; k <= count; k++) f[k].rate = 0.0;
    // In turn, so that a busy moment of the machine hits all alike.
    for (int r = 0; r < o->repetitions; r++) {
        for (int k = 0; k <= count; k++) {
            if (k > 0 && !peers[k - 1]) continue;
            const double began = kai_clock_now();
            if (k == 0)
                run_ours(s, gap);
            else
                PEERS[k - 1]->run(peers[k - 1], gap);
            f[k].rate = fmax(f[k].rate, PAIRS / (kai_clock_now() - began));
            if (r == 0) judge(s, gap, &f[k]);
        }
    }
    print(o, name, "Kairos", "", &f[0], f[0].rate);
    for (int k = 1; k <= count; k++) {
        if (!peers[k - 1]) continue;
        print(o, name, PEERS[k - 1]->engine, PEERS[k - 1]->method, &f[k], f[0].rate);
        PEERS[k - 1]->destroy(peers[k - 1]);
    }
    free_scene(s);
}

int main(int argc, char** argv)
{
    const common_options o = common_read_options(
        argc, argv, "bench_narrow: contacts of pairs, beside libccd, FCL and Bullet");
    printf("narrow phase, 1 thread, %d pairs, half of them overlap\n"
           "  pairs            library  method         pairs / s  ours  ×  worst, m   99 %%, m   "
           "missed\n",
           PAIRS);
    if (o.csv)
        fprintf(o.csv, "benchmark,pairs,library,method,pairs_per_s,ratio,worst_m,p99_m,missed\n");
    compare(&o, "box-box", NARROW_BOX, 0, false);
    compare(&o, "hull-hull", NARROW_HULL, 30, false);
    compare(&o, "hull-hull-200", NARROW_HULL, 200, false);
    compare(&o, "ellipsoids", NARROW_ELLIPSOID, 0, false);
    compare(&o, "mesh-hull", NARROW_MESH, 30, false);
    compare(&o, "flat-mesh-hull", NARROW_MESH, 30, true);
    if (!PEERS[0])
        printf("  peers: not built in: need Debian's libccd-dev, libfcl-dev, libbullet-dev\n");
    if (o.csv) fclose(o.csv);
    return 0;
}
