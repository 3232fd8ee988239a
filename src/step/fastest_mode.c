// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Power iterations x ← P M⁻¹ K x, P: what joints make of accelerations, with the factors of their
// system. The Rayleigh quotient of any x is a lower bound, so that nothing is warned of in vain.
#include "step/fastest_mode.h"

#include "model/label.h"
#include "model/shaft.h"
#include "step/integrator.h"
#include "step/system.h"
#include "step/tangents.h"
#include "step/term.h"

#include <stdio.h>
#include <string.h>

static const double RATE = 1e6; // 1/s: weight of velocities against positions
static const double EXACT = 1e-7;
enum { SWEEPS = 300, SWEEPS_LEAST = 30, WORK = 2000000 }; // WORK: of terms and rows, for all sweeps

/// Unknowns are those of bodies and shafts that loads or joints move: six or one each.
typedef struct modes {
    kai_world* world;
    kai_constraints* joints; // NULL: none
    const kai_tangents* tangents;
    uint32_t* place;     // [bodies + shafts] first unknown, UINT32_MAX: none
    size_t count;        // unknowns
    double* inverse;     // [count] 1/m
    const double* value; // of the tangents' terms
    double *x, *y;       // [count]
} modes;

// Unknowns ---------------------------------------------------------------------------------------

static void add_slot(modes* m, uint32_t slot, uint32_t width)
{
    if (slot == UINT32_MAX || m->place[slot] != UINT32_MAX) return;
    m->place[slot] = (uint32_t)m->count;
    m->count += width;
}

static void list_unknowns(modes* m)
{
    const size_t bodies = m->world->bodies.count;
    memset(m->place, 0xff, (bodies + m->world->shafts.count) * sizeof *m->place);
    const kai_tangents_term* terms = m->tangents->terms.data;
    for (size_t i = 0; i < m->tangents->terms.count; i++)
        for (int k = 0; k < terms[i].ends; k++)
            if (terms[i].wide[k] > 0) add_slot(m, terms[i].slot[k], terms[i].wide[k]);
    if (!m->joints) return;
    const uint32_t *body = m->joints->bodies.data, *shaft = m->joints->shafts.data;
    for (size_t i = 0; i < m->joints->bodies.count; i++) add_slot(m, body[i], 6);
    for (size_t i = 0; i < m->joints->shafts.count; i++)
        add_slot(m, (uint32_t)bodies + shaft[i], 1);
}

static void find_masses(modes* m)
{
    const kai_world* world = m->world;
    const size_t bodies = world->bodies.count;
    for (size_t slot = 0; slot < bodies + world->shafts.count; slot++) {
        if (m->place[slot] == UINT32_MAX) continue;
        double* out = m->inverse + m->place[slot];
        if (slot >= bodies) {
            *out = kai_shaft_inverse(&kai_shaft_all(world)[slot - bodies]);
            continue;
        }
        const bool fixed = world->bodies.motion[slot].flags & KAI_BODY_FIXED;
        const kai_bodies_mass* mass = kai_bodies_mass_of(&world->bodies, slot);
        for (int k = 0; k < 3; k++) out[k] = fixed ? 0.0 : mass->inverse_mass;
        const kai_vec3 turn = fixed ? kai_vec3_zero() : mass->inverse_moments;
        out[3] = turn.x, out[4] = turn.y, out[5] = turn.z;
    }
}

// Eigenvalues ------------------------------------------------------------------------------------

/// y += T x of one term. Returns xᵀ T x.
static double apply_term(const modes* m, const kai_tangents_term* term, const double* x, double* y)
{
    uint32_t at[6 * KAI_TANGENTS_ENDS];
    size_t n = 0;
    for (int k = 0; k < term->ends; k++)
        for (uint32_t p = 0; p < term->wide[k]; p++) at[n++] = m->place[term->slot[k]] + p;
    const double* t = m->value + term->first;
    double sum = 0.0;
    for (size_t i = 0; i < n; i++) {
        double row = 0.0;
        for (size_t j = 0; j < n; j++) row += t[i * n + j] * x[at[j]];
        if (y) y[at[i]] += row;
        sum += x[at[i]] * row;
    }
    return sum;
}

/// y := T x. Returns xᵀ T x.
static double apply(const modes* m, const double* x, double* y)
{
    const kai_tangents_term* terms = m->tangents->terms.data;
    double sum = 0.0;
    memset(y, 0, m->count * sizeof *y);
    for (size_t i = 0; i < m->tangents->terms.count; i++) sum += apply_term(m, &terms[i], x, y);
    return sum;
}

