// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Rigid bodies.
//
// A body has its *own frame*, in which its shapes, centre of mass and inertia are given. position,
// velocity and acceleration are those of that frame's origin, which is the centre of mass unless
// `com`, or density with shapes, puts the centre elsewhere. The engine itself works in the
// *principal frame* (centre of mass, principal axes), where the inertia is diagonal; kai_pose and
// kai_motion are in that frame.
#ifndef KAIROS_BODY_H
#define KAIROS_BODY_H

#include <kairos/shape.h>

#ifdef __cplusplus
extern "C" {
#endif

// State, as kinds see it in batches: one cache line each -----------------------------------------

/// Where a body's principal frame is.
typedef struct kai_pose {
    kai_vec3 position; ///< centre of mass, world, m
    double reserved;   ///< zero
    kai_quat rotation; ///< principal axes to world
} kai_pose;

/// How it moves.
typedef struct kai_motion {
    kai_vec3 velocity; ///< of the centre of mass, world frame, m/s
    kai_vec3 spin;     ///< angular velocity in the PRINCIPAL frame, rad/s
    uint64_t flags;    ///< KAI_BODY_* bits
    uint64_t rest;     ///< how long it has been at rest, and asleep with whom; see kairos/sleep.h
} kai_motion;

/// A force and a torque on a body, or its linear and angular acceleration.
typedef struct kai_wrench {
    kai_vec3 force;  ///< world frame, N (or m/s²)
    kai_vec3 torque; ///< about the centre of mass, PRINCIPAL frame, N m (or rad/s²)
} kai_wrench;

/// Bits of kai_motion.flags.
#define KAI_BODY_FIXED     UINT64_C(1) ///< never moves
#define KAI_BODY_ISOTROPIC UINT64_C(2) ///< three equal principal moments: no gyroscopic term
#define KAI_BODY_STRAIGHT  UINT64_C(4) ///< never turns; see kai_particles_def.rotates
#define KAI_BODY_NODE \
    UINT64_C(8) ///< a node of finite elements in contacts; see kai_node_set_contact
#define KAI_BODY_ASLEEP UINT64_C(16) ///< at rest until something touches it; see kairos/sleep.h

// Creation ---------------------------------------------------------------------------------------

/// What a body is created from.
typedef struct kai_body_def {
    uint64_t cookie; ///< set by kai_body_def_default; detects an uninitialised def
    kai_string name; ///< unique among bodies; may be empty
    bool fixed;      ///< never moves; needs no mass
    double mass;     ///< kg; 0: from density and shapes
    kai_inertia
        inertia; ///< about the centre of mass, body axes, kg m²; all 0: from density and shapes
    double
        density; ///< kg/m³; in scenes only: from C, call kai_body_set_density once shapes are there
    kai_vec3 com;              ///< centre of mass in the body's own frame, m
    kai_vec3 position;         ///< of the body's own frame, world, m
    kai_quat rotation;         ///< body to world; need not be normalised
    kai_vec3 velocity;         ///< of the origin of the body's own frame, world, m/s
    kai_vec3 angular_velocity; ///< WORLD frame, rad/s
    uint64_t user_data;        ///< any number or pointer of the user's
} kai_body_def;

/// Description of kai_body_def: defaults, ranges, scene keys.
KAI_API extern const kai_kind kai_body_kind;

/// The defaults: at the origin, at rest, no mass yet.
KAI_API kai_body_def kai_body_def_default(void);

/// Adds a body. Without mass the body must be fixed, or get its mass by kai_body_set_density before
/// the next step. KAI_ERROR_ARGUMENT for a value out of range, KAI_ERROR_NAME for a name used
/// twice.
KAI_API kai_result kai_body_create(kai_world* world, const kai_body_def* def, kai_body* out);

/// Adds `count` bodies at once, without names; `out` (may be NULL) receives the ids. All or none:
/// null ids on failure.
KAI_API kai_result kai_body_create_many(kai_world* world, const kai_body_def* defs, size_t count,
                                        kai_body* out);

/// Removes a body with its shapes. KAI_ERROR_ARGUMENT while a load refers to it.
KAI_API kai_result kai_body_destroy(kai_world* world, kai_body body);

/// Removes `count` bodies with their shapes at once. All or none: KAI_ERROR_ARGUMENT while a load
/// refers to one of them or when one is named twice.
KAI_API kai_result kai_body_destroy_many(kai_world* world, const kai_body* bodies, size_t count);

/// Sets mass, centre of mass and inertia from the body's shapes and a density (overlaps count
/// twice); density 0 takes each shape's material density. The body's own frame does not move.
KAI_API kai_result kai_body_set_density(kai_world* world, kai_body body, double density);

// Queries ----------------------------------------------------------------------------------------

/// True for a body of this world that still exists.
KAI_API bool kai_body_is_valid(const kai_world* world, kai_body body);

/// How many bodies the world has, and the i-th of them in storage order (null when out of range).
KAI_API size_t kai_body_count(const kai_world* world);
KAI_API kai_body kai_body_at(const kai_world* world,
                             size_t i); ///< order changes when bodies are destroyed or reordered

/// The body of a name, null when there is none.
KAI_API kai_body kai_body_find(const kai_world* world, const char* name);

/// The key of a body: a number that no other body of the model ever has. Unlike an id it holds on
/// every process that shares the model, and from file to file. 0 for null and stale ids.
KAI_API uint64_t kai_body_key(const kai_world* world, kai_body body);

/// The body of a key, null when there is none here.
KAI_API kai_body kai_body_by_key(const kai_world* world, uint64_t key);

/// The name, "" when it has none. Never NULL.
KAI_API const char* kai_body_name(const kai_world* world, kai_body body);

/// Where the body's own frame is. Null or stale ids give zeros here and below, and set the error.
KAI_API kai_frame kai_body_frame(const kai_world* world, kai_body body);

/// Its parts: position of the origin, rotation, both against the world.
KAI_API kai_vec3 kai_body_position(const kai_world* world, kai_body body);
KAI_API kai_quat kai_body_rotation(const kai_world* world, kai_body body); ///< body to world

/// Velocity and acceleration of the origin of the body's own frame, world frame.
KAI_API kai_vec3 kai_body_velocity(const kai_world* world, kai_body body);
KAI_API kai_vec3 kai_body_acceleration(const kai_world* world,
                                       kai_body body); ///< as of kai_world_evaluate

/// Angular velocity and acceleration, WORLD frame.
KAI_API kai_vec3 kai_body_angular_velocity(const kai_world* world, kai_body body);
KAI_API kai_vec3 kai_body_angular_acceleration(const kai_world* world, kai_body body); ///< likewise

/// Position and velocity of the centre of mass, world frame.
KAI_API kai_vec3 kai_body_com_position(const kai_world* world, kai_body body);
KAI_API kai_vec3 kai_body_com_velocity(const kai_world* world, kai_body body); ///< m/s

/// Velocity of the body's point that is now at `point` (world), world frame.
KAI_API kai_vec3 kai_body_point_velocity(const kai_world* world, kai_body body, kai_vec3 point);

/// Points and vectors between the world and the body's own frame.
KAI_API kai_vec3 kai_body_point_to_world(const kai_world* world, kai_body body, kai_vec3 point);
KAI_API kai_vec3 kai_body_point_from_world(const kai_world* world, kai_body body,
                                           kai_vec3 point); ///< inverse
KAI_API kai_vec3 kai_body_vector_to_world(const kai_world* world, kai_body body,
                                          kai_vec3 vector); ///< turns only
KAI_API kai_vec3 kai_body_vector_from_world(const kai_world* world, kai_body body,
                                            kai_vec3 vector); ///< inverse

/// Total force and torque of all loads at the last evaluation, without gravity, world frame, about
/// the centre of mass.
KAI_API kai_result kai_body_force(const kai_world* world, kai_body body, kai_vec3* force,
                                  kai_vec3* torque);

/// Mass, centre of mass and inertia in the body's own frame.
KAI_API kai_result kai_body_mass(const kai_world* world, kai_body body, kai_mass_properties* out);

/// Whether it is fixed.
KAI_API bool kai_body_is_fixed(const kai_world* world, kai_body body);

/// The user's number.
KAI_API uint64_t kai_body_user_data(const kai_world* world, kai_body body);

// Changes ----------------------------------------------------------------------------------------

/// Moves the body's own frame.
KAI_API kai_result kai_body_set_frame(kai_world* world, kai_body body, kai_frame frame);

/// Sets the velocity of the frame's origin and the angular velocity, both in the world frame.
KAI_API kai_result kai_body_set_velocity(kai_world* world, kai_body body, kai_vec3 velocity,
                                         kai_vec3 angular_velocity);

/// Sets the mass properties, in the body's own frame. The own frame does not move.
KAI_API kai_result kai_body_set_mass(kai_world* world, kai_body body,
                                     const kai_mass_properties* mass);

/// Fixes a body (its velocity becomes zero) or sets it free (it needs a mass).
KAI_API kai_result kai_body_set_fixed(kai_world* world, kai_body body, bool fixed);

/// Sets the user's number.
KAI_API kai_result kai_body_set_user_data(kai_world* world, kai_body body, uint64_t user_data);

#ifdef __cplusplus
}
#endif

#endif
