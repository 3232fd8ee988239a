// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Signals against closed forms: each kind by itself, loops of control around a mass, the order of
// every integrator, and what is refused.
#include "control_rig.h"

static const char* const INTEGRATORS[] = {"euler",       "leapfrog", "rk4", "euler-implicit",
                                          "trapezoidal", "newmark",  "hht"};
static const int ORDERS[] = {1, 2, 4, 1, 2, 1, 2}; // newmark: with its γ of 0.6

// Blocks by themselves ---------------------------------------------------------------------------

/// A step of 1 into filters: 1 - exp(-t/T); 1 - exp(-ζwt) (cos wd t + ζ/√(1-ζ²) sin wd t).
static void filters(void** state)
{
    (void)state;
    kai_scene* scene = rig_scene(
        "rk4", "'signals': [{'name': 'one', 'type': 'value', 'value': 1},"
               "{'name': 'a', 'type': 'filter', 'input': 'one', 'time': 0.2, 'initial': 0},"
               "{'name': 'b', 'type': 'filter', 'input': 'one', 'time': 0.2, 'order': 2, "
               "'damping': 0.5, 'initial': 0},"
               "{'name': 'c', 'type': 'filter', 'input': 'one', 'time': 0.2}]");
    kai_world* w = kai_scene_world(scene);
    rig_steps(w, 100, 0.005);
    const double t = 0.5, wn = 5.0, z = 0.5, wd = wn * sqrt(1.0 - z * z);
    check_near(rig_value(w, "a"), 1.0 - exp(-t / 0.2), 1e-8, "1 - exp(-t/T), rk4");
    check_near(rig_value(w, "b"),
               1.0 - exp(-z * wn * t) * (cos(wd * t) + z / sqrt(1.0 - z * z) * sin(wd * t)), 1e-8,
               "step response of order 2");
    check_near(rig_value(w, "c"), 1.0, 1e-15, "starts at its input");
    kai_scene_close(scene);
}

/// ∫ sin = 1 - cos; within limits; set back by another signal.
static void integrators(void** state)
{
    (void)state;
    kai_scene* scene = rig_scene(
        "rk4", "'signals': [{'name': 's', 'type': 'value', 'value': {'sine': {'amplitude': 2, "
               "'frequency': 0.5}}},"
               "{'name': 'i', 'type': 'integrator', 'input': 's', 'gain': 3},"
               "{'name': 'j', 'type': 'integrator', 'input': 's', 'gain': 3, 'high': 1},"
               "{'name': 'one', 'type': 'value', 'value': 1},"
               "{'name': 'k', 'type': 'integrator', 'input': 'one', 'reset': 'late'},"
               "{'name': 'late', 'type': 'expression', 'value': 't > 0.2995'}]");
    kai_world* w = kai_scene_world(scene);
    rig_steps(w, 50, 0.01);
    const double t = 0.5, p = KAI_PI;
    check_near(rig_value(w, "i"), 6.0 / p * (1.0 - cos(p * t)), 1e-9, "6/π (1 - cos πt)");
    check_near(rig_value(w, "j"), 1.0, 0.0, "its limit");
    check_near(rig_value(w, "k"), 0.2, 1e-12, "0 again at t = 0.3");
    rig_steps(w, 70, 0.01); // the sine is negative from t = 1 on
    check_near(rig_value(w, "j"), 1.0 + 6.0 / p * (cos(p) - cos(1.2 * p)), 1e-3,
               "leaves its limit at once");
    kai_scene_close(scene);
}

