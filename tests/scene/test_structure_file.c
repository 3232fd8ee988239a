// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Meshes from files: both formats of Gmsh and that of Abaqus give the same structure; shapes are
// meshed; what is wrong is told.
#include "scene_helper.h"

#include <kairos/kairos.h>

// Two bars in a row and a point beside that belongs to nothing.
static const char MSH2[] =
    "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n2\n0 7 \"left end\"\n"
    "1 3 \"rod\"\n$EndPhysicalNames\n$Nodes\n4\n1 0 0 0\n2 0.5 0 0\n5 1 0 0\n"
    "9 3 3 3\n$EndNodes\n$Elements\n3\n1 15 2 7 1 1\n2 1 2 3 1 1 2\n"
    "3 1 2 3 1 2 5\n$EndElements\n";
static const char MSH4[] =
    "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$PhysicalNames\n2\n0 7 \"left end\"\n"
    "1 3 \"rod\"\n$EndPhysicalNames\n$Entities\n1 1 0 0\n1 0 0 0 1 7 \n"
    "1 0 0 0 1 0 0 1 3 2 1 -2 \n$EndEntities\n$Nodes\n2 4 1 9\n0 1 0 1\n1\n"
    "0 0 0\n1 1 0 3\n2\n5\n9\n0.5 0 0\n1 0 0\n3 3 3\n$EndNodes\n$Elements\n"
    "2 3 1 3\n0 1 15 1\n1 1\n1 1 1 2\n2 1 2\n3 2 5\n$EndElements\n";
static const char INP[] =
    "*Heading\n a rod\n** comment\n*Node\n 1, 0, 0, 0\n 2, 0.5, 0., 0\n5, 1, 0, 0\n"
    "9, 3, 3, 3\n*Element, type=T3D2, elset=rod\n1, 1, 2\n2, 2,\n5\n"
    "*Nset, nset=left end\n1,\n*Material, name=steel\n 2e11, 0.3\n";

#define STEEL "'solids': {'steel': {'type': 'elastic', 'density': 1, 'young': 1}}, "
#define BAR   "'element': {'type': 'bar', 'solid': 'steel', 'area': 1}"
#define FILE_(name) \
    SCENE(STEEL "'structures': [{'name': 's', 'type': 'file', 'file': '" name "', " BAR "}]")

static void check_rod(const char* name, const char* text)
{
    char json[512];
    write_file(name, text);
    snprintf(json, sizeof json,
             SCENE(STEEL "'structures': [{'name': 's', 'type': 'file', 'file': '%s', 'scale': 2,"
                         " " BAR ", 'fixed': [{'set': 'left end'}]}]"),
             name);
    kai_scene* scene = good_scene(json);
    kai_world* world = kai_scene_world(scene);
    const kai_structure s = kai_structure_find(world, "s");
    assert_int_equal(kai_structure_size(world, s, NULL), 3);
    assert_int_equal(kai_structure_element_count(world, s), 2);
    assert_int_equal(kai_structure_size(world, s, "rod"), 3);
    assert_int_equal(kai_structure_size(world, s, "left end"), 1);
    kai_node_def def;
    check_ok(kai_node_get(world, kai_node_find(world, "s.left end"), &def));
    assert_int_equal(def.fixed, KAI_NODE_FIX_ALL);
    check_ok(kai_node_get(world, kai_structure_node_at(world, s, NULL, 2), &def));
    check_vec3(def.position, kai_vec3_make(2.0, 0.0, 0.0), 1e-15, "scaled");
    kai_scene_close(scene);
}

static void formats_agree(void** state)
{
    check_rod("two.msh", MSH2);
    check_rod("four.msh", MSH4);
    check_rod("rod.inp", INP);
}

