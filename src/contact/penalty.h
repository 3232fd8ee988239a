// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The penalty method's forces over arrays of touches: nothing here knows the world.
//
//     kai_contact_coefficients pair;
//     KAI_TRY(kai_penalty_pair_combine(&steel, &glass, &pair, err));
//     kai_penalty_law law = kai_penalty_law_default();        // hertz, history, no adhesion
//     kai_penalty_evaluate(&law, touches, count, h, answers); // histories go on
//
// Positions are those at the middle of a step, velocities those before it, as `euler` has them:
// overlaps and displacements then belong to the same instant. Velocities lag by half a step; the
// damping is corrected for that (law.h). Implicit integrators set `instant`: positions and
// velocities are those of the end of the step, and no damping is corrected or limited.
#ifndef CONTACT_PENALTY_H
#define CONTACT_PENALTY_H

#include <kairos/contact_law.h>
#include <kairos/material.h>

/// A law and the parts around it.
typedef struct kai_penalty_law {
    const kai_contact_law_kind* kind; ///< a built-in kind or a user's
    const void* instance;             ///< its parameters; NULL for kinds without (kind.size 0)
    kai_contact_tangential tangential;
    kai_contact_adhesion adhesion;
    bool instant; ///< velocities are those of the same instant as overlaps: no lag, see below
} kai_penalty_law;

/// hertz, history, no adhesion.
kai_penalty_law kai_penalty_law_default(void);

/// The coefficients of a pair from those of its materials. Frictions, restitution, cohesion and
/// adhesion: the smaller; kn kt gn gt: the mean where both give one, else the one given; E* and G*
/// as kai_contact_coefficients says. KAI_ERROR_ARGUMENT when a value is out of its range.
kai_result kai_penalty_pair_combine(const kai_material_def* a, const kai_material_def* b,
                                    kai_contact_coefficients* out, kai_error* err);

/// Fills what follows from other coefficients: damping_ratio and hysteresis from restitution,
/// static_friction when negative or less than friction. For pairs given explicitly;
/// kai_penalty_pair_combine does it itself.
void kai_penalty_pair_complete(kai_contact_coefficients* pair);

/// Forces of `count` touches over a step of h > 0 seconds. The histories go on to the end of it.
void kai_penalty_evaluate(const kai_penalty_law* law, const kai_contact_touch* touches,
                          size_t count, double h, kai_contact_answer* out);

/// The same for touches with a law each: those of a law go to it together.
void kai_penalty_evaluate_by_law(const kai_penalty_law* const* laws,
                                 const kai_contact_touch* touches, size_t count, double h,
                                 kai_contact_answer* out);

/// The largest safe step for contacts of effective radius and mass that begin with up to `speed`
/// m/s of approach: a tenth of the period of the fastest vibration of the pair, tangential ones
/// included, less where it is damped (penalty_stable.c). HUGE_VAL when the law does not tell: a
/// whole law, or one that gives no energy.
double kai_penalty_stable_step(const kai_penalty_law* law, const kai_contact_coefficients* pair,
                               double radius, double mass, double speed);

#endif