/// What has no memory.
static void algebra(void** state)
{
    (void)state;
    kai_scene* scene = rig_scene(
        "euler",
        "'signals': [{'name': 'late', 'type': 'gain', 'input': 'sum', 'gain': 2, 'offset': 1},"
        "{'name': 'sum', 'type': 'sum', 'inputs': ['a', {'signal': 'b', 'gain': -3}]},"
        "{'name': 'product', 'type': 'product', 'inputs': ['a', 'b']},"
        "{'name': 'a', 'type': 'value', 'value': 5}, {'name': 'b', 'type': 'value', 'value': 2},"
        "{'name': 'lim', 'type': 'limiter', 'input': 'a', 'high': 4.5},"
        "{'name': 'tab', 'type': 'table', 'input': 'b', 'points': [[0, 1], [4, 9], [5, 0]]},"
        "{'name': 'f', 'type': 'expression', 'value': 'a^2 - sqrt(2*b) + 10*t'},"
        "{'name': 'slow', 'type': 'rate-limiter', 'input': 'step', 'rise': 2, 'fall': 4},"
        "{'name': 'step', 'type': 'value', 'value': {'step': {'from': 0, 'to': 1, 'at': 0.1, "
        "'duration': 0}}}]");
    kai_world* w = kai_scene_world(scene);
    rig_steps(w, 30, 0.01);
    check_near(rig_value(w, "sum"), -1.0, 0.0, "5 - 3·2");
    check_near(rig_value(w, "late"), -1.0, 0.0, "2·(-1) + 1");
    check_near(rig_value(w, "product"), 10.0, 0.0, "5·2");
    check_near(rig_value(w, "lim"), 4.5, 0.0, "its limit");
    check_near(rig_value(w, "tab"), 5.0, 1e-15, "half of the way from 1 to 9");
    check_near(rig_value(w, "f"), 25.0 - 2.0 + 3.0, 1e-12, "a² - √(2b) + 10t");
    check_near(rig_value(w, "slow"), 0.4, 0.021, "2/s since 0.1 s, found at a step");
    kai_scene_close(scene);
}

/// A delayed ramp, and samples of it every 0.25 s.
static void memory(void** state)
{
    (void)state;
    kai_scene* scene = rig_scene(
        "rk4", "'signals': [{'name': 'ramp', 'type': 'value', 'value': {'ramp': {'slope': 2}}},"
               "{'name': 'late', 'type': 'delay', 'input': 'ramp', 'time': 0.105},"
               "{'name': 'short', 'type': 'delay', 'input': 'ramp', 'time': 0.002},"
               "{'name': 'held', 'type': 'sample', 'input': 'ramp', 'every': 0.25}]");
    kai_world* w = kai_scene_world(scene);
    rig_steps(w, 10, 0.01);
    check_near(rig_value(w, "late"), 0.0, 0.0, "its first value");
    for (int i = 11; i <= 60; i++) {
        rig_steps(w, 1, 0.01);
        const double t = 0.01 * i;
        check_near(rig_value(w, "late"), 2.0 * fmax(t - 0.105, 0.0), 1e-12, "2 (t - 0.105)");
        check_near(rig_value(w, "short"), 2.0 * (t - 0.002), 1e-12, "extrapolated");
        check_near(rig_value(w, "held"), 0.5 * floor(t / 0.25 + 1e-9), 1e-12, "2 · 0.25 n");
    }
    kai_scene_close(scene);
}

/// States of a machine: times in states, values as functions of the time in them.
static void machines(void** state)
{
    (void)state;
    kai_scene* scene = rig_scene(
        "euler",
        "'signals': [{'name': 'clock', 'type': 'value', 'value': {'ramp': {'slope': 1}}},"
        "{'name': 'm', 'type': 'state-machine', 'states': [{'name': 'wait', 'value': -1}, "
        "{'name': 'rise', 'value': {'ramp': {'slope': 10}}}, {'name': 'done', 'value': 7}], "
        "'transitions': [{'from': 'wait', 'to': 'rise', 'when': 'clock >= 0.2 - 1e-9'}, "
        "{'from': 'rise', 'to': 'done', 'after': 0.3}]},"
        "{'name': 's', 'type': 'select', 'machine': 'm', 'values': [3, {'polynomial': [1, 2]}]}]");
    kai_world* w = kai_scene_world(scene);
    rig_steps(w, 19, 0.01);
    check_near(rig_value(w, "m"), -1.0, 0.0, "waits");
    check_near(rig_value(w, "s"), 3.0, 0.0, "waits");
    rig_steps(w, 11, 0.01); // t = 0.3
    check_near(rig_value(w, "m"), 1.0, 1e-12, "10 (0.3 - 0.2)");
    check_near(rig_value(w, "s"), 1.2, 1e-12, "1 + 2 (0.3 - 0.2)");
    rig_steps(w, 20, 0.01);
    check_near(rig_value(w, "m"), 7.0, 0.0, "done at t = 0.5");
    kai_scene_close(scene);
}

