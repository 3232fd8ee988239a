// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// A scene as a whole: settings, outputs, particles, text, hash, and what happens without memory.
#include "scene_helper.h"

static void defaults(void** state)
{
    (void)state;
    kai_scene* scene = good_scene("{" HEAD "}");
    const kai_scene_settings* settings = kai_scene_get_settings(scene);
    assert_string_equal(settings->name.text, "");
    check_near(settings->step, 0.001, 0.0, "the scene");
    check_near(settings->end, 1.0, 0.0, "the scene");
    assert_true(settings->trajectory.enabled);
    check_vec3(kai_world_gravity(kai_scene_world(scene)), kai_vec3_make(0, 0, -9.81), 0.0,
               "interface");
    assert_ptr_equal(kai_integrator_get(kai_scene_world(scene)), &kai_integrator_euler);
    assert_int_equal(kai_scene_problem_count(scene), 0);
    assert_null(kai_scene_problem(scene, 0));
    assert_int_equal(kai_scene_output_count(scene), 0);
    assert_null(kai_scene_output(scene, 0));
    kai_scene_close(scene);
    kai_scene_close(NULL);
}

static void settings_and_outputs(void** state)
{
    (void)state;
    kai_scene* scene = good_scene(SCENE(
        "'name': 'é', 'description': 'text', 'gravity': [0, 0, 0], 'contact': 'none', 'integrator': {'type': 'leapfrog'},"
        "'trajectory': {'enabled': false, 'every': 0.25, 'double_precision': true, 'compression': 5},"
        "'bodies': [{'name': 'a', 'fixed': true}],"
        "'outputs': [{'body': 'a', 'every': 0, 'quantities': ['velocity', 'position'], 'file': 'a.csv'},"
        "            {'system': true, 'quantities': ['energy'], 'file': 's.csv'}]"));
    const kai_scene_settings* settings = kai_scene_get_settings(scene);
    assert_string_equal(settings->name.text, "é");
    assert_false(settings->trajectory.enabled);
    assert_true(settings->trajectory.double_precision);
    assert_int_equal(settings->trajectory.compression, 5);
    check_near(settings->trajectory.every, 0.25, 0.0, "the scene");
    assert_int_equal(kai_scene_output_count(scene), 2);
    const kai_output_def* output = kai_scene_output(scene, 0);
    assert_int_equal(output->target, KAI_OUTPUT_BODY);
    assert_true(KAI_ID_EQUALS(output->body, kai_body_find(kai_scene_world(scene), "a")));
    check_near(output->every, 0.0, 0.0, "the scene");
    assert_string_equal(output->file.text, "a.csv");
    assert_int_equal(output->quantity_count, 2);
    assert_int_equal(output->quantities[0], kai_output_quantity_find(KAI_OUTPUT_BODY, "velocity"));
    assert_int_equal(output->quantities[1], kai_output_quantity_find(KAI_OUTPUT_BODY, "position"));
    output = kai_scene_output(scene, 1);
    assert_int_equal(output->target, KAI_OUTPUT_SYSTEM);
    check_near(output->every, 0.01, 0.0, "the default");
    kai_scene_close(scene);
}

// Joints and motors are found by name, with the frames that the scene gives; order is free.
static void joints_and_motors(void** state)
{
    (void)state;
    kai_scene* scene = good_scene(SCENE(
        "'solver': {'type': 'direct'}, 'analysis': 'dynamics', 'integrator': {'type': 'hht', 'alpha': -0.05},"
        "'motors': [{'name': 'drive', 'type': 'rotation-speed', 'joint': 'pin', 'value': {'ramp': {'slope': 2}}}],"
        "'joints': [{'name': 'rod', 'type': 'distance', 'bodies': ['b', 'c'], 'points': [[1, 0, 0], [1, 3, 4]]},"
        "  {'name': 'pin', 'type': 'revolute', 'bodies': ['a', 'b'], 'at': [0, 0, 1], 'axis': [0, 3, 0]},"
        "  {'name': 'slide', 'type': 'prismatic', 'bodies': ['a', 'c'], 'active': false,"
        "   'frame_a': {'at': [1, 2, 3], 'rotation': {'axis': [1, 0, 0], 'angle': 1}}, 'frame_b': {}}],"
        "'bodies': [{'name': 'a', 'fixed': true}, {'name': 'b', 'mass': 1, 'inertia': [1, 1, 1]},"
        "  {'name': 'c', 'mass': 1, 'inertia': [1, 1, 1], 'position': [1, 3, 4]}],"
        "'outputs': [{'joint': 'pin', 'quantities': ['angle', 'force'], 'file': 'pin.csv'},"
        "  {'motor': 'drive', 'quantities': ['effort', 'position', 'speed'], 'file': 'drive.csv'}]"));
    kai_world* world = kai_scene_world(scene);
    assert_string_equal(kai_integrator_get(world)->kind.name, "hht");
    assert_int_equal(kai_joint_count(world), 4);
    const kai_joint_kind* kind;
    const void* params;
    check_ok(kai_joint_get(world, kai_joint_find(world, "rod"), &kind, &params));
    assert_ptr_equal(kind, &kai_joint_distance);
    check_near(((const kai_joint_distance_params*)params)->length, 5.0, 1e-15, "3, 4, 5");
    check_ok(kai_joint_get(world, kai_joint_find(world, "slide"), &kind, &params));
    const kai_joint_base* slide = params;
    assert_false(slide->active);
    check_near(slide->frame_a.position.z, 3.0, 0.0, "as given");
    check_near(slide->frame_a.rotation.w, cos(0.5), 1e-15, "half the angle");
    check_near(kai_vec3_norm(slide->frame_b.position), 0.0, 0.0, "the default");
    check_ok(kai_joint_get(world, kai_joint_find(world, "drive"), &kind, &params));
    const kai_joint_motor_params* drive = params;
    assert_true(KAI_ID_EQUALS(drive->joint, kai_joint_find(world, "pin")));
    const kai_output_def* output = kai_scene_output(scene, 1);
    assert_int_equal(output->target, KAI_OUTPUT_MOTOR);
    assert_true(KAI_ID_EQUALS(output->joint, kai_joint_find(world, "drive")));
    kai_scene_close(scene);
}

