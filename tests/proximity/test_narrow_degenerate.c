// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Poses that random ones never meet: centres that coincide, faces and edges exactly aligned, shapes
// that just touch, triangles without area, numbers that are not finite.
#include "reference.h"

#include "base/memory.h"

static const kai_frame HOME = {{0.0, 0.0, 0.0}, {1.0, 0.0, 0.0, 0.0}};

enum { SHAPES = 8 };

static kai_geometry shape(int k, const kai_hull* hull, const kai_vec3* triangle)
{
    const kai_geometry all[SHAPES] = {
        {.type = KAI_CONVEX_POINT, .margin = 0.5},
        {.type = KAI_CONVEX_SEGMENT, .margin = 0.25, .size = {0.0, 0.0, 0.5}},
        {.type = KAI_CONVEX_BOX, .size = {0.5, 0.5, 0.5}},
        {.type = KAI_CONVEX_CYLINDER, .size = {0.5, 0.0, 0.5}},
        {.type = KAI_CONVEX_CONE, .size = {0.5, 0.0, 0.5}},
        {.type = KAI_CONVEX_ELLIPSOID, .size = {0.5, 0.25, 1.0}},
        {.type = KAI_CONVEX_TRIANGLE, .triangle = triangle},
        {.type = KAI_CONVEX_HULL, .hull = hull},
    };
    return all[k];
}

static void build_cube(kai_hull* hull, kai_memory* memory)
{
    kai_vec3 p[8];
    for (int i = 0; i < 8; i++)
        p[i] = kai_vec3_make(i & 1 ? 0.5 : -0.5, i & 2 ? 0.5 : -0.5, i & 4 ? 0.5 : -0.5);
    check_ok(kai_hull_build(hull, memory, p, 8, NULL));
}

static bool rounded(const kai_geometry* g)
{
    return g->type == KAI_CONVEX_CYLINDER || g->type == KAI_CONVEX_CONE ||
           g->type == KAI_CONVEX_ELLIPSOID;
}

/// The answer is proved by planes and points (reference.h), and not beaten by a search.
static void check_answer(const reference_pair* p, bool search)
{
    kai_vec3 a, b, n;
    const double gap = kai_narrow_distance(p->a, &p->fa, p->b, &p->fb, &a, &b, &n);
    check_near(kai_vec3_norm(n), 1.0, 1e-12, "a unit normal");
    // The bars of iterative and of closed forms: 1e-6 and 1e-9 of the size, here about 1. Next to
    // touching, GJK knows the normals of closed forms' cores to 1e-7.
    const bool is_round = rounded(p->a) || rounded(p->b);
    check_near(reference_gap(p, n), gap, is_round ? 1e-6 : 1e-7, "planes that lie the gap apart");
    check_vec3(kai_vec3_sub(b, a), kai_vec3_scale(n, gap), 1e-9, "points that lie the gap apart");
    if (search) {
        const double found = reference_search(p, 300, 2);
        if (found > gap + 1e-6)
            print_error("types %d %d: searched %g, found %g (at %g %g %g)\n", (int)p->a->type,
                        (int)p->b->type, found, gap, p->fb.position.x, p->fb.position.y,
                        p->fb.position.z);
        assert_true(found <= gap + 1e-6);
    }
    kai_manifold m;
    kai_narrow_find(p->a, &p->fa, p->b, &p->fb, 0.1, &m);
    if (gap <= 0.1 - 1e-6) {
        assert_true(m.count > 0);
        check_near(m.contacts[0].gap, gap, 1e-6, "the deepest contact has the signed distance");
    }
    for (int i = 0; i < m.count; i++) {
        assert_true(kai_vec3_is_finite(m.contacts[i].point_a));
        assert_true(m.contacts[i].gap >= gap - 1e-6);
    }
}

