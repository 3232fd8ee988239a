// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Messages, what they lead to, the triple buffer between two threads, and the spring of a drag.
#include "helper.h"
#include "view/live.h"
#include "view/live_drag.h"
#include "view/live_frames.h"

#include <math.h>
#include <pthread.h>

static void say(kai_live* live, int viewer, const char* text)
{
    kai_message m;
    kai_error err = {0};
    if (kai_message_read(&m, text, strlen(text), &err) != KAI_OK) print_error("%s\n", err.message);
    check_ok(kai_live_hear(live, viewer, &m, 5, &err));
}

static void test_messages(void** state)
{
    kai_live live;
    check_ok(kai_live_init(&live, NULL));
    kai_live_join(&live);
    kai_live_join(&live);
    say(&live, 0, "{\"type\":\"pause\"}");
    assert_true(live.paused);
    say(&live, 1, "{\"type\":\"step\",\"count\":3}");
    assert_int_equal(live.steps_left, 3);
    say(&live, 0, "{\"type\":\"continue\"}");
    assert_true(!live.paused && live.steps_left == 0);
    say(&live, 0, "{\"type\":\"speed\",\"factor\":0.25}");
    check_near(live.speed, 0.25, 0.0, "as said");
    say(&live, 1, "{\"type\":\"drag\",\"body\":4,\"point\":[1,2,3],\"target\":[4,5,6]}");
    assert_true(live.hands[1].pull.active && live.hands[1].pull.mover == 4 && live.touched);
    say(&live, 1, "{\"type\":\"release\"}");
    assert_true(!live.hands[1].pull.active && live.hands[1].pull.changed);
    say(&live, 0, "{\"type\":\"pause\"}");
    kai_live_leave(&live, 0);
    assert_true(live.paused);
    kai_live_leave(&live, 1);
    assert_false(live.paused); // nobody is left to go on
    kai_live_free(&live);
}

static void test_bad_messages(void** state)
{
    static const char* const bad[] = {
        "",
        "{",
        "null",
        "[]",
        "{\"type\":1}",
        "{\"type\":\"x\"}",
        "{\"type\":\"step\",\"count\":0}",
        "{\"type\":\"step\",\"count\":2000000}",
        "{\"type\":\"speed\"}",
        "{\"type\":\"speed\",\"factor\":-1}",
        "{\"type\":\"drag\",\"body\":0}",
        "{\"type\":\"drag\",\"body\":-1,\"point\":[0,0,0],\"target\":[0,0,0]}",
        "{\"type\":\"drag\",\"body\":0,\"point\":[0,0],\"target\":[0,0,0]}",
        "{\"type\":\"drag\",\"body\":0,\"point\":[0,0,\"1\"],\"target\":[0,0,0]}",
        "{\"type\":\"drag\",\"body\":0,\"point\":[0,0,1e30],\"target\":[0,0,0]}",
        "{\"type\":\"key\",\"name\":\"\",\"down\":true}",
        "{\"type\":\"key\",\"name\":\"a\"}",
        "{\"type\":\"key\",\"name\":\"0123456789012345678901234567890123456789\",\"down\":true}",
        "{\"type\":\"gamepad\",\"axes\":1,\"buttons\":[]}",
        "{\"type\":\"gamepad\",\"axes\":[1.5],\"buttons\":[]}"};
    for (size_t i = 0; i < KAI_COUNT(bad); i++) {
        kai_message m;
        kai_error err = {0};
        check_error(kai_message_read(&m, bad[i], strlen(bad[i]), &err), KAI_ERROR_FORMAT);
        assert_true(err.message[0] != '\0');
    }
    kai_live live;
    kai_message m;
    check_ok(kai_live_init(&live, NULL));
    static const char far[] = "{\"type\":\"drag\",\"body\":5,\"point\":[0,0,0],\"target\":[0,0,0]}";
    check_ok(kai_message_read(&m, far, sizeof far - 1, NULL));
    check_error(kai_live_hear(&live, 0, &m, 5, NULL), KAI_ERROR_ARGUMENT);
    kai_live_free(&live);
}

