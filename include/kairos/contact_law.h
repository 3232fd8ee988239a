// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Contact laws of the penalty method: the force of two bodies that overlap a little.
//
// A law is a kind (kind.h) with one of two functions. A *normal* law says how hard a contact pushes
// and how much it damps; friction, rolling and spinning resistance and adhesion are then added as
// the settings and materials ask. A *whole* law says everything itself. Both get many touches at
// once:
//
//     typedef struct { double stiffness; } rubber;
//     static void rubber_normal(const void* instance, const kai_contact_touch* touches,
//                               size_t count, double h, kai_contact_normal* out)
//     {
//         const rubber* r = instance;
//         for (size_t i = 0; i < count; i++) {
//             const double d = touches[i].overlap;
//             out[i].force = r->stiffness * d * d;
//             out[i].energy = r->stiffness * d * d * d / 3.0;
//         }
//     }
//     static const kai_contact_law_kind RUBBER = {
//         .kind = {.name = "rubber", .doc = "Stiffens as it is pressed.", .size = sizeof(rubber),
//                  .params = PARAMS, .param_count = KAI_COUNT(PARAMS)},
//         .normal = rubber_normal};
//
// docs/contact-laws.md has the formulas of the built-in laws.
#ifndef KAIROS_CONTACT_LAW_H
#define KAIROS_CONTACT_LAW_H

#include <kairos/kind.h>

