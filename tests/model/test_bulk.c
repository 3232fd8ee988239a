// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Arrays of all coordinates and forces against the functions of single bodies, nodes and shafts; and
// several threads that read one world at the same time.
#include "fixture.h"

#include <kairos/bulk.h>
#include <kairos/kairos.h>
#include <pthread.h>

enum { BODIES = 3000 }; // several blocks of work

static double wave(size_t i, double k) { return sin(k * (double)i + k); }

/// Bodies whose mass centre is off their origin and whose principal axes are turned, and a spring
/// between each two.
static void fill(fixture* f)
{
    kai_body last = {0};
    for (size_t i = 0; i < BODIES; i++) {
        kai_body_def def = body_def("");
        def.position = kai_vec3_make((double)i, wave(i, 0.3), wave(i, 0.7));
        def.rotation = kai_quat_normalize(kai_quat_make(1.0, wave(i, 1.1), wave(i, 1.3), 0.4));
        def.velocity = kai_vec3_make(wave(i, 1.7), wave(i, 1.9), 1.0);
        def.angular_velocity = kai_vec3_make(wave(i, 2.1), 2.0, wave(i, 2.3));
        def.com = kai_vec3_make(0.1, 0.2 * wave(i, 2.9), 0.3);
        def.inertia.xy = 0.1;
        def.fixed = i % 7 == 0;
        const kai_body body = add_body(f, &def);
        kai_load_spring_params spring;
        kai_load load;
        kai_kind_defaults(&kai_load_spring.kind, &spring);
        spring.bodies[0] = last;
        spring.bodies[1] = body;
        spring.stiffness = kai_curve_line(50.0);
        if (i > 0) check_ok(kai_load_create(f->world, &kai_load_spring, &spring, NULL, &load));
        last = body;
    }
}

static void start(fixture* f)
{
    fixture_start(f);
    fill(f);
    check_ok(kai_world_step(f->world, 1e-3));
    check_ok(kai_world_evaluate(f->world));
}

static void check_row(const double* row, kai_vec3 want, const char* what)
{
    const double x[3] = {want.x, want.y, want.z};
    for (int k = 0; k < 3; k++)
        if (row[k] != x[k]) check_near(row[k], x[k], 1e-14 * (1.0 + fabs(x[k])), what);
}

static void test_copies_are_what_getters_say(void** state)
{
    (void)state;
    fixture f;
    start(&f);
    double* all[KAI_BULK_BODY_QUANTITIES];
    for (int q = 0; q < KAI_BULK_BODY_QUANTITIES; q++) {
        all[q] = malloc(4 * BODIES * sizeof(double));
        assert_non_null(all[q]);
        check_ok(kai_bulk_copy_bodies(f.world, (kai_bulk_body)q, NULL, BODIES, all[q]));
    }
    kai_body* ids = malloc(BODIES * sizeof *ids);
    assert_non_null(ids);
    check_ok(kai_bulk_body_ids(f.world, ids));
    for (size_t i = 0; i < BODIES; i++) {
        const kai_body b = kai_body_at(f.world, i);
        assert_true(KAI_ID_EQUALS(b, ids[i]));
        kai_vec3 force, torque;
        check_ok(kai_body_force(f.world, b, &force, &torque));
        const kai_quat q = kai_body_rotation(f.world, b);
        check_row(all[KAI_BULK_POSITION] + 3 * i, kai_body_position(f.world, b), "position");
        check_row(all[KAI_BULK_ROTATION] + 4 * i, kai_vec3_make(q.w, q.x, q.y), "rotation");
        check_row(all[KAI_BULK_VELOCITY] + 3 * i, kai_body_velocity(f.world, b), "velocity");
        check_row(all[KAI_BULK_ANGULAR_VELOCITY] + 3 * i, kai_body_angular_velocity(f.world, b),
                  "angular velocity");
        check_row(all[KAI_BULK_ACCELERATION] + 3 * i, kai_body_acceleration(f.world, b),
                  "acceleration");
        check_row(all[KAI_BULK_ANGULAR_ACCELERATION] + 3 * i,
                  kai_body_angular_acceleration(f.world, b), "angular acceleration");
        check_row(all[KAI_BULK_COM_POSITION] + 3 * i, kai_body_com_position(f.world, b), "centre");
        check_row(all[KAI_BULK_COM_VELOCITY] + 3 * i, kai_body_com_velocity(f.world, b),
                  "velocity of the centre");
        check_row(all[KAI_BULK_FORCE] + 3 * i, force, "force");
        check_row(all[KAI_BULK_TORQUE] + 3 * i, torque, "torque");
        // The same in principal axes.
        const double* p = all[KAI_BULK_PRINCIPAL_ROTATION] + 4 * i;
        const double* spin = all[KAI_BULK_SPIN] + 3 * i;
        check_row(all[KAI_BULK_ANGULAR_VELOCITY] + 3 * i,
                  kai_quat_rotate(kai_quat_make(p[0], p[1], p[2], p[3]),
                                  kai_vec3_make(spin[0], spin[1], spin[2])),
                  "spin turned to the world");
    }
    // Some bodies by id, backwards.
    kai_body some[2] = {ids[5], ids[2]};
    double rows[6];
    check_ok(kai_bulk_copy_bodies(f.world, KAI_BULK_POSITION, some, 2, rows));
    assert_memory_equal(rows, all[KAI_BULK_POSITION] + 15, 3 * sizeof(double));
    assert_memory_equal(rows + 3, all[KAI_BULK_POSITION] + 6, 3 * sizeof(double));
    // Views lead to the same numbers without a copy.
    for (int q = 0; q < KAI_BULK_BODY_QUANTITIES; q++) {
        kai_bulk_view v;
        if (q < KAI_BULK_COM_POSITION) {
            check_error(kai_bulk_bodies(f.world, (kai_bulk_body)q, &v), KAI_ERROR_UNSUPPORTED);
        } else {
            check_ok(kai_bulk_bodies(f.world, (kai_bulk_body)q, &v));
            assert_int_equal(v.count, BODIES);
            for (size_t i = 0; i < v.count; i++)
                assert_memory_equal((const char*)v.data + i * v.stride, all[q] + v.numbers * i,
                                    v.numbers * sizeof(double));
        }
        free(all[q]);
    }
    free(ids);
    fixture_finish(&f);
}

