// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The cone problem of frictional contact, over plain arrays.
//
//     v = v0 + M⁻¹ D γ, then what joints make of it
//     γ ∈ K,   û ∈ K*,   γ · û = 0
//
// u is the velocity of b relative to a at the contact, with n·u + bias + compliance γ_n as its
// normal part.
//
// K of a contact: |γ_t| ≤ μ γ_n, and for the couples |κ_n| ≤ spinning γ_n, |κ_t| ≤ rolling γ_n.
// K* is its dual. û = u is the associated law: a convex problem, but contacts that slide at speed s
// lift off with μ s. û = u + (μ |u_t| + spinning |ω_n| + rolling |ω_t|) n is Coulomb's law (De
// Saxcé and Feng 1998).
//
// Residual, one definition for all methods:
//
//     max over contacts of |γ - P(γ - m û)| / m,   m/s
//
// P is the projection onto K and m = 1 / (n·N n + compliance), N = 3 × 3 block of DᵀM⁻¹D: what the
// contact weighs. Couples count as κ / L and relative spins as L ω, L² = (n·N n) / (mean inverse
// moment of both bodies), so that they weigh the same. Impulses are admissible at any time, so the
// residual is zero exactly at a solution.
//
// The order of work depends on the problem alone, never on the number of threads (cone_pack.h): the
// same bits for any number. A workspace that has seen a size allocates nothing.
#ifndef SOLVE_CONE_H
#define SOLVE_CONE_H

#include "solve/ldl.h"

#include <kairos/math.h>
#include <stdbool.h>

/// In place of a body: does not move.
#define KAI_CONE_NONE UINT32_MAX

/// A body as the solvers see it: one cache line.
typedef struct kai_cone_motion {
    kai_vec3 v, w;         // velocity; angular velocity, world frame
    double inverse_mass;   // 1/kg; 0 (and no moments): contacts do not change its velocity
    double inverse_moment; // 1/(kg m²) where all moments are equal; negative: see `inertia`
} kai_cone_motion;

/// A contact: n·u + bias ≥ 0 with u = velocity of b at the point less that of a.
typedef struct kai_cone_contact {
    uint32_t a, b;         // bodies; KAI_CONE_NONE: does not move. Never both NONE, never a == b
    kai_vec3 normal;       // unit, from a to b
    kai_vec3 arm_a, arm_b; // from mass centres to the point, world, m
    double bias;           // m/s
    double friction;       // μ: |γ_t| ≤ μ γ_n
    double compliance;     // m/s per N s: n·u + bias + compliance γ_n ≥ 0
    double rolling;        // m: |rolling couple| ≤ rolling γ_n
    double spinning;       // m: |couple about n| ≤ spinning γ_n
} kai_cone_contact;

/// What a row of a joint multiplies a body's velocity and spin with, world frame.
typedef struct kai_cone_piece {
    uint32_t body;
    double factor[6];
} kai_cone_piece;

/// A row of a joint: low ≤ λ ≤ high, and G v = rate while λ is between both, G v ≥ rate where it is
/// low, ≤ where it is high. Rows of one joint follow each other and have the same bodies.
typedef struct kai_cone_row {
    uint32_t first, count; // its pieces
    double rate;           // m/s
    double low, high;      // N s
} kai_cone_row;

/// What is to be solved. Contacts sorted by bodies, and bodies sorted in space, are solved fastest.
typedef struct kai_cone_problem {
    size_t body_count;
    kai_cone_motion*
        motion; // [body_count] in: without contact impulses; out: with them and joints'
    const double (*inertia)[6]; // [body_count] or NULL: inverse inertia, world: xx yy zz xy xz yz
    size_t contact_count;
    const kai_cone_contact* contacts; // [contact_count]
    kai_vec3* impulse; // [contact_count] in: guess (world, on b; need not be admissible); out, N s
    double* along;     // smooth problems of psor, in the place of `impulse`: normal parts, in and
    size_t stride;     // out, so many numbers from one contact to the next. NULL: not so
    kai_vec3*
        couple; // [contact_count], N m s, likewise; NULL: none has rolling or spinning friction
    /// What joints make of velocities. `fresh`: from velocities that hold no impulse of joints yet;
    /// else the impulses are added to those found so far. NULL: no joints.
    kai_result (*project)(void* context, kai_cone_motion* motion, bool fresh, kai_error* err);
    void* project_context;
    /// The same joints as rows, for newton, which solves them with the contacts: it does not call
    /// `project`. M (v - v0) = D γ + Gᵀ λ.
    size_t row_count;
    const kai_cone_row* rows; // [row_count]
    const kai_cone_piece* pieces;
    double* multiplier; // [row_count], N s: guess of λ; out
    bool smooth; // no contact has friction, whatever its coefficients say; then no couples either
    bool again;  // bodies, normals and arms are those of the call before: its layout is kept
} kai_cone_problem;

