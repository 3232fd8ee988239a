// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Half-implicit Euler, the default: half a step of motion, new velocities from what holds there,
// and half a step of motion with them (Moreau's midpoint rule). One evaluation of forces a step,
// two where they depend on velocities.
//
//     x_m = x₀ + h/2 v₀,   q_m = q₀ ∘ exp(h/2 ω₀)
//     v₁ = v₀ + h (g + f/m),   ω₁ = I⁻¹ (exp(-h ω₀) I ω₀ + h τ)      f, τ at x_m, q_m and t + h/2
//     joints and contacts: G v₁ = -g/h at x_m, q_m
//     x₁ = x_m + h/2 v₁,   q₁ = q_m ∘ exp(h/2 ω₁)
//
// The gyroscopic term turns the angular momentum (principal frame) by -h ω₀ instead of adding
// h (I ω × ω): its length is kept exactly, so that |ω| ≤ |I ω| / I_min for any step and any spin.
// It comes before the velocities are final, as joints and contacts need it, and makes the method
// one of order 1; what does not turn freely is found to order 2.
//
// Where less can act, steps with fewer passes over memory take the same way: step_spheres.h,
// step_penalty.h, free_flight.h. Kernels are those of body_motion.h.
#include "model/shaft.h"
#include "model/state.h"
#include "step/constraints.h"
#include "step/extrapolation.h"
#include "step/integrators/body_motion.h"
#include "step/integrators/free_flight.h"
#include "step/integrators/newmark_reuse.h"
#include "step/integrators/step_penalty.h"
#include "step/integrators/step_spheres.h"
#include "step/islands.h"
#include "step/joint_effort.h"
#include "step/scalars.h"
#include "step/system.h"
#include "step/term.h"

#include <string.h>

// Products of blocks in a factorisation, beside blocks of the factors, from which on factors
// outlive a step: a product takes about twice as long as a block in a solution.
static const size_t FACTOR_COST_RATIO = 4;

/// What a step works with.
typedef struct euler_step {
    kai_system* system;
    kai_world* world;
    const kai_system_backup* start;
    double h;
    kai_constraints* joints; // NULL: neither joints nor elements
    kai_fea* fea;            // NULL: no elements
    const kai_wrench* touch; // [bodies] forces of penalty contacts; NULL: none
    double heat;             // that contacts took in the last solution, J
    bool finite;             // all bodies are so far
    bool reuse;              // factors may outlive steps
    bool ready;              // … and there are some of an earlier step
    bool evaluated;          // rows of joints are those of the middle of the step
    bool early;              // tangents of elements are found along with forces
    kai_fea_options options; // of forces and tangents of elements
} euler_step;

// Motion -----------------------------------------------------------------------------------------

/// Half a step of motion of everything that has velocities.
static void euler_drift(euler_step* s)
{
    const double half = 0.5 * s->h;
    s->finite &= kai_body_motion_drift(s->world, half);
    kai_scalars_drift(s->world, half);
    kai_term_drift_all(s->world, half);
}

/// New velocities of bodies and shafts by the forces last evaluated.
static void euler_kick(const euler_step* s)
{
    const bool loaded = s->world->plan.body.count > 0 || (s->fea && s->fea->bodies.count > 0) ||
                        kai_term_attached(s->world);
    const kai_body_motion_forces forces = {.loads = loaded ? s->world->bodies.wrench : NULL,
                                           .contact = s->touch};
    kai_body_motion_kick(s->world, s->h, &forces);
    kai_scalars_kick(s->world, s->h);
}

// Velocities -------------------------------------------------------------------------------------

/// What joints and elements make of the velocities.
static kai_result euler_hold_joints(euler_step* s, kai_error* err)
{
    kai_constraints* joints = s->joints;
    const double end = s->system->time + s->h;
    // H = M + h² K + h C: with positions of mid-step this is implicit in the elements' forces, stable
    // at any h, and stiff vibrations are gone after two steps.
    if (s->fea) {
        kai_elements_push(&joints->elements, s->world, s->h, s->touch);
        KAI_TRY(s->early ? kai_elements_find_after(&joints->elements, s->world, &s->options, err)
                         : kai_elements_find(&joints->elements, s->world, &s->options, err));
    }
    if (!s->evaluated || !kai_constraints_rows_stay(joints, s->world))
        kai_constraints_evaluate(joints, s->world, end);
    s->evaluated = true;
    const uint64_t factors = joints->factors;
    const kai_constraints_step options = {.impulses = s->fea ? joints->elements.pushed.data : NULL,
                                          .tangents = s->fea != NULL,
                                          .reuse = s->ready,
                                          .twice = !s->early && !s->fea};
    KAI_TRY(kai_constraints_velocities(joints, s->world, s->h, &options, err));
    if (!s->reuse) return KAI_OK;
    s->ready = joints->factors == factors ? !joints->tired : s->fea->has_tangents;
    if (joints->factors == factors) return KAI_OK;
    // Velocities have changed since, but these factors do not depend on them.
    return kai_newmark_reuse_note(joints, s->world, &s->options, end, err);
}

