// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// An integrator made of the public functions alone: Moreau's midpoint rule, which is what euler is.
// It moves, collides by both methods and keeps joints as euler does; what it has no bit for is
// refused, and a step that fails leaves the state as it was.
#include "helper.h"

#include <kairos/kairos.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ALL (KAI_INTEGRATOR_JOINTS | KAI_INTEGRATOR_PENALTY_CONTACT | KAI_INTEGRATOR_CONE_CONTACT)

static bool fails; // the step does, after it has moved everything

static kai_result midpoint(kai_system* system, const void* instance, double h, kai_error* err)
{
    (void)instance;
    const kai_system_size n = kai_system_sizes(system);
    const double start = kai_system_time(system);
    double* v = calloc(2 * n.velocities + 2 * n.states + 1, sizeof *v);
    double *a = v + n.velocities, *z = a + n.velocities, *rates = z + n.states;
    check_ok(kai_system_move(system, NULL, 0.5 * h));
    check_ok(kai_system_read(system, NULL, v, z));
    kai_result r = kai_system_find_contacts(system, h, err);
    if (!r) r = kai_system_find_rates(system, start + 0.5 * h, a, rates, err);
    if (!r) r = kai_system_spend(system, 0.5 * h, err);
    for (size_t i = 0; i < n.velocities; i++) v[i] += h * a[i];
    for (size_t i = 0; i < n.states; i++) z[i] += h * rates[i];
    if (!r) r = kai_system_write(system, NULL, v, z);
    if (!r) r = kai_system_hold_velocities(system, start + h, h, err);
    if (!r) r = kai_system_spend(system, 0.5 * h, err);
    if (!r) r = kai_system_move(system, NULL, 0.5 * h);
    free(v);
    return fails ? KAI_ERROR_DIVERGED : r;
}

static kai_integrator_kind MIDPOINT = {
    .kind = {KAI_SIZES(kai_integrator_kind), .name = "midpoint", .doc = "Of the test."},
    .order = 2,
    .step = midpoint};

/// Scenes are written with ' for ".
static kai_scene* open_world(const char* rest, const kai_integrator_kind* kind)
{
    char text[2048];
    snprintf(text, sizeof text, "{'kairos': 1, 'step': 1e-4, 'end': 1, 'bodies': %s}", rest);
    for (char* p = text; *p; p++)
        if (*p == '\'') *p = '"';
    kai_scene_def def = kai_scene_def_default();
    def.text = text;
    def.text_size = strlen(text);
    kai_scene* scene = NULL;
    kai_error err = {0};
    if (kai_scene_open(&def, &scene, &err) != KAI_OK) fail_msg("%s", err.message);
    check_ok(kai_integrator_set(kai_scene_world(scene), kind, NULL));
    return scene;
}

#define BALL                                                                                      \
    "[{'name': 'floor', 'fixed': true, 'shapes': [{'type': 'plane'}]}, {'name': 'a', 'density': " \
    "500, 'position': [0, 0, 0.12], 'velocity': [0.5, 0, 0], 'shapes': [{'type': 'sphere', "      \
    "'radius': 0.1}]}]"
#define PENDULUM                                                                               \
    "[{'name': 'g', 'fixed': true}, {'name': 'a', 'mass': 2, 'inertia': [0.3, 0.2, 0.1], "     \
    "'position': [1, 0, 0]}], 'joints': [{'name': 'pin', 'type': 'revolute', 'bodies': ['g', " \
    "'a'], 'at': [0, 0, 0], 'axis': [0, 1, 0]}]"

/// Where body a is after some steps.
static kai_vec3 run(const char* text, const kai_integrator_kind* kind, int steps)
{
    kai_scene* scene = open_world(text, kind);
    kai_world* world = kai_scene_world(scene);
    for (int i = 0; i < steps; i++)
        if (kai_world_step(world, 1e-4) != KAI_OK) fail_msg("%s", kai_world_error(world)->message);
    const kai_vec3 p = kai_body_position(world, kai_body_find(world, "a"));
    kai_energy energy;
    check_ok(kai_world_energy(world, &energy));
    assert_true(energy.kinetic >= 0.0);
    kai_scene_close(scene);
    return p;
}

static void agrees_with_euler(void** state)
{
    (void)state;
    static const struct {
        const char *name, *text;
        double most; // m
    } cases[] = {{"smc", BALL ", 'contact': 'smc'", 1e-9},
                 {"nsc", BALL ", 'contact': 'nsc'", 1e-9},
                 // constraint forces are found before the kick, and again as impulses: order h²
                 {"joint", PENDULUM, 1e-6}};
    MIDPOINT.capabilities = ALL;
    for (size_t i = 0; i < KAI_COUNT(cases); i++) {
        const kai_vec3 a = run(cases[i].text, &kai_integrator_euler, 3000),
                       b = run(cases[i].text, &MIDPOINT, 3000);
        check_near(kai_vec3_norm(kai_vec3_sub(a, b)), 0.0, cases[i].most, cases[i].name);
    }
}

