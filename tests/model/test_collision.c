// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "fixture.h"

#include <kairos/collision.h>
#include <kairos/joint.h>

static const kai_shape_sphere_params BALL = {0.5};
static const kai_shape_box_params BRICK = {{1.0, 1.0, 1.0}};
static const kai_shape_plane_params FLOOR = {{0.0, 0.0, 2.0}};

static kai_body add(fixture* f, kai_vec3 at, const kai_shape_kind* kind, const void* params,
                    bool fixed)
{
    kai_body_def def = body_def("");
    def.position = at;
    def.fixed = fixed;
    const kai_body body = add_body(f, &def);
    if (kind) add_shape(f, body, kind, params, kai_vec3_zero(), kai_quat_identity());
    return body;
}

static size_t collide(fixture* f)
{
    check_ok(kai_world_collide(f->world));
    return kai_collision_count(f->world);
}

static void test_two_balls(void** state)
{
    (void)state;
    fixture f;
    fixture_start(&f);
    assert_int_equal(collide(&f), 0); // an empty world
    const kai_body a = add(&f, kai_vec3_make(0.0, 0.0, 0.0), &kai_shape_sphere, &BALL, false);
    const kai_body b = add(&f, kai_vec3_make(0.9, 0.0, 0.0), &kai_shape_sphere, &BALL, false);
    assert_int_equal(kai_collision_count(f.world), 0); // not looked for yet
    assert_int_equal(collide(&f), 1);
    kai_collision_contact c;
    check_ok(kai_collision_at(f.world, 0, &c));
    assert_true(KAI_ID_EQUALS(c.body_a, a) && KAI_ID_EQUALS(c.body_b, b));
    assert_true(KAI_ID_EQUALS(c.shape_a, kai_shape_first(f.world, a)));
    check_near(c.gap, -0.1, 1e-15, "0.9 - 2 · 0.5");
    check_vec3(c.normal, kai_vec3_make(1.0, 0.0, 0.0), 1e-15, "from a to b");
    check_vec3(c.point_a, kai_vec3_make(0.5, 0.0, 0.0), 1e-15, "on a");
    check_vec3(c.point_b, kai_vec3_make(0.4, 0.0, 0.0), 1e-15, "on b");
    check_near(kai_collision_depth(f.world), 0.1, 1e-15, "overlap");
    check_error(kai_collision_at(f.world, 1, &c), KAI_ERROR_ARGUMENT);
    check_message(&f, "kai_collision_at: i is 1; there are 1 contacts");

    // With a reach, a gap is a contact too.
    check_ok(kai_body_set_frame(
        f.world, b, kai_frame_make(kai_vec3_make(1.05, 0.0, 0.0), kai_quat_identity())));
    assert_int_equal(collide(&f), 0);
    const kai_collision_def reach = {.detect = false, .reach = 0.06};
    check_ok(kai_collision_set(f.world, &reach));
    assert_int_equal(collide(&f), 1);
    assert_true(kai_collision_depth(f.world) == 0.0);
    const kai_collision_def bad = {.reach = -1.0};
    check_error(kai_collision_set(f.world, &bad), KAI_ERROR_ARGUMENT);
    assert_true(kai_collision_get(f.world).reach == 0.06);

    // Contacts are gone with the body.
    check_ok(kai_body_destroy(f.world, a));
    assert_int_equal(kai_collision_count(f.world), 0);
    assert_int_equal(collide(&f), 0);
    fixture_finish(&f);
}

