// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Loads: what they do to a body, by hand computation; kinds of the user's own; what is refused.
#include "fixture.h"
#include "model/world.h"

static kai_value3 constant(double x, double y, double z)
{
    return (kai_value3){kai_value_constant(x), kai_value_constant(y), kai_value_constant(z)};
}

static kai_load_force_params force_on(kai_body body, kai_value3 value)
{
    kai_load_force_params p;
    kai_kind_defaults(&kai_load_force.kind, &p);
    p.body = body;
    p.value = value;
    return p;
}

static kai_load_torque_params torque_on(kai_body body, kai_value3 value)
{
    kai_load_torque_params p;
    kai_kind_defaults(&kai_load_torque.kind, &p);
    p.body = body;
    p.value = value;
    return p;
}

static kai_load add(fixture* f, const kai_load_kind* kind, const void* params)
{
    kai_load out = {0};
    if (kai_load_create(f->world, kind, params, NULL, &out) != KAI_OK)
        fail_msg("%s", kai_world_error(f->world)->message);
    return out;
}

// Force and torque on a body now, at its present state and a time.
static void evaluate(fixture* f, kai_body body, double time, kai_vec3* force, kai_vec3* torque)
{
    check_ok(kai_load_evaluate(f->world, time, &f->world->error));
    check_ok(kai_body_force(f->world, body, force, torque));
}

static void check_load(fixture* f, kai_body body, kai_vec3 force, kai_vec3 torque,
                       const char* source)
{
    kai_vec3 actual_force, actual_torque;
    evaluate(f, body, 0.0, &actual_force, &actual_torque);
    check_vec3(actual_force, force, 1e-13, source);
    check_vec3(actual_torque, torque, 1e-13, source);
}

// By hand ----------------------------------------------------------------------------------------

static void test_force_at_the_mass_centre(void** state)
{
    fixture f;
    fixture_start(&f);
    const kai_body_def def = crooked_def("");
    const kai_body b = add_body(&f, &def);
    const kai_load_force_params p = force_on(b, constant(1.0, 2.0, 3.0));
    add(&f, &kai_load_force, &p);
    check_load(&f, b, kai_vec3_make(1.0, 2.0, 3.0), kai_vec3_zero(), "no arm");
    fixture_finish(&f);
}

// arm = point - mass centre, everything in the world.
static void test_force_at_points(void** state)
{
    const kai_body_def def = crooked_def("");
    const kai_vec3 value = kai_vec3_make(1.0, -2.0, 3.0), at_body = kai_vec3_make(0.4, 0.1, -0.7);
    const kai_vec3 point = kai_vec3_add(def.position, kai_quat_rotate(def.rotation, at_body));
    const kai_vec3 com = kai_vec3_add(def.position, kai_quat_rotate(def.rotation, def.com));
    for (int c = 0; c < 4; c++) {
        fixture f;
        fixture_start(&f);
        const kai_body b = add_body(&f, &def);
        kai_load_force_params p = force_on(b, constant(value.x, value.y, value.z));
        if (c & 1)
            p.at = point;
        else
            p.at_body = at_body;
        p.frame = c & 2 ? KAI_LOAD_BODY : KAI_LOAD_WORLD;
        add(&f, &kai_load_force, &p);
        const kai_vec3 force = c & 2 ? kai_quat_rotate(def.rotation, value) : value;
        check_load(&f, b, force, kai_vec3_cross(kai_vec3_sub(point, com), force), "F, arm × F");

        // The point moves with the body, and so does the force in the body's frame.
        const kai_frame moved = {kai_vec3_make(-3.0, 0.0, 1.0), helper_random_rotation(50)};
        check_ok(kai_body_set_frame(f.world, b, moved));
        const kai_vec3 later = c & 2 ? kai_quat_rotate(moved.rotation, value) : value;
        const kai_vec3 arm = kai_quat_rotate(moved.rotation, kai_vec3_sub(at_body, def.com));
        check_load(&f, b, later, kai_vec3_cross(arm, later), "F, arm × F after the move");
        fixture_finish(&f);
    }
}

