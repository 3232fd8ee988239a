// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Worlds: definitions, settings, worlds beside each other, memory that runs out, every code of an
// error.
#include "fixture.h"
#include "model/world.h"

#include <pthread.h>

// Definitions and settings -----------------------------------------------------------------------

static void check_refused(const kai_world_def* def, const char* message)
{
    kai_error err = {0};
    kai_world* out = NULL;
    check_error(kai_world_create(def, &out, &err), KAI_ERROR_ARGUMENT);
    assert_string_equal(err.message, message);
    assert_null(out);
    check_error(kai_world_create(def, &out, NULL), KAI_ERROR_ARGUMENT);
}

static void test_refused_defs(void** state)
{
    kai_world_def def;
    memset(&def, 0, sizeof def);
    check_refused(&def, "kai_world_create: def was not made by kai_world_def_default()");
    check_refused(NULL, "kai_world_create: def is NULL");
    def = kai_world_def_default();
    def.threads = -1;
    check_refused(&def, "kai_world_create: def.threads is -1; must be from 0 to 1024");
    def.threads = 1025;
    check_refused(&def, "kai_world_create: def.threads is 1025; must be from 0 to 1024");
    def = kai_world_def_default();
    def.gravity.y = HUGE_VAL;
    check_refused(&def, "kai_world_create: def.gravity is [0, inf, -9.81]; must be finite");
    def = kai_world_def_default();
    def.allocator.allocate = helper_allocate;
    check_refused(&def, "kai_world_create: def.allocator has one of its two calls; needs both");
}

static void test_settings(void** state)
{
    fixture f;
    fixture_start(&f);
    kai_world_destroy(NULL);
    check_error(kai_world_error(f.world)->code, KAI_OK);
    check_message(&f, "");
    assert_int_equal(kai_world_threads(f.world), 2);
    check_ok(kai_world_set_threads(f.world, 0));
    assert_true(kai_world_threads(f.world) >= 1);
    check_error(kai_world_set_threads(f.world, 2000), KAI_ERROR_ARGUMENT);
    check_message(&f, "kai_world_set_threads: threads is 2000; must be from 0 to 1024");
    check_ok(kai_world_set_gravity(f.world, kai_vec3_make(0.0, 1.0, 0.0)));
    check_error(kai_world_set_gravity(f.world, kai_vec3_make(HUGE_VAL, 0.0, 0.0)),
                KAI_ERROR_ARGUMENT);
    check_message(&f, "kai_world_set_gravity: gravity is [inf, 0, 0]; must be finite");
    check_vec3(kai_world_gravity(f.world), kai_vec3_make(0.0, 1.0, 0.0), 0.0, "as set before");
    fixture_finish(&f);
}

static void test_time_and_steps(void** state)
{
    fixture f;
    fixture_start(&f);
    const double bad[] = {0.0, -1.0, nan(""), HUGE_VAL};
    for (int i = 0; i < 4; i++) check_error(kai_world_step(f.world, bad[i]), KAI_ERROR_ARGUMENT);
    check_error(kai_world_step(f.world, -1.0), KAI_ERROR_ARGUMENT);
    check_message(&f, "kai_world_step: h is -1 s; must be > 0 and finite");
    assert_int_equal(kai_world_steps(f.world), 0);
    check_ok(kai_world_step_until(f.world, 1.0, 1e-3));
    assert_int_equal(kai_world_steps(f.world), 1000);
    check_near(kai_world_time(f.world), 1.0, 0.0, "1000 · 0.001, without drift of rounding");
    fixture_finish(&f);
}

static void test_energy_and_momentum(void** state)
{
    fixture f;
    fixture_start(&f);
    const kai_vec3 g = kai_vec3_make(0.0, 0.0, -10.0);
    check_ok(kai_world_set_gravity(f.world, g));
    const kai_body_def def = crooked_def("");
    const kai_body b = add_body(&f, &def);
    kai_body_def wall = crooked_def("");
    wall.fixed = true; // counts for nothing
    add_body(&f, &wall);
    const kai_vec3 c = kai_body_com_position(f.world, b), v = kai_body_com_velocity(f.world, b),
                   w = def.angular_velocity;
    const kai_mat33 inertia =
        kai_mat33_rotate_tensor(kai_quat_to_mat33(def.rotation), tensor(&def.inertia));
    const kai_vec3 spin = kai_mat33_mul_vec(inertia, w);
    kai_energy e;
    check_ok(kai_world_energy(f.world, &e));
    check_relative(e.kinetic, 0.5 * 2.0 * kai_vec3_norm2(v) + 0.5 * kai_vec3_dot(w, spin), 1e-13,
                   "½ m v² + ½ ω·Iω");
    check_relative(e.potential, 2.0 * 10.0 * c.z, 1e-13, "m g z");
    kai_vec3 p, l;
    check_ok(kai_world_momentum(f.world, &p, &l));
    check_vec3(p, kai_vec3_scale(v, 2.0), 1e-13, "m v");
    check_vec3(l, kai_vec3_add(kai_vec3_cross(c, p), spin), 1e-12, "x × m v + I ω");
    fixture_finish(&f);
}

