// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Particle groups: full bodies from a table, all or none.
#include "fixture.h"
#include "model/world.h"

enum { COUNT = 1000 };

// A table of random rows; columns may be switched off by setting their pointers to NULL.
typedef struct rows {
    double x[COUNT], y[COUNT], z[COUNT], vx[COUNT], vy[COUNT], vz[COUNT];
    double qw[COUNT], qx[COUNT], qy[COUNT], qz[COUNT], wx[COUNT], wy[COUNT], wz[COUNT],
        radius[COUNT];
    kai_shape_sphere_params ball;
    kai_shape_round_params cone;
    kai_particles_def def;
} rows;

static rows* make_rows(void)
{
    rows* r = calloc(1, sizeof *r);
    assert_non_null(r);
    for (uint64_t i = 0; i < COUNT; i++) {
        const kai_vec3 p = helper_random_vec3(i), v = helper_random_vec3(COUNT + i),
                       w = helper_random_vec3(2 * COUNT + i);
        const kai_quat q = helper_random_rotation(i);
        r->x[i] = p.x, r->y[i] = p.y, r->z[i] = p.z, r->vx[i] = v.x, r->vy[i] = v.y, r->vz[i] = v.z;
        r->qw[i] = q.w, r->qx[i] = q.x, r->qy[i] = q.y, r->qz[i] = q.z, r->wx[i] = w.x,
        r->wy[i] = w.y, r->wz[i] = w.z;
        r->radius[i] = 0.01 + 0.001 * (double)(i % 10);
    }
    r->ball.radius = 0.02;
    r->cone = (kai_shape_round_params){0.1, 0.4};
    r->def = kai_particles_def_default();
    r->def.shape = &kai_shape_sphere;
    r->def.shape_params = &r->ball;
    r->def.density = 1000.0;
    r->def.table = (kai_particle_table){.count = COUNT, .x = r->x, .y = r->y, .z = r->z};
    return r;
}

static kai_particles create(fixture* f, const kai_particles_def* def)
{
    kai_particles out = {0};
    if (kai_particles_create(f->world, def, &out) != KAI_OK)
        fail_msg("%s", kai_world_error(f->world)->message);
    return out;
}

static void test_group_from_a_table(void** state)
{
    fixture f;
    fixture_start(&f);
    rows* r = make_rows();
    set_name(&r->def.name, "grains");
    r->def.table = (kai_particle_table){COUNT, r->x,  r->y,  r->z,  r->vx, r->vy, r->vz,    r->qw,
                                        r->qx, r->qy, r->qz, r->wx, r->wy, r->wz, r->radius};
    const kai_particles g = create(&f, &r->def);
    assert_int_equal(kai_body_count(f.world), COUNT);
    assert_int_equal(kai_shape_count(f.world), COUNT);
    assert_int_equal(kai_particles_count(f.world, g), COUNT);
    assert_string_equal(kai_particles_name(f.world, g), "grains");
    const kai_particles found = kai_particles_find(f.world, "grains"),
                        first = kai_particles_at(f.world, 0);
    assert_true(KAI_ID_EQUALS(found, g));
    assert_true(KAI_ID_EQUALS(first, g));
    assert_int_equal(kai_particles_groups(f.world), 1);
    for (size_t i = 0; i < COUNT; i++) {
        const kai_body b = kai_particles_body(f.world, g, i);
        check_vec3(kai_body_position(f.world, b), kai_vec3_make(r->x[i], r->y[i], r->z[i]), 0.0,
                   "row");
        check_vec3(kai_body_velocity(f.world, b), kai_vec3_make(r->vx[i], r->vy[i], r->vz[i]), 0.0,
                   "row");
        check_vec3(kai_body_angular_velocity(f.world, b),
                   kai_vec3_make(r->wx[i], r->wy[i], r->wz[i]), 1e-14, "row");
        check_rotation(kai_body_rotation(f.world, b),
                       kai_quat_make(r->qw[i], r->qx[i], r->qy[i], r->qz[i]), 1e-15, "row");
        kai_mass_properties m;
        const void* params;
        check_ok(kai_body_mass(f.world, b, &m));
        const double a = r->radius[i],
                     mass = 1000.0 * 4.0 / 3.0 * 3.14159265358979323846 * a * a * a;
        check_relative(m.mass, mass, 1e-14, "ball of the row's radius");
        check_relative(m.inertia.m[1][1], 0.4 * mass * a * a, 1e-13, "ball of the row's radius");
        check_ok(kai_shape_get(f.world, kai_shape_first(f.world, b), NULL, &params, NULL, NULL));
        assert_true(((const kai_shape_sphere_params*)params)->radius == a);
    }
    check_ok(kai_world_step(f.world, 1e-3));
    free(r);
    fixture_finish(&f);
}

