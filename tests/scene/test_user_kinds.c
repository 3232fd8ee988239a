// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Kinds of a program's own, given with the world's definition, are there for scenes and files.
#include "scene_helper.h"

#include <kairos/joint.h>

typedef struct level {
    kai_joint_base base;
    kai_table offset; // hidden: [height difference], made by prepare()
} level;

/// The joint points keep their height difference: one row along the world's z.
static void level_evaluate(const kai_joint_batch* b)
{
    for (size_t i = b->begin; i < b->end; i++) {
        const level* l = (const level*)b->instances + i;
        const kai_joint_base* p = &l->base;
        const kai_pose *pa = &b->pose[b->slot[2 * i]], *pb = &b->pose[b->slot[2 * i + 1]];
        const kai_vec3 ra = kai_quat_rotate(pa->rotation, p->inner[0].position);
        const kai_vec3 rb = kai_quat_rotate(pb->rotation, p->inner[1].position);
        const kai_vec3 z = kai_vec3_axis(2);
        b->rows[i] = (kai_joint_row){
            .g = pb->position.z + rb.z - pa->position.z - ra.z - l->offset.data[0],
            .a = {kai_vec3_neg(z), kai_quat_unrotate(pa->rotation, kai_vec3_cross(z, ra))},
            .b = {z, kai_quat_unrotate(pb->rotation, kai_vec3_cross(rb, z))}};
    }
}

static kai_result level_prepare(const kai_world* world, void* instance, kai_error* err)
{
    (void)err;
    static double offset[1];
    level* p = instance;
    offset[0] = kai_body_position(world, p->base.bodies[1]).z;
    p->offset = (kai_table){offset, 1, 1};
    return KAI_OK;
}

static const kai_param LEVEL_PARAMS[] = {KAI_JOINT_PARAMS,
                                         {.name = "offset",
                                          .type = KAI_PARAM_TABLE,
                                          .offset = offsetof(level, offset),
                                          .columns = 1,
                                          .hidden = true}};

static const kai_joint_kind LEVEL = {.kind = {KAI_SIZES(kai_joint_kind), .name = "level",
                                              .doc = "Points of a and b stay at one height.",
                                              .size = sizeof(level), .params = LEVEL_PARAMS,
                                              .param_count = KAI_COUNT(LEVEL_PARAMS)},
                                     .rows = 1,
                                     .grounded = true,
                                     .prepare = level_prepare,
                                     .evaluate = level_evaluate};

typedef struct cube {
    double factor;
} cube;

static kai_jet cube_evaluate(const kai_function_set* functions, const void* instance, double x)
{
    (void)functions;
    const double k = ((const cube*)instance)->factor;
    return (kai_jet){k * x * x * x, 3.0 * k * x * x, 6.0 * k * x};
}

static const kai_param CUBE_PARAMS[] = {{.name = "factor",
                                         .type = KAI_PARAM_REAL,
                                         .offset = offsetof(cube, factor),
                                         .initial = {1.0},
                                         .doc = "Before the cube."}};

static const kai_function_kind CUBE = {
    .kind = {KAI_SIZES(kai_function_kind), .name = "cube", .doc = "factor · x³",
             .size = sizeof(cube), .params = CUBE_PARAMS, .param_count = KAI_COUNT(CUBE_PARAMS)},
    .evaluate = cube_evaluate};

static const kai_joint_kind* const JOINTS[] = {&LEVEL, NULL};
static const kai_function_kind* const FUNCTIONS[] = {&CUBE, NULL};

static void scenes_and_files_know_them(void** state)
{
    (void)state;
    char* text = quoted(SCENE(
        TWO
        "'joints': [{'name': 'l', 'type': 'level', 'bodies': ['a', 'b'], 'at': [0, 0, 0]}], "
        "'forces': [{'type': 'force', 'body': 'b', 'value': [{'cube': {'factor': 24}}, 0, 0]}]"));
    kai_scene_def def = kai_scene_def_default();
    def.text = text;
    def.text_size = strlen(text);
    def.world.kinds.joints = JOINTS;
    def.world.kinds.functions = FUNCTIONS;
    kai_scene* scene = NULL;
    kai_scene_open(&def, &scene, NULL);
    char* problems = problems_text(scene);
    assert_string_equal(problems, "");
    free(problems);
    free(text);
    kai_world* world = kai_scene_world(scene);
    check_ok(kai_world_step_until(world, 0.5, 1e-3));
    // m x'' = 24 t³: x = 1.2 t⁵. The step is a midpoint rule, off by less than h² x''.
    kai_vec3 x = kai_body_position(world, kai_body_find(world, "b"));
    check_near(x.x, 1.2 * pow(0.5, 5.0), 3e-6, "1.2 t⁵");
    check_near(x.z, 0.0, 1e-12, "held at its height");
    kai_joint two;
    kai_joint_base junk[2];
    memset(junk, 0x55, sizeof junk); // hidden tables of callers may hold anything
    const void* first;
    check_ok(kai_joint_get(world, kai_joint_find(world, "l"), NULL, &first));
    memcpy(junk, first, sizeof(kai_joint_base));
    check_ok(kai_joint_create(world, &LEVEL, junk, "two", &two));
    check_ok(kai_joint_destroy(world, two));

    char path[64];
    snprintf(path, sizeof path, "user-kinds-%d.h5", (int)getpid());
    check_ok(kai_world_save(world, path));
    kai_world* back = NULL;
    kai_error err;
    assert_int_not_equal(
        kai_world_load(&(kai_world_def){.cookie = def.world.cookie}, path, &back, &err), KAI_OK);
    check_ok(kai_world_load(&def.world, path, &back, NULL));
    check_ok(kai_world_step(world, 1e-3));
    check_ok(kai_world_step(back, 1e-3));
    assert_true(kai_world_hash(world) == kai_world_hash(back));
    assert_int_equal(unlink(path), 0);
    kai_world_destroy(back);
    kai_scene_close(scene);
}

static void a_bad_kind_makes_no_world(void** state)
{
    (void)state;
    kai_joint_kind bad = LEVEL;
    bad.rows = 7;
    const kai_joint_kind* const kinds[] = {&bad, NULL};
    kai_world_def def = kai_world_def_default();
    def.kinds.joints = kinds;
    kai_world* world = NULL;
    kai_error err = {0};
    check_error(kai_world_create(&def, &world, &err), KAI_ERROR_ARGUMENT);
    assert_null(world);
    assert_non_null(strstr(err.message, "rows is 7"));
    check_error(kai_world_create(&def, &world, NULL), KAI_ERROR_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scenes_and_files_know_them),
        cmocka_unit_test(a_bad_kind_makes_no_world),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
