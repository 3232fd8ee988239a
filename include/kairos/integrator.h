// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Integrators: how a world gets from t to t + h.
#ifndef KAIROS_INTEGRATOR_H
#define KAIROS_INTEGRATOR_H

#include <kairos/function.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The bodies, shafts and states of a world while an integrator advances them; see below.
typedef struct kai_system kai_system;

/// What an integrator can do. A world that needs a capability its integrator does not have is
/// refused at its first step, with a message that names the built-in integrators that have it.
typedef enum kai_integrator_capability {
    /// Solves for the state at the end of a step, so derivatives of forces are found for it and
    /// stiff loads set no limit to the step.
    KAI_INTEGRATOR_IMPLICIT = 1,
    /// Keeps the constraints of joints, gears and links.
    KAI_INTEGRATOR_JOINTS = 2,
    /// Solves unilateral and bounded constraints: limits, ropes, friction of joints.
    KAI_INTEGRATOR_BOUNDS = 4,
    /// Advances nodes of finite elements.
    KAI_INTEGRATOR_ELEMENTS = 8,
    /// Applies the forces of penalty contacts (`smc`).
    KAI_INTEGRATOR_PENALTY_CONTACT = 16,
    /// Solves contacts by complementarity (`nsc`): impulses in friction cones.
    KAI_INTEGRATOR_CONE_CONTACT = 32,
    /// Stays stable when a body turns by more than a radian in a step.
    KAI_INTEGRATOR_FAST_SPIN = 64,
    /// Undoes a step that fails by itself. Without this bit the world keeps a copy of the state
    /// before every step and puts it back after a failure, and looks for numbers that are not
    /// finite after a success. The functions below are enough for integrators without it.
    KAI_INTEGRATOR_UNDO = 128,
    /// Advances coordinates that terms bring with them, as markers of a fluid.
    KAI_INTEGRATOR_TERM_COORDINATES = 256,
} kai_integrator_capability;

/// A kind of integrator.
typedef struct kai_integrator_kind {
    kai_kind kind;
    int order;             ///< order of convergence for smooth motion
    unsigned capabilities; ///< bits of kai_integrator_capability
    /// Takes the system from its time t to t + h. On failure the message goes to `err`.
    kai_result (*step)(kai_system* system, const void* instance, double h, kai_error* err);
} kai_integrator_kind;

/// Parameters of `trapezoidal` and `euler-implicit`.
typedef struct kai_integrator_implicit_params {
    double tolerance;   ///< largest change of a position in the last iteration, m or rad
    int64_t iterations; ///< most of one step
    int32_t jacobian;   ///< 0: automatic, 1: modified, 2: full; when the matrix is factorised anew
} kai_integrator_implicit_params;

/// Parameters of `hht`.
typedef struct kai_integrator_hht_params {
    double alpha;       ///< -1/3…0
    double tolerance;   ///< as above
    int64_t iterations; ///< as above
    int32_t jacobian;   ///< as above
    bool adaptive;      ///< divides a step while its local error is above `error`
    double error;       ///< m or rad; at least a hundredth of tolerance
    int64_t parts;      ///< most that a step is divided into for accuracy
} kai_integrator_hht_params;

/// Parameters of `newmark`.
typedef struct kai_integrator_newmark_params {
    double gamma, beta; ///< weights of the new acceleration in velocity and position
    double tolerance;   ///< as above
    int64_t iterations; ///< as above
    int32_t jacobian;   ///< as above
} kai_integrator_newmark_params;

/// Tables of the built-in kinds; euler, leapfrog and rk4 have no parameters.
KAI_API extern const kai_integrator_kind kai_integrator_euler;
KAI_API extern const kai_integrator_kind kai_integrator_leapfrog; ///< second order, symplectic
KAI_API extern const kai_integrator_kind kai_integrator_rk4;      ///< fourth order, explicit
KAI_API extern const kai_integrator_kind kai_integrator_euler_implicit; ///< first order, damps
KAI_API extern const kai_integrator_kind kai_integrator_trapezoidal; ///< second order, no damping
KAI_API extern const kai_integrator_kind
    kai_integrator_newmark; ///< see kai_integrator_newmark_params
KAI_API extern const kai_integrator_kind
    kai_integrator_hht; ///< second order, damps high frequencies