// Particles need not be balls, nor centred on their rows.
static void test_crooked_particles(void** state)
{
    fixture f;
    fixture_start(&f);
    rows* r = make_rows();
    r->def.shape = &kai_shape_cone;
    r->def.shape_params = &r->cone;
    r->def.common.at = kai_vec3_make(0.1, 0.2, 0.3);
    r->def.common.rotation = helper_random_rotation(9);
    const kai_particles g = create(&f, &r->def);
    kai_body_def def = kai_body_def_default();
    const kai_body b = add_body(&f, &def);
    add_shape(&f, b, &kai_shape_cone, &r->cone, r->def.common.at, r->def.common.rotation);
    check_ok(kai_body_set_density(f.world, b, 1000.0));
    kai_mass_properties expected, m;
    check_ok(kai_body_mass(f.world, b, &expected));
    for (size_t i = 0; i < COUNT; i += 99) {
        const kai_body p = kai_particles_body(f.world, g, i);
        check_ok(kai_body_mass(f.world, p, &m));
        check_relative(m.mass, expected.mass, 1e-14, "a body with that shape");
        check_vec3(m.com, expected.com, 1e-14, "a body with that shape");
        check_mat33(m.inertia, expected.inertia, 1e-13 * kai_mat33_max_abs(expected.inertia),
                    "a body with that shape");
        check_vec3(kai_body_position(f.world, p), kai_vec3_make(r->x[i], r->y[i], r->z[i]), 1e-15,
                   "own frame");
    }
    free(r);
    fixture_finish(&f);
}

static void test_density_of_the_material(void** state)
{
    fixture f;
    fixture_start(&f);
    rows* r = make_rows();
    r->def.density = 0.0;
    kai_particles out;
    check_error(kai_particles_create(f.world, &r->def, &out), KAI_ERROR_ARGUMENT);
    check_message(
        &f, "kai_particles_create: particles: no density; give the group or its material one");
    kai_material_def m = kai_material_def_default();
    m.density = 500.0;
    check_ok(kai_material_create(f.world, &m, &r->def.common.material));
    const kai_particles g = create(&f, &r->def);
    kai_mass_properties mass;
    check_ok(kai_body_mass(f.world, kai_particles_body(f.world, g, 5), &mass));
    check_relative(mass.mass, 500.0 * 4.0 / 3.0 * 3.14159265358979323846 * 8e-6, 1e-14,
                   "the material's");
    free(r);
    fixture_finish(&f);
}

static void test_destroyed_particle(void** state)
{
    fixture f;
    fixture_start(&f);
    rows* r = make_rows();
    const kai_particles g = create(&f, &r->def);
    const kai_body b = kai_particles_body(f.world, g, 500),
                   last = kai_particles_body(f.world, g, COUNT - 1);
    check_ok(kai_body_destroy(f.world, b));
    assert_int_equal(kai_body_count(f.world), COUNT - 1);
    assert_int_equal(kai_particles_count(f.world, g), COUNT); // created with
    const kai_body stale = kai_particles_body(f.world, g, 500);
    assert_true(KAI_ID_EQUALS(stale, b));
    assert_false(kai_body_is_valid(f.world, stale));
    check_vec3(kai_body_position(f.world, last),
               kai_vec3_make(r->x[COUNT - 1], r->y[COUNT - 1], r->z[COUNT - 1]), 0.0,
               "moved to another slot");
    assert_true(KAI_IS_NULL(kai_particles_body(f.world, g, COUNT)));
    assert_true(KAI_IS_NULL(kai_particles_body(f.world, (kai_particles){0}, 0)));
    assert_int_equal(kai_particles_count(f.world, (kai_particles){7, 0, g.world}), 0);
    assert_string_equal(kai_particles_name(f.world, (kai_particles){1, 0, (uint16_t)(g.world + 1)}),
                        "");
    assert_true(KAI_IS_NULL(kai_particles_at(f.world, 1)));
    free(r);
    fixture_finish(&f);
}