// Keys of several viewers add up, axes have a dead zone, everything stays in range.
static void test_controls(void** state)
{
    const kai_function_control_params c = {.key = {"w"},
                                           .key_low = {"s"},
                                           .axis = 1,
                                           .button = 0,
                                           .initial = 1.0,
                                           .low = -3.0,
                                           .high = 5.0};
    kai_live live;
    check_ok(kai_live_init(&live, NULL));
    check_near(kai_live_goal(&live, 0, &c), 1.0, 0.0, "initial");
    say(&live, 0, "{\"type\":\"key\",\"name\":\"w\",\"down\":true}");
    check_near(kai_live_goal(&live, 0, &c), 5.0, 0.0, "high");
    say(&live, 1, "{\"type\":\"key\",\"name\":\"s\",\"down\":true}");
    check_near(kai_live_goal(&live, 0, &c), 1.0, 0.0, "one against the other");
    say(&live, 0, "{\"type\":\"key\",\"name\":\"w\",\"down\":false}");
    check_near(kai_live_goal(&live, 0, &c), -3.0, 0.0, "low");
    say(&live, 1, "{\"type\":\"key\",\"name\":\"s\",\"down\":false}");
    say(&live, 0, "{\"type\":\"gamepad\",\"axes\":[1,-0.5],\"buttons\":[]}");
    check_near(kai_live_goal(&live, 0, &c), -1.0, 1e-15, "half the way to low");
    say(&live, 0, "{\"type\":\"gamepad\",\"axes\":[1,0.04],\"buttons\":[0.25]}");
    check_near(kai_live_goal(&live, 0, &c), 2.0, 1e-15, "a quarter of the way to high");
    kai_live_free(&live);
}

// A slider holds while no key is down, within the range of its control, until it is let go of or all
// viewers have gone.
static void test_sliders(void** state)
{
    const kai_function_control_params c = {
        .key = {"w"}, .axis = -1, .button = -1, .initial = 1.0, .low = -3.0, .high = 5.0};
    kai_live live;
    kai_message m;
    check_ok(kai_live_init(&live, NULL));
    kai_live_join(&live);
    say(&live, 0, "{\"type\":\"control\",\"control\":2,\"value\":4.5}");
    check_near(kai_live_goal(&live, 2, &c), 4.5, 0.0, "where the slider is");
    check_near(kai_live_goal(&live, 1, &c), 1.0, 0.0, "another control");
    say(&live, 0, "{\"type\":\"key\",\"name\":\"w\",\"down\":true}");
    check_near(kai_live_goal(&live, 2, &c), 5.0, 0.0, "a key is stronger");
    say(&live, 0, "{\"type\":\"key\",\"name\":\"w\",\"down\":false}");
    check_near(kai_live_goal(&live, 2, &c), 4.5, 0.0, "and the slider is still there");
    say(&live, 0, "{\"type\":\"control\",\"control\":2,\"value\":1e9}");
    check_near(kai_live_goal(&live, 2, &c), 5.0, 0.0, "kept in range");
    say(&live, 0, "{\"type\":\"control\",\"control\":2,\"value\":null}");
    check_near(kai_live_goal(&live, 2, &c), 1.0, 0.0, "let go of");
    say(&live, 0, "{\"type\":\"control\",\"control\":2,\"value\":-1}");
    kai_live_leave(&live, 0);
    check_near(kai_live_goal(&live, 2, &c), 1.0, 0.0, "nobody is left");
    static const char far[] = "{\"type\":\"control\",\"control\":64,\"value\":0}",
                      bad[] = "{\"type\":\"control\",\"control\":0,\"value\":\"a\"}";
    check_ok(kai_message_read(&m, far, sizeof far - 1, NULL));
    check_error(kai_live_hear(&live, 0, &m, 5, NULL), KAI_ERROR_ARGUMENT);
    check_error(kai_message_read(&m, bad, sizeof bad - 1, NULL), KAI_ERROR_FORMAT);
    kai_live_free(&live);
}

