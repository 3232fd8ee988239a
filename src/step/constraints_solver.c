// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Which solver the joints' system gets, and solution by iterations.
//
// auto: direct, unless its factors (fill counted while the order is found) would take more memory
// than the setting allows; then minres, whose memory is that of the matrix. Chains and trees make
// no fill, loops little; nets and lattices of joints make much. Meshes of volume elements make so
// much that time runs out before memory: with elements the work of the factors has a limit too.
// Where nothing but nodes of elements can move the matrix is positive definite: cg
// (solve/block_cg.h).
//
// Iterations begin at zero, so that nothing is carried from step to step, and multipliers of
// redundant rows come out at least norm (solve/saddle.h). Those of cg may begin at the velocities
// of nodes, which are part of the state.
#include "base/stop.h"
#include "step/constraints.h"

#include <string.h>

// Products of blocks that factors may take: a few tenths of a second with blocks of six rows. Where
// cg would be the choice instead, which needs few iterations; and where minres would, which needs
// many.
// Piles of bodies in contact are factorised in each iteration, and ordered in each step.
static const size_t WORK_DEFINITE = 30000000, WORK = 100000000, WORK_CONTACT = 3000000;
static const double USELESS = 0.1; // residual, as a share of b, of a solution that is none
// Newton's method asks for corrections until b is nothing but rounding, and redundant rows then
// contradict each other: no solution. As shares of the largest b so far: what is not iterated on,
// without and with redundant rows.
static const double NOTHING = 1e-14, NOISE = 1e-10;

static void tell_choice(const kai_constraints* c, kai_world* world, uint32_t node_count)
{
    const char* name = kai_solver_name((int32_t)c->solver);
    if (world->solver_name && strcmp(world->solver_name, name) == 0) return;
    world->solver_name = name;
    if (c->solver == KAI_SOLVER_DIRECT)
        kai_world_log(world, KAI_LOG_INFO, "solver: direct, %u nodes, factors of %.3g MB",
                      node_count, 8e-6 * (double)c->ldl.numbers);
    else if (c->elements.free && c->elements.fea)
        kai_world_log(world, KAI_LOG_INFO, "solver: %s, %u nodes, no matrix of elements", name,
                      node_count);
    else
        kai_world_log(world, KAI_LOG_INFO, "solver: %s, %u nodes, matrix of %.3g MB%s", name,
                      node_count,
                      c->solver == KAI_SOLVER_CG ? 4e-6 * (double)c->definite.value.count
                                                 : 8e-6 * (double)c->saddle.values.count,
                      kai_solver_linear_of(&world->solver_def) == KAI_SOLVER_AUTO
                          ? "; the factors of direct would exceed the memory or the work allowed"
                          : "");
}

/// Whether elements over nodes are all there is.
static bool is_definite(const kai_constraints* c)
{
    const kai_fea* f = c->elements.fea;
    return f && f->coordinates > 0 && f->bodies.count == 0 && c->joints.count == 0 &&
           c->bodies.count + c->shafts.count == 0 && c->tangents.terms.count == 0 && !c->touch.room;
}

