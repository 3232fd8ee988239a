// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The reference page of scene files, docs/scene.md: tables from the descriptions of all kinds and
// sections, prose for what is no table.
#include "families.h"
#include "gendocs.h"
#include "keys.h"

#include "base/text.h"
#include "scene/document.h"
#include "scene/include.h"
#include "scene/particle_table.h"
#include "scene/reader.h"
#include "scene/sections_coordinates.h"
#include "scene/sections_structures.h"

#include <kairos/contact.h>
#include <kairos/scene.h>
#include <kairos/solver.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

// Prose ------------------------------------------------------------------------------------------

static const char INTRO[] =
    "# Scene files\n\n"
    "<!-- Written by kairos-gendocs from the descriptions of all kinds; do not edit. -->\n\n"
    "A scene is a JSON file that describes a world and how to run it. Units are SI, angles are radians, frames\n"
    "are right-handed. Unknown keys are errors, and so are numbers that are not finite, names used twice and\n"
    "bodies without mass. `kairos check SCENE` tells every problem at once, each with file, line, column and\n"
    "JSON pointer. Order inside lists is free: names refer to names. The same description as a JSON Schema, for\n"
    "editors and other programs, is [scene.schema.json](scene.schema.json).\n\n"
    "```json\n"
    "{\n"
    "  \"kairos\": 1,\n"
    "  \"name\": \"thrown ball\",\n"
    "  \"step\": 1e-3, \"end\": 2.0,\n"
    "  \"materials\": {\"rubber\": {\"density\": 1100}},\n"
    "  \"bodies\": [\n"
    "    {\"name\": \"ball\", \"position\": [0, 0, 1], \"velocity\": [3, 0, 4],\n"
    "     \"shapes\": [{\"type\": \"sphere\", \"radius\": 0.1, \"material\": \"rubber\"}]}\n"
    "  ],\n"
    "  \"forces\": [\n"
    "    {\"type\": \"force\", \"body\": \"ball\", \"value\": [{\"sine\": {\"amplitude\": 2, \"frequency\": 1}}, 0, 0]}\n"
    "  ],\n"
    "  \"outputs\": [\n"
    "    {\"body\": \"ball\", \"quantities\": [\"position\", \"velocity\"], \"file\": \"ball.csv\"}\n"
    "  ]\n"
    "}\n"
    "```\n\n"
    "In the tables below, *needed* means that there is no default, and – that the key may be absent.\n\n";

static const char INCLUDES[] =
    "`\"include\"` takes a file name, an object as below, or a list of both. Included files are read first, in\n"
    "order; what the including file says overrides them:\n\n"
    "* objects are merged key by key;\n"
    "* lists whose items are all objects with a `name` are merged by name: equal names are merged, new ones are\n"
    "  appended;\n"
    "* everything else is replaced.\n\n"
    "A path is relative to the file that names it, and must stay inside the folder of the main scene, links\n"
    "followed. `--allow-outside` lifts this, for tables too.\n\n";

static const char SETS[] =
    "`kairos run SCENE --set /json/pointer=value` puts a value into the scene after all includes. The pointer is\n"
    "that of RFC 6901 (`~0` for `~`, `~1` for `/`); items of a list are found by index or by name, so that\n"
    "`/bodies/arm/mass` works. A last key that is missing is added. The value is JSON, or else a plain text:\n"
    "`--set /step=1e-4 --set /integrator=rk4 --set '/gravity=[0,0,-1.62]'`. `\"set\"` of an include does the same\n"
    "to the included file.\n\n";

static const char FRAMES[] =
    "A body has its *own frame*, in which its shapes, mass centre and inertia are given. `position` is the origin\n"
    "of that frame in the world and `rotation` takes its coordinates to world coordinates. The mass centre is at\n"
    "this origin unless `com`, or density with shapes, puts it elsewhere. `velocity` is that of the origin.\n"
    "`angular_velocity` is in WORLD coordinates.\n\n"
    "Mass comes from one of:\n\n"
    "* `mass` and `inertia` (and `com`);\n"
    "* `mass` and `shapes`: inertia and mass centre follow from the shapes, scaled to that mass;\n"
    "* `density` and `shapes`: replaces mass, inertia and com; overlapping shapes count twice;\n"
    "* `shapes` whose materials all have a `density`;\n"
    "* nothing, for a body that is `fixed`.\n\n";

