// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Signed distances of all convex pairs, on 10,000 random poses each, against the reference of
// reference.h: apart, touching the reach and deep inside each other.
#include "reference.h"

#include "base/memory.h"
#include "proximity/gjk.h"

enum { POSES = 10000, HULLS = 6, SEARCH_EVERY = 40 };

typedef struct fixture {
    kai_memory memory;
    kai_hull hulls[HULLS];
    kai_vec3 triangle[2][3];
} fixture;

static const char* NAME[] = {"point",     "segment",  "box",  "cylinder", "cone",
                             "ellipsoid", "triangle", "hull", "plane"};

/// Hulls of 5 … 80 points in a box: few and many corners, scanned and climbed.
static void build_hulls(fixture* f)
{
    static const size_t POINTS[HULLS] = {5, 8, 16, 30, 50, 80};
    memset(f, 0, sizeof *f);
    kai_memory_init(&f->memory, NULL);
    for (int k = 0; k < HULLS; k++) {
        kai_vec3 points[80];
        for (size_t i = 0; i < POINTS[k]; i++)
            points[i] = kai_vec3_scale(helper_random_direction(1000 * (uint64_t)k + i),
                                       0.6 + 0.2 * fabs(helper_random(i)));
        check_ok(kai_hull_build(&f->hulls[k], &f->memory, points, POINTS[k], NULL));
    }
}

static void free_hulls(fixture* f)
{
    for (int k = 0; k < HULLS; k++) kai_hull_free(&f->hulls[k], &f->memory);
}

/// A shape of about size 1; a third of them have a margin, spheres and capsules always.
static kai_geometry make(fixture* f, kai_convex_type type, uint64_t i, int which)
{
    const kai_vec3 r = helper_random_vec3(7 * i + (uint64_t)which);
    kai_geometry g = {.type = type};
    g.size = kai_vec3_make(0.2 + 0.8 * fabs(r.x), 0.2 + 0.8 * fabs(r.y), 0.2 + 0.8 * fabs(r.z));
    if (i % 3 == 0 || type == KAI_CONVEX_POINT) g.margin = 0.5 * fabs(r.x);
    if (type == KAI_CONVEX_SEGMENT) g.margin = 0.3 * fabs(r.y);
    if (type == KAI_CONVEX_TRIANGLE) {
        for (uint64_t k = 0; k < 3; k++)
            f->triangle[which][k] = helper_random_vec3(1000003 + 6 * i + 3 * (uint64_t)which + k);
        g.triangle = f->triangle[which];
    }
    if (type == KAI_CONVEX_HULL) g.hull = &f->hulls[(i + 3 * (uint64_t)which) % HULLS];
    if (type == KAI_GEOMETRY_PLANE) {
        g.size = helper_random_direction(i);
        g.margin = 0.0;
    }
    return g;
}

static reference_pair pose(const kai_geometry* a, const kai_geometry* b, uint64_t i)
{
    reference_pair p = {.a = a, .b = b};
    p.fa = kai_frame_make(helper_random_vec3(50000 + i), helper_random_rotation(2 * i));
    const kai_vec3 d =
        kai_vec3_scale(helper_random_direction(i), 2.2 * fabs(helper_random(90000 + i)));
    p.fb = kai_frame_make(kai_vec3_add(p.fa.position, d), helper_random_rotation(2 * i + 1));
    return p;
}

typedef struct worst {
    double plane;  // |s(n) - gap|
    double points; // off the surface, or not gap n apart
    double search; // deeper than what the search found
    double swap;   // of the gap when a and b change places
    int overlaps;
} worst;

/// Off the surface of the core, a point given with its margin.
static double off(const kai_geometry* g, kai_frame f, kai_vec3 x, kai_vec3 outward)
{
    const kai_vec3 core = kai_vec3_mul_add(x, outward, -g->margin);
    return reference_outside(g, kai_frame_point_from_parent(f, core));
}