kai_result kai_constraints_solver_choose(kai_constraints* c, kai_world* world,
                                         const kai_ldl_node* nodes, uint32_t node_count,
                                         const kai_ldl_edge* edges, uint32_t edge_count,
                                         kai_error* err)
{
    const kai_solver_def* def = &world->solver_def;
    const int32_t type = kai_solver_linear_of(def);
    const bool direct = type == KAI_SOLVER_DIRECT, free = c->elements.free && c->elements.fea,
               definite = !free && is_definite(c);
    if (type == KAI_SOLVER_CG && !definite)
        return kai_error_set(err, KAI_ERROR_UNSUPPORTED,
                             "solver cg is for nodes of elements alone, and here other things move "
                             "along or touch; use auto, direct or minres");
    kai_block_cg_free(&c->definite);
    if (c->elements.fea) c->elements.fea->sink = (kai_fea_sink){0};
    kai_error why = {0};
    c->ldl.limit = direct ? 0 : (size_t)fmin(fmax(def->memory / sizeof(double), 1.0), 0x1p62);
    c->ldl.work = direct                              ? 0
                  : definite                          ? WORK_DEFINITE
                  : c->touch.room && !c->elements.fea ? WORK_CONTACT
                  : c->elements.fea                   ? WORK
                                                      : 0;
    c->ldl.stop = world->stop;
    const kai_result r = type == KAI_SOLVER_CG || free
                             ? KAI_ERROR_LIMIT
                             : kai_ldl_analyze(&c->ldl, nodes, node_count, edges, edge_count, &why);
    if (r != KAI_OK && (direct || r != KAI_ERROR_LIMIT)) {
        if (err) *err = why;
        return r;
    }
    if (r != KAI_OK) kai_ldl_free(&c->ldl);
    c->solver = (kai_solver_type)type;
    if (type == KAI_SOLVER_AUTO)
        c->solver = r == KAI_OK ? KAI_SOLVER_DIRECT : definite ? KAI_SOLVER_CG : KAI_SOLVER_MINRES;
    const bool iterates = c->solver != KAI_SOLVER_DIRECT;
    c->probe = iterates && r == KAI_OK;
    c->matrix = (kai_blocks){.ldl = &c->ldl, .saddle = iterates ? &c->saddle : NULL};
    if (c->solver == KAI_SOLVER_CG) {
        kai_saddle_free(&c->saddle);
        KAI_TRY(kai_elements_block_cg_analyze(&c->elements, world, &c->definite, err));
    } else if (iterates)
        KAI_TRY(kai_saddle_analyze(&c->saddle, nodes, node_count, edges, edge_count, err));
    else
        kai_saddle_free(&c->saddle);
    if (free) KAI_TRY(kai_elements_free_analyze(&c->elements, world, err));
    tell_choice(c, world, node_count);
    return KAI_OK;
}

/// What to say of a solution that did not reach its tolerance: `share` is its residual against b.
static kai_result judge(kai_constraints* c, const kai_world* world, const kai_krylov_result* result,
                        double share, kai_error* err)
{
    const char* name = kai_solver_name((int32_t)c->solver);
    // Rows that contradict each other leave a residual, whatever the solver.
    const bool broken = result->breakdown == KAI_KRYLOV_INDEFINITE ||
                        result->breakdown == KAI_KRYLOV_NOT_FINITE || !isfinite(share);
    const bool none = share > USELESS && result->breakdown != KAI_KRYLOV_SINGULAR;
    if (broken || none)
        return kai_error_set(err, KAI_ERROR_DIVERGED,
                             "solver %s: no solution after %u iterations, residual %.3g of the "
                             "right-hand side; allow more iterations or use direct",
                             name, result->iterations, share);
    if (c->warned) return KAI_OK;
    c->warned = true;
    kai_world_log(
        world, KAI_LOG_WARNING,
        "solver %s: not converged after %u iterations at t = %.9g s, residual %.3g of the "
        "right-hand side, tolerance %.3g (told once)",
        name, result->iterations, world->time, share, kai_solver_tolerance(&world->solver_def));
    return KAI_OK;
}

/// y := K x without a matrix of elements; a kai_krylov_fn.
typedef struct free_context {
    const kai_constraints* c;
    const kai_world* world;
} free_context;

static void apply_free(void* context, const double* x, double* y)
{
    const free_context* f = context;
    kai_constraints_solve_apply(f->c, f->world, x, y);
}

/// y := H x, and y := P⁻¹ x, as kai_krylov_fn.
typedef struct definite_context {
    kai_block_cg* definite;
    const double* more;
    int threads;
} definite_context;

static void apply_definite(void* context, const double* x, double* y)
{
    const definite_context* d = context;
    kai_block_cg_apply(d->definite, d->more, d->threads, x, y);
}

static void precondition_definite(void* context, const double* x, double* y)
{
    const definite_context* d = context;
    kai_block_cg_cycle_precondition(d->definite, d->threads, x, y);
}