/// Forces become accelerations, as joints let them.
static kai_result respond(const modes* m, double* y, kai_error* err)
{
    kai_constraints* c = m->joints;
    const size_t shafts = c ? m->world->bodies.count : 0;
    if (c) {
        const uint32_t *body = c->bodies.data, *shaft = c->shafts.data;
        double* u = kai_constraints_unknowns(c);
        memset(u, 0, c->x.count * sizeof *u);
        for (size_t i = 0; i < c->bodies.count; i++)
            memcpy(u + 6 * i, y + m->place[body[i]], 6 * sizeof *y);
        for (size_t i = 0; i < c->shafts.count; i++)
            u[6 * c->bodies.count + i] = y[m->place[shafts + shaft[i]]];
        KAI_TRY(kai_constraints_solve(c, m->world, err));
    }
    for (size_t i = 0; i < m->count; i++) y[i] *= m->inverse[i];
    if (!c) return KAI_OK;
    const uint32_t *body = c->bodies.data, *shaft = c->shafts.data;
    const double* u = kai_constraints_unknowns(c);
    for (size_t i = 0; i < c->bodies.count; i++)
        memcpy(y + m->place[body[i]], u + 6 * i, 6 * sizeof *y);
    for (size_t i = 0; i < c->shafts.count; i++)
        y[m->place[shafts + shaft[i]]] = u[6 * c->bodies.count + i];
    return KAI_OK;
}

/// Makes xᵀ M x = 1; false where nothing moves.
static bool normalise(const modes* m, double* x)
{
    double sum = 0.0;
    for (size_t i = 0; i < m->count; i++)
        if (m->inverse[i] > 0.0) sum += x[i] * x[i] / m->inverse[i];
    if (!(sum > 0.0) || !isfinite(sum)) return false;
    const double scale = 1.0 / sqrt(sum);
    for (size_t i = 0; i < m->count; i++) x[i] *= scale;
    return true;
}

/// How many sweeps a world is worth: fewer where each takes long. Rates are too small then, by some
/// per cent in large lattices.
static int sweeps_for(const modes* m)
{
    const size_t rows = m->joints ? m->joints->rows.count : 0;
    const size_t each = m->tangents->terms.count + 2 * rows + 1;
    const size_t most = WORK / each;
    return most < SWEEPS_LEAST ? SWEEPS_LEAST : most > SWEEPS ? SWEEPS : (int)most;
}

/// The largest eigenvalue of T x = value M x, with its x; 0 where none is positive. Where the one of
/// largest size is negative, once more with a shift by it.
static kai_result largest(const modes* m, double* value, kai_error* err)
{
    double shift = 0.0;
    const int sweeps = sweeps_for(m);
    *value = 0.0;
    for (int round = 0; round < 2; round++) {
        for (size_t i = 0; i < m->count; i++) // no mode is likely to be at right angles to this
            m->x[i] = m->inverse[i] * (1.0 + (double)(i * 7 % 5) - 0.3 * (double)(i * 11 % 13));
        double now = 0.0;
        for (int k = 0; k < sweeps && normalise(m, m->x); k++) {
            const double before = now;
            now = apply(m, m->x, m->y);
            KAI_TRY(respond(m, m->y, err));
            if (k > 5 && fabs(now - before) <= EXACT * fabs(now)) break;
            for (size_t i = 0; i < m->count; i++) m->x[i] = m->y[i] + shift * m->x[i];
        }
        *value = isfinite(now) ? fmax(now, 0.0) : 0.0;
        if (!(now < 0.0)) break;
        shift = -now;
    }
    return KAI_OK;
}

// The load behind it -----------------------------------------------------------------------------