// The balance starts anew when bodies come, go or change: drift is what integration lost, nothing
// else.
static void test_drift_after_changes(void** state)
{
    fixture f;
    fixture_start(&f);
    check_ok(kai_integrator_set(f.world, &kai_integrator_rk4, NULL));
    kai_body_def def = crooked_def("");
    const kai_body a = add_body(&f, &def);
    kai_energy e;
    const kai_mass_properties heavy = {30.0, kai_vec3_zero(),
                                       kai_mat33_diagonal(kai_vec3_make(20.0, 30.0, 40.0))};
    for (int change = 0; change < 6; change++) {
        if (change == 1) add_body(&f, &def);
        if (change == 2) check_ok(kai_body_set_mass(f.world, a, &heavy));
        if (change == 3) check_ok(kai_body_create_many(f.world, &def, 1, NULL));
        if (change == 4)
            check_ok(
                kai_body_set_velocity(f.world, a, kai_vec3_make(9.0, 0.0, 0.0), kai_vec3_zero()));
        if (change == 5) check_ok(kai_body_destroy(f.world, kai_body_at(f.world, 1)));
        for (int i = 0; i < 5; i++) check_ok(kai_world_step(f.world, 1e-3));
        check_ok(kai_world_energy(f.world, &e));
        check_near(e.drift, 0.0, 1e-9, "rk4, five steps");
    }
    fixture_finish(&f);
}

// A whole small scenario -------------------------------------------------------------------------

#define TRY(call)                              \
    do {                                       \
        const kai_result result_ = (call);     \
        if (result_ != KAI_OK) return result_; \
    } while (0)

static kai_result fill(kai_world* world)
{
    kai_body bodies[3];
    for (int i = 0; i < 3; i++) {
        char name[32];
        snprintf(name, sizeof name, "body %d", i);
        kai_body_def def = crooked_def(name);
        def.position.x = i;
        TRY(kai_body_create(world, &def, &bodies[i]));
    }
    kai_material_def material = kai_material_def_default();
    material.density = 100.0;
    kai_shape_def common = kai_shape_def_default();
    TRY(kai_material_create(world, &material, &common.material));
    const kai_shape_round_params cone = {0.2, 0.5};
    common.at = kai_vec3_make(0.1, 0.0, 0.0);
    for (int i = 0; i < 3; i++) {
        kai_shape shape;
        TRY(kai_shape_create(world, bodies[0], &kai_shape_cone, &cone, &common, &shape));
    }
    TRY(kai_body_set_density(world, bodies[0], 0.0));
    const double points[] = {0.0, 1.0, 0.5, 2.0, 1.0, 0.0};
    const kai_function_table_params table = {.points = {points, 3, 2},
                                             .interpolation = KAI_INTERPOLATION_CUBIC};
    kai_value3 value = {kai_value_constant(1.0), kai_value_constant(-2.0), kai_value_constant(0.5)};
    TRY(kai_function_create(world, &kai_function_table, &table, &value.y.function));
    const kai_function_piece pieces[] = {{{0.0, value.y.function}, 0.1},
                                         {kai_value_constant(2.0), 1.0}};
    const kai_function_sequence_params sequence = {{pieces, 2}};
    TRY(kai_function_create(world, &kai_function_sequence, &sequence, &value.z.function));
    for (int i = 0; i < 3; i++) {
        kai_load_force_params force;
        kai_load_torque_params torque;
        kai_kind_defaults(&kai_load_force.kind, &force);
        kai_kind_defaults(&kai_load_torque.kind, &torque);
        force.body = torque.body = bodies[i];
        force.at_body = kai_vec3_make(0.0, 0.1, 0.2);
        force.value = torque.value = value;
        kai_load load;
        TRY(kai_load_create(world, &kai_load_force, &force, i == 0 ? "push" : NULL, &load));
        TRY(kai_load_create(world, &kai_load_torque, &torque, NULL, &load));
    }
    return KAI_OK;
}