/// y'' = -y as two signals that read each other: cos t.
static void equations(void** state)
{
    (void)state;
    kai_scene* scene =
        rig_scene("rk4", "'signals': [{'name': 'x', 'type': 'ode', 'rate': 'v', "
                         "'initial': 1}, {'name': 'v', 'type': 'ode', 'rate': '-x'}]");
    kai_world* w = kai_scene_world(scene);
    rig_steps(w, 100, 0.01);
    check_near(rig_value(w, "x"), cos(1.0), 1e-9, "cos t, rk4");
    check_near(rig_value(w, "v"), -sin(1.0), 1e-9, "-sin t, rk4");
    kai_scene_close(scene);
}

// Control of a mass ------------------------------------------------------------------------------

/// P and D of a mass m: with the derivative from its velocity, x is that of m x'' + d x' + p x = p.
static void second_order(void** state)
{
    (void)state;
    for (int joint = 0; joint < 2; joint++) {
        kai_scene* scene = rig_scene(
            "rk4", joint ? RIG_CART
                       "'signals': [{'name': 'x', 'type': 'measure', 'joint': 'slide', "
                       "'quantity': 'travel'}, {'name': 'v', 'type': 'measure', 'joint': "
                       "'slide', 'quantity': 'travel_rate'}, {'name': 'u', 'type': "
                       "'expression', 'value': '50*(1 - x) - 4*v'}]"
                         : RIG_FREE
                       "'signals': [{'name': 'x', 'type': 'measure', 'body': 'cart', 'quantity': "
                       "'position', 'component': 'x'}, {'name': 'v', 'type': 'measure', 'body': "
                       "'cart', 'quantity': 'velocity', 'component': 'x'}, {'name': 'u', 'type': "
                       "'expression', 'value': '50*(1 - x) - 4*v'}]");
        kai_world* w = kai_scene_world(scene);
        rig_steps(w, 200, 0.005);
        const double t = 1.0, wn = 5.0, z = 0.2, wd = wn * sqrt(1.0 - z * z);
        check_near(rig_value(w, "x"),
                   1.0 - exp(-z * wn * t) * (cos(wd * t) + z / sqrt(1.0 - z * z) * sin(wd * t)),
                   1e-7, "m x'' + d x' + p x = p, rk4");
        kai_scene_close(scene);
    }
}

/// I takes away what a constant load leaves; it does not wind up while the force is at its limit.
static void wind_up(void** state)
{
    (void)state;
    kai_scene* scene = rig_scene(
        "rk4", RIG_CART
        "'forces': [{'name': 'load', 'type': 'force', 'body': 'cart', 'value': [-6, 0, 0]}],"
        "'signals': [{'name': 'x', 'type': 'measure', 'joint': 'slide', 'quantity': 'travel'},"
        "{'name': 'e', 'type': 'expression', 'value': '3 - x'},"
        "{'name': 'u', 'type': 'pid', 'input': 'e', 'p': 40, 'i': 30, 'd': 18, 'filter': 0.005, "
        "'low': -20, 'high': 20}]");
    kai_world* w = kai_scene_world(scene);
    double most = 0.0;
    for (int i = 0; i < 10000; i++) {
        rig_steps(w, 1, 1e-3);
        most = fmax(most, rig_value(w, "x"));
        assert_true(fabs(rig_value(w, "u")) <= 20.0);
    }
    check_near(rig_value(w, "x"), 3.0, 1e-4, "no error is left");
    check_near(rig_value(w, "u"), 6.0, 1e-3, "carries the load");
    assert_true(most < 3.5); // winding up for the first second would carry it far beyond
    kai_scene_close(scene);
}

