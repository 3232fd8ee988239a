// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The joints of a world as one linear system, solved directly (solve/ldl.h) or by iterations
// (solve/krylov.h).
//
//     ┌ M   Gᵀ ┐ ┌ x ┐   ┌ M x₀ ┐
//     └ G   -C ┘ └ μ ┘ = └ b    ┘
//
// With x velocities this is a step of euler; with x accelerations it gives reactions at a state.
// Only bodies and shafts that a joint holds are in the system. It is laid out anew when joints,
// bodies or shafts change; otherwise a step allocates nothing.
//
// A joint has *ends*: its bodies a and b, and further bodies and shafts where its kind has some.
// Each end is a node of the system (6 unknowns a body, 1 a shaft) and has a piece of every row: the
// factors of those unknowns.
//
// Finite elements are part of the same system (step/elements.h): their nodes come after shafts, and
// the matrix has their tangents.
#ifndef STEP_CONSTRAINTS_H
#define STEP_CONSTRAINTS_H

#include "model/shaft.h"
#include "model/world.h"
#include "solve/blocks.h"
#include "solve/krylov.h"
#include "step/contacts_tangents.h"
#include "step/elements.h"
#include "step/tangents.h"

#include <kairos/joint.h>

/// One active joint in the system.
typedef struct kai_constraints_joint {
    uint32_t batch, index; // where it is in the store
    uint32_t first;        // its first row in `rows` and `lambda`
    uint32_t further;      // where its pieces beyond a and b begin in `further`
    uint32_t node;         // in the linear system
    uint32_t place;        // of its multipliers among the unknowns
    uint32_t end;          // its first end
    uint8_t ends;          // how many
    uint8_t stride;        // pieces beyond a and b that a row has
    uint8_t count;         // rows
    bool velocity_level;   // see kai_joint_kind
    bool bounded;          // likewise
} kai_constraints_joint;

/// One end of a joint.
typedef struct kai_constraints_end {
    uint32_t slot; // of the body or shaft
    uint32_t node; // in the linear system, UINT32_MAX for one that cannot move
    uint32_t edge; // to that node
    uint8_t piece; // which piece of a row is its: 0 a, 1 b, then the further ones
    uint8_t at;    // of a node of elements: its first coordinate, 0 or 6
    uint8_t width; // unknowns
    uint16_t held; // of a node of elements: coordinates that the joint holds, as bits
    bool shaft;    // a shaft
    bool element;  // a node of elements; else a body
    bool repeated; // an end before it has the same node
} kai_constraints_end;

/// What a row with bounds does at present.
typedef enum kai_constraints_state {
    KAI_CONSTRAINTS_HELD, // the row holds
    KAI_CONSTRAINTS_LOW,  // its multiplier is at the lower bound
    KAI_CONSTRAINTS_HIGH  // … at the upper bound
} kai_constraints_state;

/// Where iterations begin.
typedef enum kai_constraints_guess {
    KAI_CONSTRAINTS_GUESS_NONE,
    KAI_CONSTRAINTS_GUESS_PRESENT, // at the velocities of nodes
    KAI_CONSTRAINTS_GUESS_EXPECTED // at those that are expected (extrapolation.h), where there are
} kai_constraints_guess;

