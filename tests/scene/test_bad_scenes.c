// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Scenes that are wrong, and exactly what a user is told about each of them.
#include "scene_helper.h"

typedef struct bad_scene {
    const char* name;
    const char* text;     // ' for "
    const char* expected; // problems, one a line
} bad_scene;

#define X50 "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"

// One row a scene.
// clang-format off
static const bad_scene BAD[] = {
    // Syntax
    {"empty", "",
     "scene.json:1:1: file is empty"},
    {"only spaces", " \n ",
     "scene.json:1:1: file is empty"},
    {"not an object", "[1, 2]",
     "scene.json:1:1: a scene must be an object"},
    {"number alone", "3",
     "scene.json:1:1: a scene must be an object"},
    {"missing comma", "{'kairos': 1\n 'step': 1}",
     "scene.json:2:2: bad JSON: ',' or '}' expected, found \"step\""},
    {"missing colon", "{'kairos' 1}",
     "scene.json:1:11: bad JSON: ':' expected, found 1"},
    {"trailing comma", "{'kairos': 1,}",
     "scene.json:1:14: bad JSON: nothing stands between ',' and '}'"},
    {"cut short", "{'kairos': 1, 'step': ",
     "scene.json:1:23: file ends too early"},
    {"trailing garbage", "{'kairos': 1} x",
     "scene.json:1:15: unexpected x after the end"},
    {"duplicate key", "{'kairos': 1, 'step': 1,\n 'step': 2}",
     "scene.json:2:2: key \"step\" is given twice"},
    {"NaN", "{'kairos': 1, 'step': NaN}",
     "scene.json:1:23: NaN is not allowed; numbers must be finite"},
    {"Infinity", "{'kairos': 1, 'end': -Infinity}",
     "scene.json:1:22: -Infinity is not allowed; numbers must be finite"},
    {"huge exponent", "{'kairos': 1, 'end': 1e999}",
     "scene.json:1:22: number 1e999 is too large; numbers must be finite"},
    {"comment", "{'kairos': 1, # one\n 'step': 1}",
     "scene.json:1:15: comments begin with //"},
    {"comment without end", "{'kairos': 1, /* one\n 'step': 1}",
     "scene.json:1:15: a comment is // to the end of the line, or /* to */"},
    {"after comments", "{'kairos': 1, // 'one' {\n /* [ \n\n */ 'step' 1}",
     "scene.json:4:12: bad JSON: ':' expected, found 1"},
    {"text without end", "{'kairos': 'abc",
     "scene.json:1:12: file ends too early"},
    {"bad escape", "{'name': 'a\\q'}",
     "scene.json:1:10: bad JSON: invalid escape, found \"a\\q\""},
    {"invalid UTF-8", "{'name': 'a\xff'}",
     "scene.json:1:12: text is not valid UTF-8"},
    {"NUL escape", "{'name': 'a\\u0000b'}",
     "scene.json:1:10: \\u0000 is not allowed in texts"},
    {"control character in text", "{'name': 'a\tb'}",
     "scene.json:1:10: bad JSON: control character 0x9, found \"a b\""},
    // Top level
    {"no keys", "{}",
     "scene.json:1:1: kairos is missing\n"
     "scene.json:1:1: end is missing"},
    {"wrong version", "{'kairos': 2, 'step': 1, 'end': 1}",
     "scene.json:1:12: /kairos: kairos is 2; must be 1"},
    {"version as text", "{'kairos': 'one', 'step': 1, 'end': 1}",
     "scene.json:1:13: /kairos: kairos is \"one\": there is no \"one\""},
    {"version not whole", "{'kairos': 1.5, 'step': 1, 'end': 1}",
     "scene.json:1:12: /kairos: kairos is 1.5; must be a whole number"},
    {"zero step", "{'kairos': 1, 'step': 0, 'end': 1}",
     "scene.json:1:23: /step: step is 0 s; must be > 0"},
    {"negative end", "{'kairos': 1, 'step': 1, 'end': -1}",
     "scene.json:1:33: /end: end is -1 s; must be >= 0"},
    {"unknown key, near", SCENE("'gravty': [0, 0, 0]"),
     "scene.json:1:40: /gravty: unknown key \"gravty\"; did you mean \"gravity\"?"},
    {"unknown key, far", SCENE("'banana': 1"),
     "scene.json:1:40: /banana: unknown key \"banana\""},
    {"gravity of two", SCENE("'gravity': [0, -9.81]"),
     "scene.json:1:51: /gravity: gravity is a list of 2; must be three numbers"},
    {"gravity with a text", SCENE("'gravity': [0, 0, 'down']"),
     "scene.json:1:59: /gravity/2: gravity[2] is \"down\": there is no \"down\""},
    {"null", SCENE("'gravity': null"),
     "scene.json:1:51: /gravity: gravity is null; must be three numbers"},
    {"contact method", SCENE("'contact': 'impulse'"),
     "scene.json:1:51: /contact: contact is \"impulse\"; must be one of: none, nsc, smc"},
    {"step by another word", "{'kairos': 1, 'step': 'fast', 'end': 1}",
     "scene.json:1:24: /step: step is \"fast\": there is no \"fast\""},
    {"contact without euler", SCENE("'contact': 'nsc', 'integrator': 'rk4'"),
     "scene.json:1:51: /contact: integrator 'rk4' cannot do contact nsc; use euler or euler-implicit"},
    {"contact speed", SCENE("'contact': {'method': 'nsc', 'recovery_speed': -1}"),
     "scene.json:1:87: /contact/recovery_speed: recovery_speed is -1 m/s; must be >= 0"},
    {"integrator, near", SCENE("'integrator': 'eulr'"),
     "scene.json:1:54: /integrator: integrator is \"eulr\"; did you mean \"euler\"?"},
    {"integrator, far", SCENE("'integrator': {'type': 'adams'}"),
     "scene.json:1:63: /integrator/type: type is \"adams\"; must be one of: euler, leapfrog, rk4, euler-implicit, trapezoidal, newmark, hht"},
    {"integrator without type", SCENE("'integrator': {}"),
     "scene.json:1:54: /integrator: type is missing"},
    {"integrator parameter", SCENE("'integrator': {'type': 'rk4', 'order': 4}"),
     "scene.json:1:70: /integrator/order: unknown key \"order\"; allowed: type"},
    {"bodies no list", SCENE("'bodies': {}"),
     "scene.json:1:50: /bodies: bodies is an object; must be a list"},
    {"name too long", SCENE("'name': '" X50 X50 X50 X50 X50 X50 "'"),
     "scene.json:1:48: /name: name has 300 bytes; must have at most 255"},
    {"description no text", SCENE("'description': 1"),
     "scene.json:1:55: /description: description is 1; must be a text"},
    {"trajectory", SCENE("'trajectory': {'compression': 12}"),
     "scene.json:1:70: /trajectory/compression: compression is 12; must be from -1 to 9"},
    {"trajectory fields", SCENE("'trajectory': {'fields': ['speed', 'contact_forc']}"),
     "scene.json:1:75: /trajectory/fields/1: fields[1] is \"contact_forc\"; did you mean "
     "\"contact_force\"?"},
    {"trajectory fields are words", SCENE("'trajectory': {'fields': 'speed'}"),
     "scene.json:1:65: /trajectory/fields: fields is \"speed\"; must be a list of words"},
    {"trajectory key", SCENE("'trajectory': {'evry': 1}"),
     "scene.json:1:55: /trajectory/evry: unknown key \"evry\"; did you mean \"every\"?"},
    {"integrator out of range", SCENE("'integrator': {'type': 'hht', 'alpha': 0.1}"),
     "scene.json:1:79: /integrator/alpha: alpha is 0.1; must be from -0.333333333333333 to 0"},
    {"solver, not there yet", SCENE("'solver': 'lu'"),
     "scene.json:1:50: /solver: solver is \"lu\"; must be one of: auto, direct, minres, gmres, bicgstab, cg, psor, bb, apgd, admm, newton"},
    {"solver that was taken out", SCENE("'solver': {'cone': 'jacobi'}"),
     "scene.json:1:59: /solver/cone: cone is \"jacobi\", which was taken out; write \"psor\""},
    {"solver in an object", SCENE("'solver': {'type': 'driect'}"),
     "scene.json:1:59: /solver/type: type is \"driect\"; did you mean \"direct\"?"},
    {"solver a number", SCENE("'solver': 1"),
     "scene.json:1:50: /solver: solver is 1; must be one of: auto, direct, minres, gmres, bicgstab, cg, psor, bb, apgd, admm, newton"},
    {"solver without iterations", SCENE("'solver': {'type': 'minres', 'iterations': -1}"),
     "scene.json:1:83: /solver/iterations: iterations is -1; must be from 0 to 1000000000"},
    {"analysis, not there yet", SCENE("'analysis': 'modal'"),
     "scene.json:1:52: /analysis: analysis is \"modal\"; must be one of: dynamics, statics, assembly, linear-statics, quasi-statics"},
    // Materials
    {"material out of range", SCENE("'materials': {'ice': {'restitution': 1.5}}"),
     "scene.json:1:77: /materials/ice/restitution: restitution is 1.5; must be from 0 to 1"},
    {"material key", SCENE("'materials': {'ice': {'fricton': 0.1}}"),
     "scene.json:1:62: /materials/ice/fricton: unknown key \"fricton\"; did you mean \"friction\"?"},
    {"pair of an unknown material", SCENE("'materials': {'ice': {}}, 'material_pairs': [{'materials': ['ice', 'icee']}]"),
     "scene.json:1:107: /material_pairs/0/materials/1: there is no material \"icee\"; did you mean \"ice\"?"},
    {"pair given twice", SCENE("'materials': {'ice': {}, 'oak': {}}, 'material_pairs': [{'materials': ['ice', 'oak'], 'friction': 1},\n"
                               "{'materials': ['oak', 'ice'], 'friction': 1}]"),
     "scene.json:2:1: /material_pairs/1: material pair: 'oak' with 'ice' is given twice; must be given once"},
    {"pair out of range", SCENE("'materials': {'ice': {}}, 'material_pairs': [{'materials': ['ice', 'ice'], 'restitution': 2}]"),
     "scene.json:1:130: /material_pairs/0/restitution: restitution is 2; must be from 0 to 1"},
    {"pair of one", SCENE("'materials': {'ice': {}}, 'material_pairs': [{'materials': 'ice'}]"),
     "scene.json:1:99: /material_pairs/0/materials: materials is \"ice\"; must be a list of 2, each the name of a material"},
    {"pair without materials", SCENE("'material_pairs': [{'friction': 1}]"),
     "scene.json:1:59: /material_pairs/0: materials is missing"},
    {"pair with another key", SCENE("'materials': {'ice': {}}, 'material_pairs': [{'materials': ['ice', 'ice'], 'young': 2}]"),
     "scene.json:1:115: /material_pairs/0/young: unknown key \"young\""},
    {"pairs no list", SCENE("'material_pairs': {}"),
     "scene.json:1:58: /material_pairs: material_pairs is an object; must be a list"},
    {"materials no object", SCENE("'materials': []"),
     "scene.json:1:53: /materials: materials is a list of 0; must be an object of materials by name"},
    {"material no object", SCENE("'materials': {'ice': 3}"),
     "scene.json:1:61: /materials/ice: ice is 3; must be an object"},
    {"material without name", SCENE("'materials': {'': {}}"),
     "scene.json:1:54: /materials/: a material has an empty name; it must have a letter"},
    // Bodies
    {"body no object", SCENE("'bodies': [3]"),
     "scene.json:1:51: /bodies/0: bodies[0] is 3; must be an object"},
    {"negative mass", BODY("'mass': -2, 'inertia': [1, 1, 1]"),
     "scene.json:1:60: /bodies/0/mass: mass is -2 kg; must be > 0"},
    {"mass as text", BODY("'mass': 'heavy', 'inertia': [1, 1, 1]"),
     "scene.json:1:61: /bodies/0/mass: mass is \"heavy\": there is no \"heavy\""},
    {"without mass", BODY("'name': 'a'"),
     "scene.json:1:51: /bodies/0: body has no mass: give mass and inertia, or density with shapes, or \"fixed\": true"},
    {"mass without inertia", BODY("'mass': 1"),
     "scene.json:1:51: /bodies/0: inertia is missing: the body has a mass, and no shapes to take it from"},
    {"inertia without mass", BODY("'inertia': [1, 1, 1]"),
     "scene.json:1:51: /bodies/0: mass is missing: the body has an inertia"},
    {"density without shapes", BODY("'density': 1000"),
     "scene.json:1:63: /bodies/0/density: density needs shapes; the body has none"},
    {"shape without density", BODY("'shapes': [{'type': 'sphere', 'radius': 1}]"),
     "scene.json:1:51: /bodies/0: body has no mass: give mass and inertia, or density with shapes, or \"fixed\": true"},
    {"plane has no mass", BODY("'density': 1, 'shapes': [{'type': 'plane'}]"),
     "scene.json:1:51: /bodies/0: body: has no shape with a volume; needs one"},
    {"com without inertia", BODY("'mass': 1, 'com': [0, 0, 1], 'shapes': [{'type': 'sphere', 'radius': 1}]"),
     "scene.json:1:51: /bodies/0: inertia is missing: it goes with com"},
    {"inertia of four", BODY("'mass': 1, 'inertia': [1, 1, 1, 0]"),
     "scene.json:1:74: /bodies/0/inertia: inertia is a list of 4; must be three or six numbers"},
    {"inertia not positive", BODY("'mass': 1, 'inertia': [1, 1, 1, 2, 0, 0]"),
     "scene.json:1:74: /bodies/0/inertia: inertia has a principal moment of -1 kg m^2; must be > 0"},
    {"name used twice", BODY("'name': 'a', 'fixed': true}, {'name': 'a', 'fixed': true"),
     "scene.json:1:90: /bodies/1/name: body name \"a\" is used twice; must be unique"},
    {"empty name", BODY("'name': '', 'fixed': true"),
     "scene.json:1:60: /bodies/0/name: name is empty; leave it out or give one"},
    {"name no text", BODY("'name': 3, 'fixed': true"),
     "scene.json:1:60: /bodies/0/name: name is 3; must be a text"},
    {"fixed no boolean", BODY("'fixed': 'yes', 'mass': 1, 'inertia': [1, 1, 1]"),
     "scene.json:1:62: /bodies/0/fixed: fixed is \"yes\": there is no \"yes\""},
    {"position of objects", BODY("'fixed': true, 'position': {'x': 1}"),
     "scene.json:1:79: /bodies/0/position: position is an object; must be three numbers"},
    {"body key", BODY("'fixed': true, 'positoin': [0, 0, 0]"),
     "scene.json:1:67: /bodies/0/positoin: unknown key \"positoin\"; did you mean \"position\"?"},
    // Rotations
    {"quaternion not unit", BODY("'fixed': true, 'rotation': [1, 1, 0, 0]"),
     "scene.json:1:79: /bodies/0/rotation: rotation is [1, 1, 0, 0], of length 1.41421; must be of length 1"},
    {"quaternion zero", BODY("'fixed': true, 'rotation': [0, 0, 0, 0]"),
     "scene.json:1:79: /bodies/0/rotation: rotation is [0, 0, 0, 0], of length 0; must be of length 1"},
    {"quaternion of three", BODY("'fixed': true, 'rotation': [1, 0, 0]"),
     "scene.json:1:79: /bodies/0/rotation: rotation is a list of 3; must be a rotation: [w,x,y,z], axis and angle, or Euler angles"},
    {"rotation axis zero", BODY("'fixed': true, 'rotation': {'axis': [0, 0, 0], 'angle': 1}"),
     "scene.json:1:79: /bodies/0/rotation: axis is [0, 0, 0]; must not be zero"},
    {"rotation without angle", BODY("'fixed': true, 'rotation': {'axis': [0, 0, 1]}"),
     "scene.json:1:79: /bodies/0/rotation: angle is missing"},
    {"Euler order", BODY("'fixed': true, 'rotation': {'euler': [0, 0, 1], 'order': 'xxz'}"),
     "scene.json:1:109: /bodies/0/rotation/order: order is \"xxz\"; did you mean \"xyz\"?"},
    {"rotation key", BODY("'fixed': true, 'rotation': {'euler': [0, 0, 1], 'angle': 1}"),
     "scene.json:1:100: /bodies/0/rotation/angle: unknown key \"angle\"; allowed: euler, order"},
    // Shapes
    {"shape kind, near", SHAPE("'type': 'spere', 'radius': 1"),
     "scene.json:1:87: /bodies/0/shapes/0/type: type is \"spere\"; did you mean \"sphere\"?"},
    {"shape kind, far", SHAPE("'type': 'torus'"),
     "scene.json:1:87: /bodies/0/shapes/0/type: type is \"torus\"; must be one of: sphere, ellipsoid, box, cylinder, capsule, cone, plane, hull, "
                               "mesh, heightfield"},
    {"shape without type", SHAPE("'radius': 1"),
     "scene.json:1:78: /bodies/0/shapes/0: type is missing"},
    {"shape type no text", SHAPE("'type': 1"),
     "scene.json:1:87: /bodies/0/shapes/0/type: type is 1; must be a text"},
    {"radius missing", SHAPE("'type': 'sphere'"),
     "scene.json:1:78: /bodies/0/shapes/0: radius is missing"},
    {"radius zero", SHAPE("'type': 'sphere', 'radius': 0"),
     "scene.json:1:107: /bodies/0/shapes/0/radius: radius is 0 m; must be > 0"},
    {"size negative", SHAPE("'type': 'box', 'size': [1, -1, 1]"),
     "scene.json:1:106: /bodies/0/shapes/0/size/1: size[1] is -1 m; must be > 0"},
    {"shape key", SHAPE("'type': 'sphere', 'radus': 1"),
     "scene.json:1:97: /bodies/0/shapes/0/radus: unknown key \"radus\"; did you mean \"radius\"?"},
    {"shape key of another kind", SHAPE("'type': 'sphere', 'radius': 1, 'length': 2"),
     "scene.json:1:110: /bodies/0/shapes/0/length: unknown key \"length\"; allowed: type, at, rotation, material, color, collide, visible, radius_margin, family, mask, radius"},
    {"plane without normal", SHAPE("'type': 'plane', 'normal': [0, 0, 0]"),
     "scene.json:1:78: /bodies/0/shapes/0: plane: normal is [0, 0, 0]; must have a length > 0"},
    {"unknown material, near", SCENE("'materials': {'steel': {}}, 'bodies': [{'fixed': true, 'shapes': [{'type': 'sphere', 'radius': 1, 'material': 'stel'}]}]"),
     "scene.json:1:150: /bodies/0/shapes/0/material: there is no material \"stel\"; did you mean \"steel\"?"},
    {"unknown material, far", SHAPE("'type': 'sphere', 'radius': 1, 'material': 'gold'"),
     "scene.json:1:122: /bodies/0/shapes/0/material: there is no material \"gold\""},
    {"color word", SHAPE("'type': 'sphere', 'radius': 1, 'color': 'red'"),
     "scene.json:1:119: /bodies/0/shapes/0/color: color is \"red\"; must be a color: \"#rrggbb\" or three numbers in 0..1"},
    {"color out of range", SHAPE("'type': 'sphere', 'radius': 1, 'color': [0, 0, 255]"),
     "scene.json:1:126: /bodies/0/shapes/0/color/2: color[2] is 255; must be from 0 to 1"},
    {"shapes no list", BODY("'fixed': true, 'shapes': {'type': 'sphere', 'radius': 1}"),
     "scene.json:1:77: /bodies/0/shapes: shapes is an object; must be a list"},
    // Forces and functions
    {"load kind", FORCE("'type': 'forse', 'body': 'a', 'value': [0, 0, 0]"),
     "scene.json:1:102: /forces/0/type: type is \"forse\"; did you mean \"force\"?"},
    {"unknown body", FORCE("'type': 'force', 'body': 'b', 'value': [0, 0, 0]"),
     "scene.json:1:119: /forces/0/body: there is no body \"b\""},
    {"body no text", FORCE("'type': 'force', 'body': 1, 'value': [0, 0, 0]"),
     "scene.json:1:119: /forces/0/body: body is 1; must be the name of a body"},
    {"load value missing", FORCE("'type': 'torque', 'body': 'a'"),
     "scene.json:1:93: /forces/0: value is missing"},
    {"value of two", FORCE("'type': 'torque', 'body': 'a', 'value': [0, 0]"),
     "scene.json:1:134: /forces/0/value: value is a list of 2; must be three numbers or functions of time"},
    {"value a text", VALUE("'much'"),
     "scene.json:1:135: /forces/0/value/0: value[0] is \"much\": there is no \"much\""},
    {"load frame", FORCE("'type': 'torque', 'body': 'a', 'value': [0, 0, 0], 'frame': 'bod'"),
     "scene.json:1:154: /forces/0/frame: frame is \"bod\"; did you mean \"body\"?"},
    {"two points", VALUE("0, 0, 0], 'at': [0, 0, 0], 'at_body': [0"),
     "scene.json:1:93: /forces/0: force: at and at_body are both given; give one"},
    {"load name twice", FORCE("'name': 'f', 'type': 'torque', 'body': 'a', 'value': [0, 0, 0]}, {'name': 'f', 'type': 'torque', 'body': 'a', 'value': [0, 0, 0]"),
     "scene.json:1:168: /forces/1/name: load name \"f\" is used twice; must be unique"},
    {"function, near", VALUE("{'sin': {}}"),
     "scene.json:1:135: /forces/0/value/0/sin: there is no function \"sin\"; did you mean \"sine\"?"},
    {"function, far", VALUE("{'noise': {}}"),
     "scene.json:1:135: /forces/0/value/0/noise: there is no function \"noise\"; must be one of: sine, ramp, step, table, polynomial, sequence, repeat, sum, product, signal, control"},
    {"function empty", VALUE("{}"),
     "scene.json:1:134: /forces/0/value/0: value[0] is an empty object; must name a kind of function"},
    {"function key", VALUE("{'sine': {'amplitud': 2}}"),
     "scene.json:1:144: /forces/0/value/0/sine/amplitud: unknown key \"amplitud\"; did you mean \"amplitude\"?"},
    {"function parameter", VALUE("{'step': {'duration': -1}}"),
     "scene.json:1:156: /forces/0/value/0/step/duration: duration is -1 s; must be >= 0"},
    {"key beside a function", VALUE("{'sine': {}, 'amplitude': 2}"),
     "scene.json:1:147: /forces/0/value/0/amplitude: unknown key \"amplitude\" beside \"sine\"; its parameters go into its object"},
    {"table row", VALUE("{'table': [[0, 1], [2]]}"),
     "scene.json:1:153: /forces/0/value/0/table/1: table[1] is a list of 1; must be a row of 2 numbers"},
    {"table too short", VALUE("{'table': [[0, 1]]}"),
     "scene.json:1:144: /forces/0/value/0/table: table is a list of 1; must be a list of 2 or more"},
    {"table decreases", VALUE("{'table': [[0, 1], [2, 1], [1, 1]]}"),
     "scene.json:1:135: /forces/0/value/0/table: table: x of row 2 is 1 after 2; must increase"},
    {"table interpolation", VALUE("{'table': [[0, 1], [2, 1]], 'interpolation': 'cubc'}"),
     "scene.json:1:179: /forces/0/value/0/interpolation: interpolation is \"cubc\"; did you mean \"cubic\"?"},
    {"table key", VALUE("{'table': [[0, 1], [2, 1]], 'interpol': 'cubic'}"),
     "scene.json:1:162: /forces/0/value/0/interpol: unknown key \"interpol\"; allowed: points, interpolation"},
    {"polynomial empty", VALUE("{'polynomial': []}"),
     "scene.json:1:149: /forces/0/value/0/polynomial: polynomial is a list of 0; must be a list of 1 or more"},
    {"sum of a text", VALUE("{'sum': [1, 'x']}"),
     "scene.json:1:147: /forces/0/value/0/sum/1: sum[1] is \"x\": there is no \"x\""},
    {"sequence without duration", VALUE("{'sequence': [{'value': 1}]}"),
     "scene.json:1:148: /forces/0/value/0/sequence/0: duration is missing"},
    {"repeat without period", VALUE("{'repeat': {'function': 1}}"),
     "scene.json:1:145: /forces/0/value/0/repeat: period is missing"},
    // Particles
    {"particles without file", SCENE("'particles': [{'name': 'g', 'shape': {'type': 'sphere', 'radius': 1}, 'density': 1}]"),
     "scene.json:1:54: /particles/0: file is missing; or give a sampler"},
    {"particles without shape", SCENE("'particles': [{'file': 'none.csv'}]"),
     "scene.json:1:54: /particles/0: shape is missing\n"
     "scene.json:1:63: /particles/0/file: file \"none.csv\" cannot be opened: No such file or directory"},
    {"particle table missing", SCENE("'particles': [{'file': 'none.csv', 'density': 1, 'shape': {'type': 'sphere', 'radius': 1}}]"),
     "scene.json:1:63: /particles/0/file: file \"none.csv\" cannot be opened: No such file or directory"},
    {"particle table outside", SCENE("'particles': [{'file': '../none.csv', 'density': 1, 'shape': {'type': 'sphere', 'radius': 1}}]"),
     "scene.json:1:63: /particles/0/file: file \"../none.csv\" lies outside the scene's folder; --allow-outside permits it"},
    {"particle table of another type", SCENE("'particles': [{'file': 'none.txt', 'density': 1, 'shape': {'type': 'sphere', 'radius': 1}}]"),
     "scene.json:1:63: /particles/0/file: file is \"none.txt\"; must be the name of a .csv or .csv.gz file"},
    // Outputs
    {"output of an unknown body", OUTPUT("'body': 'arn', 'quantities': ['position'], 'file': 'a.csv'"),
     "scene.json:1:105: /outputs/0/body: there is no body \"arn\"; did you mean \"arm\"?"},
    {"output without target", OUTPUT("'quantities': ['position'], 'file': 'a.csv'"),
     "scene.json:1:96: /outputs/0: output has none of body, joint, motor, force, shaft, signal, coupling, node, element, elements, structure, particles, ray, nearest, overlap, sensor, system, contacts and events; must have exactly one"},
    {"output with two targets", OUTPUT("'body': 'arm', 'system': true, 'quantities': ['position'], 'file': 'a.csv'"),
     "scene.json:1:96: /outputs/0: output has more than one of body, joint, motor, force, shaft, signal, coupling, node, element, elements, structure, particles, ray, nearest, overlap, sensor, system, contacts and events; must have exactly one"},
    {"system false", OUTPUT("'system': false, 'quantities': ['energy'], 'file': 'a.csv'"),
     "scene.json:1:107: /outputs/0/system: system is false; must be true"},
    {"ray without direction", OUTPUT("'ray': {'from': [0, 0, 1]}, 'quantities': ['distance'], 'file': 'a.csv'"),
     "scene.json:1:104: /outputs/0/ray: ray has none of to and direction; must have exactly one"},
    {"ray with both", OUTPUT("'ray': {'from': [0, 0, 1], 'to': [0, 0, 0], 'direction': [0, 0, 1]}, 'quantities': ['distance'], 'file': 'a.csv'"),
     "scene.json:1:104: /outputs/0/ray: ray has both of to and direction; must have exactly one"},
    {"ray to where it begins", OUTPUT("'ray': {'from': [0, 0, 1], 'to': [0, 0, 1]}, 'quantities': ['distance'], 'file': 'a.csv'"),
     "scene.json:1:104: /outputs/0/ray: to must not be equal to from"},
    {"ray of an unknown body", OUTPUT("'ray': {'from': [0, 0, 1], 'to': [0, 0, 0], 'body': 'arn'}, 'quantities': ['distance'], 'file': 'a.csv'"),
     "scene.json:1:149: /outputs/0/ray/body: there is no body \"arn\"; did you mean \"arm\"?"},
    {"negative reach", SCENE("'collision': {'reach': -1}"),
     "scene.json:1:63: /collision/reach: reach is -1 m; must be >= 0"},
    {"output of unknown particles", OUTPUT("'particles': 'bed', 'file': 'a.csv'"),
     "scene.json:1:110: /outputs/0/particles: there is no particle group \"bed\""},
    {"output without file", OUTPUT("'body': 'arm', 'quantities': ['position']"),
     "scene.json:1:96: /outputs/0: file is missing"},
    {"output without quantities", OUTPUT("'body': 'arm', 'file': 'a.csv'"),
     "scene.json:1:96: /outputs/0: quantities is missing"},
    {"no quantities", OUTPUT("'body': 'arm', 'quantities': [], 'file': 'a.csv'"),
     "scene.json:1:126: /outputs/0/quantities: quantities is a list of 0; must be a list of one or more quantities"},
    {"quantity, near", OUTPUT("'body': 'arm', 'quantities': ['velcity'], 'file': 'a.csv'"),
     "scene.json:1:127: /outputs/0/quantities/0: quantities[0] is \"velcity\"; did you mean \"velocity\"?"},
    {"quantity, far", OUTPUT("'system': true, 'quantities': ['entropy'], 'file': 'a.csv'"),
     "scene.json:1:128: /outputs/0/quantities/0: quantities[0] is \"entropy\"; must be one of: energy, momentum, kinetic_energy, bodies, rows, max_violation, residual, iterations, contacts, asleep, max_penetration"},
    {"quantity twice", OUTPUT("'body': 'arm', 'quantities': ['position', 'position'], 'file': 'a.csv'"),
     "scene.json:1:139: /outputs/0/quantities/1: quantity \"position\" is given twice"},
    {"output every", OUTPUT("'body': 'arm', 'every': -1, 'quantities': ['position'], 'file': 'a.csv'"),
     "scene.json:1:121: /outputs/0/every: every is -1 s; must be >= 0"},
    {"output file with a folder", OUTPUT("'body': 'arm', 'quantities': ['position'], 'file': '../a.csv'"),
     "scene.json:1:148: /outputs/0/file: file is \"../a.csv\"; must be a plain file name, without a folder or a dot at its start"},
    {"output file hidden", OUTPUT("'body': 'arm', 'quantities': ['position'], 'file': '.a.csv'"),
     "scene.json:1:148: /outputs/0/file: file is \".a.csv\"; must be a plain file name, without a folder or a dot at its start"},
    {"output file of the run", OUTPUT("'body': 'arm', 'quantities': ['position'], 'file': 'run.json'"),
     "scene.json:1:148: /outputs/0/file: file is \"run.json\"; must be a name that ends in .csv"},
    {"output file twice", SCENE("'outputs': [{'system': true, 'quantities': ['energy'], 'file': 'a.csv'}, {'system': true, 'quantities': ['bodies'], 'file': 'a.csv'}]"),
     "scene.json:1:164: /outputs/1/file: output file name \"a.csv\" is used twice; must be unique"},
    {"output key", OUTPUT("'body': 'arm', 'quantities': ['position'], 'file': 'a.csv', 'evry': 1"),
     "scene.json:1:157: /outputs/0/evry: unknown key \"evry\"; did you mean \"every\"?"},
    // Includes
    {"include missing", SCENE("'include': 'none.json'"),
     "scene.json:1:51: /include: file \"none.json\" cannot be opened: No such file or directory"},
    {"include outside", SCENE("'include': ['../none.json']"),
     "scene.json:1:52: /include/0: file \"../none.json\" lies outside the scene's folder; --allow-outside permits it"},
    {"include absolute", SCENE("'include': '/none.json'"),
     "scene.json:1:51: /include: file \"/none.json\" lies outside the scene's folder; --allow-outside permits it"},
    {"include no name", SCENE("'include': 3"),
     "scene.json:1:51: /include: must be the name of a file"},
    {"include object", SCENE("'include': {'set': {}}"),
     "scene.json:1:51: /include: file is missing"},
    {"include key", SCENE("'include': {'file': 'none.json', 'sett': {}}"),
     "scene.json:1:73: /include/sett: unknown key \"sett\"; allowed: file, set\n"
     "scene.json:1:60: /include/file: file \"none.json\" cannot be opened: No such file or directory"},
};
// clang-format on