// Who may meet whom.
static void test_filters(void** state)
{
    (void)state;
    fixture f;
    fixture_start(&f);
    const kai_body ground = add(&f, kai_vec3_zero(), &kai_shape_plane, &FLOOR, true);
    const kai_body wall = add(&f, kai_vec3_zero(), &kai_shape_box, &BRICK, true);
    assert_int_equal(collide(&f), 0); // fixed with fixed
    const kai_body ball = add(&f, kai_vec3_make(0.0, 0.0, 0.9), &kai_shape_sphere, &BALL, false);
    assert_int_equal(collide(&f), 1); // ball on wall; above the floor
    check_ok(kai_body_set_fixed(f.world, ball, true));
    assert_int_equal(collide(&f), 0);
    check_ok(kai_body_set_fixed(f.world, ball, false));
    assert_int_equal(collide(&f), 1);

    // A second shape of the same body, in the first: they do not meet.
    add_shape(&f, ball, &kai_shape_sphere, &BALL, kai_vec3_make(0.0, 0.0, 0.2),
              kai_quat_identity());
    assert_int_equal(collide(&f), 1);

    // A joint holds ball and wall; it may let them touch, and a passive one holds nothing.
    kai_joint_base joint = {0};
    kai_kind_defaults(&kai_joint_spherical.kind, &joint);
    joint.bodies[0] = wall;
    joint.bodies[1] = ball;
    joint.at = kai_vec3_make(0.0, 0.0, 0.5);
    kai_joint id;
    check_ok(kai_joint_create(f.world, &kai_joint_spherical, &joint, "j", &id));
    assert_int_equal(collide(&f), 0);
    check_ok(kai_joint_destroy(f.world, id));
    assert_int_equal(collide(&f), 1);
    joint.collide_bodies = true;
    check_ok(kai_joint_create(f.world, &kai_joint_spherical, &joint, "j", &id));
    assert_int_equal(collide(&f), 1);
    check_ok(kai_joint_destroy(f.world, id));
    joint.collide_bodies = joint.active = false;
    check_ok(kai_joint_create(f.world, &kai_joint_spherical, &joint, "j", &id));
    assert_int_equal(collide(&f), 1);

    // Families: a shape that sees only family 3, and one that does not take part.
    kai_shape_def def = kai_shape_def_default();
    const kai_body other = add(&f, kai_vec3_make(5.0, 0.0, 0.3), NULL, NULL, false);
    kai_shape shape;
    def.mask = 1 << 3;
    check_ok(kai_shape_create(f.world, other, &kai_shape_sphere, &BALL, &def, &shape));
    assert_int_equal(collide(&f), 1);
    check_ok(kai_shape_destroy(f.world, shape));
    def.mask = 1;
    check_ok(kai_shape_create(f.world, other, &kai_shape_sphere, &BALL, &def, &shape));
    assert_int_equal(collide(&f), 2); // with the floor, of family 0
    check_ok(kai_shape_destroy(f.world, shape));
    def.collide = false;
    check_ok(kai_shape_create(f.world, other, &kai_shape_sphere, &BALL, &def, &shape));
    assert_int_equal(collide(&f), 1);
    (void)ground;
    fixture_finish(&f);
}

// Offset mass centres and turned principal axes do not move shapes.
static void test_frames(void** state)
{
    (void)state;
    fixture f;
    fixture_start(&f);
    const kai_body_def def = crooked_def("crooked");
    const kai_body body = add_body(&f, &def);
    const kai_vec3 at = kai_vec3_make(0.4, -0.3, 0.2);
    add_shape(&f, body, &kai_shape_sphere, &BALL, at, helper_random_rotation(3));
    add_shape(&f, body, &kai_shape_box, &BRICK, kai_vec3_neg(at), helper_random_rotation(4));
    const kai_vec3 ball = kai_vec3_add(def.position, kai_quat_rotate(def.rotation, at));
    const kai_vec3 brick = kai_vec3_sub(def.position, kai_quat_rotate(def.rotation, at));
    const kai_quat turn = kai_quat_mul(def.rotation, helper_random_rotation(4));
    const kai_vec3 face = kai_quat_rotate(turn, kai_vec3_make(0.0, 0.0, 1.0));
    const kai_vec3 side = kai_vec3_normalize(kai_vec3_sub(ball, brick));
    // A ball that overlaps the ball by 0.1 on its far side, one that overlaps the brick by 0.2.
    add(&f, kai_vec3_mul_add(ball, side, 0.9), &kai_shape_sphere, &BALL, false);
    add(&f, kai_vec3_mul_add(brick, face, -0.8), &kai_shape_sphere, &BALL, false);
    const size_t count = collide(&f);
    bool on_ball = false, on_brick = false;
    for (size_t i = 0; i < count; i++) {
        kai_collision_contact c;
        check_ok(kai_collision_at(f.world, i, &c));
        on_ball |= fabs(c.gap + 0.1) < 1e-12 && kai_vec3_distance(c.normal, side) < 1e-12;
        on_brick |=
            fabs(c.gap + 0.2) < 1e-12 && kai_vec3_distance(c.normal, kai_vec3_neg(face)) < 1e-12;
    }
    assert_true(on_ball && on_brick);
    fixture_finish(&f);
}

