// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Every scene in scenes/ opens, says what it is, and steps; some do what their description
// says.
#include "scene_helper.h"

#include <dirent.h>
#include <kairos/contact.h>
#include <kairos/driveline.h>

static char folder[4096];

static kai_scene* open_shipped(const char* name)
{
    char path[8192];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    kai_scene_def def = kai_scene_def_default();
    def.path = path;
    kai_scene* scene = NULL;
    kai_scene_open(&def, &scene, NULL);
    assert_non_null(scene);
    char* problems = problems_text(scene);
    assert_string_equal(problems, "");
    free(problems);
    return scene;
}

static void every_scene_opens_and_steps(void** state)
{
    (void)state;
    DIR* directory = opendir(folder);
    assert_non_null(directory);
    int count = 0;
    for (const struct dirent* entry; (entry = readdir(directory)) != NULL;) {
        const char* dot = strrchr(entry->d_name, '.');
        if (!dot || strcmp(dot, ".json") != 0) continue;
        kai_scene* scene = open_shipped(entry->d_name);
        const kai_scene_settings* settings = kai_scene_get_settings(scene);
        assert_true(settings->name.text[0] != '\0');
        assert_non_null(strstr(kai_scene_text(scene), "\"description\":\""));
        assert_true(kai_scene_output_count(scene) > 0);
        // Steps of many bodies in contact take long.
        const kai_world* world = kai_scene_world(scene);
        const bool crowd = kai_contact_get(world).method != KAI_CONTACT_NONE;
        const int steps = crowd && kai_body_count(world) > 1000 ? 2 : 10;
        for (int i = 0; i < steps; i++)
            check_ok(kai_world_step(kai_scene_world(scene), settings->step));
        kai_scene_close(scene);
        count++;
    }
    closedir(directory);
    assert_true(count >= 4);
}

// How often the component of the angular velocity along a body axis changes its sign.
static int flips(kai_world* world, const char* name, kai_vec3 axis, double end, double step)
{
    const kai_body body = kai_body_find(world, name);
    double last = 0.0;
    int count = 0;
    while (kai_world_time(world) < end) {
        check_ok(kai_world_step(world, step));
        const kai_vec3 w =
            kai_body_vector_from_world(world, body, kai_body_angular_velocity(world, body));
        const double now = kai_vec3_dot(w, axis);
        if (now * last < 0.0) count++;
        last = now;
    }
    return count;
}

// Spin about the middle axis is unstable: it turns over; about the other two it keeps its sign.
static void the_racket_flips(void** state)
{
    (void)state;
    const struct {
        const char* body;
        int axis;
        bool flips;
    } cases[] = {{"handle", 2, true},
                 {"book-middle", 1, true},
                 {"book-largest", 2, false},
                 {"book-smallest", 0, false}};
    for (size_t i = 0; i < 4; i++) {
        kai_scene* scene = open_shipped("tennis-racket.json");
        const int count =
            flips(kai_scene_world(scene), cases[i].body, kai_vec3_axis(cases[i].axis), 20.0, 1e-3);
        if (cases[i].flips)
            assert_true(count >= 3);
        else
            assert_int_equal(count, 0);
        kai_scene_close(scene);
    }
}

static double shaft_speed(const kai_world* world, const char* name)
{
    kai_shaft_def def;
    check_ok(kai_shaft_get(world, kai_shaft_find(world, name), &def));
    return def.speed;
}

static void step_to(kai_world* world, double time, double h)
{
    while (kai_world_time(world) < time - 0.5 * h)
        if (kai_world_step(world, h) != KAI_OK) fail_msg("%s", kai_world_error(world)->message);
}

// First gear: the ring stands, the carrier has a quarter of the sun's speed, planets roll on the
// ring. The motor gives 2 (1 - ω / 8) N m and the load takes 0.4 ω: 0.4 ω_s / 4 = 4 · 2 (1 - ω_s /
// 8). Then all turns as one.
static void the_gearbox_shifts(void** state)
{
    (void)state;
    kai_scene* scene = open_shipped("planetary-gearbox.json");
    kai_world* world = kai_scene_world(scene);
    step_to(world, 3.9, 1e-3);
    const double sun = shaft_speed(world, "sun");
    check_near(sun, 80.0 / 11.0, 1e-3, "closed form; it has settled to e^{-8}");
    check_near(shaft_speed(world, "carrier"), 0.25 * sun, 1e-12, "Willis");
    check_near(shaft_speed(world, "ring"), 0.0, 1e-12, "held");
    check_near(shaft_speed(world, "planet 3"), -0.5 * sun, 1e-12, "rolls on the ring");
    check_near(kai_body_angular_velocity(world, kai_body_find(world, "planet 3")).z, -0.5 * sun,
               1e-9, "the body turns with its shaft");
    step_to(world, 6.0, 1e-3);
    const double all = shaft_speed(world, "sun");
    assert_true(all > 1.0);
    static const char* const names[] = {"carrier", "ring", "planet 1", "planet 4"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        check_near(shaft_speed(world, names[i]), all, 1e-12, "turns as one");
    kai_energy e;
    check_ok(kai_world_energy(world, &e));
    check_near(e.drift, 0.0, 1e-4, "energy, to second order in h");
    kai_scene_close(scene);
}

// The converter slips, the clutch bridges it; a wheel that is braked gives its speed to the other.
static void the_driveline_drives(void** state)
{
    (void)state;
    kai_scene* scene = open_shipped("driveline.json");
    kai_world* world = kai_scene_world(scene);
    step_to(world, 5.0, 5e-4);
    assert_true(shaft_speed(world, "crank") > 1.05 * shaft_speed(world, "turbine"));
    check_near(shaft_speed(world, "left"), shaft_speed(world, "right"), 1e-9, "equal loads");
    step_to(world, 7.5, 5e-4);
    check_near(shaft_speed(world, "crank"), shaft_speed(world, "turbine"), 1e-9, "bridged");
    step_to(world, 10.8, 5e-4);
    // The axle rocks on its mounts, so the brake holds the wheel against that, not against space.
    double slip;
    check_ok(kai_joint_slip(world, kai_joint_find(world, "left brake"), &slip));
    check_near(slip, 0.0, 1e-12, "held");
    check_near(shaft_speed(world, "left"), 0.0, 0.1, "held but for the rocking");
    check_near(shaft_speed(world, "right"), 0.5 * shaft_speed(world, "pinion"), 0.1,
               "all of the speed: twice 0.25");
    assert_true(shaft_speed(world, "right") > 5.0);
    kai_scene_close(scene);
}

int main(void)
{
    const char* source = getenv("KAIROS_SOURCE");
    if (!source) {
        print_error("KAIROS_SOURCE is not set; run this through ctest\n");
        return 1;
    }
    snprintf(folder, sizeof folder, "%s/scenes", source);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_scene_opens_and_steps),
        cmocka_unit_test(the_racket_flips),
        cmocka_unit_test(the_gearbox_shifts),
        cmocka_unit_test(the_driveline_drives),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
