// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Why a step failed, for the message: what the first number that is not finite belongs to, and what
// is likely to have made it. All of this is done after a failure, so that steps cost no more for
// it.
#ifndef STEP_DIAGNOSE_H
#define STEP_DIAGNOSE_H

#include "model/world.h"
#include "solve/cone.h"

/// Replaces the message in err by one that names the joint or contact that made the present state
/// not finite, where there is one. While the failed step still holds its rows and contacts.
void kai_diagnose_terms(kai_world* world, double time, kai_error* err);

/// The same where the cone solver could not use its numbers: names the joint or contact that they
/// come from.
void kai_diagnose_contact(kai_world* world, const kai_cone_problem* problem, double time,
                          kai_error* err);

/// Appends to the message in err the number of the step and the likely cause, in numbers. The world
/// holds the state before the step.
void kai_diagnose_cause(kai_world* world, double h, kai_error* err);

#endif