#define GROUP \
    "'name': 'bed', 'file': 'bed.csv', 'density': 1000, 'shape': {'type': 'sphere', 'radius': 0.5}"

static void particles(void** state)
{
    (void)state;
    write_file("bed.csv", "radius,x,y,z,vx,vy,vz,wx,wy,wz,qw,qx,qy,qz\n"
                          "0.1,1,2,3,4,5,6,7,8,9,1,0,0,0\n"
                          "0.2,-1,-2,-3,-4,-5,-6,-7,-8,-9,0,1,0,0\n");
    kai_scene* scene = good_scene(
        SCENE("'particles': [{" GROUP "}],"
              "'outputs': [{'particles': 'bed', 'file': 'bed.csv.gz'},"
              "            {'particles': 'bed', 'file': 'b.csv', 'quantities': ['radius']}]"));
    kai_world* world = kai_scene_world(scene);
    const kai_particles group = kai_particles_find(world, "bed");
    assert_int_equal(kai_particles_count(world, group), 2);
    const kai_body second = kai_particles_body(world, group, 1);
    check_vec3(kai_body_position(world, second), kai_vec3_make(-1, -2, -3), 0.0, "the table");
    check_vec3(kai_body_velocity(world, second), kai_vec3_make(-4, -5, -6), 0.0, "the table");
    check_vec3(kai_body_angular_velocity(world, second), kai_vec3_make(-7, -8, -9), 1e-14,
               "the table");
    check_rotation(kai_body_rotation(world, second), kai_quat_make(0, 1, 0, 0), 1e-15, "the table");
    kai_mass_properties mass;
    check_ok(kai_body_mass(world, second, &mass));
    check_relative(mass.mass, 1000 * 4.0 / 3.0 * KAI_PI * 0.008, 1e-14, "a ball of radius 0.2");
    const kai_output_def* output = kai_scene_output(scene, 0);
    assert_int_equal(output->target, KAI_OUTPUT_PARTICLES);
    assert_true(KAI_ID_EQUALS(output->particles, group));
    kai_scene_close(scene);
}

static void problems_of_particles(void** state)
{
    (void)state;
    write_file("bed.csv", "x,y,z,radius\n1,2,3,4\n");
    check_problems(
        SCENE("'particles': [{" GROUP "}, {" GROUP "}]"), NULL,
        "scene.json:1:160: /particles/1/name: particle group name \"bed\" is used twice; must be unique");
    check_problems(
        SCENE("'particles': [{'file': 'bed.csv', 'shape': {'type': 'sphere', 'radius': 1}}]"), NULL,
        "scene.json:1:54: /particles/0: particles: no density; give the group or its material one");
    check_problems(
        SCENE(
            "'particles': [{'file': 'bed.csv', 'density': 1, 'shape': {'type': 'box', 'size': [1, 1, 1]}}]"),
        NULL,
        "scene.json:1:54: /particles/0: particles: a column radius is for spheres; shape is box");
    write_file("bed.csv", "x,y,z\n1,2,z\n1,2,3\n4,5\n");
    check_problems(SCENE("'particles': [{" GROUP ", 'material': 'x'}]"), NULL,
                   "scene.json:1:162: /particles/0/material: there is no material \"x\"\n"
                   "bed.csv:2:5: z is \"z\"; must be a number\n"
                   "bed.csv:4:1: row has 2 cells; the header has 3");
}

