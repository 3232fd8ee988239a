// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Joints: constraints between two bodies. In scenes they stand under "joints".
//
// A joint has a frame on each body, which coincide at creation. Its z axis is *the* axis (of a
// revolute, prismatic, cylindrical joint …). Rows g(q, t) = 0 hold the bodies together; multipliers
// of the rows are the reaction.
#ifndef KAIROS_JOINT_H
#define KAIROS_JOINT_H

#include <kairos/body.h>
#include <kairos/node.h>
#include <kairos/shaft.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Most rows that one joint may have, and most ends: bodies and shafts that it holds.
#define KAI_JOINT_ROWS 6
#define KAI_JOINT_ENDS 13 ///< a, b and at most eleven more

/// One row of a joint at one moment: dg/dt = a · (v_a, ω_a) + b · (v_b, ω_b) + ∂g/∂t, with
/// velocities in the world frame and angular velocities in the principal frames.
typedef struct kai_joint_row {
    double g;        ///< m, rad or without unit
    double gt;       ///< ∂g/∂t: zero unless the row moves by itself, like a motor's
    kai_wrench a, b; ///< force: factors of the velocity; torque: factors of the angular velocity
    double low,
        high; ///< of kinds that are bounded: least and largest multiplier (force along the row)
} kai_joint_row;

/// What every instance of a joint starts with. Start from kai_kind_defaults(&kind.kind, &instance),
/// then give `at` and `axis`, or both frames. A zeroed instance is refused: it would be a joint
/// that does nothing.
typedef struct kai_joint_base {
    kai_body bodies[2];  ///< a and b
    kai_vec3 at;         ///< joint point, world coordinates at creation; NaN: not given
    kai_vec3 axis;       ///< the joint's z axis, world coordinates at creation; NaN: z
    kai_vec3 x_axis;     ///< its x axis, made perpendicular to the axis; NaN: some direction
    kai_frame frame_a;   ///< the joint frame in the own frame of a; NaN position: not given
    kai_frame frame_b;   ///< likewise for b
    bool active;         ///< false: the joint does nothing
    bool collide_bodies; ///< whether shapes of a and b may touch each other
    bool made;           ///< set by kai_kind_defaults
    kai_frame
        inner[2]; ///< set at creation, for evaluate(): the joint frame in the principal frames
} kai_joint_base;

/// What a kind's evaluate() gets: instances [begin, end) of its batch. It runs on several threads
/// at once: write only `rows`.
typedef struct kai_joint_batch {
    const kai_world* world;
    double time;                       ///< s
    const void* instances;             ///< the batch
    size_t size;                       ///< bytes of an instance
    size_t begin, end;                 ///< do these
    const uint32_t* slot;              ///< [2 count] index of body a and b into pose and motion
    const kai_pose* pose;              ///< of every body
    const kai_motion* motion;          ///< of every body
    const kai_function_set* functions; ///< for kai_function_set_value
    kai_joint_row* rows;               ///< [count * rows of the kind]
    /// Kinds with more ends than a and b: where each of them is, others before shafts before nodes,
    /// an index into pose and motion, into shafts or into nodes; UINT32_MAX: not given. A node has
    /// two places here. [count * further]
    const uint32_t* further_slot;
    /// Factors of their velocities in every row, zeroed; of a shaft only force.x: that of its
    /// speed; of a node first those of its position (force) and first slope (torque), then those
    /// of its second slope (force). [count * rows * further]
    kai_wrench* further;
    const kai_shaft_def* shafts; ///< of every shaft
    const void* nodes;           ///< of every node: kai_joint_batch_node
    size_t node_size;            ///< bytes from one to the next
} kai_joint_batch;

/// The node in a slot.
static inline const kai_node_def* kai_joint_batch_node(const kai_joint_batch* batch, uint32_t slot)
{
    return (const kai_node_def*)(const void*)((const char*)batch->nodes + slot * batch->node_size);
}