/// How stiff a load is where it takes most part in the motion x, and the mass it meets there.
static void measure(const modes* m, const kai_tangents_term* term, double value,
                    kai_fastest_mode* out)
{
    const double* t = m->value + term->first;
    size_t n = 0;
    for (int k = 0; k < term->ends; k++) n += term->wide[k];
    double most = 0.0;
    for (size_t k = 0, at = 0; k < term->ends; at += term->wide[k++]) {
        // Three places, three turns, or one turn of a shaft.
        const size_t width = term->wide[k] == 1 ? 1 : 3;
        for (size_t part = 0; part < term->wide[k]; part += width) {
            const double* x = m->x + m->place[term->slot[k]] + part;
            const double* inverse = m->inverse + m->place[term->slot[k]] + part;
            double share = 0.0, size = 0.0, stiff = 0.0;
            for (size_t i = 0; i < width; i++) {
                share += inverse[i] > 0.0 ? x[i] * x[i] / inverse[i] : 0.0;
                size += x[i] * x[i];
            }
            if (share <= most) continue;
            most = share;
            for (size_t i = 0; i < width; i++)
                for (size_t j = 0; j < width; j++)
                    stiff += x[i] * t[(at + part + i) * n + at + part + j] * x[j] / size;
            out->turns = width == 1 || part == 3;
            out->stiffness = stiff;
            out->mass = stiff / value;
        }
    }
}

/// Force of a joint of a term: Σ λ ∂g/∂v of its body b.
static double force_of(const kai_constraints* c, const kai_store* store,
                       const kai_tangents_term* term)
{
    const kai_joint_kind* kind =
        (const kai_joint_kind*)(const void*)store->batches[term->batch].kind;
    const size_t rows = (size_t)kind->rows,
                 first = ((const uint32_t*)c->first.data)[term->batch] + term->index * rows;
    kai_vec3 sum = kai_vec3_zero();
    for (size_t r = first; r < first + rows; r++)
        sum = kai_vec3_mul_add(sum, kai_constraints_row(c, (uint32_t)r)->b.force,
                               ((const double*)c->lambda.data)[r]);
    return kai_vec3_norm(sum);
}

/// The load, or joint, with the largest share of the energy or power of the motion x.
static void name_load(const modes* m, double value, kai_fastest_mode* out)
{
    const kai_tangents_term* terms = m->tangents->terms.data;
    double most = 0.0;
    size_t found = SIZE_MAX;
    normalise(m, m->x);
    for (size_t i = 0; i < m->tangents->terms.count; i++) {
        const double share = apply_term(m, &terms[i], m->x, NULL);
        if (share > most) most = share, found = i;
    }
    if (found == SIZE_MAX) return;
    out->batch = terms[found].batch;
    out->index = terms[found].index;
    out->joint = terms[found].joint;
    if (out->joint) out->force = force_of(m->joints, &m->world->joints, &terms[found]);
    measure(m, &terms[found], value, out);
}

/// Takes the mode that is in x, if it allows only a shorter step than the one found so far.
static void consider(const modes* m, double value, bool damping, kai_fastest_mode* out)
{
    // Methods of order 2 and less: 2. rk4: 2.83 for vibrations, 2.79 for decays.
    const bool rk4 = kai_integrator_get(m->world) == &kai_integrator_rk4;
    const double rate = damping ? value : sqrt(value), limit = !rk4 ? 2.0 : damping ? 2.78 : 2.8;
    if (rate / limit <= out->rate / out->limit) return;
    out->rate = rate;
    out->limit = limit;
    out->damping = damping;
    name_load(m, value, out);
}

static kai_result find_both(modes* m, kai_tangents* t, kai_fastest_mode* out, kai_error* err)
{
    kai_world* world = m->world;
    const size_t count = t->values.count;
    const double* values = t->values.data;
    double *damping = kai_arena_take(&world->arena, count, sizeof *damping, err), value;
    if (!damping) return KAI_ERROR_MEMORY;
    const double* lambda = m->joints ? m->joints->lambda.data : NULL;
    const uint32_t* first = m->joints ? m->joints->first.data : NULL;
    kai_tangents_find(t, world, world->time, 1.0, RATE, lambda, first, NULL);
    memcpy(damping, values, count * sizeof *damping);
    kai_tangents_find(t, world, world->time, 1.0, 0.0, lambda, first, NULL);
    for (size_t i = 0; i < count; i++) damping[i] = (damping[i] - values[i]) / RATE;
    m->value = values;
    KAI_TRY(largest(m, &value, err));
    consider(m, value, false, out);
    m->value = damping;
    KAI_TRY(largest(m, &value, err));
    consider(m, value, true, out);
    return KAI_OK;
}

