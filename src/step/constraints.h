// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The joints of a world as one linear system, solved directly (solve/ldl.h).
//
//     ┌ M   Gᵀ ┐ ┌ x ┐   ┌ M x₀ ┐
//     └ G   -C ┘ └ μ ┘ = └ b    ┘
//
// With x velocities this is a step of euler; with x accelerations it gives reactions at a state.
// Only bodies that a joint holds are in the system. It is laid out anew when joints or bodies
// change; otherwise a step allocates nothing.
#ifndef STEP_CONSTRAINTS_H
#define STEP_CONSTRAINTS_H

#include "model/world.h"
#include "solve/ldl.h"

#include <kairos/joint.h>

/// One active joint in the system.
typedef struct kai_constraints_joint {
    uint32_t batch, index; // where it is in the store
    uint32_t first;        // its first row in `rows` and `lambda`
    uint32_t node;         // in the linear system
    uint32_t slot[2];      // of its bodies
    uint32_t edge[2];      // edge to each body, UINT32_MAX for a fixed one
    uint8_t count;         // rows
    bool velocity_level;   // see kai_joint_kind
    bool bounded;          // likewise
} kai_constraints_joint;

/// What a row with bounds does at present.
typedef enum kai_constraints_state {
    KAI_CONSTRAINTS_HELD, // the row holds
    KAI_CONSTRAINTS_LOW,  // its multiplier is at the lower bound
    KAI_CONSTRAINTS_HIGH  // … at the upper bound
} kai_constraints_state;

typedef struct kai_constraints {
    uint64_t joints_version, bodies_version; // what it was laid out for
    kai_array joints;                        // kai_constraints_joint
    kai_array bodies;  // uint32_t: slot of each body in the system, in node order
    kai_array node_of; // uint32_t [bodies of the world]: node, UINT32_MAX: not in the system
    kai_array slots;   // uint32_t [2 a joint of the store, batch by batch]
    kai_array rows;    // kai_joint_row, batch by batch of the store
    kai_array first;   // uint32_t [batches]: first row of each batch
    kai_array lambda;  // double: multiplier of each row of `rows`: the force along it
    kai_array x;       // double: unknowns and right-hand side
    kai_ldl ldl;
    kai_array state; // uint8_t: kai_constraints_state of each row of `rows`
    bool bounded;    // some row has bounds
    bool soft;       // some row was found redundant: rows get a trace of compliance, see
                     // kai_constraints_solve
    bool told;       // redundant rows were reported for this layout
} kai_constraints;

/// The constraints of a world, laid out for its present joints and bodies. `*out` is NULL when no
/// joint holds anything.
kai_result kai_constraints_get(kai_world* world, kai_constraints** out, kai_error* err);

/// Evaluates all rows at the present positions and a time.
void kai_constraints_evaluate(kai_constraints* c, kai_world* world, double time);

/// Assembles and factorises the matrix from the rows last evaluated. Redundant rows are found,
/// reported once by name, and shared from then on.
kai_result kai_constraints_factor(kai_constraints* c, kai_world* world, kai_error* err);

/// Velocity step from rows that were evaluated at the positions of mid-step and the time of its
/// end: bodies' velocities become those nearest (in M) that satisfy G v = -g/h - ½ ∂g/∂t, and for
/// rows with bounds 0 ≤ λ - low ⊥ G v + g/h ≥ 0, likewise above; multipliers are forces. With half
/// a step of motion before and after, what is left of g is halved each step, and gone after two.
kai_result kai_constraints_velocities(kai_constraints* c, kai_world* world, double h,
                                      kai_error* err);

/// KAI_ERROR_UNSUPPORTED when some row is bounded and `integrator` cannot do that.
kai_result kai_constraints_refuse_bounded(const kai_constraints* c, const char* integrator,
                                          kai_error* err);

/// Unknowns of the system: 6 a body in node order, then the rows joint by joint. Fill them with the
/// right-hand side of M a + Gᵀ μ = r, G a = b; kai_constraints_solve leaves a and μ there.
double* kai_constraints_unknowns(const kai_constraints* c);

/// Solves with the factors of kai_constraints_factor. Where rows are redundant, multipliers are
/// those of least norm.
kai_result kai_constraints_solve(kai_constraints* c, kai_world* world, kai_error* err);

/// Accelerations of all bodies in the system at the present state, from `bodies.acceleration`
/// without joints, which it replaces; multipliers go to `lambda`. Rows must have been evaluated and
/// factorised at this state.
kai_result kai_constraints_accelerations(kai_constraints* c, kai_world* world, double time,
                                         kai_error* err);

/// Largest |g| of the rows last evaluated.
double kai_constraints_violation(const kai_constraints* c, const kai_world* world);

/// Largest |dg/dt| of all rows that hold at the present state: 0 where no joint holds anything.
kai_result kai_constraints_residual(kai_world* world, double* most, kai_error* err);

/// What a row does at present.
static inline uint8_t* kai_constraints_state_of(const kai_constraints* c, uint32_t row)
{
    return (uint8_t*)c->state.data + row;
}

#endif