static void check_refused(fixture* f, const kai_particles_def* def, kai_result code,
                          const char* message)
{
    const size_t bodies = kai_body_count(f->world), shapes = kai_shape_count(f->world);
    const size_t groups = kai_particles_groups(f->world);
    kai_particles out = {9, 9, 9};
    check_error(kai_particles_create(f->world, def, &out), code);
    char expected[256];
    snprintf(expected, sizeof expected, "kai_particles_create: %s", message);
    check_message(f, expected);
    assert_int_equal(kai_body_count(f->world), bodies);
    assert_int_equal(kai_shape_count(f->world), shapes);
    assert_int_equal(kai_particles_groups(f->world), groups);
    assert_int_equal(out.index, 0);
}

static void test_refused_groups(void** state)
{
    fixture f;
    fixture_start(&f);
    rows* r = make_rows();
    kai_particles_def def = {0};
    check_refused(&f, &def, KAI_ERROR_ARGUMENT, "def was not made by kai_particles_def_default()");
    check_refused(&f, NULL, KAI_ERROR_ARGUMENT, "def is NULL");
#define REFUSED(change, code, message)          \
    do {                                        \
        def = r->def;                           \
        change;                                 \
        check_refused(&f, &def, code, message); \
    } while (0)
    REFUSED(def.shape = NULL, KAI_ERROR_ARGUMENT, "particles: shape must be one with a volume");
    REFUSED(def.shape = &kai_shape_plane, KAI_ERROR_ARGUMENT,
            "particles: shape must be one with a volume");
    REFUSED(def.shape_params = NULL, KAI_ERROR_ARGUMENT, "sphere: its parameters are NULL");
    REFUSED(def.density = -1.0, KAI_ERROR_ARGUMENT, "particles: density is -1 kg/m³; must be > 0");
    REFUSED(def.table.x = NULL, KAI_ERROR_ARGUMENT, "table: x, y and z are needed");
    REFUSED(def.table.vy = r->vy, KAI_ERROR_ARGUMENT, "table: vx, vy and vz come together");
    REFUSED(def.table.wz = r->wz, KAI_ERROR_ARGUMENT, "table: wx, wy and wz come together");
    REFUSED(def.table.qw = r->qw, KAI_ERROR_ARGUMENT, "table: qw, qx, qy and qz come together");
    REFUSED(
        (def.shape = &kai_shape_cone, def.shape_params = &r->cone, def.table.radius = r->radius),
        KAI_ERROR_ARGUMENT, "particles: a column radius is for spheres; shape is cone");
    REFUSED(def.table.count = (size_t)1 << 40, KAI_ERROR_LIMIT,
            "1099511627776 particles; at most 4294967294");
    REFUSED(memset(def.name.text, 'x', sizeof def.name.text), KAI_ERROR_ARGUMENT,
            "particles: name has no end; at most 255 bytes");
#undef REFUSED
    set_name(&r->def.name, "grains");
    create(&f, &r->def);
    check_refused(&f, &r->def, KAI_ERROR_NAME,
                  "particles name \"grains\" is used twice; must be unique");
    free(r);
    fixture_finish(&f);
}

// A bad row is named, and the hundreds before it are taken back.
static void test_bad_rows(void** state)
{
    fixture f;
    fixture_start(&f);
    rows* r = make_rows();
    r->def.table.radius = r->radius;
    r->def.table.qw = r->qw, r->def.table.qx = r->qx, r->def.table.qy = r->qy,
    r->def.table.qz = r->qz;
    r->radius[700] = -0.5;
    check_refused(&f, &r->def, KAI_ERROR_ARGUMENT, "row 700: radius is -0.5 m; must be > 0");
    r->radius[700] = 1e-80;
    check_refused(
        &f, &r->def, KAI_ERROR_ARGUMENT,
        "row 700: mass is 4.18879e-237 kg, moments [0, 0, 0] kg m²; must be > 0 and finite");
    r->radius[700] = 1e150;
    check_refused(&f, &r->def, KAI_ERROR_ARGUMENT,
                  "row 700: mass is inf kg, moments [inf, inf, inf] kg m²; must be > 0 and finite");
    r->radius[700] = 0.1;
    r->x[600] = HUGE_VAL;
    check_refused(&f, &r->def, KAI_ERROR_ARGUMENT, "row 600: a number is not finite");
    r->x[600] = 0.0;
    r->qw[500] = 0.0, r->qx[500] = 0.0, r->qy[500] = 0.0, r->qz[500] = 0.5;
    check_refused(&f, &r->def, KAI_ERROR_ARGUMENT,
                  "row 500: the norm of qw, qx, qy, qz is 0.5; must be 1");
    r->qz[500] = 1.0;
    create(&f, &r->def);
    free(r);
    fixture_finish(&f);
}

