// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Shapes made of many numbers, and what all shapes have: margins, families. Built once, shared,
// saved and rebuilt bit for bit, and given back.
#include "fixture.h"
#include "geometry/meshes.h"
#include "geometry/shape_data.h"
#include "model/world.h"

#include <unistd.h>

static const double CUBE[24] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0,
                                0, 0, 1, 1, 0, 1, 0, 1, 1, 1, 1, 1};

static kai_shape_hull_params cube_hull(void)
{
    kai_shape_hull_params p;
    kai_kind_defaults(&kai_shape_hull.kind, &p);
    p.points = (kai_table){CUBE, 8, 3};
    return p;
}

// An L, 3 by 2 by 0.5, as tables.
static double l_points[36], l_triangles[60];

static kai_shape_mesh_params l_mesh(void)
{
    static const double ring[6][2] = {{0, 0}, {3, 0}, {3, 1}, {1, 1}, {1, 2}, {0, 2}};
    static const uint32_t caps[4][3] = {{0, 1, 2}, {0, 2, 3}, {0, 3, 4}, {0, 4, 5}};
    uint32_t n = 0;
    for (uint32_t i = 0; i < 12; i++) {
        l_points[3 * i] = ring[i % 6][0];
        l_points[3 * i + 1] = ring[i % 6][1];
        l_points[3 * i + 2] = i < 6 ? 0.0 : 0.5;
    }
#define TRIANGLE(a, b, c) \
    (l_triangles[n] = (a), l_triangles[n + 1] = (b), l_triangles[n + 2] = (c), n += 3)
    for (uint32_t i = 0; i < 6; i++) {
        const uint32_t j = (i + 1) % 6;
        TRIANGLE(i, j, 6 + j);
        TRIANGLE(i, 6 + j, 6 + i);
    }
    for (uint32_t i = 0; i < 4; i++) {
        TRIANGLE(caps[i][0], caps[i][2], caps[i][1]);
        TRIANGLE(6 + caps[i][0], 6 + caps[i][1], 6 + caps[i][2]);
    }
    assert_int_equal(n, 60);
    kai_shape_mesh_params p;
    kai_kind_defaults(&kai_shape_mesh.kind, &p);
    p.vertices = (kai_table){l_points, 12, 3};
    p.triangles = (kai_table){l_triangles, 20, 3};
    return p;
}

static kai_body body_of(kai_world* world, bool fixed)
{
    kai_body_def def = kai_body_def_default();
    kai_body body;
    def.fixed = fixed;
    check_ok(kai_body_create(world, &def, &body));
    return body;
}

static kai_shape add(kai_world* world, kai_body body, const kai_shape_kind* kind,
                     const void* params)
{
    const kai_shape_def def = kai_shape_def_default();
    kai_shape shape;
    const kai_result r = kai_shape_create(world, body, kind, params, &def, &shape);
    if (r != KAI_OK) fail_msg("%s", kai_world_error(world)->message);
    return shape;
}

// Mass and bounds --------------------------------------------------------------------------------

static void test_mass(void** state)
{
    fixture f;
    fixture_start(&f);
    kai_body body = body_of(f.world, false);
    kai_shape_hull_params hull = cube_hull();
    hull.scale = 2.0;
    add(f.world, body, &kai_shape_hull, &hull);
    check_ok(kai_body_set_density(f.world, body, 3.0));
    kai_mass_properties m;
    check_ok(kai_body_mass(f.world, body, &m));
    check_relative(m.mass, 24.0, 1e-14, "3 · 2³");
    check_vec3(m.com, kai_vec3_make(1, 1, 1), 1e-14, "middle");
    body = body_of(f.world, false);
    const kai_shape_mesh_params mesh = l_mesh();
    add(f.world, body, &kai_shape_mesh, &mesh);
    check_ok(kai_body_set_density(f.world, body, 1.0));
    check_ok(kai_body_mass(f.world, body, &m));
    check_relative(m.mass, 2.0, 1e-14, "four squares, 0.5 high");
    // Three squares with middles at 0.5, 1.5, 2.5 along x, and one at (0.5, 1.5).
    check_vec3(m.com, kai_vec3_make(5.0 / 4.0, 3.0 / 4.0, 0.25), 1e-14, "mean of four squares");
    fixture_finish(&f);
}

