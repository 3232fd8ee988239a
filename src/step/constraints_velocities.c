// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The velocity step, with rows that hold only so far.
//
// A row with bounds is held, or its multiplier is at one of them. Starting from a guess, the
// system is solved and every row in the wrong state changes it, until none is: block principal
// pivoting (Júdice & Pires 1994), with Murty's rule of one change a round after a while, which ends
// for certain.
#include "step/constraints.h"

#include <stdatomic.h>
#include <string.h>

static const size_t BLOCK = 256; // joints a block of work

/// What the loops of a velocity step share.
typedef struct step_context {
    kai_constraints* c;
    const kai_world* world;
    double h;
    const double* so_far; // multipliers that the velocities hold already, or NULL for none
    bool still;           // rows ask for nothing but rest
    kai_constraints_step options;
} step_context;

static double held_so_far(const step_context* s, uint32_t row)
{
    return s->so_far ? s->so_far[row] : 0.0;
}

/// Right-hand side of rows: what they ask for, nothing where they do not hold.
static void set_rates(size_t begin, size_t end, void* context)
{
    const step_context* s = context;
    const kai_constraints_joint* joints = s->c->joints.data;
    for (size_t i = begin; i < end; i++) {
        double* b = kai_constraints_multipliers(s->c, &joints[i]);
        for (uint32_t r = joints[i].first; r < joints[i].first + joints[i].count; r++) {
            const kai_joint_row* row = (const kai_joint_row*)s->c->rows.data + r;
            *b++ = s->still || *kai_constraints_state_of(s->c, r) != KAI_CONSTRAINTS_HELD ? 0.0
                   : joints[i].velocity_level                                             ? -row->gt
                                              : -row->g / s->h - 0.5 * row->gt;
        }
    }
}

/// Adds the impulses of rows at their bounds to the momenta. Rows may share a body: one thread.
static void add_impulses(const step_context* s)
{
    const kai_constraints* c = s->c;
    const kai_constraints_joint* joints = c->joints.data;
    for (size_t i = 0; i < c->joints.count; i++) {
        for (uint32_t r = 0; joints[i].bounded && r < joints[i].count; r++) {
            const uint8_t state = *kai_constraints_state_of(c, joints[i].first + r);
            if (state == KAI_CONSTRAINTS_HELD) continue;
            const kai_joint_row* row = kai_constraints_row(c, joints[i].first + r);
            const double more =
                kai_constraints_bound(row, state) - held_so_far(s, joints[i].first + r);
            kai_constraints_scatter(c, &joints[i], r, s->h * more, c->x.data);
        }
    }
}

/// With elements the matrix is not M: velocities that others have changed since the last solution
/// v₀ stand for H v₀ + M (v - v₀), and of nodes what their bodies in contacts gained.
static void set_changes(const step_context* s)
{
    const kai_constraints* c = s->c;
    const kai_elements* e = &c->elements;
    double* x = c->x.data;
    kai_constraints_set_momenta(s->c, s->world);
    const double *momentum = e->momentum.data, *impulse = e->impulse.data;
    for (size_t i = 0; i < kai_constraints_elements(c); i++) x[i] += impulse[i] - momentum[i];
    x += kai_constraints_elements(c);
    impulse += kai_constraints_elements(c);
    if (e->fea->coordinates > 0) memcpy(x, impulse, e->fea->coordinates * sizeof *x);
    const kai_fea_touch* t = e->fea->touching.data;
    const kai_node_record* nodes = kai_node_all(s->world);
    for (size_t i = 0; i < e->fea->touching.count; i++) {
        const kai_vec3 gain = kai_vec3_sub(s->world->bodies.motion[t[i].body].velocity,
                                           nodes[t[i].node].def.velocity);
        x[t[i].first] += t[i].mass * gain.x;
        x[t[i].first + 1] += t[i].mass * gain.y;
        x[t[i].first + 2] += t[i].mass * gain.z;
    }
    kai_fea_clear_fixed(s->world, x);
}

/// After a solution: H v (the right-hand side without the joints' share) and M v of what moves.
static void note_momenta(const step_context* s, const double* rhs)
{
    const kai_constraints* c = s->c;
    const kai_elements* e = &c->elements;
    const kai_constraints_joint* joints = c->joints.data;
    double* impulse = e->impulse.data;
    memcpy(impulse, rhs, kai_constraints_coordinates(c) * sizeof *impulse);
    for (size_t i = 0; i < c->joints.count; i++) {
        const double* mu = kai_constraints_multipliers(c, &joints[i]);
        for (uint32_t r = 0; r < joints[i].count; r++)
            if (*kai_constraints_state_of(c, joints[i].first + r) == KAI_CONSTRAINTS_HELD)
                kai_constraints_scatter(c, &joints[i], r, -mu[r], impulse);
    }
    kai_fea_clear_fixed(s->world, impulse + kai_constraints_elements(c));
}

