// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Frictional contact: what happens where shapes touch.
//
//     kai_contact_def contact = kai_contact_def_default();
//     contact.method = KAI_CONTACT_NSC;
//     kai_contact_set(world, &contact);
//
// Two methods. NSC (non-smooth, complementarity): bodies do not overlap, impulses lie in friction
// cones, steps may be long; found by the cone solvers of kai_solver_def. SMC (smooth, penalty):
// bodies overlap a little and forces follow from the overlap; steps are short. Both work with
// `euler`, together with joints, motors and loads. Surfaces are described by kai_material_def.
#ifndef KAIROS_CONTACT_H
#define KAIROS_CONTACT_H

#include <kairos/collision.h>
#include <kairos/contact_law.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Which method.
typedef enum kai_contact_method {
    KAI_CONTACT_NONE, ///< bodies pass through each other
    KAI_CONTACT_NSC,  ///< complementarity
    KAI_CONTACT_SMC   ///< penalty
} kai_contact_method;

/// How friction is posed in the complementarity method.
typedef enum kai_contact_friction {
    KAI_CONTACT_COULOMB, ///< Coulomb's law
    KAI_CONTACT_ASSOCIATED ///< the convex (associated) problem: bodies that slide at v are lifted by h μ v
} kai_contact_friction;

/// What restitution is in the complementarity method.
typedef enum kai_contact_impact {
    KAI_CONTACT_POISSON, ///< (1 + e) times the impulse of the inelastic impact; never makes energy
    KAI_CONTACT_NEWTON, ///< speeds along the normal turn round, times e; makes energy with friction
    KAI_CONTACT_SEQUENTIAL ///< Poisson's law, two bodies at a time, one impact after the other
} kai_contact_impact;

/// How contact works in a world; scene key "contact".
typedef struct kai_contact_def {
    uint64_t cookie; ///< set by kai_contact_def_default
    int32_t method;  ///< kai_contact_method
    // NSC
    double envelope;          ///< gap below which contacts are included, m; 0: chosen from sizes
    double recovery_speed;    ///< maximum speed at which overlap is removed, m/s
    double restitution_speed; ///< slower impacts do not bounce, m/s
    int32_t impact;           ///< kai_contact_impact
    int32_t friction;         ///< kai_contact_friction
    bool warm_start;          ///< start from the impulses of the last step
    // SMC
    kai_contact_law law; ///< of pairs that name none; null: kai_contact_law_hertz
    int32_t tangential;  ///< kai_contact_tangential
    int32_t adhesion;    ///< kai_contact_adhesion
    double
        characteristic_speed; ///< impact speed at which Hooke's stiffness stores Hertz's energy, m/s
} kai_contact_def;

/// Its parameters, as scenes and checkpoints know them.
KAI_API extern const kai_kind kai_contact_kind;

/// none; recovery 0.1 m/s, restitution from 0.01 m/s on; Hertz with history, characteristic
/// speed 1.
KAI_API kai_contact_def kai_contact_def_default(void);

/// Sets how contact works. KAI_ERROR_ARGUMENT for settings out of their range.
KAI_API kai_result kai_contact_set(kai_world* world, const kai_contact_def* def);

/// The same, as it stands.
KAI_API kai_contact_def kai_contact_get(const kai_world* world);

// Laws -------------------------------------------------------------------------------------------
//
// A world may have several laws of the penalty method, each with its own parameters. Which one two
// surfaces have is said by, first to last: their kai_material_pair_def; their materials, where one
// names a law, or both the same one; kai_contact_def.

/// Adds a kind of the user's own, which scenes and files then know by its name; the table must
/// outlive the world. kai_world_def.kinds.laws does the same. KAI_ERROR_ARGUMENT for a description
/// that is wrong, KAI_ERROR_NAME for a name in use.
KAI_API kai_result kai_contact_law_register(kai_world* world, const kai_contact_law_kind* kind);

/// Makes a law: a kind with its parameters, which are copied; NULL: the defaults.
/// KAI_ERROR_ARGUMENT for a kind that is not registered or a parameter that is wrong.
KAI_API kai_result kai_contact_law_create(kai_world* world, const kai_contact_law_kind* kind,
                                          const void* params, kai_contact_law* out);

/// How many laws were made.
KAI_API size_t kai_contact_law_count(const kai_world* world);

/// The longest safe step of the penalty method, s: HUGE_VAL without it, or when no body moves.
/// Nodes and surfaces of structures do not count, as elements are solved for implicitly. What sets
/// it goes to `text` (size bytes, may be NULL): the stiffest pair.
KAI_API kai_result kai_contact_stable_step(kai_world* world, double* step, char* text, size_t size);

// Reports ----------------------------------------------------------------------------------------

/// A contact of the last step and what it does. Contacts are those in the middle of the step.
typedef struct kai_contact_report {
    kai_collision_contact contact; ///< who, where, how deep
    kai_vec3 force;                ///< on body b, world, N; mean of the step
    kai_vec3 torque; ///< on body b about the contact point (rolling, spinning), world, N m
} kai_contact_report;

/// How many contacts the last step had.
KAI_API size_t kai_contact_report_count(const kai_world* world);

/// Brings together what the calls below and kai_collision_at need: contacts of spheres in one list
/// with all others, and sums by body. They do it themselves at their first call after a step, and
/// for that change the world. After this call, and until the world is changed, they read only:
/// several threads may then call them, and all functions that take a const kai_world*, at the same
/// time. (Calls that fail are not for several threads: each leaves its message in the world.)
KAI_API kai_result kai_contact_report_update(kai_world* world);

/// Contact i of them. KAI_ERROR_ARGUMENT when there is none.
KAI_API kai_result kai_contact_report_at(kai_world* world, size_t i, kai_contact_report* out);

/// The sum of all contact forces on a body in the last step, and of their moments about its mass
/// centre, world frame.
KAI_API kai_result kai_contact_report_body(kai_world* world, kai_body body, kai_vec3* force,
                                           kai_vec3* torque);

#ifdef __cplusplus
}
#endif

#endif
