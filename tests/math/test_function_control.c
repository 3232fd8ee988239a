// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "helper.h"

#include <kairos/world.h>
#include <math.h>
#include <unistd.h>

static kai_function make(kai_world* world, double rate)
{
    kai_function_control_params p;
    kai_function f = {0};
    kai_kind_defaults(&kai_function_control.kind, &p);
    p.initial = 1.0;
    p.low = -2.0;
    p.high = 4.0;
    p.rate = rate;
    check_ok(kai_function_create(world, &kai_function_control, &p, &f));
    return f;
}

static void check_at(const kai_world* world, kai_function f, double x, double y, double dy)
{
    kai_jet jet;
    check_ok(kai_function_at(world, f, x, &jet));
    check_near(jet.y, y, 1e-14, "a ramp to the goal");
    check_near(jet.dy, dy, 0.0, "its slope");
    check_near(jet.ddy, 0.0, 0.0, "straight");
}

static kai_world* make_world(void)
{
    const kai_world_def def = kai_world_def_default();
    kai_world* world;
    check_ok(kai_world_create(&def, &world, NULL));
    return world;
}

static void test_ramps(void** state)
{
    kai_world* world = make_world();
    const kai_function slow = make(world, 0.5), quick = make(world, 0.0);
    check_at(world, slow, 0.0, 1.0, 0.0);
    check_at(world, slow, 1e9, 1.0, 0.0);
    check_ok(kai_function_steer(world, slow, 2.0));
    check_ok(kai_function_steer(world, quick, -1.5));
    check_at(world, slow, 0.0, 1.0, 0.0);
    check_at(world, slow, 1.0, 1.5, 0.5);
    check_at(world, slow, 3.0, 2.0, 0.0);
    check_at(world, quick, 0.0, -1.5, 0.0);
    // A goal out of range is at its edge; turned on its way, it starts where it is.
    check_ok(kai_world_step_until(world, 1.0, 0.5));
    check_ok(kai_function_steer(world, slow, -99.0));
    check_at(world, slow, 1.0, 1.5, 0.0);
    check_at(world, slow, 2.0, 1.0, -0.5);
    check_at(world, slow, 20.0, -2.0, 0.0);
    kai_world_destroy(world);
}

static void test_refusals(void** state)
{
    kai_world* world = make_world();
    const kai_function f = make(world, 1.0);
    kai_function sine;
    const kai_function_sine_params p = {1, 1, 0, 0};
    check_ok(kai_function_create(world, &kai_function_sine, &p, &sine));
    check_error(kai_function_steer(world, sine, 0.0), KAI_ERROR_ARGUMENT);
    check_error(kai_function_steer(world, f, (double)NAN), KAI_ERROR_ARGUMENT);
    check_error(kai_function_steer(world, (kai_function){0}, 0.0), KAI_ERROR_ID);
    kai_function_control_params bad;
    kai_function none;
    kai_kind_defaults(&kai_function_control.kind, &bad);
    bad.initial = 3.0;
    check_error(kai_function_create(world, &kai_function_control, &bad, &none), KAI_ERROR_ARGUMENT);
    kai_world_destroy(world);
}

// Saved in the middle of its way, it goes on from there.
static void test_saved(void** state)
{
    char path[64];
    snprintf(path, sizeof path, "control-test-%d.h5", (int)getpid());
    kai_world *world = make_world(), *again;
    const kai_function f = make(world, 0.5);
    check_ok(kai_function_steer(world, f, 4.0));
    check_ok(kai_world_step_until(world, 1.0, 0.5));
    check_ok(kai_world_save(world, path));
    const kai_world_def def = kai_world_def_default();
    check_ok(kai_world_load(&def, path, &again, NULL));
    kai_function same = f;
    same.world = kai_body_at(again, 0).world;
    for (uint16_t tag = 0; same.world == 0 && tag < 4096; tag++) {
        kai_jet jet;
        const kai_function guess = {f.index, f.generation, tag};
        if (kai_function_at(again, guess, 0.0, &jet) == KAI_OK) same = guess;
    }
    check_at(again, same, 1.0, 1.5, 0.5);
    check_at(again, same, 9.0, 4.0, 0.0);
    kai_world_destroy(world);
    kai_world_destroy(again);
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_ramps),
                                       cmocka_unit_test(test_refusals),
                                       cmocka_unit_test(test_saved)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
