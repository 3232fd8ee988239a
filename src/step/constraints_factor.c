// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The matrix of the joints' system: filled and factorised.
#include "base/stop.h"
#include "step/constraints.h"

#include "model/label.h"
#include "step/rotation.h"

#include <string.h>

static const size_t BLOCK = 256; // joints, or bodies, a block of work
// Compliance where rows are redundant, as a share of G M⁻¹ Gᵀ. What rows hold by less than that is
// found bit by bit (constraints_solve.c). Near a singular position Newton's method creeps for it,
// and needs less, at the cost of larger errors in how redundant rows share their load.
static const double SOFT = 1e-9, LESS_SOFT = 1e-11;

// Filling ----------------------------------------------------------------------------------------

/// What filling the matrix needs; joints and bodies each write to blocks of their own.
typedef struct fill_context {
    kai_constraints* c;
    const kai_world* world;
} fill_context;

void kai_constraints_factor_put_mass(kai_constraints* c, const kai_world* world, size_t node)
{
    double* d = kai_blocks_diagonal(&c->matrix, (uint32_t)node);
    if (node >= c->bodies.count) {
        const uint32_t shaft = ((const uint32_t*)c->shafts.data)[node - c->bodies.count];
        *d = kai_shaft_all(world)[shaft].inertia;
        return;
    }
    const kai_bodies_mass* mass =
        kai_bodies_mass_of(&world->bodies, ((const uint32_t*)c->bodies.data)[node]);
    const double m[6] = {mass->mass,      mass->mass,      mass->mass,
                         mass->moments.x, mass->moments.y, mass->moments.z};
    for (int k = 0; k < 6; k++) d[k * KAI_LDL_WIDTH + k] = m[k];
}

static void put_masses(size_t begin, size_t end, void* context)
{
    const fill_context* f = context;
    for (size_t i = begin; i < end; i++) kai_constraints_factor_put_mass(f->c, f->world, i);
}

/// The usual end: a body with a block of its own.
static void put_body_block(const kai_constraints* c, const kai_constraints_joint* joint,
                           const kai_constraints_end* end, double* block, bool flipped)
{
    const double* g = kai_constraints_piece(c, joint, 0, end);
    const size_t next =
        (end->piece < 2 ? sizeof(kai_joint_row) : joint->stride * sizeof(kai_wrench)) / sizeof *g;
    for (uint32_t r = 0; r < joint->count; r++, g += next) {
        double* at = block + (flipped ? r : r * KAI_LDL_WIDTH);
        const size_t across = flipped ? KAI_LDL_WIDTH : 1;
        const double x = g[0], y = g[1], z = g[2], u = g[3], v = g[4], w = g[5];
        at[0] = x;
        at[across] = y;
        at[2 * across] = z;
        at[3 * across] = u;
        at[4 * across] = v;
        at[5 * across] = w;
    }
}

/// One end of a joint. Ends that share a node share a block.
static void put_block(const kai_constraints* c, const kai_constraints_joint* joint,
                      const kai_constraints_end* end)
{
    bool flipped;
    double* block = kai_blocks_block(&c->matrix, end->edge, &flipped);
    if (end->width == 6 && !end->element && !end->repeated) {
        put_body_block(c, joint, end, block, flipped);
        return;
    }
    const uint8_t fixed =
        end->element ? kai_elements_part_of(&c->elements, end->slot, end->at)->fixed : 0;
    const size_t width = kai_constraints_width(end), down = flipped ? 1 : KAI_LDL_WIDTH,
                 across = flipped ? KAI_LDL_WIDTH : 1;
    for (uint32_t r = 0; r < joint->count; r++) {
        const double* g = kai_constraints_piece(c, joint, r, end);
        for (size_t k = 0; k < width; k++) {
            double* at = &block[r * down + k * across];
            *at = fixed >> k & 1 ? 0.0 : end->repeated ? *at + g[k] : g[k];
        }
    }
}

/// G M⁻¹ Gᵀ of row r of a joint.
static double softness(const kai_constraints* c, const kai_world* world,
                       const kai_constraints_joint* joint, uint32_t r)
{
    const kai_constraints_end* ends = kai_constraints_ends(c, joint);
    double sum = 0.0;
    for (int k = 0; k < joint->ends; k++) {
        const double* g = kai_constraints_piece(c, joint, r, &ends[k]);
        if (ends[k].shaft) {
            sum += kai_shaft_inverse(&kai_shaft_all(world)[ends[k].slot]) * g[0] * g[0];
            continue;
        }
        if (ends[k].element) {
            sum += kai_elements_softness(&c->elements, &ends[k].slot, ends[k].at, ends[k].width, g);
            continue;
        }
        const kai_wrench* w = (const kai_wrench*)(const void*)g;
        const kai_bodies_mass* mass = kai_bodies_mass_of(&world->bodies, ends[k].slot);
        sum += mass->inverse_mass * kai_vec3_norm2(w->force) +
               kai_vec3_dot(w->torque, kai_rotation_spin(mass, w->torque));
    }
    return sum;
}

