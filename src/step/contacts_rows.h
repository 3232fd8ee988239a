// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Joints as rows of the cone problem, for solvers that treat them with the contacts. Shafts stand
// behind all bodies of the problem, as bodies that move along x alone.
#ifndef STEP_CONTACTS_ROWS_H
#define STEP_CONTACTS_ROWS_H

#include "step/constraints.h"
#include "step/contacts_cones.h"

/// The problem with rows; its arrays are scratch of the step.
typedef struct kai_contacts_rows {
    kai_contacts_cones* cones;
    kai_constraints* joints;
    kai_cone_problem problem; // that of `cones`, with bodies of its own
    kai_cone_row* rows;
    kai_cone_piece* pieces;
} kai_contacts_rows;

/// Whether the joints can be such rows: not where finite elements or derivatives of forces stand in
/// their matrix.
bool kai_contacts_rows_can(const kai_contacts_cones* cones, const kai_constraints* joints);

/// Makes the rows, as they are after the joints alone were solved: multipliers count from there.
/// `lambda` [rows] or NULL: a guess of what multipliers become.
kai_result kai_contacts_rows_make(kai_contacts_rows* r, kai_contacts_cones* cones,
                                  kai_constraints* joints, const double* lambda, kai_error* err);

/// Hands the solution on: velocities to the problem of `cones`, of shafts to the world; multipliers
/// and states to the joints.
void kai_contacts_rows_take(const kai_contacts_rows* r);

#endif
