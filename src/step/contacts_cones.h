// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Contacts by complementarity: the cone problem of a step, from the contacts in its middle.
//
//     n · u ≥ -Φ / h        Φ > 0, the gap at mid-step: midpoints move by h v, so none closes
//     n · u ≥ s             where the surfaces bounce and would meet in this step; contacts_impact.h
//     n · u ≥ 0             where they overlap; see contacts_recovery.h
//     n · u ≥ -(Φ + C γ / h) / (h + T)   where they are soft: compliance C, damping time T
//
// Cohesion F moves the tip of the cone to -h F: the pull is put on the bodies beforehand, and the
// cone begins at zero.
#ifndef STEP_CONTACTS_CONES_H
#define STEP_CONTACTS_CONES_H

#include "contact/contacts_surface_map.h"
#include "solve/cone.h"
#include "step/system.h"

struct kai_contacts_surface_point;

/// The problem of one step; its arrays are scratch of the step.
typedef struct kai_contacts_cones {
    kai_contacts* contacts;
    kai_world* world;
    const kai_system_backup* start; // velocities before the step
    const kai_pose* pose;           // [bodies]: where contacts were found, which turns spins
    double h;
    kai_cone_problem problem;
    kai_cone_contact* rows; // [count]
    double (*inertia)[6];   // [bodies]
    kai_wrench*
        before; // [bodies, then points]: velocity and angular velocity before the step, world
    struct kai_contacts_surface_point* points; // [point_count] of surfaces, contacts_surface.h
    size_t point_count;
    uint32_t (*point_of)[2]; // [count]: what stands for the sides of a contact in the problem;
                             // KAI_CONE_NONE: their bodies. NULL: there are no surfaces
    double* shares;          // [nodes + bodies]: scratch
    bool* held;              // [bodies]: joints hold them. NULL: none, or nobody asks
    kai_vec3* roll;          // [bodies]: d of contacts_rolling.h. NULL: nothing rolls
    bool* bounce;            // [count]: contacts bounce. NULL: none that may make energy
    double* late;            // [count], s: contacts act so long after the middle. NULL: all in it
    kai_vec3* struck;        // [count]: impulses of impacts before the problem. NULL: none
    bool recover;            // overlap is undone after the velocities; contacts_recovery.h
} kai_contacts_cones;

/// Takes memory for the problem of contacts at the state that the world holds.
kai_result kai_contacts_cones_make(kai_contacts_cones* c, kai_contacts* contacts, kai_world* world,
                                   const kai_system_backup* start, double h, kai_error* err);

/// Fills it from the present velocities of the world.
void kai_contacts_cones_fill(kai_contacts_cones* c);

/// Parts of it: velocities and masses of bodies and points at the present state; then the rows of
/// contacts, at the state where they were found. Cohesion is left to the caller.
void kai_contacts_cones_fill_motion(kai_contacts_cones* c);
void kai_contacts_cones_fill_rows(kai_contacts_cones* c);

/// Takes the impulses of all contacts out of the velocities of the problem, body by body as if
/// nothing else held them.
void kai_contacts_cones_take_out(kai_contacts_cones* c);

/// Impulse of cohesion on contact i, N s. Only surfaces that touch stick.
double kai_contacts_cones_pull(const kai_contacts_cones* c, size_t i);

/// Velocities of a body's motion record, written back to the world.
void kai_contacts_cones_take(const kai_contacts_cones* c, size_t slot);
void kai_contacts_cones_give(const kai_contacts_cones* c, size_t slot);

/// Velocity of b at a contact less that of a, at the velocities of the problem.
kai_vec3 kai_contacts_cones_speed(const kai_contacts_cones* c, const kai_cone_contact* row);

/// The same before the step.
kai_vec3 kai_contacts_cones_speed_before(const kai_contacts_cones* c, const kai_cone_contact* row);

/// Writes all velocities back to the world, and forces and impulses to the contacts. Returns the
/// energy that contacts took away, J. With `recover` rows are those of the displacements
/// then.
kai_result kai_contacts_cones_finish(kai_contacts_cones* c, double* heat, kai_error* err);

#endif
