// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// What the rest of model/ needs of bodies.
#ifndef MODEL_BODY_H
#define MODEL_BODY_H

#include "model/world.h"

/// Principal moments and the own frame in the principal frame, for mass properties in the own
/// frame.
kai_result kai_body_principal(const kai_mass_properties* mass, kai_vec3* moments, kai_frame* offset,
                              kai_error* err);

/// Puts the own frame of the body in a slot somewhere, with the velocity of its origin and its
/// angular velocity, both in the world frame. KAI_ERROR_ARGUMENT, and nothing changed, when the
/// mass centre would not have a finite position or velocity.
kai_result kai_body_place(kai_bodies* bodies, size_t slot, kai_frame frame, kai_vec3 velocity,
                          kai_vec3 omega, kai_error* err);

/// Finite and not zero; any such quaternion stands for a rotation once it is normalised.
bool kai_body_is_rotation(kai_quat q);

/// Adds a ghost: a body that another rank moves, which has that key. Contacts see it, no integrator
/// moves it, and it has no energy, no place in kai_body_at and none in files.
kai_result kai_body_create_ghost(kai_world* world, const kai_body_def* def, uint64_t key,
                                 kai_body* out);

/// Removes all ghosts.
kai_result kai_body_drop_ghosts(kai_world* world);

/// To be called after bodies came or went none of which carries terms (kai_world.terms_version).
void kai_body_changed(kai_world* world);

/// To be called after bodies that carry terms, shafts or nodes came, went, became fixed or free or
/// got another principal frame: what was laid out for them is made anew.
void kai_body_terms_changed(kai_world* world);

/// Kinetic and potential energy of the body in a slot, J; none of fixed bodies and nodes.
static inline void kai_body_energy(const kai_world* world, size_t slot, double out[2])
{
    const kai_motion* motion = &world->bodies.motion[slot];
    const kai_bodies_mass* mass = kai_bodies_mass_of(&world->bodies, slot);
    const kai_vec3 w = motion->spin;
    const kai_vec3 momentum = {mass->moments.x * w.x, mass->moments.y * w.y, mass->moments.z * w.z};
    out[0] = out[1] = 0.0;
    if (motion->flags & (KAI_BODY_FIXED | KAI_BODY_NODE)) return;
    out[0] = 0.5 * (mass->mass * kai_vec3_norm2(motion->velocity) + kai_vec3_dot(momentum, w));
    out[1] = -mass->mass * kai_vec3_dot(world->gravity, world->bodies.pose[slot].position);
}

/// To be called after kai_body_changed where the balance of energy was known and these bodies alone
/// have brought or taken energy, J: it goes on.
void kai_body_balance(kai_world* world, bool known, double energy);

/// KAI_ERROR_ID with its message.
kai_result kai_body_id_error(kai_body body, kai_error* err);

#endif