/// A kind of joint. Its instance starts with a kai_joint_base.
typedef struct kai_joint_kind {
    kai_kind kind;
    const char* section; ///< list of scene files in which it stands; NULL: "joints"
    int rows;            ///< 1…KAI_JOINT_ROWS
    /// Optional: how many of them an instance has; evaluate() then sets the others to zero.
    int (*rows_of)(const void* instance);
    /// Writes the rows of instances [begin, end).
    void (*evaluate)(const kai_joint_batch* batch);
    /// Optional: brings inner state (hidden parameters, at `instances`) up to date with the state
    /// that is about to be evaluated, such as a count of turns, for instances [begin, end).
    void (*follow)(const kai_joint_batch* batch, void* instances);
    /// Optional: fills further hidden parameters; called after the frames are set. Hidden tables
    /// and lists are copied afterwards; what they point to need only last until then.
    kai_result (*prepare)(const kai_world* world, void* instance, kai_error* err);
    /// Optional: lets an instance take hold of other ends, between steps, where the state asks for
    /// it: a thing that slides has come to the next piece of its rail. `*changed` says so. It sets
    /// hidden parameters alone, and a second call at the same state changes nothing.
    kai_result (*pass)(const kai_world* world, void* instance, bool* changed, kai_error* err);
    /// Optional: offset of a kai_vec3[2] in the instance: the joint point on a and on b, instead of
    /// one for both.
    size_t points;
    /// Optional: offset of a kai_vec3 whose direction the joint's x axis takes (a second axis,
    /// fixed to b).
    size_t axis2;
    /// Optional: offset of a length that defaults to the distance of the points.
    size_t length;
    /// Optional: offset of a kai_joint in the instance; when it is not null, bodies and frames are
    /// those of that joint, which must have the same coordinates (has_angle, has_travel).
    size_t joint;
    /// Optional: ends in addition to a and b. Offsets of a kai_body[other_count], of a
    /// kai_shaft[shaft_count] and of a kai_node[node_count] in the instance; those that are null
    /// are left out.
    size_t others, shafts, nodes;
    int other_count, shaft_count, node_count; ///< how many
    /// Optional: which coordinates of its nodes an instance holds, as bits of kai_node_fixed; NULL:
    /// all. A joint that holds nothing but fixed coordinates is left out.
    int64_t (*held)(const void* instance);
    bool frameless;      ///< a and b may be null, and there is no joint frame: prepare() finds what
                         ///< it needs
    bool velocity_level; ///< rows hold as dg/dt = 0 instead of g = 0 (a speed motor); g plays no
                         ///< part
    bool bounded;        ///< multipliers of rows are bounded: limits, ropes, friction
    bool driven;         ///< rows move by themselves (gt is not zero): their work is counted
    bool grounded;       ///< rows refer to axes fixed in the world, and react on them
    bool has_angle;      ///< b rotates about the axis: outputs offer the angle
    bool has_travel;     ///< b slides along the axis: outputs offer the travel
    bool needs_velocity; ///< rows depend on velocities, so they are found whenever these may have
                         ///< changed; others once for each set of positions and time
} kai_joint_kind;

/// The parameter that tells instances of kai_kind_defaults from others; part of all lists below.
#define KAI_JOINT_MADE                                                                    \
    {                                                                                     \
        .name = "made", .type = KAI_PARAM_BOOL, .offset = offsetof(kai_joint_base, made), \
        .initial = {1.0}, .hidden = true                                                  \
    }

/// The parameters of kai_joint_base, to stand first in the list of every kind's own.
#define KAI_JOINT_PARAMS KAI_JOINT_BASE_PARAMS(true)