// Bounds of turned shapes against all their points.
static void check_bounds(const kai_shape_kind* kind, const void* params, const double* x, size_t n)
{
    for (uint64_t i = 0; i < 200; i++) {
        const kai_mat33 r = kai_quat_to_mat33(helper_random_rotation(i));
        kai_vec3 centre, half, low = kai_vec3_make(HUGE_VAL, HUGE_VAL, HUGE_VAL),
                               high = kai_vec3_neg(low);
        kind->bounds(params, &r, &centre, &half);
        for (size_t k = 0; k < n; k++) {
            const kai_vec3 y =
                kai_mat33_mul_vec(r, kai_vec3_make(x[3 * k], x[3 * k + 1], x[3 * k + 2]));
            low = kai_vec3_min(low, y);
            high = kai_vec3_max(high, y);
        }
        check_vec3(kai_vec3_sub(centre, half), low, 1e-14, "all points");
        check_vec3(kai_vec3_add(centre, half), high, 1e-14, "all points");
    }
}

static void test_bounds(void** state)
{
    fixture f;
    fixture_start(&f);
    const kai_body body = body_of(f.world, true);
    const kai_shape_hull_params hull = cube_hull();
    const kai_shape_mesh_params mesh = l_mesh();
    const void* params;
    kai_shape shape = add(f.world, body, &kai_shape_hull, &hull);
    check_ok(kai_shape_get(f.world, shape, NULL, &params, NULL, NULL));
    check_bounds(&kai_shape_hull, params, CUBE, 8);
    shape = add(f.world, body, &kai_shape_mesh, &mesh);
    check_ok(kai_shape_get(f.world, shape, NULL, &params, NULL, NULL));
    check_bounds(&kai_shape_mesh, params, l_points, 12);
    // A height field: the box of its box, exact when it is not turned.
    static const double heights[6] = {0, 1, 2, 3, -4, 5};
    kai_shape_heightfield_params ground;
    kai_kind_defaults(&kai_shape_heightfield.kind, &ground);
    ground.grid = (kai_table){heights, 2, 3};
    ground.spacing = 2.0;
    ground.spacing_y = 3.0;
    ground.scale = 0.5;
    shape = add(f.world, body, &kai_shape_heightfield, &ground);
    check_ok(kai_shape_get(f.world, shape, NULL, &params, NULL, NULL));
    const kai_mat33 straight = kai_mat33_identity();
    kai_vec3 centre, half;
    kai_shape_heightfield.bounds(params, &straight, &centre, &half);
    check_vec3(centre, kai_vec3_make(0, 0, 0.25), 1e-15, "-2 … 2.5");
    check_vec3(half, kai_vec3_make(2, 1.5, 2.25), 1e-15, "4 by 3");
    fixture_finish(&f);
}

