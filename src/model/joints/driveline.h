// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// What the couplings of shafts share.
#ifndef MODEL_DRIVELINE_H
#define MODEL_DRIVELINE_H

#include "base/error.h"
#include "model/joint.h"
#include "model/joints/joint_view.h"

#include <kairos/driveline.h>

/// An axis must have a direction; NaN passes: not given.
static inline kai_result kai_driveline_check_axis(const char* kind, const char* key, kai_vec3 axis,
                                                  kai_error* err)
{
    if (!(kai_vec3_max_abs(axis) == 0.0)) return KAI_OK;
    return kai_error_set(err, KAI_ERROR_ARGUMENT, "%s: %s is [0, 0, 0]; must have a length > 0",
                         kind, key);
}

static inline kai_result kai_driveline_check_ratio(const char* kind, double ratio, kai_error* err)
{
    if (ratio != 0.0) return KAI_OK;
    return kai_error_set(err, KAI_ERROR_ARGUMENT, "%s: ratio is 0; must not be 0", kind);
}

/// Factors of the spin of a housing whose first shaft has the factor `first` along `axis`, the
/// others `second` together along `axis2`, which may be NaN: the same.
static inline kai_vec3 kai_driveline_factors(const kai_world* world, kai_body housing,
                                             kai_vec3 axis, double first, kai_vec3 axis2,
                                             double second)
{
    const kai_vec3 n1 = kai_joint_direction(world, housing, axis);
    const kai_vec3 n2 = isnan(axis2.x) ? n1 : kai_joint_direction(world, housing, axis2);
    return kai_vec3_neg(kai_vec3_add(kai_vec3_scale(n1, first), kai_vec3_scale(n2, second)));
}

/// What a part that rubs can hold, N m.
static inline double kai_driveline_grip(const kai_joint_batch* b, const kai_value* capacity,
                                        const kai_value* engagement)
{
    const double most = kai_function_set_value(b->functions, capacity, b->time).y;
    const double closed = kai_function_set_value(b->functions, engagement, b->time).y;
    return fmax(most, 0.0) * fmin(fmax(closed, 0.0), 1.0);
}

// Loads ------------------------------------------------------------------------------------------

/// Speed of a shaft at an end of a load, 0 when there is none.
static inline double kai_driveline_speed(const kai_load_batch* b, size_t e)
{
    return b->slot[e] == UINT32_MAX ? 0.0 : kai_load_shaft(b, e)->speed;
}

/// Speed of a housing at an end of a load about an axis of its principal frame, 0 when there is
/// none.
static inline double kai_driveline_spin(const kai_load_batch* b, size_t e, kai_vec3 direction)
{
    if (b->slot[e] == UINT32_MAX) return 0.0;
    return kai_vec3_dot(direction, b->motion[b->slot[e]].spin);
}

enum { KAI_DRIVELINE_ENDS = 3 }; // of a kai_load_shaft_base: shaft, against, housing

/// Speed of the shaft of a kai_load_shaft_base, against what takes the reaction.
static inline double kai_driveline_base_speed(const kai_load_batch* b, size_t i,
                                              const kai_load_shaft_base* base)
{
    const size_t e = KAI_DRIVELINE_ENDS * i;
    return kai_driveline_speed(b, e) - kai_driveline_speed(b, e + 1) -
           kai_driveline_spin(b, e + 2, base->direction);
}

/// Puts a torque on the shaft of a kai_load_shaft_base, and the reaction where it belongs.
static inline void kai_driveline_base_put(const kai_load_batch* b, size_t i,
                                          const kai_load_shaft_base* base, double torque)
{
    kai_wrench* out = &b->out[KAI_DRIVELINE_ENDS * i];
    out[0].force.x = torque;
    out[1].force.x = -torque;
    out[2].torque = kai_vec3_scale(base->direction, -torque);
}

static inline void kai_driveline_base_output(const kai_load_batch* b, size_t i,
                                             const kai_load_shaft_base* base, double torque,
                                             kai_load_state* state)
{
    state->torque = torque;
    state->rate = kai_driveline_base_speed(b, i, base);
    state->power = torque * state->rate;
}

/// The rules of a kai_load_shaft_base of a kind.
static inline kai_result kai_driveline_base_check(const kai_load_shaft_base* base, const char* kind,
                                                  kai_error* err)
{
    if (!KAI_IS_NULL(base->against) && !KAI_IS_NULL(base->housing))
        return kai_error_set(err, KAI_ERROR_ARGUMENT,
                             "%s: against and housing are both given; give one", kind);
    if (!KAI_IS_NULL(base->against) && KAI_ID_EQUALS(base->against, base->shaft))
        return kai_error_set(err, KAI_ERROR_ARGUMENT,
                             "%s: against is the shaft itself; must be another", kind);
    return kai_driveline_check_axis(kind, "axis", base->axis, err);
}

/// prepare() of kinds that start with a kai_load_shaft_base.
static inline kai_result kai_driveline_base_prepare(const kai_world* world, void* instance,
                                                    kai_error* err)
{
    (void)err;
    kai_load_shaft_base* base = instance;
    base->direction = kai_joint_direction(world, base->housing, base->axis);
    return KAI_OK;
}

#endif
