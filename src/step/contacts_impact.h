// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Impacts among the contacts of a step (kai_contact_impact): how fast the surfaces of each part, and
// impacts one after the other.
//
// Poisson's law is that of the two bodies alone, impact.h; where joints hold one of them its response
// is not theirs, and the speed is that of Newton's law. Where several contacts, or joints, share an
// impact, what they do together may still make energy: then contacts that do are solved again with
// less speed, until the contacts of the step together take energy.
#ifndef STEP_CONTACTS_IMPACT_H
#define STEP_CONTACTS_IMPACT_H

#include "step/constraints.h"
#include "step/contacts_cones.h"

/// Notes which bodies joints hold. Before rows are filled; `joints` may be NULL.
kai_result kai_contacts_impact_begin(kai_contacts_cones* cones, const kai_constraints* joints,
                                     kai_error* err);

/// The speed at which the surfaces of a row part, whose speed along the normal was `before` (< 0).
double kai_contacts_impact_part(const kai_contacts_cones* cones, const kai_cone_contact* row,
                                double restitution, double before);

/// Balls that bounce off each other, and touch nothing else, have the contact of the moment when they
/// meet: its normal, and arms that end at the surfaces. After rows are filled.
kai_result kai_contacts_impact_meet(kai_contacts_cones* cones, kai_error* err);

/// Moves those bodies to where they are if their velocities changed at that moment: by so much is the
/// angular momentum of an impulse in the middle of the step too large or too small.
void kai_contacts_impact_part_late(const kai_contacts_cones* cones);

/// Impacts one after the other (KAI_CONTACT_SEQUENTIAL) on the velocities before the step, and on
/// those of the problem by the same impulses. `*heat`: what they took, J.
kai_result kai_contacts_impact_sequence(kai_contacts_cones* cones, double* heat, kai_error* err);

/// Marks rows that bounce, where they may make energy together (`bounce`, else NULL).
kai_result kai_contacts_impact_mark(kai_contacts_cones* cones, kai_error* err);

/// Whether the contacts of the solution made energy; then rows marked that did are asked for less speed
/// (`last`: for none).
bool kai_contacts_impact_lower(const kai_contacts_cones* cones, bool last);

#endif