typedef struct kai_constraints {
    kai_world* world; // whose it is
    uint64_t joints_version, terms_version, loads_version,
        elements_version;                    // what it was laid out for
    uint64_t shapes_version, bodies_version; // likewise, where contacts are in it
    uint64_t term_slots_version;             // what slots are those of
    uint64_t layouts;                        // how often it was laid out
    kai_array joints;                        // kai_constraints_joint
    kai_array ends;                          // kai_constraints_end
    kai_array bodies;        // uint32_t: slot of each body in the system, in node order
    kai_array shafts;        // uint32_t: slot of each shaft, whose nodes follow
    kai_array node_of;       // uint32_t [bodies of the world or more]: node, UINT32_MAX: not in the
                             // system
    kai_array shaft_node_of; // uint32_t [shafts of the world]: likewise
    kai_array slots;         // uint32_t [2 a joint of the store, batch by batch]
    kai_array beyond;        // uint32_t: slots of further ends, likewise
    kai_array rows;          // kai_joint_row, batch by batch of the store
    kai_array further;       // kai_wrench: pieces of rows beyond a and b, batch by batch
    kai_array first;         // uint32_t [batches]: first row of each batch
    kai_array lambda;        // double: multiplier of each row of `rows`: the force along it
    kai_array x;             // double: unknowns and right-hand side
    uint64_t solver_version; // likewise
    kai_solver_type solver;  // that was picked: never auto
    kai_blocks matrix;       // where blocks go: to ldl for the direct solver, else to saddle
    kai_ldl ldl;
    kai_saddle saddle;
    kai_krylov krylov;
    kai_block_cg definite;       // instead of both, for nothing but nodes of elements
    kai_constraints_guess guess; // of the solution under way
    bool gaps;                   // the right-hand side is one of positions
    bool probe;            // ldl is there to look for redundant rows once, for an iterative solver
    bool warned;           // that it did not converge
    kai_elements elements; // finite elements
    kai_tangents tangents; // derivatives of forces, where the method wants them
    kai_contacts_tangents touch; // likewise of contacts
    kai_array state;             // uint8_t: kai_constraints_state of each row of `rows`
    bool bounded;                // some row has bounds
    bool needs_velocity;         // some row depends on velocities
    bool soft;                   // some row is redundant whatever rows with bounds do: multipliers
                                 // are shared, see kai_constraints_solve
    bool less_soft;              // near a singular position: with less compliance for that
    bool shared;                 // the factors of the direct solver have the compliance for that
    bool
        skip_least_norm; // solve for any valid multipliers of redundant rows, see kai_constraints_solve_share
    bool unshared;         // multipliers in `lambda` are such
    uint64_t factors;      // counts factorisations
    uint64_t kept_factors; // the one that `kept` tells of; 0: it is to be found again
    kai_array kept;        // double: see newmark_reuse.h
    bool twice;            // factorisations keep in `seen` what they are of
    kai_array seen;        // bytes: rows, their further pieces, and states
    uint64_t seen_factors; // which factorisation they are of; 0: none
    bool tired;            // the factors of an earlier step have become slow, or are no good
    bool told;             // redundant rows were reported for this layout
} kai_constraints;

// The system -------------------------------------------------------------------------------------

/// The constraints of a world, laid out for its present joints and bodies, with room for
/// derivatives of loads and contacts when its integrator is implicit. `*out` is NULL when no joint
/// holds anything and there are neither such loads nor such contacts.
kai_result kai_constraints_get(kai_world* world, kai_constraints** out, kai_error* err);

/// Joints hold bodies that have other slots now: the system, its factors and multipliers stay.
kai_result kai_constraints_follow(kai_constraints* c, kai_world* world, kai_error* err);

/// The same with room for the derivatives that are asked for.
kai_result kai_constraints_get_with(kai_world* world, kai_tangents_mode mode, kai_constraints** out,
                                    kai_error* err);

/// Lays the solver out anew for the edges of contacts (c->touch); multipliers stay.
kai_result kai_constraints_couple(kai_constraints* c, kai_world* world, kai_error* err);

/// Evaluates all rows at the present positions and a time.
void kai_constraints_evaluate(kai_constraints* c, kai_world* world, double time);

/// Whether rows stay as they are until positions or the time change: none depends on velocities, and
/// no signal moves one.
static inline bool kai_constraints_rows_stay(const kai_constraints* c, const kai_world* world)
{
    return !c->needs_velocity && world->signals.count == 0;
}

