// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The cone problem of a step, kept for kai_problem_step_take.
#ifndef STEP_PROBLEM_STEP_H
#define STEP_PROBLEM_STEP_H

#include "step/contacts_rows.h"

#include <kairos/problem.h>

/// Called before a step's last solution, with velocities that contacts have not changed yet, and after
/// it. `rows`: joints can be rows of the problem (contacts_rows.h). Nothing happens unless problems are
/// kept; that one cannot be made is told by _take.
void kai_problem_step_begin(kai_contacts_cones* cones, kai_constraints* joints, bool rows);
void kai_problem_step_end(const kai_contacts_cones* cones);

#endif
