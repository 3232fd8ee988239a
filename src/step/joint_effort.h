// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#ifndef STEP_JOINT_EFFORT_H
#define STEP_JOINT_EFFORT_H

#include "step/constraints.h"
#include "step/system.h"

/// Power that motors put into the system, W, with the rows and multipliers last found.
double kai_joint_effort_power(const kai_constraints* c, const kai_world* world);

/// Power that rows with bounds take out of the system over a step from the velocities of `start` to
/// the present ones, W: slip and impacts.
double kai_joint_effort_loss(const kai_constraints* c, const kai_world* world,
                             const kai_system_backup* start);

/// Power that they take out of the system at the present velocities, W.
double kai_joint_effort_slip(const kai_constraints* c, const kai_world* world);

#endif
