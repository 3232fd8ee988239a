// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Terms: what acts on the coordinates of a world.
//
//     M v̇ = Σ f(q, v, t) + Gᵀ λ + Dᵀ γ
//
// A term is one const entry of KAI_TERM_LIST: what it asks of integrators, its forces at a state, the
// work they do, the coordinates that it brings with it, its energy and momentum. Integrators, the
// energy balance and the check of a new state walk the table in its order and know no term by name,
// so that a new one is a file terms/term_<name>.c and one line. Where a term has state, that is a part
// of the world (model/part.h): undo, checkpoint and hash see it there.
//
// What does not stand in this table: rows g of constraints come from kinds of joints, cones from
// contacts, derivatives of forces from kinds of loads that are `stiff`, from elements and from
// contacts; all of them go to one linear system (constraints.h) or cone problem (contacts_cones.h).
#ifndef STEP_TERM_H
#define STEP_TERM_H

#include "fea/fea.h"
#include "model/world.h"

#include <kairos/integrator.h>

/// A term. Slots that are NULL do nothing; `data` is what it was attached with, NULL of those in the
/// table. What acts sets the wrenches of bodies that it pushes to zero in `begin`, and adds to them
/// in `forces`.
typedef struct kai_term {
    const char* name;

    /// Bits of kai_integrator_capability that the world needs for it now; 0 where there is nothing of
    /// it.
    kai_result (*needs)(kai_world* world, void* data, unsigned* capabilities, kai_error* err);

    /// Before a step, outside of it: lays out what it is made of, and refuses a world that it cannot
    /// work with.
    kai_result (*prepare)(kai_world* world, void* data, kai_error* err);
    /// Before forces or rates are asked for at the state that the world holds: finds what they read
    /// beside coordinates, such as values of signals.
    kai_result (*observe)(kai_world* world, void* data, double time, kai_error* err);
    /// After a step of h that stands, outside of it: what changes between steps only.
    kai_result (*finish)(kai_world* world, void* data, double h, kai_error* err);

    /// Before forces of any term: lays out what it is made of, with room in bodies.wrench.
    kai_result (*begin)(kai_world* world, void* data, kai_error* err);
    /// Adds its forces at the state that the world holds. `options`: what stiff ones are asked
    /// beside.
    kai_result (*forces)(kai_world* world, void* data, double time, const kai_fea_options* options,
                         kai_error* err);
    /// Whether they depend on velocities of bodies and shafts.
    bool (*needs_velocity)(const kai_world* world, void* data);
    /// Adds what the forces last evaluated do in so many seconds, at the present velocities, to
    /// world->work and world->dissipated.
    kai_result (*spend)(kai_world* world, void* data, double time, double seconds, kai_error* err);

    /// Coordinates of its own, beside bodies, shafts, nodes and states: motion for h at their
    /// velocities, and change of velocities by the forces last evaluated.
    void (*drift)(kai_world* world, void* data, double h);
    void (*kick)(kai_world* world, void* data, double h);
    /// KAI_ERROR_DIVERGED names the first of them that is not finite.
    kai_result (*check)(const kai_world* world, void* data, double time, kai_error* err);

    /// Adds kinetic, potential and elastic energy of its own, J.
    kai_result (*energy)(kai_world* world, void* data, kai_energy* sum, kai_error* err);
    /// Adds momentum and moment of momentum about the origin of its own coordinates.
    kai_result (*momentum)(kai_world* world, void* data, kai_vec3* linear, kai_vec3* angular,
                           kai_error* err);
} kai_term;

// In the order of evaluation.
#define KAI_TERM_LIST(X) \
    X(loads)             \
    X(contacts)          \
    X(elements)          \
    X(joints)

#define KAI_TERM_DECLARE(name) extern const kai_term kai_term_##name;
KAI_TERM_LIST(KAI_TERM_DECLARE)
#undef KAI_TERM_DECLARE

/// Gives a world one more term, for as long as it lives, behind those of the table. `data` stays the
/// caller's: a part of the world keeps it.
kai_result kai_term_attach(kai_world* world, const kai_term* term, void* data, kai_error* err);

/// Whether terms were attached that push or have coordinates: then bodies may move although there
/// are no loads.
bool kai_term_attached(const kai_world* world);

// Walks ------------------------------------------------------------------------------------------

/// Asks `require` for every bit that a term needs, term by term, until one is refused.
kai_result kai_term_needs_all(kai_world* world,
                              kai_result (*require)(const kai_world* world, unsigned capability,
                                                    kai_error* err),
                              kai_error* err);

kai_result kai_term_prepare_all(kai_world* world, kai_error* err);
kai_result kai_term_observe_all(kai_world* world, double time, kai_error* err);
kai_result kai_term_finish_all(kai_world* world, double h, kai_error* err);

/// Forces of all terms, observed first: bodies.wrench, torques of shafts, forces on nodes of elements (fea/fea.h) and
/// on coordinates of attached terms; gravity on bodies is not among them.
kai_result kai_term_forces_all(kai_world* world, double time, const kai_fea_options* options,
                               kai_error* err);

bool kai_term_needs_velocity(const kai_world* world);
kai_result kai_term_spend_all(kai_world* world, double time, double seconds, kai_error* err);
void kai_term_drift_all(kai_world* world, double h);
void kai_term_kick_all(kai_world* world, double h);
kai_result kai_term_check_all(const kai_world* world, double time, kai_error* err);
kai_result kai_term_energy_all(kai_world* world, kai_energy* sum, kai_error* err);
kai_result kai_term_momentum_all(kai_world* world, kai_vec3* linear, kai_vec3* angular,
                                 kai_error* err);

#endif
