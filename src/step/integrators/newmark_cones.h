// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Contacts by complementarity in implicit Euler: at the end of the step
//
//     M (v₁ - v₀) = h f(q₁, v₁) + h Gᵀ λ + Dᵀ γ,   q₁ = q₀ + h v₁,   g(q₁) = 0
//     γ ∈ K,   û ∈ K*,   γ · û = 0,   n · u = n · D v₁ + max(Φ₀, 0) / h
//
// with normals, arms and gaps Φ₀ of the start of the step. Two solutions take turns until the
// velocities at contacts no longer change:
//
//     Newton's method with the impulses γ as given forces → v₁, λ          (newmark.c)
//     the cone problem about that v₁, where an impulse D γ changes velocities by
//     H⁻¹ D γ,   H = ┌ M + h C + h² K   Gᵀ ┐                               (here)
//                    └ G                 0 ┘
//
// H is the matrix that Newton's method factorised last, so stiff forces and joints answer to a
// contact within the step, and where forces are linear the second turn changes nothing. Impulses
// begin with those of the step before.
//
// Overlap gives no speed: it is undone after the step by displacements (contacts_recovery.h).
#ifndef STEP_NEWMARK_CONES_H
#define STEP_NEWMARK_CONES_H

#include "step/constraints.h"
#include "step/contacts_cones.h"

typedef struct kai_newmark_cones {
    kai_contacts_cones cones;
    size_t count;            // contacts; 0: there are none
    kai_constraints* joints; // NULL: only free bodies
    kai_cone* cone;          // the solver's memory, after the first solution
    kai_wrench* sums;        // [bodies]: force, and moment about the mass centre, world
    double* nodes;           // [coordinates of elements]: forces on them; NULL: no elements
    kai_vec3* speed;         // [count]: of b against a at contacts, as the cone solver left them
    double *first, *given;   // [coordinates of the system]: velocities before the cone solver, and
                             // as last handed back to it
    double heat;             // that contacts took in the last solution, J
    double residual;         // of the last solution, m/s
} kai_newmark_cones;

/// Finds contacts at the state that the world holds, the start of a step of h, and the forces that
/// they begin with.
kai_result kai_newmark_cones_begin(kai_newmark_cones* k, kai_contacts* contacts, kai_world* world,
                                   kai_constraints* joints, const kai_system_backup* start,
                                   double h, kai_error* err);

/// How far contacts are from the state that the world holds now: the largest change of their
/// velocities since they were last solved for, m/s.
double kai_newmark_cones_change(kai_newmark_cones* k);

/// From velocities in balance with the present forces of contacts to those that contacts allow, and
/// new forces.
kai_result kai_newmark_cones_solve(kai_newmark_cones* k, kai_error* err);

/// Ends a step: books what contacts took, and moves bodies out of overlap.
kai_result kai_newmark_cones_end(kai_newmark_cones* k, kai_error* err);

#endif