#ifdef __cplusplus
extern "C" {
#endif

// What a law gets --------------------------------------------------------------------------------

/// Coefficients of two materials in contact, combined from both or given for the pair.
typedef struct kai_contact_coefficients {
    double young;             ///< E* = 1 / ((1 - ν²)/E of a + the same of b), Pa
    double shear;             ///< G* = 1 / ((2 - ν)/G of a + the same of b), Pa
    double restitution;       ///< 0…1
    double damping_ratio;     ///< β of the restitution: 0 for 1, 1 for 0
    double hysteresis;        ///< η of the restitution, see `flores`
    double kn, kt;            ///< N/m, stiffness given directly; 0: not given
    double gn, gt;            ///< N s/m, damping given directly; 0: not given
    double friction;          ///< Coulomb coefficient of sliding
    double static_friction;   ///< Coulomb coefficient of sticking, >= friction
    double rolling_friction;  ///< arm of the rolling resistance, m
    double spinning_friction; ///< arm of the spinning resistance, m
    double cohesion;          ///< N
    double adhesion;          ///< N, J/m² or 1, as the adhesion part says
} kai_contact_coefficients;

/// What a touch remembers from step to step; zero when it begins. Where a and b change places,
/// `sliding` and `rolling` change sign. A law of one's own may keep what it wants in these nine
/// numbers.
typedef struct kai_contact_history {
    kai_vec3 sliding;    ///< elastic displacement of b against a in the contact plane, m
    kai_vec3 rolling;    ///< elastic angle of b against a about axes in the contact plane, rad
    double spinning;     ///< elastic angle of b against a about the normal, rad
    double impact_speed; ///< largest speed of approach so far, m/s
    double slipping;     ///< 1 while the contact slips, else 0
} kai_contact_history;

/// How many doubles kai_contact_history has.
#define KAI_CONTACT_HISTORY_SIZE 9

/// Two bodies that overlap at a point. World frame.
typedef struct kai_contact_touch {
    double overlap;            ///< m, > 0
    double radius;             ///< effective: 1 / (1/radius_a + 1/radius_b), m, finite
    double mass;               ///< effective: 1 / (1/mass of a + 1/mass of b), kg
    double radius_a, radius_b; ///< of the surfaces at the point, m; HUGE_VAL: flat
    kai_vec3 normal;           ///< unit vector from a to b
    kai_vec3 velocity;         ///< of b against a at the point, m/s
    kai_vec3 spin;             ///< angular velocity of b against a, rad/s
    kai_vec3
        extra_slide; ///< displacement of b against a in the step, less h velocity, m; 0 in euler
    kai_vec3 extra_turn; ///< the same of the rotation, less h spin, rad
    const kai_contact_coefficients* pair;
    kai_contact_history* history; ///< in and out; never NULL
} kai_contact_touch;

// What a law answers -----------------------------------------------------------------------------

/// The answer of a whole law; zeroed beforehand. What acts on a is the opposite.
typedef struct kai_contact_answer {
    kai_vec3 force;     ///< on b at the point of contact, N
    kai_vec3 couple;    ///< on b beside the moment of the force, N m
    double energy;      ///< stored elastic energy, J
    double dissipation; ///< power turned into heat, W
} kai_contact_answer;

/// The answer of a normal law; zeroed beforehand.
typedef struct kai_contact_normal {
    double force;   ///< elastic push, N, >= 0
    double damping; ///< N s/m: the push grows by this times the speed of approach
    double kt;      ///< tangential stiffness, N/m; 0: no friction spring
    double gt;      ///< tangential damping, N s/m
    double energy;  ///< stored in the normal direction, J; the safe step is found with it
} kai_contact_normal;

/// A kind of contact law. One of `normal` and `evaluate` is there.
typedef struct kai_contact_law_kind {
    kai_kind kind;
    /// A normal law: the push of `count` touches in the middle of a step of h seconds, with the
    /// velocities before it. Implicit integrators ask with h = 0: velocities are those of the same
    /// instant as overlaps. Runs on several threads at once: writes `out` and the histories of its
    /// own touches, nothing else.
    void (*normal)(const void* instance, const kai_contact_touch* touches, size_t count, double h,
                   kai_contact_normal* out);
    /// A whole law: everything about `count` touches over that step. Threads as above.
    void (*evaluate)(const void* instance, const kai_contact_touch* touches, size_t count, double h,
                     kai_contact_answer* out);
    /// True: damping never turns the push into a pull. Laws whose restitution counts on the pull at
    /// the end of a contact leave it false.
    bool no_pull;
} kai_contact_law_kind;

// The built-in laws ------------------------------------------------------------------------------

/// Parameters of `hooke`.
typedef struct kai_contact_law_hooke_params {
    /// m/s: the speed of impact at which stiffness from Young's modulus matches Hertz in energy.
    double characteristic_speed;
} kai_contact_law_hooke_params;

/// Hertz: F = 4/3 E* √R δ^(3/2), damped so that restitution is what the pair asks for.
KAI_API extern const kai_contact_law_kind kai_contact_law_hertz;
/// Hooke: F = kn δ; see kai_contact_law_hooke_params.
KAI_API extern const kai_contact_law_kind kai_contact_law_hooke;
/// Flores: Hertz with damping that follows the force and the speed of impact; never pulls.
KAI_API extern const kai_contact_law_kind kai_contact_law_flores;

/// How friction works with a normal law.
typedef enum kai_contact_tangential {
    KAI_CONTACT_TANGENTIAL_HISTORY,  ///< a spring that follows the displacement since the touch
                                     ///< began
    KAI_CONTACT_TANGENTIAL_ONE_STEP, ///< a spring over the displacement of one step; creeps under
                                     ///< load
    KAI_CONTACT_TANGENTIAL_NONE      ///< none: no friction
} kai_contact_tangential;

/// How contacts attract.
typedef enum kai_contact_adhesion {
    KAI_CONTACT_ADHESION_NONE,     ///< not at all
    KAI_CONTACT_ADHESION_CONSTANT, ///< `adhesion` or `cohesion`, whichever is larger, N
    KAI_CONTACT_ADHESION_DMT,      ///< 4π γ R, `adhesion` is the surface energy γ, J/m²
    KAI_CONTACT_ADHESION_PERKO     ///< 0.036 S² R N/m, `adhesion` is the cleanliness S
} kai_contact_adhesion;

#ifdef __cplusplus
}
#endif

#endif
