// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The sections solids, nodes, elements and structures: a scene that works, and what a user is told
// about scenes that do not.
#include "scene_helper.h"

#include <kairos/kairos.h>

#define NYLON   "'solids': {'nylon': {'type': 'elastic', 'density': 1000, 'young': 1e8}}, "
#define MADE    "'element': {'type': 'ancf-cable', 'solid': 'nylon', 'radius': 0.01}"
#define LINE    "'type': 'cable', 'points': [[0, 0, 0], [1, 0, 0]], 'cells': 4, "
#define ROPE(x) SCENE(NYLON "'structures': [{'name': 'rope', " LINE MADE x "}]")

typedef struct bad_scene {
    const char* name;
    const char* text;     // ' for "
    const char* expected; // problems, one a line
} bad_scene;

// One row a scene.
// clang-format off
static const bad_scene BAD[] = {
    {"solids no object", SCENE("'solids': []"),
     "scene.json:1:50: /solids: solids is a list of 0; must be an object of solids by name"},
    {"solid without density", SCENE("'solids': {'nylon': {'type': 'elastic', 'young': 1}}"),
     "scene.json:1:60: /solids/nylon: density is missing"},
    {"solid of no kind", SCENE("'solids': {'nylon': {'type': 'elastc', 'young': 1}}"),
     "scene.json:1:69: /solids/nylon/type: type is \"elastc\"; did you mean \"elastic\"?"},
    {"structure of no kind", SCENE(NYLON "'structures': [{'type': 'cabel', " MADE "}]"),
     "scene.json:1:137: /structures/0/type: type is \"cabel\"; did you mean \"cable\"?"},
    {"structure of nothing", SCENE(NYLON "'structures': [{" LINE "'name': 'a'}]"),
     "scene.json:1:128: /structures/0: element is missing"},
    {"nodes given", SCENE(NYLON "'structures': [{" LINE "'element': {'type': 'ancf-cable', 'nodes': ['a', 'b'], "
                          "'solid': 'nylon', 'radius': 0.01}}]"),
     "scene.json:1:226: /structures/0/element/nodes: unknown key \"nodes\"; allowed: type, solid, radius, area, moment"},
    {"no such solid", SCENE(NYLON "'structures': [{" LINE "'element': {'type': 'ancf-cable', 'solid': 'nylo', 'radius': 0.01}}]"),
     "scene.json:1:235: /structures/0/element/solid: there is no solid \"nylo\"; did you mean \"nylon\"?"},
    {"no section", SCENE(NYLON "'structures': [{" LINE "'element': {'type': 'ancf-cable', 'solid': 'nylon'}}]"),
     "scene.json:1:128: /structures/0: cell 0 of the mesh, from node 0 at [0, 0, 0]: ancf-cable: its cross section is given by nothing; must be by either radius or area"},
    {"one point", SCENE(NYLON "'structures': [{'type': 'cable', 'points': [[0, 0, 0]], " MADE "}]"),
     "scene.json:1:156: /structures/0/points: points is a list of 1; must be a list of 2 or more"},
    {"wrong element", SCENE(NYLON "'structures': [{'type': 'sheet', 'size': [1, 1], 'cells': [2, 2], " MADE "}]"),
     "scene.json:1:128: /structures/0: sheet cannot be made of ancf-cable, which has 2 nodes"},
    {"tables beside a file and a mistake", SCENE(NYLON "'structures': [{'type': 'file', 'file': 'x.msh', "
      "'points': [[0, 0, 0], [1, 0, 0]], 'cells': [[0, 1]], 'scale': -1, " MADE "}]"),
     "scene.json:1:224: /structures/0/scale: scale is -1; must be > 0"},
    {"tables beside a file", SCENE(NYLON "'structures': [{'type': 'file', 'file': 'x.msh', "
      "'points': [[0, 0, 0], [1, 0, 0]], 'cells': [[0, 1]], " MADE "}]"),
     "scene.json:1:128: /structures/0: file and points exclude each other"},
    {"a node that nothing holds", SCENE("'nodes': [{'name': 'lone'}]"),
     "scene.json:1:50: /nodes/0: node 'lone' has no mass: no element holds it; it needs an element, a mass, or to be fixed"},
    {"a slope that nothing holds", SCENE("'nodes': [{'name': 'lone', 'mass': 1, 'slopes': 1, 'slope': [[1, 0, 0], [0, 0, 0]]}]"),
     "scene.json:1:50: /nodes/0: node 'lone' has no mass for its slopes: no element holds it; it needs an element, a mass, or to be fixed"},
    {"touching twice", ROPE(", 'contacts': [{'set': 'all', 'surface': 'capsules', 'radius': 0.1}, {'set': 'all', 'surface': 'capsules', 'radius': 0.2}]"),
     "scene.json:1:344: /structures/0/contacts/1: structure 'rope': its line of nodes #1, #2 touches things already; each can be in one of its contacts"},
    {"no such set", ROPE(", 'fixed': [{'set': 'x2'}]"),
     "scene.json:1:287: /structures/0/fixed/0: structure 'rope' has no set 'x2'; it has all, x0, x1"},
    {"no set", ROPE(", 'fixed': [{'coordinates': 'all'}]"),
     "scene.json:1:287: /structures/0/fixed/0: set is missing"},
    {"no coordinate", ROPE(", 'fixed': [{'set': 'x0', 'coordinates': 'positon'}]"),
     "scene.json:1:316: /structures/0/fixed/0/coordinates: coordinates is \"positon\"; did you mean \"position\"?"},
    {"no list", ROPE(", 'forces': {}"),
     "scene.json:1:287: /structures/0/forces: forces is an object; must be a list"},
    {"pressure on a rope", ROPE(", 'pressures': [{'set': 'all', 'pressure': 1}]"),
     "scene.json:1:291: /structures/0/pressures/0: set 'all' of structure 'rope' has no face to press on"},
    {"no such body", ROPE(", 'links': [{'set': 'x1', 'body': 'hook'}]"),
     "scene.json:1:309: /structures/0/links/0/body: there is no body \"hook\""},
    {"element between no nodes", SCENE(NYLON "'nodes': [{'name': 'a', 'slopes': 1, 'slope': [[1, 0, 0], [0, 0, 0]]}], "
      "'elements': [{'type': 'ancf-cable', 'solid': 'nylon', 'radius': 1, 'nodes': ['a', 'b']}]"),
     "scene.json:1:267: /elements/0/nodes/1: there is no node \"b\""},
    {"node without slopes", SCENE(NYLON "'nodes': [{'name': 'a'}, {'name': 'b', 'position': [1, 0, 0]}], "
      "'elements': [{'type': 'ancf-cable', 'solid': 'nylon', 'radius': 1, 'nodes': ['a', 'b']}]"),
     "scene.json:1:190: /elements/0: ancf-cable: nodes: node 'a' (#1) has 0 slopes; must have 1"},
    {"no line to slide along", ROPE("}], 'nodes': [{'name': 'bead', 'position': [0.1, 0, 0]}], 'joints': [{'type': 'node-slide', 'node': 'bead', 'structure': 'rop'"),
     "scene.json:1:344: /joints/0: node-slide: there is no structure 'rop'"},
    {"far from the line", ROPE("}], 'nodes': [{'name': 'bead', 'position': [0.1, 0.5, 0]}], 'joints': [{'type': 'node-slide', 'node': 'bead', 'structure': 'rope'"),
     "scene.json:1:346: /joints/0: node-slide: the point of node 'bead' is 0.5 m from the line, whose nearest point is [0.1, 0, 0]; must be within 0.0025 m, 0.01 of an element's length"},
    {"told once", SCENE(NYLON "'structures': [{'name': 'rope', " LINE "'element': {'type': 'ancf-cable', 'solid': 'nylon'}, "
      "'fixed': [{'set': 'x0'}]}], 'joints': [{'type': 'node-point', 'node': 'rope.x1'}], "
      "'outputs': [{'node': 'rope.x0', 'quantities': ['position'], 'file': 'a.csv'}]"),
     "scene.json:1:128: /structures/0: 'rope': cell 0 of the mesh, from node 0 at [0, 0, 0]: ancf-cable: its cross section is given by nothing; must be by either radius or area"},
};
// clang-format on