/// The built-in kind of a name, NULL when there is none; and the i-th built-in kind, NULL after the
/// last.
KAI_API const kai_integrator_kind* kai_integrator_find(const char* name);
KAI_API const kai_integrator_kind* kai_integrator_built_in(size_t i); ///< in the order of the list

/// Chooses the integrator; `params` may be NULL for the defaults. Worlds start with euler.
KAI_API kai_result kai_integrator_set(kai_world* world, const kai_integrator_kind* kind,
                                      const void* params);

/// The integrator in use.
KAI_API const kai_integrator_kind* kai_integrator_get(const kai_world* world);

// What a step of your own works with --------------------------------------------------------------
//
// The state is positions q, velocities v and further states z (of loads, controllers, users):
//
//     q̇ = v on the rotations of bodies,   M v̇ = f(q, v, z, t) + Gᵀ λ,   ż = r(q, v, z, t),   g(q, t) = 0
//
// All functions work on the state that the world holds at present. A step writes states, asks for
// rates there, and leaves the state of the end behind. Nodes of elements are not part of it:
// integrators that use these functions have no KAI_INTEGRATOR_ELEMENTS.

/// How many numbers the state has.
typedef struct kai_system_size {
    size_t positions; ///< 7 per body: position, m, and rotation w x y z of its principal axes; then
                      ///< 1 per shaft: angle, rad
    size_t velocities; ///< 6 per body: velocity, m/s, in the world frame, and spin, rad/s, about
                       ///< principal axes; then 1 per shaft: speed, rad/s
    size_t states;     ///< further states
} kai_system_size;

/// How many numbers the arrays below have.
KAI_API kai_system_size kai_system_sizes(const kai_system* system);

/// The world, for reading.
KAI_API const kai_world* kai_system_world(const kai_system* system);

/// The time at the start of the step, s.
KAI_API double kai_system_time(const kai_system* system);

/// Copies the present state out of the world, and into it. Each array may be NULL. Bodies that are
/// fixed are in the arrays; writing does not move them. Rotations are normalised when written.
KAI_API kai_result kai_system_read(const kai_system* system, double* positions, double* velocities,
                                   double* states);
KAI_API kai_result kai_system_write(kai_system* system, const double* positions,
                                    const double* velocities, const double* states); ///< into it

/// Motion for h seconds at constant velocities: x += h v, q = q ∘ exp(h ω), φ += h φ̇. `velocities`
/// NULL: the present ones.
KAI_API kai_result kai_system_move(kai_system* system, const double* velocities, double h);

/// The diagonal of M, as velocities are laid out: kg, and kg m² about principal axes; shafts kg m².
/// 0 for what is fixed.
KAI_API kai_result kai_system_mass(const kai_system* system, double* mass);

/// Accelerations v̇ and rates ż at the present state and a time of your choice: gravity, loads,
/// gyroscopic terms, contacts of kai_system_find_contacts by penalty, and joints (index 1). Either
/// array may be NULL. KAI_ERROR_DIVERGED, KAI_ERROR_MEMORY.
KAI_API kai_result kai_system_find_rates(kai_system* system, double time, double* accelerations,
                                         double* rates, kai_error* err);

/// Books what the forces last evaluated do in h seconds at the present velocities: work and losses
/// of the energy balance. Call it once per evaluation, with the weights of the method times the
/// step.
KAI_API kai_result kai_system_spend(kai_system* system, double h, kai_error* err);

/// Positions and velocities of the end of a step go to the nearest ones, in the sense of M, where
/// joints hold at `time`: for methods that use accelerations alone, whose positions drift.
KAI_API kai_result kai_system_project(kai_system* system, double time, kai_error* err);

/// The contacts at the present positions, in the middle of a step of h; once per step. By penalty
/// their forces are in what kai_system_find_rates gives from then on.
KAI_API kai_result kai_system_find_contacts(kai_system* system, double h, kai_error* err);

/// Velocities at the present positions of mid-step that joints, and contacts by complementarity,
/// allow at the end of a step of h, `time`; the nearest to the present ones in the sense of M
/// (Moreau's midpoint rule). With half a step of motion before and after it, joints hold at the
/// level of positions.
KAI_API kai_result kai_system_hold_velocities(kai_system* system, double time, double h,
                                              kai_error* err);

#ifdef __cplusplus
}
#endif

#endif