/// The same for kinds that may take the bodies from elsewhere: `needed` says whether they are
/// required.
#define KAI_JOINT_BASE_PARAMS(needed)                                                                       \
    {.name = "bodies",                                                                                      \
     .type = KAI_PARAM_BODY,                                                                                \
     .offset = offsetof(kai_joint_base, bodies),                                                            \
     .columns = 2,                                                                                          \
     .required = (needed),                                                                                  \
     .doc = "Names of body a and body b."},                                                                 \
        {.name = "at",                                                                                      \
         .type = KAI_PARAM_VEC3,                                                                            \
         .offset = offsetof(kai_joint_base, at),                                                            \
         .placing = KAI_PLACING_POINT,                                                                      \
         .unit = "m",                                                                                       \
         .initial = {(double)NAN, (double)NAN, (double)NAN},                                                \
         .doc = "Joint point, world coordinates at t = 0."},                                                \
        {.name = "axis",                                                                                    \
         .type = KAI_PARAM_VEC3,                                                                            \
         .offset = offsetof(kai_joint_base, axis),                                                          \
         .placing = KAI_PLACING_JOINT_AXIS,                                                                 \
         .initial = {(double)NAN, (double)NAN, (double)NAN},                                                \
         .doc =                                                                                             \
             "Joint axis (z axis of the joint frame), world coordinates at t = 0; z when absent."},         \
        {.name = "x_axis",                                                                                  \
         .type = KAI_PARAM_VEC3,                                                                            \
         .offset = offsetof(kai_joint_base, x_axis),                                                        \
         .placing = KAI_PLACING_VECTOR,                                                                     \
         .initial = {(double)NAN, (double)NAN, (double)NAN},                                                \
         .doc =                                                                                             \
             "x axis of the joint frame, world coordinates at t = 0; its part along the axis is removed."}, \
        {.name = "frame_a",                                                                                 \
         .type = KAI_PARAM_FRAME,                                                                           \
         .offset = offsetof(kai_joint_base, frame_a),                                                       \
         .placing = KAI_PLACING_OWN,                                                                        \
         .initial = {(double)NAN, (double)NAN, (double)NAN},                                                \
         .doc = "Joint frame relative to body a's own frame, instead of at and axis."},                     \
        {.name = "frame_b",                                                                                 \
         .type = KAI_PARAM_FRAME,                                                                           \
         .offset = offsetof(kai_joint_base, frame_b),                                                       \
         .placing = KAI_PLACING_OWN,                                                                        \
         .initial = {(double)NAN, (double)NAN, (double)NAN},                                                \
         .doc = "Joint frame relative to body b's own frame, with frame_a."},                               \
        {.name = "active",                                                                                  \
         .type = KAI_PARAM_BOOL,                                                                            \
         .offset = offsetof(kai_joint_base, active),                                                        \
         .initial = {1.0},                                                                                  \
         .doc = "Whether the constraint acts."},                                                            \
        {.name = "collide_bodies",                                                                          \
         .type = KAI_PARAM_BOOL,                                                                            \
         .offset = offsetof(kai_joint_base, collide_bodies),                                                \
         .doc = "Whether shapes of the two bodies may be in contact with each other."},                     \
        KAI_JOINT_MADE,                                                                                     \
        {.name = "inner_a",                                                                                 \
         .type = KAI_PARAM_FRAME,                                                                           \
         .offset = offsetof(kai_joint_base, inner[0]),                                                      \
         .hidden = true},                                                                                   \
    {                                                                                                       \
        .name = "inner_b", .type = KAI_PARAM_FRAME, .offset = offsetof(kai_joint_base, inner[1]),           \
        .hidden = true                                                                                      \
    }

// Instances with more than the base; all others are a kai_joint_base -----------------------------

/// Parameters of `universal` and `perpendicular`.
typedef struct kai_joint_universal_params {
    kai_joint_base base;
    kai_vec3 axis2; ///< fixed to b, perpendicular to axis, which is fixed to a; world coordinates
                    ///< at creation
} kai_joint_universal_params;

/// Parameters of `distance` and `revolute-spherical`.
typedef struct kai_joint_distance_params {
    kai_joint_base base;
    kai_vec3 points[2]; ///< on a and on b, world coordinates at creation
    double length;      ///< m; 0: the distance of the points
} kai_joint_distance_params;

/// Parameters of `revolute-translational`.
typedef struct kai_joint_revolute_translational_params {
    kai_joint_base base;
    kai_vec3 points[2]; ///< on the axis of a, and on the slide of b; world coordinates at creation
    kai_vec3 axis2;     ///< direction of the slide, fixed to b, perpendicular to axis; likewise
    double distance;    ///< m, of the slide from the axis, along axis × axis2; NaN: as at creation
} kai_joint_revolute_translational_params;