static kai_result run(kai_world* world, int steps)
{
    for (int i = 0; i < steps; i++) TRY(kai_world_step(world, 1e-3));
    kai_energy e;
    TRY(kai_world_energy(world, &e));
    kai_vec3 p, l;
    return kai_world_momentum(world, &p, &l);
}

static void test_out_of_memory(void** state)
{
    for (size_t k = 0; kai_integrator_built_in(k); k++) {
        bool whole = false;
        uint64_t n = 1;
        for (; !whole; n++) {
            fixture f;
            memset(&f, 0, sizeof f);
            f.counter.fail_at = n;
            kai_world_def def = fixture_def(&f);
            kai_error err = {0};
            kai_result r = kai_world_create(&def, &f.world, &err);
            if (r == KAI_OK) {
                r = kai_integrator_set(f.world, kai_integrator_built_in(k), NULL);
                if (r == KAI_OK) r = fill(f.world);
                if (r == KAI_OK) r = run(f.world, 3);
                if (r == KAI_OK) r = kai_world_evaluate(f.world);
                err = *kai_world_error(f.world);
            }
            whole = r == KAI_OK;
            if (!whole) {
                check_error(r, KAI_ERROR_MEMORY);
                check_error(err.code, KAI_ERROR_MEMORY);
                assert_non_null(strstr(err.message, "kai_")); // the call is named
                if (!strstr(err.message, "memory")) fail_msg("%s", err.message);
            }
            fixture_finish(&f);
        }
        assert_true(n > 50);
    }
}

// After two steps to warm up, a step asks for no memory.
static void test_warm_steps_allocate_nothing(void** state)
{
    for (size_t k = 0; kai_integrator_built_in(k); k++) {
        for (int keep = 0; keep < 2; keep++) {
            fixture f;
            fixture_start(&f);
            check_ok(kai_integrator_set(f.world, kai_integrator_built_in(k), NULL));
            check_ok(fill(f.world));
            for (int i = 0; i < 2; i++) {
                check_ok(kai_world_step(f.world, 1e-3));
                if (keep) check_ok(kai_world_evaluate(f.world));
            }
            const uint64_t calls = f.counter.calls;
            for (int i = 0; i < 50; i++) {
                check_ok(kai_world_step(f.world, 1e-3));
                if (keep) check_ok(kai_world_evaluate(f.world));
            }
            assert_int_equal(f.counter.calls, calls);
            assert_int_equal(kai_world_stats(f.world).allocations, calls);
            fixture_finish(&f);
        }
    }
}

// Worlds beside each other -----------------------------------------------------------------------

typedef struct job {
    size_t integrator;
    uint64_t hash;
    kai_result result;
} job;

static void* run_job(void* argument)
{
    job* j = argument;
    kai_world_def def = kai_world_def_default();
    def.threads = 1;
    kai_world* world = NULL;
    j->result = kai_world_create(&def, &world, NULL);
    if (j->result == KAI_OK)
        j->result = kai_integrator_set(world, kai_integrator_built_in(j->integrator), NULL);
    if (j->result == KAI_OK) j->result = fill(world);
    if (j->result == KAI_OK) j->result = run(world, 500);
    if (j->result == KAI_OK) j->hash = kai_world_hash(world);
    kai_world_destroy(world);
    return NULL;
}

static void test_two_worlds_at_once(void** state)
{
    job alone[2] = {{.integrator = 0}, {.integrator = 2}},
        together[2] = {{.integrator = 0}, {.integrator = 2}};
    for (int i = 0; i < 2; i++) run_job(&alone[i]);
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, run_job, &together[i]), 0);
    for (int i = 0; i < 2; i++) assert_int_equal(pthread_join(threads[i], NULL), 0);
    for (int i = 0; i < 2; i++) {
        check_ok(alone[i].result);
        check_ok(together[i].result);
        assert_true(alone[i].hash == together[i].hash);
    }
    assert_true(alone[0].hash != alone[1].hash);
}

static void test_threads_do_not_change_bits(void** state)
{
    uint64_t hashes[4];
    const int threads[] = {1, 2, 3, 7};
    for (int t = 0; t < 4; t++) {
        fixture f;
        fixture_start(&f);
        check_ok(kai_world_set_threads(f.world, threads[t]));
        for (int i = 0; i < 3000; i++) {
            kai_body_def def = crooked_def("");
            def.angular_velocity = helper_random_vec3((uint64_t)i);
            add_body(&f, &def);
        }
        check_ok(fill(f.world));
        check_ok(run(f.world, 5));
        hashes[t] = kai_world_hash(f.world);
        fixture_finish(&f);
    }
    for (int t = 1; t < 4; t++) assert_true(hashes[t] == hashes[0]);
}

