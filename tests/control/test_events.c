// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Events: when they happen, what each action does under every integrator, and what is refused.
#include "control_rig.h"

static const char* const INTEGRATORS[] = {"euler",       "leapfrog", "rk4", "euler-implicit",
                                          "trapezoidal", "newmark",  "hht"};

/// A value that goes up and down between 0 and 2 as 1 - cos(2π t).
#define WAVE                                                                                      \
    "{'name': 'y', 'type': 'value', 'value': {'sine': {'amplitude': 1, 'frequency': 1, 'phase': " \
    "-1.5707963267948966, 'offset': 1}}}"

static uint64_t happened(kai_world* w, const char* name)
{
    return kai_event_happened(w, kai_event_find(w, name));
}

/// Directions, once, and interpolated times: 1 - cos(2π t) = 1.5 at t = 1/3 and 2/3.
static void times(void** state)
{
    (void)state;
    kai_scene* scene = rig_scene(
        "rk4", "'signals': [" WAVE ", {'name': 'r', 'type': 'value', 'value': {'ramp': {}}}], "
               "'events': [{'name': 'up', 'signal': 'y', 'crosses': 1.5, "
               "'direction': 'rising'}, {'name': 'down', 'signal': 'y', 'crosses': 1.5, "
               "'direction': 'falling'}, {'name': 'both', 'signal': 'y', 'crosses': 1.5}, {'name': "
               "'once', 'signal': 'y', 'crosses': 1.5, 'once': true}, {'name': 'start', 'signal': "
               "'r', 'crosses': 0}]");
    kai_world* w = kai_scene_world(scene);
    for (int i = 1; i <= 2000; i++) {
        rig_steps(w, 1, 1e-3);
        for (size_t k = 0; k < kai_event_fired_count(w); k++) {
            const double t = fmod(kai_event_fired(w, k).time, 1.0);
            check_near(fmin(fabs(t - 1.0 / 3.0), fabs(t - 2.0 / 3.0)), 0.0, 1e-6,
                       "1/3 or 2/3 s; straight lines between steps of 1 ms");
        }
    }
    assert_int_equal(happened(w, "up"), 2);
    assert_int_equal(happened(w, "down"), 2);
    assert_int_equal(happened(w, "both"), 4);
    assert_int_equal(happened(w, "once"), 1);
    assert_int_equal(happened(w, "start"), 0); // begins at the value
    assert_true(KAI_IS_NULL(kai_event_find(w, "nobody")));
    kai_scene_close(scene);
}

/// A spring that pulls a mass is switched off where it is fastest: it goes on with x₀ ω.
static void springs(void** state)
{
    (void)state;
    for (size_t i = 0; i < KAI_COUNT(INTEGRATORS); i++) {
        kai_scene* scene = rig_scene(
            INTEGRATORS[i],
            "'bodies': [{'name': 'ground', 'fixed': true}, {'name': 'ball', 'mass': 2, 'inertia': "
            "[1, 1, 1], 'position': [1, 0, 0]}], 'forces': [{'name': 'spring', 'type': 'spring', "
            "'bodies': ['ground', 'ball'], 'points': [[-5, 0, 0], [1, 0, 0]], 'rest_length': 5, "
            "'stiffness': 50}], 'signals': [{'name': 'x', 'type': 'measure', 'body': 'ball', "
            "'quantity': 'position', 'component': 'x'}], 'events': [{'name': 'middle', 'signal': "
            "'x', 'crosses': 0, 'actions': [{'type': 'activate', 'force': 'spring', 'active': "
            "false}]}]");
        kai_world* w = kai_scene_world(scene);
        kai_energy energy;
        rig_steps(w, 1000, 1e-3);
        const double half = 0.5 * KAI_PI / 5.0;
        const bool damped = strcmp(INTEGRATORS[i], "euler-implicit") == 0;
        check_near(rig_value(w, "x"), -5.0 * (1.0 - half), damped ? 0.1 : 0.01, INTEGRATORS[i]);
        assert_false(kai_load_is_active(w, kai_load_find(w, "spring")));
        check_ok(kai_world_energy(w, &energy));
        check_near(energy.elastic, 0.0, 0.0, "it stores nothing");
        check_near(energy.kinetic, 25.0, damped ? 1.0 : 0.1, "½ k x₀²");
        if (!damped) check_near(energy.drift, 0.0, 0.05, "what it had stored is booked");
        check_ok(kai_load_set_active(w, kai_load_find(w, "spring"), true));
        rig_steps(w, 100, 1e-3);
        kai_scene_close(scene);
    }
}