/// M v of bodies and shafts as they leave a solution.
static void note_velocities(const step_context* s)
{
    const kai_constraints* c = s->c;
    kai_constraints_set_momenta(s->c, s->world);
    if (kai_constraints_elements(c) > 0)
        memcpy(c->elements.momentum.data, c->x.data, kai_constraints_elements(c) * sizeof(double));
    kai_fea_follow_nodes(c->elements.fea, c->world);
    if (!s->so_far) kai_elements_note_first(&s->c->elements, s->world);
}

/// Impulses of nodes of elements join their momenta.
static void add_node_impulses(const step_context* s)
{
    double* x = kai_constraints_element_x(s->c);
    const size_t n = s->c->elements.fea->coordinates;
    for (size_t i = 0; i < n; i++) x[i] += s->options.impulses[i];
    kai_fea_clear_fixed(s->world, x);
}

static void set_impulses(step_context* s)
{
    const int threads = s->world->threads;
    if (s->so_far && s->c->elements.fea)
        set_changes(s);
    else
        kai_constraints_set_momenta(s->c, s->world);
    if (s->options.impulses) add_node_impulses(s);
    if (s->still && s->c->elements.fea && s->c->elements.fea->coordinates > 0)
        memset(kai_constraints_element_x(s->c), 0,
               s->c->elements.fea->coordinates * sizeof(double));
    kai_parallel_for(threads, s->c->joints.count, BLOCK, set_rates, s);
    if (s->c->bounded && !s->still) add_impulses(s);
}

/// G v + g / h of a row (G v + ∂g/∂t where it holds for velocities) at the velocities in `x`.
static double row_rate(const kai_constraints* c, const kai_constraints_joint* joint, uint32_t r,
                       double h)
{
    const kai_joint_row* row = kai_constraints_row(c, joint->first + r);
    return kai_constraints_dot(c, joint, r, c->x.data) +
           (joint->velocity_level ? row->gt : row->g / h + 0.5 * row->gt);
}

/// The state that a row should have, given its multiplier or its rate.
static uint8_t better_state(uint8_t state, const kai_joint_row* row, double lambda, double rate)
{
    const double slack = 1e-12;
    if (state == KAI_CONSTRAINTS_HELD) {
        if (lambda < row->low - slack * (1.0 + fabs(row->low))) return KAI_CONSTRAINTS_LOW;
        if (lambda > row->high + slack * (1.0 + fabs(row->high))) return KAI_CONSTRAINTS_HIGH;
    } else if ((state == KAI_CONSTRAINTS_LOW && rate < -slack) ||
               (state == KAI_CONSTRAINTS_HIGH && rate > slack)) {
        return KAI_CONSTRAINTS_HELD;
    }
    return state;
}

/// Changes the state of rows that are in the wrong one: all of them, or only the first (Murty's
/// rule, which cannot cycle). Returns how many were wrong.
static size_t change_states(const step_context* s, bool one)
{
    kai_constraints* c = s->c;
    const double h = s->h;
    const kai_constraints_joint* joints = c->joints.data;
    const double* mu = (const double*)c->x.data + kai_constraints_coordinates(c);
    size_t wrong = 0;
    for (size_t i = 0; i < c->joints.count; mu += joints[i++].count) {
        for (uint32_t r = 0; joints[i].bounded && r < joints[i].count; r++) {
            const kai_joint_row* row = (const kai_joint_row*)c->rows.data + joints[i].first + r;
            uint8_t* state = kai_constraints_state_of(c, joints[i].first + r);
            const double lambda = held_so_far(s, joints[i].first + r) - mu[r] / h;
            const uint8_t better = better_state(*state, row, lambda, row_rate(c, &joints[i], r, h));
            if (better == *state || (one && wrong > 0)) continue;
            *state = better;
            wrong++;
        }
    }
    return wrong;
}