typedef enum kai_cone_method {
    KAI_CONE_PSOR,  // projected successive over-relaxation
    KAI_CONE_BB,    // spectral projected gradient, steps of Barzilai and Borwein
    KAI_CONE_APGD,  // Nesterov's accelerated projected gradient
    KAI_CONE_ADMM,  // operator splitting: few, costly iterations, for hard problems
    KAI_CONE_NEWTON // augmented Lagrangian, semi-smooth Newton steps: converges superlinearly
} kai_cone_method;

typedef struct kai_cone_options {
    kai_cone_method method;
    uint32_t iterations; // at most
    double tolerance;    // of the residual, m/s; 0: all iterations
    bool associated;     // the convex cone problem; else Coulomb's law (no lift in sliding)
    double relaxation;   // psor; 0: its own default
    int threads;
    const volatile int* stop; // non-zero: KAI_ERROR_STOPPED after the iteration; NULL: never
    double limit;             // m/s: a larger residual is no solution; 0: there is no limit
    double retry;  // m/s: a larger one is solved once more by a better method; 0: none is
    double impact; // of the speed at which surfaces meet: so much residual is forgiven in any case
    bool reach;    // what is above the tolerance is solved once more, nothing is forgiven
    double* trace; // [iterations + 1] residual after each iteration, or NULL (costs a pass each)
    double*
        trace_seconds; // [iterations + 1] since the call, the passes of `trace` left out, or NULL
} kai_cone_options;

typedef struct kai_cone_result {
    uint32_t iterations;
    double residual; // m/s
    double limit;    // that it was held to, m/s; infinite: there was none
    bool retried;    // more than one method was at it
} kai_cone_result;

/// Threads that share a problem, at most.
enum { KAI_CONE_THREADS = 64 };

/// A workspace. What is in it is the business of cone_*.c.
typedef struct kai_cone {
    kai_memory* memory;
    kai_array
        motion; // kai_cone_motion [bodies, then ground and sinks]: velocities as they are worked on
    kai_array bodies[5];             // the same, for methods that need several
    kai_array values;                // double: packs of contacts
    kai_array contact_at;            // uint32_t [slots]: the contact in a slot
    kai_array runs;                  // kai_cone_run
    kai_array tasks;                 // kai_cone_task
    kai_array places;                // kai_cone_place
    kai_array turns;                 // uint32_t [tasks]: their order
    kai_array totals;                // uint32_t [counters]: what a pass adds to each
    kai_array progress;              // kai_cone_schedule_counter [counters]
    kai_array queues;                // uint32_t [tasks]: turns, shared out
    kai_array shares;                // uint32_t [owners]: to whom
    uint32_t ends[KAI_CONE_THREADS]; // of queues
    int queued;                      // to how many threads; 0: not yet
    size_t spare, counters;          // owners of tasks; blocks, and the one after them
    double cost;                     // of a pass, s, as counted
    kai_array codes;                 // kai_cone_code [contacts]: what the layout was made for
    kai_array blocks;                // kai_cone_block
    kai_array starts;                // uint32_t [chunks of contacts × 2 blocks]
    kai_array order;                 // uint32_t [contacts]
    kai_array masks;                 // uint64_t [2 bodies]: colours that a body has
    kai_array buckets;               // uint32_t [contacts]
    kai_array counts;                // uint32_t [buckets]
    kai_array scratch;               // uint64_t: of threads that lay out
    size_t laid_bodies;              // how many there were
    bool laid;                       // there is a layout
    double friction, compliance;     // that contacts have that are alike
    kai_array partial;               // double: one row a task
    kai_array dense;                 // double: vectors over bodies
    kai_ldl ldl;                     // admm: all that follows
    kai_array nodes, edges;
    kai_array states, links;
    struct kai_cone_newton* newton; // NULL: not used yet
} kai_cone;

/// An empty workspace; allocates nothing.
void kai_cone_init(kai_cone* cone, kai_memory* memory);

/// Gives all memory back.
void kai_cone_free(kai_cone* cone);

/// Solves. Where no contact is, joints alone are done (project, fresh). What comes out is never
/// worse than the guess, where the residual of that is known (tolerance > 0). On failure motion is
/// as it was, and so are impulse and couple, or they are a better guess: KAI_ERROR_ARGUMENT names
/// a contact with bad bodies, KAI_ERROR_DIVERGED one whose numbers are not finite;
/// KAI_ERROR_MEMORY; KAI_ERROR_STOPPED; codes of project.
kai_result kai_cone_solve(kai_cone* cone, const kai_cone_problem* problem,
                          const kai_cone_options* options, kai_cone_result* result, kai_error* err);

#endif