/// Assembles and factorises the matrix from the rows last evaluated, and from the derivatives last
/// found when `tangents`. Redundant rows are found, reported once by name, and shared from then
/// on.
kai_result kai_constraints_factor(kai_constraints* c, kai_world* world, bool tangents,
                                  kai_error* err);

/// Pivots below this share of their terms are taken as zero: their rows are redundant.
#define KAI_CONSTRAINTS_REDUNDANT 1e-10

/// Parts of it, for those who do one chunk of the system at a time: the mass of a body's or shaft's
/// node, the rows of joint i, what is said of rows left out, and of a pivot that is no good
/// (KAI_ERROR_DIVERGED).
void kai_constraints_factor_put_mass(kai_constraints* c, const kai_world* world, size_t node);
void kai_constraints_factor_put_rows(kai_constraints* c, size_t i);
void kai_constraints_factor_redundant(kai_constraints* c, kai_world* world);
kai_result kai_constraints_factor_failed(const kai_constraints* c, const kai_world* world,
                                         uint32_t node, kai_error* err);

/// Whether the factors there are those of the present rows and states: only where the step that they
/// were made for asked for it (`twice`).
bool kai_constraints_factor_serves(const kai_constraints* c);

/// The same where the solver is cg: blocks of what the elements found last.
kai_result kai_constraints_factor_block_cg(kai_constraints* c, kai_world* world, kai_error* err);

/// What a velocity step is given beside velocities.
typedef struct kai_constraints_step {
    const double* impulses; // [coordinates] on nodes of elements, N s; NULL: none
    bool tangents;          // the matrix has those of elements last found; else mass alone
    bool reuse;             // the factors there are may serve although they are of an earlier step
    bool twice; // one of several velocity steps from the same positions: factors of one serve the
                // others where rows and their states are the same, to the bit
} kai_constraints_step;

/// Velocity step from rows that were evaluated at the positions of mid-step and the time of its
/// end: velocities become those nearest (in M) that satisfy G v = -g/h - ½ ∂g/∂t, and for
/// rows with bounds 0 ≤ λ - low ⊥ G v + g/h ≥ 0, likewise above; multipliers are forces. With half
/// a step of motion before and after, what is left of g is halved each step, and gone after two.
kai_result kai_constraints_velocities(kai_constraints* c, kai_world* world, double h,
                                      const kai_constraints_step* options, kai_error* err);

/// The same once more in a step, from velocities that something else has changed since: they hold
/// the impulses h λ of the multipliers `so_far` [rows], to which those found now are added. Factors
/// and states of rows are those of the call before.
kai_result kai_constraints_velocities_again(kai_constraints* c, kai_world* world, double h,
                                            const double* so_far, kai_error* err);

/// The same for displacements: G v = 0, whatever g.
kai_result kai_constraints_velocities_still(kai_constraints* c, kai_world* world, double h,
                                            kai_error* err);

/// What rows with bounds do, judged by the rows last evaluated and the present velocities alone:
/// those whose bound is open hold when they are at their limit and not leaving it.
void kai_constraints_bounds_guess(kai_constraints* c, const kai_world* world);

/// What they do, judged by multipliers that were found before, and by the speed of those that slip.
void kai_constraints_bounds_follow(kai_constraints* c, const kai_world* world);

/// Changes the state of rows that are in the wrong one, by their multipliers when they hold, else
/// by g or dg/dt at the present state: all of them, or only the first. Returns how many were wrong.
/// `slack` is how far positions may be off.
size_t kai_constraints_bounds_change(kai_constraints* c, const kai_world* world, double slack,
                                     bool one);

/// Unknowns of the system: 6 a body in node order, 1 a shaft, coordinates of nodes of elements,
/// then the rows joint by joint. Fill
/// them with the right-hand side of M a + Gᵀ μ = r, G a = b; kai_constraints_solve leaves a and μ
/// there.
static inline double* kai_constraints_unknowns(const kai_constraints* c) { return c->x.data; }