/// Guess: every row with bounds holds, but for stops that the present velocities do not reach. Both
/// stops of a travel cannot hold at once: to begin with both would make the system singular. It
/// does not look back, so that a resumed run takes the same path.
static void guess_states(kai_constraints* c, const kai_world* world, double h)
{
    const kai_constraints_joint* joints = c->joints.data;
    if (c->state.count > 0) memset(c->state.data, KAI_CONSTRAINTS_HELD, c->state.count);
    for (size_t i = 0; c->bounded && i < c->joints.count; i++) {
        if (!joints[i].bounded || joints[i].velocity_level) continue;
        for (uint32_t r = 0; r < joints[i].count; r++) {
            const kai_joint_row* row = kai_constraints_row(c, joints[i].first + r);
            const bool low = row->low >= 0.0, high = row->high <= 0.0;
            if (low == high) continue;
            const double rate = kai_constraints_rate(c, world, &joints[i], r) + row->g / h;
            if (low ? rate > 0.0 : rate < 0.0)
                *kai_constraints_state_of(c, joints[i].first + r) =
                    low ? KAI_CONSTRAINTS_LOW : KAI_CONSTRAINTS_HIGH;
        }
    }
}

static void take_multipliers(size_t begin, size_t end, void* context)
{
    const step_context* s = context;
    const kai_constraints_joint* joints = s->c->joints.data;
    double* lambda = s->c->lambda.data;
    for (size_t i = begin; i < end; i++) {
        const double* mu = kai_constraints_multipliers(s->c, &joints[i]);
        for (uint32_t r = joints[i].first; r < joints[i].first + joints[i].count; r++, mu++) {
            const kai_joint_row* row = (const kai_joint_row*)s->c->rows.data + r;
            const uint8_t state = *kai_constraints_state_of(s->c, r);
            lambda[r] = state == KAI_CONSTRAINTS_HELD ? held_so_far(s, r) - *mu / s->h
                                                      : kai_constraints_bound(row, state);
        }
    }
}

/// What the chunks of a step share.
typedef struct chunk_context {
    step_context step;
    atomic_uint bad;       // smallest node with a bad pivot
    atomic_uint redundant; // rows left out
} chunk_context;

/// All that there is to do with the columns of a chunk, one thing after the other.
static void chunk_range(size_t begin, size_t end, void* context)
{
    chunk_context* k = context;
    kai_constraints* c = k->step.c;
    const kai_ldl_column* columns = c->ldl.columns.data;
    const uint32_t movers = kai_constraints_movers(c);
    for (size_t chunk = begin; chunk < end; chunk++) {
        uint32_t first, last, redundant = 0, node = UINT32_MAX;
        kai_ldl_chunk(&c->ldl, chunk, &first, &last);
        kai_ldl_chunk_clear(&c->ldl, first, last);
        for (uint32_t i = first; i < last; i++) {
            const uint32_t n = columns[i].node;
            if (n < movers) {
                kai_constraints_factor_put_mass(c, k->step.world, n);
                kai_constraints_set_momentum(c, k->step.world, n);
            } else {
                kai_constraints_factor_put_rows(c, n - movers);
                set_rates(n - movers, n - movers + 1, &k->step);
            }
        }
        if (!kai_ldl_chunk_factor(&c->ldl, first, last, KAI_CONSTRAINTS_REDUNDANT, &redundant,
                                  &node)) {
            unsigned seen = atomic_load(&k->bad);
            while (node < seen && !atomic_compare_exchange_weak(&k->bad, &seen, node)) {}
            continue;
        }
        if (redundant > 0) atomic_fetch_add(&k->redundant, redundant);
        kai_ldl_chunk_solve(&c->ldl, first, last, c->x.data);
        for (uint32_t i = first; i < last; i++) {
            const uint32_t n = columns[i].node;
            if (n < movers)
                kai_constraints_take_velocity(c, k->step.world, n);
            else
                take_multipliers(n - movers, n - movers + 1, &k->step);
        }
    }
}

/// Whether a step can go chunk by chunk: the plain case, and no solution that is to be measured.
static bool goes_by_chunks(const kai_constraints* c, const kai_world* world)
{
    return c->solver == KAI_SOLVER_DIRECT && !c->bounded && c->ldl.chunks.count > 1 &&
           c->tangents.terms.count == 0 && !c->elements.fea &&
           !kai_constraints_solve_measures(world);
}