static void compare(const reference_pair* p, uint64_t i, worst* w)
{
    kai_vec3 pa, pb, n, qa, qb, m;
    const double gap = kai_narrow_distance(p->a, &p->fa, p->b, &p->fb, &pa, &pb, &n);
    const double back = kai_narrow_distance(p->b, &p->fb, p->a, &p->fa, &qa, &qb, &m);
    check_near(kai_vec3_norm(n), 1.0, 1e-14, "a unit normal");
    w->swap = fmax(w->swap, fabs(gap - back));
    w->plane = fmax(w->plane, fabs(reference_gap(p, n) - gap));
    w->points = fmax(w->points, kai_vec3_distance(kai_vec3_sub(pb, pa), kai_vec3_scale(n, gap)));
    w->points = fmax(w->points, off(p->a, p->fa, pa, n));
    w->points = fmax(w->points, off(p->b, p->fb, pb, kai_vec3_neg(n)));
    if (gap >= 0.0) return;
    w->overlaps++;
    if (i % SEARCH_EVERY == 0) w->search = fmax(w->search, reference_search(p, 300, 2) - gap);
}

static bool is_round(kai_convex_type type)
{
    return type == KAI_CONVEX_CYLINDER || type == KAI_CONVEX_CONE || type == KAI_CONVEX_ELLIPSOID;
}

/// Pairs that EPA decides: those with a round core, but for points and two ellipsoids.
static bool is_iterative(kai_convex_type a, kai_convex_type b)
{
    if (a == KAI_CONVEX_POINT || (a == b && a == KAI_CONVEX_ELLIPSOID)) return false;
    return is_round(a) || is_round(b);
}

static void check_pair(fixture* f, kai_convex_type ta, kai_convex_type tb)
{
    worst w = {0.0, 0.0, 0.0, 0.0, 0};
    for (uint64_t i = 0; i < POSES; i++) {
        const kai_geometry a = make(f, ta, i, 0), b = make(f, tb, i, 1);
        const reference_pair p = pose(&a, &b, i);
        compare(&p, i, &w);
    }
    const bool iterative = is_iterative(ta, tb);
    // Closed forms and polyhedra: the bar of 1e-9 of the size. Iterative ones: 1e-6; EPA stops at
    // 1e-7 of the size, and its points are on the surface to the same.
    const double tolerance = iterative ? 1e-6 : 1e-9;
    if (getenv("NARROW_PRINT"))
        print_message("%-9s %-9s %5d overlap  s(n) %.1e  search %.1e  points %.1e  swap %.1e\n",
                      NAME[ta], NAME[tb], w.overlaps, w.plane, w.search, w.points, w.swap);
    check_near(w.plane, 0.0, iterative ? 1e-8 : 1e-9, "planes that lie the gap apart");
    check_near(w.search, 0.0, tolerance, "search over directions");
    check_near(w.points, 0.0, iterative ? 2e-5 : 1e-9, "points on both surfaces");
    check_near(w.swap, 0.0, tolerance, "symmetry");
    assert_true(w.overlaps > POSES / 20);
}

/// One test a type of a, so that a failure names it.
static void check_row(kai_convex_type ta)
{
    fixture f;
    build_hulls(&f);
    for (int tb = (int)ta; tb < KAI_CONVEX_COUNT; tb++) check_pair(&f, ta, (kai_convex_type)tb);
    free_hulls(&f);
}

static void points(void** state)
{
    (void)state;
    check_row(KAI_CONVEX_POINT);
}
static void segments(void** state)
{
    (void)state;
    check_row(KAI_CONVEX_SEGMENT);
}
static void boxes(void** state)
{
    (void)state;
    check_row(KAI_CONVEX_BOX);
}
static void cylinders(void** state)
{
    (void)state;
    check_row(KAI_CONVEX_CYLINDER);
}
static void cones(void** state)
{
    (void)state;
    check_row(KAI_CONVEX_CONE);
}
static void ellipsoids(void** state)
{
    (void)state;
    check_row(KAI_CONVEX_ELLIPSOID);
}
static void triangles(void** state)
{
    (void)state;
    check_row(KAI_CONVEX_TRIANGLE);
}
static void hulls(void** state)
{
    (void)state;
    check_row(KAI_CONVEX_HULL);
}