static const char ROTATIONS[] =
    "A rotation is a unit quaternion `[w, x, y, z]` (its length must be 1 to within 0.001; it is then made\n"
    "exactly 1), or one of two objects.\n\n";

static const char COLORS[] =
    "A color is a text `\"#rrggbb\"`, or three numbers from 0 to 1: red, green, blue.\n\n";

static const char SHAPES[] =
    "`radius_margin` grows a shape by a ball: a box of size 1 with a margin of 0.1 spans 1.2 and has round edges.\n"
    "Mass with a margin is that of the shape stretched along its own axes to the box of the rounded one: exact for\n"
    "spheres, right to first order in the margin for others. A body may have any number of shapes. Two shapes may\n"
    "touch when each one's `mask` has the bit of the other's `family`.\n\n"
    "Files are named as those of particle tables. Mesh files: `.obj` and `.stl` are read in full precision, `.gltf`,\n"
    "`.glb` and `.dae` through Assimp, when Kairos was built with it (`kairos info`), in a contained process\n"
    "([importing.md](importing.md)); coordinates are taken as they\n"
    "stand. Equal vertices become one; triangles without area are removed. Fixed bodies, and bodies with mass and\n"
    "inertia of their own, may carry open meshes. A body that takes its mass from a mesh needs a closed one whose\n"
    "triangles all face outwards; the message names the first edge that is wrong.\n\n"
    "With `decompose`, a closed mesh is cut by planes into convex parts until neither its surface lies deeper inside\n"
    "a part, nor a part reaches farther out of it, than `concavity` times its longest side. Parts do not overlap.\n"
    "Thin walls that bend are cut further, until the bend of a part is at most a fifth of its thickness.\n"
    "They are kept beside the mesh, in a file whose name ends in `.kairos-decomposition`, where that can be written,\n"
    "and found anew when the mesh or `concavity` changed.\n\n";

static const char JOINTS[] =
    "A joint connects body *a* and body *b*, the two of `bodies`. It has a frame on each: give the joint point\n"
    "`at` and the z axis `axis` in world coordinates at t = 0 (then both frames coincide at t = 0), or `frame_a`\n"
    "and `frame_b` in the bodies' own frames. Outputs `force` and `torque` act ON BODY b, in the joint frame fixed\n"
    "to a, the torque about the joint point on b; `angle` and `travel` are those of b against a. Every kind takes:\n\n";

static const char COORDINATES[] =
    "A joint that has an angle or a travel takes more keys for that coordinate, which is 0 at t = 0. Where it has\n"
    "both, each key holds an object: `\"limits\": {\"angle\": [-1, 1], \"travel\": [0, null]}`. They make elements of\n"
    "their own, called after the joint, that outputs may name: joints `NAME.limits` and `NAME.friction` (not with rk4),\n"
    "load `NAME.spring` for spring and damping; `NAME.angle.limits` and so on where the joint has both.\n\n";

static const char MOTORS[] =
    "A motor stands alone, with the keys of a joint, or drives a joint that it names. Its kinds, and what they\n"
    "take beside those keys:\n\n";

static const char SHAFTS[] =
    "A shaft is a coordinate that only turns: an angle, a speed and a moment of inertia, without a place in space.\n"
    "A driveline is made of shafts and of couplings between them.\n\n";

static const char DRIVELINE[] =
    "Kinds that hold speeds (gears, clutches, drives) and kinds that give a torque (springs, engines). Many may\n"
    "stand in a `housing`: a body with an axis fixed to it. Speeds then count against that body, and what the\n"
    "torques on the shafts leave over is put on it; the ground takes it where there is no housing. The output\n"
    "`torque` acts on shaft 2, the ring, the outputs of a differential together, the output of a converter, or the\n"
    "one shaft there is; `speed` is the slip of 2 against 1 or the speed of that shaft; `power` is what comes out\n"
    "of the coupling.\n\n";