static void joints_hold(void** state)
{
    (void)state;
    MIDPOINT.capabilities = ALL;
    const kai_vec3 p = run(PENDULUM, &MIDPOINT, 3000);
    check_near(kai_vec3_norm(p), 1.0, 1e-7, "half of the drift of a step, h² v² / 8 r, stays");
}

static void lacking_bits_are_refused(void** state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {BALL ", 'contact': 'smc'", "integrator 'midpoint' cannot do contact smc; use euler"},
        {BALL ", 'contact': 'nsc'",
         "integrator 'midpoint' cannot do contact nsc; use euler or euler-implicit"},
        {PENDULUM, "integrator 'midpoint' cannot do joints; use euler, rk4"}};
    MIDPOINT.capabilities = 0;
    for (size_t i = 0; i < KAI_COUNT(cases); i++) {
        kai_scene* scene = open_world(cases[i].text, &MIDPOINT);
        kai_world* world = kai_scene_world(scene);
        assert_int_equal(kai_world_step(world, 1e-4), KAI_ERROR_UNSUPPORTED);
        if (!strstr(kai_world_error(world)->message, cases[i].message))
            fail_msg("%s", kai_world_error(world)->message);
        kai_scene_close(scene);
    }
}

static void failed_steps_are_undone(void** state)
{
    (void)state;
    static const char* const texts[] = {BALL ", 'contact': 'smc'", BALL ", 'contact': 'nsc'",
                                        PENDULUM};
    MIDPOINT.capabilities = ALL;
    for (size_t i = 0; i < KAI_COUNT(texts); i++) {
        kai_scene* scene = open_world(texts[i], &MIDPOINT);
        kai_world* world = kai_scene_world(scene);
        for (int k = 0; k < 800; k++) check_ok(kai_world_step(world, 1e-4)); // touching by then
        const uint64_t before = kai_world_hash(world);
        fails = true;
        assert_int_equal(kai_world_step(world, 1e-4), KAI_ERROR_DIVERGED);
        fails = false;
        assert_true(kai_world_hash(world) == before);
        check_ok(kai_world_step(world, 1e-4));
        kai_scene_close(scene);
    }
}

/// A table that does not say its size, or one of another size, is refused; the old one stays in use.
static void tables_say_their_size(void** state)
{
    (void)state;
    const kai_world_def def = kai_world_def_default();
    kai_world* world = NULL;
    kai_integrator_kind kind = MIDPOINT;
    check_ok(kai_world_create(&def, &world, NULL));
    kind.kind.sizes = (kai_kind_sizes){0};
    check_error(kai_integrator_set(world, &kind, NULL), KAI_ERROR_ARGUMENT);
    assert_string_equal(
        kai_world_error(world)->message,
        "kai_integrator_set: integrator kind 'midpoint' has no sizes; its kind must "
        "have KAI_SIZES(kai_integrator_kind)");
    kind = MIDPOINT;
    kind.kind.sizes.table -= 8;
    check_error(kai_integrator_set(world, &kind, NULL), KAI_ERROR_ARGUMENT);
    kind.kind.sizes.table += 16;
    check_error(kai_integrator_set(world, &kind, NULL), KAI_ERROR_ARGUMENT);
    assert_ptr_equal(kai_integrator_get(world), &kai_integrator_euler);
    check_ok(kai_integrator_set(world, &MIDPOINT, NULL));
    kai_world_destroy(world);
}

/// A step that only looks: 0 for the fixed ground, mass and principal moments for the other body.
static kai_result weigh(kai_system* system, const void* instance, double h, kai_error* err)
{
    (void)instance, (void)h, (void)err;
    double mass[12] = {0};
    assert_int_equal(kai_system_sizes(system).velocities, 12);
    check_ok(kai_system_mass(system, mass));
    const bool first = mass[0] > 0.0;
    const double *moving = first ? mass : mass + 6, *fixed = first ? mass + 6 : mass;
    for (int i = 0; i < 6; i++) assert_true(fixed[i] == 0.0);
    for (int i = 0; i < 3; i++) check_near(moving[i], 2.0, 0.0, "kg, as the scene says");
    check_near(moving[3] + moving[4] + moving[5], 0.6, 1e-15, "the trace has no axes");
    check_near(moving[3] * moving[4] * moving[5], 0.006, 1e-15, "nor has the determinant");
    assert_true(kai_system_time(system) == kai_world_time(kai_system_world(system)));
    return KAI_OK;
}

static void mass_is_told(void** state)
{
    (void)state;
    kai_integrator_kind kind = MIDPOINT;
    kind.capabilities = ALL;
    kind.step = weigh;
    kai_scene* scene = open_world(PENDULUM, &kind);
    check_ok(kai_world_step(kai_scene_world(scene), 1e-3));
    kai_scene_close(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(tables_say_their_size),
                                       cmocka_unit_test(agrees_with_euler),
                                       cmocka_unit_test(joints_hold),
                                       cmocka_unit_test(lacking_bits_are_refused),
                                       cmocka_unit_test(failed_steps_are_undone),
                                       cmocka_unit_test(mass_is_told)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
