// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Steps that fail say what failed, by the names that a user gave, and the likely cause; the state
// is the one before the step.
#include "helper.h"
#include "step/diagnose.h"

#include <kairos/kairos.h>
#include <string.h>

/// Scenes are written with ' for ".
typedef struct failing {
    const char *name, *text;
    const char* parts[6]; // of the message
} failing;

#define TWO(mass)                                                                                 \
    "'bodies': [{'name': 'g', 'fixed': true}, {'name': 'a', 'mass': " mass                        \
    ", 'inertia': [1, 1, 1], 'position': [1, 0, 0]}, {'name': 'b', 'mass': 1, 'inertia': [1, 1, " \
    "1], 'position': [3, 0, 0]}]"
#define STIFF(integrator)                                                                                  \
    "{'kairos': 1, 'step': 0.01, 'end': 10, 'integrator': '" integrator "', " TWO(                         \
        "1") ", 'forces': [{'type': 'force', 'name': 'innocent', 'body': 'g', 'value': [1, 0, 0]}, "       \
             "{'type': 'spring', 'name': 'leaf', 'bodies': ['a', 'b'], 'points': [[1, 0, 0], [3, 0, 0]], " \
             "'rest_length': 1.5, 'stiffness': 1e9}]}"
#define PLAIN(rest) "{'kairos': 1, 'step': 0.001, 'end': 10, " rest "}"
#define FLOOR       "{'name': 'floor', 'fixed': true, 'shapes': [{'type': 'plane'}]}"