static const char FUNCTIONS[] =
    "Any number that may vary in time takes a function instead: an object whose key is the kind of function.\n"
    "Parameters stand in an object under that key:\n\n"
    "```json\n"
    "{\"sine\": {\"amplitude\": 2, \"frequency\": 0.5}}\n"
    "{\"ramp\": {\"slope\": 3, \"start\": 1}}\n"
    "{\"step\": {\"from\": 0, \"to\": 10, \"at\": 1, \"duration\": 0.5}}\n"
    "{\"repeat\": {\"function\": {\"ramp\": {\"slope\": 1}}, \"period\": 2}}\n"
    "```\n\n"
    "Kinds with a parameter marked *main* take it right under their name, and the others beside it:\n\n"
    "```json\n"
    "{\"table\": [[0, 1], [2, 3]], \"interpolation\": \"cubic\"}\n"
    "{\"polynomial\": [1, 0, -0.5]}\n"
    "{\"sum\": [1, {\"sine\": {\"amplitude\": 2}}]}\n"
    "{\"product\": [{\"ramp\": {\"slope\": 1}}, {\"sine\": {}}]}\n"
    "{\"sequence\": [{\"duration\": 1, \"value\": 5}, {\"duration\": 2, \"value\": {\"ramp\": {\"slope\": -1}}}]}\n"
    "```\n\n"
    "Functions may be made of functions, up to 32 deep. All give exact first and second derivatives.\n\n";

static const char PARTICLES[] =
    "A particle is a full body; the group keeps many equal ones under one name. The table has a header row that\n"
    "names its columns, in any order, and one row a particle: numbers with commas between. Blank lines and CRLF\n"
    "are fine. Columns come in groups that are given whole or not at all:\n\n";

// Tables -----------------------------------------------------------------------------------------

static void add_number(kai_text* out, double x) { kai_text_add(out, "%.15g", x); }

static void add_default(kai_text* out, const kai_param* p)
{
    const size_t count = kai_kind_type_numbers(p->type);
    if (p->required)
        kai_text_add(out, "*needed*");
    else if (p->type == KAI_PARAM_ROTATION)
        kai_text_add(out, "none");
    else if (!docs_has_default(p))
        kai_text_add(out, "–");
    else if (p->type == KAI_PARAM_BOOL)
        kai_text_add(out, "%s", p->initial[0] != 0.0 ? "true" : "false");
    else if (p->type == KAI_PARAM_ENUM)
        kai_text_add(out, "%s", p->words[(int)p->initial[0]]);
    else if (count <= 1)
        add_number(out, p->initial[0]);
    else
        for (size_t i = 0; i < count; i++) {
            if (i) kai_text_add(out, " ");
            add_number(out, p->initial[i]);
        }
}

static void add_rule(kai_text* out, const kai_param* p)
{
    char text[96];
    if (p->type == KAI_PARAM_ENUM || p->type == KAI_PARAM_WORDS) {
        for (size_t i = 0; p->words[i]; i++) kai_text_add(out, "%s`%s`", i ? " " : "", p->words[i]);
    } else if (p->type == KAI_PARAM_TABLE && p->columns == KAI_ANY_COLUMNS) {
        kai_text_add(out, "%u or more rows of equal length", kai_sections_rows_min(p));
    } else if (p->type == KAI_PARAM_TABLE && p->columns > 1) {
        kai_text_add(out, "%u or more rows of %u", kai_sections_rows_min(p), p->columns);
    } else if (p->range.bounded && p->range.min == p->range.max) {
        kai_text_add(out, "must be %g", p->range.min);
    } else if (p->range.bounded) {
        kai_kind_range_text(&p->range, text, sizeof text);
        kai_text_add(out, "%s", text);
    }
}

static void add_head(kai_text* out)
{
    kai_text_add(
        out,
        "| key | type | unit | default | rule | meaning |\n| --- | --- | --- | --- | --- | --- |\n");
}

static void add_param(kai_text* out, const kai_param* p)
{
    char type[128];
    kai_sections_type_text(p, type, sizeof type);
    kai_text_add(out, "| `%s`%s | %s | %s | ", p->name, p->main ? " *main*" : "", type,
                 p->unit ? p->unit : "");
    add_default(out, p);
    kai_text_add(out, " | ");
    add_rule(out, p);
    kai_text_add(out, " | %s |\n", p->doc);
}

static void add_kind(kai_text* out, const kai_kind* kind)
{
    for (size_t i = 0; i < kind->param_count; i++)
        if (!kind->params[i].hidden) add_param(out, &kind->params[i]);
}

