// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Motors that put an effort on a coordinate x of two joint frames: a torque on b about the axis and
// the opposite on a, where x is the angle; a force on b along the axis of a and the opposite at the
// same place on a, where x is the travel. Its power is effort · ẋ. Angles count whole turns.
//
// The effort is given over time, or a PID controller finds it. With e = target(t) - x and its
// integral I, a state:
//
//     u = kp e + ki I + kd ė,   effort = u kept in [low, high],   İ = e
//
// Where u is beyond a bound and e would drive it further, I rests (no windup).
#include "model/joints/joint_motor.h"
#include "model/load_frames.h"

typedef struct motor {
    kai_joint_motor_params given;
    double angle; // of rotation-torque: that of the last evaluation, turns counted
} motor;

typedef struct pid {
    kai_load_pid_params given;
    int32_t coordinate; // a kai_joint_coordinate: what the kind controls
    double angle;       // of the last evaluation, turns counted
} pid;

// The coordinate ---------------------------------------------------------------------------------

typedef struct coordinate_view {
    kai_joint_view v;
    kai_vec3 axis;
    bool turns;
    double x, rate;
} coordinate_view;

// x for instance i; of an angle, the one nearest to `before`.
static coordinate_view coordinate_look(const kai_load_batch* b, size_t i,
                                       const kai_joint_base* base, int32_t coordinate,
                                       double before)
{
    coordinate_view s = {.v = kai_load_frames_look(b, base, i),
                         .turns = coordinate == KAI_JOINT_ANGLE};
    if (s.turns) {
        s.x = kai_joint_motion_nearest(kai_joint_motion_angle(&s.v, &s.axis), before);
    } else {
        s.axis = s.v.a[2];
        s.x = kai_vec3_dot(s.axis, s.v.d);
    }
    return s;
}

static void coordinate_find_rate(const kai_load_batch* b, size_t i, coordinate_view* s)
{
    const kai_motion *ma = &b->motion[b->slot[2 * i]], *mb = &b->motion[b->slot[2 * i + 1]];
    s->rate = kai_vec3_dot(s->axis, s->turns ? kai_joint_motion_spin(&s->v, ma, mb)
                                             : kai_joint_motion_drift(&s->v, ma, mb));
}

static void coordinate_put(const coordinate_view* s, double effort, kai_wrench out[2])
{
    const kai_vec3 along = kai_vec3_scale(s->axis, effort), none = kai_vec3_zero();
    kai_load_frames_put(&s->v, s->turns ? none : along, s->turns ? along : none, out);
}

static void coordinate_output(const coordinate_view* s, double effort, kai_load_state* state)
{
    *(s->turns ? &state->torque : &state->force) = effort;
    *(s->turns ? &state->angle : &state->length) = s->x;
    state->rate = s->rate;
}

// Efforts over time ------------------------------------------------------------------------------

static coordinate_view motor_look(const kai_load_batch* b, size_t i)
{
    const motor* p = KAI_LOAD_AT(b, motor, i);
    return coordinate_look(b, i, &p->given.base, p->given.coordinate, p->angle);
}

static double motor_effort(const kai_load_batch* b, size_t i)
{
    const motor* p = KAI_LOAD_AT(b, motor, i);
    return p->given.base.active ? kai_function_set_value(b->functions, &p->given.value, b->time).y
                                : 0.0;
}

static void motor_follow(const kai_load_batch* b, void* instances)
{
    for (size_t i = b->begin; i < b->end; i++) ((motor*)instances)[i].angle = motor_look(b, i).x;
}

static void motor_apply(const kai_load_batch* b)
{
    for (size_t i = b->begin; i < b->end; i++) {
        const coordinate_view s = motor_look(b, i);
        coordinate_put(&s, motor_effort(b, i), &b->out[2 * i]);
    }
}

static void motor_output(const kai_load_batch* b, size_t i, kai_load_state* state)
{
    coordinate_view s = motor_look(b, i);
    coordinate_find_rate(b, i, &s);
    coordinate_output(&s, motor_effort(b, i), state);
}

static kai_result torque_check(const void* instance, kai_error* err)
{
    return kai_joint_motor_check(instance, "rotation-torque", KAI_JOINT_ANGLE, err);
}

static kai_result force_check(const void* instance, kai_error* err)
{
    return kai_joint_motor_check(instance, "linear-force", KAI_JOINT_TRAVEL, err);
}

