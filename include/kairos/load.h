// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Loads (force elements): forces and torques on bodies. In scenes they stand under "forces", those
// that drive a coordinate under "motors".
#ifndef KAIROS_LOAD_H
#define KAIROS_LOAD_H

#include <kairos/joint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// What a kind's apply() gets: instances [begin, end) of its batch, and the state they act on. It
/// runs on several threads at once: write only `out`.
typedef struct kai_load_batch {
    const kai_world* world;
    double time;           ///< s
    const void* instances; ///< the batch; use KAI_LOAD_AT
    size_t begin, end;     ///< do these
    size_t bodies;         ///< ends of an instance, over all its BODY and SHAFT parameters
    const uint32_t* slot;  ///< [count * bodies] in parameter order: index into pose and motion; a
                           ///< shaft: use kai_load_shaft
    const kai_pose* pose;  ///< of every body
    const kai_motion* motion; ///< of every body
    kai_wrench* out; ///< [count * bodies], zeroed: force on each end of each instance; of a
                     ///< shaft force.x is the torque
    const kai_shaft_def* shafts;       ///< of every shaft
    size_t body_count;                 ///< slots from here on are shafts
    const kai_function_set* functions; ///< for kai_function_set_value
} kai_load_batch;

/// Instance i of a batch, as a pointer to its type.
#define KAI_LOAD_AT(batch, type, i) ((const type*)(batch)->instances + (i))

/// The shaft at an end of an instance, e = i * bodies + its place among the ends.
static inline const kai_shaft_def* kai_load_shaft(const kai_load_batch* batch, size_t e)
{
    return &batch->shafts[batch->slot[e] - batch->body_count];
}

/// What a load says about itself; a kind fills what it has, the rest is zero.
typedef struct kai_load_state {
    double force;  ///< N; along the line, positive pulls the ends together; a motor's: on b
    double length; ///< m; between the points; a motor's: the travel
    double rate;   ///< m/s of the length or rad/s of the angle
    double torque; ///< N m on body b about the axis
    double angle;  ///< rad, b against a about the axis
    double power;  ///< W that it puts into what it acts on
} kai_load_state;

/// Bits of kai_load_kind.outputs: which fields of kai_load_state a kind fills.
typedef enum kai_load_output_bit {
    KAI_LOAD_FORCE = 1,   ///< force
    KAI_LOAD_LENGTH = 2,  ///< length
    KAI_LOAD_RATE = 4,    ///< rate
    KAI_LOAD_TORQUE = 8,  ///< torque
    KAI_LOAD_ANGLE = 16,  ///< angle
    KAI_LOAD_EFFORT = 32, ///< it is a motor: effort is force or torque, position length or angle
    KAI_LOAD_POWER = 64,  ///< power
} kai_load_output_bit;

/// A kind of load. Its BODY and SHAFT parameters say what it acts on.
typedef struct kai_load_kind {
    kai_kind kind;
    const char* section; ///< list of scene files in which it stands; NULL: "forces"
    /// Writes forces and torques for instances [begin, end).
    void (*apply)(const kai_load_batch* batch);
    /// Optional: fills hidden parameters when a load is created, such as a point in the body's
    /// frame. BODY parameters that are not required may still be null, and must not be afterwards
    /// unless the kind is `grounded`.
    kai_result (*prepare)(const kai_world* world, void* instance, kai_error* err);
    /// Optional: brings inner state (hidden parameters, at `instances`) up to date with the state
    /// that is about to be evaluated, such as a count of turns, for instances [begin, end).
    void (*follow)(const kai_load_batch* batch, void* instances);
    /// Optional: energy stored in instance i, J. What such a load does then is not work.
    double (*energy)(const kai_load_batch* batch, size_t i);
    /// Optional: power that instance i turns into heat, W.
    double (*dissipation)(const kai_load_batch* batch, size_t i);
    /// Optional: what instance i says about itself, for kai_load_output.
    void (*output)(const kai_load_batch* batch, size_t i, kai_load_state* state);
    /// Which fields output() fills: kai_load_output_bit.
    unsigned outputs;
    /// True when the forces depend on velocities.
    bool needs_velocity;
    /// True when they may change so fast with positions or velocities that implicit integrators
    /// must see it; they find the derivatives themselves.
    bool stiff;
    /// Optional: states of the load's own, such as the integral of a controller, integrated with
    /// the system: offset of a double[state_count] in the instance (hidden parameters), and how
    /// many.
    size_t states, state_count;
    /// With states: writes the rates of those of instance i to rates[state_count].
    void (*rates)(const kai_load_batch* batch, size_t i, double* rates);
    /// True: BODY and SHAFT parameters that are not required may stay null. Their slots are
    /// UINT32_MAX, and what is written to `out` for them goes to the ground.
    bool grounded;
} kai_load_kind;