// Every code -------------------------------------------------------------------------------------

static kai_result provoke_argument(fixture* f) { return kai_world_step(f->world, 0.0); }

static kai_result provoke_id(fixture* f) { return kai_body_destroy(f->world, (kai_body){0}); }

static kai_result provoke_name(fixture* f)
{
    const kai_body_def def = body_def("twice");
    kai_body out;
    check_ok(kai_body_create(f->world, &def, &out));
    return kai_body_create(f->world, &def, &out);
}

static kai_result provoke_memory(fixture* f)
{
    const kai_body_def def = body_def("");
    kai_body out;
    f->counter.fail_at = f->counter.calls + 1;
    const kai_result r = kai_body_create(f->world, &def, &out);
    f->counter.fail_at = 0;
    return r;
}

static void test_memory_limit(void** state)
{
    (void)state;
    kai_world_def world_def = kai_world_def_default();
    kai_world* world;
    kai_error err = {0};
    world_def.memory_limit = 1024;
    check_error(kai_world_create(&world_def, &world, &err), KAI_ERROR_MEMORY);
    world_def.memory_limit = (size_t)4 << 20;
    check_ok(kai_world_create(&world_def, &world, &err));
    const kai_body_def def = body_def("");
    check_error(kai_body_create_many(world, &def, 100000, NULL), KAI_ERROR_MEMORY);
    assert_non_null(strstr(kai_world_error(world)->message, "limit of memory, 4 MiB"));
    assert_int_equal(kai_world_stats(world).bodies, 0);
    assert_true(kai_world_stats(world).peak_bytes <= world_def.memory_limit);
    check_ok(kai_body_create_many(world, &def, 1, NULL));
    kai_world_destroy(world);
}

static kai_result provoke_limit(fixture* f)
{
    const kai_body_def def = body_def("");
    return kai_body_create_many(f->world, &def, UINT32_MAX, NULL);
}

static void no_force(const kai_load_batch* batch) { (void)batch; }

static void infinite_force(const kai_load_batch* batch) { batch->out[0].force.x = HUGE_VAL; }

typedef struct one {
    kai_body body;
    kai_list list;
} one;

static const kai_param ONE_PARAMS[] = {{.name = "body",
                                        .type = KAI_PARAM_BODY,
                                        .offset = offsetof(one, body),
                                        .required = true,
                                        .doc = "One."}};
static const kai_kind ONE = {
    .name = "one", .doc = "One body.", .size = sizeof(one), .params = ONE_PARAMS, .param_count = 1};

static kai_result provoke_diverged(fixture* f)
{
    static const kai_load_kind kind = {.kind = {KAI_SIZES(kai_load_kind), .name = "one",
                                                .doc = "One body.", .size = sizeof(one),
                                                .params = ONE_PARAMS, .param_count = 1},
                                       .apply = infinite_force};
    const kai_body_def def = body_def("x");
    const one o = {.body = add_body(f, &def)};
    kai_load out;
    check_ok(kai_load_register(f->world, &kind));
    check_ok(kai_load_create(f->world, &kind, &o, NULL, &out));
    return kai_world_step(f->world, 1e-3);
}

static kai_result inner; // what a step inside a step answers

static void step_again(const kai_load_batch* batch)
{
    inner = kai_world_step((kai_world*)(uintptr_t)batch->world, 1e-3);
}

static kai_result provoke_busy(fixture* f)
{
    static const kai_load_kind kind = {.kind = {KAI_SIZES(kai_load_kind), .name = "one",
                                                .doc = "One body.", .size = sizeof(one),
                                                .params = ONE_PARAMS, .param_count = 1},
                                       .apply = step_again};
    const kai_body_def def = body_def("x");
    const one o = {.body = add_body(f, &def)};
    kai_load out;
    inner = KAI_OK;
    check_ok(kai_load_register(f->world, &kind));
    check_ok(kai_load_create(f->world, &kind, &o, NULL, &out));
    check_ok(kai_world_step(f->world, 1e-3));
    return inner;
}

static kai_result provoke_unsupported(fixture* f)
{
    static const kai_param params[] = {{.name = "body",
                                        .type = KAI_PARAM_BODY,
                                        .offset = offsetof(one, body),
                                        .required = true,
                                        .doc = "One."},
                                       {.name = "list",
                                        .type = KAI_PARAM_LIST,
                                        .offset = offsetof(one, list),
                                        .item = &ONE,
                                        .doc = "More."}};
    static const kai_load_kind kind = {.kind = {KAI_SIZES(kai_load_kind), .name = "many",
                                                .doc = "Bodies.", .size = sizeof(one),
                                                .params = params, .param_count = 2},
                                       .apply = no_force};
    return kai_load_register(f->world, &kind);
}