static void test_sets_are_what_setters_do(void** state)
{
    (void)state;
    fixture f, g;
    start(&f);
    start(&g);
    double *x = malloc(3 * BODIES * sizeof *x), *q = malloc(4 * BODIES * sizeof *q),
           *v = malloc(3 * BODIES * sizeof *v), *w = malloc(3 * BODIES * sizeof *w);
    assert_true(x && q && v && w);
    for (size_t i = 0; i < BODIES; i++) {
        const kai_body a = kai_body_at(f.world, i);
        for (size_t k = 0; k < 3; k++) {
            x[3 * i + k] = wave(i, 0.1 + (double)k);
            v[3 * i + k] = wave(i, 0.2 + (double)k);
            w[3 * i + k] = wave(i, 0.3 + (double)k);
        }
        const kai_quat turn = kai_quat_normalize(kai_quat_make(2.0, wave(i, 3.0), 0.5, 0.1));
        memcpy(q + 4 * i, &turn, sizeof turn);
        const kai_frame frame = {{x[3 * i], x[3 * i + 1], x[3 * i + 2]}, turn};
        check_ok(kai_body_set_frame(f.world, a, frame));
        check_ok(kai_body_set_velocity(f.world, a,
                                       kai_vec3_make(v[3 * i], v[3 * i + 1], v[3 * i + 2]),
                                       kai_vec3_make(w[3 * i], w[3 * i + 1], w[3 * i + 2])));
    }
    // A bad row changes nothing.
    const uint64_t before = kai_world_hash(g.world);
    const double keep = q[4 * 2500];
    memset(q + 4 * 2500, 0, 4 * sizeof *q);
    check_error(kai_bulk_set_bodies(g.world, NULL, BODIES, x, q, v, w), KAI_ERROR_ARGUMENT);
    check_message(&g,
                  "kai_bulk_set_bodies: row 2500 has a number that is not finite, or a rotation "
                  "of norm 0");
    const kai_quat turn = kai_quat_normalize(kai_quat_make(2.0, wave(2500, 3.0), 0.5, 0.1));
    memcpy(q + 4 * 2500, &turn, sizeof turn);
    assert_true(q[4 * 2500] == keep);
    assert_true(kai_world_hash(g.world) == before);
    check_error(kai_bulk_set_bodies(g.world, NULL, BODIES + 1, x, q, v, w), KAI_ERROR_ARGUMENT);
    check_ok(kai_bulk_set_bodies(g.world, NULL, BODIES, x, q, v, w));
    for (size_t i = 0; i < BODIES; i++) {
        const kai_body a = kai_body_at(f.world, i), b = kai_body_at(g.world, i);
        const kai_vec3 fx = kai_body_com_position(f.world, a),
                       fv = kai_body_com_velocity(f.world, a);
        check_row(&fx.x, kai_body_com_position(g.world, b), "centre");
        check_row(&fv.x, kai_body_com_velocity(g.world, b), "its velocity");
    }
    free(x), free(q), free(v), free(w);
    fixture_finish(&f);
    fixture_finish(&g);
}

