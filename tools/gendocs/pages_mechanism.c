// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Pages on joints, motors, forces and drivelines.
#include "pages.h"
#include "tables.h"

#include "scene/sections_coordinates.h"

#include <kairos/driveline.h>

static const char JOINTS[] =
    "A joint is a constraint between body *a* and body *b*, the two of `bodies`. It has a frame on each: give the joint\n"
    "point `at` and the joint axis `axis` in world coordinates at t = 0 (then both frames coincide at t = 0), or `frame_a`\n"
    "and `frame_b` in the bodies' own frames. The outputs `force` and `torque` act ON BODY b, in the joint frame fixed\n"
    "to a, the torque about the joint point on b; `angle` and `travel` are those of b relative to a. Each kind below says how\n"
    "many degrees of freedom (DOF) it removes.\n\n";

static const char COORDINATES[] =
    "A joint with an angle or a travel takes more keys for that coordinate, which is 0 at t = 0. Where a joint has\n"
    "both, each key holds an object: `\"limits\": {\"angle\": [-1, 1], \"travel\": [0, null]}`. The keys make separate elements\n"
    "that are named after the joint and can be used in outputs: joints `NAME.limits` and `NAME.friction` (not with rk4),\n"
    "load `NAME.spring` for spring and damping; `NAME.angle.limits` and so on where the joint has both.\n\n";

static const char MOTORS[] =
    "A motor is an actuator or a prescribed motion. It drives the coordinate of a joint that it names, or stands alone with\n"
    "the [keys of a joint](joints.md#keys-of-every-joint) (`at`, `axis` or `frame_a`, `frame_b` …). Motors of position and speed\n"
    "are constraints: they follow their function exactly, with whatever effort that takes. Motors of torque and force, and PID\n"
    "controllers, apply a given effort. The output `effort` is that force or torque.\n\n";

static const char SHAFTS[] =
    "A shaft is a rotational degree of freedom: an angle, a speed and a moment of inertia, without a position in space.\n"
    "A driveline consists of shafts and of couplings between them.\n\n";

static const char DRIVELINE[] =
    "Some kinds constrain speeds (gears, clutches, prescribed speeds), others apply a torque (springs, engines). Many may\n"
    "be mounted in a `housing`: a body with an axis fixed to it. Speeds are then relative to that body, and the sum of the\n"
    "torques on the shafts acts on it in reverse; without a housing the ground takes it. The output `torque` acts on shaft 2,\n"
    "the ring, the outputs of a differential together, the output of a converter, or the only shaft; `speed` is that of shaft 2\n"
    "relative to shaft 1, or of the only shaft; `power` is what the coupling delivers.\n\n";

static void add_joint_facts(kai_text* out, const kai_kind* kind)
{
    const kai_joint_kind* joint = (const kai_joint_kind*)(const void*)kind;
    kai_text_add(out, " Removes %s%d degree%s of freedom%s%s.", joint->rows_of ? "up to " : "",
                 joint->rows, joint->rows > 1 ? "s" : "",
                 joint->has_angle ? "; coordinate: `angle`" : "",
                 joint->has_travel ? "; coordinate: `travel`" : "");
}

// What joints with an angle or a travel take beside; the first key is the type, told already.
static void add_coordinates(kai_text* out)
{
    const kai_sections_part* part = &kai_sections_coordinates_part;
    kai_text_add(out, "## Limits, springs, damping and friction of a joint\n\n%s", COORDINATES);
    kai_reference_head(out);
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
    kai_reference_head(out);
    kai_reference_rows(out, &kai_sections_shaft_kind);
    kai_reference_rows(out, &kai_shaft_kind);
    kai_text_add(out, "\n## Couplings\n\n");
    docs_table_part(out, &kai_sections_coupling_part);
    kai_text_add(out, "%s", DRIVELINE);
    docs_table_common(out, docs_couplings);
    docs_table_family(out, docs_couplings, NULL);
}
