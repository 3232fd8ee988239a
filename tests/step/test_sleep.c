// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Sleep: who falls asleep, who wakes and when, and that nothing else differs.
#include "scene/scene_helper.h"

#include <kairos/contact.h>
#include <kairos/sleep.h>

// Two boxes on each other, one aside, and a ball that flies at the pair.
#define SLEEPERS                                                                                    \
    "{'kairos': 1, 'step': 0.001, 'end': 1, 'contact': 'nsc', 'integrator': '%s', 'sleep': "        \
    "{'time': %s}, 'bodies': [{'name': 'ground', 'fixed': true, 'shapes': [{'type': 'plane'}]}, "   \
    "{'name': 'low', 'density': 1000, 'position': [0, 0, 0.1], 'shapes': [{'type': 'box', 'size': " \
    "[0.2, 0.2, 0.2]}]}, {'name': 'high', 'density': 1000, 'position': [0, 0, 0.3], 'shapes': "     \
    "[{'type': 'box', 'size': [0.2, 0.2, 0.2]}]}, {'name': 'aside', 'density': 1000, 'position': "  \
    "[3, 0, 0.1], 'shapes': [{'type': 'box', 'size': [0.2, 0.2, 0.2]}]}, {'name': 'ball', "         \
    "'density': 1000, 'position': [-4, 0, 3], 'velocity': [%s, 0, 0], 'shapes': [{'type': "         \
    "'sphere', 'radius': 0.1}]}]}"

typedef struct stage {
    kai_scene* scene;
    kai_world* world;
    kai_body low, high, aside, ball;
} stage;

static stage open_stage(const char* sleep, const char* speed, int threads)
{
    char text[2000];
    stage s;
    snprintf(text, sizeof text, SLEEPERS, "euler", sleep, speed);
    char* json = quoted(text);
    kai_scene_def def = kai_scene_def_default();
    def.path = "scene.json";
    def.text = json;
    def.text_size = strlen(json);
    def.world.threads = threads;
    check_ok(kai_scene_open(&def, &s.scene, NULL));
    free(json);
    s.world = kai_scene_world(s.scene);
    s.low = kai_body_find(s.world, "low");
    s.high = kai_body_find(s.world, "high");
    s.aside = kai_body_find(s.world, "aside");
    s.ball = kai_body_find(s.world, "ball");
    return s;
}

static void steps(const stage* s, int count)
{
    for (int i = 0; i < count; i++) check_ok(kai_world_step(s->world, 1e-3));
}

static void islands_fall_asleep(void** state)
{
    (void)state;
    stage s = open_stage("0.1", "0", 1);
    kai_energy before, after;
    steps(&s, 90);
    assert_int_equal(kai_sleep_count(s.world), 0);
    check_ok(kai_world_energy(s.world, &before));
    steps(&s, 20);
    assert_int_equal(kai_sleep_count(s.world), 3);
    assert_true(kai_body_is_asleep(s.world, s.high) && !kai_body_is_asleep(s.world, s.ball));
    check_vec3(kai_body_velocity(s.world, s.high), kai_vec3_zero(), 0.0, "asleep");
    check_ok(kai_world_collide(s.world));
    assert_int_equal(kai_collision_count(s.world), 0); // nobody looks for contacts among them
    check_ok(kai_world_energy(s.world, &after));
    check_near(after.drift, before.drift, 1e-9, "falling asleep is in the balance");
    kai_scene_close(s.scene);
}