static void add_key(kai_text* out, const kai_sections_part* part, size_t i)
{
    const docs_key* k = docs_key_of(part, part->keys[i].name);
    if (!k) { // a page without a key must not be written
        out->failed = true;
        return;
    }
    const char* initial = part->keys[i].required ? "*needed*" : k->initial ? k->initial : "–";
    kai_text_add(out, "| `%s` | %s | | %s | %s | %s |\n", k->name, k->type, initial,
                 k->rule ? k->rule : "", k->doc);
}

static void add_keys(kai_text* out, const kai_sections_part* part)
{
    for (size_t i = 0; i < part->key_count; i++) add_key(out, part, i);
}

static void add_part(kai_text* out, const kai_sections_part* part)
{
    kai_text_add(out, "%s\n\n", docs_part_text(part));
    add_head(out);
    // "type" decides about the rest and comes first; other keys come after the plain ones.
    const bool typed = strcmp(part->keys[0].name, "type") == 0;
    if (typed) add_keys(out, part);
    if (part->kind) add_kind(out, part->kind);
    if (!typed) add_keys(out, part);
    kai_text_add(out, "\n");
}

// A heading and a table for one kind; items of lists get a table below.
// What the items of a kind's lists are.
static void add_items(kai_text* out, const kai_kind* kind)
{
    for (size_t i = 0; i < kind->param_count; i++) {
        const kai_param* p = &kind->params[i];
        if (p->type != KAI_PARAM_LIST || p->hidden) continue;
        const bool bare = kai_reader_function_main(p->item) != NULL;
        kai_text_add(out, "Each item of `%s`%s:\n\n", p->name,
                     bare ? ", or its main parameter alone" : "");
        add_head(out);
        add_kind(out, p->item);
        kai_text_add(out, "\n");
    }
}

static void add_kind_section(kai_text* out, const kai_kind* kind)
{
    kai_text_add(out, "### `%s`\n\n%s\n\n", kind->name, kind->doc);
    size_t shown = 0;
    for (size_t i = 0; i < kind->param_count; i++) shown += !kind->params[i].hidden;
    if (shown == 0) {
        kai_text_add(out, "It has no parameters.\n\n");
        return;
    }
    add_head(out);
    add_kind(out, kind);
    kai_text_add(out, "\n");
    add_items(out, kind);
}

static void add_family(kai_text* out, const kai_kind* (*kind_at)(size_t i))
{
    const kai_kind* kind;
    for (size_t i = 0; (kind = kind_at(i)) != NULL; i++) add_kind_section(out, kind);
}

// Whether a kind's parameter is one that all joints have.
static bool is_joint_base(const kai_param* p)
{
    const kai_param* base = kai_kind_param(&docs_joint_base, p->name);
    return base && base->type == p->type && base->offset == p->offset &&
           base->required == p->required && strcmp(base->doc, p->doc) == 0;
}

static void add_joint_facts(kai_text* out, const kai_kind* kind)
{
    const kai_joint_kind* joint = (const kai_joint_kind*)(const void*)kind;
    kai_text_add(out, " Takes away %s%d degree%s of freedom%s%s.", joint->rows_of ? "up to " : "",
                 joint->rows, joint->rows > 1 ? "s" : "", joint->has_angle ? "; has an angle" : "",
                 joint->has_travel ? "; has a travel" : "");
}

// Kinds of joints or motors: only what they have beside the keys of all.
static void add_joint_kinds(kai_text* out, const kai_kind* (*kind_at)(size_t i))
{
    const kai_kind* kind;
    for (size_t i = 0; (kind = kind_at(i)) != NULL; i++) {
        size_t own = 0;
        for (size_t k = 0; k < kind->param_count; k++)
            own += !kind->params[k].hidden && !is_joint_base(&kind->params[k]);
        kai_text_add(out, "### `%s`\n\n%s", kind->name, kind->doc);
        if (kind_at == docs_joints) add_joint_facts(out, kind);
        kai_text_add(out, "\n\n");
        if (own > 0) add_head(out);
        for (size_t k = 0; k < kind->param_count; k++)
            if (!kind->params[k].hidden && !is_joint_base(&kind->params[k]))
                add_param(out, &kind->params[k]);
        if (own > 0) kai_text_add(out, "\n");
        add_items(out, kind);
    }
}

// Sections ---------------------------------------------------------------------------------------