/// A loop with a filter and a PID in it, by every integrator with h and h/2: errors fall with its
/// order.
static double loop_at(const char* integrator, int steps)
{
    kai_scene* scene = rig_scene(
        integrator, RIG_FREE
        "'signals': [{'name': 'x', 'type': 'measure', 'body': 'cart', 'quantity': 'position', "
        "'component': 'x'}, {'name': 'v', 'type': 'measure', 'body': 'cart', 'quantity': "
        "'velocity', 'component': 'x'}, {'name': 'e', 'type': 'expression', 'value': "
        "'sin(2*t) - x - 0.2*v'}, {'name': 'c', 'type': 'pid', 'input': 'e', 'p': 20, 'i': 6, 'd': "
        "3, 'filter': 0.1}, {'name': 'u', 'type': 'filter', 'input': 'c', 'time': 0.05}]");
    kai_world* w = kai_scene_world(scene);
    rig_steps(w, steps, 1.0 / steps);
    const double x = rig_value(w, "x");
    kai_scene_close(scene);
    return x;
}

static void orders(void** state)
{
    (void)state;
    const double exact = loop_at("rk4", 4096);
    for (size_t i = 0; i < KAI_COUNT(INTEGRATORS); i++) {
        const int n = ORDERS[i] == 4 ? 24 : 256;
        const double coarse = fabs(loop_at(INTEGRATORS[i], n) - exact),
                     fine = fabs(loop_at(INTEGRATORS[i], 2 * n) - exact);
        const double order = log2(coarse / fine);
        if (!(order > ORDERS[i] - 0.15) || !(coarse < 0.02))
            fail_msg("%s: error %.3g, then %.3g: order %.2f, not %d", INTEGRATORS[i], coarse, fine,
                     order, ORDERS[i]);
    }
}

// Prescribed motion ------------------------------------------------------------------------------

/// A filter of order 2 knows its derivatives: a joint may follow it, by any integrator with joints.
static void prescribed(void** state)
{
    (void)state;
    for (size_t i = 0; i < KAI_COUNT(INTEGRATORS); i++) {
        if (strcmp(INTEGRATORS[i], "leapfrog") == 0) continue; // has no joints
        kai_scene* scene = rig_scene(
            INTEGRATORS[i],
            "'bodies': [{'name': 'ground', 'fixed': true}, {'name': 'arm', 'mass': 1, 'inertia': "
            "[1, 1, 1]}], 'joints': [{'name': 'pin', 'type': 'revolute', 'bodies': ['ground', "
            "'arm'], 'at': [0, 0, 0], 'axis': [0, 0, 1]}], 'motors': [{'name': 'drive', 'type': "
            "'rotation-angle', 'joint': 'pin', 'value': {'signal': 'y'}}], 'signals': [{'name': "
            "'one', 'type': 'value', 'value': 1}, {'name': 'y', 'type': 'filter', 'input': 'one', "
            "'time': 0.1, 'order': 2, 'damping': 1, 'initial': 0}, {'name': 'angle', 'type': "
            "'measure', 'joint': 'pin', 'quantity': 'angle'}]");
        kai_world* w = kai_scene_world(scene);
        rig_steps(w, 200, 0.001);
        const double s = 0.2 / 0.1;
        check_near(rig_value(w, "angle"), 1.0 - (1.0 + s) * exp(-s),
                   strcmp(INTEGRATORS[i], "rk4") == 0 ? 1e-9 : 3e-3, INTEGRATORS[i]);
        kai_scene_close(scene);
    }
    char text[2048];
    snprintf(text, sizeof text, "{" HEAD ", " RIG_CART "%s}",
             "'signals': [{'name': 'x', 'type': 'measure', 'joint': 'slide', 'quantity': 'travel'},"
             "{'name': 'u', 'type': 'gain', 'input': 'x'}]");
    char* type = strstr(text, "linear-force");
    memmove(type + strlen("linear-position"), type + strlen("linear-force"),
            strlen(type + strlen("linear-force")) + 1);
    memcpy(type, "linear-position", strlen("linear-position"));
    kai_scene* scene = good_scene(text);
    check_error(kai_world_step(kai_scene_world(scene), 0.001), KAI_ERROR_ARGUMENT);
    assert_string_equal(kai_world_error(kai_scene_world(scene))->message,
                        "kai_world_step: joint 'push': its value prescribes motion and needs two "
                        "derivatives in time, which its signal does not know; let it go through a "
                        "filter of order 2");
    kai_scene_close(scene);
}