static const failing CASES[] = {
    {"spring, euler",
     STIFF("euler"),
     {"spring 'leaf' between body 'a' and body 'b'", "is not finite", "(step ",
      "1e+09 N/m on 0.5 kg swings with a period of 0.000141 s, which needs steps below 4.47e-05 s",
      "integrator hht"}},
    {"spring, rk4",
     STIFF("rk4"),
     {"spring 'leaf' between", "needs steps below 6.26e-05 s with rk4"}},
    {"spring, leapfrog", STIFF("leapfrog"), {"spring 'leaf' between", "4.47e-05 s with leapfrog"}},
    {"damper",
     PLAIN(TWO("2") ", 'forces': [{'type': 'spring', 'name': 'damper', 'bodies': ['g', 'a'], "
                    "'points': [[0, 0, 0], [1, 0, 0]], 'stiffness': 100, 'damping': 1e7}]"),
     {"spring 'damper' between body 'g' and body 'a'",
      "1e+07 N s/m on 2 kg decays within 2e-07 s"}},
    {"bushing",
     PLAIN(
         TWO("1") ", 'forces': [{'type': 'bushing', 'name': 'rubber', 'bodies': ['g', 'a'], 'at': "
                  "[1, 0, 0], 'stiffness': [[1, 1, 1e10, 1, 1, 1]]}]"),
     {"bushing 'rubber' between body 'g' and body 'a'", "1e+10 N/m on 1 kg swings"}},
    {"force of a function",
     PLAIN(TWO("1") ", 'forces': [{'type': 'force', 'name': 'blast', 'body': 'b', 'value': "
                    "[{'polynomial': [0, 1e306, 0, 0, 1e308, 1e308, 1e308]}, 0, 0]}]"),
     {"force 'blast' on body 'b'"}},
    {"motor torque",
     PLAIN(TWO("1") ", 'joints': [{'name': 'pin', 'type': 'revolute', 'bodies': ['g', 'a'], 'at': "
                    "[0, 0, 0], 'axis': [0, 0, 1]}], 'motors': [{'name': 'drive', 'type': "
                    "'rotation-torque', 'joint': 'pin', 'value': {'product': [{'ramp': {'slope': "
                    "1e300}}, 1e300]}}]"),
     {"rotation-torque 'drive'", "its ", "is inf"}},
    {"motor speed",
     PLAIN(TWO("1") ", 'joints': [{'name': 'pin', 'type': 'revolute', 'bodies': ['g', 'a'], 'at': "
                    "[0, 0, 0], 'axis': [0, 0, 1]}], 'motors': [{'name': 'drive', 'type': "
                    "'rotation-speed', 'joint': 'pin', 'value': {'product': [{'ramp': {'slope': "
                    "1e300}}, 1e300]}}]"),
     {"rotation-speed joint 'drive'", "is inf"}},
    {"contact nsc",
     PLAIN("'contact': 'nsc', 'gravity': [0, 0, -1e300], 'bodies': [" FLOOR
           ", {'name': 'ball', 'mass': 1, 'position': [0, 0, 1], 'shapes': [{'type': 'sphere', "
           "'radius': 0.1}]}]"),
     {"contact of body 'floor' with body 'ball'", "not finite", "gravity of 1e+300"}},
    {"contact nsc under a motor",
     PLAIN("'contact': 'nsc', 'bodies': [" FLOOR
           ", {'name': 'wheel', 'mass': 1, 'position': [0, 0, 0.1], 'shapes': [{'type': 'sphere', "
           "'radius': 0.1}]}], 'joints': [{'name': 'pin', 'type': 'revolute', 'bodies': ['floor', "
           "'wheel'], 'at': [0, 0, 0.1], 'axis': [0, 1, 0], 'collide_bodies': true}], 'motors': "
           "[{'name': 'drive', 'type': 'rotation-speed', 'joint': 'pin', 'value': {'product': "
           "[{'ramp': {'slope': 1e300}}, 1e300]}}]"),
     {"rotation-speed joint 'drive'", "is inf"}},
    {"contact smc of spheres",
     PLAIN("'contact': 'smc', 'gravity': [0, 0, -1e300], 'bodies': [" FLOOR
           ", {'name': 'ball', 'mass': 1, 'position': [0, 0, 1], 'shapes': [{'type': 'sphere', "
           "'radius': 0.1}]}]"),
     {"contact of body 'floor' with body 'ball'", "overlap", "gravity of 1e+300"}},
    {"contact smc of boxes",
     PLAIN("'contact': 'smc', 'gravity': [0, 0, -1e300], 'bodies': [" FLOOR
           ", {'name': 'crate', 'mass': 1, 'position': [0, 0, 1], 'shapes': [{'type': 'box', "
           "'size': [0.1, 0.1, 0.1]}]}]"),
     {"contact of body 'floor' with body 'crate'", "overlap", "gravity of 1e+300"}},
    {"spin",
     "{'kairos': 1, 'step': 0.001, 'end': 1, 'integrator': 'hht', 'bodies': [{'name': 'top', "
     "'mass': 1, 'inertia': [1, 2, 2.9], 'angular_velocity': [1e8, 2e8, 3e8]}]}",
     {"body 'top': its spin [nan, nan, nan] rad/s", "turns by 3.74e+05 rad in a step"}},
    {"element",
     "{'kairos': 1, 'step': 0.01, 'end': 1, 'integrator': 'hht', 'gravity': [0, 0, -1e250], "
     "'solids': {'steel': {'type': 'elastic', 'density': 7800, 'young': 2e11}}, 'structures': "
     "[{'name': 'rope', 'type': 'cable', 'points': [[0, 0, 0], [1, 0, 0]], 'cells': 3, 'element': "
     "{'type': 'ancf-cable', 'solid': 'steel', 'radius': 0.01}, 'fixed': [{'set': 'x0', "
     "'coordinates': 'all'}]}]}",
     {"of structure 'rope'"}},
};

static kai_scene* open_scene(const char* text)
{
    static char copy[4096];
    snprintf(copy, sizeof copy, "%s", text);
    for (char* c = copy; *c; c++)
        if (*c == '\'') *c = '"';
    kai_scene_def def = kai_scene_def_default();
    def.text = copy;
    def.text_size = strlen(copy);
    kai_scene* scene = NULL;
    kai_error err = {0};
    if (kai_scene_open(&def, &scene, &err) != KAI_OK) fail_msg("%s", err.message);
    return scene;
}

/// Steps until one fails. Returns the message.
static const char* run_into(kai_world* world, const char* name, double h, uint64_t* before)
{
    kai_result r = KAI_OK;
    while (r == KAI_OK && kai_world_steps(world) < 5000) {
        *before = kai_world_hash(world);
        r = kai_world_step(world, h);
    }
    if (r == KAI_OK) fail_msg("%s: no step fails", name);
    check_error(r, KAI_ERROR_DIVERGED);
    return kai_world_error(world)->message;
}

