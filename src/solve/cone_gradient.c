// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// An iterate is a point of impulses and the velocities that it gives. Both are linear, so points
// between two iterates, or beyond, need no pass over contacts: z = x + θ (y - x), for rows inside
// of the next pass, for velocities body by body. One pass then does all:
//
//     u at z → step, projection → y' → velocities at y' = velocities at z + M⁻¹ D (y' - z)
//
// Curvature along the step d = y' - z comes from velocities: d·N d = Σ δv·M δv + compliance, with
// δv the change that joints let through.
//
// Steps are in units of the masses of contacts, bodies split among them (cone_values.c): N ≤ W, so
// a length of 1 never overshoots and needs no search.
//
// Coulomb's law: the shift of û (cone.h) is that at z, each time, so f is another function in each
// iteration. Freezing it for 5 to 200 iterations was tried: slower. Momentum feeds on the changes;
// with t ≤ 25 it does not get out of hand (a dense bed, 500 iterations: residual 7 times lower than
// without a limit).
#include "solve/cone_gradient.h"

#include "base/parallel.h"
#include "base/simd.h"
#include "solve/cone_values.h"

#include <string.h>

enum { BLOCK = 2048, NUMBERS = 8, MEMORY = 10, CALM = 3, LONGEST = 100 };

// Where velocities are kept. With joints, those without their impulses are tracked as well.
enum { BODIES_Z, BODIES_X, BODIES_FREE_Z, BODIES_FREE_X, BODIES_FREE_Y };

typedef struct gradient {
    kai_cone_work* work;
    size_t count;                              // bodies, ground and sinks included
    kai_cone_motion *x, *y, *z;                // y: cone->motion
    kai_cone_motion *free_x, *free_y, *free_z; // NULL: no joints
    double theta;
    bool keep;
} gradient;

// Bodies -----------------------------------------------------------------------------------------

typedef struct combination {
    double *x, *y, *z;
    double theta;
    bool keep;
} combination;

// z := x + θ (y - x), and x := z; with `keep` y as well. Masses, the same in all three, stay as
// they are.
KAI_CLONES
static void combine_range(size_t begin, size_t end, void* context)
{
    const combination* c = context;
    const double theta = c->theta;
    double* restrict x = c->x, * restrict y = c->y, * restrict z = c->z;
#pragma omp simd
    for (size_t i = begin * NUMBERS; i < end * NUMBERS; i++) {
        const double at = x[i] + theta * (y[i] - x[i]);
        x[i] = at;
        z[i] = at;
    }
    if (c->keep)
        memcpy(y + begin * NUMBERS, z + begin * NUMBERS, (end - begin) * NUMBERS * sizeof *y);
}

// z := x + θ (y - x); x := z or y; y := z, which the step is added to. Where x becomes y they
// change places, which saves a write.
static void combine(const gradient* g, kai_cone_motion** x, kai_cone_motion** y, kai_cone_motion* z)
{
    combination c = {(double*)*x, (double*)*y, (double*)z, g->theta, g->keep};
    kai_parallel_for(g->work->options->threads, g->count, BLOCK, combine_range, &c);
    if (g->keep) return;
    kai_cone_motion* before = *x;
    *x = *y;
    *y = before;
}

// The same of all velocities that are kept.
static void combine_all(gradient* g)
{
    kai_cone* cone = g->work->cone;
    kai_array *motion = &cone->motion, *other = &cone->bodies[BODIES_X];
    combine(g, &g->x, &g->y, g->z);
    if (g->free_y) combine(g, &g->free_x, &g->free_y, g->free_z);
    if (g->keep) return;
    const kai_array before = *motion;
    motion->data = other->data, motion->capacity = other->capacity;
    other->data = before.data, other->capacity = before.capacity;
    g->work->pass.motion = g->y;
}

// Energy of the difference of velocities at y and z.
typedef struct difference {
    const kai_cone_problem* problem;
    const kai_cone_motion *y, *z;
    const double (*moments)[6];
    double* partial; // one a block
} difference;

