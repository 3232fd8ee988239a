// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Manifolds of convex pairs and planes: how many points, where, with which gaps, ids and radii.
#include "reference.h"

#include "base/memory.h"

static const kai_frame HOME = {{0.0, 0.0, 0.0}, {1.0, 0.0, 0.0, 0.0}};

static kai_frame at(double x, double y, double z)
{
    return kai_frame_make(kai_vec3_make(x, y, z), kai_quat_identity());
}

static kai_frame turned(double x, double y, double z, kai_vec3 axis, double angle)
{
    return kai_frame_make(kai_vec3_make(x, y, z), kai_quat_from_axis_angle(axis, angle));
}

static kai_geometry make_box(double x, double y, double z)
{
    return (kai_geometry){.type = KAI_CONVEX_BOX, .size = {x, y, z}};
}

static kai_geometry make_round(kai_convex_type type, double radius, double half)
{
    return (kai_geometry){.type = type, .size = {radius, 0.0, half}};
}

static kai_geometry make_ball(double radius)
{
    return (kai_geometry){.type = KAI_CONVEX_POINT, .margin = radius};
}

static kai_geometry make_capsule(double radius, double half)
{
    return (kai_geometry){.type = KAI_CONVEX_SEGMENT, .margin = radius, .size = {0.0, 0.0, half}};
}

static const kai_geometry GROUND = {.type = KAI_GEOMETRY_PLANE, .size = {0.0, 0.0, 1.0}};

/// Area of the shadow of the points on the x y plane, by its hull: gift wrapping.
static double area(const kai_manifold* m)
{
    int first = 0, now, count = 0;
    double twice = 0.0;
    for (int i = 1; i < m->count; i++) {
        if (m->contacts[i].point_a.x < m->contacts[first].point_a.x) first = i;
    }
    now = first;
    do {
        int next = now == 0 ? 1 : 0;
        const kai_vec3 p = m->contacts[now].point_a;
        for (int i = 0; i < m->count; i++) {
            const kai_vec3 q = m->contacts[next].point_a, r = m->contacts[i].point_a;
            if ((q.x - p.x) * (r.y - p.y) - (q.y - p.y) * (r.x - p.x) < -1e-12) next = i;
        }
        const kai_vec3 q = m->contacts[next].point_a;
        twice += p.x * q.y - p.y * q.x;
        now = next;
    } while (now != first && count++ < 16);
    return 0.5 * fabs(twice);
}

static void check_gaps(const kai_manifold* m, double gap, kai_vec3 normal)
{
    for (int i = 0; i < m->count; i++) {
        const kai_contact* c = &m->contacts[i];
        check_near(c->gap, gap, 1e-12, "flat contact: one gap");
        check_vec3(c->normal, normal, 1e-12, "flat contact: one normal");
        check_vec3(kai_vec3_sub(c->point_b, c->point_a), kai_vec3_scale(c->normal, c->gap), 1e-12,
                   "gap n apart");
        for (int k = 0; k < i; k++) assert_int_not_equal(c->feature, m->contacts[k].feature);
    }
}

// Boxes ------------------------------------------------------------------------------------------

static void box_on_box(void** state)
{
    const kai_geometry a = make_box(1.0, 1.0, 0.5), b = make_box(0.5, 0.5, 0.5);
    const kai_vec3 up = kai_vec3_axis(2);
    kai_manifold m;
    for (int k = -1; k <= 1; k++) {
        const double gap = 1e-3 * k;
        const kai_frame f = at(0.1, -0.2, 1.0 + gap);
        kai_narrow_find(&a, &HOME, &b, &f, 0.01, &m);
        assert_int_equal(m.count, 4);
        check_gaps(&m, gap, up);
        check_near(area(&m), 1.0, 1e-12, "the whole lower face");
        assert_true(isinf(m.contacts[0].radius_a) && isinf(m.contacts[0].radius_b));
        // Hanging over: the overlap is half the face.
        const kai_frame over = at(1.0, 0.0, 1.0 + gap);
        kai_narrow_find(&a, &HOME, &b, &over, 0.01, &m);
        assert_int_equal(m.count, 4);
        check_gaps(&m, gap, up);
        check_near(area(&m), 0.5, 1e-9, "half of the lower face");
        // Turned by 45 degrees, as large as the other: an octagon.
        const kai_geometry c = make_box(1.0, 1.0, 0.5);
        const kai_frame turn = turned(0.0, 0.0, 1.0 + gap, up, 0.25 * KAI_PI);
        kai_narrow_find(&a, &HOME, &c, &turn, 0.01, &m);
        assert_int_equal(m.count, 8);
        check_gaps(&m, gap, up);
        check_near(area(&m), 8.0 * (sqrt(2.0) - 1.0), 1e-9, "a regular octagon of inradius 1");
    }
    // Exactly one above the other, all edges aligned.
    const kai_frame f = at(0.0, 0.0, 1.0);
    kai_narrow_find(&a, &HOME, &a, &f, 0.01, &m);
    assert_int_equal(m.count, 4);
    check_gaps(&m, 0.0, up);
    check_near(area(&m), 4.0, 1e-9, "both faces");
}