/// The six relative degrees of freedom of two joint frames.
typedef enum kai_joint_freedom {
    KAI_JOINT_TX, ///< along x of a
    KAI_JOINT_TY, ///< along y of a
    KAI_JOINT_TZ, ///< along z of a
    KAI_JOINT_RX, ///< about x
    KAI_JOINT_RY, ///< about y
    KAI_JOINT_RZ  ///< about z
} kai_joint_freedom;

/// Parameters of `generic`. Give one of `free`, `locked` and `mask`.
typedef struct kai_joint_generic_params {
    kai_joint_base base;
    kai_list free;   ///< of int32_t, each a kai_joint_freedom: those that stay free
    kai_list locked; ///< likewise: those that are locked
    int64_t mask;    ///< those that are locked, as bits 1 << kai_joint_freedom
} kai_joint_generic_params;

/// Which coordinate of its joint a term of a `coupling` takes.
typedef enum kai_joint_coupling_coordinate {
    KAI_JOINT_COUPLING_ONLY,  ///< the one that the joint has
    KAI_JOINT_COUPLING_ANGLE, ///< its angle, over any number of turns
    KAI_JOINT_COUPLING_TRAVEL ///< its travel
} kai_joint_coupling_coordinate;

/// A coordinate with its factor.
typedef struct kai_joint_coupling_term {
    kai_joint joint;    ///< whose coordinate it is
    int32_t coordinate; ///< a kai_joint_coupling_coordinate
    double factor;      ///< not 0
} kai_joint_coupling_term;

/// Parameters of `coupling`: Σ factor · coordinate = value.
typedef struct kai_joint_coupling_params {
    kai_joint_base base; ///< only `active` is given; bodies and frames become those of the first
    kai_list terms;      ///< of kai_joint_coupling_term, one to three
    kai_value value;     ///< rad or m over time
} kai_joint_coupling_params;

/// Parameters of `screw`.
typedef struct kai_joint_screw_params {
    kai_joint_base base;
    double pitch; ///< m per turn, not 0; negative: left-handed
} kai_joint_screw_params;

/// Parameters of `constant-velocity`.
typedef struct kai_joint_constant_velocity_params {
    kai_joint_base base;
    kai_vec3 axis2; ///< the shaft of b, world coordinates at creation; NaN: along axis
} kai_joint_constant_velocity_params;

/// Parameters of `point-on-curve`.
typedef struct kai_joint_point_on_curve_params {
    kai_joint_base base;
    kai_table curve; ///< rows [x, y, z], world coordinates at creation; fixed to a
    bool closed;     ///< the curve continues from its last point to the first
} kai_joint_point_on_curve_params;

/// Parameters of `gear` and `bevel-gear`.
typedef struct kai_joint_gear_params {
    kai_joint_base base;
    kai_body housing; ///< in which axes are fixed; null: in the world
    double ratio;     ///< speed of b over speed of a, not 0
    kai_vec3 axis2;   ///< bevel-gear: axis of b, world coordinates; axis is that of a
} kai_joint_gear_params;

/// Parameters of `rack-pinion`.
typedef struct kai_joint_rack_pinion_params {
    kai_joint_base base;
    kai_body housing;   ///< in which axes are fixed; null: in the world
    kai_vec3 direction; ///< of the rack b, world coordinates
    double radius;      ///< of the pinion a, m; negative: the rack runs backwards
} kai_joint_rack_pinion_params;

/// Parameters of `pulley`.
typedef struct kai_joint_pulley_params {
    kai_joint_base base;
    kai_body housing;          ///< in which axes are fixed; null: in the world
    double radius_a, radius_b; ///< m
    bool crossed;              ///< crossed belt: the pulleys rotate in opposite directions
} kai_joint_pulley_params;

/// Tables of the built-in kinds.
KAI_API extern const kai_joint_kind kai_joint_fixed;
KAI_API extern const kai_joint_kind kai_joint_revolute;    ///< rotates about z
KAI_API extern const kai_joint_kind kai_joint_prismatic;   ///< slides along z
KAI_API extern const kai_joint_kind kai_joint_cylindrical; ///< rotates about and slides along z
KAI_API extern const kai_joint_kind kai_joint_spherical;   ///< rotates freely
KAI_API extern const kai_joint_kind kai_joint_universal;   ///< see kai_joint_universal_params
KAI_API extern const kai_joint_kind
    kai_joint_planar; ///< moves in the plane perpendicular to z, rotates about z