// Contact by contact ------------------------------------------------------------------------------

enum { MANY = 400 };

static void fill(fixture* f, kai_body bodies[MANY])
{
    for (uint64_t i = 0; i < MANY; i++) {
        const kai_vec3 at = kai_vec3_scale(helper_random_vec3(i), 3.0);
        bodies[i] = i % 2 ? add(f, at, &kai_shape_sphere, &BALL, false)
                          : add(f, at, &kai_shape_box, &BRICK, i % 10 == 0);
    }
}

static void check_same(fixture* f, fixture* g)
{
    const size_t count = kai_collision_count(f->world);
    assert_int_equal(count, kai_collision_count(g->world));
    assert_true(count > 100);
    for (size_t i = 0; i < count; i++) {
        kai_collision_contact x, y;
        check_ok(kai_collision_at(f->world, i, &x));
        check_ok(kai_collision_at(g->world, i, &y));
        assert_true(x.body_a.index == y.body_a.index && x.body_b.index == y.body_b.index);
        assert_true(x.shape_a.index == y.shape_a.index && x.feature == y.feature);
        assert_true(x.gap == y.gap && x.point_a.x == y.point_a.x && x.normal.z == y.normal.z);
    }
}

// The same worlds on other numbers of threads, and after bodies have come and gone on the way.
static void test_threads_and_changes(void** state)
{
    (void)state;
    const int threads[] = {2, 5, 16};
    fixture f;
    static kai_body bodies[MANY];
    fixture_start(&f);
    check_ok(kai_world_set_threads(f.world, 1));
    fill(&f, bodies);
    for (size_t i = 0; i < 40; i++) check_ok(kai_body_destroy(f.world, bodies[7 * i]));
    assert_true(collide(&f) > 100);
    for (int t = 0; t < 3; t++) {
        fixture g;
        static kai_body others[MANY];
        fixture_start(&g);
        check_ok(kai_world_set_threads(g.world, threads[t]));
        fill(&g, others);
        collide(&g);
        for (size_t i = 0; i < 40; i++) {
            check_ok(kai_body_destroy(g.world, others[7 * i]));
            if (i % 10 == 0) collide(&g);
        }
        collide(&g);
        check_same(&f, &g);
        fixture_finish(&g);
    }
    fixture_finish(&f);
}

// A box at rest on a floor keeps the names of its contacts while it slides.
static void test_names_stay(void** state)
{
    (void)state;
    fixture f;
    fixture_start(&f);
    add(&f, kai_vec3_zero(), &kai_shape_plane, &FLOOR, true);
    const kai_body box = add(&f, kai_vec3_make(0.0, 0.0, 0.499), &kai_shape_box, &BRICK, false);
    assert_int_equal(collide(&f), 4);
    uint32_t features[4];
    kai_collision_contact c;
    for (size_t i = 0; i < 4; i++) {
        check_ok(kai_collision_at(f.world, i, &c));
        features[i] = c.feature;
    }
    for (int step = 1; step < 20; step++) {
        check_ok(kai_body_set_frame(
            f.world, box,
            kai_frame_make(kai_vec3_make(0.1 * step, 0.0, 0.499), kai_quat_identity())));
        assert_int_equal(collide(&f), 4);
        unsigned seen = 0;
        for (size_t i = 0; i < 4; i++) {
            check_ok(kai_collision_at(f.world, i, &c));
            for (int k = 0; k < 4; k++) seen |= features[k] == c.feature ? 1u << k : 0;
        }
        assert_int_equal(seen, 15);
    }
    fixture_finish(&f);
}