static void energy_range(size_t begin, size_t end, void* context)
{
    const difference* d = context;
    double sum = 0.0;
    for (size_t i = begin; i < end; i++) {
        const kai_cone_motion *y = &d->y[i], *z = &d->z[i];
        const kai_vec3 v = kai_vec3_sub(y->v, z->v), w = kai_vec3_sub(y->w, z->w);
        if (y->inverse_mass > 0.0) sum += kai_vec3_norm2(v) / y->inverse_mass;
        if (y->inverse_moment > 0.0) {
            sum += kai_vec3_norm2(w) / y->inverse_moment;
        } else if (y->inverse_moment < 0.0) {
            const double* m = d->moments[i];
            sum += m[0] * w.x * w.x + m[1] * w.y * w.y + m[2] * w.z * w.z +
                   2.0 * (m[3] * w.x * w.y + m[4] * w.x * w.z + m[5] * w.y * w.z);
        }
    }
    d->partial[begin / BLOCK] = sum;
}

// d·N d of the last step.
static double curvature(const gradient* g)
{
    const kai_cone* cone = g->work->cone;
    const size_t bodies = g->work->problem->body_count;
    const size_t blocks = (bodies + BLOCK - 1) / BLOCK;
    double* partial = cone->dense.data;
    difference d = {g->work->problem, g->y, g->z,
                    (const double(*)[6])(partial + (blocks + 7) / 8 * 8), partial};
    kai_parallel_for(g->work->options->threads, bodies, BLOCK, energy_range, &d);
    double sum = g->work->sums.stretch;
    for (size_t i = 0; i < blocks; i++) sum += partial[i];
    return sum;
}

static kai_result copy_bodies(kai_cone* cone, int which, int threads, kai_cone_motion** out,
                              kai_error* err)
{
    kai_array* a = &cone->bodies[which];
    KAI_TRY(kai_array_reserve(a, cone->memory, cone->motion.count, err));
    kai_cone_pack_copy(a->data, cone->motion.data, cone->motion.count, threads);
    *out = a->data;
    return KAI_OK;
}

// Iterations -------------------------------------------------------------------------------------

// `energies`: curvature() will be asked for.
static kai_result begin(gradient* g, kai_cone_work* work, bool energies)
{
    kai_cone* cone = work->cone;
    const kai_cone_problem* p = work->problem;
    const size_t blocks = (p->body_count + BLOCK - 1) / BLOCK, head = (blocks + 7) / 8 * 8;
    const size_t moments = p->inertia && energies ? 6 * p->body_count : 0;
    *g =
        (gradient){.work = work, .count = cone->motion.count, .y = cone->motion.data, .theta = 1.0};
    KAI_TRY(kai_array_reserve(&cone->dense, cone->memory, head + moments, work->err));
    double* inertia = (double*)cone->dense.data + head;
    for (size_t i = 0; 6 * i < moments; i++) kai_cone_values_inertia(p, i, inertia + 6 * i);
    const int threads = work->options->threads;
    KAI_TRY(copy_bodies(cone, BODIES_Z, threads, &g->z, work->err));
    KAI_TRY(copy_bodies(cone, BODIES_X, threads, &g->x, work->err));
    if (p->project == NULL) return KAI_OK;
    // Velocities that joints have not touched: from the start again.
    memcpy(cone->motion.data, p->motion, p->body_count * sizeof(kai_cone_motion));
    KAI_TRY(kai_cone_work_pass(work, work->kernel->apply, 1));
    KAI_TRY(copy_bodies(cone, BODIES_FREE_Z, threads, &g->free_z, work->err));
    KAI_TRY(copy_bodies(cone, BODIES_FREE_X, threads, &g->free_x, work->err));
    KAI_TRY(copy_bodies(cone, BODIES_FREE_Y, threads, &g->free_y, work->err));
    memcpy(cone->motion.data, g->x, g->count * sizeof *g->x);
    return KAI_OK;
}