/// A plane's gap is the height of the lowest point above it.
static void planes(void** state)
{
    (void)state;
    fixture f;
    build_hulls(&f);
    for (int ta = 0; ta < KAI_CONVEX_COUNT; ta++) {
        for (uint64_t i = 0; i < POSES; i++) {
            const kai_geometry a = make(&f, (kai_convex_type)ta, i, 0);
            const kai_geometry b = make(&f, KAI_GEOMETRY_PLANE, i, 1);
            const reference_pair p = pose(&a, &b, i);
            kai_vec3 pa, pb, n;
            const double gap = kai_narrow_distance(&a, &p.fa, &b, &p.fb, &pa, &pb, &n);
            const kai_vec3 up = kai_quat_rotate(p.fb.rotation, b.size);
            const kai_vec3 down = kai_quat_unrotate(p.fa.rotation, kai_vec3_neg(up));
            const double height = kai_vec3_dot(up, kai_vec3_sub(p.fa.position, p.fb.position)) -
                                  reference_height(&a, down) - a.margin;
            check_near(gap, height, 1e-14 * 8.0, "height of the lowest point; rounding");
            check_vec3(n, kai_vec3_neg(up), 1e-15 * 4.0, "into the half space");
            check_near(off(&a, p.fa, pa, n), 0.0, 1e-14, "on the surface");
            check_vec3(kai_vec3_sub(pb, pa), kai_vec3_scale(n, gap), 1e-14, "gap n apart");
        }
    }
    free_hulls(&f);
}

/// Cylinders that nearly touch boxes and each other: leaps along rims end GJK after few steps. By
/// the simplex alone it takes 22 and 33 on average here, and 70 at most.
static void rims_take_few_steps(void** state)
{
    (void)state;
    const kai_geometry can = {.type = KAI_CONVEX_CYLINDER, .size = {0.8, 0.0, 0.5}};
    const kai_geometry cube = {.type = KAI_CONVEX_BOX, .size = {0.6, 0.6, 0.6}};
    for (int k = 0; k < 2; k++) {
        const kai_geometry* a = k ? &cube : &can;
        double sum = 0.0, count = 0.0;
        for (uint64_t i = 0; i < 3000; i++) {
            const kai_frame fa = {kai_vec3_zero(), helper_random_rotation(2 * i)};
            const kai_vec3 to = kai_vec3_scale(helper_random_direction(i), 3.0);
            kai_frame fb = {to, helper_random_rotation(2 * i + 1)};
            // Along the line of nearest points, to a gap of 0.02.
            kai_vec3 n;
            for (int round = 0; round < 8; round++) {
                const double gap = kai_narrow_distance(a, &fa, &can, &fb, NULL, NULL, &n);
                fb.position = kai_vec3_mul_add(fb.position, n, 0.02 - gap);
            }
            kai_narrow_pair p;
            kai_gjk_simplex simplex;
            kai_narrow_hint hint = {0, 0};
            kai_narrow_witness w = {.pointless = false};
            int steps = 0;
            kai_narrow_place(a, &fa, &can, &fb, 0.1, &p);
            if (kai_gjk_distance(&p, &simplex, &hint, &w, &steps) != KAI_GJK_NEAR) continue;
            check_near(w.gap, 0.02, 1e-9, "the gap they were moved to");
            sum += steps;
            count += 1.0;
        }
        assert_true(count > 2900.0 && sum / count < 11.0);
    }
}

/// A rotation off one of three directions by some power of ten, down to rounding.
static kai_quat lean(uint64_t i)
{
    static const double HALF = 0.70710678118654752440;
    const kai_quat start[3] = {
        {1.0, 0.0, 0.0, 0.0}, {HALF, HALF, 0.0, 0.0}, {HALF, 0.0, HALF, 0.0}};
    const double e = pow(10.0, -1.0 - 13.0 * fabs(helper_random(7000 + i)));
    const kai_vec3 r = helper_random_vec3(8000 + i);
    const kai_quat q = {1.0, e * r.x, e * r.y, i % 2 ? 2.0 * r.z : 0.0};
    return kai_quat_mul(kai_quat_normalize(q), start[i % 3]);
}

