// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "measure/output_table.h"

#include <kairos/structure.h>

static const char* const AB[] = {"a", "b"};

// Bodies (2), point of a (3), point of b (3), normal (3), gap, force (3), couple (3).
enum { BODIES, POINT_A = 2, POINT_B = 5, NORMAL = 8, GAP = 11, PUSH = 12, COUPLE = 15 };

KAI_OUTPUT_GETTER(get_contact)
{
    const kai_collision_contact* c = &s->contact.contact;
    out[BODIES] = c->body_a.index;
    out[BODIES + 1] = c->body_b.index;
    kai_output_put(out + POINT_A, c->point_a);
    kai_output_put(out + POINT_B, c->point_b);
    kai_output_put(out + NORMAL, c->normal);
    out[GAP] = c->gap;
    kai_output_put(out + PUSH, s->contact.force);
    kai_output_put(out + COUPLE, s->contact.torque);
    return KAI_OK;
}

KAI_OUTPUT_GETTER(get_elements)
{
    out[0] = kai_structure_contact_element(world, s->contact.contact.body_a).index;
    out[1] = kai_structure_contact_element(world, s->contact.contact.body_b).index;
    return KAI_OK;
}

static const kai_output_table_item CONTACTS[] = {
    KAI_OUTPUT_ITEM("bodies", "",
                    "Numbers of the two bodies, from 1 in the order of creation: columns a b.", AB,
                    .get = get_contact, .first = BODIES),
    KAI_OUTPUT_VEC3("point_a", "m", "Point on the surface of a: columns ax ay az.",
                    .get = get_contact, .first = POINT_A),
    KAI_OUTPUT_VEC3("point_b", "m", "Point on the surface of b: columns bx by bz.",
                    .get = get_contact, .first = POINT_B),
    KAI_OUTPUT_VEC3("normal", "", "Unit vector from a to b: columns nx ny nz.", .get = get_contact,
                    .first = NORMAL),
    KAI_OUTPUT_REAL("gap", "m", "Gap, negative where they overlap: column gap.", .get = get_contact,
                    .first = GAP),
    KAI_OUTPUT_VEC3("force", "N", "Force on b in the last step, world frame: columns fx fy fz.",
                    .get = get_contact, .first = PUSH),
    KAI_OUTPUT_VEC3(
        "torque", "N m",
        "Torque on b about the contact point (rolling and spinning resistance): columns tx ty tz.",
        .get = get_contact, .first = COUPLE),
    KAI_OUTPUT_ITEM(
        "elements", "",
        "Numbers of the elements whose surfaces they are, from 1 in the order of creation, 0 for "
        "other bodies: columns element_a element_b.",
        AB, .get = get_elements),
};

const kai_output_table kai_output_contact_table = {CONTACTS, KAI_COUNT(CONTACTS)};