// Margins: exact for a ball; a box becomes the box of the rounded one; right to first order.
static void test_margin_mass(void** state)
{
    kai_mass_properties m;
    const kai_shape_sphere_params ball = {0.5};
    check_ok(kai_shape_mass(&kai_shape_sphere, &ball, 0.25, &m, NULL));
    check_relative(m.mass, 4.0 / 3.0 * KAI_PI * 0.421875, 1e-14, "radius 0.75");
    check_relative(m.inertia.m[1][1], 0.4 * m.mass * 0.5625, 1e-14, "2/5 m r²");
    const kai_shape_box_params box = {{1.0, 2.0, 3.0}}, larger = {{1.2, 2.2, 3.2}};
    kai_mass_properties whole;
    check_ok(kai_shape_mass(&kai_shape_box, &box, 0.1, &m, NULL));
    check_ok(kai_shape_mass(&kai_shape_box, &larger, 0.0, &whole, NULL));
    check_relative(m.mass, whole.mass, 1e-14, "the box around it");
    check_mat33(m.inertia, whole.inertia, 1e-14 * whole.mass, "the box around it");
    // Steiner's formula for a rounded box: V + S r + π (a + b + c) r² + 4/3 π r³.
    const double r = 1e-3,
                 exact = 6.0 + 22.0 * r + 6.0 * KAI_PI * r * r + 4.0 / 3.0 * KAI_PI * r * r * r;
    check_ok(kai_shape_mass(&kai_shape_box, &box, r, &m, NULL));
    check_near(m.mass, exact, 6.0 * (4.0 - KAI_PI) * r * r + 8.0 * r * r * r, "second order");
    const kai_shape_hull_params hull = cube_hull();
    check_ok(kai_shape_mass(&kai_shape_hull, &hull, 0.5, &m, NULL));
    check_relative(m.mass, 8.0, 1e-14, "a cube of 2");
    check_vec3(m.com, kai_vec3_make(0.5, 0.5, 0.5), 1e-14, "where it was");
    const kai_shape_plane_params plane = {{0, 0, 1}};
    check_error(kai_shape_mass(&kai_shape_plane, &plane, 0.0, &m, NULL), KAI_ERROR_ARGUMENT);
}

// Errors -----------------------------------------------------------------------------------------

static void test_open_mesh(void** state)
{
    fixture f;
    fixture_start(&f);
    kai_shape_mesh_params mesh = l_mesh();
    mesh.triangles.rows--;
    set_name(&mesh.file, "l.obj");
    add(f.world, body_of(f.world, true), &kai_shape_mesh, &mesh); // ground may be open
    const kai_body body = body_of(f.world, false);
    add(f.world, body, &kai_shape_mesh, &mesh);
    check_error(kai_body_set_density(f.world, body, 1.0), KAI_ERROR_ARGUMENT);
    check_message(&f,
                  "kai_body_set_density: l.obj: mesh bounds no volume: 3 open edges, 0 with more "
                  "than two triangles, 0 whose triangles face opposite ways; the first at "
                  "triangle 9, from [0, 2, 0.5] to [1, 2, 0.5]");
    fixture_finish(&f);
}

static void test_refused(void** state)
{
    fixture f;
    fixture_start(&f);
    const kai_body body = body_of(f.world, true);
    kai_shape_def def = kai_shape_def_default();
    kai_shape shape;
    kai_shape_hull_params hull = cube_hull();
    hull.points.rows = 4;
    set_name(&hull.file, "flat.obj");
    check_error(kai_shape_create(f.world, body, &kai_shape_hull, &hull, &def, &shape),
                KAI_ERROR_ARGUMENT);
    assert_non_null(strstr(kai_world_error(f.world)->message,
                           "kai_shape_create: flat.obj: hull: all points lie in one plane"));
    hull.points.rows = 0;
    check_error(kai_shape_create(f.world, body, &kai_shape_hull, &hull, &def, &shape),
                KAI_ERROR_ARGUMENT);
    kai_shape_mesh_params mesh = l_mesh();
    l_triangles[7] = 12.0;
    check_error(kai_shape_create(f.world, body, &kai_shape_mesh, &mesh, &def, &shape),
                KAI_ERROR_ARGUMENT);
    check_message(
        &f, "kai_shape_create: mesh: triangle 2 has vertex 12; must be a whole number below 12");
    l_triangles[7] = 1.5;
    check_error(kai_shape_create(f.world, body, &kai_shape_mesh, &mesh, &def, &shape),
                KAI_ERROR_ARGUMENT);
    mesh = l_mesh();
    static const double parts[16] = {0, 0, 0, 0, 0, 1, 0, 0, 2, 0, 1, 0, 2, 0, 0, 1};
    mesh.parts = (kai_table){parts, 4, 4};
    check_error(kai_shape_create(f.world, body, &kai_shape_mesh, &mesh, &def, &shape),
                KAI_ERROR_ARGUMENT);
    check_message(&f, "kai_shape_create: mesh: parts has part 2 in row 2; must count 0, 1, 2 …");
    def.mask = 70000;
    check_error(kai_shape_create(f.world, body, &kai_shape_mesh, &mesh, &def, &shape),
                KAI_ERROR_ARGUMENT);
    check_message(&f, "kai_shape_create: shape: mask is 70000; must be from 0 to 65535");
    assert_int_equal(kai_shape_count(f.world), 0);
    fixture_finish(&f);
}