/// A box that rests on another, turned against it and leaning by less than can be seen, has all
/// corners of the overlap as contacts, and they keep their names whether it overlaps or not.
static void box_leans_on_box(void** state)
{
    (void)state;
    const kai_geometry a = make_box(1.0, 1.0, 0.5);
    const double sine = sin(0.06), cosine = cos(0.06);
    uint32_t names[8] = {0};
    for (int k = 0; k < 200; k++) {
        const double lean = pow(10.0, -12.0 + 0.05 * k), gap = 0.5 * lean * (k % 3 - 1);
        const kai_vec3 axis = kai_vec3_make(sin(1.7 * k), cos(1.7 * k), 0.0);
        const kai_quat turn = kai_quat_from_axis_angle(kai_vec3_axis(2), 0.06);
        const kai_frame f =
            kai_frame_make(kai_vec3_make(0.0, 0.0, 1.0 + gap),
                           kai_quat_mul(kai_quat_from_axis_angle(axis, lean), turn));
        kai_manifold m;
        kai_narrow_find(&a, &HOME, &a, &f, 0.05, &m);
        assert_int_equal(m.count, 8);
        // A corner sticks out by t = sin φ + cos φ - 1 and loses t² / (2 sin φ cos φ).
        const double t = (cosine + sine - 1.0), lost = 4.0 * 0.5 * t * t / (sine * cosine);
        check_near(area(&m), 4.0 - lost, 4.0 * lean + 1e-9, "the octagon of two turned squares");
        for (int i = 0; i < 8; i++) {
            int found = 0;
            for (int j = 0; j < 8; j++) found += k == 0 || names[j] == m.contacts[i].feature;
            assert_true(found > 0);
        }
        for (int i = 0; i < 8 && k == 0; i++) names[i] = m.contacts[i].feature;
    }
}

/// Boxes that lean on each other by less than 2 degrees, turned and shifted so that edges decide,
/// up to depths of a third of a box: the deepest contact is as deep as the boxes are, along the
/// normal of least depth, and every point lies on both boxes' faces. It is still a face they rest
/// on.
static void box_leans_deeply(void** state)
{
    (void)state;
    const kai_geometry a = make_box(1.0, 1.0, 0.5);
    int leaning = 0;
    for (uint64_t k = 0; k < 20000; k++) {
        const double lean = 0.034 * fabs(helper_random(k)), turn = helper_random(k + 30000);
        const kai_vec3 axis = kai_vec3_make(sin(1.7 * (double)k), cos(1.7 * (double)k), 0.0);
        const kai_geometry b =
            make_box(1.0 + 0.2 * helper_random(k + 40000), 1.0, 0.3 + 0.1 * helper_random(k));
        const kai_vec3 to = {0.1 * helper_random(k + 50000), 0.1 * helper_random(k + 60000),
                             0.5 + b.size.z - 0.3 * fabs(helper_random(k + 70000))};
        const kai_frame f =
            kai_frame_make(to, kai_quat_mul(kai_quat_from_axis_angle(axis, lean),
                                            kai_quat_from_axis_angle(kai_vec3_axis(2), turn)));
        kai_manifold m;
        kai_vec3 n;
        kai_narrow_find(&a, &HOME, &b, &f, 0.05, &m);
        const double gap = kai_narrow_distance(&a, &HOME, &b, &f, NULL, NULL, &n);
        if (gap > 0.0) continue;
        assert_true(m.count >= 1);
        // Of the size, 1: the bar of analytic pairs.
        check_near(m.contacts[0].gap, gap, 1e-9, "the depth of separating axes");
        const bool edges = n.z < 1.0 - 1e-12 && kai_quat_unrotate(f.rotation, n).z < 1.0 - 1e-12;
        leaning += edges;
        if (edges) assert_true(m.count >= 4);
        for (int i = 0; i < m.count; i++) {
            const kai_contact* c = &m.contacts[i];
            check_near(kai_vec3_norm(c->normal), 1.0, 1e-12, "unit normal");
            check_vec3(kai_vec3_sub(c->point_b, c->point_a), kai_vec3_scale(c->normal, c->gap),
                       1e-12, "the gap between the points");
            const kai_vec3 x = kai_frame_point_from_parent(f, c->point_b);
            check_near(fabs(c->point_a.z), 0.5, 1e-9, "on the face of a");
            check_near(fabs(x.z), b.size.z, 1e-9, "on the face of b");
        }
    }
    assert_true(leaning > 1000);
}