// Frames ----------------------------------------------------------------------------------------

static kai_world* make_world(kai_body* ball)
{
    kai_world_def def = kai_world_def_default();
    def.gravity = kai_vec3_zero();
    kai_world* world;
    check_ok(kai_world_create(&def, &world, NULL));
    kai_body_def body = kai_body_def_default();
    body.mass = 2.0;
    body.inertia = (kai_inertia){.xx = 0.1, .yy = 0.1, .zz = 0.1};
    check_ok(kai_body_create(world, &body, ball));
    return world;
}

enum { WRITES = 20000 };

static void* write_frames(void* context)
{
    kai_live_frames* frames = context;
    kai_body ball;
    kai_world* world = make_world(&ball);
    for (int i = 1; i <= WRITES; i++) {
        const kai_frame at = {kai_vec3_make(i, -i, 2 * i), kai_quat_identity()};
        kai_body_set_frame(world, ball, at);
        kai_live_frames_write(frames, world, &(kai_live_frames_wish){0});
    }
    kai_world_destroy(world);
    return NULL;
}

// A reader beside a writer sees whole frames only, each newer than the one before, and the last.
static void test_triple_buffer(void** state)
{
    kai_body ball;
    kai_world* world = make_world(&ball);
    kai_movers movers;
    kai_live_frames frames;
    check_ok(kai_movers_make(&movers, world, NULL));
    check_ok(kai_live_frames_init(&frames, &movers, world, kai_vec3_zero(), NULL));
    uint32_t number, last = 0;
    size_t size;
    assert_null(kai_live_frames_read(&frames, &number, &size));
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, write_frames, &frames), 0);
    while (last < WRITES) {
        const unsigned char* data = kai_live_frames_read(&frames, &number, &size);
        if (data == NULL) continue;
        uint32_t head[2];
        float x[3];
        memcpy(head, data + KAI_SERVER_ROOM, sizeof head);
        memcpy(x, data + KAI_SERVER_ROOM + 24, sizeof x);
        assert_int_equal(head[0], KAI_LIVE_FRAMES_MAGIC);
        assert_int_equal(head[1], number);
        assert_true(number >= last);
        assert_true(x[0] == (float)number && x[1] == -x[0] && x[2] == 2.0f * x[0]);
        last = number;
    }
    pthread_join(thread, NULL);
    kai_live_frames_free(&frames);
    kai_movers_free(&movers);
    kai_world_destroy(world);
}

// Dragged from rest by its centre, a free mass moves as a critically damped oscillator:
// x(t) = X (1 - (1 + ω t) exp(-ω t)), ω = 18.8 rad/s.
static void test_drag(void** state)
{
    kai_body ball;
    kai_world* world = make_world(&ball);
    check_ok(kai_integrator_set(world, kai_integrator_find("rk4"), NULL));
    check_ok(kai_load_register(world, &kai_live_drag));
    kai_live_drag_params p = {.body = ball, .target = kai_vec3_make(1.0, 0.0, -2.0), .step = 1e-3};
    kai_load load;
    check_ok(kai_load_create(world, &kai_live_drag, &p, NULL, &load));
    for (int i = 1; i <= 500; i++) {
        check_ok(kai_world_step(world, 1e-3));
        const double wt = 18.8 * 1e-3 * i, share = 1.0 - (1.0 + wt) * exp(-wt);
        check_vec3(kai_body_position(world, ball), kai_vec3_scale(p.target, share), 1e-8,
                   "closed form; rk4 at ω h = 0.02");
    }
    check_ok(kai_load_destroy(world, load));
    check_ok(kai_body_set_fixed(world, ball, true));
    check_error(kai_load_create(world, &kai_live_drag, &p, NULL, &load), KAI_ERROR_ARGUMENT);
    kai_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_messages),      cmocka_unit_test(test_bad_messages),
        cmocka_unit_test(test_controls),      cmocka_unit_test(test_sliders),
        cmocka_unit_test(test_triple_buffer), cmocka_unit_test(test_drag),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
