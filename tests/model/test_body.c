// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Bodies: ids and names, own and principal frames, mass, what is refused.
#include "fixture.h"
#include "model/world.h"

// Ids --------------------------------------------------------------------------------------------

static void test_create_and_destroy(void** state)
{
    fixture f;
    fixture_start(&f);
    kai_body_def def = body_def("a");
    def.user_data = 42;
    const kai_body a = add_body(&f, &def);
    set_name(&def.name, "b");
    const kai_body b = add_body(&f, &def);
    assert_int_equal(kai_body_count(f.world), 2);
    assert_true(KAI_ID_EQUALS(kai_body_find(f.world, "a"), a));
    assert_true(KAI_ID_EQUALS(kai_body_at(f.world, 1), b));
    assert_true(KAI_IS_NULL(kai_body_at(f.world, 2)));
    assert_string_equal(kai_body_name(f.world, b), "b");
    assert_int_equal(kai_body_user_data(f.world, a), 42);
    check_ok(kai_body_set_user_data(f.world, a, UINT64_MAX));
    assert_true(kai_body_user_data(f.world, a) == UINT64_MAX);

    check_ok(kai_body_destroy(f.world, a));
    assert_false(kai_body_is_valid(f.world, a));
    assert_true(kai_body_is_valid(f.world, b));
    assert_true(KAI_IS_NULL(kai_body_find(f.world, "a")));
    assert_true(KAI_ID_EQUALS(kai_body_at(f.world, 0), b)); // moved into the gap
    set_name(&def.name, "a");
    const kai_body again = add_body(&f, &def);
    assert_int_equal(again.index, a.index);
    assert_false(KAI_ID_EQUALS(again, a));
    assert_false(kai_body_is_valid(f.world, a));
    fixture_finish(&f);
}

typedef struct twin {
    kai_body id;
    double x;
    uint64_t tag;
    bool crooked, named;
} twin;

static void check_twins(const fixture* f, const twin* twins, size_t count)
{
    assert_int_equal(kai_body_count(f->world), count);
    for (size_t i = 0; i < count; i++) {
        const twin* t = &twins[i];
        char name[32];
        snprintf(name, sizeof name, "n%d", (int)t->tag);
        assert_true(kai_body_is_valid(f->world, t->id));
        assert_int_equal(kai_body_user_data(f->world, t->id), t->tag);
        check_near(kai_body_position(f->world, t->id).x, t->x, 1e-12, "where it was put");
        check_near(kai_vec3_distance(kai_body_com_position(f->world, t->id),
                                     kai_body_position(f->world, t->id)),
                   t->crooked ? sqrt(0.38) : 0.0, 1e-12, "its own offset");
        assert_string_equal(kai_body_name(f->world, t->id), t->named ? name : "");
        if (t->named) assert_true(KAI_ID_EQUALS(kai_body_find(f->world, name), t->id));
    }
}

static void test_churn(void** state)
{
    enum { MOST = 50 };
    fixture f;
    fixture_start(&f);
    twin twins[MOST];
    kai_body gone = {0};
    size_t count = 0;
    for (uint64_t step = 0; step < 10000; step++) {
        const double what = kai_random_uniform(4, 0, step);
        const size_t i = (size_t)(kai_random_uniform(4, 1, step) * (double)count);
        if (count == 0 || (what < 0.55 && count < MOST)) {
            twin* t = &twins[count++];
            *t = (twin){
                .x = (double)step, .tag = step, .crooked = step % 3 == 0, .named = step % 5 == 0};
            char name[32] = "";
            if (t->named) snprintf(name, sizeof name, "n%d", (int)step);
            kai_body_def def = t->crooked ? crooked_def(name) : body_def(name);
            def.position.x = t->x;
            def.user_data = t->tag;
            t->id = add_body(&f, &def);
        } else {
            gone = twins[i].id;
            check_ok(kai_body_destroy(f.world, gone));
            twins[i] = twins[--count];
        }
        assert_false(kai_body_is_valid(f.world, gone));
        if (step % 50 == 0) check_twins(&f, twins, count);
    }
    check_twins(&f, twins, count);
    fixture_finish(&f);
}