/// A trace of compliance, the same for every row so that multipliers of least norm come out: a share
/// of the mean of G M⁻¹ Gᵀ.
static void put_compliance(kai_constraints* c, const kai_world* world)
{
    const kai_constraints_joint* joints = c->joints.data;
    const double share = c->less_soft ? LESS_SOFT : SOFT;
    double sum = 0.0, count = 0.0;
    for (size_t i = 0; i < c->joints.count; i++) {
        for (uint32_t r = 0; r < joints[i].count; r++) sum += softness(c, world, &joints[i], r);
        count += joints[i].count;
    }
    for (size_t i = 0; i < c->joints.count; i++) {
        double* d = kai_blocks_diagonal(&c->matrix, joints[i].node);
        for (uint32_t r = 0; r < joints[i].count; r++)
            if (*kai_constraints_state_of(c, joints[i].first + r) == KAI_CONSTRAINTS_HELD)
                d[r * KAI_LDL_WIDTH + r] = -share * sum / count;
    }
}

/// Rows that do not hold are cut out: no coupling, and -1 on the diagonal.
static void cut_row(kai_constraints* c, const kai_constraints_joint* joint, uint32_t r)
{
    const kai_constraints_end* ends = kai_constraints_ends(c, joint);
    for (int k = 0; k < joint->ends; k++) {
        if (ends[k].edge == UINT32_MAX) continue;
        bool flipped;
        double* block = kai_blocks_block(&c->matrix, ends[k].edge, &flipped);
        for (uint32_t p = 0; p < kai_constraints_width(&ends[k]); p++)
            block[flipped ? p * KAI_LDL_WIDTH + r : r * KAI_LDL_WIDTH + p] = 0.0;
    }
    kai_blocks_diagonal(&c->matrix, joint->node)[r * KAI_LDL_WIDTH + r] = -1.0;
}

/// No row of a joint holds, as of most limits at most times: the direct solver passes such a joint by.
static bool pass_by(kai_constraints* c, const kai_constraints_joint* joint)
{
    if (!joint->bounded || c->matrix.saddle) return false;
    for (uint32_t r = 0; r < joint->count; r++)
        if (*kai_constraints_state_of(c, joint->first + r) == KAI_CONSTRAINTS_HELD) return false;
    if (!kai_ldl_set_idle(&c->ldl, joint->node)) return false;
    double* d = kai_blocks_diagonal(&c->matrix, joint->node);
    for (uint32_t r = 0; r < joint->count; r++) d[r * KAI_LDL_WIDTH + r] = -1.0;
    return true;
}

void kai_constraints_factor_put_rows(kai_constraints* c, size_t i)
{
    const kai_constraints_joint* joint = (const kai_constraints_joint*)c->joints.data + i;
    const kai_constraints_end* ends = kai_constraints_ends(c, joint);
    if (pass_by(c, joint)) return;
    for (int k = 0; k < joint->ends; k++)
        if (ends[k].edge != UINT32_MAX) put_block(c, joint, &ends[k]);
    for (uint32_t r = 0; joint->bounded && r < joint->count; r++)
        if (*kai_constraints_state_of(c, joint->first + r) != KAI_CONSTRAINTS_HELD)
            cut_row(c, joint, r);
}

static void put_all_rows(size_t begin, size_t end, void* context)
{
    kai_constraints* c = ((const fill_context*)context)->c;
    for (size_t i = begin; i < end; i++) kai_constraints_factor_put_rows(c, i);
}

kai_result kai_constraints_factor_failed(const kai_constraints* c, const kai_world* world,
                                         uint32_t node, kai_error* err)
{
    const size_t bodies = c->bodies.count, movers = kai_constraints_movers(c);
    if (node < movers) {
        char text[KAI_LABEL_SIZE];
        if (node >= bodies + c->shafts.count)
            kai_node_describe(
                world,
                ((const kai_elements_part*)c->elements.parts.data)[node - c->elements.base].node,
                text, sizeof text);
        else if (node < bodies)
            kai_label_body(world, ((const uint32_t*)c->bodies.data)[node], text, sizeof text);
        else
            kai_shaft_describe(world, ((const uint32_t*)c->shafts.data)[node - bodies], text,
                               sizeof text);
        return kai_error_set(err, KAI_ERROR_DIVERGED,
                             "%s: what joints and elements ask of it is not finite", text);
    }
    const kai_constraints_joint* j = (const kai_constraints_joint*)c->joints.data + (node - movers);
    char text[KAI_LABEL_SIZE];
    kai_label_describe(world, &world->joints, j->batch, j->index, text, sizeof text);
    return kai_error_set(err, KAI_ERROR_DIVERGED, "%s: what it holds is not finite", text);
}

