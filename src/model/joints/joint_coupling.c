// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// A linear combination of the coordinates x of one to three joints: Σ factor x - value(t) = 0.
// Angles count whole turns: each is the one nearest to that of the last evaluation.
//
// Ends are the bodies of the joints: a and b those of the first, `others` those of the further
// ones. A body that several joints hold is one end; `place` says where the bodies of each joint are
// among a, b, others.
#include "base/error.h"
#include "model/id.h"
#include "model/joints/joint_motion.h"

#include <string.h>

typedef kai_joint_coupling_term term;

enum { TERMS = 3, ENDS = 2 * TERMS, OTHERS = ENDS - 2 };

/// An instance.
typedef struct params {
    kai_joint_coupling_params given;
    kai_body others[OTHERS]; // the bodies of the further joints
    kai_frame inner[OTHERS]; // their frames
    int64_t place;           // where the bodies of each term are among a, b, others
    int64_t travels;         // bit t: term t is a travel
    double angle[TERMS];     // of the last evaluation, turns counted
} params;

static const term* term_at(const kai_joint_coupling_params* p, uint32_t t)
{
    return (const term*)p->terms.items + t;
}

static int place_of(const params* p, uint32_t t, int k)
{
    return (p->place >> (8 * t + 4 * k)) & 15;
}

static kai_joint_view coupling_look(const kai_joint_batch* b, size_t i, const params* p, uint32_t t)
{
    kai_joint_base base = {.active = true};
    const kai_pose* pose[2];
    for (int k = 0; k < 2; k++) {
        const int e = place_of(p, t, k);
        pose[k] = &b->pose[e < 2 ? b->slot[2 * i + (size_t)e]
                                 : b->further_slot[OTHERS * i + (size_t)(e - 2)]];
        base.inner[k] = t == 0 ? p->given.base.inner[k] : p->inner[2 * (t - 1) + (uint32_t)k];
    }
    return kai_joint_view_make(&base, pose[0], pose[1]);
}

/// One coordinate: its row, g the coordinate itself.
static void put_coordinate(const kai_joint_batch* b, size_t i, const params* p, uint32_t t,
                           kai_joint_row* row)
{
    const kai_joint_view v = coupling_look(b, i, p, t);
    if ((p->travels >> t) & 1) {
        kai_joint_view_point(&v, 2, row);
        return;
    }
    kai_vec3 axis;
    const double angle = kai_joint_motion_angle(&v, &axis);
    kai_joint_view_turn(&v, kai_joint_motion_nearest(angle, p->angle[t]), axis, row);
}

static void coupling_add(kai_wrench* to, const kai_wrench* w, double factor)
{
    to->force = kai_vec3_mul_add(to->force, w->force, factor);
    to->torque = kai_vec3_mul_add(to->torque, w->torque, factor);
}

static void coupling_evaluate(const kai_joint_batch* b)
{
    for (size_t i = b->begin; i < b->end; i++) {
        const params* p = kai_joint_view_instance(b, i);
        const kai_jet value = kai_function_set_value(b->functions, &p->given.value, b->time);
        kai_joint_row* row = b->rows + i;
        *row = (kai_joint_row){.g = -value.y, .gt = -value.dy};
        kai_wrench* end[ENDS] = {&row->a, &row->b};
        for (size_t k = 0; k < OTHERS; k++) end[2 + k] = &b->further[OTHERS * i + k];
        for (uint32_t t = 0; t < p->given.terms.count; t++) {
            kai_joint_row one;
            put_coordinate(b, i, p, t, &one);
            const double factor = term_at(&p->given, t)->factor;
            row->g += factor * one.g;
            coupling_add(end[place_of(p, t, 0)], &one.a, factor);
            coupling_add(end[place_of(p, t, 1)], &one.b, factor);
        }
    }
}

static void coupling_follow(const kai_joint_batch* b, void* instances)
{
    for (size_t i = b->begin; i < b->end; i++) {
        params* p = (params*)instances + i;
        for (uint32_t t = 0; t < p->given.terms.count; t++) {
            const kai_joint_view v = coupling_look(b, i, p, t);
            kai_vec3 axis;
            p->angle[t] = kai_joint_motion_nearest(kai_joint_motion_angle(&v, &axis), p->angle[t]);
        }
    }
}

// Creation ---------------------------------------------------------------------------------------

/// Where a body is among the ends; it is entered when it is new.
static int coupling_enter(params* p, kai_body body)
{
    for (int e = 0; e < ENDS; e++) {
        kai_body* at = e < 2 ? &p->given.base.bodies[e] : &p->others[e - 2];
        if (KAI_IS_NULL(*at)) *at = body;
        if (KAI_ID_EQUALS(*at, body)) return e;
    }
    return 0; // cannot be: there is room for all
}