kai_result kai_fastest_mode_find(kai_world* world, kai_constraints* joints, bool taut,
                                 kai_fastest_mode* out, kai_error* err)
{
    const kai_arena_mark mark = kai_arena_marked(&world->arena);
    const size_t slots = world->bodies.count + world->shafts.count;
    kai_tangents t = {0};
    kai_tangents_init(&t);
    modes m = {.world = world, .joints = joints, .tangents = &t};
    *out = (kai_fastest_mode){.limit = 1.0};
    kai_result r =
        kai_tangents_list(&t, world, taut && joints ? KAI_TANGENTS_TAUT : KAI_TANGENTS_EVERY, err);
    m.place = kai_arena_take(&world->arena, slots, sizeof *m.place, err);
    if (r == KAI_OK && !m.place) r = KAI_ERROR_MEMORY;
    if (r == KAI_OK && t.terms.count > 0) {
        list_unknowns(&m);
        m.inverse = kai_arena_take(&world->arena, m.count, sizeof *m.inverse, err);
        m.x = kai_arena_take(&world->arena, m.count, sizeof *m.x, err);
        m.y = kai_arena_take(&world->arena, m.count, sizeof *m.y, err);
        r = m.inverse && m.x && m.y ? KAI_OK : KAI_ERROR_MEMORY;
        if (r == KAI_OK) find_masses(&m);
        if (r == KAI_OK) r = find_both(&m, &t, out, err);
    }
    kai_tangents_free(&t, &world->memory);
    kai_arena_release(&world->arena, mark);
    return r;
}

// In words ---------------------------------------------------------------------------------------

void kai_fastest_mode_describe(const kai_world* world, const kai_fastest_mode* mode, char* out,
                               size_t size)
{
    static const char* const UNITS[2][2] = {{"N/m", "N m/rad"}, {"N s/m", "N m s/rad"}};
    char name[KAI_LABEL_SIZE], speed[96];
    kai_label_describe(world, mode->joint ? &world->joints : &world->loads, mode->batch,
                       mode->index, name, sizeof name);
    if (mode->damping)
        snprintf(speed, sizeof speed, "decays within %.3g s", 1.0 / mode->rate);
    else
        snprintf(speed, sizeof speed, "swings with a period of %.3g s", 2.0 * KAI_PI / mode->rate);
    if (mode->joint) {
        snprintf(out, size, "%s: under its force of %.3g N what it holds %s", name, mode->force,
                 speed);
        return;
    }
    snprintf(out, size, "%s: %.3g %s on %.3g %s %s", name, mode->stiffness,
             UNITS[mode->damping][mode->turns], mode->mass, mode->turns ? "kg m²" : "kg", speed);
}

const char* kai_fastest_mode_advice(const kai_world* world)
{
    return world->contact_def.method == KAI_CONTACT_NSC
               ? "make it softer, or use the integrator euler-implicit"
               : "make it softer, or use the integrator hht";
}

const char* kai_fastest_mode_taut_advice(const kai_world* world)
{
    return world->contact_def.method == KAI_CONTACT_NSC
               ? "less different masses, or the integrator euler-implicit"
               : "less different masses, or the integrator hht";
}

// The step ---------------------------------------------------------------------------------------

/// What looking at joints leaves behind, to be put back: a step must not be able to tell.
typedef struct trace {
    kai_solver_tally tally;
    bool soft, told;
    kai_log_fn* log;
    uint8_t* states;
    kai_joint_row* rows;
    kai_wrench* further;
    double* lambda;
} trace;

static void copy(void* to, const void* from, size_t count, size_t size)
{
    if (count > 0) memcpy(to, from, count * size);
}

static kai_result note_trace(trace* t, kai_world* world, const kai_constraints* c, kai_error* err)
{
    kai_arena* arena = &world->arena;
    *t = (trace){world->solver_tally, c->soft, c->told, world->log, NULL, NULL, NULL, NULL};
    t->states = kai_arena_take(arena, c->state.count, sizeof *t->states, err);
    t->rows = kai_arena_take(arena, c->rows.count, sizeof *t->rows, err);
    t->further = kai_arena_take(arena, c->further.count, sizeof *t->further, err);
    t->lambda = kai_arena_take(arena, c->lambda.count, sizeof *t->lambda, err);
    if (!t->states || !t->rows || !t->further || !t->lambda) return KAI_ERROR_MEMORY;
    copy(t->states, c->state.data, c->state.count, sizeof *t->states);
    copy(t->rows, c->rows.data, c->rows.count, sizeof *t->rows);
    copy(t->further, c->further.data, c->further.count, sizeof *t->further);
    copy(t->lambda, c->lambda.data, c->lambda.count, sizeof *t->lambda);
    world->log = NULL; // the run tells of redundant rows
    return KAI_OK;
}

