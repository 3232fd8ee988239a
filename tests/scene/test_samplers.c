// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Particles of scenes that a sampler lays out: read, placed, in instances, and told what is wrong.
#include "scene_helper.h"

static kai_scene* open_text(const char* text)
{
    char* json = quoted(text);
    kai_scene_def def = kai_scene_def_default();
    def.path = "scene.json";
    def.text = json;
    def.text_size = strlen(json);
    kai_scene* scene = NULL;
    kai_scene_open(&def, &scene, NULL);
    free(json);
    assert_non_null(scene);
    return scene;
}

// The one problem of a scene, behind file, line and column.
static void check_text(const char* text, const char* expected)
{
    kai_scene* scene = open_text(text);
    char* problems = problems_text(scene);
    kai_scene_close(scene);
    const char *said = problems, *head = "scene.json:1:";
    if (strncmp(said, head, strlen(head)) == 0) said = strchr(said + strlen(head), ' ') + 1;
    const bool same = strcmp(said, expected) == 0;
    if (!same) print_error("%s\n  says      %s\n  expected  %s\n", text, problems, expected);
    free(problems);
    assert_true(same);
}

#define GROUP(more) \
    "{'name': 'g', 'shape': {'type': 'sphere', 'radius': 'r'}, 'density': 1000" more "}"
#define PARTICLES(more) SCENE("'parameters': {'r': '5 mm'}, 'particles': [" GROUP(more) "]")
#define SAMPLER(more)   PARTICLES(", 'sampler': {" more "}")
#define BOX             "'domain': {'type': 'box', 'size': ['4*r', '20 mm', 0.01]}"

static kai_vec3 particle(const kai_world* world, const char* group, size_t i)
{
    return kai_body_position(world, kai_particles_body(world, kai_particles_find(world, group), i));
}

static void samplers_are_read(void** state)
{
    kai_scene* scene = open_text(PARTICLES(
        ", 'at': [1, 2, 3], 'rotation': {'axis': [0, 0, 1], 'angle': '90 deg'}, 'sampler': {'type': "
        "'grid', 'domain': {'type': 'box', 'size': [0.04, 0.02, 0.01], 'at': [0.1, 0, 0]}}"));
    char* problems = problems_text(scene);
    assert_string_equal(problems, "");
    free(problems);
    const kai_world* world = kai_scene_world(scene);
    assert_int_equal(kai_particles_count(world, kai_particles_find(world, "g")), 8);
    // The first lies at (0.085, -0.005, 0) of the group.
    const kai_vec3 x = particle(world, "g", 0);
    check_near(x.x, 1.005, 1e-12, "x");
    check_near(x.y, 2.085, 1e-12, "y");
    check_near(x.z, 3.0, 1e-12, "z");
    kai_scene_close(scene);
}

static void instances_hold_them(void** state)
{
    kai_scene* scene =
        open_text(SCENE("'templates': {'t': {'parameters': {'r': '5 mm'}, 'particles': [" GROUP(
            ", 'sampler': {'type': 'hcp', " BOX "}") "]}}, 'instances': [{'template': 't', 'name': "
                                                     "'a', 'at': [0, 0, 1]}, {'template': 't', "
                                                     "'name': 'b', 'at': [0, 0, 2], 'parameters': "
                                                     "{'r': '2 mm'}}]"));
    char* problems = problems_text(scene);
    assert_string_equal(problems, "");
    free(problems);
    const kai_world* world = kai_scene_world(scene);
    const size_t a = kai_particles_count(world, kai_particles_find(world, "a.g")),
                 b = kai_particles_count(world, kai_particles_find(world, "b.g"));
    assert_true(a >= 3 && b > a);
    check_near(particle(world, "a.g", 0).z, 1.0, 1e-12, "z");
    // Spelled out it is the same scene.
    char* text = strdup(kai_scene_text(scene));
    const uint64_t hash = kai_world_hash(world);
    kai_scene_close(scene);
    scene = open_text(text);
    assert_non_null(kai_scene_world(scene));
    assert_true(kai_world_hash(kai_scene_world(scene)) == hash);
    kai_scene_close(scene);
    free(text);
}

static void mistakes_are_told_where_they_are(void** state)
{
    const char* at = "/particles/0/sampler";
    char text[256];
    check_text(PARTICLES(""), "/particles/0: file is missing; or give a sampler");
    check_text(PARTICLES(", 'file': 'x.csv', 'sampler': {'type': 'hcp', " BOX "}"),
               "/particles/0/sampler: file and sampler exclude each other");
    check_text(PARTICLES(", 'sampler': 3"),
               "/particles/0/sampler: sampler is 3; must be an object");
    check_text(SAMPLER(BOX), "/particles/0/sampler: type is missing");
    check_text(SAMPLER("'type': 'hcp'"), "/particles/0/sampler: domain is missing");
    check_text(SAMPLER("'type': 'hpc', " BOX),
               "/particles/0/sampler/type: type is \"hpc\"; did you mean \"hcp\"?");
    check_text(SAMPLER("'type': 'hcp', 'spacng': 1, " BOX),
               "/particles/0/sampler/spacng: unknown key \"spacng\"; did you mean \"spacing\"?");
    check_text(SAMPLER("'type': 'hcp', 'spacing': -1, " BOX),
               "/particles/0/sampler/spacing: spacing is -1 m; must be >= 0");
    check_text(SAMPLER("'type': 'poisson-disk', 'attempts': 0, " BOX),
               "/particles/0/sampler/attempts: attempts is 0; must be from 1 to 1000");
    check_text(SAMPLER("'type': 'hcp', 'domain': {'type': 'mesh'}"),
               "/particles/0/sampler/domain/type: type is \"mesh\"; must be one of: sphere, box, "
               "cylinder, capsule, cone");
    check_text(SAMPLER("'type': 'hcp', 'domain': {'type': 'box'}"),
               "/particles/0/sampler/domain: size is missing");
    snprintf(text, sizeof text,
             "%s: sampler hcp: no particle fits into the domain; the ball around one has a radius "
             "of 0.005 m",
             at);
    check_text(SAMPLER("'type': 'hcp', 'domain': {'type': 'sphere', 'radius': 0.004}"), text);
    check_text(SAMPLER("'type': 'hcp', 'domain': {'type': 'sphere', 'radius': '3 kg'}"),
               "/particles/0/sampler/domain/radius: radius is \"3 kg\": in kg; must be in m");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(samplers_are_read),
        cmocka_unit_test(instances_hold_them),
        cmocka_unit_test(mistakes_are_told_where_they_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
