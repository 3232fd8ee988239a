// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// What an integrator works with: the system of all coordinates of a world.
//
//     M v̇ = f(q, v, t) + Gᵀ λ,    q̇ = L(q) v,    g(q, t) = 0,   cones on contacts
//
// An integrator asks for terms at the state that the world now holds (kai_system_evaluate), reads
// them from the world's arrays and writes q and v back. M is constant and diagonal
// (model/bodies.h). Terms that exist: forces. Constraint rows (g, G, ∂g/∂t, compliance), tangents
// (∂f/∂q, ∂f/∂v) and cones join as further bits of `what`, with their arrays beside the forces;
// multipliers are returned by the solver to the same rows.
#ifndef STEP_SYSTEM_H
#define STEP_SYSTEM_H

#include "fea/fea.h"
#include "model/part.h"

#include <kairos/integrator.h>

typedef struct kai_contacts kai_contacts;

/// The state before a step, kept in scratch memory so that a failed step can be undone: all parts
/// with KAI_PART_STEP (model/part.h), and views of what integrators read from it.
typedef struct kai_system_backup {
    kai_part_backup parts;
    kai_pose* pose;          // [count]
    kai_motion* motion;      // [count]
    double* scalars;         // angle and speed of every shaft
    double* states;          // states of users, then those of loads
    double *node_q, *node_v; // coordinates and velocities of all nodes of elements
} kai_system_backup;

struct kai_system {
    kai_world* world;
    double time;     // at the start of the step
    bool unobserved; // a step between equal ones, where nobody reads or changes the state
    const kai_system_backup* start; // the state before the step, where the world keeps it
    kai_contacts* contacts;         // of kai_system_find_contacts; NULL: those of the last step act
};

/// Terms that can be asked for.
enum {
    KAI_SYSTEM_FORCES = 1, // bodies.wrench: all loads and elements, without gravity; forces of
                           // nodes of elements (fea/fea.h)
};

/// Evaluates terms at the state that the world holds and a time of the integrator's choice.
kai_result kai_system_evaluate(kai_system* system, unsigned what, double time, kai_error* err);

/// All forces, those of elements with options: at rest, or with tangents on the way.
kai_result kai_system_forces(kai_system* system, double time, const kai_fea_options* options,
                             kai_error* err);

/// Keeps the state. Scratch memory taken after this is given back by kai_system_end.
kai_result kai_system_save(kai_system* system, kai_system_backup* backup, kai_error* err);

/// Ends a step: keeps the new state, or puts the old one back.
void kai_system_end(kai_system* system, const kai_system_backup* backup, bool keep);

/// How many numbers the shafts and the states of users have, and copies of them out of the world
/// and into it: angle and speed of every shaft, then the states.
size_t kai_system_scalars(const kai_world* world);
void kai_system_read_scalars(const kai_world* world, double* scalars);
void kai_system_write_scalars(kai_world* world, const double* scalars);

/// Accelerations of all bodies and shafts at the present state, into bodies.acceleration
/// (gyroscopic term included) and into the shafts.
kai_result kai_system_accelerations(kai_system* system, double time, kai_error* err);

/// Names the first body whose state is not finite: KAI_ERROR_DIVERGED. KAI_OK when there is none.
kai_result kai_system_check_finite(const kai_system* system, double time, kai_error* err);

#endif
