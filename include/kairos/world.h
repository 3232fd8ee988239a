// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The world: one system of bodies, loads and all that comes later, with its clock.
//
// A world is used by one thread at a time (it runs its own threads inside); different worlds are
// independent. Functions that take a const kai_world* change nothing: between two changes several
// threads may call them at the same time, as long as none fails (a failure leaves its message). Calls return a kai_result and leave their message in kai_world_error().
//
// What holds for all functions of the library:
//   - A pointer that is NULL where none is allowed: KAI_ERROR_ARGUMENT, or a value of zeros, a null
//     id, "" for a name, from functions that return a value. Nothing has changed. Pointers may be
//     NULL where their description says so, and where they are `err`.
//   - An id that is null, stale or of another world: KAI_ERROR_ID, or zeros likewise. An id never
//     becomes valid again.
//   - Numbers that are not finite, and words that are none: KAI_ERROR_ARGUMENT.
//   - What a function creates is NULL or a null id when it fails.
//   - Functions of the user's own (kinds, laws, the log) that run inside kai_world_step, _evaluate,
//     _assemble, _statics, _energy and their like may read the world: all functions that take a
//     const kai_world*, but those that give results of the last step (kai_joint_reaction,
//     kai_joint_effort). Any
//     other answers KAI_ERROR_BUSY and does nothing, and the message comes when the step has ended.
//     Hooks of a run (hook.h) are called between steps and may do all.
#ifndef KAIROS_WORLD_H
#define KAIROS_WORLD_H

#include <kairos/body.h>
#include <kairos/contact_law.h>
#include <kairos/integrator.h>
#include <kairos/load.h>
#include <kairos/log.h>
#include <kairos/memory.h>
#include <kairos/particles.h>
#include <kairos/plugin.h>
#include <kairos/sampler.h>
#include <kairos/section.h>
#include <kairos/sensor.h>
#include <kairos/signal.h>
#include <kairos/state.h>
#include <kairos/structure.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Kinds of the user's own, family by family. Each list is ended by NULL, or is itself NULL.
typedef struct kai_world_kinds {
    const kai_function_kind* const* functions;
    const kai_load_kind* const* loads;
    const kai_joint_kind* const* joints;
    const kai_state_kind* const* states;
    const kai_shape_kind* const* shapes;
    const kai_solid_kind* const* solids;
    const kai_element_kind* const* elements;
    const kai_structure_kind* const* structures;
    const kai_contact_law_kind* const* laws;
    const kai_signal_kind* const* signals;
    const kai_sensor_kind* const* sensors;
    const kai_section* const* sections; ///< of scenes
    const kai_sampler_kind* const* samplers;
    const kai_plugin* const* plugins; ///< asked, after all that, to register theirs
} kai_world_kinds;

/// What a world is created from.
typedef struct kai_world_def {
    uint64_t cookie;         ///< set by kai_world_def_default
    kai_allocator allocator; ///< zeroed: the C library's
    size_t memory_limit;     ///< most bytes it takes; 0: kai_memory_default_limit()
    kai_log_fn* log;         ///< receives messages; NULL: none
    void* log_context;       ///< passed to log
    /// Most threads of a step; 0: as many as there are processors. More than processors are not
    /// used. Worlds that step at once on threads of the user's share one pool of helpers: each
    /// calling thread keeps a processor, and helpers go to the world that has fewest of them. The
    /// number of threads, and who shares them, changes no bit of the results.
    int threads;
    kai_vec3 gravity; ///< m/s²
    /// Kinds of the user's own. They are registered in the new world, so that scenes and files may
    /// hold instances of them; tables must outlive it.
    kai_world_kinds kinds;
} kai_world_def;

/// The defaults: gravity (0, 0, -9.81), all threads.
KAI_API kai_world_def kai_world_def_default(void);

/// Creates an empty world. The message of a failure goes to `err`, which may be NULL.
KAI_API kai_result kai_world_create(const kai_world_def* def, kai_world** out, kai_error* err);

/// Destroys a world and everything in it. NULL is allowed. Does nothing from inside a step.
KAI_API void kai_world_destroy(kai_world* world);

/// The message of the last call that failed on this world; empty at first. Never NULL, also for a
/// world that is.
KAI_API const kai_error* kai_world_error(const kai_world* world);

/// Takes one step of `h` seconds. On failure the state is the one before the step.
/// KAI_ERROR_DIVERGED: a force or a state is not finite; the message names the body and the time.
KAI_API kai_result kai_world_step(kai_world* world, double h);

/// Brings forces, accelerations and joint reactions up to date with the present state and time,
/// without moving anything.
KAI_API kai_result kai_world_evaluate(kai_world* world);

/// Moves bodies by the least change (in the sense of mass) so that all joints hold, then corrects
/// velocities likewise. KAI_ERROR_DIVERGED names the joint that cannot hold; nothing has changed
/// then.
KAI_API kai_result kai_world_assemble(kai_world* world);

/// Moves everything to an equilibrium near the present positions, at the present time: joints hold,
/// forces and reactions balance, velocities are zero. KAI_ERROR_DIVERGED says what is held by
/// nothing, or what force is left; nothing has changed then.
KAI_API kai_result kai_world_statics(kai_world* world);