/// New velocities from the forces last evaluated, and what joints and contacts make of them.
/// `last`: they are those of the end of the step.
static kai_result euler_velocities(euler_step* s, bool last, kai_error* err)
{
    euler_kick(s);
    if (last) kai_term_kick_all(s->world, s->h);
    if (s->joints) KAI_TRY(euler_hold_joints(s, err));
    return kai_system_contacts_velocities(s->system, s->joints, s->start, s->h, last, &s->heat,
                                          err);
}

// Forces -----------------------------------------------------------------------------------------

/// Velocities of the start again.
static void euler_restore_velocities(const euler_step* s)
{
    kai_world* world = s->world;
    kai_shaft_def* shafts = kai_shaft_all(world);
    for (size_t i = 0; i < world->bodies.count; i++) { // what woke in this step stays awake
        world->bodies.motion[i].velocity = s->start->motion[i].velocity;
        world->bodies.motion[i].spin = s->start->motion[i].spin;
    }
    for (size_t i = 0; i < world->shafts.count; i++) shafts[i].speed = s->start->scalars[2 * i + 1];
    kai_fea_write(world, NULL, s->start->node_v);
}

/// Forces of loads and elements at the middle of the step. Those that depend on velocities are
/// found twice: the second time with the mean of the old velocities and of those that the first
/// time led to.
static kai_result euler_forces(euler_step* s, kai_error* err)
{
    kai_world* world = s->world;
    const double middle = s->system->time + 0.5 * s->h;
    // Tangents of elements will be those of the same state, unless forces lead to another.
    s->early = !kai_term_needs_velocity(world);
    if (s->early) return kai_system_forces(s->system, middle, &s->options, err);
    const kai_fea_options forces = {.at_rest = true};
    KAI_TRY(kai_system_forces(s->system, middle, &forces, err));
    KAI_TRY(euler_velocities(s, false, err));
    kai_scalars_average(world, s->start);
    KAI_TRY(kai_system_forces(s->system, middle, &forces, err));
    euler_restore_velocities(s);
    return KAI_OK;
}

// Factors that outlive a step --------------------------------------------------------------------
// As those of newmark_reuse.h: where factors cost much more than solutions, those of an earlier
// step serve as long as a few corrections lead to the solution of this one.

/// Gets factors of an earlier step ready, where there are some.
static kai_result euler_begin_reuse(euler_step* s, kai_error* err)
{
    kai_constraints* c = s->joints;
    kai_world* world = s->world;
    const kai_array* state = &world->integrator_state;
    s->reuse = kai_newmark_reuse_possible(c) && c->solver == KAI_SOLVER_DIRECT &&
               world->contact_def.method != KAI_CONTACT_NSC &&
               c->ldl.products > FACTOR_COST_RATIO * c->ldl.reached;
    if (!s->reuse) return KAI_OK;
    if (world->integrator_steps != world->steps + 1 || state->count != kai_newmark_reuse_size(c)) {
        c->kept.count = 0;
        return KAI_OK;
    }
    KAI_TRY(kai_newmark_reuse_write(c, world, state->data, err));
    c->elements.prefers_block_cg = true;
    return kai_newmark_reuse_find(c, world, &s->options, &s->ready, err);
}

/// Keeps what the factors were found for.
static kai_result euler_end_reuse(const euler_step* s, kai_error* err)
{
    if (!s->reuse) return KAI_OK;
    kai_world* world = s->world;
    if (!s->ready) kai_newmark_reuse_forget(s->joints);
    kai_array* state = &world->integrator_state;
    KAI_TRY(kai_array_resize(state, &world->memory, kai_newmark_reuse_size(s->joints), err));
    kai_newmark_reuse_read(s->joints, state->data);
    world->integrator_steps = world->steps + 2;
    return KAI_OK;
}

// The step ---------------------------------------------------------------------------------------

/// Lays out what acts in the step.
static kai_result euler_begin(euler_step* s, kai_error* err)
{
    kai_world* world = s->world;
    KAI_TRY(kai_constraints_get(world, &s->joints, err));
    if (!s->joints) return KAI_OK;
    s->joints->seen_factors = 0; // masses may have changed since the last step
    s->fea = s->joints->elements.fea;
    KAI_TRY(euler_begin_reuse(s, err));
    return kai_extrapolation_begin(s->joints, world, s->start->node_v, s->h, err);
}

