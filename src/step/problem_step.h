// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The cone problem of a step, kept for kai_problem_step_take.
#ifndef STEP_PROBLEM_STEP_H
#define STEP_PROBLEM_STEP_H

#include "solve/cone.h"
#include "step/system.h"

#include <kairos/problem.h>

/// Called before a step's last solution, with velocities that contacts have not changed yet, and after
/// it. Nothing happens unless problems are kept; that one cannot be made is told by _take.
void kai_problem_step_begin(kai_world* world, const kai_cone_problem* cones);
void kai_problem_step_end(kai_world* world, const kai_cone_problem* cones);

#endif