static void box_edge_on_edge(void** state)
{
    // Two crossed edges, turned by 45 degrees about their own length: 2 √2 from centre to centre.
    const kai_geometry a = make_box(1.0, 1.0, 1.0);
    const kai_quat q = kai_quat_from_axis_angle(kai_vec3_axis(0), 0.25 * KAI_PI);
    const kai_quat r = kai_quat_from_axis_angle(kai_vec3_axis(1), 0.25 * KAI_PI);
    for (int k = -1; k <= 1; k++) {
        const double gap = 0.01 * k;
        kai_manifold m;
        const kai_frame fa = kai_frame_make(kai_vec3_zero(), q);
        const kai_frame fb = kai_frame_make(kai_vec3_make(0.0, 0.0, 2.0 * sqrt(2.0) + gap), r);
        kai_narrow_find(&a, &fa, &a, &fb, 0.02, &m);
        assert_int_equal(m.count, 1);
        check_near(m.contacts[0].gap, gap, 1e-12, "two edges above each other");
        check_vec3(m.contacts[0].normal, kai_vec3_axis(2), 1e-12, "across both edges");
        check_vec3(m.contacts[0].point_a, kai_vec3_make(0.0, 0.0, sqrt(2.0)), 1e-12, "crossing");
        check_near(m.contacts[0].radius_a, 0.0, 0.0, "sharp");
    }
}

static void features_persist(void** state)
{
    // A box that slides and tilts a little keeps the names of its four corners.
    const kai_geometry a = make_box(2.0, 2.0, 0.5), b = make_box(0.5, 0.5, 0.5);
    uint32_t names[4] = {0, 0, 0, 0};
    for (int k = 0; k < 200; k++) {
        kai_manifold m;
        const kai_frame f =
            kai_frame_make(kai_vec3_make(0.3 + 1e-3 * k, 0.1, 1.0 - 1e-4 + 1e-6 * sin(k)),
                           kai_quat_from_rotation_vector(
                               kai_vec3_make(1e-5 * sin(3.0 * k), 1e-5 * cos(2.0 * k), 1e-3 * k)));
        kai_narrow_find(&a, &HOME, &b, &f, 0.01, &m);
        assert_int_equal(m.count, 4);
        for (int i = 0; i < 4; i++) {
            bool known = false;
            for (int j = 0; j < 4; j++) known = known || names[j] == m.contacts[i].feature;
            if (k == 0)
                names[i] = m.contacts[i].feature;
            else
                assert_true(known);
        }
    }
}

// Round shapes -----------------------------------------------------------------------------------

static void cylinder_on_box(void** state)
{
    const kai_geometry a = make_box(2.0, 2.0, 0.5);
    const kai_geometry c = make_round(KAI_CONVEX_CYLINDER, 0.3, 0.6);
    kai_manifold m;
    for (int k = -1; k <= 1; k++) {
        const double gap = 1e-3 * k;
        // On its side.
        const kai_frame side = turned(0.1, 0.2, 0.8 + gap, kai_vec3_axis(1), 0.5 * KAI_PI);
        kai_narrow_find(&a, &HOME, &c, &side, 0.01, &m);
        assert_int_equal(m.count, 2);
        check_near(m.contacts[0].gap, gap, 1e-6, "EPA's bound");
        check_near(m.contacts[1].gap, gap, 1e-6, "EPA's bound");
        check_near(kai_vec3_distance(m.contacts[0].point_a, m.contacts[1].point_a), 1.2, 1e-3,
                   "its length");
        check_near(m.contacts[0].radius_b, 0.3, 0.0, "radius of the cylinder");
        // On its cap.
        const kai_frame cap = at(0.1, 0.2, 1.1 + gap);
        kai_narrow_find(&a, &HOME, &c, &cap, 0.01, &m);
        assert_true(m.count >= 4);
        check_near(area(&m), 2.0 * sqrt(2.0) * 0.09, 1e-3, "an octagon in the cap");
        for (int i = 0; i < m.count; i++) check_near(m.contacts[i].gap, gap, 1e-6, "flat");
    }
}