static void test_culprits(void** state)
{
    (void)state;
    for (size_t i = 0; i < KAI_COUNT(CASES); i++) {
        kai_scene* scene = open_scene(CASES[i].text);
        kai_world* world = kai_scene_world(scene);
        uint64_t before = 0;
        const char* message =
            run_into(world, CASES[i].name, kai_scene_get_settings(scene)->step, &before);
        for (int k = 0; CASES[i].parts[k]; k++)
            if (!strstr(message, CASES[i].parts[k]))
                fail_msg("%s: '%s' is not in: %s", CASES[i].name, CASES[i].parts[k], message);
        assert_non_null(strstr(message, "(step "));
        assert_null(strstr(message, "body #"));
        assert_null(strstr(message, "-nan"));
        if (kai_world_hash(world) != before) fail_msg("%s: the state has changed", CASES[i].name);
        kai_scene_close(scene);
    }
}

// Loads of the user's own
// --------------------------------------------------------------------------

typedef struct drive {
    kai_body body;
    double stiffness;
} drive;

static const kai_param PARAMS[] = {
    {.name = "body", .type = KAI_PARAM_BODY, .offset = offsetof(drive, body), .doc = "Body."},
    {.name = "stiffness",
     .type = KAI_PARAM_REAL,
     .offset = offsetof(drive, stiffness),
     .doc = "Pull to the origin, N/m; negative: not a number."}};

static void apply(const kai_load_batch* b)
{
    for (size_t i = b->begin; i < b->end; i++) {
        const drive* p = KAI_LOAD_AT(b, drive, i);
        const kai_vec3 x = b->pose[b->slot[i]].position;
        b->out[i].force = kai_vec3_scale(x, p->stiffness < 0.0 ? (double)NAN : -p->stiffness);
    }
}

static const kai_load_kind DRIVE = {.kind = {KAI_SIZES(kai_load_kind), .name = "drive",
                                             .doc = "A load of the test.", .size = sizeof(drive),
                                             .params = PARAMS, .param_count = KAI_COUNT(PARAMS)},
                                    .apply = apply};

static void test_own_load(void** state)
{
    (void)state;
    for (int bad = 0; bad < 2; bad++) {
        for (size_t k = 0; kai_integrator_built_in(k); k++) {
            const kai_integrator_kind* integrator = kai_integrator_built_in(k);
            if (!bad && (integrator->capabilities & KAI_INTEGRATOR_IMPLICIT)) continue;
            kai_scene* scene = open_scene(PLAIN(TWO("4")));
            kai_world* world = kai_scene_world(scene);
            check_ok(kai_integrator_set(world, integrator, NULL));
            check_ok(kai_load_register(world, &DRIVE));
            const drive p = {kai_body_find(world, "a"), bad ? -1.0 : 1e12};
            kai_load load;
            check_ok(kai_load_create(world, &DRIVE, &p, "mine", &load));
            uint64_t before = 0;
            const char* message = run_into(world, integrator->kind.name, 0.001, &before);
            if (!strstr(message, "drive 'mine' on body 'a': force [nan, nan, nan] N") &&
                !(strstr(message, "drive 'mine' on body 'a'") && !bad))
                fail_msg("%s: %s", integrator->kind.name, message);
            const bool cause = strstr(message, "1e+12 N/m on 4 kg swings") != NULL;
            if (cause == (bool)bad) fail_msg("%s: %s", integrator->kind.name, message);
            assert_true(kai_world_hash(world) == before);
            kai_scene_close(scene);
        }
    }
}

#define SPHERES                                                                              \
    "'bodies': [{'name': 'floor', 'fixed': true, 'shapes': [{'type': 'plane'}]}, {'name': "  \
    "'a', 'density': 500, 'position': [0, 0, 0.0999], 'shapes': [{'type': 'sphere', "        \
    "'radius': 0.1}]}, {'name': 'b', 'density': 500, 'position': [0, 0, 0.2998], 'shapes': " \
    "[{'type': 'sphere', 'radius': 0.1}]}]"