static void test_torque(void** state)
{
    const kai_body_def def = crooked_def("");
    const kai_vec3 value = kai_vec3_make(1.0, -2.0, 3.0);
    for (int c = 0; c < 2; c++) {
        fixture f;
        fixture_start(&f);
        const kai_body b = add_body(&f, &def);
        kai_load_torque_params p = torque_on(b, constant(value.x, value.y, value.z));
        p.frame = c ? KAI_LOAD_BODY : KAI_LOAD_WORLD;
        add(&f, &kai_load_torque, &p);
        check_load(&f, b, kai_vec3_zero(), c ? kai_quat_rotate(def.rotation, value) : value, "T");
        fixture_finish(&f);
    }
}

// a = F / m, α = I⁻¹ (T - ω × I ω) with the tensor in the world.
static void test_accelerations(void** state)
{
    fixture f;
    fixture_start(&f);
    check_ok(kai_world_set_gravity(f.world, kai_vec3_make(0.0, 0.0, -9.0)));
    const kai_body_def def = crooked_def("");
    const kai_body b = add_body(&f, &def);
    kai_load_force_params p = force_on(b, constant(1.0, -2.0, 3.0));
    p.at_body = kai_vec3_make(0.4, 0.1, -0.7);
    add(&f, &kai_load_force, &p);
    check_ok(kai_integrator_set(f.world, &kai_integrator_rk4, NULL));
    check_ok(kai_world_step(f.world, 1e-4));
    check_ok(kai_world_evaluate(f.world));

    kai_vec3 force, torque;
    check_ok(kai_body_force(f.world, b, &force, &torque));
    const kai_quat q = kai_body_rotation(f.world, b);
    const kai_vec3 w = kai_body_angular_velocity(f.world, b),
                   arm = kai_quat_rotate(q, kai_vec3_neg(def.com));
    const kai_mat33 inertia = kai_mat33_rotate_tensor(kai_quat_to_mat33(q), tensor(&def.inertia));
    kai_mat33 inverse = kai_mat33_zero();
    assert_true(kai_mat33_inverse(inertia, &inverse));
    const kai_vec3 gyro = kai_vec3_cross(w, kai_mat33_mul_vec(inertia, w));
    const kai_vec3 alpha = kai_mat33_mul_vec(inverse, kai_vec3_sub(torque, gyro));
    const kai_vec3 a = kai_vec3_add(kai_vec3_make(0.0, 0.0, -9.0), kai_vec3_scale(force, 0.5));
    check_vec3(kai_body_angular_acceleration(f.world, b), alpha, 1e-12,
               "Euler's equation in the world");
    const kai_vec3 turning =
        kai_vec3_add(kai_vec3_cross(alpha, arm), kai_vec3_cross(w, kai_vec3_cross(w, arm)));
    check_vec3(kai_body_acceleration(f.world, b), kai_vec3_add(a, turning), 1e-12, "of the origin");

    // Against differences of the velocity over one more step.
    const kai_vec3 v0 = kai_body_velocity(f.world, b), a0 = kai_body_acceleration(f.world, b);
    check_ok(kai_world_step(f.world, 1e-4));
    check_ok(kai_world_evaluate(f.world));
    const kai_vec3 mean = kai_vec3_scale(kai_vec3_add(a0, kai_body_acceleration(f.world, b)), 0.5);
    const kai_vec3 dv = kai_vec3_scale(kai_vec3_sub(kai_body_velocity(f.world, b), v0), 1e4);
    check_vec3(dv, mean, 1e-7, "trapezoidal rule, h² / 12 of the third derivative");
    fixture_finish(&f);
}

