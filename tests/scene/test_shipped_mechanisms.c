// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The shipped mechanisms do what their descriptions say.
#include "scene_helper.h"

static kai_scene* open_shipped(const char* name)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/scenes/%s", KAIROS_SOURCE_DIR, name);
    kai_scene_def def = kai_scene_def_default();
    def.path = path;
    def.world.threads = 1;
    kai_scene* scene = NULL;
    check_ok(kai_scene_open(&def, &scene, NULL));
    return scene;
}

// A belt that runs along its own shape is pulled with mass a length times speed squared, here
// 1 kg/m · 9 m²/s², and keeps its shape: pins stay on the track's lines. Links of 1/12.5 of the
// bends' radius make a polygon of it: 1 % leaves room for that.
static void the_belt_keeps_its_shape(void** state)
{
    kai_scene* scene = open_shipped("belt.json");
    kai_world* world = kai_scene_world(scene);
    const kai_joint pin = kai_joint_find(world, "pin 20");
    double least = HUGE_VAL, most = 0.0, half = 0.0;
    for (int i = 0; i < 1600; i++) {
        check_ok(kai_world_step(world, 5e-4));
        if (i % 40 != 0) continue;
        check_ok(kai_world_evaluate(world));
        kai_vec3 force, torque;
        check_ok(kai_joint_reaction(world, pin, &force, &torque));
        least = fmin(least, kai_vec3_norm(force));
        most = fmax(most, kai_vec3_norm(force));
    }
    check_near(least, 9.0, 0.09, "mass a length times speed squared");
    check_near(most, 9.0, 0.09, "mass a length times speed squared");
    for (size_t i = 0; i < kai_body_count(world); i++)
        half = fmax(half, fabs(kai_body_position(world, kai_body_at(world, i)).z));
    check_near(half, 0.25, 0.01, "radius of the bends");
    kai_scene_close(scene);
}

// A foot goes nearly straight for two fifths of a turn: up and down by less than 3 % of its way.
static void the_walker_walks(void** state)
{
    kai_scene* scene = open_shipped("walker.json");
    kai_world* world = kai_scene_world(scene);
    const kai_body leg = kai_body_find(world, "left leg");
    // The foot is where the ball is: the last shape of the leg, in the leg's own frame.
    kai_vec3 foot = kai_vec3_zero();
    for (kai_shape s = kai_shape_first(world, leg); !KAI_IS_NULL(s); s = kai_shape_next(world, s)) {
        const kai_shape_kind* kind = NULL;
        kai_shape_def def;
        check_ok(kai_shape_get(world, s, &kind, NULL, &def, NULL));
        if (kind == &kai_shape_sphere) foot = def.at;
    }
    enum { SAMPLES = 120, FLAT = 46 }; // of a turn, which takes 3 s
    double x[SAMPLES], z[SAMPLES], best = HUGE_VAL, way = 0.0;
    for (int i = 0; i < SAMPLES; i++) {
        for (int k = 0; k < 25; k++) check_ok(kai_world_step(world, 1e-3));
        const kai_vec3 at = kai_vec3_add(kai_body_position(world, leg),
                                         kai_quat_rotate(kai_body_rotation(world, leg), foot));
        x[i] = at.x;
        z[i] = at.z;
    }
    for (int i = 0; i < SAMPLES; i++) {
        double low = HUGE_VAL, high = -HUGE_VAL;
        for (int k = 0; k < FLAT; k++) {
            low = fmin(low, z[(i + k) % SAMPLES]);
            high = fmax(high, z[(i + k) % SAMPLES]);
        }
        if (high - low >= best) continue;
        best = high - low;
        way = fabs(x[(i + FLAT - 1) % SAMPLES] - x[i]);
    }
    print_message("the foot goes %.3f m within %.4f m\n", way, best);
    assert_true(way > 0.5);
    assert_true(best < 0.03 * way);
    double angle, travel;
    check_ok(kai_joint_coordinates(world, kai_joint_find(world, "axle"), &angle, &travel));
    check_near(angle, -0.5e-3 * 2.0943951023932, 1e-6,
               "one turn in 3 s, less half a step: the first one starts from rest");
    kai_scene_close(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_belt_keeps_its_shape),
                                       cmocka_unit_test(the_walker_walks)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
