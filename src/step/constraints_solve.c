// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Solution of the joints' system with the factors of constraints_factor.c.
#include "step/constraints.h"

#include <string.h>

/// y := K x with the matrix as it is without compliance.
static void apply(const kai_constraints* c, const kai_world* world, const double* x, double* y)
{
    const uint32_t *slot = c->bodies.data, *shaft = c->shafts.data;
    const kai_constraints_joint* joints = c->joints.data;
    for (size_t i = 0; i < c->bodies.count; i++) {
        const kai_bodies_mass* mass = &world->bodies.mass[slot[i]];
        const double m[6] = {mass->mass,      mass->mass,      mass->mass,
                             mass->moments.x, mass->moments.y, mass->moments.z};
        for (size_t k = 0; k < 6; k++) y[6 * i + k] = m[k] * x[6 * i + k];
    }
    for (size_t i = 0, k = 6 * c->bodies.count; i < c->shafts.count; i++, k++)
        y[k] = kai_shaft_all(world)[shaft[i]].inertia * x[k];
    kai_tangents_apply(&c->tangents, c->bodies.count, x, y);
    const double* mu = x + kai_constraints_coordinates(c);
    double* out = y + kai_constraints_coordinates(c);
    for (size_t i = 0; i < c->joints.count; i++) {
        for (uint32_t r = 0; r < joints[i].count; r++, mu++, out++) {
            if (*kai_constraints_state_of(c, joints[i].first + r) != KAI_CONSTRAINTS_HELD) {
                *out = -*mu;
                continue;
            }
            *out = kai_constraints_dot(c, &joints[i], r, x);
            kai_constraints_scatter(c, &joints[i], r, *mu, y);
        }
    }
}

/// With compliance in the factors, corrections from the residual of the true system: the
/// multipliers start at zero and only ever move within the range of G, so they end at the solution
/// of least norm (the proximal point method). Each round gains a factor of SOFT.
static kai_result refine(kai_constraints* c, kai_world* world, kai_error* err)
{
    const size_t n = c->x.count;
    double *x = c->x.data, *b = kai_arena_take(&world->arena, n, sizeof *b, err);
    double* sum = kai_arena_take(&world->arena, n, sizeof *sum, err);
    if (!b || !sum) return KAI_ERROR_MEMORY;
    memcpy(b, x, n * sizeof *x);
    memset(sum, 0, n * sizeof *sum);
    for (int round = 0; round < 4; round++) {
        kai_ldl_solve(&c->ldl, world->threads, x);
        for (size_t i = 0; i < n; i++) sum[i] += x[i];
        apply(c, world, sum, x);
        for (size_t i = 0; i < n; i++) x[i] = b[i] - x[i];
    }
    memcpy(x, sum, n * sizeof *x);
    return KAI_OK;
}

kai_result kai_constraints_solve(kai_constraints* c, kai_world* world, kai_error* err)
{
    if (!c->soft) {
        kai_ldl_solve(&c->ldl, world->threads, c->x.data);
        return KAI_OK;
    }
    const kai_arena_mark mark = kai_arena_marked(&world->arena);
    const kai_result r = refine(c, world, err);
    kai_arena_release(&world->arena, mark);
    return r;
}
