// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// A PID controller of a coordinate x. With e = target(t) - x and its integral I, a state:
//
//     u = kp e + ki I + kd ė,   effort = u kept in [low, high],   İ = e
//
// Where u is beyond a bound and e would drive it further, I rests (no windup).
#ifndef MODEL_LOAD_PID_H
#define MODEL_LOAD_PID_H

#include "model/joints/joint_motor.h"
#include "model/load_frames.h"

/// The parameters of a controller; `unit_` is that of the coordinate, `effort_` of what it puts
/// out.
#define KAI_LOAD_PID_PARAMS(unit_, effort_)                                                      \
    KAI_JOINT_BASE_PARAMS(false),                                                                \
        KAI_PARAM(                                                                               \
            JOINT, kai_load_pid_params, joint,                                                   \
            .doc = "Joint whose coordinate is controlled, instead of bodies with at and axis."), \
        KAI_PARAM(VALUE, kai_load_pid_params, target, .unit = unit_, .required = true,           \
                  .doc = "Where the coordinate is wanted, over time."),                          \
        KAI_PARAM(REAL, kai_load_pid_params, kp, .range = KAI_AT_LEAST(0.0),                     \
                  .doc = "Effort over error."),                                                  \
        KAI_PARAM(REAL, kai_load_pid_params, ki, .range = KAI_AT_LEAST(0.0),                     \
                  .doc = "Effort over the error's integral."),                                   \
        KAI_PARAM(REAL, kai_load_pid_params, kd, .range = KAI_AT_LEAST(0.0),                     \
                  .doc = "Effort over the error's rate."),                                       \
        KAI_PARAM(REAL, kai_load_pid_params, low, .unit = effort_, .initial = {-1e30},           \
                  .doc = "Least effort; none when absent."),                                     \
        KAI_PARAM(REAL, kai_load_pid_params, high, .unit = effort_, .initial = {1e30},           \
                  .doc = "Largest effort; none when absent."),                                   \
        KAI_PARAM(REAL, kai_load_pid_params, integral, .hidden = true),                          \
        KAI_PARAM(REAL, kai_load_pid_params, angle, .hidden = true)

/// What a controller sees and does.
typedef struct kai_load_pid_look {
    double error;  // e
    double wanted; // u
    double effort; // u within bounds
} kai_load_pid_look;

static inline kai_load_pid_look kai_load_pid_control(const kai_load_batch* b,
                                                     const kai_load_pid_params* p, double x,
                                                     double rate)
{
    const kai_jet target = kai_function_set_value(b->functions, &p->target, b->time);
    kai_load_pid_look s = {.error = target.y - x};
    s.wanted = p->kp * s.error + p->ki * p->integral + p->kd * (target.dy - rate);
    s.effort = p->base.active ? fmin(fmax(s.wanted, p->low), p->high) : 0.0;
    return s;
}

/// İ
static inline double kai_load_pid_rate(const kai_load_pid_params* p, const kai_load_pid_look* s)
{
    const bool winds =
        (s->wanted > p->high && s->error > 0.0) || (s->wanted < p->low && s->error < 0.0);
    return winds || !p->base.active ? 0.0 : s->error;
}

static inline kai_result kai_load_pid_check(const kai_load_pid_params* p, const char* name,
                                            kai_error* err)
{
    if (KAI_IS_NULL(p->joint) && KAI_IS_NULL(p->base.bodies[0]))
        return kai_error_set(err, KAI_ERROR_ARGUMENT,
                             "%s: joint is missing; give it, or bodies with at and axis", name);
    if (p->low < p->high) return KAI_OK;
    return kai_error_set(err, KAI_ERROR_ARGUMENT,
                         "%s: low is %.15g and high is %.15g; low must be < high", name, p->low,
                         p->high);
}

#endif