static kai_result step_by_chunks(step_context* s, kai_world* world, kai_error* err)
{
    kai_constraints* c = s->c;
    chunk_context k = {.step = *s, .bad = UINT32_MAX};
    kai_parallel_for(world->threads, c->ldl.chunks.count, 1, chunk_range, &k);
    const uint32_t bad = atomic_load(&k.bad);
    if (bad != UINT32_MAX) return kai_constraints_factor_failed(c, world, bad, err);
    c->ldl.redundant = atomic_load(&k.redundant);
    if (c->ldl.redundant > 0 && !c->soft) kai_constraints_factor_redundant(c, world);
    c->unshared = c->soft;
    c->shared = false;
    world->solver_tally.solutions += 1.0;
    world->solver_tally.now += 1.0;
    return KAI_OK;
}

/// What a round of wrong states leaves is no error: a guess may hold a stop and the friction in the
/// same joint, which ask for two speeds.
static void forget_residual(kai_world* world, const kai_solver_tally* before)
{
    world->solver_tally.measured = before->measured;
    world->solver_tally.sum = before->sum;
    world->solver_tally.most = before->most;
}

/// Solves, with rows in the states that they have or, where those are wrong, in others. `factored`:
/// the factors are those of the present states.
static kai_result settle(step_context* s, kai_world* world, bool factored, kai_error* err)
{
    kai_constraints* c = s->c;
    // With bounds the share that a row carries matters.
    c->skip_least_norm = !c->bounded;
    // Few rows change: a handful of rounds. From the tenth on one row a round, which ends for
    // certain.
    const size_t rounds = c->bounded ? 20 + 4 * c->rows.count : 1;
    kai_result r = KAI_OK;
    double* rhs = NULL;
    const kai_arena_mark mark = kai_arena_marked(&world->arena);
    if (c->elements.fea && world->contact_def.method == KAI_CONTACT_NSC) {
        rhs = kai_arena_take(&world->arena, c->x.count, sizeof *rhs, err);
        if (!rhs) return KAI_ERROR_MEMORY;
        r = kai_elements_room(&c->elements, world, kai_constraints_coordinates(c), err);
    }
    bool good = false;
    // Velocities hardly change in a step.
    c->guess = s->options.tangents ? KAI_CONSTRAINTS_GUESS_EXPECTED : KAI_CONSTRAINTS_GUESS_PRESENT;
    if (s->options.reuse && !c->soft && !rhs && !factored) {
        set_impulses(s);
        r = kai_constraints_solve_reused(c, world, &good, err);
    }
    for (size_t round = 0; r == KAI_OK && !good && round < rounds; round++) {
        if (!factored || round > 0) r = kai_constraints_factor(c, world, s->options.tangents, err);
        if (r == KAI_OK) set_impulses(s);
        if (r == KAI_OK && rhs) memcpy(rhs, c->x.data, c->x.count * sizeof *rhs);
        const kai_solver_tally tally = world->solver_tally;
        if (r == KAI_OK) r = kai_constraints_solve(c, world, err);
        if (r == KAI_OK && (!c->bounded || change_states(s, round >= 10) == 0)) break;
        forget_residual(world, &tally);
    }
    c->guess = KAI_CONSTRAINTS_GUESS_NONE;
    c->skip_least_norm = false;
    c->unshared = c->soft && !c->bounded;
    if (r == KAI_OK && rhs) note_momenta(s, rhs);
    kai_arena_release(&world->arena, mark);
    if (r == KAI_OK) {
        kai_constraints_take_velocities(c, world);
        if (rhs) note_velocities(s);
        kai_parallel_for(world->threads, c->joints.count, BLOCK, take_multipliers, s);
    }
    return r;
}

kai_result kai_constraints_velocities(kai_constraints* c, kai_world* world, double h,
                                      const kai_constraints_step* options, kai_error* err)
{
    step_context s = {.c = c, .world = world, .h = h, .options = *options};
    guess_states(c, world, h);
    if (goes_by_chunks(c, world)) return step_by_chunks(&s, world, err);
    c->twice = options->twice;
    return settle(&s, world, c->twice && kai_constraints_factor_serves(c), err);
}

kai_result kai_constraints_velocities_again(kai_constraints* c, kai_world* world, double h,
                                            const double* so_far, kai_error* err)
{
    step_context s = {.c = c, .world = world, .h = h, .so_far = so_far};
    return settle(&s, world, true, err);
}

kai_result kai_constraints_velocities_still(kai_constraints* c, kai_world* world, double h,
                                            kai_error* err)
{
    step_context s = {.c = c, .world = world, .h = h, .still = true};
    set_impulses(&s);
    KAI_TRY(kai_constraints_solve(c, world, err));
    if (c->elements.fea) kai_fea_read(world, NULL, kai_constraints_element_x(c)); // they stay
    kai_constraints_take_velocities(c, world);
    return KAI_OK;
}