static void test_names(void** state)
{
    fixture f;
    fixture_start(&f);
    kai_body_def def = body_def("arm");
    add_body(&f, &def);
    kai_body out = {9, 9, 9};
    check_error(kai_body_create(f.world, &def, &out), KAI_ERROR_NAME);
    check_message(&f, "kai_body_create: body name \"arm\" is used twice; must be unique");
    assert_int_equal(out.index, 0);
    memset(def.name.text, 'x', sizeof def.name.text);
    check_error(kai_body_create(f.world, &def, &out), KAI_ERROR_ARGUMENT);
    check_message(&f, "kai_body_create: body: name has no end; at most 255 bytes");
    def.name.text[255] = '\0';
    add_body(&f, &def); // as long as it may be
    set_name(&def.name, "a\tb");
    check_error(kai_body_create(f.world, &def, &out), KAI_ERROR_NAME);
    set_name(&def.name, "");
    add_body(&f, &def);
    add_body(&f, &def); // any number without a name
    assert_int_equal(kai_body_count(f.world), 4);
    assert_true(KAI_IS_NULL(kai_body_find(f.world, "")));
    fixture_finish(&f);
}

static void test_create_many(void** state)
{
    fixture f;
    fixture_start(&f);
    kai_body_def defs[5];
    kai_body out[5];
    for (int i = 0; i < 5; i++) {
        defs[i] = i % 2 ? crooked_def("") : body_def("");
        defs[i].user_data = (uint64_t)i;
    }
    check_ok(kai_body_create_many(f.world, defs, 5, out));
    for (size_t i = 0; i < 5; i++) assert_int_equal(kai_body_user_data(f.world, out[i]), i);
    check_ok(kai_body_create_many(f.world, defs, 5, NULL));
    check_ok(kai_body_create_many(f.world, defs, 0, NULL));
    defs[3].mass = -1.0;
    check_error(kai_body_create_many(f.world, defs, 5, out), KAI_ERROR_ARGUMENT);
    check_message(&f, "kai_body_create_many: defs[3]: body: mass is -1 kg; must be > 0");
    assert_int_equal(kai_body_count(f.world), 10);
    check_error(kai_body_create_many(f.world, defs, SIZE_MAX - 3, out), KAI_ERROR_LIMIT);
    fixture_finish(&f);
}

