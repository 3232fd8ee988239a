// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Hooks: many look at one world, in their order, and may go while they are called. Signals in a saved
// world, and kinds of a program's own.
#include "control_rig.h"

#include <unistd.h>

typedef struct watcher {
    int before, after, wait;
    double time;
    kai_world* leaves; // it removes itself after its first step
    const kai_hooks* own;
    char* order;
    char name;
} watcher;

static bool before(void* context, kai_world* world, double h)
{
    watcher* w = context;
    (void)world;
    assert_true(h == 1e-3);
    if (w->wait > 0) return w->wait-- == 0;
    w->before++;
    return true;
}

static void after(void* context, kai_world* world, double h)
{
    watcher* w = context;
    assert_true(h == 1e-3);
    w->after++;
    w->time = kai_world_time(world);
    if (w->order) strncat(w->order, &w->name, 1);
    if (w->leaves) check_ok(kai_hook_remove(w->leaves, w->own));
}

static void many(void** state)
{
    (void)state;
    char order[64] = "";
    kai_scene* scene = rig_scene("euler", "'bodies': [{'fixed': true}]");
    kai_world* world = kai_scene_world(scene);
    watcher w[3] = {{.order = order, .name = 'a'},
                    {.order = order, .name = 'b', .wait = 5},
                    {.order = order, .name = 'c'}};
    kai_hooks hooks[3];
    for (int i = 0; i < 3; i++) {
        hooks[i] = (kai_hooks){.context = &w[i], .before_step = before, .after_step = after};
        check_ok(kai_hook_add(world, &hooks[i]));
    }
    check_error(kai_hook_add(world, &hooks[1]), KAI_ERROR_ARGUMENT);
    w[0].leaves = world;
    w[0].own = &hooks[0];
    rig_steps(world, 3, 1e-3);
    assert_string_equal(order, "abcbcbc");
    assert_int_equal(w[0].after, 1);
    assert_int_equal(w[1].before, 3);
    check_near(w[2].time, 3e-3, 1e-15, "three steps");
    check_ok(kai_hook_remove(world, &hooks[0])); // is not there
    // Who waits is asked until somebody wants a stop.
    volatile int stop = 1;
    w[1].wait = 1 << 30;
    check_ok(kai_world_set_stop(world, &stop));
    check_error(kai_world_step(world, 1e-3), KAI_ERROR_STOPPED);
    check_error(kai_world_step(world, -1.0), KAI_ERROR_ARGUMENT); // nobody is asked
    kai_scene_close(scene);
}

// Worlds that are saved --------------------------------------------------------------------------

#define EVERYTHING                                                                                  \
    RIG_CART                                                                                        \
    "'signals': [{'name': 'x', 'type': 'measure', 'joint': 'slide', 'quantity': 'travel'},"         \
    "{'name': 'f', 'type': 'measure', 'motor': 'push', 'quantity': 'effort'},"                      \
    "{'name': 'goal', 'type': 'value', 'value': {'sine': {'frequency': 3}}},"                       \
    "{'name': 'soft', 'type': 'rate-limiter', 'input': 'goal', 'rise': 4, 'fall': 5},"              \
    "{'name': 'late', 'type': 'delay', 'input': 'x', 'time': 0.0203},"                              \
    "{'name': 'held', 'type': 'sample', 'input': 'late', 'every': 0.007},"                          \
    "{'name': 'e', 'type': 'expression', 'value': 'soft - held - 1e-3*f'},"                         \
    "{'name': 'm', 'type': 'state-machine', 'states': [{'name': 'a', 'value': {'ramp': {}}}, "      \
    "{'name': 'b', 'value': 3}], 'transitions': [{'from': 'a', 'to': 'b', 'when': 'x > 0.01'}, "    \
    "{'from': 'b', 'to': 'a', 'after': 0.02}]},"                                                    \
    "{'name': 'c', 'type': 'pid', 'input': 'e', 'p': 90, 'i': 20, 'd': 4, 'low': -30, 'high': 30}," \
    "{'name': 'u', 'type': 'sum', 'inputs': ['c', 'm', 'w']},"                                      \
    "{'name': 'w', 'type': 'ode', 'rate': 'x - w'}],"                                               \
    "'events': [{'name': 'a', 'signal': 'x', 'crosses': 0.02}]"

/// Half of a run, saved and loaded: the other half has the same bits, by every integrator.
static void saved(void** state)
{
    (void)state;
    static const char* const integrators[] = {"euler", "rk4", "trapezoidal", "hht"};
    char path[] = "/tmp/kairos-signals-XXXXXX";
    const int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    for (size_t i = 0; i < KAI_COUNT(integrators); i++) {
        kai_scene* scene = rig_scene(integrators[i], EVERYTHING);
        kai_world *world = kai_scene_world(scene), *copy = NULL;
        rig_steps(world, 120, 1e-3);
        check_ok(kai_world_save(world, path));
        const kai_world_def def = kai_world_def_default();
        kai_error err;
        if (kai_world_load(&def, path, &copy, &err) != KAI_OK) fail_msg("%s", err.message);
        assert_true(kai_world_hash(world) == kai_world_hash(copy));
        for (int k = 0; k < 200; k++) {
            rig_steps(world, 1, 1e-3);
            rig_steps(copy, 1, 1e-3);
            assert_true(kai_world_hash(world) == kai_world_hash(copy));
        }
        check_near(rig_value(copy, "u"), rig_value(world, "u"), 0.0, "the same bits");
        assert_true(kai_event_happened(copy, kai_event_find(copy, "a")) > 0);
        kai_world_destroy(copy);
        kai_scene_close(scene);
    }
    unlink(path);
}