/// Separating axes of cylinders against the general way, a little apart and a little inside, turned
/// anyhow and nearly flat. Apart, GJK is good to 1e-7 on rims, and inside EPA to 1e-7 of the size;
/// both err on one side: GJK finds the distance of two points, EPA that of two planes.
static void cans_by_axes(void** state)
{
    (void)state;
    const kai_geometry can = {.type = KAI_CONVEX_CYLINDER, .size = {0.8, 0.0, 0.5}};
    const kai_geometry others[] = {{.type = KAI_CONVEX_BOX, .size = {0.6, 0.6, 0.6}},
                                   {.type = KAI_CONVEX_BOX, .size = {6.0, 0.5, 4.0}},
                                   {.type = KAI_CONVEX_BOX, .size = {0.2, 0.3, 2.0}},
                                   {.type = KAI_CONVEX_CYLINDER, .size = {0.8, 0.0, 0.5}},
                                   {.type = KAI_CONVEX_CYLINDER, .size = {3.0, 0.0, 0.2}},
                                   {.type = KAI_CONVEX_CYLINDER, .size = {0.1, 0.0, 3.0}}};
    int own = 0;
    for (uint64_t i = 0; i < 12000; i++) {
        const kai_geometry* a = &others[i / 2 % 6];
        const kai_frame fa = {kai_vec3_zero(), helper_random_rotation(2 * i)};
        const kai_quat q =
            i % 4 < 2 ? helper_random_rotation(2 * i + 1) : kai_quat_mul(fa.rotation, lean(i));
        kai_frame fb = {kai_vec3_scale(helper_random_direction(i), 9.0), q};
        const double target = 0.05 * helper_random(3000 + i);
        kai_narrow_pair p;
        kai_narrow_witness general = {.pointless = false};
        for (int round = 0; round < 8; round++) {
            kai_narrow_place(a, &fa, &can, &fb, HUGE_VAL, &p);
            kai_narrow_convex(&p, &general);
            const kai_vec3 n = kai_quat_rotate(fa.rotation, general.normal);
            fb.position = kai_vec3_mul_add(fb.position, n, target - general.gap);
        }
        kai_vec3 x, y, n;
        kai_narrow_place(a, &fa, &can, &fb, HUGE_VAL, &p);
        kai_narrow_convex(&p, &general);
        const double gap = kai_narrow_distance(a, &fa, &can, &fb, &x, &y, &n);
        const reference_pair r = {.a = a, .b = &can, .fa = fa, .fb = fb};
        check_near(gap, general.gap, gap > 0.0 ? 1e-7 : 1e-6, "the general way");
        assert_true(gap > 0.0 ? gap <= general.gap + 1e-12 : gap >= general.gap - 1e-12);
        check_near(reference_gap(&r, n), gap, 1e-8, "planes that lie the gap apart");
        // What is left to the general way has its points.
        if (gap == general.gap) continue;
        own++;
        check_near(off(a, fa, x, n), 0.0, 1e-12, "on the surface of a");
        check_near(off(&can, fb, y, kai_vec3_neg(n)), 0.0, 1e-12, "on the surface of b");
    }
    if (getenv("NARROW_PRINT")) print_message("%d of 12000 by axes\n", own);
    assert_true(own > 600);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(rims_take_few_steps),
                                       cmocka_unit_test(cans_by_axes),
                                       cmocka_unit_test(points),
                                       cmocka_unit_test(segments),
                                       cmocka_unit_test(boxes),
                                       cmocka_unit_test(cylinders),
                                       cmocka_unit_test(cones),
                                       cmocka_unit_test(ellipsoids),
                                       cmocka_unit_test(triangles),
                                       cmocka_unit_test(hulls),
                                       cmocka_unit_test(planes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