// Every query and change of a body that is gone, null or of another world.
static void check_stale(fixture* f, kai_body body)
{
    const kai_vec3 one = kai_vec3_make(1.0, 1.0, 1.0);
    const kai_mass_properties mass = {1.0, kai_vec3_zero(), kai_mat33_identity()};
    kai_mass_properties out;
    kai_vec3 force, torque;
    char rest[80];
    snprintf(rest, sizeof rest, ": body id %u is null, stale or from another world", body.index);
#define REPORTED(call, zero)                                        \
    do {                                                            \
        char expected[160];                                         \
        snprintf(expected, sizeof expected, "%s%s", #call, rest);   \
        assert_true(zero);                                          \
        check_error(kai_world_error(f->world)->code, KAI_ERROR_ID); \
        check_message(f, expected);                                 \
    } while (0)
#define ZERO_VECTOR(call, ...) \
    REPORTED(call, kai_vec3_norm2(call(f->world, body, ##__VA_ARGS__)) == 0.0)
    REPORTED(kai_body_name, kai_body_name(f->world, body)[0] == '\0');
    REPORTED(kai_body_frame, kai_quat_norm2(kai_body_frame(f->world, body).rotation) == 0.0);
    REPORTED(kai_body_rotation, kai_quat_norm2(kai_body_rotation(f->world, body)) == 0.0);
    ZERO_VECTOR(kai_body_position);
    ZERO_VECTOR(kai_body_velocity);
    ZERO_VECTOR(kai_body_acceleration);
    ZERO_VECTOR(kai_body_angular_velocity);
    ZERO_VECTOR(kai_body_angular_acceleration);
    ZERO_VECTOR(kai_body_com_position);
    ZERO_VECTOR(kai_body_com_velocity);
    ZERO_VECTOR(kai_body_point_velocity, one);
    ZERO_VECTOR(kai_body_point_to_world, one);
    ZERO_VECTOR(kai_body_point_from_world, one);
    ZERO_VECTOR(kai_body_vector_to_world, one);
    ZERO_VECTOR(kai_body_vector_from_world, one);
    REPORTED(kai_body_is_fixed, !kai_body_is_fixed(f->world, body));
    REPORTED(kai_body_user_data, kai_body_user_data(f->world, body) == 0);
    REPORTED(kai_body_force, kai_body_force(f->world, body, &force, &torque) == KAI_ERROR_ID);
    REPORTED(kai_body_mass, kai_body_mass(f->world, body, &out) == KAI_ERROR_ID);
    REPORTED(kai_body_set_frame,
             kai_body_set_frame(f->world, body, kai_frame_identity()) == KAI_ERROR_ID);
    REPORTED(kai_body_set_velocity,
             kai_body_set_velocity(f->world, body, one, one) == KAI_ERROR_ID);
    REPORTED(kai_body_set_mass, kai_body_set_mass(f->world, body, &mass) == KAI_ERROR_ID);
    REPORTED(kai_body_set_density, kai_body_set_density(f->world, body, 1.0) == KAI_ERROR_ID);
    REPORTED(kai_body_set_fixed, kai_body_set_fixed(f->world, body, true) == KAI_ERROR_ID);
    REPORTED(kai_body_set_user_data, kai_body_set_user_data(f->world, body, 1) == KAI_ERROR_ID);
    REPORTED(kai_body_destroy, kai_body_destroy(f->world, body) == KAI_ERROR_ID);
#undef ZERO_VECTOR
#undef REPORTED
    assert_true(KAI_IS_NULL(kai_shape_first(f->world, body)));
}

static void test_stale_ids(void** state)
{
    fixture f, other;
    fixture_start(&f);
    fixture_start(&other);
    const kai_body_def def = body_def("");
    const kai_body gone = add_body(&f, &def), foreign = add_body(&other, &def);
    check_ok(kai_body_destroy(f.world, gone));
    add_body(&f, &def);
    check_stale(&f, gone);
    check_stale(&f, foreign);
    check_stale(&f, (kai_body){0});
    check_stale(&f, (kai_body){1000, 0, gone.world});
    fixture_finish(&f);
    fixture_finish(&other);
}

// Frames -----------------------------------------------------------------------------------------

static void test_own_frame_is_kept(void** state)
{
    fixture f;
    fixture_start(&f);
    kai_body_def def = crooked_def("");
    def.rotation = kai_quat_make(3.0 * def.rotation.w, 3.0 * def.rotation.x, 3.0 * def.rotation.y,
                                 3.0 * def.rotation.z); // need not be normalised
    const kai_body b = add_body(&f, &def);
    const kai_quat q = kai_quat_normalize(def.rotation);
    const kai_vec3 arm = kai_quat_rotate(q, def.com);
    check_vec3(kai_body_position(f.world, b), def.position, 1e-14, "as given");
    check_rotation(kai_body_rotation(f.world, b), q, 1e-14, "as given");
    check_vec3(kai_body_velocity(f.world, b), def.velocity, 1e-14, "of the origin, as given");
    check_vec3(kai_body_angular_velocity(f.world, b), def.angular_velocity, 1e-14,
               "world frame, as given");
    check_vec3(kai_body_com_position(f.world, b), kai_vec3_add(def.position, arm), 1e-14,
               "x + R c");
    const kai_vec3 v = kai_vec3_add(def.velocity, kai_vec3_cross(def.angular_velocity, arm));
    check_vec3(kai_body_com_velocity(f.world, b), v, 1e-14, "v + ω × R c");
    fixture_finish(&f);
}

// Inside, the frame is principal: the inertia there is diagonal, and the spin is ω in its axes.
static void test_principal_frame(void** state)
{
    fixture f;
    fixture_start(&f);
    const kai_body_def def = crooked_def("");
    const kai_body b = add_body(&f, &def);
    const kai_pose* pose = &f.world->bodies.pose[0];
    const kai_motion* motion = &f.world->bodies.motion[0];
    const kai_bodies_mass* mass = kai_bodies_mass_of(&f.world->bodies, 0);
    const kai_mat33 own = tensor(&def.inertia);
    const kai_mat33 world = kai_mat33_rotate_tensor(kai_quat_to_mat33(def.rotation), own);
    const kai_mat33 inner = kai_mat33_rotate_tensor(kai_quat_to_mat33(pose->rotation),
                                                    kai_mat33_diagonal(mass->moments));
    check_mat33(inner, world, 1e-13, "the same tensor in the world");
    check_vec3(kai_quat_rotate(pose->rotation, motion->spin), def.angular_velocity, 1e-14,
               "R spin = ω");
    check_relative(mass->inverse_mass, 0.5, 1e-15, "1 / 2 kg");
    check_relative(mass->moments.y * mass->inverse_moments.y, 1.0, 1e-15, "inverse");
    check_near(kai_vec3_norm(kai_body_angular_velocity(f.world, b)), kai_vec3_norm(motion->spin),
               1e-14, "same length");
    fixture_finish(&f);
}

static void test_points_and_vectors(void** state)
{
    fixture f;
    fixture_start(&f);
    const kai_body_def def = crooked_def("");
    const kai_body b = add_body(&f, &def);
    for (uint64_t i = 0; i < 100; i++) {
        const kai_vec3 p = helper_random_vec3(i);
        const kai_vec3 w = kai_vec3_add(def.position, kai_quat_rotate(def.rotation, p));
        check_vec3(kai_body_point_to_world(f.world, b, p), w, 1e-14, "x + R p");
        check_vec3(kai_body_point_from_world(f.world, b, w), p, 1e-14, "and back");
        const kai_vec3 v = kai_quat_rotate(def.rotation, p);
        check_vec3(kai_body_vector_to_world(f.world, b, p), v, 1e-14, "R p");
        check_vec3(kai_body_vector_from_world(f.world, b, v), p, 1e-14, "and back");
        const kai_vec3 moving = kai_vec3_add(def.velocity, kai_vec3_cross(def.angular_velocity, v));
        check_vec3(kai_body_point_velocity(f.world, b, w), moving, 1e-13, "v + ω × (w - x)");
    }
    fixture_finish(&f);
}

// The velocity of the origin is the rate of its position: over a short step of free motion.
static void test_velocity_is_the_rate_of_position(void** state)
{
    fixture f;
    fixture_start(&f);
    const kai_body_def def = crooked_def("");
    const kai_body b = add_body(&f, &def);
    check_ok(kai_integrator_set(f.world, &kai_integrator_rk4, NULL));
    const double h = 1e-5;
    check_ok(kai_world_step(f.world, h));
    const kai_vec3 rate =
        kai_vec3_scale(kai_vec3_sub(kai_body_position(f.world, b), def.position), 1.0 / h);
    check_vec3(rate, def.velocity, 1e-4, "first order in h");
    const kai_quat dq = kai_quat_mul(kai_body_rotation(f.world, b), kai_quat_conj(def.rotation));
    check_vec3(kai_vec3_scale(kai_quat_to_rotation_vector(dq), 1.0 / h), def.angular_velocity, 1e-4,
               "the turn in the world frame");
    fixture_finish(&f);
}

static void test_set_frame_and_velocity(void** state)
{
    fixture f;
    fixture_start(&f);
    const kai_body_def def = crooked_def("");
    const kai_body b = add_body(&f, &def);
    const kai_frame frame = {kai_vec3_make(-5.0, 0.0, 1.0), helper_random_rotation(30)};
    check_ok(kai_body_set_frame(f.world, b, frame));
    check_vec3(kai_body_position(f.world, b), frame.position, 1e-14, "as set");
    check_rotation(kai_body_rotation(f.world, b), frame.rotation, 1e-14, "as set");
    check_vec3(kai_body_velocity(f.world, b), def.velocity, 1e-14, "not changed");
    check_vec3(kai_body_angular_velocity(f.world, b), def.angular_velocity, 1e-14, "not changed");
    const kai_vec3 v = kai_vec3_make(3.0, 2.0, 1.0), w = kai_vec3_make(0.0, -4.0, 1.0);
    check_ok(kai_body_set_velocity(f.world, b, v, w));
    check_vec3(kai_body_velocity(f.world, b), v, 1e-14, "as set");
    check_vec3(kai_body_angular_velocity(f.world, b), w, 1e-14, "as set");
    check_vec3(kai_body_position(f.world, b), frame.position, 1e-14, "not changed");

    const kai_frame zero = {kai_vec3_zero(), {0.0, 0.0, 0.0, 0.0}};
    const kai_frame lost = {kai_vec3_make(nan(""), 0.0, 0.0), {1.0, 0.0, 0.0, 0.0}};
    const char* text =
        "kai_body_set_frame: position and rotation must be finite, rotation not zero";
    check_error(kai_body_set_frame(f.world, b, zero), KAI_ERROR_ARGUMENT);
    check_message(&f, text);
    check_error(kai_body_set_frame(f.world, b, lost), KAI_ERROR_ARGUMENT);
    check_message(&f, text);
    check_error(kai_body_set_velocity(f.world, b, v, kai_vec3_make(0.0, HUGE_VAL, 0.0)),
                KAI_ERROR_ARGUMENT);
    check_message(&f, "kai_body_set_velocity: both velocities must be finite");
    check_error(kai_body_set_velocity(f.world, b, kai_vec3_make(1.7e308, 1.7e308, 1.7e308),
                                      kai_vec3_make(1.7e308, -1.7e308, 1.7e308)),
                KAI_ERROR_ARGUMENT);
    check_vec3(kai_body_velocity(f.world, b), v, 1e-14, "nothing has changed");
    // A quaternion of any size is a rotation.
    const kai_frame tiny = {kai_vec3_zero(), {0.0, 1e-200, 0.0, 0.0}},
                    big = {kai_vec3_zero(), {0.0, 0.0, 1e200, 0.0}};
    check_ok(kai_body_set_frame(f.world, b, tiny));
    check_rotation(kai_body_rotation(f.world, b), kai_quat_make(0.0, 1.0, 0.0, 0.0), 1e-14,
                   "normalised");
    check_ok(kai_body_set_frame(f.world, b, big));
    check_rotation(kai_body_rotation(f.world, b), kai_quat_make(0.0, 0.0, 1.0, 0.0), 1e-14,
                   "normalised");
    fixture_finish(&f);
}

// Mass -------------------------------------------------------------------------------------------

static void test_mass_round_trip(void** state)
{
    fixture f;
    fixture_start(&f);
    const kai_body_def def = crooked_def("");
    const kai_body b = add_body(&f, &def);
    kai_mass_properties m;
    check_ok(kai_body_mass(f.world, b, &m));
    check_relative(m.mass, 2.0, 1e-15, "as given");
    check_vec3(m.com, def.com, 1e-14, "as given");
    check_mat33(m.inertia, tensor(&def.inertia), 1e-14, "as given");
    const kai_body_def straight = body_def("");
    const kai_body s = add_body(&f, &straight);
    check_ok(kai_body_mass(f.world, s, &m));
    check_mat33(m.inertia, tensor(&straight.inertia), 0.0, "a diagonal one to the bit");
    fixture_finish(&f);
}

static void test_set_mass_keeps_the_own_frame(void** state)
{
    fixture f;
    fixture_start(&f);
    const kai_body_def def = crooked_def("");
    const kai_body b = add_body(&f, &def);
    for (uint64_t i = 0; i < 50; i++) {
        const kai_mat33 r = kai_quat_to_mat33(helper_random_rotation(i));
        const kai_mass_properties m = {
            1.0 + (double)i, helper_random_vec3(i),
            kai_mat33_rotate_tensor(r, kai_mat33_diagonal(kai_vec3_make(3.0, 4.0, 5.0)))};
        check_ok(kai_body_set_mass(f.world, b, &m));
        check_vec3(kai_body_position(f.world, b), def.position, 1e-12, "does not move");
        check_rotation(kai_body_rotation(f.world, b), def.rotation, 1e-12, "does not turn");
        check_vec3(kai_body_velocity(f.world, b), def.velocity, 1e-12,
                   "the origin keeps its velocity");
        check_vec3(kai_body_angular_velocity(f.world, b), def.angular_velocity, 1e-12,
                   "keeps its spin");
        kai_mass_properties back;
        check_ok(kai_body_mass(f.world, b, &back));
        check_vec3(back.com, m.com, 1e-13, "as set");
        check_mat33(back.inertia, m.inertia, 1e-13, "as set");
    }
    fixture_finish(&f);
}

static void test_set_mass_refuses(void** state)
{
    fixture f;
    fixture_start(&f);
    const kai_body_def def = crooked_def("");
    const kai_body b = add_body(&f, &def);
    const uint64_t hash = kai_world_hash(f.world);
    kai_mass_properties m = {0.0, kai_vec3_zero(), kai_mat33_identity()};
    check_error(kai_body_set_mass(f.world, b, &m), KAI_ERROR_ARGUMENT);
    check_message(&f, "kai_body_set_mass: mass is 0 kg; must be > 0 and finite");
    m.mass = 1e-320;
    check_error(kai_body_set_mass(f.world, b, &m), KAI_ERROR_ARGUMENT);
    assert_non_null(strstr(kai_world_error(f.world)->message, "too small to divide by"));
    m = (kai_mass_properties){1.0, kai_vec3_make(0.0, HUGE_VAL, 0.0), kai_mat33_identity()};
    check_error(kai_body_set_mass(f.world, b, &m), KAI_ERROR_ARGUMENT);
    check_message(&f, "kai_body_set_mass: body: com is [0, inf, 0] m; must be finite");
    m.com = kai_vec3_make(1.7e308, 1.7e308, 1.7e308); // finite, but its velocity is not
    check_error(kai_body_set_mass(f.world, b, &m), KAI_ERROR_ARGUMENT);
    assert_true(kai_world_hash(f.world) == hash);
    kai_mass_properties back;
    check_ok(kai_body_mass(f.world, b, &back));
    check_vec3(back.com, def.com, 1e-14, "nothing has changed");
    fixture_finish(&f);
}

// Moments that break the triangle inequality are taken, with one warning that names the body.
static void test_unphysical_inertia_is_told(void** state)
{
    fixture f;
    fixture_start(&f);
    kai_body_def def = body_def("crank");
    add_body(&f, &def);
    assert_int_equal(f.lines, 0);
    set_name(&def.name, "rod");
    def.inertia = (kai_inertia){.xx = 1.0, .yy = 1.0, .zz = 5.0};
    const kai_body rod = add_body(&f, &def);
    const char* rest =
        "inertia has principal moments 1, 1, 5 kg m²; of a real body the largest does not exceed the "
        "sum of the others";
    char expected[256];
    snprintf(expected, sizeof expected, "body 'rod': %s", rest);
    assert_int_equal(f.lines, 1);
    assert_int_equal(f.level, KAI_LOG_WARNING);
    assert_string_equal(f.line, expected);
    const kai_mass_properties m = {1.0, kai_vec3_zero(), tensor(&def.inertia)};
    check_ok(kai_body_set_mass(f.world, rod, &m));
    assert_int_equal(f.lines, 2);
    kai_body_def defs[2] = {body_def(""), def};
    check_ok(kai_body_create_many(f.world, defs, 2, NULL));
    assert_int_equal(f.lines, 3);
    snprintf(expected, sizeof expected, "body #4: %s", rest);
    assert_string_equal(f.line, expected);
    check_ok(kai_world_step(f.world, 1e-3));
    fixture_finish(&f);
}

static void test_fixed_and_free(void** state)
{
    fixture f;
    fixture_start(&f);
    check_ok(kai_world_set_gravity(f.world, kai_vec3_make(0.0, 0.0, -10.0)));
    kai_body_def def = crooked_def("");
    def.fixed = true;
    const kai_body b = add_body(&f, &def);
    assert_true(kai_body_is_fixed(f.world, b));
    check_vec3(kai_body_velocity(f.world, b), kai_vec3_zero(), 0.0, "a fixed body is at rest");
    for (size_t i = 0; kai_integrator_built_in(i); i++) {
        const uint64_t before = kai_world_hash(f.world);
        check_ok(kai_integrator_set(f.world, kai_integrator_built_in(i), NULL));
        check_ok(kai_world_step(f.world, 0.01));
        assert_true(kai_world_hash(f.world) != before); // the clock
        check_vec3(kai_body_position(f.world, b), def.position, 1e-14, "never moves");
    }
    check_ok(kai_body_set_fixed(f.world, b, false));
    assert_false(kai_body_is_fixed(f.world, b));
    check_ok(kai_body_set_velocity(f.world, b, kai_vec3_make(1.0, 0.0, 0.0), kai_vec3_zero()));
    check_ok(kai_integrator_set(f.world, &kai_integrator_euler, NULL));
    check_ok(kai_world_step(f.world, 0.01));
    check_vec3(kai_body_velocity(f.world, b), kai_vec3_make(1.0, 0.0, -0.1), 1e-14, "falls");
    kai_mass_properties m;
    check_ok(kai_body_mass(f.world, b, &m));
    check_mat33(m.inertia, tensor(&def.inertia), 1e-14, "its mass was kept");
    check_ok(kai_body_set_fixed(f.world, b, true));
    check_vec3(kai_body_velocity(f.world, b), kai_vec3_zero(), 0.0, "stopped");
    check_ok(kai_body_set_velocity(f.world, b, kai_vec3_make(1.0, 0.0, 0.0), kai_vec3_zero()));
    check_vec3(kai_body_velocity(f.world, b), kai_vec3_zero(), 0.0,
               "a fixed body takes no velocity");
    fixture_finish(&f);
}

static void test_massless_body_stops_the_step(void** state)
{
    fixture f;
    fixture_start(&f);
    kai_body_def def = body_def("ball");
    def.mass = 0.0;
    def.inertia = (kai_inertia){0};
    const kai_body ball = add_body(&f, &def);
    check_error(kai_world_step(f.world, 1e-3), KAI_ERROR_ARGUMENT);
    check_message(
        &f,
        "kai_world_step: body 'ball' has no mass or no inertia; give it both, or a density with shapes, "
        "or fix it");
    check_ok(kai_body_set_fixed(f.world, ball, true));
    check_ok(kai_world_step(f.world, 1e-3));
    check_ok(kai_body_set_fixed(f.world, ball, false));
    check_error(kai_world_step(f.world, 1e-3), KAI_ERROR_ARGUMENT);
    const kai_mass_properties m = {1.0, kai_vec3_zero(), kai_mat33_identity()};
    check_ok(kai_body_set_mass(f.world, ball, &m));
    check_ok(kai_world_step(f.world, 1e-3));
    set_name(&def.name, "");
    def.mass = 1.0; // a mass without inertia is not enough either
    const kai_body plain = add_body(&f, &def);
    check_error(kai_world_step(f.world, 1e-3), KAI_ERROR_ARGUMENT);
    check_message(
        &f,
        "kai_world_step: body #2 has no mass or no inertia; give it both, or a density with shapes, "
        "or fix it");
    check_ok(kai_body_destroy(f.world, plain));
    check_ok(kai_world_step(f.world, 1e-3));
    fixture_finish(&f);
}

// What is refused --------------------------------------------------------------------------------

static void check_refused(fixture* f, const kai_body_def* def, const char* message)
{
    const size_t count = kai_body_count(f->world);
    kai_body out = {9, 9, 9};
    check_error(kai_body_create(f->world, def, &out), KAI_ERROR_ARGUMENT);
    check_message(f, message);
    assert_int_equal(kai_body_count(f->world), count);
    assert_int_equal(out.index, 0);
}

static void test_refused_defs(void** state)
{
    fixture f;
    fixture_start(&f);
    kai_body_def raw;
    memset(&raw, 0, sizeof raw);
    check_refused(&f, &raw, "kai_body_create: def was not made by kai_body_def_default()");
    check_refused(&f, NULL, "kai_body_create: def is NULL");
#define REFUSED(change, message)                              \
    do {                                                      \
        kai_body_def def = crooked_def("");                   \
        change;                                               \
        check_refused(&f, &def, "kai_body_create: " message); \
    } while (0)
    REFUSED(def.mass = -2.0, "body: mass is -2 kg; must be > 0");
    REFUSED(def.mass = HUGE_VAL, "body: mass is inf kg; must be finite");
    REFUSED(def.mass = 1e-320, "body: mass is 9.99989e-321 kg; too small to divide by");
    REFUSED(def.mass = 0.0, "body: mass is 0 kg beside an inertia; must be > 0");
    REFUSED(def.density = -1.0, "body: density is -1 kg/m³; must be > 0");
    REFUSED(def.inertia.xy = HUGE_VAL, "body: inertia is inf kg m²; must be finite");
    REFUSED((def.inertia = (kai_inertia){1.0, 1.0, -1.0, 0.0, 0.0, 0.0}),
            "inertia has a principal moment of -1 kg m^2; must be > 0");
    REFUSED((def.inertia = (kai_inertia){0.0, 0.0, 0.0, 1.0, 0.0, 0.0}),
            "inertia has a principal moment of -1 kg m^2; must be > 0");
    REFUSED((def.inertia = (kai_inertia){1e-310, 1e-310, 1e-310, 0.0, 0.0, 0.0}),
            "body: inertia has a principal moment of 1e-310 kg m²; too small to divide by");
    REFUSED(def.com.y = -HUGE_VAL, "body: com is -inf m; must be finite");
    REFUSED(def.position.x = HUGE_VAL, "body: position is inf m; must be finite");
    REFUSED(def.velocity.z = HUGE_VAL, "body: velocity is inf m/s; must be finite");
    REFUSED(def.angular_velocity.z = HUGE_VAL,
            "body: angular_velocity is inf rad/s; must be finite");
    REFUSED(def.rotation.x = HUGE_VAL, "body: rotation is inf; must be finite");
    REFUSED((def.rotation = (kai_quat){0}), "body: rotation is [0, 0, 0, 0]; must have norm 1");
#undef REFUSED
    // NaN anywhere; its sign, and so its text, is not fixed.
#define NOT_A_NUMBER(field)                                                           \
    do {                                                                              \
        kai_body_def def = crooked_def("");                                           \
        def.field = nan("");                                                          \
        kai_body out;                                                                 \
        check_error(kai_body_create(f.world, &def, &out), KAI_ERROR_ARGUMENT);        \
        assert_non_null(strstr(kai_world_error(f.world)->message, "must be finite")); \
    } while (0)
    NOT_A_NUMBER(mass);
    NOT_A_NUMBER(density);
    NOT_A_NUMBER(inertia.yz);
    NOT_A_NUMBER(com.x);
    NOT_A_NUMBER(position.y);
    NOT_A_NUMBER(rotation.w);
    NOT_A_NUMBER(velocity.x);
    NOT_A_NUMBER(angular_velocity.y);
#undef NOT_A_NUMBER
    fixture_finish(&f);
}

// Each number is finite, and what follows from them is not.
static void test_refused_together(void** state)
{
    fixture f;
    fixture_start(&f);
    kai_body_def def = crooked_def("");
    kai_body out;
    def.com = kai_vec3_make(1e200, 0.0, 0.0);
    def.angular_velocity = kai_vec3_make(0.0, 1e200, 1e200);
    check_error(kai_body_create(f.world, &def, &out), KAI_ERROR_ARGUMENT);
    assert_non_null(strstr(kai_world_error(f.world)->message, "body: mass centre at ["));
    assert_int_equal(kai_body_count(f.world), 0);
    fixture_finish(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_create_and_destroy),
        cmocka_unit_test(test_churn),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_create_many),
        cmocka_unit_test(test_stale_ids),
        cmocka_unit_test(test_own_frame_is_kept),
        cmocka_unit_test(test_principal_frame),
        cmocka_unit_test(test_points_and_vectors),
        cmocka_unit_test(test_velocity_is_the_rate_of_position),
        cmocka_unit_test(test_set_frame_and_velocity),
        cmocka_unit_test(test_mass_round_trip),
        cmocka_unit_test(test_set_mass_keeps_the_own_frame),
        cmocka_unit_test(test_set_mass_refuses),
        cmocka_unit_test(test_unphysical_inertia_is_told),
        cmocka_unit_test(test_fixed_and_free),
        cmocka_unit_test(test_massless_body_stops_the_step),
        cmocka_unit_test(test_refused_defs),
        cmocka_unit_test(test_refused_together),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