/// A load that is no number after some steps, among other things.
static void check_among(const kai_integrator_kind* integrator, const char* text)
{
    kai_scene* scene = open_scene(text);
    kai_world* world = kai_scene_world(scene);
    check_ok(kai_integrator_set(world, integrator, NULL));
    for (int i = 0; i < 5; i++) check_ok(kai_world_step(world, 1e-4));
    check_ok(kai_load_register(world, &DRIVE));
    const drive p = {kai_body_find(world, "a"), -1.0};
    kai_load load;
    check_ok(kai_load_create(world, &DRIVE, &p, "mine", &load));
    uint64_t before = 0;
    const char* message = run_into(world, integrator->kind.name, 1e-4, &before);
    if (!strstr(message, "drive 'mine' on body 'a'"))
        fail_msg("%s: %s", integrator->kind.name, message);
    if (kai_world_hash(world) != before)
        fail_msg("%s: the state has changed; %s", integrator->kind.name, text);
    check_ok(kai_load_destroy(world, load));
    for (int i = 0; i < 5; i++) check_ok(kai_world_step(world, 1e-4));
    kai_scene_close(scene);
}

static void test_own_load_among_others(void** state)
{
    (void)state;
    const char* joints = PLAIN(
        TWO("4") ", 'joints': [{'name': 'pin', 'type': 'revolute', 'bodies': ['g', 'a'], 'at': [0, "
                 "0, 0], 'axis': [0, 1, 0]}, {'name': 'ball', 'type': 'spherical', 'bodies': ['a', "
                 "'b'], 'at': [2, 0, 0]}]");
    const char* elements =
        PLAIN(TWO("4") ", 'solids': {'steel': {'type': 'elastic', 'density': 7800, 'young': 2e9}}, "
                       "'structures': [{'name': 'rope', 'type': 'cable', 'points': [[0, 0, 0], [1, "
                       "0, 0]], 'cells': 3, 'element': {'type': 'ancf-cable', 'solid': 'steel', "
                       "'radius': 0.01}, 'fixed': [{'set': 'x0'}], 'links': [{'set': 'x1', 'body': "
                       "'a'}]}]");
    for (size_t k = 0; kai_integrator_built_in(k); k++) {
        const kai_integrator_kind* integrator = kai_integrator_built_in(k);
        const unsigned can = integrator->capabilities;
        if (can & KAI_INTEGRATOR_JOINTS) check_among(integrator, joints);
        if (can & KAI_INTEGRATOR_ELEMENTS) check_among(integrator, elements);
        if (can & KAI_INTEGRATOR_PENALTY_CONTACT)
            check_among(integrator, PLAIN("'contact': 'smc', " SPHERES));
        if (can & KAI_INTEGRATOR_CONE_CONTACT)
            check_among(integrator, PLAIN("'contact': 'nsc', " SPHERES));
    }
}

static kai_frame lifted(double z)
{
    return (kai_frame){kai_vec3_make(0.0, 0.0, z), kai_quat_identity()};
}

// Grains that go the fast way, then fail, are as if the step had never been.
static void test_grains(void** state)
{
    (void)state;
    kai_scene* scene = open_scene(
        PLAIN("'contact': 'smc', 'bodies': [" FLOOR
              ", {'name': 'low', 'density': 1000, 'position': [0, 0, 0.0999], 'shapes': [{'type': "
              "'sphere', 'radius': 0.1}]}, {'name': 'high', 'density': 1000, 'position': [0, 0, "
              "0.2998], 'shapes': [{'type': 'sphere', 'radius': 0.1}]}]"));
    kai_world* world = kai_scene_world(scene);
    for (int i = 0; i < 20; i++) check_ok(kai_world_step(world, 1e-4));
    const kai_body high = kai_body_find(world, "high");
    check_ok(kai_body_set_velocity(world, high, kai_vec3_make(0.0, 0.0, -1e200), kai_vec3_zero()));
    uint64_t before = 0;
    const char* message = run_into(world, "grains", 1e-4, &before);
    if (!strstr(message, "body 'high'") || strncmp(message, "kai_world_step: contact", 23) != 0)
        fail_msg("%s", message);
    assert_true(kai_world_hash(world) == before);
    const kai_body low = kai_body_find(world, "low");
    check_ok(kai_body_set_frame(world, high, lifted(0.2998)));
    check_ok(kai_body_set_frame(world, low, lifted(0.0999)));
    check_ok(kai_body_set_velocity(world, high, kai_vec3_zero(), kai_vec3_zero()));
    check_ok(kai_body_set_velocity(world, low, kai_vec3_zero(), kai_vec3_zero()));
    for (int i = 0; i < 20; i++) check_ok(kai_world_step(world, 1e-4));
    kai_scene_close(scene);
}