/// A joint lets go of a pendulum when it hangs straight: it flies on. Another takes hold of a cart.
static void joints(void** state)
{
    (void)state;
    for (size_t i = 0; i < KAI_COUNT(INTEGRATORS); i++) {
        if (strcmp(INTEGRATORS[i], "leapfrog") == 0) continue; // has no joints
        char text[4096];
        snprintf(
            text, sizeof text,
            "{'kairos': 1, 'step': 0.001, 'end': 1, 'gravity': [0, 0, -10], 'integrator': "
            "'%s', 'bodies': [{'name': 'ground', 'fixed': true}, {'name': 'bob', 'mass': 1, "
            "'inertia': [1e-6, 1e-6, 1e-6], 'position': [1, 0, 0]}, {'name': 'cart', 'mass': "
            "1, 'inertia': [1, 1, 1], 'velocity': [0, 3, 0]}], 'joints': [{'name': 'pin', "
            "'type': 'revolute', 'bodies': ['ground', 'bob'], 'at': [0, 0, 0], 'axis': [0, 1, "
            "0]}, {'name': 'rail', 'type': 'prismatic', 'bodies': ['ground', 'cart'], 'at': "
            "[0, 0, 0], 'axis': [0, 1, 0]}, {'name': 'lock', 'type': 'fixed', 'bodies': "
            "['ground', 'cart'], 'at': [0, 0, 0], 'active': false}], 'signals': [{'name': 'x', "
            "'type': 'measure', 'body': 'bob', 'quantity': 'position', 'component': 'x'}, "
            "{'name': 'vx', 'type': 'measure', 'body': 'bob', 'quantity': 'velocity', "
            "'component': 'x'}, {'name': 'y', 'type': 'measure', 'body': 'cart', 'quantity': "
            "'position', 'component': 'y'}], 'events': [{'name': 'low', 'signal': 'x', "
            "'crosses': 0, 'actions': [{'type': 'activate', 'joint': 'pin', 'active': false}]}"
            "]}",
            INTEGRATORS[i]);
        kai_scene* scene = good_scene(text);
        kai_world* w = kai_scene_world(scene);
        rig_steps(w, 1000, 1e-3);
        check_near(rig_value(w, "vx"), -sqrt(20.0), 0.06, INTEGRATORS[i]);
        assert_int_equal(happened(w, "low"), 1);
        check_near(rig_value(w, "y"), 3.0, 0.01, "the lock is off");
        kai_scene_close(scene);
    }
}

/// Set and change: a target of a controller, and the stiffness of a spring.
static void numbers(void** state)
{
    (void)state;
    kai_scene* scene = rig_scene(
        "rk4", RIG_CART
        "'forces': [{'name': 'spring', 'type': 'spring', 'bodies': ['ground', 'cart'], 'points': "
        "[[-5, 0, 0], [0, 0, 0]], 'stiffness': 10, 'damping': 40}], 'signals': [{'name': 'u', "
        "'type': 'value', 'value': 0}, {'name': 'clock', 'type': 'expression', 'value': 't'}, "
        "{'name': 'count', 'type': 'integrator', 'input': 'u'}, {'name': 'x', 'type': 'measure', "
        "'joint': 'slide', 'quantity': 'travel'}], 'events': [{'name': 'a', 'signal': 'clock', "
        "'crosses': 0.1, 'actions': [{'type': 'set', 'signal': 'u', 'value': 20}, {'type': 'set', "
        "'signal': 'count', 'value': 7}]}, {'name': 'b', 'signal': 'clock', 'crosses': 20, "
        "'actions': [{'type': 'change', 'force': 'spring', 'key': 'stiffness', 'value': 40}]}]");
    kai_world* w = kai_scene_world(scene);
    rig_steps(w, 200, 1e-3);
    check_near(rig_value(w, "count"), 7.0 + 20.0 * 0.1, 1e-9, "from 7 on, 20 a second");
    rig_steps(w, 1970, 1e-2);
    check_near(rig_value(w, "x"), 2.0, 0.02, "20 N against 10 N/m");
    rig_steps(w, 2000, 1e-2);
    check_near(rig_value(w, "x"), 0.5, 0.02, "20 N against 40 N/m");
    kai_scene_close(scene);
}