/// How many unknowns come before the multipliers.
static inline size_t kai_constraints_coordinates(const kai_constraints* c)
{
    return 6 * c->bodies.count + c->shafts.count +
           (c->elements.fea ? c->elements.fea->coordinates : 0);
}

/// Where the unknowns of nodes of elements begin.
static inline size_t kai_constraints_elements(const kai_constraints* c)
{
    return 6 * c->bodies.count + c->shafts.count;
}

/// Those of them in the system's vector.
static inline double* kai_constraints_element_x(const kai_constraints* c)
{
    return (double*)c->x.data + kai_constraints_elements(c);
}

/// Nodes of the system that are not joints.
static inline uint32_t kai_constraints_movers(const kai_constraints* c)
{
    return (uint32_t)(c->bodies.count + c->shafts.count + c->elements.parts.count);
}

/// Solves with the factors of kai_constraints_factor. Where rows are redundant, multipliers are
/// those of least norm.
kai_result kai_constraints_solve(kai_constraints* c, kai_world* world, kai_error* err);

/// y := K x, term by term: with the matrix as it is without compliance.
void kai_constraints_solve_apply(const kai_constraints* c, const kai_world* world, const double* x,
                                 double* y);

/// Solves for the present rows and elements with factors of an earlier step: by gmres, which they
/// precondition. `*good` false: that would take too many iterations, and the unknowns are as they
/// were. c->tired when the factors should not be used again.
kai_result kai_constraints_solve_reused(kai_constraints* c, kai_world* world, bool* good,
                                        kai_error* err);

/// Makes multipliers those of least norm where a step of euler found others: it leaves redundant
/// rows out, which is quicker, and the motion is the same.
kai_result kai_constraints_solve_share(kai_constraints* c, kai_world* world, kai_error* err);

/// Whether the next direct solution is one whose residual is measured.
bool kai_constraints_solve_measures(const kai_world* world);

/// Accelerations of all bodies and shafts in the system at the present state, from those without
/// joints, which it replaces; multipliers go to `lambda`. Rows must have been evaluated and
/// factorised at this state.
kai_result kai_constraints_accelerations(kai_constraints* c, kai_world* world, double time,
                                         kai_error* err);

/// Which rows with bounds hold at the present speeds, for those that hold for velocities: one that
/// slips has its force at the bound that opposes. Others stay as the last step left them.
void kai_constraints_accelerations_slip(kai_constraints* c, const kai_world* world);

/// Cuts rows that would need more than their bounds allow; false when there is none.
bool kai_constraints_accelerations_cut(kai_constraints* c);

/// Largest |g| of the rows last evaluated.
double kai_constraints_violation(const kai_constraints* c, const kai_world* world);

/// Largest |dg/dt| of all rows that hold at the present state: 0 where no joint holds anything.
kai_result kai_constraints_residual(kai_world* world, double* most, kai_error* err);

// The solver -------------------------------------------------------------------------------------

/// Picks the solver and lays out its memory.
kai_result kai_constraints_solver_choose(kai_constraints* c, kai_world* world,
                                         const kai_ldl_node* nodes, uint32_t node_count,
                                         const kai_ldl_edge* edges, uint32_t edge_count,
                                         kai_error* err);

/// Solves by iterations, with the matrix last filled. Warns, once a layout, when the tolerance was
/// not met; KAI_ERROR_DIVERGED when what came out is of no use.
kai_result kai_constraints_solver_iterate(kai_constraints* c, kai_world* world, kai_error* err);

// Momenta and velocities -------------------------------------------------------------------------

/// Right-hand side: M v of bodies and shafts at the present velocities.
void kai_constraints_set_momenta(kai_constraints* c, const kai_world* world);

/// Takes the unknowns as the new velocities.
void kai_constraints_take_velocities(kai_constraints* c, kai_world* world);