// Questions ---------------------------------------------------------------------------------------

static void test_rays(void** state)
{
    (void)state;
    fixture f;
    fixture_start(&f);
    const kai_body ground = add(&f, kai_vec3_zero(), &kai_shape_plane, &FLOOR, true);
    const kai_body ball = add(&f, kai_vec3_make(0.0, 0.0, 3.0), &kai_shape_sphere, &BALL, false);
    const kai_collision_ray rays[] = {
        {.from = {0.0, 0.0, 10.0}, .direction = {0.0, 0.0, -2.0}},
        {.from = {0.0, 0.0, 10.0}, .direction = {0.0, 0.0, -2.0}, .ignore = ball},
        {.from = {0.0, 0.0, 10.0}, .direction = {0.0, 0.0, -2.0}, .length = 6.0},
        {.from = {0.0, 0.0, 10.0}, .direction = {0.0, 0.0, 1.0}},
        {.from = {0.0, 0.0, 3.1}, .direction = {1.0, 0.0, 0.0}},
    };
    kai_collision_hit hits[5];
    check_ok(kai_collision_rays(f.world, rays, 5, hits));
    assert_true(KAI_ID_EQUALS(hits[0].body, ball));
    check_near(hits[0].distance, 6.5, 1e-14, "10 - 3.5");
    check_vec3(hits[0].point, kai_vec3_make(0.0, 0.0, 3.5), 1e-14, "top of the ball");
    check_vec3(hits[0].normal, kai_vec3_make(0.0, 0.0, 1.0), 1e-14, "top of the ball");
    assert_true(KAI_ID_EQUALS(hits[1].body, ground));
    check_near(hits[1].distance, 10.0, 1e-14, "height");
    assert_true(KAI_IS_NULL(hits[2].body) && KAI_IS_NULL(hits[3].body));
    assert_true(hits[3].distance == HUGE_VAL);
    assert_true(KAI_ID_EQUALS(hits[4].body, ball) && hits[4].distance == 0.0);

    // Bodies that have moved are seen where they are.
    check_ok(kai_body_set_frame(f.world, ball,
                                kai_frame_make(kai_vec3_make(0.0, 0.0, 5.0), kai_quat_identity())));
    check_ok(kai_collision_rays(f.world, rays, 5, hits));
    check_near(hits[0].distance, 4.5, 1e-14, "10 - 5.5");

    const kai_collision_ray none = {.from = {0.0, 0.0, 1.0}};
    check_error(kai_collision_rays(f.world, &none, 1, hits), KAI_ERROR_ARGUMENT);
    check_message(&f, "kai_collision_rays: ray 0: direction is [0, 0, 0]; must have a length > 0");
    check_ok(kai_body_destroy(f.world, ball));
    check_error(kai_collision_rays(f.world, &rays[1], 1, hits), KAI_ERROR_ID);
    fixture_finish(&f);
}