/// A floor that stops to collide lets a ball through.
static void contacts(void** state)
{
    (void)state;
    kai_scene* scene = good_scene(
        "{'kairos': 1, 'step': 0.001, 'end': 1, 'contact': 'nsc', 'bodies': [{'name': 'floor', "
        "'fixed': true, 'shapes': [{'type': 'box', 'size': [2, 2, 0.2]}]}, {'name': 'ball', "
        "'density': 100, 'position': [0, 0, 0.2], 'shapes': [{'type': 'sphere', 'radius': 0.1}]}], "
        "'signals': [{'name': 'clock', 'type': 'expression', 'value': 't'}, {'name': 'z', 'type': "
        "'measure', 'body': 'ball', 'quantity': 'position', 'component': 'z'}, {'name': 'f', "
        "'type': 'measure', 'body': 'ball', 'quantity': 'contact_force', 'component': 'z'}], "
        "'events': [{'name': 'open', 'signal': 'clock', 'crosses': 0.2, 'actions': [{'type': "
        "'contact', 'body': 'floor', 'active': false}]}, {'name': 'shut', 'signal': 'clock', "
        "'crosses': 0.6, 'actions': [{'type': 'contact', 'body': 'floor', 'active': true}]}]}");
    kai_world* w = kai_scene_world(scene);
    rig_steps(w, 200, 1e-3);
    check_near(rig_value(w, "z"), 0.2, 1e-3, "lies on the floor");
    check_near(rig_value(w, "f"), 100.0 * 4.0 / 3.0 * KAI_PI * 1e-3 * 9.81, 1e-3, "its weight");
    rig_steps(w, 400, 1e-3);
    check_near(rig_value(w, "z"), 0.2 - 0.5 * 9.81 * 0.16, 0.01, "½ g t²");
    check_near(rig_value(w, "f"), 0.0, 0.0, "nothing carries it");
    kai_scene_close(scene);
}

static void stops(void** state)
{
    (void)state;
    kai_scene* scene = rig_scene("rk4", "'signals': [" WAVE "], 'events': [{'name': 'end', "
                                        "'signal': 'y', 'crosses': 1, 'actions': [{'type': 'stop'}]"
                                        "}]");
    kai_world* w = kai_scene_world(scene);
    rig_steps(w, 249, 1e-3);
    assert_true(KAI_IS_NULL(kai_event_stopped(w)));
    while (KAI_IS_NULL(kai_event_stopped(w)) && kai_world_time(w) < 0.26) rig_steps(w, 1, 1e-3);
    assert_string_equal(kai_event_name(w, kai_event_stopped(w)), "end");
    rig_steps(w, 1, 1e-3); // a program may go on
    assert_true(KAI_IS_NULL(kai_event_stopped(w)));
    kai_scene_close(scene);
}

// What is refused --------------------------------------------------------------------------------

#define EVENT(x)                                                                                   \
    "{'kairos': 1, 'step': 0.001, 'end': 1, " TWO "'forces': [{'name': 'spring', 'type': "         \
    "'spring', 'bodies': ['a', 'b'], 'points': [[0, 0, 0], [1, 0, 0]]}], 'signals': [{'name': "    \
    "'y', 'type': 'value', 'value': 1}, {'name': 'z', 'type': 'gain', 'input': 'y'}], 'events': [" \
    "{'signal': 'y', 'crosses': 1, 'actions': [{" x "}]}]}"