static void test_nodes_shafts_and_particles(void** state)
{
    (void)state;
    fixture f;
    fixture_start(&f);
    kai_bulk_view view;
    check_ok(kai_bulk_nodes(f.world, KAI_BULK_NODE_POSITION, &view));
    assert_null(view.data);
    for (int i = 0; i < 3; i++) {
        kai_node_def node = kai_node_def_default();
        kai_shaft_def shaft = kai_shaft_def_default();
        kai_node n;
        kai_shaft s;
        node.position = kai_vec3_make(i, 2.0, 3.0);
        node.velocity = kai_vec3_make(0.0, i, 0.0);
        shaft.angle = 10.0 * i;
        shaft.speed = i;
        check_ok(kai_node_create(f.world, &node, NULL, &n));
        check_ok(kai_shaft_create(f.world, &shaft, NULL, &s));
    }
#define AT(view, i) ((const double*)(const void*)((const char*)(view).data + (i) * (view).stride))
    check_ok(kai_bulk_nodes(f.world, KAI_BULK_NODE_POSITION, &view));
    assert_int_equal(view.count, 3);
    check_row(AT(view, 2), kai_vec3_make(2.0, 2.0, 3.0), "position");
    check_ok(kai_bulk_nodes(f.world, KAI_BULK_NODE_VELOCITY, &view));
    check_row(AT(view, 1), kai_vec3_make(0.0, 1.0, 0.0), "velocity");
    check_ok(kai_bulk_shafts(f.world, KAI_BULK_SHAFT_ANGLE, &view));
    assert_true(AT(view, 2)[0] == 20.0 && view.numbers == 1);
    check_ok(kai_bulk_shafts(f.world, KAI_BULK_SHAFT_SPEED, &view));
    assert_true(AT(view, 2)[0] == 2.0);
    check_error(kai_bulk_nodes(f.world, KAI_BULK_NODE_QUANTITIES, &view), KAI_ERROR_ARGUMENT);
    check_message(&f, "kai_bulk_nodes: what is 8; must be from 0 to 7");

    const double x[] = {1.0, 2.0, 3.0}, y[] = {0.0, 0.0, 0.0};
    const kai_shape_sphere_params ball = {0.1};
    kai_particles_def def = kai_particles_def_default();
    kai_particles group;
    double rows[9];
    def.shape = &kai_shape_sphere;
    def.shape_params = &ball;
    def.density = 1.0;
    def.table = (kai_particle_table){.count = 3, .x = x, .y = y, .z = y};
    check_ok(kai_particles_create(f.world, &def, &group));
    check_ok(kai_body_destroy(f.world, kai_particles_body(f.world, group, 1)));
    check_ok(kai_bulk_copy_particles(f.world, KAI_BULK_POSITION, group, rows));
    assert_true(rows[0] == 1.0 && isnan(rows[3]) && rows[6] == 3.0);
    check_error(kai_bulk_copy_particles(f.world, KAI_BULK_POSITION, (kai_particles){0}, rows),
                KAI_ERROR_ID);
    fixture_finish(&f);
}

// Readers on several threads ---------------------------------------------------------------------

typedef struct reader {
    const kai_world* world;
    double sum;
} reader;

static void* read_all(void* context)
{
    reader* r = context;
    double* rows = malloc(4 * BODIES * sizeof *rows);
    for (int q = 0; rows && q < KAI_BULK_BODY_QUANTITIES; q++)
        if (kai_bulk_copy_bodies(r->world, (kai_bulk_body)q, NULL, BODIES, rows) == KAI_OK)
            r->sum += rows[17];
    for (size_t i = 0; i < BODIES; i++) {
        const kai_body b = kai_body_at(r->world, i);
        kai_mass_properties mass;
        if (kai_body_mass(r->world, b, &mass) == KAI_OK) r->sum += mass.mass;
        r->sum += kai_body_position(r->world, b).x + kai_body_acceleration(r->world, b).z;
    }
    r->sum += (double)(kai_world_hash(r->world) % 1000) + kai_world_time(r->world) +
              (double)kai_world_stats(r->world).bodies;
    free(rows);
    return NULL;
}

static void test_readers_at_the_same_time(void** state)
{
    (void)state;
    fixture f;
    start(&f);
    const uint64_t before = kai_world_hash(f.world);
    reader readers[4];
    pthread_t threads[4];
    for (int i = 0; i < 4; i++) {
        readers[i] = (reader){.world = f.world};
        assert_int_equal(pthread_create(&threads[i], NULL, read_all, &readers[i]), 0);
    }
    for (int i = 0; i < 4; i++) assert_int_equal(pthread_join(threads[i], NULL), 0);
    for (int i = 1; i < 4; i++) assert_true(readers[i].sum == readers[0].sum);
    assert_true(kai_world_hash(f.world) == before);
    fixture_finish(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_copies_are_what_getters_say),
        cmocka_unit_test(test_sets_are_what_setters_do),
        cmocka_unit_test(test_nodes_shafts_and_particles),
        cmocka_unit_test(test_readers_at_the_same_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