// Sharing ----------------------------------------------------------------------------------------

static const kai_shape_hull_data* data_of(kai_world* world, kai_shape shape)
{
    const void* params;
    check_ok(kai_shape_get(world, shape, NULL, &params, NULL, NULL));
    return ((const kai_shape_hull_instance*)params)->data;
}

static void test_equal_ones_share(void** state)
{
    fixture f;
    fixture_start(&f);
    const kai_body body = body_of(f.world, true);
    kai_shape_hull_params hull = cube_hull();
    const kai_shape a = add(f.world, body, &kai_shape_hull, &hull);
    const kai_shape b = add(f.world, body, &kai_shape_hull, &hull);
    hull.scale = 2.0;
    const kai_shape c = add(f.world, body, &kai_shape_hull, &hull);
    assert_ptr_equal(data_of(f.world, a), data_of(f.world, b));
    assert_ptr_not_equal(data_of(f.world, a), data_of(f.world, c));
    check_ok(kai_shape_destroy(f.world, a));
    assert_int_equal(data_of(f.world, b)->users, 1);
    check_relative(data_of(f.world, b)->mass.mass, 1.0, 1e-14, "still there");
    check_ok(kai_shape_destroy(f.world, b));
    check_ok(kai_shape_destroy(f.world, c));
    // What lies behind the caller's parameters, where an instance has its pointer, is not believed.
    const kai_shape_hull_instance far = {hull, (const kai_shape_hull_data*)(const void*)CUBE};
    check_relative(data_of(f.world, add(f.world, body, &kai_shape_hull, &far))->mass.mass, 8.0,
                   1e-14, "built anew");
    fixture_finish(&f);
}

// A thousand grains have one hull.
static void test_particles(void** state)
{
    fixture f;
    fixture_start(&f);
    double x[1000], zero[1000] = {0};
    for (int i = 0; i < 1000; i++) x[i] = 2.0 * i;
    const kai_shape_hull_params hull = cube_hull();
    kai_particles_def def = kai_particles_def_default();
    def.shape = &kai_shape_hull;
    def.shape_params = &hull;
    def.density = 2.0;
    def.table = (kai_particle_table){.count = 1000, .x = x, .y = zero, .z = zero};
    kai_particles particles;
    check_ok(kai_particles_create(f.world, &def, &particles));
    const kai_body last = kai_body_at(f.world, 999);
    assert_int_equal(data_of(f.world, kai_shape_first(f.world, last))->users, 1000);
    kai_mass_properties m;
    check_ok(kai_body_mass(f.world, last, &m));
    check_relative(m.mass, 2.0, 1e-14, "a cube");
    fixture_finish(&f);
}

// Families, margins and parts, and a world that was saved ----------------------------------------

static void check_same_world(kai_world* a, kai_world* b)
{
    assert_memory_equal(a->shape_records.data, b->shape_records.data,
                        a->shape_records.count * sizeof(kai_shape_record));
    for (size_t k = 0; k < a->shapes.batch_count; k++) {
        const kai_store_batch *x = &a->shapes.batches[k], *y = &b->shapes.batches[k];
        assert_int_equal(x->items.count, y->items.count);
        if (x->kind != &kai_shape_mesh.kind || x->items.count == 0) continue;
        const kai_shape_mesh_instance *p = x->items.data, *q = y->items.data;
        const kai_mesh *m = &p->data->mesh, *n = &q->data->mesh;
        assert_int_equal(m->node_count, n->node_count);
        assert_memory_equal(m->nodes, n->nodes, m->node_count * sizeof *m->nodes);
        assert_memory_equal(m->vertices, n->vertices, m->vertex_count * sizeof *m->vertices);
        assert_memory_equal(m->triangles, n->triangles, m->triangle_count * sizeof *m->triangles);
        assert_int_equal(p->data->part_count, q->data->part_count);
        for (uint32_t i = 0; i < p->data->part_count; i++) {
            const kai_hull *s = &p->data->parts[i], *t = &q->data->parts[i];
            assert_int_equal(s->vertex_count, t->vertex_count);
            assert_memory_equal(s->vertices, t->vertices, s->vertex_count * sizeof *s->vertices);
            assert_int_equal(s->face_count, t->face_count);
            assert_memory_equal(s->face_normal, t->face_normal, s->face_count * sizeof(kai_vec3));
        }
    }
}