static void check_refused(const char* action, const char* message)
{
    kai_scene* scene = NULL;
    open_scene(action, NULL, &scene);
    assert_non_null(scene);
    char* text = problems_text(scene);
    kai_scene_close(scene);
    const bool there = strstr(text, message) != NULL;
    if (!there) print_error("%s\n  says      %s\n  expected  %s\n", action, text, message);
    free(text);
    assert_true(there);
}

static void refused(void** state)
{
    (void)state;
    check_refused(EVENT("'type': 'activate', 'force': 'sprig'"),
                  "there is no load \"sprig\"; did you mean \"spring\"?");
    check_refused(EVENT("'type': 'activate'"),
                  "activate must name exactly one of joint, motor, force and coupling");
    check_refused(EVENT("'type': 'set', 'signal': 'z', 'value': 1"),
                  "signal 'z' is a gain, which follows from others and cannot be set");
    check_refused(EVENT("'type': 'change', 'force': 'spring', 'key': 'stifness', 'value': 1"),
                  "a spring has no key 'stifness'; did you mean 'stiffness'?");
    check_refused(EVENT("'type': 'change', 'force': 'spring', 'key': 'rest_length', 'value': -1"),
                  "rest_length is -1 m; must be");
    check_refused(EVENT("'type': 'change', 'force': 'spring', 'key': 'points', 'value': 1"),
                  "only a number can be changed");
    check_refused(EVENT("'type': 'save', 'file': '../x.h5'"), "must be a plain file name");
    check_refused(EVENT("'type': 'save', 'file': 'checkpoint.h5'"), "that is a file of every run");
    check_refused(EVENT("'type': 'contact', 'body': 'bb'"), "there is no body \"bb\"");
    check_refused(EVENT("'type': 'halt'"), "type is \"halt\"; must be one of: stop, save");
}

/// The def of an event is the world's own copy; an event that is removed happens no more.
static void programs(void** state)
{
    (void)state;
    kai_scene* scene = rig_scene("rk4", "'signals': [" WAVE "]");
    kai_world* w = kai_scene_world(scene);
    kai_event_action action;
    kai_kind_defaults(kai_kind_param(&kai_event_kind, "actions")->item, &action);
    action.type = KAI_EVENT_MESSAGE;
    snprintf(action.text.text, sizeof action.text.text, "up");
    kai_event_def def = kai_event_def_default();
    snprintf(def.signal.text, sizeof def.signal.text, "y");
    def.crosses = 1.5;
    def.actions = (kai_list){&action, 1};
    kai_event first = {0}, second = {0};
    check_ok(kai_event_create(w, &def, "first", &first));
    def.crosses = 0.5;
    check_ok(kai_event_create(w, &def, "second", &second));
    action.text.text[0] = '\0';
    const kai_event_def* kept = kai_event_get(w, first);
    assert_non_null(kept);
    check_near(kept->crosses, 1.5, 0.0, "its own");
    assert_string_equal(kept->signal.text, "y");
    assert_int_equal(kept->actions.count, 1);
    assert_string_equal(((const kai_event_action*)kept->actions.items)->text.text, "up");
    rig_steps(w, 500, 1e-3); // half a wave: each has happened once
    assert_int_equal(kai_event_happened(w, first), 1);
    assert_int_equal(kai_event_happened(w, second), 1);
    check_ok(kai_event_destroy(w, first));
    assert_int_equal(kai_event_count(w), 1);
    assert_null(kai_event_get(w, first));
    assert_int_equal(kai_event_happened(w, first), 0);
    assert_true(KAI_IS_NULL(kai_event_find(w, "first")));
    check_error(kai_event_destroy(w, first), KAI_ERROR_ID);
    rig_steps(w, 500, 1e-3);
    assert_int_equal(kai_event_happened(w, second), 2);
    check_error(kai_event_create(w, &def, "first", &first), KAI_ERROR_ARGUMENT); // says nothing
    snprintf(action.text.text, sizeof action.text.text, "again");
    check_ok(kai_event_create(w, &def, "first", &first)); // the name is free again
    kai_scene_close(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(times),   cmocka_unit_test(springs),  cmocka_unit_test(joints),
        cmocka_unit_test(numbers), cmocka_unit_test(contacts), cmocka_unit_test(stops),
        cmocka_unit_test(refused), cmocka_unit_test(programs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
