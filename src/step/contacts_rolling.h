// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Rolling to second order.
//
// Contacts are those of the middle of the step, t_m, where impulses act, so that they are of second
// order. The velocities found are those of its end, t₁, when a contact that rolls has moved on,
//
//     r₁ = r_m + h/2 ṙ,   ṙ = (r_m - those of the step before) / h
//
// from mass centres. Asked of v₁ at r_m, "no slip, no approach" takes from the velocities in every step
// what the contact has moved on, and with it energy, at first order in h. It is asked at r₁: with
//
//     c = ω₀ × h/2 ṙ,   of b less that of a
//
// u(v₁) + c is the speed of the surfaces at t₁. Impulses then do as much work before as after, but for
// the second order. The cone solver sees v₁ - d, where d is the velocity of bodies with
// u(d) = -c: for a body d = -c of its side, the mean over its contacts by their last impulses. What is
// left of the normal part, where contacts of a body move on differently, goes to the bias.
#ifndef STEP_CONTACTS_ROLLING_H
#define STEP_CONTACTS_ROLLING_H

#include "step/contacts_cones.h"

/// Contacts that roll do not bounce for what they move on by. Marks those that do
/// (kai_contacts_impact_mark), finds d of bodies, takes it from the velocities of the problem and corrects biases. After rows are
/// filled. Velocities go back and forth by kai_contacts_cones_take and give, with d.
kai_result kai_contacts_rolling_begin(kai_contacts_cones* cones, kai_error* err);

/// What a contact's speed at the velocities of the problem lacks: of that at t_m, -c; of that at
/// t₁ what biases have.
kai_vec3 kai_contacts_rolling_lag(const kai_contacts_cones* cones, const kai_cone_contact* row);

#endif
