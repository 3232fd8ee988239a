// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Figures about all joints of a world.
#ifndef RECORD_OUTPUT_JOINTS_H
#define RECORD_OUTPUT_JOINTS_H

#include <kairos/joint.h>

/// How many rows the active joints have.
uint64_t kai_output_joints_rows(const kai_world* world);

/// The largest violation of an active joint; 0 without joints.
kai_result kai_output_joints_violation(kai_world* world, double* violation);

#endif