/// The frame in which a force or torque is given.
typedef enum kai_load_frame {
    KAI_LOAD_WORLD, ///< keeps its direction in space
    KAI_LOAD_BODY   ///< turns with the body
} kai_load_frame;

/// Parameters of `force`: acts at a point that moves with the body.
typedef struct kai_load_force_params {
    kai_body body;
    kai_vec3 at;      ///< the point, world coordinates at creation; NaN: see at_body
    kai_vec3 at_body; ///< the point in the body's own frame; NaN: the centre of mass
    kai_value3 value; ///< N
    int32_t frame;    ///< a kai_load_frame
} kai_load_force_params;

/// Parameters of `torque`.
typedef struct kai_load_torque_params {
    kai_body body;
    kai_value3 value; ///< N m
    int32_t frame;    ///< a kai_load_frame
} kai_load_torque_params;

/// Parameters of `spring`: along the line between a point of a and one of b. With the length L, its
/// rate and the deflection d = L - rest_length, the ends are pulled together by
/// preload + stiffness(d) + damping(rate).
typedef struct kai_load_spring_params {
    kai_body bodies[2];
    kai_vec3 points[2];       ///< the ends on a and b, world coordinates at creation
    double rest_length;       ///< m; NaN: the distance of the points
    kai_curve stiffness;      ///< N over m
    kai_curve damping;        ///< N over m/s
    double preload;           ///< N at rest length and at rest
    kai_function law;         ///< N over m, added to stiffness(d); null: none
    kai_function damping_law; ///< N over m/s, added to damping(rate); null: none
} kai_load_spring_params;

/// Parameters of `rotational-spring`: with θ the angle of b against a about the axis, zero at
/// creation and counted over any number of turns, the torque on b is
/// -(preload + stiffness(θ - rest_angle) + damping(dθ/dt)).
typedef struct kai_load_rotational_spring_params {
    kai_joint_base base;      ///< bodies and frames, unless `joint` gives them
    kai_joint joint;          ///< null: stands alone
    double rest_angle;        ///< rad
    kai_curve stiffness;      ///< N m over rad
    kai_curve damping;        ///< N m over rad/s
    double preload;           ///< N m at the rest angle and at rest
    kai_function law;         ///< N m over rad, added to stiffness(…); null: none
    kai_function damping_law; ///< N m over rad/s, added to damping(…); null: none
} kai_load_rotational_spring_params;

/// Parameters of `linear-spring`: with x the travel of b against a along the axis, zero at
/// creation, the force on b along the axis is -(preload + stiffness(x - rest) + damping(dx/dt)).
typedef struct kai_load_linear_spring_params {
    kai_joint_base base;      ///< bodies and frames, unless `joint` gives them
    kai_joint joint;          ///< null: stands alone
    double rest;              ///< m
    kai_curve stiffness;      ///< N over m
    kai_curve damping;        ///< N over m/s
    double preload;           ///< N at `rest` and at rest
    kai_function law;         ///< N over m, added to stiffness(…); null: none
    kai_function damping_law; ///< N over m/s, added to damping(…); null: none
} kai_load_linear_spring_params;

/// Parameters of `bushing`: x, the place of b's frame in a's (three coordinates, three components
/// of the rotation vector), is resisted by stiffness · x + damping · dx/dt.
typedef struct kai_load_bushing_params {
    kai_joint_base base;
    kai_table stiffness; ///< 6 × 6, symmetric; N/m, N/rad, N m/m, N m/rad; one row: the diagonal
    kai_table damping;   ///< likewise over rates, need not be symmetric; no rows: none
} kai_load_bushing_params;