static kai_result torque_prepare(const kai_world* world, void* instance, kai_error* err)
{
    motor* p = instance;
    return kai_load_frames_set(world, "rotation-torque", &p->given.joint, true, false,
                               &p->given.base, err);
}

static kai_result force_prepare(const kai_world* world, void* instance, kai_error* err)
{
    motor* p = instance;
    return kai_load_frames_set(world, "linear-force", &p->given.joint, false, true, &p->given.base,
                               err);
}

static const char* const WORDS[] = KAI_JOINT_MOTOR_WORDS;

static const kai_param TORQUE[] = {KAI_JOINT_MOTOR_PARAMS(KAI_JOINT_ANGLE, WORDS, "N m", 0,
                                                          "Torque on b about the axis, over time."),
                                   KAI_PARAM(REAL, motor, angle, .hidden = true)};
static const kai_param FORCE[] = {KAI_JOINT_MOTOR_PARAMS(KAI_JOINT_TRAVEL, WORDS, "N", 0,
                                                         "Force on b along the axis, over time.")};

const kai_load_kind kai_load_motor_rotation_torque = {
    .kind = KAI_KIND("rotation-torque", motor, TORQUE, .given = sizeof(kai_joint_motor_params),
                     .check = torque_check,
                     .doc = "Drives a joint, or two bodies about an axis, by a given torque."),
    .section = "motors",
    .apply = motor_apply,
    .prepare = torque_prepare,
    .follow = motor_follow,
    .output = motor_output,
    .outputs = KAI_LOAD_TORQUE | KAI_LOAD_ANGLE | KAI_LOAD_RATE | KAI_LOAD_EFFORT};

const kai_load_kind kai_load_motor_linear_force = {
    .kind = KAI_KIND("linear-force", motor, FORCE, .given = sizeof(kai_joint_motor_params),
                     .check = force_check,
                     .doc = "Drives a joint, or two bodies along an axis, by a given force."),
    .section = "motors",
    .apply = motor_apply,
    .prepare = force_prepare,
    .output = motor_output,
    .outputs = KAI_LOAD_FORCE | KAI_LOAD_LENGTH | KAI_LOAD_RATE | KAI_LOAD_EFFORT};

// Controllers ------------------------------------------------------------------------------------

typedef struct pid_view {
    coordinate_view c;
    double error;  // e
    double wanted; // u
    double effort; // u within bounds
} pid_view;

static pid_view pid_look(const kai_load_batch* b, size_t i)
{
    const pid* p = KAI_LOAD_AT(b, pid, i);
    const kai_jet target = kai_function_set_value(b->functions, &p->given.target, b->time);
    pid_view s = {.c = coordinate_look(b, i, &p->given.base, p->coordinate, p->angle)};
    coordinate_find_rate(b, i, &s.c);
    s.error = target.y - s.c.x;
    s.wanted = p->given.kp * s.error + p->given.ki * p->given.integral +
               p->given.kd * (target.dy - s.c.rate);
    s.effort = p->given.base.active ? fmin(fmax(s.wanted, p->given.low), p->given.high) : 0.0;
    return s;
}

static void pid_follow(const kai_load_batch* b, void* instances)
{
    for (size_t i = b->begin; i < b->end; i++) ((pid*)instances)[i].angle = pid_look(b, i).c.x;
}

static void pid_apply(const kai_load_batch* b)
{
    for (size_t i = b->begin; i < b->end; i++) {
        const pid_view s = pid_look(b, i);
        coordinate_put(&s.c, s.effort, &b->out[2 * i]);
    }
}

// İ
static void pid_rates(const kai_load_batch* b, size_t i, double* out)
{
    const pid* p = KAI_LOAD_AT(b, pid, i);
    const pid_view s = pid_look(b, i);
    const bool winds =
        (s.wanted > p->given.high && s.error > 0.0) || (s.wanted < p->given.low && s.error < 0.0);
    *out = winds || !p->given.base.active ? 0.0 : s.error;
}

static void pid_output(const kai_load_batch* b, size_t i, kai_load_state* state)
{
    const pid_view s = pid_look(b, i);
    coordinate_output(&s.c, s.effort, state);
}

static kai_result pid_check(const kai_load_pid_params* p, const char* kind, kai_error* err)
{
    if (KAI_IS_NULL(p->joint) && KAI_IS_NULL(p->base.bodies[0]))
        return kai_error_set(err, KAI_ERROR_ARGUMENT,
                             "%s: joint is missing; give it, or bodies with at and axis", kind);
    if (p->low < p->high) return KAI_OK;
    return kai_error_set(err, KAI_ERROR_ARGUMENT,
                         "%s: low is %.15g and high is %.15g; low must be < high", kind, p->low,
                         p->high);
}