/// The same by linear theory: K Δq = f is solved once with the stiffness of the present positions,
/// and everything moves by Δq. KAI_ERROR_DIVERGED when a force pushes something that nothing holds.
KAI_API kai_result kai_world_statics_linear(kai_world* world);

/// Moves the clock on by `h` seconds and everything to its equilibrium at that time, from where it
/// is: one point of a curve of loads that vary in time. On failure nothing has changed.
KAI_API kai_result kai_world_step_statics(kai_world* world, double h);

/// Takes steps of `h` until the time is `end` to within h/2. KAI_ERROR_ARGUMENT for an end that is
/// not finite.
KAI_API kai_result kai_world_step_until(kai_world* world, double end, double h);

/// The time in s, and the number of steps taken.
KAI_API double kai_world_time(const kai_world* world);
KAI_API uint64_t kai_world_steps(const kai_world* world); ///< since creation, resumed runs included

/// Gravity, m/s².
KAI_API kai_vec3 kai_world_gravity(const kai_world* world);
KAI_API kai_result kai_world_set_gravity(kai_world* world, kai_vec3 gravity); ///< finite

/// A request to stop inside a long operation. When `*stop` becomes non-zero, set by a signal
/// handler or another thread, kai_world_step and its like soon fail with KAI_ERROR_STOPPED, with
/// the state as it was before the call: what follows gives the same results as if nobody had
/// stopped. The number must live until another one, or NULL (none: the default), is set.
KAI_API kai_result kai_world_set_stop(kai_world* world, const volatile int* stop);

/// Threads used by the next step.
KAI_API int kai_world_threads(const kai_world* world);
KAI_API kai_result kai_world_set_threads(kai_world* world, int threads); ///< 1…1024, 0: all

/// Energy of the world, J.
typedef struct kai_energy {
    double kinetic;
    double potential;  ///< of gravity, zero at the origin
    double elastic;    ///< stored in force elements
    double dissipated; ///< lost to damping and friction since the start
    double work;       ///< done by loads since the start
    double
        drift; ///< kinetic + potential + elastic + dissipated - work - its value at the first step
} kai_energy;

/// The energy as it stands.
KAI_API kai_result kai_world_energy(kai_world* world, kai_energy* out);

/// Linear momentum, and angular momentum about the world's origin.
KAI_API kai_result kai_world_momentum(kai_world* world, kai_vec3* linear, kai_vec3* angular);

/// Figures about a world and what it has spent.
typedef struct kai_stats {
    size_t bodies, shapes, loads; ///< how many there are; bodies without those of structures
    size_t particles;             ///< bodies of particle groups, which `bodies` counts too
    size_t nodes;                 ///< of structures and elements, bodies that are nodes included
    size_t bytes, peak_bytes;     ///< memory in use now and at most
    size_t scratch_peak_bytes;    ///< most scratch memory of one step
    uint64_t allocations;         ///< calls of the allocator so far
    double proximity_seconds;     ///< time spent finding contacts
    double formulation_seconds;   ///< … evaluating forces and rows
    double solve_seconds;         ///< … solving
    double step_seconds;          ///< … integrating
} kai_stats;

/// The figures as they stand.
KAI_API kai_stats kai_world_stats(const kai_world* world);

/// A fingerprint of time, positions, rotations and velocities: equal states have equal hashes.
KAI_API uint64_t kai_world_hash(const kai_world* world);

/// Puts the bodies in storage order by place, so that neighbours lie close together in memory:
/// worth it for many thousands that touch each other, once in some thousand steps. Ids, names and
/// files stay as they are; kai_body_at counts in the new order. Results differ by rounding. Runs of
/// more than 5,000 bodies begin with it. Not from inside a step.
KAI_API kai_result kai_world_reorder(kai_world* world);

/// What kai_world_take took over, and what had no counterpart.
typedef struct kai_world_taken {
    size_t bodies, shafts, nodes, states; ///< of the world that have the state of the other's now
    size_t missing;           ///< named things of the world that the other does not have
    size_t left;              ///< named things of the other that the world does not have
    kai_string first_missing; ///< the first of each, "" without one
    kai_string first_left;    ///< likewise
} kai_world_taken;

/// Gives bodies that are not fixed, shafts, nodes and user states the positions and velocities of
/// those of the same name in another world; particle groups where both have as many, structures
/// where both have as many nodes, one by one in their order. Bits are the same where mass centre
/// and principal axes are. Time, joints, loads and what contacts remember stay as they are. `taken`
/// may be NULL. Not from inside a step; on failure some may have been taken over.
KAI_API kai_result kai_world_take(kai_world* world, const kai_world* from, kai_world_taken* taken);

/// Writes the whole world to an HDF5 file (written aside, then renamed). Kinds of the user's own
/// are written by name.
KAI_API kai_result kai_world_save(kai_world* world, const char* path);

/// Makes a world from such a file; `def` gives allocator, log, threads, and the kinds of the user's
/// own whose instances the file holds.
KAI_API kai_result kai_world_load(const kai_world_def* def, const char* path, kai_world** out,
                                  kai_error* err);

#ifdef __cplusplus
}
#endif

#endif