/// Parameters of `drag`: -(linear + quadratic |u|) u at the mass centre, u the velocity against the
/// fluid, and likewise for the angular velocity.
typedef struct kai_load_drag_params {
    kai_body body;
    double linear;               ///< N s/m
    double quadratic;            ///< N s²/m²
    double rotational;           ///< N m s/rad
    double rotational_quadratic; ///< N m s²/rad²
    kai_value3 fluid;            ///< velocity of the fluid, world frame, m/s
} kai_load_drag_params;

/// Parameters of the controllers: with e = target - x, the effort on b is kp e + ki ∫e + kd de/dt,
/// kept in [low, high]; the integral rests while it would only drive the effort further out.
typedef struct kai_load_pid_params {
    kai_joint_base base; ///< bodies and frames, unless `joint` gives them
    kai_joint joint;     ///< null: stands alone
    kai_value target;    ///< of x, the angle (over any number of turns) or travel of b against a
    double kp, ki, kd;   ///< effort over e, ∫e, de/dt; >= 0
    double low, high;    ///< N m or N; beyond ±1e30: none
    double integral;     ///< ∫e, a state that is integrated with the system; 0 at first
} kai_load_pid_params;

/// Tables of the built-in kinds.
KAI_API extern const kai_load_kind kai_load_force;
KAI_API extern const kai_load_kind kai_load_torque; ///< see kai_load_torque_params
KAI_API extern const kai_load_kind kai_load_spring; ///< see kai_load_spring_params
KAI_API extern const kai_load_kind
    kai_load_rotational_spring; ///< see kai_load_rotational_spring_params
KAI_API extern const kai_load_kind kai_load_linear_spring; ///< see kai_load_linear_spring_params
KAI_API extern const kai_load_kind kai_load_bushing;       ///< see kai_load_bushing_params
KAI_API extern const kai_load_kind kai_load_drag;          ///< see kai_load_drag_params

/// Motors that are loads; see kai_joint_motor_params. Their value is the effort on b.
KAI_API extern const kai_load_kind kai_load_motor_rotation_torque; ///< N m about the axis
KAI_API extern const kai_load_kind kai_load_motor_linear_force; ///< N along the axis, at b's point

/// Controllers; see kai_load_pid_params.
KAI_API extern const kai_load_kind kai_load_motor_rotation_pid; ///< of an angle, by a torque
KAI_API extern const kai_load_kind kai_load_motor_linear_pid;   ///< of a travel, by a force

/// Adds a kind of the user's own to this world. The table must outlive the world.
KAI_API kai_result kai_load_register(kai_world* world, const kai_load_kind* kind);

/// Creates a load; `params` is an instance of the kind, copied. `name` may be NULL or "".
KAI_API kai_result kai_load_create(kai_world* world, const kai_load_kind* kind, const void* params,
                                   const char* name, kai_load* out);

/// Removes a load.
KAI_API kai_result kai_load_destroy(kai_world* world, kai_load load);

/// Kind and instance; `*params` is valid until the next call that changes the world's loads.
KAI_API kai_result kai_load_get(const kai_world* world, kai_load load, const kai_load_kind** kind,
                                const void** params);

/// Replaces the parameters; they are checked, and prepared, as on creation. What the kind keeps behind
/// them (kai_kind.given) is kept.
KAI_API kai_result kai_load_set(kai_world* world, kai_load load, const void* params);

/// Switches a load off, so that it puts no force on anything and stores no energy, and on again.
/// What it had stored is dissipated, what it then stores is work. New loads are on.
KAI_API kai_result kai_load_set_active(kai_world* world, kai_load load, bool active);
KAI_API bool kai_load_is_active(const kai_world* world, kai_load load); ///< false for no load

/// What a load says about itself at the present state and time; kai_load_kind.outputs tells which
/// fields. KAI_ERROR_UNSUPPORTED for a kind that says nothing.
KAI_API kai_result kai_load_output(const kai_world* world, kai_load load, kai_load_state* out);

/// The load of a name, null when there is none.
KAI_API kai_load kai_load_find(const kai_world* world, const char* name);

/// How many loads the world has.
KAI_API size_t kai_load_count(const kai_world* world);

#ifdef __cplusplus
}
#endif

#endif