static void add_bodies(kai_text* out)
{
    const kai_kind *axis = &kai_sections_axis_angle_kind, *euler = &kai_sections_euler_kind;
    kai_text_add(out, "## Bodies\n\n");
    add_part(out, &kai_sections_body_part);
    kai_text_add_bytes(out, FRAMES, sizeof FRAMES - 1);
    kai_text_add(out, "### Rotations\n\n");
    kai_text_add_bytes(out, ROTATIONS, sizeof ROTATIONS - 1);
    kai_text_add(out, "%s\n\n", axis->doc);
    add_head(out);
    add_kind(out, axis);
    kai_text_add(out, "\n%s\n\n", euler->doc);
    add_head(out);
    add_kind(out, euler);
    kai_text_add(out, "\n");
}

// What joints with an angle or a travel take beside; the first key is the type, told already.
static void add_coordinates(kai_text* out)
{
    const kai_sections_part* part = &kai_sections_coordinates_part;
    kai_text_add_bytes(out, COORDINATES, sizeof COORDINATES - 1);
    add_head(out);
    for (size_t i = 1; i < part->key_count; i++) add_key(out, part, i);
    kai_text_add(out, "\nThe object of `spring`:\n\n");
    add_head(out);
    add_kind(out, &kai_sections_coordinates_spring);
    kai_text_add(out, "\n");
}

static void add_joints(kai_text* out)
{
    kai_text_add(out, "## Joints\n\n");
    add_part(out, &kai_sections_joint_part);
    kai_text_add_bytes(out, JOINTS, sizeof JOINTS - 1);
    add_head(out);
    add_kind(out, &docs_joint_base);
    kai_text_add(out, "\nA frame is an object:\n\n");
    add_head(out);
    add_kind(out, &kai_sections_frame_kind);
    kai_text_add(out, "\n");
    add_coordinates(out);
    add_joint_kinds(out, docs_joints);
    if (!docs_motors(0)) return;
    kai_text_add(out, "## Motors\n\n");
    add_part(out, &kai_sections_motor_part);
    kai_text_add_bytes(out, MOTORS, sizeof MOTORS - 1);
    add_joint_kinds(out, docs_motors);
}

static void add_driveline(kai_text* out)
{
    kai_text_add(out, "## Shafts\n\n");
    kai_text_add_bytes(out, SHAFTS, sizeof SHAFTS - 1);
    add_head(out);
    add_kind(out, &kai_sections_shaft_kind);
    add_kind(out, &kai_shaft_kind);
    kai_text_add(out, "\n## Driveline\n\n");
    add_part(out, &kai_sections_coupling_part);
    kai_text_add_bytes(out, DRIVELINE, sizeof DRIVELINE - 1);
    add_family(out, docs_couplings);
}

static const char STRUCTURES[] =
    "A structure is a mesh of elements of one kind. Its `element` is an object like those of `elements`, without\n"
    "`nodes`. Parts of it have names: sets of nodes, of which `all` is everything; each kind says which others\n"
    "there are. A node that is alone in its set is called by the name of the structure, a point and that of the\n"
    "set (`rope.x1`), and joints, outputs and forces refer to it so. Where an element turns (`euler-beam`), its\n"
    "nodes are bodies.\n\n";

static void add_structures(kai_text* out)
{
    kai_text_add(out, "## Solids\n\n");
    add_part(out, &kai_sections_structures_solid);
    add_family(out, docs_solids);
    kai_text_add(out, "## Structures\n\n");
    add_part(out, &kai_sections_structures_part);
    kai_text_add_bytes(out, STRUCTURES, sizeof STRUCTURES - 1);
    for (int i = 0; i < KAI_SECTIONS_STRUCTURES_LISTS; i++) {
        const kai_kind* item = &kai_sections_structures_items[i];
        kai_text_add(out, "Each item of `%s`:\n\n", item->name);
        add_head(out);
        add_kind(out, item);
        kai_text_add(out, "\n");
    }
    add_family(out, docs_structures);
    kai_text_add(out, "## Elements\n\n");
    add_part(out, &kai_sections_structures_element);
    add_family(out, docs_elements);
    kai_text_add(out, "## Nodes\n\n");
    add_head(out);
    add_kind(out, &kai_sections_structures_node);
    add_kind(out, &kai_node_kind);
    kai_text_add(out, "\n");
}