static uint64_t hash_of(const char* text, const char* set)
{
    const char* const sets[] = {set, NULL};
    kai_scene* scene = NULL;
    check_ok(open_scene(text, sets, &scene));
    const uint64_t hash = kai_scene_hash(scene);
    kai_scene_close(scene);
    return hash;
}

// The hash sees everything but "end" and how the text is laid out.
static void hash_of_the_resolved_scene(void** state)
{
    (void)state;
    write_file("bed.csv", "x,y,z\n1,2,3\n");
    const char* text = SCENE("'particles': [{" GROUP "}], 'outputs': []");
    const uint64_t hash = hash_of(text, NULL);
    assert_true(hash_of(SCENE("  'particles': [ {" GROUP "} ],\n 'outputs': []"), NULL) == hash);
    assert_true(hash_of(text, "/end=7") == hash);
    assert_true(hash_of(text, "/step=0.002") != hash);
    assert_true(hash_of(text, "/particles/bed/density=1001") != hash);
    write_file("bed.csv", "x,y,z\n1,2,3.5\n");
    assert_true(hash_of(text, NULL) != hash);
    write_file("bed.csv", "z,y,x\n\n3.0,2,1\n");
    assert_true(hash_of(text, NULL) == hash);
}

static void text_of_the_resolved_scene(void** state)
{
    (void)state;
    kai_scene* scene = NULL;
    const char* const sets[] = {"/gravity=[0, 0, 0.1]", NULL};
    check_ok(open_scene("{" HEAD ",\n\n 'name': 'x' }", sets, &scene));
    assert_string_equal(kai_scene_text(scene),
                        "{\"kairos\":1,\"step\":0.001,\"end\":1,\"name\":\"x\",\"gravity\":[0,0,"
                        "0.1]}");
    kai_scene_close(scene);
}

static void misuse(void** state)
{
    (void)state;
    kai_scene* scene = (kai_scene*)1;
    kai_error err = {0};
    kai_scene_def def = {0};
    check_error(kai_scene_open(&def, &scene, &err), KAI_ERROR_ARGUMENT);
    assert_null(scene);
    assert_string_equal(err.message, "kai_scene_open: def was not made by kai_scene_def_default()");
    def = kai_scene_def_default();
    check_error(kai_scene_open(&def, &scene, &err), KAI_ERROR_ARGUMENT);
    assert_string_equal(err.message, "kai_scene_open: def has neither path nor text");
    def.path = "none.json";
    check_error(kai_scene_open(&def, &scene, &err), KAI_ERROR_FILE);
    assert_string_equal(err.message, "none.json: cannot be opened: No such file or directory");
    kai_scene_close(scene);
}

// Whatever call of the world's allocator fails, the answer is KAI_ERROR_MEMORY and nothing is lost.
static void without_memory(void** state)
{
    (void)state;
    write_file("bed.csv", "x,y,z\n1,2,3\n4,5,6\n");
    char* text = quoted(SCENE(
        "'particles': [{" GROUP "}], 'materials': {'m': {'density': 3}},"
        "'bodies': [{'name': 'a', 'shapes': [{'type': 'sphere', 'radius': 1, 'material': 'm'}]}],"
        "'forces': [{'type': 'force', 'body': 'a', 'value': [{'table': [[0, 1], [1, 2]]}, 0, 0]}],"
        "'outputs': [{'body': 'a', 'quantities': ['acceleration'], 'file': 'a.csv'}]"));
    bool done = false;
    for (uint64_t fail_at = 1; !done && fail_at < 1000; fail_at++) {
        helper_allocator a = {.fail_at = fail_at};
        kai_scene_def def = kai_scene_def_default();
        def.text = text;
        def.text_size = strlen(text);
        def.world.allocator = helper_allocator_make(&a);
        kai_scene* scene = NULL;
        const kai_result r = kai_scene_open(&def, &scene, NULL);
        done = r == KAI_OK;
        if (!done) check_error(r, KAI_ERROR_MEMORY);
        if (!done) assert_null(scene);
        kai_scene_close(scene);
        assert_int_equal(a.blocks, 0);
        assert_int_equal(a.bytes, 0);
    }
    assert_true(done);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults),
        cmocka_unit_test(settings_and_outputs),
        cmocka_unit_test(joints_and_motors),
        cmocka_unit_test(particles),
        cmocka_unit_test(problems_of_particles),
        cmocka_unit_test(hash_of_the_resolved_scene),
        cmocka_unit_test(text_of_the_resolved_scene),
        cmocka_unit_test(misuse),
        cmocka_unit_test(without_memory),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
