// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Rows with bounds in methods that solve for the end of a step by Newton's method: a row is held
// (g = 0, or dg/dt = 0 where it holds for velocities), or its multiplier is at a bound. States and
// unknowns are found together: each iteration first puts right the rows that are in the wrong
// state (a semi-smooth Newton method).
#include "step/constraints.h"

static const double TOUCHING = 1e-9; // m or rad, and per second: at the limit, at rest
static const double SLIPPING = 1e-2; // m/s or rad/s: more than methods leave of a rate that is held

/// How far a row is on its allowed side: g, or dg/dt where it holds for velocities.
static double side(const kai_constraints* c, const kai_world* world,
                   const kai_constraints_joint* joint, uint32_t r)
{
    if (joint->velocity_level) return kai_constraints_rate(c, world, joint, r);
    return kai_constraints_row(c, joint->first + r)->g;
}

/// The bound that a row is at while it does not hold: with one bound that one.
static uint8_t open_state(const kai_joint_row* row, double where)
{
    if (isinf(row->high)) return KAI_CONSTRAINTS_LOW;
    if (isinf(row->low)) return KAI_CONSTRAINTS_HIGH;
    return where > 0.0 ? KAI_CONSTRAINTS_LOW : KAI_CONSTRAINTS_HIGH;
}

void kai_constraints_bounds_guess(kai_constraints* c, const kai_world* world)
{
    const kai_constraints_joint* joints = c->joints.data;
    for (size_t i = 0; i < c->joints.count; i++) {
        for (uint32_t r = 0; joints[i].bounded && r < joints[i].count; r++) {
            const kai_joint_row* row = kai_constraints_row(c, joints[i].first + r);
            const double where = side(c, world, &joints[i], r),
                         rate = kai_constraints_rate(c, world, &joints[i], r);
            const bool at = fabs(where) <= TOUCHING && fabs(rate) <= TOUCHING;
            *kai_constraints_state_of(c, joints[i].first + r) =
                at ? KAI_CONSTRAINTS_HELD : open_state(row, where);
        }
    }
}

void kai_constraints_bounds_follow(kai_constraints* c, const kai_world* world)
{
    const kai_constraints_joint* joints = c->joints.data;
    for (size_t i = 0; i < c->joints.count; i++) {
        for (uint32_t k = 0; joints[i].bounded && k < joints[i].count; k++) {
            const uint32_t r = joints[i].first + k;
            const kai_joint_row* row = kai_constraints_row(c, r);
            const double lambda = ((const double*)c->lambda.data)[r];
            // Bounds over time move by rounding since the multiplier was set to one.
            const double slack = 1e-9 * fabs(lambda);
            uint8_t state = lambda <= row->low + slack    ? KAI_CONSTRAINTS_LOW
                            : lambda >= row->high - slack ? KAI_CONSTRAINTS_HIGH
                                                          : KAI_CONSTRAINTS_HELD;
            const double where = side(c, world, &joints[i], k);
            if (joints[i].velocity_level && fabs(where) > SLIPPING) state = open_state(row, where);
            *kai_constraints_state_of(c, r) = state;
        }
    }
}

static uint8_t better(uint8_t state, const kai_joint_row* row, double lambda, double where,
                      double slack)
{
    if (state == KAI_CONSTRAINTS_HELD && lambda < row->low) return KAI_CONSTRAINTS_LOW;
    if (state == KAI_CONSTRAINTS_HELD && lambda > row->high) return KAI_CONSTRAINTS_HIGH;
    if (state == KAI_CONSTRAINTS_LOW && where < -slack) return KAI_CONSTRAINTS_HELD;
    if (state == KAI_CONSTRAINTS_HIGH && where > slack) return KAI_CONSTRAINTS_HELD;
    return state;
}

size_t kai_constraints_bounds_change(kai_constraints* c, const kai_world* world, double slack,
                                     bool one)
{
    const kai_constraints_joint* joints = c->joints.data;
    double* lambda = c->lambda.data;
    size_t wrong = 0;
    for (size_t i = 0; i < c->joints.count; i++) {
        for (uint32_t k = 0; joints[i].bounded && k < joints[i].count; k++) {
            const uint32_t r = joints[i].first + k;
            const kai_joint_row* row = kai_constraints_row(c, r);
            uint8_t* state = kai_constraints_state_of(c, r);
            const uint8_t next =
                better(*state, row, lambda[r], side(c, world, &joints[i], k), slack);
            if (next != *state && !(one && wrong > 0)) *state = next, wrong++;
            // bounds may change with time
            if (*state != KAI_CONSTRAINTS_HELD) lambda[r] = kai_constraints_bound(row, *state);
        }
    }
    return wrong;
}