static void add_particles(kai_text* out)
{
    kai_text_add(out, "## Particles\n\n");
    add_part(out, &kai_sections_particles_part);
    kai_text_add_bytes(out, PARTICLES, sizeof PARTICLES - 1);
    kai_text_add(out, "| columns | unit | when absent |\n| --- | --- | --- |\n"
                      "| `x y z` | m | *needed* |\n"
                      "| `vx vy vz` | m/s | at rest |\n"
                      "| `qw qx qy qz` | | not turned |\n"
                      "| `wx wy wz` | rad/s, world frame | no spin |\n"
                      "| `radius` | m, spheres only | that of the shape |\n\n");
}

/// Objects that say which elements and structures an output looks at.
static void add_elements(kai_text* out)
{
    static const kai_kind* const KINDS[] = {
        &kai_sections_one_element_kind, &kai_sections_all_elements_kind, &kai_sections_whole_kind};
    static const char* const KEYS[] = {"element", "elements", "structure"};
    kai_text_add(out, "### Elements in outputs\n\n");
    for (size_t i = 0; i < KAI_COUNT(KINDS); i++) {
        kai_text_add(out, "`%s`: %s\n\n", KEYS[i], KINDS[i]->doc);
        add_head(out);
        add_kind(out, KINDS[i]);
        kai_text_add(out, "\n");
    }
}

static void add_outputs(kai_text* out)
{
    static const char* const keys[] = {
#define TARGET_KEY(name, key) [KAI_OUTPUT_##name] = key,
        KAI_OUTPUT_TARGETS(TARGET_KEY)
#undef TARGET_KEY
    };
    kai_text_add(out, "## Outputs\n\n");
    add_part(out, &kai_sections_output_part);
    kai_text_add(
        out,
        "A file begins with the header `time,NAME.quantity.component,…`; numbers have 17 "
        "significant digits. Snapshots of particles are\nnumbered files in the format of particle "
        "tables.\n\n");
    for (size_t t = 0; t < KAI_COUNT(keys); t++) {
        kai_text_add(out, "### Quantities of `%s`\n\n", keys[t]);
        kai_text_add(out,
                     "| quantity | unit | components | meaning |\n| --- | --- | --- | --- |\n");
        const kai_quantity* q;
        for (int i = 0; (q = kai_output_quantity((kai_output_target)t, i)) != NULL; i++) {
            kai_text_add(out, "| `%s` | %s | ", q->name, q->unit);
            for (int c = 0; q->labels && c < q->components; c++)
                kai_text_add(out, "%s%s", c ? " " : "", q->labels[c]);
            kai_text_add(out, " | %s |\n", q->doc);
        }
        kai_text_add(out, "\n");
    }
}

static void add_limits(kai_text* out)
{
    kai_text_add(out,
                 "## Limits\n\n"
                 "| what | at most |\n| --- | --- |\n"
                 "| all JSON files of a scene together | %d MiB |\n"
                 "| nesting of lists and objects | %d |\n"
                 "| nesting of includes | %d |\n"
                 "| included files | %d |\n"
                 "| a name or file name | %d bytes |\n"
                 "| quantities of an output | %d |\n"
                 "| rows of a particle table | %d |\n"
                 "| a line of a particle table | %d bytes |\n"
                 "| problems that are told | %d |\n",
                 (int)(KAI_DOCUMENT_BYTES >> 20), KAI_DOCUMENT_DEPTH, KAI_INCLUDE_DEPTH,
                 KAI_INCLUDE_FILES, KAI_STRING_SIZE - 1, KAI_OUTPUT_QUANTITIES,
                 KAI_PARTICLE_TABLE_ROWS, KAI_PARTICLE_TABLE_LINE, KAI_PROBLEMS_MOST);
}

static const char PAIRS[] =
    "### Material pairs\n\n"
    "Where shapes of two materials touch, frictions, restitution, cohesion and adhesion are the smaller of\n"
    "both, compliances add up, damping is the larger, and kn kt gn gt are the mean of those given. A list\n"
    "`material_pairs` says otherwise for two materials: what it gives is taken, the rest is as above.\n\n";

static const char LAWS[] =
    "## Contact laws\n\nOf the penalty method; [contact-laws.md](contact-laws.md) has the formulas. `law` is a bare name, or\n"
    "an object with `type` and the parameters of the kind. The law of two surfaces is that of their\n"
    "`material_pairs`; else that of their materials, where one names a law; else that of `contact`.\n"
    "Kinds of a program's own, `kai_contact_law_register`, have their names here too.\n\n";