static void test_empty_group(void** state)
{
    fixture f;
    fixture_start(&f);
    rows* r = make_rows();
    r->def.table = (kai_particle_table){0};
    const kai_particles g = create(&f, &r->def);
    assert_int_equal(kai_particles_count(f.world, g), 0);
    check_ok(kai_world_step(f.world, 1e-3));
    free(r);
    fixture_finish(&f);
}

// 64 pose, 64 motion, 4 owner, 4 shared_properties, 8 entry: 144 bytes, and no per-particle allocations. Mass,
// cold record and shape are one for all.
static void test_memory_of_a_particle(void** state)
{
    enum { MANY = 100000 };
    fixture f;
    fixture_start(&f);
    double* x = calloc(MANY, sizeof *x);
    assert_non_null(x);
    kai_particles_def def = kai_particles_def_default();
    const kai_shape_sphere_params ball = {0.1};
    def.shape = &kai_shape_sphere;
    def.shape_params = &ball;
    def.density = 1.0;
    def.table =
        (kai_particle_table){.count = MANY, .x = x, .y = x, .z = x, .vx = x, .vy = x, .vz = x};
    const uint64_t before = kai_world_stats(f.world).allocations;
    create(&f, &def);
    const kai_stats s = kai_world_stats(f.world);
    assert_int_equal(s.bodies, MANY);
    const double bytes = (double)s.bytes / MANY;
    if (bytes >= 145.0) fail_msg("%g bytes a particle", bytes);
    assert_true(s.allocations - before < 20); // a handful for all of them
    check_ok(kai_world_step(f.world, 1e-3));
    assert_true((double)kai_world_stats(f.world).peak_bytes / MANY < 160.0);
    free(x);
    fixture_finish(&f);
}

static uint32_t kin_of(const fixture* f, kai_body body)
{
    return f->world->bodies.shared_properties[kai_bodies_slot(&f->world->bodies, body)];
}

// Particles share what is the same for all; one that changes, changes alone.
static void test_one_that_differs(void** state)
{
    (void)state;
    fixture f;
    fixture_start(&f);
    rows* r = make_rows();
    r->def.table.count = 6;
    const kai_particles g = create(&f, &r->def);
    kai_body p[6];
    for (size_t i = 0; i < 6; i++) p[i] = kai_particles_body(f.world, g, i);
    const kai_shape second = kai_shape_first(f.world, p[1]);
    assert_int_equal(f.world->shapes.runs.count, 1);
    assert_int_equal(kin_of(&f, p[0]), kin_of(&f, p[5]));

    // A number of its own, then another mass.
    check_ok(kai_body_set_user_data(f.world, p[0], 7));
    assert_int_equal(kai_body_user_data(f.world, p[0]), 7);
    assert_int_equal(kai_body_user_data(f.world, p[1]), 0);
    kai_mass_properties mass, other;
    check_ok(kai_body_mass(f.world, p[4], &mass));
    const double before = mass.mass;
    mass.mass *= 2.0;
    check_ok(kai_body_set_mass(f.world, p[4], &mass));
    check_ok(kai_body_mass(f.world, p[5], &other));
    assert_true(other.mass == before);

    // A second shape; ids of the others stay.
    kai_shape box;
    const kai_shape_box_params cube = {kai_vec3_make(0.1, 0.1, 0.1)};
    kai_shape_def def = kai_shape_def_default();
    check_ok(kai_shape_create(f.world, p[1], &kai_shape_box, &cube, &def, &box));
    assert_int_equal(f.world->shapes.runs.count, 0);
    assert_int_equal(kai_shape_count(f.world), 7);
    assert_int_equal(kai_shape_first(f.world, p[1]).index, second.index);
    assert_int_equal(kai_shape_next(f.world, second).index, box.index);
    assert_true(KAI_IS_NULL(kai_shape_next(f.world, kai_shape_first(f.world, p[2]))));

    // One without a shape, one gone.
    check_ok(kai_shape_destroy(f.world, kai_shape_first(f.world, p[2])));
    assert_true(KAI_IS_NULL(kai_shape_first(f.world, p[2])));
    check_ok(kai_body_destroy(f.world, p[3]));
    assert_false(kai_body_is_valid(f.world, kai_particles_body(f.world, g, 3)));
    for (size_t i = 0; i < 6; i += i == 1 ? 3 : 1) {
        kai_body body;
        const void* params;
        const kai_shape shape = kai_shape_first(f.world, p[i]);
        check_ok(kai_shape_get(f.world, shape, NULL, &params, NULL, &body));
        assert_int_equal(body.index, p[i].index);
        assert_true(((const kai_shape_sphere_params*)params)->radius == r->ball.radius);
    }
    check_ok(kai_world_step(f.world, 1e-3));
    free(r);
    fixture_finish(&f);
}