static void erase_trace(const trace* t, kai_world* world, kai_constraints* c)
{
    copy(c->state.data, t->states, c->state.count, sizeof *t->states);
    copy(c->rows.data, t->rows, c->rows.count, sizeof *t->rows);
    copy(c->further.data, t->further, c->further.count, sizeof *t->further);
    copy(c->lambda.data, t->lambda, c->lambda.count, sizeof *t->lambda);
    c->soft = t->soft, c->told = t->told;
    world->log = t->log;
    world->solver_tally = t->tally;
}

/// Joints at the present state, with open bounds.
static kai_result hold(kai_world* world, kai_constraints* c, kai_error* err)
{
    kai_constraints_evaluate(c, world, world->time);
    const kai_constraints_joint* joints = c->joints.data;
    for (size_t i = 0; i < c->joints.count; i++)
        for (uint32_t r = 0; joints[i].bounded && r < joints[i].count; r++)
            *kai_constraints_state_of(c, joints[i].first + r) = KAI_CONSTRAINTS_LOW;
    return kai_constraints_factor(c, world, false, err);
}

/// Multipliers of the present state. Where there are none to be found, none act.
static kai_result find_forces(kai_world* world, kai_constraints* c, kai_error* err)
{
    kai_system system = {.world = world, .time = world->time};
    KAI_TRY(kai_term_prepare_all(world, err));
    if (kai_system_accelerations(&system, world->time, NULL) != KAI_OK && c->lambda.count > 0)
        memset(c->lambda.data, 0, c->lambda.count * sizeof(double));
    return KAI_OK;
}

/// What is asked for.
typedef enum which { LOADS, TAUT_AT_START, TAUT_AFTER_STEP } which;

static kai_result find_held(kai_world* world, kai_constraints* c, which what,
                            kai_fastest_mode* mode, kai_error* err)
{
    trace t;
    KAI_TRY(note_trace(&t, world, c, err));
    kai_result r = what == TAUT_AT_START ? find_forces(world, c, err) : KAI_OK;
    if (r == KAI_OK) r = hold(world, c, err);
    if (r == KAI_OK) r = kai_fastest_mode_find(world, c, what != LOADS, mode, err);
    erase_trace(&t, world, c);
    return r;
}

static kai_result find_step(kai_world* world, which what, kai_fastest_mode* mode, kai_error* err)
{
    const kai_arena_mark mark = kai_arena_marked(&world->arena);
    kai_constraints* c;
    kai_result r = kai_constraints_get(world, &c, err);
    if (r == KAI_OK && c && c->joints.count == 0) c = NULL;
    const bool asked = c || what == LOADS;
    if (r == KAI_OK && asked && (!c || !c->elements.fea))
        r = c ? find_held(world, c, what, mode, err)
              : kai_fastest_mode_find(world, NULL, false, mode, err);
    kai_arena_release(&world->arena, mark);
    return r;
}

kai_result kai_fastest_mode_step(kai_world* world, double* step, char* text, size_t size,
                                 kai_error* err)
{
    kai_fastest_mode mode = {0};
    *step = HUGE_VAL;
    if (kai_integrator_can(world, KAI_INTEGRATOR_IMPLICIT) || world->loads.count == 0)
        return KAI_OK;
    KAI_TRY(find_step(world, LOADS, &mode, err));
    if (mode.rate > 0.0) *step = mode.limit / mode.rate;
    if (text && size > 0 && mode.rate > 0.0) kai_fastest_mode_describe(world, &mode, text, size);
    return KAI_OK;
}

kai_result kai_fastest_mode_taut_step(kai_world* world, bool stepped, double* step, char* text,
                                      size_t size, kai_error* err)
{
    kai_fastest_mode mode = {0};
    *step = HUGE_VAL;
    if (kai_integrator_can(world, KAI_INTEGRATOR_IMPLICIT) || world->joints.count == 0)
        return KAI_OK;
    KAI_TRY(find_step(world, stepped ? TAUT_AFTER_STEP : TAUT_AT_START, &mode, err));
    if (!mode.joint || !(mode.rate > 0.0)) return KAI_OK;
    *step = mode.limit / mode.rate;
    if (text && size > 0) kai_fastest_mode_describe(world, &mode, text, size);
    return KAI_OK;
}
