// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Gears, racks and pulleys whose axes are fixed in a third body, the housing, instead of the world.
// Speeds are then those against the housing, and what the row puts on a and b it takes from there.
#ifndef MODEL_JOINT_HOUSING_H
#define MODEL_JOINT_HOUSING_H

#include "base/error.h"
#include "model/joint.h"
#include "model/joints/joint_view.h"

/// The parameter `housing` of instances of `type_`.
#define KAI_JOINT_HOUSED_PARAM(type_) \
    KAI_PARAM(                        \
        BODY, type_, housing,         \
        .doc =                        \
            "Body in which the axes are fixed and which takes the reaction; the world when absent.")

/// A direction of the world as the housing, if there is one, sees it now.
static inline kai_vec3 kai_joint_housing_keep(const kai_world* world, kai_body housing,
                                              kai_vec3 direction)
{
    return KAI_IS_NULL(housing) ? direction : kai_joint_direction(world, housing, direction);
}

/// The housing must not be one of the two it carries.
static inline kai_result kai_joint_housing_check(const char* kind, const kai_joint_base* base,
                                                 kai_body housing, kai_error* err)
{
    for (int i = 0; i < 2; i++)
        if (!KAI_IS_NULL(housing) && KAI_ID_EQUALS(housing, base->bodies[i]))
            return kai_error_set(err, KAI_ERROR_ARGUMENT,
                                 "%s: housing is one of bodies; must be a third body", kind);
    return KAI_OK;
}

/// The pose of the housing of instance i, NULL without one.
static inline const kai_pose* kai_joint_housing_pose(const kai_joint_batch* b, size_t i)
{
    return b->further_slot[i] == UINT32_MAX ? NULL : &b->pose[b->further_slot[i]];
}

/// A direction kept by kai_joint_housing_keep, in the world.
static inline kai_vec3 kai_joint_housing_axis(const kai_pose* housing, kai_vec3 kept)
{
    return housing ? kai_quat_rotate(housing->rotation, kept) : kept;
}

/// A velocity-level row fa · (ω_a - ω_h) + fb · (ω_b - ω_h) = 0.
static inline void kai_joint_housing_spins(const kai_joint_batch* b, size_t i,
                                           const kai_pose* housing, kai_vec3 fa, kai_vec3 fb)
{
    const kai_joint_view v = kai_joint_view_look(b, i);
    kai_joint_view_spins(&v, fa, fb, b->rows + i);
    if (housing)
        b->further[i].torque =
            kai_quat_unrotate(housing->rotation, kai_vec3_neg(kai_vec3_add(fa, fb)));
}

/// An instance of a gear, of parallel axes or of any two.
typedef struct kai_joint_housing_gears {
    kai_joint_gear_params given;
    kai_vec3 turn[2]; // unit axes of a and b in the housing or the world
} kai_joint_housing_gears;

/// evaluate() of gears: turn[1] · (ω_b - ω_h) = ratio turn[0] · (ω_a - ω_h).
static inline void kai_joint_housing_gear(const kai_joint_batch* b)
{
    for (size_t i = b->begin; i < b->end; i++) {
        const kai_joint_housing_gears* p = kai_joint_view_instance(b, i);
        const kai_pose* housing = kai_joint_housing_pose(b, i);
        const kai_vec3 first = kai_joint_housing_axis(housing, p->turn[0]);
        const kai_vec3 second = kai_joint_housing_axis(housing, p->turn[1]);
        kai_joint_housing_spins(b, i, housing, kai_vec3_scale(first, -p->given.ratio), second);
    }
}

#endif