KAI_API extern const kai_joint_kind kai_joint_point_on_line; ///< point of b on the axis of a
KAI_API extern const kai_joint_kind
    kai_joint_point_on_plane;                           ///< point of b on the plane across z of a
KAI_API extern const kai_joint_kind kai_joint_parallel; ///< axes stay parallel
KAI_API extern const kai_joint_kind kai_joint_perpendicular; ///< see kai_joint_universal_params
KAI_API extern const kai_joint_kind kai_joint_distance;      ///< see kai_joint_distance_params
KAI_API extern const kai_joint_kind kai_joint_revolute_spherical; ///< see kai_joint_distance_params
KAI_API extern const kai_joint_kind
    kai_joint_revolute_translational; ///< a rod rotates about an axis of a and slides along b
KAI_API extern const kai_joint_kind kai_joint_screw; ///< travel = pitch · angle / 2π
KAI_API extern const kai_joint_kind
    kai_joint_constant_velocity; ///< shafts at an angle with equal speeds
KAI_API extern const kai_joint_kind
    kai_joint_oldham; ///< slides perpendicular to z, no relative rotation
KAI_API extern const kai_joint_kind
    kai_joint_point_on_curve;                           ///< see kai_joint_point_on_curve_params
KAI_API extern const kai_joint_kind kai_joint_generic;  ///< see kai_joint_generic_params
KAI_API extern const kai_joint_kind kai_joint_coupling; ///< see kai_joint_coupling_params

/// Those between bodies that turn about, or slide along, axes fixed in the world or in a housing;
/// their rows hold speeds, not positions.
KAI_API extern const kai_joint_kind kai_joint_gear;        ///< parallel axes
KAI_API extern const kai_joint_kind kai_joint_bevel_gear;  ///< any two axes
KAI_API extern const kai_joint_kind kai_joint_rack_pinion; ///< see kai_joint_rack_pinion_params
KAI_API extern const kai_joint_kind kai_joint_pulley; ///< two pulleys with a belt that never slips

// Motors -----------------------------------------------------------------------------------------

// In scenes they stand under "motors". These drive a coordinate of a joint (or of two bodies
// without one): the angle of b against a about the joint's axis, or its travel along it. They hold
// one row; its multiplier is the effort. `rotation-torque` and `linear-force` are loads (load.h).

/// What a motor drives.
typedef enum kai_joint_coordinate {
    KAI_JOINT_ANGLE, ///< rad, b against a about the axis, positive by the right hand
    KAI_JOINT_TRAVEL ///< m, b against a along the axis
} kai_joint_coordinate;

/// Parameters of every motor. Give `joint`, or bodies and frames in `base`.
typedef struct kai_joint_motor_params {
    kai_joint_base base;
    kai_joint joint;    ///< the joint that is driven; null: stands alone
    int32_t coordinate; ///< a kai_joint_coordinate; must be the one that the kind drives
    kai_value value;    ///< rad, rad/s, m, m/s, N m or N over time; zero: the frames coincide
} kai_joint_motor_params;

/// Parameters of `imposed-motion`. Give `joint`, or bodies and frames in `base`.
typedef struct kai_joint_imposed_motion_params {
    kai_joint_base base;
    kai_joint joint;    ///< the joint whose frames it takes; null: stands alone
    kai_value value[6]; ///< by kai_joint_freedom: m or rad over time; NaN: free
} kai_joint_imposed_motion_params;

/// Parameters of `limit`.
typedef struct kai_joint_limit_params {
    kai_joint_base base;
    kai_joint joint;    ///< the joint that is limited; null: stands alone
    int32_t coordinate; ///< a kai_joint_coordinate
    double low, high;   ///< rad or m, over any number of turns; beyond ±1e30: none
} kai_joint_limit_params;