static void every_bad_scene_says_what_is_wrong(void** state)
{
    (void)state;
    for (size_t i = 0; i < sizeof BAD / sizeof BAD[0]; i++)
        check_problems(BAD[i].text, NULL, BAD[i].expected);
}

// Nothing but a list of problems is left of a bad scene.
static void a_bad_scene_has_no_world(void** state)
{
    (void)state;
    for (size_t i = 0; i < sizeof BAD / sizeof BAD[0]; i++) {
        kai_scene* scene = NULL;
        const kai_result result = open_scene(BAD[i].text, NULL, &scene);
        assert_true(result == KAI_ERROR_FORMAT || result == KAI_ERROR_FILE);
        assert_null(kai_scene_world(scene));
        const kai_error* first = kai_scene_problem(scene, 0);
        assert_true(first->code == KAI_ERROR_FORMAT || first->code == KAI_ERROR_FILE);
        assert_true(first->line > 0 && first->column > 0);
        kai_scene_close(scene);
    }
}

static void five_problems_are_told_at_once(void** state)
{
    (void)state;
    check_problems(
        "{\n"
        "  'kairos': 1, 'step': -1, 'end': 1,\n"
        "  'materials': {'steel': {'density': 0}},\n"
        "  'bodies': [\n"
        "    {'name': 'arm', 'mass': 'heavy', 'inertia': [1, 1, 1]},\n"
        "    {'name': 'leg', 'density': 1, 'shapes': [{'type': 'box', 'sise': [1, 1, 1]}]}\n"
        "  ],\n"
        "  'forces': [{'type': 'torque', 'body': 'lag', 'value': [0, 0, 1]}]\n"
        "}\n",
        NULL,
        "scene.json:2:24: /step: step is -1 s; must be > 0\n"
        "scene.json:3:38: /materials/steel/density: density is 0 kg/m³; must be > 0\n"
        "scene.json:5:30: /bodies/0/mass: mass is \"heavy\": there is no \"heavy\"\n"
        "scene.json:6:62: /bodies/1/shapes/0/sise: unknown key \"sise\"; did you mean \"size\"?\n"
        "scene.json:8:41: /forces/0/body: there is no body \"lag\"; did you mean \"leg\"?");
}

