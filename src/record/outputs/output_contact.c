// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "record/outputs/output_table.h"

#include <kairos/structure.h>

#define LABELS(list) KAI_OUTPUT_LABELS(list)
#define SCALAR       KAI_OUTPUT_SCALAR

static const char* const XYZ[] = {"x", "y", "z"};
static const char* const AB[] = {"a", "b"};

static void put3(double* out, kai_vec3 v)
{
    out[0] = v.x;
    out[1] = v.y;
    out[2] = v.z;
}

#define CONTACT_VECTOR(name, from)                                                      \
    static kai_result get_contact_##name(kai_world* world, const kai_output_subject* s, \
                                         double* out, kai_error* err)                   \
    {                                                                                   \
        (void)world;                                                                    \
        (void)err;                                                                      \
        put3(out, s->contact.from);                                                     \
        return KAI_OK;                                                                  \
    }
CONTACT_VECTOR(point_a, contact.point_a)
CONTACT_VECTOR(point_b, contact.point_b)
CONTACT_VECTOR(normal, contact.normal)
CONTACT_VECTOR(push, force)
CONTACT_VECTOR(couple, torque)

static kai_result get_contact_bodies(kai_world* world, const kai_output_subject* s, double* out,
                                     kai_error* err)
{
    (void)world;
    (void)err;
    out[0] = s->contact.contact.body_a.index;
    out[1] = s->contact.contact.body_b.index;
    return KAI_OK;
}

static kai_result get_contact_elements(kai_world* world, const kai_output_subject* s, double* out,
                                       kai_error* err)
{
    (void)err;
    out[0] = kai_structure_contact_element(world, s->contact.contact.body_a).index;
    out[1] = kai_structure_contact_element(world, s->contact.contact.body_b).index;
    return KAI_OK;
}

static kai_result get_contact_gap(kai_world* world, const kai_output_subject* s, double* out,
                                  kai_error* err)
{
    (void)world;
    (void)err;
    *out = s->contact.contact.gap;
    return KAI_OK;
}

static const kai_output_table_item CONTACTS[] = {
    {{"bodies", "", "Numbers of the two bodies, from 1 in the order of creation: columns a b.",
      LABELS(AB)},
     get_contact_bodies,
     false,
     0},
    {{"point_a", "m", "Point on the surface of a: columns ax ay az.", LABELS(XYZ)},
     get_contact_point_a,
     false,
     0},
    {{"point_b", "m", "Point on the surface of b: columns bx by bz.", LABELS(XYZ)},
     get_contact_point_b,
     false,
     0},
    {{"normal", "", "Unit vector from a to b: columns nx ny nz.", LABELS(XYZ)},
     get_contact_normal,
     false,
     0},
    {{"gap", "m", "Gap, negative where they overlap: column gap.", SCALAR},
     get_contact_gap,
     false,
     0},
    {{"force", "N", "Force on b in the last step, world frame: columns fx fy fz.", LABELS(XYZ)},
     get_contact_push,
     false,
     0},
    {{"torque", "N m", "Couple on b beside it: columns tx ty tz.", LABELS(XYZ)},
     get_contact_couple,
     false,
     0},
    {{"elements", "",
      "Numbers of the elements whose surfaces they are, from 1 in the order of creation, 0 for "
      "other bodies: columns element_a element_b.",
      LABELS(AB)},
     get_contact_elements,
     false,
     0},
};

const kai_output_table kai_output_contact_table = {CONTACTS, KAI_COUNT(CONTACTS)};
