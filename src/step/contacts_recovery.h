// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Overlap undone without a trace in the velocities.
//
// Bodies that overlap are moved apart by a problem of its own: displacements h w whose speeds along
// normals are what the overlap asks for (at most the recovery speed), without friction, while
// joints hold. w moves positions and is forgotten, so that no energy of motion comes from overlap:
// in a pile of overlapping bodies the speeds of a whole column would otherwise add up.
#ifndef STEP_CONTACTS_RECOVERY_H
#define STEP_CONTACTS_RECOVERY_H

#include "step/constraints.h"
#include "step/contacts_cones.h"

/// Whether some overlap exceeds a hundredth of the reach of contacts, and is to be undone.
bool kai_contacts_recovery_needed(const kai_world* world);

/// Makes row and guess of contact i those of the displacements; `speed` is that along the normal
/// which the velocities have found.
void kai_contacts_recovery_ask(const kai_contacts_cones* cones, size_t i, double speed);

/// Moves bodies apart; every contact must have been asked. The problem's arrays of `cones` are used
/// anew. `*work` is what was done against gravity, J.
kai_result kai_contacts_recovery(kai_contacts_cones* cones, kai_cone* cone, kai_constraints* joints,
                                 double* work, kai_error* err);

#endif