static void fill(kai_constraints* c, const kai_world* world)
{
    fill_context f = {c, world};
    kai_blocks_clear(&c->matrix, world->threads);
    kai_parallel_for(world->threads, c->bodies.count + c->shafts.count, BLOCK, put_masses, &f);
    kai_parallel_for(world->threads, c->joints.count, BLOCK, put_all_rows, &f);
    kai_tangents_put(&c->tangents, c->bodies.count, &c->matrix);
    kai_contacts_tangents_put(c);
    kai_elements_put(&c->elements, world, c->node_of.data, &c->matrix);
}

/// Names the joints whose rows were left out, once a layout.
static void tell_redundant(kai_constraints* c, const kai_world* world)
{
    if (c->told) return;
    c->told = true;
    const kai_constraints_joint* joints = c->joints.data;
    for (size_t i = 0; c->ldl.redundant > 0 && i < c->joints.count; i++) {
        uint32_t n = 0;
        for (uint32_t r = 0; r < joints[i].count; r++)
            n += kai_ldl_is_redundant(&c->ldl, joints[i].node, r);
        if (n == 0) continue;
        char name[KAI_LABEL_SIZE];
        kai_label_describe(world, &world->joints, joints[i].batch, joints[i].index, name,
                           sizeof name);
        kai_world_log(world, KAI_LOG_WARNING,
                      "%s: %u of its %u rows are redundant: other joints already hold the same",
                      name, n, joints[i].count);
    }
}

/// Whether rows without bounds alone are redundant. That both ends of a range are held, or a brake
/// and a motor, is a guess on the way to a solution and says nothing of other states. The factors
/// are others afterwards.
static bool are_redundant_unbounded(kai_constraints* c, kai_world* world)
{
    const kai_arena_mark mark = kai_arena_marked(&world->arena);
    uint8_t *states = c->state.data,
            *keep = kai_arena_take(&world->arena, c->state.count, sizeof *keep, NULL);
    if (!keep) return true; // sharing is slower, and never wrong
    memcpy(keep, states, c->state.count);
    const kai_constraints_joint* joints = c->joints.data;
    for (size_t i = 0; i < c->joints.count; i++)
        for (uint32_t r = 0; joints[i].bounded && r < joints[i].count; r++)
            states[joints[i].first + r] = KAI_CONSTRAINTS_LOW;
    uint32_t node;
    fill(c, world);
    const bool found = kai_ldl_factor(&c->ldl, world->threads, KAI_CONSTRAINTS_REDUNDANT, &node) &&
                       c->ldl.redundant > 0;
    if (found) tell_redundant(c, world);
    memcpy(states, keep, c->state.count);
    kai_arena_release(&world->arena, mark);
    return found;
}

/// Rows are shared from now on.
static void set_soft(kai_constraints* c, kai_world* world)
{
    c->soft = true;
    world->solver_tally.redundant = 1.0;
}

void kai_constraints_factor_redundant(kai_constraints* c, kai_world* world)
{
    if (c->bounded && !are_redundant_unbounded(c, world)) return;
    tell_redundant(c, world);
    set_soft(c, world);
}

/// An iterative solver does not notice redundant rows. Where memory allows, one factorisation a
/// layout looks for them.
static kai_result look_for_redundant(kai_constraints* c, kai_world* world, kai_error* err)
{
    uint32_t node = 0;
    const kai_blocks keep = c->matrix;
    c->matrix = (kai_blocks){.ldl = &c->ldl};
    c->probe = false;
    fill(c, world);
    c->ldl.stop = world->stop;
    const bool fine = kai_ldl_factor(&c->ldl, world->threads, KAI_CONSTRAINTS_REDUNDANT, &node);
    if (fine && c->ldl.redundant > 0) {
        kai_constraints_factor_redundant(c, world);
        set_soft(c, world); // an iterative solver must expect it in any state
    }
    c->matrix = keep;
    kai_ldl_free(&c->ldl);
    return !fine && node == KAI_LDL_STOPPED ? kai_stop_error(err) : KAI_OK;
}

/// Whether the matrix has tangents of elements.
static bool has_tangents(const kai_constraints* c)
{
    return c->elements.fea && c->elements.fea->has_tangents;
}

/// Fills the matrix of an iterative solver and finds its preconditioner.
static kai_result prepare(kai_constraints* c, kai_world* world, kai_error* err)
{
    if (c->probe) KAI_TRY(look_for_redundant(c, world, err));
    for (;;) {
        uint32_t node;
        fill(c, world);
        if (kai_saddle_prepare(
                &c->saddle, c->soft && !c->skip_least_norm ? KAI_SADDLE_UNIFORM : KAI_SADDLE_BLOCKS,
                &node))
            return KAI_OK;
        if (!c->tangents.on && !has_tangents(c))
            return kai_constraints_factor_failed(c, world, node, err);
        c->tangents.on = false; // as below
        KAI_TRY(kai_elements_retreat(&c->elements, world, err));
    }
}