// Every file, cut short anywhere, is read or refused, and nothing else.
static void cut_files_are_refused(void** state)
{
    static const char* const TEXTS[] = {MSH2, MSH4, INP};
    static const char* const NAMES[] = {"a.msh", "a.msh", "a.inp"};
    for (size_t i = 0; i < KAI_COUNT(TEXTS); i++) {
        for (size_t n = 0; n < strlen(TEXTS[i]); n++) {
            char text[1024];
            snprintf(text, sizeof text, "%.*s", (int)n, TEXTS[i]);
            write_file(NAMES[i], text);
            kai_structure_file_params p;
            kai_error err = {0};
            kai_kind_defaults(&kai_structure_file.kind, &p);
            if (kai_structure_file_read(NAMES[i], &kai_element_bar, 0.0, &p, &err) == KAI_OK)
                kai_structure_file_free(&p);
            else
                assert_true(strncmp(err.message, NAMES[i], 5) == 0);
        }
    }
}

static void check_message(const char* name, const char* text, const char* expected)
{
    write_file(name, text);
    kai_structure_file_params p;
    kai_error err = {0};
    kai_kind_defaults(&kai_structure_file.kind, &p);
    const kai_result r = kai_structure_file_read(name, &kai_element_bar, 0.0, &p, &err);
    if (r == KAI_OK) kai_structure_file_free(&p);
    assert_string_equal(r == KAI_OK ? "" : err.message, expected);
}

#define NODES "*NODE\n1, 0, 0, 0\n2, 1, 0, 0\n3, 1, 1, 0\n4, 0, 1, 0\n"

static void wrong_files_say_what_is_wrong(void** state)
{
    check_message("a.msh", "", "a.msh: line 0: $MeshFormat is missing");
    check_message("a.msh", "$Nodes\n1\n1 0 0 0\n", "a.msh: line 1: $MeshFormat must come first");
    check_message("a.msh", "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n2\n1 0 0 0\n",
                  "a.msh: line 6: the file ends too early");
    check_message("a.msh", "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n1\n1 0 x 0\n",
                  "a.msh: line 6: a number is expected");
    check_message("a.inp", NODES "*ELEMENT, TYPE=S4\n1, 1, 2, 3, 4\n",
                  "a.inp: it has no lines of 2 nodes for bar; it has 1 quadrangles of 4 nodes");
    check_message("a.inp", NODES "*ELEMENT, TYPE=T3D2\n1, 1, 7\n",
                  "a.inp: cell 1 names node 7, which is not there");
    check_message("a.inp", NODES "1, 2, 3, 4\n*ELEMENT, TYPE=T3D2\n1, 1, 2\n",
                  "a.inp: node 1 is given twice");
    check_message("a.inp", NODES "*ELEMENT, TYPE=T3D2\n1, 1, 2, 3\n",
                  "a.inp: line 7: cell 1 has 3 nodes; one of type T3D2 must have 2");
    check_message("a.inp", NODES "*ELEMENT, TYPE=C3D8\n1, 1, 2, 3\n",
                  "a.inp: line 7: cell 1 has 3 nodes; one of type C3D8 must have 8");
    check_message("a.inp", "*INCLUDE, INPUT=b.inp\n",
                  "a.inp: line 1: *INCLUDE is not supported; put all into one file");
    check_message("a.txt", "",
                  "a.txt: its name must end in .msh, .inp, .step, .stp, .brep or .iges");
    check_problems(
        FILE_("none.msh"), NULL,
        "scene.json:1:161: /structures/0/file: file \"none.msh\" cannot be opened: No such "
        "file or directory");
}

