// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// A cone problem of bodies as sparse matrices.
//
//     bodies            6 velocities each: v, then w, world frame; 3 that do not turn, or only turn;
//                       none where contacts do not change the velocity: it goes to w
//     compliance c      one velocity more, of mass 1 / c, added to n·u: it is c γ_n
//
//     rows of joints    columns of G; with one bound contacts without friction, with two friction
//                       under a normal impulse that a velocity more holds (Coulomb's law only)
//
// Bodies without contacts and rows are left out.
#ifndef SOLVE_PROBLEM_MAKE_H
#define SOLVE_PROBLEM_MAKE_H

#include "solve/cone.h"
#include "solve/problem.h"

/// Makes the matrices of a problem at its velocities without impulses. KAI_ERROR_UNSUPPORTED for
/// contacts with rolling or spinning friction, for joints that are no rows (`project`), and for rows
/// with two bounds in the `associated` problem.
kai_result kai_problem_make(const kai_cone_problem* cones, bool associated, kai_problem** out,
                            kai_error* err);

/// Takes over the impulses of a solution found by kai_cone_solve; velocities are left at zero. None
/// where rows with bounds became contacts.
kai_result kai_problem_make_impulses(kai_problem* problem, const kai_cone_problem* cones,
                                     kai_error* err);

/// The columns of H of a contact: normal, then two tangents.
void kai_problem_make_axes(const kai_cone_contact* contact, kai_vec3 axes[3]);

#endif