char* docs_reference(void)
{
    kai_text out = {0};
    kai_text_add_bytes(&out, INTRO, sizeof INTRO - 1);
    kai_text_add(&out, "## Scene\n\n");
    add_part(&out, &kai_sections_scene_part);
    kai_text_add(&out, "## Including other files\n\n");
    kai_text_add_bytes(&out, INCLUDES, sizeof INCLUDES - 1);
    add_part(&out, &kai_sections_include_part);
    kai_text_add(&out, "## Overriding from the command line\n\n");
    kai_text_add_bytes(&out, SETS, sizeof SETS - 1);
    add_bodies(&out);
    kai_text_add(&out, "## Shapes\n\n");
    add_part(&out, &kai_sections_shape_part);
    kai_text_add_bytes(&out, COLORS, sizeof COLORS - 1);
    kai_text_add_bytes(&out, SHAPES, sizeof SHAPES - 1);
    add_family(&out, docs_shapes);
    kai_text_add(&out,
                 "## Materials\n\n%s Given as an object under their names in `materials`.\n\n",
                 kai_material_kind.doc);
    add_head(&out);
    add_kind(&out, &kai_material_kind);
    kai_text_add(&out, "\n");
    kai_text_add_bytes(&out, PAIRS, sizeof PAIRS - 1);
    add_head(&out);
    add_kind(&out, &kai_material_pair_kind);
    kai_text_add(&out, "\n");
    add_particles(&out);
    add_joints(&out);
    kai_text_add(&out, "## Forces\n\n");
    add_part(&out, &kai_sections_load_part);
    add_family(&out, docs_loads);
    add_driveline(&out);
    add_structures(&out);
    kai_text_add(&out, "## Functions\n\n");
    kai_text_add_bytes(&out, FUNCTIONS, sizeof FUNCTIONS - 1);
    add_family(&out, docs_functions);
    kai_text_add(
        &out,
        "## Integrators\n\nA bare name, or an object with `type` and the parameters of the kind.\n\n");
    add_family(&out, docs_integrators);
    kai_text_add(&out, "## Solvers\n\n%s A bare name, or an object with `type`.\n\n",
                 kai_solver_kind.doc);
    add_head(&out);
    add_kind(&out, &kai_solver_kind);
    kai_text_add(&out, "\n");
    kai_text_add(&out, "## Contact\n\n%s A bare name of a method, or an object with `method`.\n\n",
                 kai_contact_kind.doc);
    add_head(&out);
    add_kind(&out, &kai_contact_kind);
    kai_text_add(&out, "\n");
    kai_text_add_bytes(&out, LAWS, sizeof LAWS - 1);
    add_family(&out, docs_laws);
    kai_text_add(&out,
                 "## Collision\n\n%s Shapes that collide, of bodies that no active joint holds "
                 "together, are looked at.\n\n",
                 kai_collision_kind.doc);
    add_head(&out);
    add_kind(&out, &kai_collision_kind);
    kai_text_add(&out, "\n");
    add_outputs(&out);
    kai_text_add(&out, "### Rays\n\n%s Exactly one of `to` and `direction`.\n\n",
                 kai_sections_ray_kind.doc);
    add_head(&out);
    add_kind(&out, &kai_sections_ray_kind);
    kai_text_add(&out, "\n");
    kai_text_add(&out, "### Nearest surfaces\n\n%s\n\n", kai_sections_nearest_kind.doc);
    add_head(&out);
    add_kind(&out, &kai_sections_nearest_kind);
    kai_text_add(&out, "\n");
    add_elements(&out);
    kai_text_add(&out, "## Checks\n\n%s See [checks.md](checks.md).\n\n", kai_judge_kind.doc);
    add_head(&out);
    add_kind(&out, &kai_judge_kind);
    kai_text_add(&out, "\n## Trajectory\n\n%s\n\n", kai_output_trajectory_kind.doc);
    add_head(&out);
    add_kind(&out, &kai_output_trajectory_kind);
    kai_text_add(&out, "\n## View\n\n%s See [viewing.md](viewing.md).\n\n",
                 kai_output_view_kind.doc);
    add_head(&out);
    add_kind(&out, &kai_output_view_kind);
    kai_text_add(&out, "\n");
    add_limits(&out);
    if (!out.failed) return out.data;
    kai_text_free(&out);
    return NULL;
}