static void test_function_valued_load(void** state)
{
    fixture f;
    fixture_start(&f);
    const kai_body_def def = body_def("");
    const kai_body b = add_body(&f, &def);
    const double c[] = {1.0, 2.0};
    const kai_function_polynomial_params line = {{c, 2, 1}};
    kai_function function;
    check_ok(kai_function_create(f.world, &kai_function_polynomial, &line, &function));
    kai_value3 value = constant(5.0, 0.0, 0.0);
    value.y.function = function;
    const kai_load_force_params p = force_on(b, value);
    const kai_load_torque_params t = torque_on(b, value);
    add(&f, &kai_load_force, &p);
    add(&f, &kai_load_torque, &t);
    for (int i = 0; i < 5; i++) {
        kai_vec3 force, torque;
        evaluate(&f, b, i, &force, &torque);
        check_vec3(force, kai_vec3_make(5.0, 1.0 + 2.0 * i, 0.0), 1e-15, "1 + 2 t");
        check_vec3(torque, kai_vec3_make(5.0, 1.0 + 2.0 * i, 0.0), 1e-15, "1 + 2 t");
    }
    fixture_finish(&f);
}

// Loads of one body are summed in the order of their kinds and creation: the bits of that very sum.
static void test_sum_has_a_fixed_order(void** state)
{
    uint64_t hashes[3];
    for (int k = 0; k < 3; k++) {
        fixture f;
        fixture_start(&f);
        check_ok(kai_world_set_threads(f.world, 1 + 3 * k));
        const kai_body_def def = body_def("");
        const kai_body b = add_body(&f, &def);
        const double x[] = {0.1, 1e16, 0.3, -1e16, 0.7};
        double sum = 0.0;
        for (int i = 0; i < 5; i++) {
            const kai_load_force_params p = force_on(b, constant(x[i], 0.0, 0.0));
            add(&f, &kai_load_force, &p);
            sum += x[i];
        }
        check_load(&f, b, kai_vec3_make(sum, 0.0, 0.0), kai_vec3_zero(), "left to right");
        for (int i = 0; i < 1000; i++) {
            const kai_body_def more = crooked_def("");
            const kai_body m = add_body(&f, &more);
            kai_load_force_params p = force_on(m, constant(i, 1.0, 0.1));
            p.at_body = helper_random_vec3((uint64_t)i);
            add(&f, &kai_load_force, &p);
            add(&f, &kai_load_force, &p);
        }
        for (int i = 0; i < 3; i++) check_ok(kai_world_step(f.world, 1e-3));
        hashes[k] = kai_world_hash(f.world);
        fixture_finish(&f);
    }
    assert_true(hashes[0] == hashes[1] && hashes[1] == hashes[2]);
}

// Coming and going -------------------------------------------------------------------------------

static void test_set_get_find_destroy(void** state)
{
    fixture f;
    fixture_start(&f);
    const kai_body_def def = body_def("");
    const kai_body a = add_body(&f, &def), b = add_body(&f, &def);
    kai_load_force_params p = force_on(a, constant(1.0, 0.0, 0.0));
    kai_load load, out;
    check_ok(kai_load_create(f.world, &kai_load_force, &p, "push", &load));
    assert_true(KAI_ID_EQUALS(kai_load_find(f.world, "push"), load));
    check_error(kai_load_create(f.world, &kai_load_force, &p, "push", &out), KAI_ERROR_NAME);
    check_message(&f, "kai_load_create: load name \"push\" is used twice; must be unique");
    check_load(&f, a, kai_vec3_make(1.0, 0.0, 0.0), kai_vec3_zero(), "as created");

    p = force_on(b, constant(0.0, 4.0, 0.0)); // other body, other value
    check_ok(kai_load_set(f.world, load, &p));
    check_load(&f, a, kai_vec3_zero(), kai_vec3_zero(), "no load any more");
    check_load(&f, b, kai_vec3_make(0.0, 4.0, 0.0), kai_vec3_zero(), "as set");
    const kai_load_kind* kind;
    const void* params;
    check_ok(kai_load_get(f.world, load, &kind, &params));
    assert_ptr_equal(kind, &kai_load_force);
    assert_true(((const kai_load_force_params*)params)->value.y.constant == 4.0);
    check_ok(kai_body_destroy(f.world, a)); // it carries none now
    check_load(&f, b, kai_vec3_make(0.0, 4.0, 0.0), kai_vec3_zero(), "after b took another slot");

    check_ok(kai_load_destroy(f.world, load));
    assert_int_equal(kai_load_count(f.world), 0);
    check_load(&f, b, kai_vec3_zero(), kai_vec3_zero(), "gone");
    check_error(kai_load_destroy(f.world, load), KAI_ERROR_ID);
    check_message(&f, "kai_load_destroy: load id 1 is of one that was destroyed");
    check_error(kai_load_set(f.world, load, &p), KAI_ERROR_ID);
    check_error(kai_load_get(f.world, load, &kind, &params), KAI_ERROR_ID);
    assert_true(KAI_IS_NULL(kai_load_find(f.world, "push")));
    fixture_finish(&f);
}