// A body that could not be made is still known by its name: loads and outputs on it are not wrong.
static void one_mistake_is_told_once(void** state)
{
    (void)state;
    check_problems(
        SCENE("'materials': {'m': {'density': -1}},"
              "'bodies': [{'name': 'a', 'mass': -1, 'inertia': [1, 1, 1]},"
              "           {'shapes': [{'type': 'sphere', 'radius': 1, 'material': 'm'}]}],"
              "'forces': [{'type': 'torque', 'body': 'a', 'value': [0, 0, 0]}],"
              "'outputs': [{'body': 'a', 'quantities': ['position'], 'file': 'a.csv'}]"),
        NULL,
        "scene.json:1:71: /materials/m/density: density is -1 kg/m³; must be > 0\n"
        "scene.json:1:109: /bodies/0/mass: mass is -1 kg; must be > 0");
}

static void problems_are_limited(void** state)
{
    (void)state;
    char text[8192] = "{" HEAD ", 'bodies': [3";
    for (int i = 1; i < 250; i++) strcat(text, ", 3");
    strcat(text, "]}");
    kai_scene* scene = NULL;
    check_error(open_scene(text, NULL, &scene), KAI_ERROR_FORMAT);
    assert_int_equal(kai_scene_problem_count(scene), 101);
    assert_string_equal(kai_scene_problem(scene, 100)->message, "… and 150 more");
    assert_null(kai_scene_problem(scene, 101));
    kai_scene_close(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_bad_scene_says_what_is_wrong),
        cmocka_unit_test(a_bad_scene_has_no_world),
        cmocka_unit_test(five_problems_are_told_at_once),
        cmocka_unit_test(one_mistake_is_told_once),
        cmocka_unit_test(problems_are_limited),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