// One step from z.
static kai_result advance(gradient* g, double step)
{
    kai_cone_work* work = g->work;
    kai_cone_pass* pass = &work->pass;
    combine_all(g);
    pass->from = g->z;
    pass->motion = g->free_y ? g->free_y : g->y;
    pass->theta = g->theta;
    pass->step = step;
    pass->keep = g->keep;
    KAI_TRY(kai_cone_work_pass(work, work->kernel->gradient, 1));
    pass->motion = g->y;
    if (g->free_y == NULL) return KAI_OK;
    memcpy(g->y, g->free_y, g->count * sizeof *g->y);
    return kai_cone_work_project(work, true);
}

// Makes y the point z, for looks at it between iterations.
static void settle(gradient* g)
{
    if (g->theta == 1.0) return;
    g->keep = false;
    g->work->pass.theta = g->theta;
    kai_cone_work_look(g->work, g->work->kernel->mix);
    combine_all(g);
    memcpy(g->x, g->z, g->count * sizeof *g->x);
    if (g->free_y) memcpy(g->free_x, g->free_z, g->count * sizeof *g->x);
    g->theta = 1.0;
}

kai_result kai_cone_gradient_apgd(kai_cone_work* work)
{
    const kai_cone_options* o = work->options;
    const double most = o->associated ? HUGE_VAL : 25.0;
    double t = 1.0;
    gradient g;
    bool stop = false;
    KAI_TRY(begin(&g, work, false));
    KAI_TRY(kai_cone_work_check(work, 0, &stop));
    for (uint32_t k = 1; k <= o->iterations && !stop; k++) {
        KAI_TRY(advance(&g, 1.0));
        const double next = fmin(0.5 * (1.0 + sqrt(1.0 + 4.0 * t * t)), most);
        g.theta = 1.0 + (t - 1.0) / next;
        t = next;
        if (work->sums.turn < 0.0) t = g.theta = 1.0;
        KAI_TRY(kai_cone_work_check(work, k, &stop));
    }
    return kai_cone_work_restart(work);
}

// Whether f may become `value`: it is below the worst of the last ones.
static bool acceptable(const double* history, uint32_t count, double value)
{
    double worst = -HUGE_VAL;
    for (uint32_t i = 0; i < count && i < MEMORY; i++) worst = fmax(worst, history[i]);
    return value <= worst;
}

kai_result kai_cone_gradient_bb(kai_cone_work* work)
{
    const kai_cone_options* o = work->options;
    double step = 1.0, value = 0.0, history[MEMORY] = {0.0};
    uint32_t past = 1;
    gradient g;
    bool stop = false;
    KAI_TRY(begin(&g, work, true));
    KAI_TRY(kai_cone_work_check(work, 0, &stop));
    for (uint32_t k = 1; k <= o->iterations && !stop; k++) {
        g.keep = true;
        KAI_TRY(advance(&g, step));
        const double bend = curvature(&g), slope = work->sums.slope;
        const double whole = value + slope + 0.5 * bend;
        g.theta = 1.0;
        if (!acceptable(history, past, whole - 1e-4 * slope) && bend > 0.0)
            g.theta = fmin(1.0, fmax(0.0, -slope / bend));
        value += g.theta * (slope + 0.5 * g.theta * bend);
        history[past++ % MEMORY] = value;
        step = bend > 0.0 ? fmin(fmax(work->sums.length2 / bend, 1.0), LONGEST) : 1.0;
        // Long steps leave single contacts far off: short ones bring them back before a look.
        const bool calm = k % KAI_CONE_WORK_CHECK >= KAI_CONE_WORK_CHECK - CALM;
        if (calm || k + CALM >= o->iterations) step = 1.0;
        if (k == o->iterations || o->trace || k % KAI_CONE_WORK_CHECK == 0) settle(&g);
        KAI_TRY(kai_cone_work_check(work, k, &stop));
    }
    return kai_cone_work_restart(work);
}
