// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// New velocities where bodies touch, by complementarity, together with joints.
#ifndef STEP_CONTACTS_VELOCITIES_H
#define STEP_CONTACTS_VELOCITIES_H

#include "step/constraints.h"
#include "step/contacts_cones.h"

/// From the world's velocities, which joints (or NULL) have seen already, to those with contacts.
/// Multipliers of joints become those of both together. Adds to *heat what contacts took, J.
/// `last`: the step's last call, which also moves bodies out of overlap.
kai_result kai_contacts_velocities(kai_contacts* contacts, kai_world* world,
                                   kai_constraints* joints, const kai_system_backup* start,
                                   double h, bool last, double* heat, kai_error* err);

/// Solves a problem that is filled, by the solver and with the tolerance that the world asks for, and
/// counts its iterations. `*cone` receives the solver's memory, for kai_contacts_recovery. Not
/// `last`: velocities that only forces are to see, as exact as these need them.
kai_result kai_contacts_velocities_solve(kai_contacts_cones* cones, kai_constraints* joints,
                                         bool last, kai_cone** cone, kai_error* err);

#endif