/// Bodies that nothing holds, one of which leaves all numbers behind.
typedef struct flight {
    const char* name;
    kai_vec3 position, velocity, spin, gravity;
    double h;
} flight;

static const flight FLIGHTS[] = {
    {"far", {1.7e308, 0, 0}, {1e308, 0, 0}, {0, 0, 0}, {0, 0, -9.81}, 0.1},
    {"on its way", {0, 0, 0}, {1e300, 0, 0}, {0, 0, 0}, {0, 0, -9.81}, 1e7},
    {"spin", {0, 0, 0}, {0, 0, 0}, {1e200, 2e200, 3e200}, {0, 0, 0}, 0.001},
    {"gravity", {0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, -1e308}, 0.5},
    {"gravity at once", {0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, -1e308}, 10.0},
};

/// `shape`: "sphere" or "box", of both.
static kai_scene* open_flight(const flight* f, const char* contact, const char* shape)
{
    char text[1024], shapes[128];
    snprintf(shapes, sizeof shapes, "'shapes': [{'type': '%s', %s}]", shape,
             shape[0] == 's' ? "'radius': 0.1" : "'size': [0.1, 0.1, 0.1]");
    snprintf(text, sizeof text,
             PLAIN("'contact': '%s', 'gravity': [%g, %g, %g], 'bodies': [{'name': 'near', 'mass': "
                   "1, 'inertia': [1, 1, 1], 'position': [0, 9, 0], 'velocity': [1, 2, 3], "
                   "'angular_velocity': [1, 2, 3], %s}, {'name': 'wild', 'mass': 1, 'inertia': [1, "
                   "2, 2.5], %s}]"),
             contact, f->gravity.x, f->gravity.y, f->gravity.z, shapes, shapes);
    kai_scene* scene = open_scene(text);
    kai_world* world = kai_scene_world(scene);
    check_ok(kai_world_step(world, 1e-6)); // calm at first
    const kai_body wild = kai_body_find(world, "wild"), near = kai_body_find(world, "near");
    check_ok(kai_body_set_velocity(world, near, kai_vec3_make(1, 2, 3), kai_vec3_make(1, 2, 3)));
    check_ok(kai_body_set_frame(world, near, lifted(9.0)));
    check_ok(kai_body_set_frame(world, wild, (kai_frame){f->position, kai_quat_identity()}));
    check_ok(kai_body_set_velocity(world, wild, f->velocity, f->spin));
    return scene;
}

static void check_flight(const flight* f, const kai_integrator_kind* integrator,
                         const char* contact, const char* shape)
{
    kai_scene* scene = open_flight(f, contact, shape);
    kai_world* world = kai_scene_world(scene);
    check_ok(kai_integrator_set(world, integrator, NULL));
    uint64_t before = 0;
    const char* message = run_into(world, f->name, f->h, &before);
    if (!strstr(message, "not finite") && !strstr(message, "too far or too fast"))
        fail_msg("%s, %s: %s", f->name, integrator->kind.name, message);
    if (kai_world_hash(world) != before)
        fail_msg("%s, %s, contact %s of %s: the state has changed: %s", f->name,
                 integrator->kind.name, contact, shape, message);
    kai_scene_close(scene);
}

// Free flight keeps no copy of the state, unless it may be needed.
static void test_flights(void** state)
{
    (void)state;
    for (size_t i = 0; i < KAI_COUNT(FLIGHTS); i++) {
        for (size_t k = 0; kai_integrator_built_in(k); k++)
            check_flight(&FLIGHTS[i], kai_integrator_built_in(k), "none", "sphere");
        for (int k = 0; k < 4; k++)
            check_flight(&FLIGHTS[i], &kai_integrator_euler, k & 1 ? "nsc" : "smc",
                         k & 2 ? "sphere" : "box");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_culprits), cmocka_unit_test(test_own_load),
        cmocka_unit_test(test_own_load_among_others), cmocka_unit_test(test_grains),
        cmocka_unit_test(test_flights)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