/// A step that fails leaves signals as they were: it can be taken again.
static void undone(void** state)
{
    (void)state;
    kai_scene* scene = rig_scene(
        "rk4", RIG_CART "'signals': [{'name': 'k', 'type': 'value', 'value': 1}, {'name': 'z', "
                        "'type': 'ode', 'rate': '1', 'initial': 0}, {'name': 'u', 'type': "
                        "'expression', 'value': '1/k'}]");
    kai_world* world = kai_scene_world(scene);
    rig_steps(world, 10, 1e-3);
    const uint64_t hash = kai_world_hash(world);
    check_ok(kai_signal_set(world, kai_signal_find(world, "k"), 0.0));
    check_error(kai_world_step(world, 1e-3), KAI_ERROR_DIVERGED);
    assert_non_null(strstr(kai_world_error(world)->message,
                           "signal 'u' is inf (its formula, at character 2) at t = 0.01 s"));
    assert_true(hash != kai_world_hash(world)); // k is 0
    check_ok(kai_signal_set(world, kai_signal_find(world, "k"), 2.0));
    rig_steps(world, 1, 1e-3);
    check_near(rig_value(world, "z"), 0.011, 1e-15, "11 steps");
    kai_scene_close(scene);
}

// Kinds of a program's own -----------------------------------------------------------------------

typedef struct twice {
    kai_string input;
} twice;

static kai_jet twice_value(const kai_signal_moment* m, const void* instance)
{
    (void)instance;
    assert_int_equal(m->input_count, 1);
    return (kai_jet){2.0 * m->inputs[0].y, 2.0 * m->inputs[0].dy, 2.0 * m->inputs[0].ddy};
}

static const kai_param TWICE_PARAMS[] = {
    KAI_PARAM(SIGNAL, twice, input, .required = true, .doc = "What is doubled.")};
static const kai_signal_kind TWICE = {
    .kind = KAI_KIND("twice", twice, TWICE_PARAMS, KAI_SIZES(kai_signal_kind), .doc = "Doubles."),
    .value = twice_value};

static void own_kinds(void** state)
{
    (void)state;
    kai_world_def def = kai_world_def_default();
    kai_world* world = NULL;
    kai_signal a, b;
    check_ok(kai_world_create(&def, &world, NULL));
    const twice params = {{"one"}};
    const kai_block_value_params one = {kai_value_constant(21.0)};
    check_error(kai_signal_create(world, &TWICE, &params, "two", &a), KAI_ERROR_ARGUMENT);
    check_ok(kai_signal_register(world, &TWICE));
    check_ok(kai_signal_create(world, &TWICE, &params, "two", &a)); // before what it reads
    check_error(kai_signal_check(world), KAI_ERROR_NAME);
    check_error(kai_world_step(world, 0.1), KAI_ERROR_NAME);
    check_ok(kai_signal_create(world, &kai_block_value, &one, "one", &b));
    check_near(rig_value(world, "two"), 42.0, 0.0, "2 · 21");
    check_error(kai_signal_set(world, a, 1.0), KAI_ERROR_UNSUPPORTED);
    check_error(kai_signal_set(world, b, (double)NAN), KAI_ERROR_ARGUMENT);
    check_ok(kai_signal_set(world, b, 4.0));
    check_near(rig_value(world, "two"), 8.0, 0.0, "2 · 4");
    assert_int_equal(kai_signal_count(world), 2);
    check_ok(kai_signal_destroy(world, a));
    assert_string_equal(kai_signal_name(world, kai_signal_at(world, 0)), "one");
    check_error(kai_signal_destroy(world, a), KAI_ERROR_ID);
    kai_world_destroy(world);
}

/// Kinds that a world is made with are there when it is read from a file.
static void kinds_in_files(void** state)
{
    (void)state;
    static const kai_signal_kind* const kinds[] = {&TWICE, NULL};
    kai_world_def def = kai_world_def_default();
    kai_world *world = NULL, *copy = NULL;
    kai_signal signal;
    char path[] = "/tmp/kairos-signals-XXXXXX";
    const int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    def.kinds.signals = kinds;
    check_ok(kai_world_create(&def, &world, NULL));
    const twice params = {{"one"}};
    const kai_block_value_params one = {kai_value_constant(21.0)};
    check_ok(kai_signal_create(world, &TWICE, &params, "two", &signal));
    check_ok(kai_signal_create(world, &kai_block_value, &one, "one", &signal));
    check_ok(kai_world_save(world, path));
    check_ok(kai_world_load(&def, path, &copy, NULL));
    check_near(rig_value(copy, "two"), 42.0, 0.0, "2 · 21");
    kai_world_destroy(copy);
    kai_world_destroy(world);
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(many), cmocka_unit_test(saved),
                                       cmocka_unit_test(undone), cmocka_unit_test(own_kinds),
                                       cmocka_unit_test(kinds_in_files)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