static kai_result take_term(const kai_world* world, params* p, uint32_t t, kai_error* err)
{
    const term* from = term_at(&p->given, t);
    const kai_store_entry* entry = kai_store_find(&world->joints, KAI_ID_OF(from->joint));
    if (!entry) {
        kai_store_id_error(&world->joints, KAI_ID_OF(from->joint), err);
        kai_error_prefix(err, "coupling: terms[%u]: joint", t);
        return KAI_ERROR_ID;
    }
    const kai_joint_kind* kind =
        (const kai_joint_kind*)(const void*)world->joints.batches[entry->batch].kind;
    const kai_joint_base* base = kai_store_at(&world->joints, KAI_ID_OF(from->joint));
    int32_t which = from->coordinate;
    if (which == KAI_JOINT_COUPLING_ONLY && kind->has_angle && kind->has_travel)
        return kai_error_set(err, KAI_ERROR_ARGUMENT,
                             "coupling: terms[%u]: coordinate is missing; a %s joint has both", t,
                             kind->kind.name);
    if (which == KAI_JOINT_COUPLING_ONLY)
        which = kind->has_travel ? KAI_JOINT_COUPLING_TRAVEL : KAI_JOINT_COUPLING_ANGLE;
    const bool travels = which == KAI_JOINT_COUPLING_TRAVEL;
    if (travels ? !kind->has_travel : !kind->has_angle)
        return kai_error_set(err, KAI_ERROR_ARGUMENT,
                             "coupling: terms[%u]: joint is a %s joint, which has no %s", t,
                             kind->kind.name, travels ? "travel" : "angle");
    p->travels |= (int64_t)travels << t;
    for (int k = 0; k < 2; k++) {
        p->place |= (int64_t)coupling_enter(p, base->bodies[k]) << (8 * t + 4 * (uint32_t)k);
        *(t == 0 ? &p->given.base.inner[k] : &p->inner[2 * (t - 1) + (uint32_t)k]) = base->inner[k];
    }
    const kai_joint_view v = kai_joint_view_now(world, base);
    kai_vec3 axis;
    p->angle[t] = kai_joint_motion_angle(&v, &axis);
    return KAI_OK;
}

static kai_result coupling_prepare(const kai_world* world, void* instance, kai_error* err)
{
    params* p = instance;
    memset(p->given.base.bodies, 0, sizeof p->given.base.bodies);
    memset(p->others, 0, sizeof p->others);
    p->place = p->travels = 0;
    for (uint32_t t = 0; t < p->given.terms.count; t++) KAI_TRY(take_term(world, p, t, err));
    return KAI_OK;
}

static kai_result coupling_check(const void* instance, kai_error* err)
{
    const kai_joint_coupling_params* p = instance;
    for (uint32_t t = 0; t < p->terms.count; t++)
        if (term_at(p, t)->factor == 0.0)
            return kai_error_set(err, KAI_ERROR_ARGUMENT,
                                 "coupling: terms[%u]: factor is 0; must not be 0", t);
    return KAI_OK;
}

static const char* const WORDS[] = {"only", "angle", "travel", NULL};

static const kai_param TERM_PARAMS[] = {
    KAI_PARAM(JOINT, term, joint, .required = true, .doc = "Joint that the coordinate belongs to."),
    KAI_PARAM(ENUM, term, coordinate, .words = WORDS,
              .doc = "Which coordinate; only: the one that the joint has."),
    KAI_PARAM(REAL, term, factor, .initial = {1.0}, .doc = "Factor of the coordinate, not 0."),
};

static const kai_kind TERM =
    KAI_KIND("term", term, TERM_PARAMS, .doc = "A coordinate of a joint with its factor.");

static const kai_param PARAMS[] = {
    KAI_JOINT_MADE,
    KAI_PARAM(BOOL, kai_joint_base, active, .initial = {1.0},
              .doc = "Whether the constraint acts."),
    KAI_PARAM(LIST, kai_joint_coupling_params, terms, .rows_max = TERMS, .item = &TERM,
              .required = true, .doc = "Coordinates with their factors."),
    KAI_PARAM(VALUE, kai_joint_coupling_params, value, .unit = "rad, m", .derivatives = 2,
              .doc = "Value of the sum of factor times coordinate, over time."),
    KAI_PARAM(BODY, kai_joint_base, bodies, .columns = 2, .hidden = true),
    KAI_PARAM_AS("inner_a", FRAME, kai_joint_base, inner[0], .hidden = true),
    KAI_PARAM_AS("inner_b", FRAME, kai_joint_base, inner[1], .hidden = true),
    KAI_PARAM(BODY, params, others, .columns = OTHERS, .hidden = true),
    KAI_PARAM_AS("inner_c", FRAME, params, inner[0], .hidden = true),
    KAI_PARAM_AS("inner_d", FRAME, params, inner[1], .hidden = true),
    KAI_PARAM_AS("inner_e", FRAME, params, inner[2], .hidden = true),
    KAI_PARAM_AS("inner_f", FRAME, params, inner[3], .hidden = true),
    KAI_PARAM(INT, params, place, .hidden = true),
    KAI_PARAM(INT, params, travels, .hidden = true),
    KAI_PARAM(VEC3, params, angle, .hidden = true),
};

const kai_joint_kind kai_joint_coupling = {
    .kind = KAI_KIND(
        "coupling", params, PARAMS, .given = sizeof(kai_joint_coupling_params),
        .check = coupling_check,
        .doc = "Holds a linear combination of the coordinates of one to three joints at a value."),
    .rows = 1,
    .evaluate = coupling_evaluate,
    .follow = coupling_follow,
    .prepare = coupling_prepare,
    .others = offsetof(params, others),
    .other_count = OTHERS,
    .frameless = true,
    .driven = true};