static void every_bad_structure_says_what_is_wrong(void** state)
{
    for (size_t i = 0; i < KAI_COUNT(BAD); i++) check_problems(BAD[i].text, NULL, BAD[i].expected);
}

// A rope that carries a body, a rod of beams and a single cable.
static void a_scene_is_built(void** state)
{
    kai_scene* scene = good_scene(SCENE(
        NYLON
        "'bodies': [{'name': 'load', 'mass': 1, 'inertia': [1, 1, 1], 'position': [1, 0, 0]}],"
        "'nodes': [{'name': 'a', 'slopes': 1, 'slope': [[0, 0, 1], [0, 0, 0]], 'fixed': 511},"
        "          {'name': 'b', 'slopes': 1, 'slope': [[0, 0, 1], [0, 0, 0]],"
        "           'position': [0, 0, 1]}],"
        "'elements': [{'name': 'one', 'type': 'ancf-cable', 'nodes': ['a', 'b'],"
        "              'solid': 'nylon', 'radius': 0.01}],"
        "'structures': ["
        " {'name': 'rope', " LINE MADE ", 'position': [0, 0, 2], 'fixed': [{'set': 'x0'}],"
        "  'links': [{'set': 'x1', 'body': 'load'}]},"
        " {'name': 'rod', " LINE
        "  'element': {'type': 'euler-beam', 'solid': 'nylon', 'width': 0.1, 'height': 0.2},"
        "  'fixed': [{'set': 'x0'}], 'forces': [{'set': 'x1', 'force': [0, 0, 1]}]},"
        " {'name': 'wire', " LINE MADE ", 'fixed': [{'set': 'all', 'coordinates': 'y'}],"
        "  'motions': [{'set': 'x0', 'displacement': [{'ramp': {'slope': 1}}, 0, 0]}]}],"
        "'joints': [{'name': 'knot', 'type': 'node-point', 'node': 'wire.x1'},"
        "           {'type': 'node-slide', 'body': 'load', 'at': [0.4, 0, 0], 'structure': 'rod'},"
        "           {'type': 'node-slide', 'node': 'rope.x0', 'element': 'one'}],"
        "'outputs': [{'node': 'rope.x1', 'quantities': ['displacement', 'slope'],"
        "             'file': 'tip.csv'},"
        "            {'body': 'rod.x1', 'quantities': ['position'], 'file': 'rod.csv'}]"));
    kai_world* world = kai_scene_world(scene);
    assert_int_equal(kai_structure_count(world), 3);
    assert_int_equal(kai_element_count(world), 13);
    assert_int_equal(kai_node_count(world), 12);
    assert_int_equal(kai_body_count(world), 6);
    kai_node_def def;
    check_ok(kai_node_get(world, kai_node_find(world, "rope.x0"), &def));
    assert_int_equal(def.fixed, KAI_NODE_FIX_ALL);
    check_vec3(def.position, kai_vec3_make(0.0, 0.0, 2.0), 1e-15, "where the structure is put");
    assert_true(kai_body_is_fixed(world, kai_body_find(world, "rod.x0")));
    kai_scene_close(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_bad_structure_says_what_is_wrong),
        cmocka_unit_test(a_scene_is_built),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