/// All pairs in attitudes of right angles, at distances from coincident to just apart.
static void aligned(void** state)
{
    static const kai_vec3 TRIANGLE[3] = {{-0.5, -0.5, 0.0}, {0.5, -0.5, 0.0}, {0.0, 0.5, 0.0}};
    static const double STEP[] = {0.0, 0.5, 1.0, 1.0 + 1e-12, 1.0 - 1e-12, 1.0 + 1e-7, 1.5, 0.25};
    const double h = sqrt(0.5);
    const kai_quat turn[4] = {{1.0, 0.0, 0.0, 0.0},
                              {h, h, 0.0, 0.0},
                              {h, 0.0, h, 0.0},
                              {0.92387953251128676, 0.0, 0.0, 0.38268343236508977}};
    kai_memory memory;
    kai_hull hull;
    kai_memory_init(&memory, NULL);
    build_cube(&hull, &memory);
    for (int i = 0; i < SHAPES; i++) {
        for (int k = 0; k < SHAPES; k++) {
            const kai_geometry a = shape(i, &hull, TRIANGLE), b = shape(k, &hull, TRIANGLE);
            for (int s = 0; s < 8; s++) {
                for (int t = 0; t < 4; t++) {
                    for (int axis = 0; axis < 4; axis++) {
                        kai_vec3 d = axis < 3 ? kai_vec3_scale(kai_vec3_axis(axis), STEP[s])
                                              : kai_vec3_make(STEP[s], STEP[s], 0.0);
                        const reference_pair p = {&a, &b, HOME, kai_frame_make(d, turn[t])};
                        check_answer(&p, s == 1 && axis == 0);
                    }
                }
            }
        }
    }
    kai_hull_free(&hull, &memory);
}

/// Triangles that are segments or points.
static void thin_triangles(void** state)
{
    static const kai_vec3 LINE[3] = {{-0.5, 0.0, 0.0}, {0.0, 0.0, 0.0}, {0.5, 0.0, 0.0}};
    static const kai_vec3 DOT[3] = {{0.1, 0.2, 0.3}, {0.1, 0.2, 0.3}, {0.1, 0.2, 0.3}};
    kai_memory memory;
    kai_hull hull;
    kai_memory_init(&memory, NULL);
    build_cube(&hull, &memory);
    for (int which = 0; which < 2; which++) {
        const kai_geometry b = {.type = KAI_CONVEX_TRIANGLE, .triangle = which ? DOT : LINE};
        for (int i = 0; i < SHAPES; i++) {
            const kai_geometry a = shape(i, &hull, LINE);
            for (uint64_t s = 0; s < 50; s++) {
                const reference_pair p = {
                    &a, &b, HOME,
                    kai_frame_make(kai_vec3_scale(helper_random_vec3(s), 0.05 * (double)s),
                                   s % 2 ? helper_random_rotation(s) : kai_quat_identity())};
                kai_vec3 n;
                const double gap = kai_narrow_distance(&a, &p.fa, &b, &p.fb, NULL, NULL, &n);
                check_near(kai_vec3_norm(n), 1.0, 1e-12, "a unit normal");
                check_near(reference_gap(&p, n), gap, 1e-7, "planes that lie the gap apart");
            }
        }
    }
    kai_hull_free(&hull, &memory);
}

static void not_finite(void** state)
{
    const kai_geometry box = shape(2, NULL, NULL), egg = shape(5, NULL, NULL);
    const kai_frame bad = kai_frame_make(kai_vec3_make((double)NAN, 0.0, 0.0), kai_quat_identity());
    const kai_frame far = kai_frame_make(kai_vec3_make(HUGE_VAL, 0.0, 0.0), kai_quat_identity());
    kai_manifold m;
    for (int k = 0; k < 2; k++) {
        kai_narrow_find(&box, &HOME, &egg, k ? &bad : &far, 1.0, &m);
        assert_int_equal(m.count, 0);
        assert_true(
            isnan(kai_narrow_distance(&box, &HOME, &egg, k ? &bad : &far, NULL, NULL, NULL)));
    }
    kai_narrow_find(&box, &HOME, &box, &HOME, (double)NAN, &m);
    assert_int_equal(m.count, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(aligned), cmocka_unit_test(thin_triangles),
                                       cmocka_unit_test(not_finite)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
