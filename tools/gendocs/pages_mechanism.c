// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Pages on joints, motors, forces and drivelines.
#include "pages.h"
#include "tables.h"

#include "scene/sections_coordinates.h"

#include <kairos/driveline.h>

static const char JOINTS[] =
    "A joint connects body *a* and body *b*, the two of `bodies`. It has a frame on each: give the joint point\n"
    "`at` and the z axis `axis` in world coordinates at t = 0 (then both frames coincide at t = 0), or `frame_a`\n"
    "and `frame_b` in the bodies' own frames. Outputs `force` and `torque` act ON BODY b, in the joint frame fixed\n"
    "to a, the torque about the joint point on b; `angle` and `travel` are those of b against a. Every kind takes the keys below.\n\n";

static const char COORDINATES[] =
    "A joint that has an angle or a travel takes more keys for that coordinate, which is 0 at t = 0. Where it has\n"
    "both, each key holds an object: `\"limits\": {\"angle\": [-1, 1], \"travel\": [0, null]}`. They make elements of\n"
    "their own, called after the joint, that outputs may name: joints `NAME.limits` and `NAME.friction` (not with rk4),\n"
    "load `NAME.spring` for spring and damping; `NAME.angle.limits` and so on where the joint has both.\n\n";

static const char MOTORS[] =
    "A motor stands alone, with the [keys of a joint](joints.md#keys-of-every-joint) (`at`, `axis` or `frame_a`,\n"
    "`frame_b` …), or drives a joint that it names.\n\n";

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

static void add_joint_facts(kai_text* out, const kai_kind* kind)
{
    const kai_joint_kind* joint = (const kai_joint_kind*)(const void*)kind;
    kai_text_add(out, " Takes away %s%d degree%s of freedom%s%s.", joint->rows_of ? "up to " : "",
                 joint->rows, joint->rows > 1 ? "s" : "", joint->has_angle ? "; has an angle" : "",
                 joint->has_travel ? "; has a travel" : "");
}

// What joints with an angle or a travel take beside; the first key is the type, told already.
static void add_coordinates(kai_text* out)
{
    const kai_sections_part* part = &kai_sections_coordinates_part;
    kai_text_add(out, "## Limits, springs, damping and friction of a joint\n\n%s", COORDINATES);
    docs_table_head(out);
    for (size_t i = 1; i < part->key_count; i++) docs_table_key(out, part, i);
    kai_text_add(out, "\nThe object of `spring`:\n\n");
    docs_table_kind(out, &kai_sections_coordinates_spring);
}

void docs_pages_joints(kai_text* out)
{
    docs_table_part(out, &kai_sections_joint_part);
    kai_text_add(out, "%s## Keys of every joint\n\n", JOINTS);
    docs_table_kind(out, &docs_joint_base);
    kai_text_add(out, "A frame is an object:\n\n");
    docs_table_kind(out, &kai_sections_frame_kind);
    add_coordinates(out);
    docs_table_family(out, docs_joints, add_joint_facts);
}

void docs_pages_motors(kai_text* out)
{
    docs_table_part(out, &kai_sections_motor_part);
    kai_text_add(out, "%s", MOTORS);
    docs_table_common(out, docs_motors);
    docs_table_family(out, docs_motors, NULL);
}

void docs_pages_forces(kai_text* out)
{
    docs_table_part(out, &kai_sections_load_part);
    docs_table_common(out, docs_loads);
    docs_table_family(out, docs_loads, NULL);
}

void docs_pages_driveline(kai_text* out)
{
    kai_text_add(out, "%s## Shafts\n\n", SHAFTS);
    docs_table_head(out);
    docs_table_rows(out, &kai_sections_shaft_kind);
    docs_table_rows(out, &kai_shaft_kind);
    kai_text_add(out, "\n## Couplings\n\n");
    docs_table_part(out, &kai_sections_coupling_part);
    kai_text_add(out, "%s", DRIVELINE);
    docs_table_common(out, docs_couplings);
    docs_table_family(out, docs_couplings, NULL);
}
