// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// What an integrator works with: the system of all coordinates of a world.
//
//     M v̇ = f(q, v, t) + Gᵀ λ,    q̇ = L(q) v,    g(q, t) = 0,   cones on contacts
//
// An integrator asks for the forces of all terms (term.h) at the state that the world now holds,
// reads them from the world's arrays and writes q and v back. M is constant and diagonal
// (model/bodies.h). Rows g of joints and elements make one linear system (constraints.h); contacts
// are stages of a step, below.
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
    double* states;          // states of users, then those of loads and signals
    double *node_q, *node_v; // coordinates and velocities of all nodes of elements
} kai_system_backup;

struct kai_system {
    kai_world* world;
    double time;     // at the start of the step
    bool unobserved; // a step between equal ones, where nobody reads or changes the state
    const kai_system_backup* start; // the state before the step, where the world keeps it
    kai_contacts* contacts;         // of kai_system_find_contacts; NULL: those of the last step act
};

/// Forces of all terms at the state that the world holds and a time of the integrator's choice:
/// bodies.wrench, without gravity, and forces of nodes of elements (fea/fea.h). `options`: what
/// elements are asked beside; NULL: nothing.
kai_result kai_system_forces(kai_system* system, double time, const kai_fea_options* options,
                             kai_error* err);

// Contacts of methods that work at mid-step (system_contacts.c) -------------------------------------

/// Finds the contacts of a step of h at the state that the world holds, its middle; by penalty their
/// forces too, whose heat is added to *heat, J. kai_system_end keeps them or puts back those of the
/// step before.
kai_result kai_system_contacts(kai_system* system, double h, double* heat, kai_error* err);

/// Penalty forces on bodies, by slot, moments in the world frame; NULL: there are none.
const kai_wrench* kai_system_contacts_forces(const kai_system* system);

/// By complementarity: the velocities that contacts and joints (NULL: none) together allow, and the
/// heat of it, J. `last`: the step's last call, which also moves bodies out of overlap.
kai_result kai_system_contacts_velocities(kai_system* system, struct kai_constraints* joints,
                                          const kai_system_backup* start, double h, bool last,
                                          double* heat, kai_error* err);

/// Surfaces of flexible bodies go where their nodes are.
void kai_system_contacts_follow(const kai_system* system);

// The step -----------------------------------------------------------------------------------------

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