static void round_on_plane(void** state)
{
    kai_manifold m;
    const kai_geometry c = make_round(KAI_CONVEX_CYLINDER, 0.3, 0.6);
    const kai_frame side = turned(0.1, 0.2, 0.3 - 1e-3, kai_vec3_axis(1), 0.5 * KAI_PI);
    kai_narrow_find(&c, &side, &GROUND, &HOME, 0.01, &m);
    assert_int_equal(m.count, 2);
    check_gaps(&m, -1e-3, kai_vec3_make(0.0, 0.0, -1.0));
    check_near(fabs(m.contacts[0].point_a.x - m.contacts[1].point_a.x), 1.2, 1e-12, "its length");
    check_near(m.contacts[0].radius_a, 0.3, 0.0, "radius");
    const kai_frame cap = at(0.1, 0.2, 0.6);
    kai_narrow_find(&c, &cap, &GROUND, &HOME, 0.01, &m);
    assert_int_equal(m.count, 4);
    check_gaps(&m, 0.0, kai_vec3_make(0.0, 0.0, -1.0));
    check_near(area(&m), 2.0 * 0.09, 1e-12, "a square in the cap");
    // Tilted: the lowest point of the rim is exact, and first.
    const double tilt = 0.02;
    const kai_frame lean = turned(0.0, 0.0, 0.6, kai_vec3_make(1.0, 1.0, 0.0), tilt);
    kai_narrow_find(&c, &lean, &GROUND, &HOME, 0.1, &m);
    assert_int_equal(m.count, 4);
    check_near(m.contacts[0].gap, 0.6 - 0.6 * cos(tilt) - 0.3 * sin(tilt), 1e-14, "lowest point");
    // A cone on its side touches along a line, on its base over an area.
    const kai_geometry cone = make_round(KAI_CONVEX_CONE, 0.3, 0.6);
    const double slope = atan2(0.3, 1.2), height = 0.6 * sin(slope);
    const kai_frame down = turned(0.0, 0.0, height, kai_vec3_axis(1), 0.5 * KAI_PI + slope);
    kai_narrow_find(&cone, &down, &GROUND, &HOME, 1e-6, &m);
    assert_int_equal(m.count, 2);
    check_near(m.contacts[0].gap, 0.0, 1e-15, "a generator on the plane");
    check_near(m.contacts[1].gap, 0.0, 1e-15, "a generator on the plane");
    const kai_frame base = at(0.0, 0.0, 0.6);
    kai_narrow_find(&cone, &base, &GROUND, &HOME, 1e-6, &m);
    assert_int_equal(m.count, 4);
    // Balls, ellipsoids, boxes.
    const kai_geometry ball = make_ball(0.5);
    const kai_geometry egg = {.type = KAI_CONVEX_ELLIPSOID, .size = {0.2, 0.4, 0.5}};
    const kai_frame half = at(0.0, 0.0, 0.5);
    kai_narrow_find(&GROUND, &HOME, &ball, &half, 0.01, &m);
    assert_int_equal(m.count, 1);
    check_gaps(&m, 0.0, kai_vec3_axis(2));
    check_near(m.contacts[0].radius_b, 0.5, 0.0, "radius");
    kai_narrow_find(&egg, &half, &GROUND, &HOME, 0.01, &m);
    assert_int_equal(m.count, 1);
    check_gaps(&m, 0.0, kai_vec3_make(0.0, 0.0, -1.0));
    check_near(m.contacts[0].radius_a, 0.04 / 0.5, 1e-15, "smaller radius at a pole: a²/c");
    const kai_geometry box = make_box(0.5, 0.5, 0.5);
    kai_narrow_find(&box, &half, &GROUND, &HOME, 0.01, &m);
    assert_int_equal(m.count, 4);
    const kai_frame edge = turned(0.0, 0.0, 0.5 * sqrt(2.0), kai_vec3_axis(0), 0.25 * KAI_PI);
    kai_narrow_find(&box, &edge, &GROUND, &HOME, 0.01, &m);
    assert_int_equal(m.count, 2);
}

