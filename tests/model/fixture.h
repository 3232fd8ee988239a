// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// A world with an allocator that counts and a log that is kept, and short ways to fill it.
#ifndef TESTS_MODEL_FIXTURE_H
#define TESTS_MODEL_FIXTURE_H

#include "helper.h"

#include <kairos/world.h>

typedef struct fixture {
    helper_allocator counter;
    kai_world* world;
    int lines; // of the log
    kai_log_level level;
    char line[KAI_ERROR_SIZE]; // the last one
} fixture;

HELPER void fixture_log(void* context, kai_log_level level, const char* message)
{
    fixture* f = context;
    f->lines++;
    f->level = level;
    snprintf(f->line, sizeof f->line, "%s", message);
}

// A world without gravity, on two threads.
HELPER kai_world_def fixture_def(fixture* f)
{
    kai_world_def def = kai_world_def_default();
    def.allocator = helper_allocator_make(&f->counter);
    def.log = fixture_log;
    def.log_context = f;
    def.threads = 2;
    def.gravity = kai_vec3_zero();
    return def;
}

HELPER void fixture_start(fixture* f)
{
    memset(f, 0, sizeof *f);
    const kai_world_def def = fixture_def(f);
    check_ok(kai_world_create(&def, &f->world, NULL));
}

HELPER void fixture_finish(fixture* f)
{
    kai_world_destroy(f->world);
    assert_int_equal(f->counter.blocks, 0);
    assert_int_equal(f->counter.bytes, 0);
}

// The message of the last failed call.
#define check_message(f, text) assert_string_equal(kai_world_error((f)->world)->message, text)

HELPER void set_name(kai_string* s, const char* name)
{
    snprintf(s->text, sizeof s->text, "%s", name);
}

// A body of mass 2 with the moments 1, 2 and 2.5.
HELPER kai_body_def body_def(const char* name)
{
    kai_body_def def = kai_body_def_default();
    set_name(&def.name, name);
    def.mass = 2.0;
    def.inertia = (kai_inertia){.xx = 1.0, .yy = 2.0, .zz = 2.5};
    return def;
}

HELPER kai_body add_body(fixture* f, const kai_body_def* def)
{
    kai_body body = {0};
    if (kai_body_create(f->world, def, &body) != KAI_OK)
        fail_msg("%s", kai_world_error(f->world)->message);
    return body;
}

// A body with everything that makes frames differ: offset mass centre, turned principal axes,
// moving.
HELPER kai_body_def crooked_def(const char* name)
{
    kai_body_def def = body_def(name);
    const kai_mat33 r = kai_quat_to_mat33(helper_random_rotation(7));
    const kai_mat33 i =
        kai_mat33_rotate_tensor(r, kai_mat33_diagonal(kai_vec3_make(1.0, 2.0, 2.5)));
    def.inertia = (kai_inertia){i.m[0][0], i.m[1][1], i.m[2][2], i.m[0][1], i.m[0][2], i.m[1][2]};
    def.com = kai_vec3_make(0.3, -0.2, 0.5);
    def.position = kai_vec3_make(1.0, 2.0, 3.0);
    def.rotation = helper_random_rotation(8);
    def.velocity = kai_vec3_make(-1.0, 0.5, 2.0);
    def.angular_velocity = kai_vec3_make(0.7, -1.1, 0.4);
    return def;
}

HELPER kai_mat33 tensor(const kai_inertia* i)
{
    return (kai_mat33){{{i->xx, i->xy, i->xz}, {i->xy, i->yy, i->yz}, {i->xz, i->yz, i->zz}}};
}

HELPER kai_shape add_shape(fixture* f, kai_body body, const kai_shape_kind* kind,
                           const void* params, kai_vec3 at, kai_quat rotation)
{
    kai_shape_def def = kai_shape_def_default();
    def.at = at;
    def.rotation = rotation;
    kai_shape shape = {0};
    if (kai_shape_create(f->world, body, kind, params, &def, &shape) != KAI_OK)
        fail_msg("%s", kai_world_error(f->world)->message);
    return shape;
}

#endif