kai_result kai_constraints_factor_block_cg(kai_constraints* c, kai_world* world, kai_error* err)
{
    for (;;) {
        uint32_t vector, node = 0;
        const bool wanted = c->guess == KAI_CONSTRAINTS_GUESS_EXPECTED;
        const bool foreseen = wanted && c->elements.foreseen;
        double* guess = foreseen ? c->elements.ahead.data : wanted ? c->elements.room.data : NULL;
        if (guess && !foreseen) kai_fea_read(world, NULL, guess);
        if (guess && !foreseen) kai_fea_clear_fixed(world, guess);
        if (kai_block_cg_fill(&c->definite, c->elements.more.data, guess, world->threads, &vector))
            return KAI_OK;
        const kai_elements_part* parts = c->elements.parts.data;
        while (node + 1 < c->elements.parts.count && parts[node + 1].first <= 3 * vector) node++;
        if (!has_tangents(c))
            return kai_constraints_factor_failed(c, world, c->elements.base + node, err);
        KAI_TRY(kai_elements_retreat(&c->elements, world, err));
    }
}

// Factors that serve twice in a step --------------------------------------------------------------

/// What the matrix is made of beside masses: rows, further pieces, states.
static void list_seen(const kai_constraints* c, const void* part[3], size_t size[3])
{
    const kai_array* all[] = {&c->rows, &c->further, &c->state};
    for (size_t i = 0; i < KAI_COUNT(all); i++) {
        part[i] = all[i]->data;
        size[i] = all[i]->count * all[i]->stride;
    }
}

/// Keeps what the factors are of.
static kai_result note_seen(kai_constraints* c, kai_world* world, kai_error* err)
{
    const void* part[3];
    size_t size[3];
    list_seen(c, part, size);
    KAI_TRY(kai_array_resize(&c->seen, &world->memory, size[0] + size[1] + size[2], err));
    char* at = c->seen.data;
    for (int i = 0; i < 3; at += size[i++])
        if (size[i] > 0) memcpy(at, part[i], size[i]);
    c->seen_factors = c->factors;
    return KAI_OK;
}

bool kai_constraints_factor_serves(const kai_constraints* c)
{
    if (c->seen_factors != c->factors || c->seen_factors == 0) return false;
    const void* part[3];
    size_t size[3];
    list_seen(c, part, size);
    if (c->seen.count != size[0] + size[1] + size[2]) return false;
    const char* at = c->seen.data;
    for (int i = 0; i < 3; at += size[i++])
        if (size[i] > 0 && memcmp(at, part[i], size[i]) != 0) return false;
    return true;
}

static kai_result factor_direct(kai_constraints* c, kai_world* world, kai_error* err)
{
    c->shared = c->soft && !c->skip_least_norm;
    for (;;) {
        uint32_t node;
        const bool soft = c->shared;
        fill(c, world);
        if (soft) put_compliance(c, world);
        if (!kai_ldl_factor(&c->ldl, world->threads, soft ? 0.0 : KAI_CONSTRAINTS_REDUNDANT,
                            &node)) {
            if (node == KAI_LDL_STOPPED) return kai_stop_error(err);
            if (!c->tangents.on && !has_tangents(c))
                return kai_constraints_factor_failed(c, world, node, err);
            c->tangents.on = false; // a force that drives apart: masses alone will do
            KAI_TRY(kai_elements_retreat(&c->elements, world, err));
            continue;
        }
        if (soft || c->soft || c->ldl.redundant == 0) return KAI_OK;
        kai_constraints_factor_redundant(c, world);
        if (c->skip_least_norm) return KAI_OK;
        c->shared = true; // in this state of rows with bounds, or in all
    }
}

kai_result kai_constraints_factor(kai_constraints* c, kai_world* world, bool tangents,
                                  kai_error* err)
{
    KAI_TRY(kai_stop_check(world->stop, err));
    c->factors++;
    c->ldl.stop = world->stop;
    c->tangents.on = tangents && c->tangents.terms.count > 0;
    c->touch.on = tangents && c->touch.room;
    const bool alone = !tangents || !c->elements.fea || !c->elements.fea->has_tangents;
    if (alone) KAI_TRY(kai_elements_find(&c->elements, world, &(kai_fea_options){0}, err));
    if (c->solver == KAI_SOLVER_CG) return kai_constraints_factor_block_cg(c, world, err);
    if (c->solver != KAI_SOLVER_DIRECT) return prepare(c, world, err);
    KAI_TRY(factor_direct(c, world, err));
    return c->twice ? note_seen(c, world, err) : KAI_OK;
}
