// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Loads (force elements): forces and torques on bodies. In scenes they stand under "forces".
#ifndef KAIROS_LOAD_H
#define KAIROS_LOAD_H

#include <kairos/body.h>

#ifdef __cplusplus
extern "C" {
#endif

/// What a kind's apply() gets: instances [begin, end) of its batch, and the state they act on. It
/// runs on several threads at once: write only `out`.
typedef struct kai_load_batch {
    const kai_world* world;
    double time;              ///< s
    const void* instances;    ///< the batch; use KAI_LOAD_AT
    size_t begin, end;        ///< do these
    size_t bodies;            ///< how many BODY parameters the kind has
    const uint32_t* slot;     ///< [count * bodies] index into pose and motion, in parameter order
    const kai_pose* pose;     ///< of every body
    const kai_motion* motion; ///< of every body
    kai_wrench* out;          ///< [count * bodies], zeroed: force on each body of each instance
    const kai_function_set* functions; ///< for kai_function_set_value
} kai_load_batch;

/// Instance i of a batch, as a pointer to its type.
#define KAI_LOAD_AT(batch, type, i) ((const type*)(batch)->instances + (i))

/// A kind of load. Its BODY parameters say which bodies it acts on.
typedef struct kai_load_kind {
    kai_kind kind;
    /// Writes forces and torques for instances [begin, end).
    void (*apply)(const kai_load_batch* batch);
    /// Optional: fills hidden parameters when a load is created, such as a point in the body's
    /// frame.
    kai_result (*prepare)(const kai_world* world, void* instance, kai_error* err);
    /// True when the forces depend on velocities.
    bool needs_velocity;
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
    kai_vec3 point;   ///< hidden: the point in the principal frame
    kai_quat axes;    ///< hidden: own frame to principal frame
} kai_load_force_params;

/// Parameters of `torque`.
typedef struct kai_load_torque_params {
    kai_body body;
    kai_value3 value; ///< N m
    int32_t frame;    ///< a kai_load_frame
    kai_quat axes;    ///< hidden: own frame to principal frame
} kai_load_torque_params;

/// Tables of the built-in kinds.
KAI_API extern const kai_load_kind kai_load_force;
KAI_API extern const kai_load_kind kai_load_torque; ///< see kai_load_torque_params

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

/// Replaces the parameters; they are checked, and prepared, as on creation.
KAI_API kai_result kai_load_set(kai_world* world, kai_load load, const void* params);

/// The load of a name, null when there is none.
KAI_API kai_load kai_load_find(const kai_world* world, const char* name);

/// How many loads the world has.
KAI_API size_t kai_load_count(const kai_world* world);

#ifdef __cplusplus
}
#endif

#endif
