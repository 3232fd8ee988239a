// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "step/extrapolation.h"

#include "base/simd.h"

#include <string.h>

// What is carried: the length of the steps, how many of them are known (1 or 2), which of the two
// places holds the last, then velocities at their starts, in two places.
enum { STEP, KNOWN, LAST, HEAD };
static const size_t BLOCK = 4096; // numbers a block of work

/// What the loop over coordinates shares.
typedef struct extrapolation {
    const double *now, *last, *before; // NULL: not known
    double* ahead;
} extrapolation;

KAI_CLONES
static void extrapolate(size_t begin, size_t end, void* context)
{
    const extrapolation* f = context;
    const double* restrict now = f->now, * restrict last = f->last, * restrict before = f->before;
    double* restrict ahead = f->ahead;
    if (before)
        for (size_t i = begin; i < end; i++) ahead[i] = 3.0 * (now[i] - last[i]) + before[i];
    else
        for (size_t i = begin; i < end; i++) ahead[i] = 2.0 * now[i] - last[i];
}

static size_t state_size(const kai_constraints* c)
{
    return HEAD + 2 * c->elements.fea->coordinates;
}

/// Whether the state is one of steps like this one that came just before.
static bool is_known(const kai_constraints* c, const kai_world* world, double h)
{
    const kai_array* state = &world->integrator_state;
    return world->integrator_steps == world->steps + 1 && state->count == state_size(c) &&
           ((const double*)state->data)[STEP] == h;
}

kai_result kai_extrapolation_begin(kai_constraints* c, kai_world* world, const double* v, double h,
                                   kai_error* err)
{
    kai_elements* e = &c->elements;
    e->foreseen = false;
    if (c->solver != KAI_SOLVER_CG || !is_known(c, world, h)) return KAI_OK;
    const size_t n = e->fea->coordinates;
    KAI_TRY(kai_array_resize(&e->ahead, &world->memory, n, err));
    const double* state = world->integrator_state.data;
    const bool second = state[LAST] != 0.0;
    const double *last = state + HEAD + (second ? n : 0), *other = state + HEAD + (second ? 0 : n);
    extrapolation f = {v, last, state[KNOWN] == 2.0 ? other : NULL, e->ahead.data};
    kai_parallel_for(world->threads, n, BLOCK, extrapolate, &f);
    kai_fea_clear_fixed(world, e->ahead.data);
    e->foreseen = true;
    return KAI_OK;
}

kai_result kai_extrapolation_end(kai_constraints* c, kai_world* world, const double* v, double h,
                                 kai_error* err)
{
    c->elements.foreseen = false;
    if (c->solver != KAI_SOLVER_CG) return KAI_OK;
    const bool known = is_known(c, world, h);
    const size_t n = c->elements.fea->coordinates;
    KAI_TRY(kai_array_resize(&world->integrator_state, &world->memory, state_size(c), err));
    double* state = world->integrator_state.data;
    const bool second = known && state[LAST] == 0.0;
    state[STEP] = h;
    state[KNOWN] = known ? 2.0 : 1.0;
    state[LAST] = second ? 1.0 : 0.0;
    memcpy(state + HEAD + (second ? n : 0), v, n * sizeof *v);
    if (!known) memset(state + HEAD + n, 0, n * sizeof *v);
    world->integrator_steps = world->steps + 2;
    return KAI_OK;
}