static void test_closest_and_overlap(void** state)
{
    (void)state;
    fixture f;
    fixture_start(&f);
    const kai_body ground = add(&f, kai_vec3_zero(), &kai_shape_plane, &FLOOR, true);
    const kai_body ball = add(&f, kai_vec3_make(0.0, 0.0, 3.0), &kai_shape_sphere, &BALL, false);
    const kai_collision_point points[] = {{.at = {0.0, 0.0, 2.0}},
                                          {.at = {0.0, 0.0, 0.7}},
                                          {.at = {0.0, 0.0, 2.8}},
                                          {.at = {0.0, 0.0, 9.0}, .limit = 1.0}};
    kai_collision_hit hits[4];
    check_ok(kai_collision_closest(f.world, points, 4, hits));
    assert_true(KAI_ID_EQUALS(hits[0].body, ball));
    check_near(hits[0].distance, 0.5, 1e-15, "3 - 0.5 - 2");
    check_vec3(hits[0].point, kai_vec3_make(0.0, 0.0, 2.5), 1e-15, "foot of the ball");
    assert_true(KAI_ID_EQUALS(hits[1].body, ground));
    check_near(hits[1].distance, 0.7, 1e-15, "height");
    check_near(hits[2].distance, -0.3, 1e-15, "inside the ball");
    assert_true(KAI_IS_NULL(hits[3].body));

    const kai_collision_probe probes[] = {
        {.kind = &kai_shape_box, .params = &BRICK, .rotation = {1, 0, 0, 0}, .at = {0, 0, 2.2}},
        {.kind = &kai_shape_box, .params = &BRICK, .rotation = {1, 0, 0, 0}, .at = {0, 0, 1.0}},
        {.kind = &kai_shape_sphere,
         .params = &BALL,
         .rotation = {2, 0, 0, 0},
         .at = {0, 0, 1.5},
         .reach = 1.0}};
    size_t first[4];
    kai_shape shapes[8];
    check_ok(kai_collision_overlap(f.world, probes, 3, first, shapes, 8));
    assert_int_equal(first[1], 1); // the ball
    assert_int_equal(first[2], 1); // nothing
    assert_int_equal(first[3], 3); // both
    assert_true(KAI_ID_EQUALS(shapes[0], kai_shape_first(f.world, ball)));
    assert_true(KAI_ID_EQUALS(shapes[1], kai_shape_first(f.world, ground)));
    check_error(kai_collision_overlap(f.world, probes, 3, first, shapes, 2), KAI_ERROR_LIMIT);
    assert_int_equal(first[3], 3);
    fixture_finish(&f);
}