/// The same for one node of a body or shaft.
void kai_constraints_set_momentum(kai_constraints* c, const kai_world* world, size_t node);
void kai_constraints_take_velocity(const kai_constraints* c, const kai_world* world, size_t node);

// Rows and their pieces --------------------------------------------------------------------------

/// What a row does at present.
static inline uint8_t* kai_constraints_state_of(const kai_constraints* c, uint32_t row)
{
    return (uint8_t*)c->state.data + row;
}

static inline const kai_joint_row* kai_constraints_row(const kai_constraints* c, uint32_t row)
{
    return (const kai_joint_row*)c->rows.data + row;
}

static inline const kai_constraints_end* kai_constraints_ends(const kai_constraints* c,
                                                              const kai_constraints_joint* joint)
{
    return (const kai_constraints_end*)c->ends.data + joint->end;
}

/// The factors of an end in row r of a joint: six for a body, one for a shaft.
static inline const double* kai_constraints_piece(const kai_constraints* c,
                                                  const kai_constraints_joint* joint, uint32_t r,
                                                  const kai_constraints_end* end)
{
    const kai_joint_row* row = kai_constraints_row(c, joint->first + r);
    if (end->piece < 2) return (const double*)(end->piece ? &row->b : &row->a);
    return (const double*)((const kai_wrench*)c->further.data + joint->further + r * joint->stride +
                           (end->piece - 2u));
}

/// Where the unknowns of a node of a body or shaft begin, and how many it has.
static inline size_t kai_constraints_place(const kai_constraints* c, uint32_t node)
{
    const size_t bodies = c->bodies.count;
    if (node >= bodies + c->shafts.count)
        return kai_constraints_elements(c) +
               ((const kai_elements_part*)c->elements.parts.data)[node - bodies - c->shafts.count]
                   .first;
    return node < bodies ? 6 * (size_t)node : 5 * bodies + node;
}

static inline size_t kai_constraints_width(const kai_constraints_end* end) { return end->width; }

/// Where the multipliers of a joint are among the unknowns.
static inline double* kai_constraints_multipliers(const kai_constraints* c,
                                                  const kai_constraints_joint* joint)
{
    return (double*)c->x.data + joint->place;
}

/// G x of row r of a joint, x laid out as the unknowns are.
static inline double kai_constraints_dot(const kai_constraints* c,
                                         const kai_constraints_joint* joint, uint32_t r,
                                         const double* x)
{
    const kai_constraints_end* ends = kai_constraints_ends(c, joint);
    double sum = 0.0;
    for (int k = 0; k < joint->ends; k++) {
        if (ends[k].node == UINT32_MAX) continue;
        const double *g = kai_constraints_piece(c, joint, r, &ends[k]),
                     *at = x + kai_constraints_place(c, ends[k].node);
        for (size_t p = 0; p < kai_constraints_width(&ends[k]); p++) sum += g[p] * at[p];
    }
    return sum;
}

/// x += s Gᵀ of row r of a joint.
static inline void kai_constraints_scatter(const kai_constraints* c,
                                           const kai_constraints_joint* joint, uint32_t r, double s,
                                           double* x)
{
    const kai_constraints_end* ends = kai_constraints_ends(c, joint);
    for (int k = 0; k < joint->ends; k++) {
        if (ends[k].node == UINT32_MAX) continue;
        const double* g = kai_constraints_piece(c, joint, r, &ends[k]);
        double* at = x + kai_constraints_place(c, ends[k].node);
        for (size_t p = 0; p < kai_constraints_width(&ends[k]); p++) at[p] += s * g[p];
    }
}

/// dg/dt of row r of a joint at the present velocities.
double kai_constraints_rate(const kai_constraints* c, const kai_world* world,
                            const kai_constraints_joint* joint, uint32_t r);

/// The force along a row that is at one of its bounds.
static inline double kai_constraints_bound(const kai_joint_row* row, uint8_t state)
{
    return state == KAI_CONSTRAINTS_LOW ? row->low : row->high;
}

#endif
