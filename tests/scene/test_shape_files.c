// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Shapes in scenes that name files: where they are looked for, what is said when they are wrong,
// and that a resumed scene knows when they changed.
#include "geometry/shape_data.h"
#include "scene_helper.h"

static const char CUBE[] =
    "v 0.5 0.5 0.5\n"

    "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n"
    "f 5 4 3 2\nf 6 7 8 9\nf 2 3 7 6\nf 3 4 8 7\nf 4 5 9 8\nf 5 2 6 9\n";
static const char OPEN[] = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n";

#define MOVING(x) BODY("'density': 1000, 'shapes': [{" x "}]")

static int start(void** state)
{
    if (enter_folder(state) != 0) return -1;
    assert_int_equal(mkdir("parts", 0777), 0);
    write_file("parts/cube.obj", CUBE);
    write_file("parts/open.obj", OPEN);
    write_file("parts/bad.obj", "v 0 0 0\nf 1 2 3\n");
    write_file("hills.csv", "0,0,0\n0,1,0\n0,0,0\n");
    write_file("parts/body.json", "{'bodies': [{'density': 1, 'shapes': [{'type': 'mesh', 'file': "
                                  "'cube.obj'}]}]}");
    return 0;
}

static void test_good(void** state)
{
    kai_scene* scene = good_scene(SCENE(
        "'bodies': [{'density': 1000, 'shapes': [{'type': 'mesh', 'file': 'parts/cube.obj', 'scale': 2}]},"
        "{'density': 1000, 'shapes': [{'type': 'hull', 'file': 'parts/cube.obj', 'family': 3, 'mask': 5, "
        "'radius_margin': 0.5}]},"
        "{'fixed': true, 'shapes': [{'type': 'mesh', 'file': 'parts/open.obj'}, "
        "{'type': 'heightfield', 'file': 'hills.csv', 'spacing': 0.5, 'scale': 3}]}]"));
    kai_world* world = kai_scene_world(scene);
    kai_mass_properties m;
    check_ok(kai_body_mass(world, kai_body_at(world, 0), &m));
    check_relative(m.mass, 8000.0, 1e-14, "2³");
    check_vec3(m.com, kai_vec3_make(1, 1, 1), 1e-14, "middle");
    check_ok(kai_body_mass(world, kai_body_at(world, 1), &m));
    check_relative(m.mass, 8000.0, 1e-14, "grown by half all around");
    kai_shape_def def;
    check_ok(kai_shape_get(world, kai_shape_first(world, kai_body_at(world, 1)), NULL, NULL, &def,
                           NULL));
    const void* corners;
    check_ok(kai_shape_get(world, kai_shape_first(world, kai_body_at(world, 1)), NULL, &corners,
                           NULL, NULL));
    assert_int_equal(((const kai_shape_hull_params*)corners)->points.rows, 8); // not the middle
    assert_int_equal(def.family, 3);
    assert_int_equal(def.mask, 5);
    const void* params;
    kai_shape ground = kai_shape_first(world, kai_body_at(world, 2));
    ground = kai_shape_next(world, ground);
    check_ok(kai_shape_get(world, ground, NULL, &params, NULL, NULL));
    check_near(((const kai_shape_heightfield_instance*)params)->data->field.high.z, 3.0, 0.0,
               "3 · 1");
    kai_scene_close(scene);
    // A file named in an included file is looked for beside that one.
    scene = good_scene(SCENE("'include': 'parts/body.json'"));
    kai_scene_close(scene);
}

static void test_bad(void** state)
{
    check_problems(
        SHAPE("'type': 'mesh'"), NULL,
        "scene.json:1:78: /bodies/0/shapes/0: file is missing; or give vertices and triangles");
    check_problems(SHAPE("'type': 'hull'"), NULL,
                   "scene.json:1:78: /bodies/0/shapes/0: file is missing; or give points");
    check_problems(SHAPE("'type': 'heightfield', 'spacing': 1"), NULL,
                   "scene.json:1:78: /bodies/0/shapes/0: file is missing; or give grid");
    check_problems(
        SHAPE("'type': 'heightfield', 'spacing': 1, 'grid': [[1, 2], [3]]"), NULL,
        "scene.json:1:133: /bodies/0/shapes/0/grid/1: grid[1] is a list of 1; must be a row of 2 numbers");
    check_problems(
        SHAPE("'type': 'mesh', 'file': 'none.obj'"), NULL,
        "scene.json:1:103: /bodies/0/shapes/0/file: file \"none.obj\" cannot be opened: No "
        "such file or directory");
    check_problems(
        SHAPE("'type': 'mesh', 'file': '../cube.obj'"), NULL,
        "scene.json:1:103: /bodies/0/shapes/0/file: file \"../cube.obj\" lies outside the "
        "scene's folder; --allow-outside permits it");
    check_problems(
        SHAPE("'type': 'mesh', 'file': 'parts/bad.obj'"), NULL,
        "scene.json:1:103: /bodies/0/shapes/0/file: parts/bad.obj: line 2: vertex 2 does not "
        "exist; there are 1 so far");
    check_problems(
        SHAPE("'type': 'mesh', 'file': 'hills.csv'"), NULL,
        "scene.json:1:103: /bodies/0/shapes/0/file: hills.csv: a mesh file must end in .obj, "
        ".stl, .gltf, .glb or .dae");
    check_problems(
        SHAPE(
            "'type': 'hull', 'file': 'parts/cube.obj', 'points': [[0,0,0],[1,0,0],[0,1,0],[0,0,1]]"),
        NULL, "scene.json:1:103: /bodies/0/shapes/0/file: file and points exclude each other");
    check_problems(
        MOVING("'type': 'mesh', 'file': 'parts/open.obj'"), NULL,
        "scene.json:1:51: /bodies/0: parts/open.obj: mesh bounds no volume: 4 open edges, 0 "
        "with more than two triangles, 0 whose triangles face opposite ways; the first at "
        "triangle 0, from [0, 0, 0] to [1, 0, 0]");
    check_problems(
        MOVING("'type': 'mesh', 'file': 'parts/open.obj', 'decompose': true"), NULL,
        "scene.json:1:80: /bodies/0/shapes/0: parts/open.obj: mesh bounds no volume: 4 open "
        "edges, 0 with more than two triangles, 0 whose triangles face opposite ways; the "
        "first at triangle 0, from [0, 0, 0] to [1, 0, 0]");
    check_problems(MOVING("'type': 'hull', 'file': 'parts/open.obj'"), NULL,
                   "scene.json:1:51: /bodies/0: parts/open.obj: hull: all points lie in one plane, "
                   "1.41421 m long and 0 m thick; must enclose a volume");
}

int main(void)
{
#ifndef KAIROS_HAVE_QHULL
    return 77;
#endif
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_good),
        cmocka_unit_test(test_bad),
    };
    return cmocka_run_group_tests(tests, start, leave_folder);
}