static void test_loaded_body_stays(void** state)
{
    fixture f;
    fixture_start(&f);
    const kai_body_def def = crooked_def("arm");
    const kai_body b = add_body(&f, &def);
    const kai_load_force_params p = force_on(b, constant(1.0, 0.0, 0.0));
    const kai_load load = add(&f, &kai_load_force, &p);
    check_error(kai_body_destroy(f.world, b), KAI_ERROR_ARGUMENT);
    check_message(&f, "kai_body_destroy: body 'arm' still carries 1 loads; destroy them first");
    const kai_mass_properties moved = {1.0, kai_vec3_zero(), kai_mat33_identity()};
    check_error(kai_body_set_mass(f.world, b, &moved), KAI_ERROR_ARGUMENT);
    check_message(
        &f,
        "kai_body_set_mass: mass centre or principal axes would move under 1 loads; destroy them first");
    kai_mass_properties heavier;
    check_ok(kai_load_destroy(f.world, load));
    check_ok(kai_body_mass(f.world, b, &heavier));
    check_ok(kai_body_set_mass(f.world, b, &moved));
    check_ok(kai_body_destroy(f.world, b));
    fixture_finish(&f);
}

// A mass that leaves centre and axes where they are may change under loads.
static void test_mass_changes_under_loads(void** state)
{
    fixture f;
    fixture_start(&f);
    const kai_body_def def = body_def("");
    const kai_body b = add_body(&f, &def);
    const kai_load_force_params p = force_on(b, constant(1.0, 0.0, 0.0));
    add(&f, &kai_load_force, &p);
    const kai_mass_properties heavy = {50.0, kai_vec3_zero(),
                                       kai_mat33_diagonal(kai_vec3_make(5.0, 6.0, 7.0))};
    check_ok(kai_body_set_mass(f.world, b, &heavy));
    fixture_finish(&f);
}

static void check_refused(fixture* f, const kai_load_kind* kind, const void* params,
                          kai_result code, const char* message)
{
    kai_load out = {9, 9, 9};
    const size_t count = kai_load_count(f->world);
    check_error(kai_load_create(f->world, kind, params, NULL, &out), code);
    check_message(f, message);
    assert_int_equal(kai_load_count(f->world), count);
    assert_int_equal(out.index, 0);
}