/// Parameters of `friction`.
typedef struct kai_joint_friction_params {
    kai_joint_base base;
    kai_joint joint;    ///< the joint in which it acts; null: stands alone
    int32_t coordinate; ///< a kai_joint_coordinate
    kai_value most;     ///< maximum friction, N m or N
} kai_joint_friction_params;

/// Tables of kinds whose multipliers are bounded; rope and strut take kai_joint_distance_params.
KAI_API extern const kai_joint_kind kai_joint_limit;
KAI_API extern const kai_joint_kind kai_joint_friction; ///< see kai_joint_friction_params
KAI_API extern const kai_joint_kind kai_joint_rope;     ///< pulls only
KAI_API extern const kai_joint_kind kai_joint_strut;    ///< pushes only

/// Tables of the motors that are joints.
KAI_API extern const kai_joint_kind kai_joint_motor_rotation_angle;  ///< angle = value
KAI_API extern const kai_joint_kind kai_joint_motor_rotation_speed;  ///< d angle / dt = value
KAI_API extern const kai_joint_kind kai_joint_motor_linear_position; ///< travel = value
KAI_API extern const kai_joint_kind kai_joint_motor_linear_speed;    ///< d travel / dt = value
KAI_API extern const kai_joint_kind
    kai_joint_imposed_motion; ///< see kai_joint_imposed_motion_params

/// The effort of a motor: torque (N m) or force (N) along its coordinate on body b. Of the last
/// step, or of the last kai_world_evaluate. KAI_ERROR_ARGUMENT for a joint with several rows.
KAI_API kai_result kai_joint_effort(const kai_world* world, kai_joint joint, double* effort);

/// Rates of the coordinates of kai_joint_coordinates: rad/s and m/s.
KAI_API kai_result kai_joint_rates(const kai_world* world, kai_joint joint, double* angle_rate,
                                   double* travel_rate);

// Calls ------------------------------------------------------------------------------------------

/// Adds a kind of the user's own to this world. The table must outlive the world.
KAI_API kai_result kai_joint_register(kai_world* world, const kai_joint_kind* kind);

/// Creates a joint; `params` is an instance of the kind, copied. `name` may be NULL or "".
KAI_API kai_result kai_joint_create(kai_world* world, const kai_joint_kind* kind,
                                    const void* params, const char* name, kai_joint* out);

/// Removes a joint.
KAI_API kai_result kai_joint_destroy(kai_world* world, kai_joint joint);

/// Switches a joint on or off.
KAI_API kai_result kai_joint_set_active(kai_world* world, kai_joint joint, bool active);

/// Kind and instance; `*params` is valid until the next call that changes the world's joints.
KAI_API kai_result kai_joint_get(const kai_world* world, kai_joint joint,
                                 const kai_joint_kind** kind, const void** params);

/// The joint of a name, null when there is none; and the name of a joint, "" when it has none.
KAI_API kai_joint kai_joint_find(const kai_world* world, const char* name);
KAI_API const char* kai_joint_name(const kai_world* world, kai_joint joint); ///< never NULL

/// How many joints the world has, and the i-th of them in storage order (null when out of range).
KAI_API size_t kai_joint_count(const kai_world* world);
KAI_API kai_joint kai_joint_at_index(const kai_world* world,
                                     size_t i); ///< order changes when joints are destroyed

/// Force and torque that the joint puts ON BODY b, in the joint frame fixed to a; the torque about
/// the joint point on b. Of the last step, or of the last kai_world_evaluate. Of joints of nodes:
/// the force on the (first) node and the moment on its slopes, in world axes.
KAI_API kai_result kai_joint_reaction(const kai_world* world, kai_joint joint, kai_vec3* force,
                                      kai_vec3* torque);

/// b against a about, and along, the joint's axis: rad in (-π, π], and m. Zero at creation.
KAI_API kai_result kai_joint_coordinates(const kai_world* world, kai_joint joint, double* angle,
                                         double* travel);

/// Largest |g| of the joint's rows at the present state.
KAI_API kai_result kai_joint_violation(kai_world* world, kai_joint joint, double* violation);

#ifdef __cplusplus
}
#endif

#endif