// FILE, FORMAT and STOPPED come from scenes, checkpoints and runs, and are provoked in their tests.
static void test_every_code(void** state)
{
    const struct {
        kai_result code;
        kai_result (*provoke)(fixture* f);
    } cases[] = {
        {KAI_ERROR_ARGUMENT, provoke_argument},
        {KAI_ERROR_ID, provoke_id},
        {KAI_ERROR_NAME, provoke_name},
        {KAI_ERROR_MEMORY, provoke_memory},
        {KAI_ERROR_LIMIT, provoke_limit},
        {KAI_ERROR_DIVERGED, provoke_diverged},
        {KAI_ERROR_UNSUPPORTED, provoke_unsupported},
        {KAI_ERROR_BUSY, provoke_busy},
    };
    bool seen[KAI_RESULT_COUNT] = {[KAI_OK] = true,
                                   [KAI_ERROR_FILE] = true,
                                   [KAI_ERROR_FORMAT] = true,
                                   [KAI_ERROR_STOPPED] = true};
    for (size_t i = 0; i < KAI_COUNT(cases); i++) {
        fixture f;
        fixture_start(&f);
        check_error(cases[i].provoke(&f), cases[i].code);
        check_error(kai_world_error(f.world)->code, cases[i].code);
        assert_true(strncmp(kai_world_error(f.world)->message, "kai_", 4) ==
                    0); // the call comes first
        seen[cases[i].code] = true;
        fixture_finish(&f);
    }
    for (int code = 0; code < KAI_RESULT_COUNT; code++)
        if (!seen[code]) fail_msg("%s is not provoked", kai_result_name((kai_result)code));
}

// Functions as users see them --------------------------------------------------------------------

static kai_jet square(const kai_function_set* set, const void* instance, double x)
{
    (void)set;
    const double a = *(const double*)instance;
    return (kai_jet){a * x * x, 2.0 * a * x, 2.0 * a};
}

static void test_functions_of_a_world(void** state)
{
    static const kai_param param = {
        .name = "a", .type = KAI_PARAM_REAL, .initial = {1.0}, .doc = "Factor."};
    static const kai_function_kind kind = {.kind = {KAI_SIZES(kai_function_kind), .name = "square",
                                                    .doc = "a x².", .size = sizeof(double),
                                                    .params = &param, .param_count = 1},
                                           .evaluate = square};
    kai_function_kind bad = kind;
    bad.evaluate = NULL;
    fixture f;
    fixture_start(&f);
    kai_jet jet;
    kai_function function;
    const double a = 3.0;
    check_error(kai_function_register(f.world, &bad), KAI_ERROR_ARGUMENT);
    check_message(&f, "kai_function_register: the kind has no evaluate()");
    check_error(kai_function_create(f.world, &kind, &a, &function), KAI_ERROR_ARGUMENT);
    check_message(&f,
                  "kai_function_create: function kind 'square' is not registered in this world");
    check_ok(kai_function_register(f.world, &kind));
    check_ok(kai_function_create(f.world, &kind, &a, &function));
    check_ok(kai_function_at(f.world, function, 2.0, &jet));
    assert_true(jet.y == 12.0 && jet.dy == 12.0 && jet.ddy == 6.0);
    check_error(kai_function_at(f.world, (kai_function){0}, 2.0, &jet), KAI_ERROR_ID);
    check_message(&f, "kai_function_at: function id 0 is null");
    check_error(kai_function_at(f.world, (kai_function){1, 1, function.world}, 2.0, &jet),
                KAI_ERROR_ID);
    check_message(&f, "kai_function_at: function id 1 is of one that was destroyed");
    check_error(kai_function_create(f.world, NULL, &a, &function), KAI_ERROR_ARGUMENT);
    check_message(&f, "kai_function_create: kind is NULL");
    fixture_finish(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_refused_defs),
        cmocka_unit_test(test_settings),
        cmocka_unit_test(test_time_and_steps),
        cmocka_unit_test(test_energy_and_momentum),
        cmocka_unit_test(test_drift_after_changes),
        cmocka_unit_test(test_out_of_memory),
        cmocka_unit_test(test_warm_steps_allocate_nothing),
        cmocka_unit_test(test_two_worlds_at_once),
        cmocka_unit_test(test_threads_do_not_change_bits),
        cmocka_unit_test(test_every_code),
        cmocka_unit_test(test_functions_of_a_world),
        cmocka_unit_test(test_memory_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
