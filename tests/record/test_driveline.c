// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// A driveline with a clutch that slips and locks, and a controller with a state of its own: saved
// half-way and loaded, it goes on bit for bit, with every integrator that can do it and on any
// number of threads.
#include "helper.h"
#include "model/world.h"
#include "record/checkpoint.h"

#include <kairos/kairos.h>
#include <unistd.h>

// The state of a user's own: the integral of how far a shaft's speed is from what is wanted.
typedef struct governor {
    double integral;
    kai_shaft shaft;
    double wanted;
} governor;

static void governor_rates(const kai_state_batch* b)
{
    for (size_t i = b->begin; i < b->end; i++) {
        const governor* p = (const governor*)b->instances + i;
        kai_shaft_def shaft;
        kai_shaft_get(b->world, p->shaft, &shaft);
        b->rates[i] = p->wanted - shaft.speed;
    }
}

static const kai_param GOVERNOR_PARAMS[] = {{.name = "integral",
                                             .type = KAI_PARAM_REAL,
                                             .offset = offsetof(governor, integral),
                                             .doc = "Its state."},
                                            {.name = "shaft",
                                             .type = KAI_PARAM_SHAFT,
                                             .offset = offsetof(governor, shaft),
                                             .required = true,
                                             .doc = "Shaft that it looks at."},
                                            {.name = "wanted",
                                             .type = KAI_PARAM_REAL,
                                             .offset = offsetof(governor, wanted),
                                             .doc = "Speed that is wanted."}};

static const kai_state_kind GOVERNOR = {
    .kind = {KAI_SIZES(kai_state_kind), .name = "governor", .doc = "Integral of an error.",
             .size = sizeof(governor), .params = GOVERNOR_PARAMS,
             .param_count = KAI_COUNT(GOVERNOR_PARAMS)},
    .values = offsetof(governor, integral),
    .count = 1,
    .rates = governor_rates};

// Its torque on the shaft.
typedef struct actuator {
    kai_shaft shaft;
} actuator;

static void actuator_apply(const kai_load_batch* b)
{
    const double* y = kai_state_values(b->world, kai_state_find(b->world, "governor"));
    for (size_t i = b->begin; i < b->end; i++)
        b->out[i].force.x = 30.0 * *y - 2.0 * kai_load_shaft(b, i)->speed;
}

static const kai_param ACTUATOR_PARAMS[] = {{.name = "shaft",
                                             .type = KAI_PARAM_SHAFT,
                                             .offset = offsetof(actuator, shaft),
                                             .required = true,
                                             .doc = "Shaft that it turns."}};

static const kai_load_kind ACTUATOR = {.kind = {KAI_SIZES(kai_load_kind), .name = "actuator",
                                                .doc = "Follows a governor.",
                                                .size = sizeof(actuator), .params = ACTUATOR_PARAMS,
                                                .param_count = KAI_COUNT(ACTUATOR_PARAMS)},
                                       .apply = actuator_apply,
                                       .needs_velocity = true};

enum { SHAFTS = 5 };

static kai_world* empty_world(int threads)
{
    kai_world_def def = kai_world_def_default();
    kai_world* world = NULL;
    def.threads = threads;
    check_ok(kai_world_create(&def, &world, NULL));
    check_ok(kai_state_register(world, &GOVERNOR));
    check_ok(kai_load_register(world, &ACTUATOR));
    return world;
}

// crank – converter – input – gearbox on a free body – output – clutch – wheel
static kai_world* make_world(const kai_integrator_kind* integrator, bool clutch, int threads)
{
    static const char* const names[SHAFTS] = {"crank", "input", "output", "wheel", "idler"};
    static const double capacity[] = {0.0, 5.0, 0.9, 8.0}, gain[] = {0.0, 2.0, 0.9, 1.0};
    kai_world* world = empty_world(threads);
    kai_shaft s[SHAFTS];
    for (int i = 0; i < SHAFTS; i++) {
        kai_shaft_def def = kai_shaft_def_default();
        def.inertia = 0.3 + 0.2 * i;
        def.speed = i == 0 ? 20.0 : 0.0;
        check_ok(kai_shaft_create(world, &def, names[i], &s[i]));
    }
    kai_body_def box = kai_body_def_default();
    kai_body body;
    box.mass = 4.0;
    box.inertia = (kai_inertia){0.5, 0.6, 0.7, 0.05, -0.08, 0.1};
    check_ok(kai_body_create(world, &box, &body));

    const governor g = {0.0, s[0], 60.0};
    const actuator a = {s[0]};
    kai_state state;
    kai_load load;
    kai_joint joint;
    check_ok(kai_state_create(world, &GOVERNOR, &g, "governor", &state));
    check_ok(kai_load_create(world, &ACTUATOR, &a, "actuator", &load));
    kai_load_torque_converter_params converter;
    kai_kind_defaults(&kai_load_torque_converter.kind, &converter);
    converter.shafts[0] = s[0];
    converter.shafts[1] = s[1];
    converter.capacity = (kai_table){capacity, 2, 2};
    converter.torque_ratio = (kai_table){gain, 2, 2};
    check_ok(kai_load_create(world, &kai_load_torque_converter, &converter, "converter", &load));
    kai_joint_shaft_gear_params gear;
    kai_kind_defaults(&kai_joint_shaft_gear.kind, &gear);
    gear.base.bodies[0] = body;
    gear.shafts[0] = s[1];
    gear.shafts[1] = s[2];
    gear.ratio = -0.5;
    check_ok(kai_joint_create(world, &kai_joint_shaft_gear, &gear, "gear", &joint));
    kai_load_torsion_spring_params spring;
    kai_kind_defaults(&kai_load_torsion_spring.kind, &spring);
    spring.shafts[0] = s[3];
    spring.shafts[1] = s[4];
    spring.stiffness = kai_curve_line(200.0);
    check_ok(kai_load_create(world, &kai_load_torsion_spring, &spring, "spring", &load));
    kai_joint_clutch_params c;
    kai_function_ramp_params ramp;
    kai_kind_defaults(&kai_joint_clutch.kind, &c);
    kai_kind_defaults(&kai_function_ramp.kind, &ramp);
    ramp.slope = 0.5;
    c.shafts[0] = s[2];
    c.shafts[1] = s[3];
    c.capacity = kai_value_constant(100.0);
    check_ok(kai_function_create(world, &kai_function_ramp, &ramp, &c.engagement.function));
    if (clutch) check_ok(kai_joint_create(world, &kai_joint_clutch, &c, "clutch", &joint));
    check_ok(kai_integrator_set(world, integrator, NULL));
    return world;
}