static kai_result rotation_pid_check(const void* instance, kai_error* err)
{
    return pid_check(instance, "rotation-pid", err);
}

static kai_result linear_pid_check(const void* instance, kai_error* err)
{
    return pid_check(instance, "linear-pid", err);
}

static kai_result pid_prepare(const kai_world* world, void* instance, kai_error* err)
{
    pid* p = instance;
    const bool turns = p->coordinate == KAI_JOINT_ANGLE;
    return kai_load_frames_set(world, turns ? "rotation-pid" : "linear-pid", &p->given.joint, turns,
                               !turns, &p->given.base, err);
}

// The parameters; `unit_` is that of the coordinate, `effort_` of what the controller puts out.
#define PID_PARAMS(driven, unit_, effort_)                                                       \
    KAI_JOINT_BASE_PARAMS(false),                                                                \
        KAI_PARAM(                                                                               \
            JOINT, kai_load_pid_params, joint,                                                   \
            .doc = "Joint whose coordinate is controlled, instead of bodies with at and axis."), \
        KAI_PARAM(VALUE, kai_load_pid_params, target, .unit = unit_, .required = true,           \
                  .doc = "Target value (set point) of the coordinate, over time."),              \
        KAI_PARAM(REAL, kai_load_pid_params, kp, .range = KAI_AT_LEAST(0.0),                     \
                  .doc = "Proportional gain: effort per error."),                                \
        KAI_PARAM(REAL, kai_load_pid_params, ki, .range = KAI_AT_LEAST(0.0),                     \
                  .doc = "Integral gain: effort per time integral of the error."),               \
        KAI_PARAM(REAL, kai_load_pid_params, kd, .range = KAI_AT_LEAST(0.0),                     \
                  .doc = "Derivative gain: effort per rate of the error."),                      \
        KAI_PARAM(REAL, kai_load_pid_params, low, .unit = effort_, .initial = {-1e30},           \
                  .doc = "Minimum effort; none when absent."),                                   \
        KAI_PARAM(REAL, kai_load_pid_params, high, .unit = effort_, .initial = {1e30},           \
                  .doc = "Maximum effort; none when absent."),                                   \
        KAI_PARAM(ENUM, pid, coordinate, .words = WORDS, .initial = {driven}, .hidden = true),   \
        KAI_PARAM(REAL, kai_load_pid_params, integral, .hidden = true),                          \
        KAI_PARAM(REAL, pid, angle, .hidden = true)

static const kai_param ROTATION_PID[] = {PID_PARAMS(KAI_JOINT_ANGLE, "rad", "N m")};
static const kai_param LINEAR_PID[] = {PID_PARAMS(KAI_JOINT_TRAVEL, "m", "N")};

const kai_load_kind kai_load_motor_rotation_pid = {
    .kind = KAI_KIND(
        "rotation-pid", pid, ROTATION_PID, .given = sizeof(kai_load_pid_params),
        .check = rotation_pid_check,
        .doc = "A PID controller that drives a joint, or two bodies about an axis, by a torque."),
    .section = "motors",
    .apply = pid_apply,
    .prepare = pid_prepare,
    .follow = pid_follow,
    .output = pid_output,
    .outputs = KAI_LOAD_TORQUE | KAI_LOAD_ANGLE | KAI_LOAD_RATE | KAI_LOAD_EFFORT,
    .needs_velocity = true,
    .stiff = true,
    .states = offsetof(kai_load_pid_params, integral),
    .state_count = 1,
    .rates = pid_rates};

const kai_load_kind kai_load_motor_linear_pid = {
    .kind = KAI_KIND(
        "linear-pid", pid, LINEAR_PID, .given = sizeof(kai_load_pid_params),
        .check = linear_pid_check,
        .doc = "A PID controller that drives a joint, or two bodies along an axis, by a force."),
    .section = "motors",
    .apply = pid_apply,
    .prepare = pid_prepare,
    .output = pid_output,
    .outputs = KAI_LOAD_FORCE | KAI_LOAD_LENGTH | KAI_LOAD_RATE | KAI_LOAD_EFFORT,
    .needs_velocity = true,
    .stiff = true,
    .states = offsetof(kai_load_pid_params, integral),
    .state_count = 1,
    .rates = pid_rates};