/// cg; where single precision is too little, minres in double precision goes on from there.
static kai_result iterate_definite(kai_constraints* c, kai_world* world,
                                   const kai_krylov_options* options, const double* b, double* x,
                                   kai_krylov_result* result, kai_error* err)
{
    if (c->guess == KAI_CONSTRAINTS_GUESS_EXPECTED && c->elements.foreseen) {
        memcpy(x, c->elements.ahead.data, c->elements.ahead.count * sizeof *x);
    } else if (c->guess) {
        kai_fea_read(world, NULL, x);
        kai_fea_clear_fixed(world, x);
    }
    for (;;) {
        definite_context d = {&c->definite, c->elements.more.data, world->threads};
        kai_block_cg_solve(&c->definite, d.more, options, b, x, result);
        if (result->breakdown == KAI_KRYLOV_STOPPED) return kai_stop_error(err);
        if (result->breakdown == KAI_KRYLOV_INDEFINITE && c->elements.fea->has_tangents) {
            KAI_TRY(kai_elements_retreat(&c->elements, world, err));
            KAI_TRY(kai_constraints_factor_block_cg(c, world, err));
            continue;
        }
        if (result->breakdown != KAI_KRYLOV_STAGNATED) return KAI_OK;
        const uint32_t before = result->iterations;
        const kai_krylov_problem problem = {.count = c->x.count,
                                            .apply = apply_definite,
                                            .matrix = &d,
                                            .precondition = precondition_definite,
                                            .preconditioner = &d};
        KAI_TRY(
            kai_krylov_solve(&c->krylov, &kai_krylov_minres, &problem, options, b, x, result, err));
        result->iterations += before;
        return KAI_OK;
    }
}

kai_result kai_constraints_solver_iterate(kai_constraints* c, kai_world* world, kai_error* err)
{
    static const kai_krylov_method* const METHODS[] = {[KAI_SOLVER_MINRES] = &kai_krylov_minres,
                                                       [KAI_SOLVER_GMRES] = &kai_krylov_gmres,
                                                       [KAI_SOLVER_BICGSTAB] =
                                                           &kai_krylov_bicgstab};
    const size_t n = c->x.count;
    double *x = c->x.data, *b = kai_arena_take(&world->arena, n, sizeof *b, err), square = 0.0;
    if (!b) return KAI_ERROR_MEMORY;
    for (size_t i = 0; i < n; i++) {
        square += x[i] * x[i];
        b[i] = x[i];
        x[i] = 0.0;
    }
    const double size = sqrt(square);
    double* largest = &world->solver_tally.largest[c->gaps];
    *largest = fmax(*largest, size);
    free_context context = {c, world};
    const bool free = c->elements.free && c->elements.fea;
    const kai_krylov_problem problem = {.count = n,
                                        .apply = free ? apply_free : kai_saddle_apply,
                                        .matrix = free ? (void*)&context : (void*)&c->saddle,
                                        .precondition = kai_saddle_precondition,
                                        .preconditioner = &c->saddle};
    kai_krylov_options options = kai_krylov_options_default();
    options.relative = kai_solver_tolerance(&world->solver_def);
    const double least = c->soft && !c->skip_least_norm && !c->gaps ? NOISE : NOTHING;
    options.absolute = least * *largest;
    options.limit = kai_solver_iterations(&world->solver_def);
    options.threads = c->saddle.threads = world->threads;
    options.stop = world->stop;
    kai_krylov_result result;
    if (c->solver == KAI_SOLVER_CG)
        KAI_TRY(iterate_definite(c, world, &options, b, x, &result, err));
    else
        KAI_TRY(kai_krylov_solve(&c->krylov, METHODS[c->solver], &problem, &options, b, x, &result,
                                 err));
    world->solver_tally.now += result.iterations;
    if (c->gaps && isfinite(result.residual)) return KAI_OK; // positions are looked at again
    const double share = kai_solver_note(&world->solver_tally, result.residual, size);
    return result.converged ? KAI_OK : judge(c, world, &result, share, err);
}
