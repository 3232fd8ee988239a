// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Steps whose contacts are not solved: solved again, counted, reported, or refused, as the scene
// asks. Light bodies under heavy ones, and light driven parts against heavy bodies.
#include "scene/scene_helper.h"

#include <kairos/body.h>
#include <kairos/solver.h>

// Two boxes, the upper one 1,000 times as heavy.
#define STACK                                                                                        \
    "{'kairos': 1, 'step': 0.001, 'end': 1, 'contact': 'nsc', 'solver': {%s}, 'materials': {'s': "   \
    "{'friction': 0.6}}, 'bodies': [{'name': 'ground', 'fixed': true, 'shapes': [{'type': 'plane', " \
    "'material': 's'}]}, {'name': 'light', 'mass': 8, 'position': [400, -400, 0.1], 'shapes': "      \
    "[{'type': 'box', 'size': [0.2, 0.2, 0.2], 'material': 's'}]}, {'name': 'heavy', 'mass': 8000, " \
    "'position': [400, -400, 0.3], 'shapes': [{'type': 'box', 'size': [0.2, 0.2, 0.2], 'material': " \
    "'s'}]}]}"

// A part of 1 kg on a slide that a motor drives at 0.2 m/s pushes a block of 1,000 kg.
#define PUSHER                                                                                       \
    "{'kairos': 1, 'step': 0.001, 'end': 0.5, 'contact': 'nsc', 'solver': {%s}, 'materials': {'s': " \
    "{'friction': 0.4}}, 'bodies': [{'name': 'ground', 'fixed': true, 'shapes': [{'type': 'plane', " \
    "'material': 's'}]}, {'name': 'frame', 'fixed': true}, {'name': 'pusher', 'mass': 1, "           \
    "'inertia': [0.01, 0.01, 0.01], 'position': [0, 0, 0.5], 'velocity': [0.2, 0, 0], 'shapes': "    \
    "[{'type': 'box', 'size': [0.4, 0.2, 0.2], 'material': 's'}]}, {'name': 'block', 'mass': 1000, " \
    "'position': [0.47, 0, 0.25], 'shapes': [{'type': 'box', 'size': [0.5, 0.5, 0.5], 'material': "  \
    "'s'}]}], 'joints': [{'name': 'slide', 'type': 'prismatic', 'bodies': ['frame', 'pusher'], "     \
    "'at': [0, 0, 0.5], 'axis': [1, 0, 0]}], 'motors': [{'type': 'linear-speed', 'joint': 'slide', " \
    "'value': 0.2}]}"

typedef struct outcome {
    kai_solver_figures figures;
    double moved, fastest; // of the last body: m, m/s
    char verdict[700], error[sizeof(kai_error)];
} outcome;

static kai_result run(bool stack, const char* solver, outcome* out)
{
    char text[2000];
    if (stack)
        snprintf(text, sizeof text, STACK, solver);
    else
        snprintf(text, sizeof text, PUSHER, solver);
    char* json = quoted(text);
    kai_scene_def def = kai_scene_def_default();
    def.path = "scene.json";
    def.text = json;
    def.text_size = strlen(json);
    kai_scene* scene = NULL;
    check_ok(kai_scene_open(&def, &scene, NULL));
    free(json);
    kai_world* world = kai_scene_world(scene);
    const kai_scene_settings* s = kai_scene_get_settings(scene);
    *out = (outcome){.moved = 0.0};
    const kai_body body = kai_body_find(world, stack ? "heavy" : "block");
    const kai_vec3 start = kai_body_position(world, body);
    kai_result r = KAI_OK;
    while (r == KAI_OK && kai_world_time(world) < s->end - 0.5 * s->step) {
        r = kai_world_step(world, s->step);
        out->fastest = fmax(out->fastest, kai_vec3_norm(kai_body_velocity(world, body)));
    }
    out->moved = kai_vec3_distance(kai_body_position(world, body), start);
    out->figures = kai_solver_measured(world);
    kai_solver_verdict(world, out->verdict, sizeof out->verdict);
    snprintf(out->error, sizeof out->error, "%s",
             r == KAI_OK ? "" : kai_world_error(world)->message);
    kai_scene_close(scene);
    return r;
}

static void heavy_on_light_is_solved_again(void** state)
{
    (void)state;
    outcome o;
    check_ok(run(true, "", &o)); // newton, which needs no second method
    assert_true(o.moved < 1e-9);
    assert_int_equal(o.figures.retried, 0);

    check_ok(run(true, "'type': 'apgd'", &o));
    // Two contacts, each off by the tolerance at most, for a second.
    assert_true(o.moved < 2.0 * o.figures.tolerance);
    assert_true(o.figures.retried > 0 && o.figures.retried < 20);
    assert_int_equal(o.figures.unsolved, 0);
    assert_int_equal(o.figures.solutions, 1000);
    assert_non_null(strstr(o.verdict, "reached the tolerance of "));

    check_ok(run(true, "'type': 'apgd', 'unsolved': 'report'", &o));
    assert_true(o.moved > 1e-4);
    assert_int_equal(o.figures.retried, 0);
    assert_true(o.figures.unsolved > 500 && o.figures.unsolved <= o.figures.missed);
    assert_true(o.figures.worst_time > 0.0);
    assert_non_null(strstr(o.verdict, "body 'light'"));
    assert_non_null(strstr(o.verdict, "unsolved"));
}

static void stop_names_time_contact_and_numbers(void** state)
{
    (void)state;
    outcome o;
    check_ok(run(true, "'unsolved': 'stop'", &o));
    check_error(run(true, "'unsolved': 'stop', 'limit': 1e-14, 'cone': 'psor'", &o),
                KAI_ERROR_DIVERGED);
    assert_non_null(strstr(o.error, "t = 0.00"));
    assert_non_null(strstr(o.error, "contact of body '"));
    assert_non_null(strstr(o.error, "the limit is 1e-14 m/s"));
    assert_non_null(strstr(o.error, "solver.unsolved"));
}

// admm alone threw a block of 100 kg 19 m high.
static void a_pusher_makes_no_energy(void** state)
{
    (void)state;
    const char* const solvers[] = {"'type': 'admm'", "'type': 'apgd'", "'type': 'psor'", ""};
    for (size_t i = 0; i < KAI_COUNT(solvers); i++) {
        outcome o;
        check_ok(run(false, solvers[i], &o));
        if (!(o.fastest < 0.22)) print_error("%s: %g m/s\n", solvers[i], o.fastest);
        assert_true(o.fastest < 0.22);
        // It touches after 0.02 m, at 0.1 s, and is moved at 0.2 m/s.
        check_near(o.moved, 0.2 * 0.4, 0.005, "0.2 m/s from 0.1 s on");
    }
}

// A tolerance without a method or a number of iterations: whatever it takes.
static void auto_reaches_a_tolerance(void** state)
{
    (void)state;
    outcome o;
    check_ok(run(true, "'tolerance': 1e-9", &o));
    check_near(o.figures.tolerance, 1e-9, 0.0, "as asked");
    assert_int_equal(o.figures.missed, 0);
    assert_true(o.figures.residual_max <= 1e-9);

    check_ok(run(true, "'tolerance': 1e-9, 'iterations': 3", &o));
    assert_true(o.figures.missed > 0);
    assert_non_null(strstr(o.verdict, "missed the tolerance of 1e-09 m/s in "));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(heavy_on_light_is_solved_again),
        cmocka_unit_test(stop_names_time_contact_and_numbers),
        cmocka_unit_test(a_pusher_makes_no_energy),
        cmocka_unit_test(auto_reaches_a_tolerance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