static void test_refused_loads(void** state)
{
    fixture f;
    fixture_start(&f);
    const kai_body_def def = body_def("");
    const kai_body b = add_body(&f, &def), gone = add_body(&f, &def);
    check_ok(kai_body_destroy(f.world, gone));
    kai_load_force_params p = force_on((kai_body){0}, constant(1.0, 0.0, 0.0));
    check_refused(&f, &kai_load_force, &p, KAI_ERROR_ARGUMENT,
                  "kai_load_create: force: body is missing; must be the name of a body");
    p.body = gone;
    check_refused(&f, &kai_load_force, &p, KAI_ERROR_ID,
                  "kai_load_create: force: body: body id 2 is null, stale or from another world");
    p.body = b;
    p.value.y.constant = HUGE_VAL;
    check_refused(&f, &kai_load_force, &p, KAI_ERROR_ARGUMENT,
                  "kai_load_create: force: value is inf N; must be finite");
    p.value.y = (kai_value){0.0, {3, 0, b.world}};
    check_refused(&f, &kai_load_force, &p, KAI_ERROR_ID,
                  "kai_load_create: function id 3 is not of this world");
    p = force_on(b, constant(1.0, 0.0, 0.0));
    p.at = p.at_body = kai_vec3_zero();
    check_refused(&f, &kai_load_force, &p, KAI_ERROR_ARGUMENT,
                  "kai_load_create: force: at and at_body are both given; give one");
    p.at_body = kai_vec3_make(nan(""), nan(""), nan(""));
    p.at.y = nan(""); // half a point
    kai_load out;
    check_error(kai_load_create(f.world, &kai_load_force, &p, NULL, &out), KAI_ERROR_ARGUMENT);
    p = force_on(b, constant(1.0, 0.0, 0.0));
    p.frame = 2;
    check_refused(&f, &kai_load_force, &p, KAI_ERROR_ARGUMENT,
                  "kai_load_create: force: frame is word number 2; there are 2 words");
    check_refused(&f, NULL, &p, KAI_ERROR_ARGUMENT, "kai_load_create: kind is NULL");
    check_refused(&f, &kai_load_force, NULL, KAI_ERROR_ARGUMENT, "kai_load_create: params is NULL");

    // A set that fails leaves the old parameters, and the count of the body's loads.
    p = force_on(b, constant(1.0, 0.0, 0.0));
    const kai_load load = add(&f, &kai_load_force, &p);
    p.body = gone;
    check_error(kai_load_set(f.world, load, &p), KAI_ERROR_ID);
    check_load(&f, b, kai_vec3_make(1.0, 0.0, 0.0), kai_vec3_zero(), "not changed");
    check_ok(kai_load_destroy(f.world, load));
    check_ok(kai_body_destroy(f.world, b));
    fixture_finish(&f);
}

// Kinds of the user's own ------------------------------------------------------------------------

typedef struct spring {
    kai_body a, b;
    double stiffness, damping;
    kai_material material;
} spring;

static void spring_apply(const kai_load_batch* batch)
{
    for (size_t i = batch->begin; i < batch->end; i++) {
        const spring* s = KAI_LOAD_AT(batch, spring, i);
        const uint32_t a = batch->slot[2 * i], b = batch->slot[2 * i + 1];
        const kai_vec3 d = kai_vec3_sub(batch->pose[b].position, batch->pose[a].position);
        const kai_vec3 v = kai_vec3_sub(batch->motion[b].velocity, batch->motion[a].velocity);
        const kai_vec3 force = kai_vec3_mul_add(kai_vec3_scale(d, s->stiffness), v, s->damping);
        batch->out[2 * i].force = force;
        batch->out[2 * i + 1].force = kai_vec3_neg(force);
    }
}

static const kai_param SPRING_PARAMS[] = {
    {.name = "a",
     .type = KAI_PARAM_BODY,
     .offset = offsetof(spring, a),
     .required = true,
     .doc = "One end."},
    {.name = "b",
     .type = KAI_PARAM_BODY,
     .offset = offsetof(spring, b),
     .required = true,
     .doc = "Other end."},
    {.name = "stiffness",
     .type = KAI_PARAM_REAL,
     .offset = offsetof(spring, stiffness),
     .unit = "N/m",
     .initial = {1.0},
     .range = KAI_ABOVE(0.0),
     .doc = "Stiffness."},
    {.name = "damping",
     .type = KAI_PARAM_REAL,
     .offset = offsetof(spring, damping),
     .unit = "N s/m",
     .range = KAI_AT_LEAST(0.0),
     .doc = "Damping."},
    {.name = "material",
     .type = KAI_PARAM_MATERIAL,
     .offset = offsetof(spring, material),
     .doc = "Material."},
};
static const kai_load_kind SPRING = {
    .kind = {KAI_SIZES(kai_load_kind), .name = "band", .doc = "A spring.", .size = sizeof(spring),
             .params = SPRING_PARAMS, .param_count = KAI_COUNT(SPRING_PARAMS)},
    .apply = spring_apply,
    .needs_velocity = true};

