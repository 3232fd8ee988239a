// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Keeps a coordinate x of a joint in [low, high]. Rows: x - low ≥ 0 and high - x ≥ 0, each with a
// multiplier ≥ 0. An angle is followed over any number of turns. It starts with the one that the
// joint has, or where the range does not hold that, with the one nearest to the middle of the
// range.
#include "base/error.h"
#include "model/joints/joint_motion.h"
#include "model/joints/joint_motor.h"

/// An instance.
typedef struct params {
    kai_joint_limit_params given;
    double angle; // of the last evaluation, turns counted
} params;

/// The coordinate with its row, whose g is the coordinate itself.
static void limit_look(const kai_joint_batch* b, size_t i, const params* p, kai_joint_row* row)
{
    const kai_joint_view v = kai_joint_view_look(b, i);
    if (p->given.coordinate == KAI_JOINT_TRAVEL) {
        kai_joint_view_point(&v, 2, row);
        return;
    }
    kai_vec3 axis;
    const double angle = kai_joint_motion_angle(&v, &axis);
    kai_joint_view_turn(&v, kai_joint_motion_nearest(angle, p->angle), axis, row);
}

static void limit_follow(const kai_joint_batch* b, void* instances)
{
    for (size_t i = b->begin; i < b->end; i++) {
        params* p = (params*)instances + i;
        if (p->given.coordinate == KAI_JOINT_TRAVEL) continue;
        const kai_joint_view v = kai_joint_view_look(b, i);
        kai_vec3 axis;
        p->angle = kai_joint_motion_nearest(kai_joint_motion_angle(&v, &axis), p->angle);
    }
}

static kai_result limit_prepare(const kai_world* world, void* instance, kai_error* err)
{
    (void)err;
    params* p = instance;
    const kai_joint_view v = kai_joint_view_now(world, &p->given.base);
    kai_vec3 axis;
    p->angle = kai_joint_motion_angle(&v, &axis);
    const bool inside = p->given.low <= p->angle && p->angle <= p->given.high;
    if (!inside && p->given.low > -1e30 && p->given.high < 1e30)
        p->angle = kai_joint_motion_nearest(p->angle, 0.5 * (p->given.low + p->given.high));
    return KAI_OK;
}

static kai_wrench limit_negated(kai_wrench w)
{
    return (kai_wrench){kai_vec3_neg(w.force), kai_vec3_neg(w.torque)};
}

static void limit_evaluate(const kai_joint_batch* b)
{
    for (size_t i = b->begin; i < b->end; i++) {
        const params* p = kai_joint_view_instance(b, i);
        kai_joint_row *low = b->rows + 2 * i, *high = low + 1;
        limit_look(b, i, p, low);
        *high = (kai_joint_row){
            .g = p->given.high - low->g, .a = limit_negated(low->a), .b = limit_negated(low->b)};
        low->g -= p->given.low;
        low->low = high->low = 0.0;
        low->high = high->high = HUGE_VAL;
    }
}

static kai_result limit_check(const void* instance, kai_error* err)
{
    const kai_joint_limit_params* p = instance;
    if (KAI_IS_NULL(p->joint) && KAI_IS_NULL(p->base.bodies[0]))
        return kai_error_set(err, KAI_ERROR_ARGUMENT,
                             "limit: joint is missing; give it, or bodies with at and axis");
    if (p->low > p->high)
        return kai_error_set(err, KAI_ERROR_ARGUMENT,
                             "limit: low is %.15g and high is %.15g; low must be <= high", p->low,
                             p->high);
    return KAI_OK;
}

static const char* const WORDS[] = KAI_JOINT_MOTOR_WORDS;

static const kai_param PARAMS[] = {
    KAI_JOINT_BASE_PARAMS(false),
    KAI_PARAM(JOINT, kai_joint_limit_params, joint,
              .doc = "Joint whose coordinate is limited, instead of bodies with at and axis."),
    KAI_PARAM(ENUM, kai_joint_limit_params, coordinate, .words = WORDS,
              .doc = "Which coordinate is limited."),
    KAI_PARAM(REAL, kai_joint_limit_params, low, .initial = {-1e30},
              .doc = "Minimum, rad or m; none when absent."),
    KAI_PARAM(REAL, kai_joint_limit_params, high, .initial = {1e30},
              .doc = "Maximum, rad or m; none when absent."),
    KAI_PARAM(REAL, params, angle, .hidden = true),
};

const kai_joint_kind kai_joint_limit = {
    .kind = KAI_KIND(
        "limit", params, PARAMS, .given = sizeof(kai_joint_limit_params), .check = limit_check,
        .doc =
            "Keeps an angle (any number of turns) or a travel between two values (unilateral constraint); not with rk4."),
    .rows = 2,
    .evaluate = limit_evaluate,
    .follow = limit_follow,
    .prepare = limit_prepare,
    .joint = offsetof(kai_joint_limit_params, joint),
    .bounded = true};