// The ball comes down on nothing; thrown, it hits the pair, which has the same state to rounding as
// one that was never asleep.
static void what_is_hit_wakes_before_it_is_hit(void** state)
{
    (void)state;
    stage a = open_stage("0.1", "5.3", 1), b = open_stage("0", "5.3", 1);
    bool slept = false;
    for (int i = 0; i < 900; i++) {
        steps(&a, 1);
        steps(&b, 1);
        slept |= kai_body_is_asleep(a.world, a.high);
        const bool hit = kai_vec3_norm(kai_body_velocity(b.world, b.high)) > 0.1;
        if (hit) assert_false(kai_body_is_asleep(a.world, a.high));
    }
    assert_true(slept);
    assert_true(kai_vec3_norm(kai_body_velocity(b.world, b.ball)) < 6.0);
    check_vec3(kai_body_position(a.world, a.high), kai_body_position(b.world, b.high), 2e-3,
               "never asleep");
    check_vec3(kai_body_position(a.world, a.ball), kai_body_position(b.world, b.ball), 2e-3,
               "never asleep");
    assert_true(
        kai_vec3_distance(kai_body_position(a.world, a.high), kai_vec3_make(0.0, 0.0, 0.3)) > 0.05);
    assert_true(kai_body_is_asleep(a.world, a.aside)); // nothing came near
    kai_scene_close(a.scene);
    kai_scene_close(b.scene);
}

static void changes_wake(void** state)
{
    (void)state;
    stage s = open_stage("0.1", "0", 1);
    for (int change = 0; change < 4; change++) {
        steps(&s, 120);
        assert_true(kai_sleep_count(s.world) >= 3); // the ball lands in between
        switch (change) {
        case 0: check_ok(kai_sleep_wake(s.world)); break;
        case 1: check_ok(kai_body_set_fixed(s.world, s.aside, false)); break;
        case 2:
            check_ok(
                kai_body_set_velocity(s.world, s.low, kai_vec3_make(0.5, 0, 0), kai_vec3_zero()));
            break;
        default: check_ok(kai_world_set_gravity(s.world, kai_vec3_make(0.0, 0.0, -5.0))); break;
        }
        steps(&s, 1);
        assert_int_equal(kai_sleep_count(s.world), 0);
        if (change == 2) steps(&s, 400);
    }
    kai_sleep_def never = kai_sleep_def_default();
    steps(&s, 200);
    assert_true(kai_sleep_count(s.world) > 0);
    check_ok(kai_sleep_set(s.world, &never));
    assert_int_equal(kai_sleep_count(s.world), 0);
    kai_scene_close(s.scene);
}

static void same_bits_for_any_number_of_threads(void** state)
{
    (void)state;
    uint64_t hash[3];
    const int threads[] = {1, 2, 5};
    for (int i = 0; i < 3; i++) {
        stage s = open_stage("0.1", "5.3", threads[i]);
        steps(&s, 800);
        hash[i] = kai_world_hash(s.world);
        kai_scene_close(s.scene);
    }
    assert_true(hash[0] == hash[1] && hash[0] == hash[2]);
}

static void bad_settings_are_refused(void** state)
{
    (void)state;
    stage s = open_stage("0", "0", 1);
    kai_sleep_def def = kai_sleep_def_default();
    def.time = -1.0;
    check_error(kai_sleep_set(s.world, &def), KAI_ERROR_ARGUMENT);
    def = (kai_sleep_def){.time = 1.0};
    check_error(kai_sleep_set(s.world, &def), KAI_ERROR_ARGUMENT);
    def = kai_sleep_def_default();
    def.time = 0.1;
    check_ok(kai_sleep_set(s.world, &def));
    check_near(kai_sleep_get(s.world).time, 0.1, 0.0, "as set");
    kai_contact_def contact = kai_contact_get(s.world);
    contact.method = KAI_CONTACT_SMC;
    check_ok(kai_contact_set(s.world, &contact));
    check_error(kai_world_step(s.world, 1e-3), KAI_ERROR_UNSUPPORTED);
    assert_non_null(strstr(kai_world_error(s.world)->message, "sleep needs contact nsc"));
    assert_false(kai_body_is_asleep(s.world, (kai_body){0}));
    kai_scene_close(s.scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(islands_fall_asleep),
        cmocka_unit_test(what_is_hit_wakes_before_it_is_hit),
        cmocka_unit_test(changes_wake),
        cmocka_unit_test(same_bits_for_any_number_of_threads),
        cmocka_unit_test(bad_settings_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