static void test_user_kind(void** state)
{
    fixture f;
    fixture_start(&f);
    kai_body_def def = body_def("");
    const kai_body a = add_body(&f, &def);
    def.position.x = 3.0;
    def.velocity.x = -1.0;
    const kai_body b = add_body(&f, &def);
    const spring s = {.a = a, .b = b, .stiffness = 10.0, .damping = 2.0};
    check_refused(&f, &SPRING, &s, KAI_ERROR_ARGUMENT,
                  "kai_load_create: load kind 'band' is not registered in this world");
    check_ok(kai_load_register(f.world, &SPRING));
    check_error(kai_load_register(f.world, &SPRING), KAI_ERROR_NAME);
    check_message(&f, "kai_load_register: load kind 'band' exists already");
    const kai_load load = add(&f, &SPRING, &s);
    check_load(&f, a, kai_vec3_make(28.0, 0.0, 0.0), kai_vec3_zero(), "10 · 3 - 2");
    check_load(&f, b, kai_vec3_make(-28.0, 0.0, 0.0), kai_vec3_zero(), "actio = reactio");
    assert_true(kai_load_needs_velocity(f.world));
    check_error(kai_body_destroy(f.world, b), KAI_ERROR_ARGUMENT);
    spring bad = s;
    bad.material = (kai_material){4, 0, a.world};
    check_refused(&f, &SPRING, &bad, KAI_ERROR_ID,
                  "kai_load_create: band: material: material id 4 is not of this world");
    bad = s;
    bad.stiffness = 0.0;
    check_refused(&f, &SPRING, &bad, KAI_ERROR_ARGUMENT,
                  "kai_load_create: band: stiffness is 0 N/m; must be > 0");
    const spring loop = {.a = a, .b = a, .stiffness = 1.0}; // both ends on one body
    const kai_load second = add(&f, &SPRING, &loop);
    check_load(&f, a, kai_vec3_make(28.0, 0.0, 0.0), kai_vec3_zero(),
               "a spring to itself pulls nowhere");
    check_ok(kai_load_destroy(f.world, second));
    check_ok(kai_load_destroy(f.world, load));
    check_ok(kai_body_destroy(f.world, a));
    fixture_finish(&f);
}

typedef struct bunch {
    kai_body body;
    kai_list others;
} bunch;

static void test_refused_kinds(void** state)
{
    static const kai_kind item = {.name = "other",
                                  .doc = "A body.",
                                  .size = sizeof(spring),
                                  .params = SPRING_PARAMS,
                                  .param_count = 1};
    static const kai_param bunch_params[] = {
        {.name = "body",
         .type = KAI_PARAM_BODY,
         .offset = offsetof(bunch, body),
         .required = true,
         .doc = "One."},
        {.name = "others",
         .type = KAI_PARAM_LIST,
         .offset = offsetof(bunch, others),
         .item = &item,
         .doc = "More."},
    };
    fixture f;
    fixture_start(&f);
    const size_t built_in = f.world->loads.batch_count;
    kai_load_kind kind = SPRING;
    kind.apply = NULL;
    check_error(kai_load_register(f.world, &kind), KAI_ERROR_ARGUMENT);
    check_message(&f, "kai_load_register: the kind has no apply()");
    check_error(kai_load_register(f.world, NULL), KAI_ERROR_ARGUMENT);
    kind = SPRING;
    kind.kind.doc = NULL;
    check_error(kai_load_register(f.world, &kind), KAI_ERROR_ARGUMENT);
    check_message(&f, "kai_load_register: kind band has no doc");
    kind = SPRING;
    kind.kind.params = &SPRING_PARAMS[2];
    kind.kind.param_count = 2;
    check_error(kai_load_register(f.world, &kind), KAI_ERROR_ARGUMENT);
    check_message(&f, "kai_load_register: kind band has no parameter of type BODY or SHAFT");
    kind = SPRING;
    kind.kind = (kai_kind){KAI_SIZES(kai_load_kind), .name = "bunch",        .doc = "Many.",
                           .size = sizeof(bunch),    .params = bunch_params, .param_count = 2};
    check_error(kai_load_register(f.world, &kind), KAI_ERROR_UNSUPPORTED);
    check_message(
        &f,
        "kai_load_register: kind bunch has bodies in a list; a load takes a fixed number of them");
    kind = SPRING;
    kind.kind.name = "force";
    check_error(kai_load_register(f.world, &kind), KAI_ERROR_NAME);
    assert_int_equal(f.world->loads.batch_count, built_in);
    fixture_finish(&f);
}