static void capsules(void** state)
{
    kai_manifold m;
    const kai_geometry a = make_capsule(0.2, 0.5);
    // Parallel and shifted: the ends of the shared part.
    const kai_frame beside = at(0.41, 0.0, 0.3);
    kai_narrow_find(&a, &HOME, &a, &beside, 0.1, &m);
    assert_int_equal(m.count, 2);
    check_gaps(&m, 0.01, kai_vec3_axis(0));
    check_near(kai_vec3_distance(m.contacts[0].point_a, m.contacts[1].point_a), 0.7, 1e-12,
               "shared length");
    check_near(m.contacts[0].radius_a, 0.2, 1e-15, "radius");
    // Crossed.
    const kai_frame cross = turned(0.39, 0.0, 0.0, kai_vec3_axis(0), 0.5 * KAI_PI);
    kai_narrow_find(&a, &HOME, &a, &cross, 0.1, &m);
    assert_int_equal(m.count, 1);
    check_gaps(&m, -0.01, kai_vec3_axis(0));
    // Lying on a box: two points; standing on it: one.
    const kai_geometry b = make_box(1.0, 1.0, 1.0);
    const kai_frame lying = turned(0.0, 0.0, 1.2, kai_vec3_axis(0), 0.5 * KAI_PI);
    kai_narrow_find(&b, &HOME, &a, &lying, 0.1, &m);
    assert_int_equal(m.count, 2);
    check_gaps(&m, 0.0, kai_vec3_axis(2));
    const kai_frame standing = at(0.0, 0.0, 1.7);
    kai_narrow_find(&b, &HOME, &a, &standing, 0.1, &m);
    assert_int_equal(m.count, 1);
    check_gaps(&m, 0.0, kai_vec3_axis(2));
    // Deep inside the box, beyond its core.
    const kai_frame deep = turned(0.0, 0.0, 0.9, kai_vec3_axis(0), 0.5 * KAI_PI);
    kai_narrow_find(&b, &HOME, &a, &deep, 0.1, &m);
    assert_int_equal(m.count, 2);
    check_gaps(&m, -0.3, kai_vec3_axis(2));
}

// Symmetry and motion ----------------------------------------------------------------------------

static bool same_contact(const kai_contact* a, const kai_contact* b, double tolerance)
{
    return kai_vec3_distance(a->point_a, b->point_a) < tolerance &&
           kai_vec3_distance(a->point_b, b->point_b) < tolerance &&
           kai_vec3_distance(a->normal, b->normal) < tolerance && fabs(a->gap - b->gap) < tolerance;
}

static void check_same(const kai_manifold* a, const kai_manifold* b, double tolerance)
{
    assert_int_equal(a->count, b->count);
    for (int i = 0; i < a->count; i++) {
        bool found = false;
        for (int k = 0; k < b->count && !found; k++)
            found = same_contact(&a->contacts[i], &b->contacts[k], tolerance);
        assert_true(found);
    }
}