static void run(kai_world* world, int steps)
{
    for (int i = 0; i < steps; i++)
        if (kai_world_step(world, 2e-3) != KAI_OK) fail_msg("%s", kai_world_error(world)->message);
}

static void check_same(kai_world* a, kai_world* b)
{
    kai_energy x, y;
    assert_true(kai_world_hash(a) == kai_world_hash(b));
    assert_int_equal(kai_shaft_count(a), kai_shaft_count(b));
    for (size_t i = 0; i < kai_shaft_count(a); i++) {
        kai_shaft_def p, q;
        check_ok(kai_shaft_get(a, kai_shaft_at_index(a, i), &p));
        check_ok(kai_shaft_get(b, kai_shaft_at_index(b, i), &q));
        assert_true(p.angle == q.angle && p.speed == q.speed && p.inertia == q.inertia);
    }
    assert_true(*kai_state_values(a, kai_state_find(a, "governor")) ==
                *kai_state_values(b, kai_state_find(b, "governor")));
    check_ok(kai_world_energy(a, &x));
    check_ok(kai_world_energy(b, &y));
    assert_memory_equal(&x, &y, sizeof x);
}

static void check_resume(const kai_integrator_kind* integrator, bool clutch)
{
    char path[64];
    snprintf(path, sizeof path, "/tmp/kairos-driveline-%d.h5", (int)getpid());
    // In the middle of slipping, and locked later.
    for (int half = 50; half <= 400; half += 350) {
        kai_world* whole = make_world(integrator, clutch, 1);
        kai_world* resumed = empty_world(3);
        run(whole, half);
        check_ok(kai_checkpoint_write(whole, NULL, path, NULL));
        check_ok(kai_checkpoint_read(resumed, NULL, path, NULL));
        check_same(whole, resumed);
        run(whole, 150);
        run(resumed, 150);
        check_same(whole, resumed);
        assert_int_equal(unlink(path), 0);
        kai_world_destroy(whole);
        kai_world_destroy(resumed);
    }
}

static void test_resume(void** state)
{
    check_resume(&kai_integrator_euler, true);
    check_resume(&kai_integrator_rk4, false);
    check_resume(&kai_integrator_hht, true);
    check_resume(&kai_integrator_newmark, true);
}

// The scene is worth it: the clutch slips, then locks.
static void test_the_clutch_slips_and_locks(void** state)
{
    kai_world* world = make_world(&kai_integrator_euler, true, 1);
    double slip;
    run(world, 50);
    check_ok(kai_joint_slip(world, kai_joint_find(world, "clutch"), &slip));
    assert_true(fabs(slip) > 1e-3);
    run(world, 400);
    check_ok(kai_joint_slip(world, kai_joint_find(world, "clutch"), &slip));
    assert_true(fabs(slip) < 1e-12);
    kai_world_destroy(world);
}

// A checkpoint is of no use without the kinds of the user, and says so; the world stays.
static void test_unknown_kinds_are_told(void** state)
{
    char path[64];
    kai_world_def def = kai_world_def_default();
    kai_world *a = make_world(&kai_integrator_euler, true, 1), *b = NULL;
    kai_error err = {0};
    snprintf(path, sizeof path, "/tmp/kairos-driveline-%d.h5", (int)getpid());
    check_ok(kai_checkpoint_write(a, NULL, path, NULL));
    check_ok(kai_world_create(&def, &b, NULL));
    assert_int_not_equal(kai_checkpoint_read(b, NULL, path, &err), KAI_OK);
    assert_true(strstr(err.message, "governor") || strstr(err.message, "actuator"));
    assert_int_equal(kai_shaft_count(b), 0);
    assert_int_equal(unlink(path), 0);
    kai_world_destroy(a);
    kai_world_destroy(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_resume),
        cmocka_unit_test(test_the_clutch_slips_and_locks),
        cmocka_unit_test(test_unknown_kinds_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