static void test_saved_and_loaded(void** state)
{
    fixture f;
    fixture_start(&f);
    const kai_body body = body_of(f.world, true);
    kai_shape_mesh_params mesh = l_mesh();
    mesh.decompose = true;
    mesh.scale = 1.0 / 3.0;
    mesh.concavity = 0.01;
    kai_shape_def def = kai_shape_def_default(), back;
    kai_shape shape;
    def.radius_margin = 0.0123;
    def.family = 11;
    def.mask = 0x0f0f;
    check_ok(kai_shape_create(f.world, body, &kai_shape_mesh, &mesh, &def, &shape));
    check_ok(kai_shape_get(f.world, shape, NULL, NULL, &back, NULL));
    check_near(back.radius_margin, 0.0123, 0.0, "as given");
    assert_int_equal(back.family, 11);
    assert_int_equal(back.mask, 0x0f0f);
    assert_true(back.collide && back.visible);
    const kai_shape_hull_params hull = cube_hull();
    add(f.world, body, &kai_shape_hull, &hull);
    add(f.world, body, &kai_shape_hull, &hull);
    add(f.world, body, &kai_shape_mesh, &mesh);
    const kai_shape_mesh_instance* kept = f.world->shapes.batches[8].items.data;
    assert_int_equal(kept[0].data->part_count, 2);
    assert_ptr_equal(kept[0].data, kept[1].data);

    char path[] = "/tmp/kairos-shapes-XXXXXX";
    const int fd = mkstemp(path);
    assert_true(fd >= 0);
    close(fd);
    check_ok(kai_world_save(f.world, path));
    kai_world* loaded;
    kai_error err = {0};
    fixture g = {0};
    const kai_world_def world_def = fixture_def(&g);
    if (kai_world_load(&world_def, path, &loaded, &err) != KAI_OK) fail_msg("%s", err.message);
    unlink(path);
    check_same_world(f.world, loaded);
    g.world = loaded;
    fixture_finish(&g);
    fixture_finish(&f);
}

// Every allocation may fail; nothing is left behind and nothing was added.
static void test_out_of_memory(void** state)
{
    for (uint64_t fail = 0;; fail++) {
        fixture f;
        fixture_start(&f);
        const kai_body body = body_of(f.world, true);
        kai_shape_mesh_params mesh = l_mesh();
        mesh.decompose = true;
        mesh.concavity = 0.3;
        const kai_shape_def def = kai_shape_def_default();
        kai_shape shape;
        f.counter.fail_at = f.counter.calls + 1 + fail;
        const kai_result r = kai_shape_create(f.world, body, &kai_shape_mesh, &mesh, &def, &shape);
        f.counter.fail_at = 0;
        assert_int_equal(kai_shape_count(f.world), r == KAI_OK);
        fixture_finish(&f);
        if (r == KAI_OK) break;
        check_error(r, KAI_ERROR_MEMORY);
    }
}

int main(void)
{
#ifndef KAIROS_HAVE_QHULL
    return 77;
#endif
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mass),          cmocka_unit_test(test_bounds),
        cmocka_unit_test(test_margin_mass),   cmocka_unit_test(test_open_mesh),
        cmocka_unit_test(test_refused),       cmocka_unit_test(test_equal_ones_share),
        cmocka_unit_test(test_particles),     cmocka_unit_test(test_saved_and_loaded),
        cmocka_unit_test(test_out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