/// Random boxes: swapped, and moved as a whole, they have the same contacts.
static void symmetry_and_motion(void** state)
{
    int contacts = 0;
    for (uint64_t i = 0; i < 5000; i++) {
        const kai_vec3 s = helper_random_vec3(2 * i), t = helper_random_vec3(2 * i + 1);
        const kai_geometry a = make_box(0.3 + fabs(s.x), 0.3 + fabs(s.y), 0.3 + fabs(s.z));
        const kai_geometry b = make_box(0.3 + fabs(t.x), 0.3 + fabs(t.y), 0.3 + fabs(t.z));
        const kai_frame fa = kai_frame_make(kai_vec3_zero(), helper_random_rotation(i));
        const kai_frame fb = kai_frame_make(kai_vec3_scale(helper_random_direction(i), 1.3),
                                            helper_random_rotation(77777 + i));
        const kai_frame move =
            kai_frame_make(helper_random_vec3(i + 9999), helper_random_rotation(i + 5555));
        kai_manifold m, n;
        kai_narrow_find(&a, &fa, &b, &fb, 0.05, &m);
        contacts += m.count;
        kai_narrow_find(&b, &fb, &a, &fa, 0.05, &n);
        for (int k = 0; k < n.count; k++) {
            kai_contact* c = &n.contacts[k];
            const kai_vec3 x = c->point_a;
            c->point_a = c->point_b;
            c->point_b = x;
            c->normal = kai_vec3_neg(c->normal);
        }
        check_same(&m, &n, 1e-9);
        const kai_frame ga = kai_frame_compose(move, fa), gb = kai_frame_compose(move, fb);
        kai_narrow_find(&a, &ga, &b, &gb, 0.05, &n);
        for (int k = 0; k < n.count; k++) {
            kai_contact* c = &n.contacts[k];
            c->point_a = kai_frame_point_from_parent(move, c->point_a);
            c->point_b = kai_frame_point_from_parent(move, c->point_b);
            c->normal = kai_frame_vector_from_parent(move, c->normal);
        }
        check_same(&m, &n, 1e-9);
    }
    assert_true(contacts > 5000);
}

/// 1e6 m from the origin with features of 1 mm. Positions there have steps of 1.2e-10 m.
static void far_away(void** state)
{
    const kai_geometry a = make_box(1e-3, 1e-3, 1e-3),
                       c = make_round(KAI_CONVEX_CYLINDER, 1e-3, 1e-3);
    const kai_frame fa = at(1e6, -1e6, 1e6);
    const double z = 1e6 + 2.0001e-3;
    const kai_frame fb = at(1e6, -1e6, z);
    const double gap = (z - 1e6) - 2e-3; // of the positions as they are stored
    kai_manifold m;
    kai_narrow_find(&a, &fa, &a, &fb, 1e-5, &m);
    assert_int_equal(m.count, 4);
    for (int i = 0; i < 4; i++) check_near(m.contacts[i].gap, gap, 1e-17, "exact difference");
    kai_narrow_find(&c, &fa, &a, &fb, 1e-5, &m);
    assert_true(m.count >= 4);
    check_near(m.contacts[0].gap, gap, 1e-12, "a share 1e-9 of the size");
}

/// Sizes from 1e-9 to 1e9 m: everything scales.
static void scales(void** state)
{
    for (int e = -9; e <= 9; e += 3) {
        const double s = pow(10.0, e);
        const kai_convex_type types[] = {KAI_CONVEX_POINT, KAI_CONVEX_BOX, KAI_CONVEX_CYLINDER,
                                         KAI_CONVEX_CONE, KAI_CONVEX_ELLIPSOID};
        for (int i = 0; i < 5; i++) {
            for (int k = 0; k < 5; k++) {
                for (uint64_t j = 0; j < 20; j++) {
                    kai_geometry a = {.type = types[i], .size = {0.5, 0.4, 0.3}, .margin = 0.1};
                    kai_geometry b = {.type = types[k], .size = {0.3, 0.6, 0.4}, .margin = 0.2};
                    kai_frame fa = kai_frame_make(kai_vec3_zero(), helper_random_rotation(j));
                    kai_frame fb = kai_frame_make(kai_vec3_scale(helper_random_direction(j), 0.9),
                                                  helper_random_rotation(j + 100));
                    const double one = kai_narrow_distance(&a, &fa, &b, &fb, NULL, NULL, NULL);
                    a.size = kai_vec3_scale(a.size, s);
                    b.size = kai_vec3_scale(b.size, s);
                    a.margin *= s;
                    b.margin *= s;
                    fb.position = kai_vec3_scale(fb.position, s);
                    const double other = kai_narrow_distance(&a, &fa, &b, &fb, NULL, NULL, NULL);
                    check_near(other / s, one, 1e-6, "scaled; EPA's bound");
                }
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(box_on_box),
                                       cmocka_unit_test(box_leans_on_box),
                                       cmocka_unit_test(box_leans_deeply),
                                       cmocka_unit_test(box_edge_on_edge),
                                       cmocka_unit_test(features_persist),
                                       cmocka_unit_test(cylinder_on_box),
                                       cmocka_unit_test(round_on_plane),
                                       cmocka_unit_test(capsules),
                                       cmocka_unit_test(symmetry_and_motion),
                                       cmocka_unit_test(far_away),
                                       cmocka_unit_test(scales)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