/// Books what loads and forces on elements do in half a step: a constant force over the step does
/// the work h F · (v₀ + v₁) / 2. `after`: with the velocities of the end; those are what damping of
/// elements was taken with, so its heat is that of the whole step.
static kai_result euler_spend(const euler_step* s, bool after, kai_error* err)
{
    double heat = 0.0;
    KAI_TRY(kai_term_spend_all(s->world, s->system->time + 0.5 * s->h, 0.5 * s->h, err));
    if (!s->fea || !after) return KAI_OK;
    KAI_TRY(kai_fea_forces_heat(s->fea, s->world, KAI_FEA_RESTING, &heat, err));
    s->world->dissipated += s->h * heat;
    return KAI_OK;
}

/// Books what contacts and joints did, and keeps what the next step begins with.
static kai_result euler_keep(const euler_step* s, kai_error* err)
{
    kai_world* world = s->world;
    world->dissipated += s->heat;
    if (!s->joints) return KAI_OK;
    world->work += s->h * kai_joint_effort_power(s->joints, world);
    world->dissipated += s->h * kai_joint_effort_loss(s->joints, world, s->start);
    KAI_TRY(euler_end_reuse(s, err));
    return kai_extrapolation_end(s->joints, world, s->start->node_v, s->h, err);
}

static kai_result euler_check(const euler_step* s, kai_error* err)
{
    const kai_world* world = s->world;
    const bool others = world->shafts.count + world->nodes.count + kai_state_total(world) > 0;
    if (s->finite && !others && !kai_term_attached(world)) return KAI_OK;
    return kai_system_check_finite(s->system, s->system->time + s->h, err);
}

/// The stages of a step.
static kai_result euler_stages(euler_step* s, kai_error* err)
{
    KAI_TRY(euler_begin(s, err));
    euler_drift(s);
    KAI_TRY(kai_scalars_begin(s->system, s->start, s->h, err));
    KAI_TRY(kai_system_contacts(s->system, s->h, &s->heat, err));
    s->touch = kai_system_contacts_forces(s->system);
    KAI_TRY(euler_forces(s, err));
    KAI_TRY(euler_spend(s, false, err));
    KAI_TRY(euler_velocities(s, true, err));
    KAI_TRY(euler_keep(s, err));
    KAI_TRY(euler_spend(s, true, err));
    KAI_TRY(kai_scalars_finish(s->system, s->start, s->h, err));
    euler_drift(s);
    kai_system_contacts_follow(s->system);
    return euler_check(s, err);
}

/// Any step: with a copy of the state that it begins with.
static kai_result euler_general(kai_system* system, double h, kai_error* err)
{
    kai_world* world = system->world;
    kai_system_backup backup;
    KAI_TRY(kai_system_save(system, &backup, err));
    euler_step s = {
        .system = system,
        .world = world,
        .start = &backup,
        .h = h,
        .finite = true,
        // f(q, v₁) = f(q, 0) - C v₁: with velocities of the start damping would count twice.
        .options = {.at_rest = true, .position = h * h, .velocity = h}};
    kai_result r = euler_stages(&s, err);
    if (r == KAI_OK) r = kai_islands_rest(world, h, err);
    kai_system_end(system, &backup, r == KAI_OK);
    return r;
}

/// Whether nothing but bodies, gravity and contacts is in the world.
static bool euler_is_bare(const kai_world* world)
{
    return world->loads.count + world->plan.body.count + world->joints.count == 0 &&
           world->nodes.count + world->elements.count == 0 &&
           world->shafts.count + kai_state_total(world) == 0 && !kai_term_attached(world);
}

static kai_result euler_step_world(kai_system* system, const void* instance, double h,
                                   kai_error* err)
{
    (void)instance;
    const kai_world* world = system->world;
    if (!euler_is_bare(world)) return euler_general(system, h, err);
    if (world->contact_def.method == KAI_CONTACT_NONE) return kai_free_flight(system, h, err);
    if (world->contact_def.method == KAI_CONTACT_SMC && kai_free_flight_is_gentle(world, h)) {
        bool done;
        KAI_TRY(kai_step_spheres(system, h, &done, err));
        if (done) return KAI_OK;
        KAI_TRY(kai_step_penalty(system, h, &done, err));
        if (done) return KAI_OK;
    }
    return euler_general(system, h, err);
}

const kai_integrator_kind kai_integrator_euler = {
    .kind =
        {.name = "euler",
         .doc =
             "Half-implicit Euler (Moreau's midpoint rule): order 2 for forces and joints; order 1 in the free rotation of bodies with unequal moments of inertia, in contact and with finite elements. Stable at any angular velocity; one evaluation of forces per step. The default, and the fastest with contact."},
    .order = 1,
    .capabilities = KAI_INTEGRATOR_UNDO | KAI_INTEGRATOR_JOINTS | KAI_INTEGRATOR_BOUNDS |
                    KAI_INTEGRATOR_ELEMENTS | KAI_INTEGRATOR_PENALTY_CONTACT |
                    KAI_INTEGRATOR_CONE_CONTACT | KAI_INTEGRATOR_FAST_SPIN |
                    KAI_INTEGRATOR_TERM_COORDINATES,
    .step = euler_step_world};