// Forces that are no numbers ---------------------------------------------------------------------

static void nan_apply(const kai_load_batch* batch)
{
    for (size_t i = batch->begin; i < batch->end; i++)
        if (batch->time >= 0.0199) batch->out[i].force = kai_vec3_make(0.0, HUGE_VAL, 0.0);
}

static const kai_load_kind BROKEN = {.kind = {KAI_SIZES(kai_load_kind), .name = "broken",
                                              .doc = "Infinite later.", .size = sizeof(spring),
                                              .params = SPRING_PARAMS, .param_count = 1},
                                     .apply = nan_apply};

// Every integrator stops with the body and the time, and the state is the one before the step.
static void test_force_is_not_finite(void** state)
{
    for (size_t i = 0; kai_integrator_built_in(i); i++) {
        fixture f;
        fixture_start(&f);
        check_ok(kai_integrator_set(f.world, kai_integrator_built_in(i), NULL));
        check_ok(kai_load_register(f.world, &BROKEN));
        kai_body_def def = crooked_def("hub");
        add_body(&f, &def);
        set_name(&def.name, "wheel");
        const spring s = {.a = add_body(&f, &def)};
        const kai_load load = add(&f, &BROKEN, &s);
        kai_result r = KAI_OK;
        uint64_t before = 0;
        while (r == KAI_OK && kai_world_steps(f.world) < 5) {
            before = kai_world_hash(f.world);
            r = kai_world_step(f.world, 0.01);
        }
        check_error(r, KAI_ERROR_DIVERGED);
        const char* message = kai_world_error(f.world)->message;
        const char* start =
            "kai_world_step: broken #1 on body 'wheel': force [0, inf, 0] N on body 'wheel' at t = 0.02";
        if (strncmp(message, start, strlen(start)) != 0 && !strstr(message, "at t = 0.025"))
            fail_msg("%s", message);
        assert_non_null(strstr(message, "body 'wheel'"));
        assert_non_null(strstr(message, "is not finite"));
        assert_true(kai_world_hash(f.world) == before);
        check_ok(kai_load_destroy(f.world, load));
        check_ok(kai_world_step(f.world, 0.01)); // the world lives on
        fixture_finish(&f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_force_at_the_mass_centre),
        cmocka_unit_test(test_force_at_points),
        cmocka_unit_test(test_torque),
        cmocka_unit_test(test_accelerations),
        cmocka_unit_test(test_function_valued_load),
        cmocka_unit_test(test_sum_has_a_fixed_order),
        cmocka_unit_test(test_set_get_find_destroy),
        cmocka_unit_test(test_loaded_body_stays),
        cmocka_unit_test(test_mass_changes_under_loads),
        cmocka_unit_test(test_refused_loads),
        cmocka_unit_test(test_user_kind),
        cmocka_unit_test(test_refused_kinds),
        cmocka_unit_test(test_force_is_not_finite),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