// Meshes that are wrong though their file is right, given as tables.
static void wrong_meshes_say_what_is_wrong(void** state)
{
#define MESH(x) SCENE(STEEL "'structures': [{'type': 'file', " x ", " BAR "}]")
#define AT      "scene.json:1:123: /structures/0: "
    static const char* const BAD[][2] = {
        {MESH("'scale': 1"), AT "file is missing; or give points and cells"},
        {MESH("'points': [[0, 0, 0], [1, 0, 0]], 'cells': [[0, 2]]"),
         AT "cells: row 0 names node 2; there are nodes 0 to 1"},
        {MESH("'points': [[0, 0, 0], [1, 0, 0]], 'cells': [[0, 0.5]]"),
         AT "cells: row 0 names node 0.5; there are nodes 0 to 1"},
        {MESH("'points': [[0, 0, 0], [1, 0, 0]], 'cells': [[0, 1, 0]]"),
         AT "cells have 3 nodes; bar must have 2"},
        {MESH("'points': [[0, 0, 0], [1, 0, 0]], 'cells': [[1, 1]]"),
         AT "cell 0 of the mesh names node 1 twice; must be different ones"},
        {MESH("'points': [[0, 0, 0], [1, 0, 0], [2, 0, 0]], 'cells': [[0, 1]]"),
         AT "node 2 of the mesh at [2, 0, 0] belongs to no cell; must belong to one"},
        {MESH("'points': [[0, 0, 0], [1, 0, 0], [1, 0, 0], [2, 0, 0]], 'cells': [[0, 1], [2, 3]]"),
         AT "nodes 1 and 2 of the mesh are both at [1, 0, 0]; must be one node"},
        {MESH("'points': [[0, 0, 0], [2, 0, 0], [1, 0, 0], [1, 1, 0]], 'cells': [[0, 1], [2, 3]]"),
         AT "node 2 of the mesh at [1, 0, 0] hangs on the edge from node 0 to node 1 of cell 0; "
            "cells must meet in nodes"},
        {MESH("'points': [[0, 0, 0], [1, 0, 0]], 'cells': [[0, 1]],"
              "'groups': [{'name': 'end', 'nodes': [2]}]"),
         AT "end: row 0 names node 2; there are nodes 0 to 1"},
    };
    for (size_t i = 0; i < KAI_COUNT(BAD); i++) check_problems(BAD[i][0], NULL, BAD[i][1]);
}

// A block of 3 × 2 × 1 out of a CAD program, meshed with tetrahedra: they fill it, and its six
// faces are sets.
static const kai_element_face TET_FACES[] = {
    {3, {0, 2, 1}}, {3, {0, 1, 3}}, {3, {1, 2, 3}}, {3, {2, 0, 3}}};
static const kai_element_kind TET = {.kind = {KAI_SIZES(kai_element_kind), .name = "tetrahedron"},
                                     .nodes = 4,
                                     .faces = TET_FACES,
                                     .face_count = 4};

static void a_shape_is_meshed(void** state)
{
    static const char PATH[] = KAIROS_SOURCE_DIR "/tests/scene/meshes/block.step";
    kai_structure_file_params p;
    kai_error err = {0};
    kai_kind_defaults(&kai_structure_file.kind, &p);
    const kai_result r = kai_structure_file_read(PATH, &TET, 0.5, &p, &err);
    if (r == KAI_ERROR_UNSUPPORTED) {
        assert_non_null(strstr(err.message, "Gmsh")); // not built with it, or not installed
        skip();
    }
    if (r != KAI_OK) fail_msg("%s", err.message);
    double volume = 0.0;
    for (uint32_t i = 0; i < p.cells.rows; i++) {
        kai_vec3 at[4];
        for (int k = 0; k < 4; k++) {
            const double* x = p.points.data + 3 * (size_t)p.cells.data[4 * (size_t)i + (size_t)k];
            at[k] = kai_vec3_make(x[0], x[1], x[2]);
        }
        const kai_vec3 a = kai_vec3_sub(at[1], at[0]), b = kai_vec3_sub(at[2], at[0]);
        const double v = kai_vec3_dot(kai_vec3_cross(a, b), kai_vec3_sub(at[3], at[0])) / 6.0;
        assert_true(v > 0.0);
        volume += v;
    }
    assert_true(p.cells.rows > 50);
    check_relative(volume, 6.0, 1e-9, "the volume of the block");
    assert_int_equal(p.groups.count, 6);
    kai_structure_file_free(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(formats_agree, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(cut_files_are_refused, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(wrong_files_say_what_is_wrong, enter_folder, leave_folder),
        cmocka_unit_test(wrong_meshes_say_what_is_wrong),
        cmocka_unit_test(a_shape_is_meshed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