// What is held, what is counted ------------------------------------------------------------------

/// A measured force is that of the last step; an angle goes on beyond half a turn.
static void measures(void** state)
{
    (void)state;
    kai_scene* scene = rig_scene(
        "rk4",
        "'bodies': [{'name': 'ground', 'fixed': true}, {'name': 'wheel', 'mass': 2, 'inertia': [1, "
        "1, 1], 'angular_velocity': [0, 0, 10]}], 'joints': [{'name': 'pin', 'type': 'revolute', "
        "'bodies': ['ground', 'wheel'], 'at': [0, 0, 0], 'axis': [0, 0, 1]}], 'forces': [{'name': "
        "'pull', 'type': 'force', 'body': 'wheel', 'value': [{'ramp': {'slope': 3}}, 0, 0]}], "
        "'signals': [{'name': 'angle', 'type': 'measure', 'joint': 'pin', 'quantity': 'angle'},"
        "{'name': 'f', 'type': 'measure', 'joint': 'pin', 'quantity': 'force', 'component': 'x'},"
        "{'name': 'held', 'type': 'expression', 'value': 'abs(f)'}]");
    kai_world* w = kai_scene_world(scene);
    for (int i = 1; i <= 200; i++) {
        rig_steps(w, 1, 0.01);
        check_near(rig_value(w, "angle"), 0.1 * i, 1e-5, "10 t, over three turns, rk4");
        check_near(rig_value(w, "held"), 0.03 * i, 1e-6, "3 t at the end of the step");
    }
    kai_scene_close(scene);
}

// What is refused --------------------------------------------------------------------------------

#define SIGNALS(x) SCENE("'signals': [" x "]")

static void refused(void** state)
{
    (void)state;
    check_problems(SIGNALS("{'name': 'a', 'type': 'gain', 'input': 'b'}, {'name': 'b', 'type': "
                           "'gain', 'input': 'c'}, {'name': 'c', 'type': 'expression', 'value': "
                           "'a + 1'}"),
                   NULL,
                   "scene.json:1:51: /signals: signal 'a' reads signal 'b' reads signal 'c' reads "
                   "signal 'a': a loop in which none knows its value before the others; put a "
                   "filter, delay, integrator or sample into it");
    check_problems(SIGNALS("{'name': 'a', 'type': 'gain', 'input': 'angel'}, {'name': 'angle', "
                           "'type': 'value', 'value': 1}"),
                   NULL,
                   "scene.json:1:91: /signals/0/input: there is no signal \"angel\"; did you mean "
                   "\"angle\"?");
    check_problems(SIGNALS("{'name': 'a', 'type': 'pid', 'input': 'a', 'd': 1, 'filter': 0}"), NULL,
                   "scene.json:1:52: /signals/0: filter is 0 s; must be > 0 where d is not 0");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(filters),      cmocka_unit_test(integrators), cmocka_unit_test(algebra),
        cmocka_unit_test(memory),       cmocka_unit_test(machines),    cmocka_unit_test(equations),
        cmocka_unit_test(second_order), cmocka_unit_test(wind_up),     cmocka_unit_test(orders),
        cmocka_unit_test(prescribed),   cmocka_unit_test(measures),    cmocka_unit_test(refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