// Through a file they come back as they were, slots in another order or not.
static void test_groups_in_a_file(void** state)
{
    (void)state;
    const char* path = "test_particles_groups.h5";
    fixture f;
    fixture_start(&f);
    rows* r = make_rows();
    r->def.table.count = 20;
    for (size_t i = 0; i < 20; i++) r->x[i] = (double)(20 - i); // slots in another order
    create(&f, &r->def);
    create(&f, &r->def);
    check_ok(kai_world_reorder(f.world));
    check_ok(kai_world_save(f.world, path));
    kai_world* again;
    kai_error err = {0};
    const kai_world_def def = kai_world_def_default();
    if (kai_world_load(&def, path, &again, &err) != KAI_OK) fail_msg("%s", err.message);
    assert_int_equal(again->shapes.runs.count, 2);
    assert_int_equal(again->shapes.entries.count, f.world->shapes.entries.count);
    for (size_t i = 0; i < kai_body_count(f.world); i++) {
        const kai_bodies_cold a = kai_bodies_cold_of(&f.world->bodies, i),
                              b = kai_bodies_cold_of(&again->bodies, i);
        assert_memory_equal(&a, &b, sizeof a);
    }
    assert_true(again->bodies.shared_properties_count <= 3);
    kai_world_destroy(again);
    remove(path);
    free(r);
    fixture_finish(&f);
}

static void test_out_of_memory(void** state)
{
    rows* r = make_rows();
    r->def.shape = &kai_shape_cone; // needs an offset each
    r->def.shape_params = &r->cone;
    r->def.table.count = 40;
    set_name(&r->def.name, "grains");
    bool whole = false;
    uint64_t n = 1;
    for (; !whole; n++) {
        fixture f;
        fixture_start(&f);
        f.counter.fail_at = f.counter.calls + n;
        kai_particles out;
        const kai_result result = kai_particles_create(f.world, &r->def, &out);
        f.counter.fail_at = 0;
        whole = result == KAI_OK;
        if (!whole) {
            check_error(result, KAI_ERROR_MEMORY);
            assert_int_equal(kai_body_count(f.world), 0);
            assert_int_equal(kai_shape_count(f.world), 0);
            create(&f, &r->def); // and it works once there is memory
        }
        fixture_finish(&f);
    }
    assert_true(n > 10);
    free(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_group_from_a_table),
        cmocka_unit_test(test_crooked_particles),
        cmocka_unit_test(test_density_of_the_material),
        cmocka_unit_test(test_destroyed_particle),
        cmocka_unit_test(test_refused_groups),
        cmocka_unit_test(test_bad_rows),
        cmocka_unit_test(test_empty_group),
        cmocka_unit_test(test_memory_of_a_particle),
        cmocka_unit_test(test_one_that_differs),
        cmocka_unit_test(test_groups_in_a_file),
        cmocka_unit_test(test_out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