// Corners of a tetrahedron, an L of two bars as an open mesh's two triangles, a valley.
static const double TETRA[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
static const double SQUARE[] = {-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0};
static const double SQUARE_TRIANGLES[] = {0, 1, 2, 0, 2, 3};
static const double VALLEY[] = {1, 0, 1, 1, 0, 1, 1, 0, 1};

// Probes of shapes that are built for the call, and of bodies with several shapes.
static void test_probes_of_all_kinds(void** state)
{
    (void)state;
    fixture f;
    fixture_start(&f);
    enum { SIDE = 6, BALLS = SIDE * SIDE };
    kai_body balls[BALLS];
    for (int i = 0; i < BALLS; i++)
        balls[i] = add(&f, kai_vec3_make(2.0 * (i % SIDE), 2.0 * (i / SIDE), 0.0),
                       &kai_shape_sphere, &BALL, i % 2);
    kai_shape_hull_params hull;
    kai_kind_defaults(&kai_shape_hull.kind, &hull);
    hull.points = (kai_table){TETRA, 4, 3};
    kai_shape_mesh_params mesh;
    kai_kind_defaults(&kai_shape_mesh.kind, &mesh);
    mesh.vertices = (kai_table){SQUARE, 4, 3};
    mesh.triangles = (kai_table){SQUARE_TRIANGLES, 2, 3};
    kai_shape_heightfield_params field;
    kai_kind_defaults(&kai_shape_heightfield.kind, &field);
    field.grid = (kai_table){VALLEY, 3, 3};
    field.spacing = 1.0;
    // A zone: two bricks that do not collide, over the balls 0 and 3.
    const kai_body zone = add(&f, kai_vec3_make(0.0, 0.0, 0.6), NULL, NULL, true);
    for (int k = 0; k < 2; k++) {
        kai_shape_def def = kai_shape_def_default();
        kai_shape shape;
        def.at = kai_vec3_make(6.0 * k, 0.0, 0.0);
        def.collide = k == 1;
        check_ok(kai_shape_create(f.world, zone, &kai_shape_box, &BRICK, &def, &shape));
    }
    const kai_quat turned = kai_quat_from_axis_angle(kai_vec3_axis(2), 0.5 * KAI_PI);
    const kai_collision_probe probes[] = {
        // Its corner at z = 0.49 is below the top of ball 1, and only of that.
        {.kind = &kai_shape_hull, .params = &hull, .rotation = {1, 0, 0, 0}, .at = {2, 0, 0.49}},
        {.kind = &kai_shape_hull, .params = &hull, .rotation = {1, 0, 0, 0}, .at = {2, 0, 0.51}},
        // A sheet through the middle of ball 0, and over four balls within reach of 0.6.
        {.kind = &kai_shape_mesh, .params = &mesh, .rotation = {1, 0, 0, 0}, .at = {0, 0, 0.2}},
        {.kind = &kai_shape_mesh,
         .params = &mesh,
         .rotation = {1, 0, 0, 0},
         .at = {1, 1, 1.0},
         .margin = 0.3,
         .reach = 0.6},
        {.kind = &kai_shape_heightfield,
         .params = &field,
         .rotation = {1, 0, 0, 0},
         .at = {2, 0, -0.6}},
        {.body = zone},                                                            // where it is
        {.body = zone, .rotation = {turned.w, 0, 0, turned.z}, .at = {4, 0, 0.6}}, // 2 and 20
        {.body = zone, .ignore = balls[3]},
        {.body = zone, .at = {0, 0, 5}, .rotation = {1, 0, 0, 0}}};
    enum { PROBES = KAI_COUNT(probes), MOST = 64 };
    const int expected[PROBES] = {1, 0, 1, 4, 1, 2, 2, 1, 0};
    size_t first[PROBES + 1];
    kai_shape shapes[MOST];
    check_ok(kai_collision_overlap(f.world, probes, PROBES, first, shapes, MOST));
    for (int i = 0; i < PROBES; i++) {
        if (first[i + 1] - first[i] != (size_t)expected[i]) fail_msg("probe %d", i);
    }
    assert_true(KAI_ID_EQUALS(shapes[first[0]], kai_shape_first(f.world, balls[1])));
    assert_true(KAI_ID_EQUALS(shapes[first[5]], kai_shape_first(f.world, balls[0])));
    assert_true(KAI_ID_EQUALS(shapes[first[5] + 1], kai_shape_first(f.world, balls[3])));
    assert_true(KAI_ID_EQUALS(shapes[first[6]], kai_shape_first(f.world, balls[2])));
    assert_true(KAI_ID_EQUALS(shapes[first[6] + 1], kai_shape_first(f.world, balls[20])));
    assert_true(KAI_ID_EQUALS(shapes[first[7]], kai_shape_first(f.world, balls[0])));

    const kai_collision_probe none = {.rotation = {1, 0, 0, 0}};
    check_error(kai_collision_overlap(f.world, &none, 1, first, shapes, MOST), KAI_ERROR_ARGUMENT);
    check_message(&f, "kai_collision_overlap: probe 0: has neither a kind nor a body");
    hull.points.rows = 3; // flat
    check_error(kai_collision_overlap(f.world, probes, 1, first, shapes, MOST), KAI_ERROR_ARGUMENT);
    check_ok(kai_body_destroy(f.world, zone));
    check_error(kai_collision_overlap(f.world, &probes[5], 1, first, shapes, MOST), KAI_ERROR_ID);
    fixture_finish(&f);
}

// Positions beyond single precision, and tiny and huge shapes: a defined result.
static void test_extremes(void** state)
{
    (void)state;
    fixture f;
    fixture_start(&f);
    const kai_shape_sphere_params tiny = {1e-9}, huge = {1e9};
    add(&f, kai_vec3_make(1e300, 0.0, 0.0), &kai_shape_sphere, &BALL, false);
    add(&f, kai_vec3_zero(), &kai_shape_sphere, &BALL, false);
    assert_int_equal(collide(&f), 0);
    add(&f, kai_vec3_make(0.0, 0.0, 0.5), &kai_shape_sphere, &tiny, false);
    assert_int_equal(collide(&f), 1);
    add(&f, kai_vec3_make(0.0, 0.0, -1e9 - 0.4), &kai_shape_sphere, &huge, false);
    assert_int_equal(collide(&f), 2);
    fixture_finish(&f);
}

// Pairs that have no contacts are told, once, with both names.
static void test_pairs_without_contacts(void** state)
{
    (void)state;
    fixture f;
    fixture_start(&f);
    kai_body_def def = body_def("floor");
    def.fixed = true;
    const kai_body ground = add_body(&f, &def);
    add_shape(&f, ground, &kai_shape_plane, &FLOOR, kai_vec3_zero(), kai_quat_identity());
    assert_int_equal(collide(&f), 0);
    assert_int_equal(f.lines, 0);
    def = body_def("lid");
    const kai_body lid = add_body(&f, &def);
    add_shape(&f, lid, &kai_shape_plane, &FLOOR, kai_vec3_zero(), kai_quat_identity());
    for (int k = 0; k < 3; k++) {
        assert_int_equal(collide(&f), 0);
        assert_int_equal(f.lines, 1);
        add(&f, kai_vec3_make(0.0, 0.0, 9.0 + 2.0 * k), &kai_shape_sphere, &BALL, false);
    }
    assert_int_equal(f.level, KAI_LOG_WARNING);
    assert_string_equal(f.line, "body 'floor' and body 'lid' each have a plane, and one of them "
                                "moves: two of these have no contacts with each other; give one "
                                "of them another shape, or masks that part them");
    fixture_finish(&f);
}

// A tetrahedron of triangles on another one, and on ground.
static void test_surfaces(void** state)
{
    (void)state;
    fixture f;
    fixture_start(&f);
    double points[12] = {1.0, 1.0, 0.0, -1.0, 1.0, 0.0, 0.0, -1.0, 0.0, 0.0, 0.0, 1.0};
    double corners[12] = {0.0, 1.0, 3.0, 1.0, 2.0, 3.0, 2.0, 0.0, 3.0, 0.0, 2.0, 1.0};
    double heights[9] = {0.0};
    kai_shape_mesh_params mesh;
    kai_shape_heightfield_params ground;
    kai_kind_defaults(&kai_shape_mesh.kind, &mesh);
    kai_kind_defaults(&kai_shape_heightfield.kind, &ground);
    mesh.vertices = (kai_table){.data = points, .rows = 4, .columns = 3};
    mesh.triangles = (kai_table){.data = corners, .rows = 4, .columns = 3};
    ground.grid = (kai_table){.data = heights, .rows = 3, .columns = 3};
    ground.spacing = 5.0;
    add(&f, kai_vec3_zero(), &kai_shape_heightfield, &ground, true);
    add(&f, kai_vec3_make(0.0, 0.0, -0.01), &kai_shape_mesh, &mesh, false);
    assert_int_equal(collide(&f), 4); // the base's corners, and a point of the grid below it
    check_near(kai_collision_depth(f.world), 0.01, 1e-15, "corners of the base");
    add(&f, kai_vec3_make(0.0, 0.0, 0.97), &kai_shape_mesh, &mesh, false);
    assert_int_equal(collide(&f), 5);
    check_near(kai_collision_depth(f.world), 0.02, 1e-15, "the tip of the lower one");
    assert_int_equal(f.lines, 0);
    fixture_finish(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_two_balls),
        cmocka_unit_test(test_filters),
        cmocka_unit_test(test_frames),
        cmocka_unit_test(test_threads_and_changes),
        cmocka_unit_test(test_names_stay),
        cmocka_unit_test(test_rays),
        cmocka_unit_test(test_closest_and_overlap),
        cmocka_unit_test(test_probes_of_all_kinds),
        cmocka_unit_test(test_extremes),
        cmocka_unit_test(test_pairs_without_contacts),
        cmocka_unit_test(test_surfaces),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
