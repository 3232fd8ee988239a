// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// What couples shafts (section "driveline" of scenes): kinds of joints, which hold a speed ratio,
// and kinds of loads, which give a torque. Create them with kai_joint_create and kai_load_create.
//
// Speeds of shafts are numbers in space, not against something. A coupling may stand in a
// *housing*: a body h with an axis n fixed to it, which turns at Ω = n · ω_h. Speeds then count
// against Ω, and what the torques on the shafts leave over, their sum with the sign changed, is put
// on the housing about n. Without a housing the ground takes it.
#ifndef KAIROS_DRIVELINE_H
#define KAIROS_DRIVELINE_H

#include <kairos/load.h>

#ifdef __cplusplus
extern "C" {
#endif

// Couplings that hold speeds ---------------------------------------------------------------------

// The multiplier of their one row is the torque that kai_joint_effort gives: on shaft 2, the ring,
// the outputs of a differential together, the shaft. kai_joint_slip gives the rate of the row.

/// Parameters of `shaft-gear`: ω₂ = ratio ω₁, as seen from the housing.
typedef struct kai_joint_shaft_gear_params {
    kai_joint_base base; ///< bodies[0]: the housing, null: the ground; axis: of both shafts, or 1
    kai_shaft shafts[2]; ///< 1 and 2
    double ratio;        ///< speed of 2 over speed of 1, not 0
    kai_vec3 axis2;      ///< of shaft 2, world coordinates at creation; NaN: axis
} kai_joint_shaft_gear_params;

/// Parameters of `planetary`: ω_ring - ω_carrier = ratio (ω_sun - ω_carrier) (Willis). The three
/// torques add up to nothing: it needs no housing.
typedef struct kai_joint_planetary_params {
    kai_joint_base base;
    kai_shaft shafts[3]; ///< sun, ring, carrier
    double ratio;        ///< with the carrier held; -(teeth of sun) / (teeth of ring); not 0, not 1
} kai_joint_planetary_params;

/// Parameters of `differential`: split ω₁ + (1 - split) ω₂ = ratio ω_in, as seen from the housing.
typedef struct kai_joint_differential_params {
    kai_joint_base base; ///< bodies[0]: the housing, null: the ground; axis: of the input
    kai_shaft shafts[3]; ///< input, output 1, output 2
    double ratio;        ///< speed of the carrier over speed of the input, not 0
    double split;        ///< share of the torque that output 1 gets, between 0 and 1
    kai_vec3 axis2;      ///< of the outputs, world coordinates at creation; NaN: axis
} kai_joint_differential_params;

/// Parameters of `clutch`: ω₂ = ω₁ while the torque is at most capacity · engagement.
typedef struct kai_joint_clutch_params {
    kai_joint_base base;
    kai_shaft shafts[2];  ///< 1 and 2
    kai_value capacity;   ///< N m, at full engagement
    kai_value engagement; ///< 0 open, 1 closed; held inside of these
} kai_joint_clutch_params;

/// Parameters of `shaft-brake`: holds a shaft still in its housing up to the maximum torque.
typedef struct kai_joint_shaft_brake_params {
    kai_joint_base base;  ///< bodies[0]: the housing, null: the ground
    kai_shaft shaft;      ///< that is braked
    kai_value capacity;   ///< N m, at full engagement
    kai_value engagement; ///< 0 open, 1 closed; held inside of these
} kai_joint_shaft_brake_params;

/// Parameters of `free-wheel`: shaft 1 drives shaft 2 forwards and never holds it back, ω₂ ≥ ω₁.
typedef struct kai_joint_free_wheel_params {
    kai_joint_base base;
    kai_shaft shafts[2]; ///< 1 and 2
} kai_joint_free_wheel_params;

/// Parameters of `shaft-body`: a shaft turns with a body, ω = n · ω_b, n an axis fixed to b. With a
/// second body, against it: ω = n · (ω_b - ω_a); what turns the shaft then reacts on a.
typedef struct kai_joint_shaft_body_params {
    kai_joint_base base; ///< bodies[1]: that turns with the shaft; bodies[0]: against, or null
    kai_shaft shaft;     ///< the shaft
} kai_joint_shaft_body_params;

/// Parameters of `shaft-speed`: a shaft's speed follows a function of time.
typedef struct kai_joint_shaft_speed_params {
    kai_joint_base base; ///< bodies[0]: the housing, null: the ground
    kai_shaft shafts[2]; ///< driven, and against which; the second may be null
    kai_value value;     ///< rad/s
} kai_joint_shaft_speed_params;

/// Parameters of `shaft-angle`: a shaft's angle follows a function of time.
typedef struct kai_joint_shaft_angle_params {
    kai_joint_base base;
    kai_shaft shafts[2]; ///< driven, and against which; the second may be null
    kai_value value;     ///< rad, any number of turns
} kai_joint_shaft_angle_params;

KAI_API extern const kai_joint_kind kai_joint_shaft_gear;   ///< see kai_joint_shaft_gear_params
KAI_API extern const kai_joint_kind kai_joint_planetary;    ///< see kai_joint_planetary_params
KAI_API extern const kai_joint_kind kai_joint_differential; ///< see kai_joint_differential_params
KAI_API extern const kai_joint_kind kai_joint_clutch;       ///< see kai_joint_clutch_params
KAI_API extern const kai_joint_kind kai_joint_shaft_brake;  ///< see kai_joint_shaft_brake_params
KAI_API extern const kai_joint_kind kai_joint_free_wheel;   ///< see kai_joint_free_wheel_params
KAI_API extern const kai_joint_kind kai_joint_shaft_body;   ///< see kai_joint_shaft_body_params
KAI_API extern const kai_joint_kind kai_joint_shaft_speed;  ///< see kai_joint_shaft_speed_params
KAI_API extern const kai_joint_kind kai_joint_shaft_angle;  ///< see kai_joint_shaft_angle_params

/// The rate of a joint's one row at the present speeds, without what moves it by itself: the slip
/// of a clutch, the speed of a shaft that is driven. rad/s. KAI_ERROR_ARGUMENT for a joint with
/// several rows.
KAI_API kai_result kai_joint_slip(const kai_world* world, kai_joint joint, double* slip);

/// The parameters of kai_joint_base that a coupling of shafts has.
#define KAI_JOINT_SHAFT_PARAMS                                                                \
    KAI_JOINT_MADE,                                                                           \
    {                                                                                         \
        .name = "active", .type = KAI_PARAM_BOOL, .offset = offsetof(kai_joint_base, active), \
        .initial = {1.0}, .doc = "Whether the coupling acts."                                 \
    }

/// Those of one that may stand on a housing.
#define KAI_JOINT_HOUSING_PARAMS                                                                       \
    KAI_JOINT_SHAFT_PARAMS,                                                                            \
        {.name = "housing",                                                                            \
         .type = KAI_PARAM_BODY,                                                                       \
         .offset = offsetof(kai_joint_base, bodies),                                                   \
         .doc =                                                                                        \
             "Body that carries the coupling and takes the reaction torque; the ground when absent."}, \
    {                                                                                                  \
        .name = "axis", .type = KAI_PARAM_VEC3, .offset = offsetof(kai_joint_base, axis),              \
        .placing = KAI_PLACING_AXIAL, .initial = {0.0, 0.0, 1.0},                                      \
        .doc = "Axis of the shafts in the housing, world coordinates at t = 0."                        \
    }

// Couplings that give a torque -------------------------------------------------------------------

/// What loads on one shaft start with. The torque on the shaft is taken, with the sign changed,
/// from another shaft or from a housing; speeds count against that.
typedef struct kai_load_shaft_base {
    kai_shaft shaft;    ///< on which it acts
    kai_shaft against;  ///< that takes the reaction; null: none
    kai_body housing;   ///< likewise, about `axis`; null: none
    kai_vec3 axis;      ///< of the shaft in the housing, world coordinates at creation
    kai_vec3 direction; ///< set by prepare(): the same in the principal frame of the housing
} kai_load_shaft_base;

/// The parameters of kai_load_shaft_base, to stand first in the list of a kind's own.
#define KAI_LOAD_SHAFT_PARAMS                                                                \
    {.name = "shaft",                                                                        \
     .type = KAI_PARAM_SHAFT,                                                                \
     .offset = offsetof(kai_load_shaft_base, shaft),                                         \
     .required = true,                                                                       \
     .doc = "Shaft on which it acts."},                                                      \
        {.name = "against",                                                                  \
         .type = KAI_PARAM_SHAFT,                                                            \
         .offset = offsetof(kai_load_shaft_base, against),                                   \
         .doc = "Shaft that takes the reaction; speeds are relative to it."},                \
        {.name = "housing",                                                                  \
         .type = KAI_PARAM_BODY,                                                             \
         .offset = offsetof(kai_load_shaft_base, housing),                                   \
         .doc = "Body that takes the reaction, instead; the ground when neither is given."}, \
        {.name = "axis",                                                                     \
         .type = KAI_PARAM_VEC3,                                                             \
         .offset = offsetof(kai_load_shaft_base, axis),                                      \
         .placing = KAI_PLACING_AXIAL,                                                       \
         .initial = {0.0, 0.0, 1.0},                                                         \
         .doc = "Axis of the shaft in the housing, world coordinates at t = 0."},            \
    {                                                                                        \
        .name = "direction", .type = KAI_PARAM_VEC3,                                         \
        .offset = offsetof(kai_load_shaft_base, direction), .hidden = true                   \
    }

/// Parameters of `torsion-spring`: with θ = θ₂ - θ₁, the torque on 2 is -(preload + stiffness(θ -
/// rest_angle) + damping(dθ/dt)), the opposite on 1.
typedef struct kai_load_torsion_spring_params {
    kai_shaft shafts[2]; ///< 1 and 2
    double rest_angle;   ///< rad
    kai_curve stiffness; ///< N m over rad
    kai_curve damping;   ///< N m over rad/s
    double preload;      ///< N m at the rest angle and at rest
} kai_load_torsion_spring_params;

/// Parameters of `shaft-torque`.
typedef struct kai_load_shaft_torque_params {
    kai_load_shaft_base base;
    kai_value value; ///< N m on the shaft
} kai_load_shaft_torque_params;

/// Parameters of `shaft-drag`: -(linear + quadratic |ω|) ω.
typedef struct kai_load_shaft_drag_params {
    kai_load_shaft_base base;
    double linear;    ///< N m s/rad
    double quadratic; ///< N m s²/rad²
} kai_load_shaft_drag_params;

/// Parameters of `engine`: the torque at a speed is that of `drag` plus throttle times the rest of
/// the way to that of `full`.
typedef struct kai_load_engine_params {
    kai_load_shaft_base base;
    kai_curve full;     ///< N m over rad/s at full throttle
    kai_curve drag;     ///< N m over rad/s without throttle, mostly negative
    kai_value throttle; ///< 0 to 1; held inside of these
} kai_load_engine_params;

/// Parameters of `torque-converter`. With the speed ratio R = ω_out / ω_in, the impeller (input)
/// takes T = (ω_in / capacity(R))², the turbine (output) gets torque_ratio(R) T, and the stator
/// puts the difference on the housing. See load_torque_converter.c for what happens beyond R = 1.
typedef struct kai_load_torque_converter_params {
    kai_shaft shafts[2];    ///< input and output
    kai_table capacity;     ///< rows [R, K], K in rad/s/√(N m), > 0
    kai_table torque_ratio; ///< rows [R, torque of the output over that of the input]
    kai_body housing;       ///< that carries the stator; null: the ground
    kai_vec3 axis;          ///< of the shafts in the housing, world coordinates at creation
} kai_load_torque_converter_params;

KAI_API extern const kai_load_kind kai_load_torsion_spring; ///< see kai_load_torsion_spring_params
KAI_API extern const kai_load_kind kai_load_shaft_torque;   ///< see kai_load_shaft_torque_params
KAI_API extern const kai_load_kind kai_load_shaft_drag;     ///< see kai_load_shaft_drag_params
KAI_API extern const kai_load_kind kai_load_engine;         ///< see kai_load_engine_params
KAI_API extern const kai_load_kind
    kai_load_torque_converter; ///< see kai_load_torque_converter_params

#ifdef __cplusplus
}
#endif

#endif
