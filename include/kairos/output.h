// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Outputs: what a run writes while it goes. A scene's "outputs" become these; a program may make
// its own.
#ifndef KAIROS_OUTPUT_H
#define KAIROS_OUTPUT_H

#include <kairos/collision.h>
#include <kairos/joint.h>
#include <kairos/sensor.h>
#include <kairos/world.h>

#ifdef __cplusplus
extern "C" {
#endif

/// What an output looks at: X(name, key in scene files).
#define KAI_OUTPUT_TARGETS(X) \
    X(BODY, "body")           \
    X(JOINT, "joint")         \
    X(MOTOR, "motor")         \
    X(FORCE, "force")         \
    X(SHAFT, "shaft")         \
    X(SIGNAL, "signal")       \
    X(COUPLING, "coupling")   \
    X(NODE, "node")           \
    X(ELEMENT, "element")     \
    X(ELEMENTS, "elements")   \
    X(STRUCTURE, "structure") \
    X(PARTICLES, "particles") \
    X(RAY, "ray")             \
    X(NEAREST, "nearest")     \
    X(OVERLAP, "overlap")     \
    X(SENSOR, "sensor")       \
    X(SYSTEM, "system")       \
    X(CONTACTS, "contacts")   \
    X(EVENTS, "events")

/// What an output looks at.
typedef enum kai_output_target {
#define KAI_OUTPUT_ENUM(name, key) KAI_OUTPUT_##name,
    KAI_OUTPUT_TARGETS(KAI_OUTPUT_ENUM)
#undef KAI_OUTPUT_ENUM
        KAI_OUTPUT_TARGET_COUNT ///< how many there are
} kai_output_target;

/// Most quantities that one output may have.
#define KAI_OUTPUT_QUANTITIES 32

/// One output: some quantities of one thing, sampled at equal times, to one file. Particles,
/// elements and contacts: one file a sample, numbered; those of particles in the format of particle
/// tables. Events: a row for each action when its event happens; no quantities. Start from kai_output_def_default.
typedef struct kai_output_def {
    kai_output_target target;
    kai_body body;     ///< BODY: which; RAY, NEAREST: the body that carries it and is not seen, or
                       ///< null; OVERLAP: the body whose shapes, colliding or not, are asked about
    kai_joint joint;   ///< JOINT: which; MOTOR, COUPLING: which, of those that are joints
    kai_load load;     ///< FORCE: which; MOTOR, COUPLING: which, of those that are loads
    kai_shaft shaft;   ///< SHAFT: which
    kai_sensor sensor; ///< SENSOR: which; its last sample, or its images where it gives such
    kai_signal signal; ///< SIGNAL: which
    kai_node node;     ///< NODE: which
    kai_element element;     ///< ELEMENT: which
    kai_structure structure; ///< STRUCTURE, ELEMENTS: which
    kai_string set; ///< STRUCTURE: nodes that count; ELEMENTS: elements with a node in it; "": all
    double at[3];   ///< ELEMENT, ELEMENTS: where in elements, ξ η ζ in -1…1
    int64_t layer;  ///< of shells: whose height ζ then is, from 0; -1: ζ is that of the shell
    kai_particles particles; ///< PARTICLES: which
    kai_vec3 ray_from;       ///< RAY, NEAREST: where it begins; own frame of `body`, or world, m
    kai_vec3 ray_direction;  ///< RAY: likewise; need not be of length 1
    double ray_length;       ///< RAY, NEAREST: how far it looks, m; 0: any distance
    double every;            ///< s between samples; 0: every step
    kai_string
        file; ///< plain file name inside the run's folder, ends in .csv (or .csv.gz for particles;
              ///< for images of sensors in .h5)
    uint32_t quantity_count;                   ///< how many of `quantities` are used
    int32_t quantities[KAI_OUTPUT_QUANTITIES]; ///< indices as kai_output_quantity_find gives
} kai_output_def;

/// An output of nothing yet: samples at every step, elements in their middle.
KAI_API kai_output_def kai_output_def_default(void);

/// One thing that can be written about a target.
typedef struct kai_quantity {
    const char* name; ///< word in scene files
    const char* unit; ///< SI, "" for none
    const char* doc;  ///< one sentence
    int components;   ///< how many numbers
    const char* const*
        labels; ///< [components] column suffixes, such as x y z; NULL when there is one
} kai_quantity;

/// Quantity number i of a target, NULL after the last.
KAI_API const kai_quantity* kai_output_quantity(kai_output_target target, int i);

/// The index of a quantity's name, -1 when there is none.
KAI_API int kai_output_quantity_find(kai_output_target target, const char* name);

/// The same for what an output looks at: elements of a user's own kind may have results of their
/// own, whose indices follow those of the target.
KAI_API kai_quantity kai_output_quantity_of(const kai_world* world, const kai_output_def* def,
                                            int i); ///< its name is NULL after the last
KAI_API int kai_output_quantity_search(const kai_world* world, const kai_output_def* def,
                                       const char* name); ///< -1 when there is none

/// Whether the thing that an output looks at has a quantity: a joint has an angle or a travel only
/// where b turns or slides, a load what its kind says, an element what kai_element_result_of says.
KAI_API bool kai_output_offers(const kai_world* world, const kai_output_def* def, int i);

/// Whether a trajectory has velocities.
typedef enum kai_trajectory_velocity {
    KAI_TRAJECTORY_VELOCITY_AUTO,   ///< of up to KAI_TRAJECTORY_VELOCITY_BODIES bodies
    KAI_TRAJECTORY_VELOCITY_ALWAYS, ///< of all bodies
    KAI_TRAJECTORY_VELOCITY_NEVER   ///< of none
} kai_trajectory_velocity;

/// Bodies up to which velocities are kept without asking: of more, they make the file twice as
/// large and a frame nearly twice as costly.
#define KAI_TRAJECTORY_VELOCITY_BODIES 1000

/// Whether a trajectory, and with it the page, has contacts.
typedef enum kai_trajectory_touch {
    KAI_TRAJECTORY_TOUCH_AUTO, ///< in worlds of up to KAI_TRAJECTORY_TOUCH_BODIES bodies and nodes,
                               ///< and where contacts are looked for without forces
    KAI_TRAJECTORY_TOUCH_ALWAYS, ///< in all that have contacts
    KAI_TRAJECTORY_TOUCH_NEVER   ///< in none
} kai_trajectory_touch;

/// Bodies and nodes up to which contacts are kept without asking: those of a bed of grains are
/// three times as large as its motion.
#define KAI_TRAJECTORY_TOUCH_BODIES 500

/// Numbers that a trajectory may keep of every body, for colours: X(name, word, unit, text).
#define KAI_TRAJECTORY_FIELDS(X)                                                    \
    X(SPEED, "speed", "m/s", "of the mass centre")                                  \
    X(ANGULAR_SPEED, "angular_speed", "rad/s", "of the body")                       \
    X(KINETIC_ENERGY, "kinetic_energy", "J", "of the body")                         \
    X(CONTACT_FORCE, "contact_force", "N", "size of the sum of its contact forces") \
    X(CONTACT_LOAD, "contact_load", "N", "sum of the sizes of its contact forces")  \
    X(CONTACT_COUNT, "contact_count", "", "contacts that press or pull in the last step")

/// Which of them: bits 1 << KAI_TRAJECTORY_FIELD_SPEED …
typedef enum kai_trajectory_field {
#define KAI_TRAJECTORY_FIELD_ENUM(name, word, unit, text) KAI_TRAJECTORY_FIELD_##name,
    KAI_TRAJECTORY_FIELDS(KAI_TRAJECTORY_FIELD_ENUM)
#undef KAI_TRAJECTORY_FIELD_ENUM
        KAI_TRAJECTORY_FIELD_COUNT ///< how many there are
} kai_trajectory_field;

/// The snapshots for replay (trajectory.h5).
typedef struct kai_trajectory_def {
    bool enabled;          ///< false: no trajectory.h5
    double every;          ///< s between frames; 0: the whole number of steps nearest to 1/30 s,
                           ///< at least 50 of them for more than 10,000 bodies that meet nothing
    bool double_precision; ///< numbers of 64 bits; else of 32
    int32_t velocity;      ///< kai_trajectory_velocity
    int32_t contacts;      ///< kai_trajectory_touch
    int64_t compression;   ///< deflate level 0…9; -1: 4 for frames of up to 32,768 bodies, else 0
    uint32_t fields;       ///< bits of kai_trajectory_field: kept for colours
} kai_trajectory_def;

/// Description of kai_trajectory_def: scene keys under "trajectory".
KAI_API extern const kai_kind kai_output_trajectory_kind;

/// Most conditions that may end a run.
#define KAI_STOPS_MOST 16

/// What a condition looks at.
typedef enum kai_stop_when {
    KAI_STOP_VALUE,   ///< a quantity is below or above a limit
    KAI_STOP_SETTLED, ///< the kinetic energy of the world is below a limit
    KAI_STOP_WALL     ///< the run has taken some time
} kai_stop_when;

/// A condition that ends a run before its end; the run is done then, and has not failed.
typedef struct kai_stop_def {
    int32_t when;          ///< kai_stop_when
    kai_output_def output; ///< VALUE: what is looked at, one quantity of it
    kai_string component;  ///< VALUE: label of the component; "": the only one
    double below, above;   ///< VALUE: limits, in the unit of the quantity; NaN: none
    double kinetic_energy; ///< SETTLED: limit, J; NaN elsewhere
    double duration;       ///< s of simulated time for which VALUE and SETTLED must hold
    double wall_time; ///< WALL: wall-clock s since the run or its resumption began; 0 elsewhere
} kai_stop_def;

/// Description of kai_stop_def: keys of items of "stop" in scenes.
KAI_API extern const kai_kind kai_output_stop_kind;

/// The page of a run (index.html).
typedef struct kai_view_def {
    bool enabled;          ///< false: no page
    double frame_rate;     ///< frames per simulated second; 0: those of the trajectory, at most 600
    double budget;         ///< most bytes of the page
    double position_error; ///< largest error of positions on the page, m; 0: chosen by size
    kai_vec3 camera;       ///< where the first view is taken from, m; NaN: chosen
    kai_vec3 target;       ///< the point it looks at, m; NaN: chosen
    kai_body follow;       ///< body that the camera follows; null: none
} kai_view_def;

/// Description of kai_view_def: scene keys under "view".
KAI_API extern const kai_kind kai_output_view_kind;

#ifdef __cplusplus
}
#endif

#endif
