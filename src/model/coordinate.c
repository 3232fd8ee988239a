// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include <kairos/coordinate.h>

#include "base/error.h"
#include "model/check.h"
#include "model/world.h"

#include <stdio.h>

static const double NO_LIMIT = 1e30;

kai_coordinate_def kai_coordinate_def_default(kai_joint_coordinate coordinate)
{
    return (kai_coordinate_def){.coordinate = (int32_t)coordinate,
                                .low = -NO_LIMIT,
                                .high = NO_LIMIT,
                                .stiffness = kai_curve_line(0.0),
                                .damping = kai_curve_line(0.0),
                                .friction = kai_value_constant(0.0)};
}

/// One call in progress.
typedef struct adding {
    kai_world* world;
    kai_joint joint;
    const kai_joint_kind* kind;
    const kai_coordinate_def* def;
    kai_coordinate_parts parts;
} adding;

/// The name of a part; a joint without name has parts without name.
static kai_result name_part(const adding* a, const char* part, kai_string* out)
{
    const char* joint = kai_joint_name(a->world, a->joint);
    const bool both = a->kind->has_angle && a->kind->has_travel;
    const char* which = a->def->coordinate == KAI_JOINT_ANGLE ? ".angle" : ".travel";
    out->text[0] = '\0';
    if (joint[0] == '\0') return KAI_OK;
    const int n = snprintf(out->text, sizeof out->text, "%s%s.%s", joint, both ? which : "", part);
    if (n < (int)sizeof out->text) return KAI_OK;
    return kai_error_set(&a->world->error, KAI_ERROR_LIMIT,
                         "the name of joint '%s' leaves no room for .%s; at most %zu bytes", joint,
                         part, sizeof out->text - 1);
}

static bool is_flat(const kai_curve* curve)
{
    return curve->points.rows == 0 && curve->slope == 0.0;
}

static kai_result add_limit(adding* a)
{
    const kai_coordinate_def* def = a->def;
    kai_joint_limit_params p;
    kai_string name;
    if (def->low <= -NO_LIMIT && def->high >= NO_LIMIT) return KAI_OK;
    KAI_TRY(name_part(a, "limits", &name));
    kai_kind_defaults(&kai_joint_limit.kind, &p);
    p.joint = a->joint;
    p.coordinate = def->coordinate;
    p.low = def->low;
    p.high = def->high;
    return kai_joint_create(a->world, &kai_joint_limit, &p, name.text, &a->parts.limit);
}

static kai_result add_friction(adding* a)
{
    const kai_value most = a->def->friction;
    kai_joint_friction_params p;
    kai_string name;
    if (KAI_IS_NULL(most.function) && most.constant == 0.0) return KAI_OK;
    KAI_TRY(name_part(a, "friction", &name));
    kai_kind_defaults(&kai_joint_friction.kind, &p);
    p.joint = a->joint;
    p.coordinate = a->def->coordinate;
    p.most = most;
    return kai_joint_create(a->world, &kai_joint_friction, &p, name.text, &a->parts.friction);
}

static kai_result add_spring(adding* a)
{
    const kai_coordinate_def* def = a->def;
    kai_string name;
    if (is_flat(&def->stiffness) && is_flat(&def->damping) && def->preload == 0.0 &&
        KAI_IS_NULL(def->law))
        return KAI_OK;
    KAI_TRY(name_part(a, "spring", &name));
    if (def->coordinate == KAI_JOINT_ANGLE) {
        kai_load_rotational_spring_params p;
        kai_kind_defaults(&kai_load_rotational_spring.kind, &p);
        p.joint = a->joint;
        p.rest_angle = def->rest;
        p.stiffness = def->stiffness;
        p.damping = def->damping;
        p.preload = def->preload;
        p.law = def->law;
        return kai_load_create(a->world, &kai_load_rotational_spring, &p, name.text,
                               &a->parts.spring);
    }
    kai_load_linear_spring_params p;
    kai_kind_defaults(&kai_load_linear_spring.kind, &p);
    p.joint = a->joint;
    p.rest = def->rest;
    p.stiffness = def->stiffness;
    p.damping = def->damping;
    p.preload = def->preload;
    p.law = def->law;
    return kai_load_create(a->world, &kai_load_linear_spring, &p, name.text, &a->parts.spring);
}

static kai_result check_coordinate(adding* a, kai_error* err)
{
    const int32_t which = a->def->coordinate;
    if (which != KAI_JOINT_ANGLE && which != KAI_JOINT_TRAVEL)
        return kai_error_set(err, KAI_ERROR_ARGUMENT,
                             "def.coordinate is %d; must be KAI_JOINT_ANGLE or KAI_JOINT_TRAVEL",
                             which);
    if (which == KAI_JOINT_ANGLE ? a->kind->has_angle : a->kind->has_travel) return KAI_OK;
    return kai_error_set(err, KAI_ERROR_ARGUMENT, "joint is a %s joint, which has no %s",
                         a->kind->kind.name, which == KAI_JOINT_ANGLE ? "angle" : "travel");
}

/// Takes back what a failed call made; the message stays that of the failure.
static void undo(adding* a)
{
    const kai_error why = a->world->error;
    if (!KAI_IS_NULL(a->parts.limit)) kai_joint_destroy(a->world, a->parts.limit);
    if (!KAI_IS_NULL(a->parts.friction)) kai_joint_destroy(a->world, a->parts.friction);
    a->world->error = why;
}

kai_result kai_coordinate_add(kai_world* world, kai_joint joint, const kai_coordinate_def* def,
                              kai_coordinate_parts* parts)
{
    KAI_CLEAR(parts);
    KAI_CHANGE(world, def);
    adding a = {.world = world, .joint = joint, .def = def};
    KAI_TRY(kai_joint_get(world, joint, &a.kind, NULL));
    KAI_TRY(kai_world_fail(world, __func__, check_coordinate(&a, &world->error)));
    kai_result r = add_limit(&a);
    if (r == KAI_OK) r = add_friction(&a);
    if (r == KAI_OK) r = add_spring(&a);
    if (r != KAI_OK) undo(&a);
    if (r == KAI_OK && parts) *parts = a.parts;
    return r;
}
