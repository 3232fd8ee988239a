// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "model/solver.h"

#include "model/check.h"
#include "model/label.h"
#include "model/world.h"

#include <stdio.h>

static const double EXACT = 1e-10; // of linear solvers a share, of contacts m/s
// Of contacts. A residual of g h is as wrong as no contact at all; what stands creeps by up to the
// residual, which is 10 µm in 10 s of steps of 1 ms.
static const double SHARE = 1e-4;  // of g h
static const double LEAST = 1e-13; // m/s: rounding of velocities
// Few contacts are a machine or a stack, which creep by the residual, and are solved again where it
// is a tenth of what is no solution; in a heap of many single contacts may be off while the heap is not.
static const double EARLY = 0.1;
enum { FEW = 500 };

static const uint64_t COOKIE = 0x6b61692d736f6c76; // "kai-solv"

static const char* const WORDS[] = {"auto", "direct", "minres", "gmres", "bicgstab", "cg",
                                    "psor", "bb",     "apgd",   "admm",  "newton",   NULL};

static const char* const LINEAR_WORDS[] = {"auto",     "direct", "minres", "gmres",
                                           "bicgstab", "cg",     NULL};

static const char* const CONE_WORDS[] = {"auto", "psor", "bb", "apgd", "admm", "newton", NULL};

static const char* const UNSOLVED_WORDS[] = {"retry", "report", "stop", NULL};

static const kai_param PARAMS[] = {
    KAI_PARAM(
        ENUM, kai_solver_def, type, .words = WORDS,
        .doc =
            "Solver. Joints and elements: auto takes direct; where its factors need more than `memory` or too much work, cg for scenes with nothing but nodes of elements, else minres. Contacts: newton for what stands still (up to 5,000 contacts); else apgd for up to 500, and newton in steps in which that does not reach the tolerance in 100 iterations (ten times the default one); psor for more; where finite elements or implicit forces stand in the matrix of joints, no newton, unless psor, bb, apgd, admm or newton is asked for. run.json names the solver taken."),
    KAI_PARAM(ENUM, kai_solver_def, linear, .words = LINEAR_WORDS,
              .doc =
                  "Solver of joints and elements, where it differs from type; auto: follows type."),
    KAI_PARAM(ENUM, kai_solver_def, cone, .words = CONE_WORDS,
              .doc = "Solver of contacts, where it differs from type; auto: follows type."),
    KAI_PARAM(
        INT, kai_solver_def, iterations, .range = KAI_BETWEEN(0.0, 1e9),
        .doc =
            "Maximum number of iterations of one solution; direct needs none. 0: 1,000 for joints and elements, 100 for contacts. A step solves contacts twice where forces depend on velocities, and its iterations are the sum."),
    KAI_PARAM(
        REAL, kai_solver_def, tolerance, .range = KAI_BETWEEN(0.0, 1.0),
        .doc =
            "Residual at which iterations stop, relative to the right-hand side; for contacts a "
            "speed in m/s. 0: 1e-10; for contacts 1e-4 of what gravity adds to a velocity in a step "
            "(1e-10 m/s without gravity)."),
    KAI_PARAM(
        ENUM, kai_solver_def, unsolved, .words = UNSOLVED_WORDS,
        .doc =
            "What happens when the contacts of a step are not solved: their residual ends above `limit`. retry: they are solved again, and the better result is taken; up to 500 contacts by a better method (newton, or apgd with 2,000 iterations where finite elements or implicit forces stand in the matrix of joints) and from a tenth of `limit` on, more contacts by apgd with up to ten times the iterations. report: the result is taken as it is. stop: as retry, and the run ends with an error where that is not enough. run.json counts all, and checks.residual warns."),
    KAI_PARAM(
        REAL, kai_solver_def, limit, .unit = "m/s", .range = KAI_AT_LEAST(0.0),
        .doc =
            "Residual of contacts above which a step counts as not solved. 0: what gravity adds to a velocity in a step, at least 100 times the tolerance; in impacts a tenth of the speed at which surfaces meet, where that is more."),
    KAI_PARAM(REAL, kai_solver_def, memory, .unit = "B", .initial = {2e9},
              .range = KAI_AT_LEAST(0.0),
              .doc = "Maximum memory of the factors for which auto takes direct."),
    KAI_PARAM(
        BOOL, kai_solver_def, matrix_free,
        .doc =
            "Finite elements without a stored matrix: every product evaluates the tangents of elements again. Least memory, more time. With minres, gmres or bicgstab; auto takes minres."),
};

const kai_kind kai_solver_kind = KAI_KIND(
    "solver", kai_solver_def, PARAMS,
    .doc = "How the linear equations of joints and elements and the contact problem are solved.");

const char* kai_solver_name(int32_t type) { return WORDS[type]; }

kai_solver_def kai_solver_def_default(void)
{
    kai_solver_def def;
    kai_kind_defaults(&kai_solver_kind, &def);
    def.cookie = COOKIE;
    return def;
}

/// `type` may be given beside `linear` and `cone` where it says nothing else.
static kai_result check_families(const kai_solver_def* def, kai_error* err)
{
    const int32_t type = def->type, linear = kai_solver_linear_of(def),
                  cone = kai_solver_cone_of(def);
    if (type == KAI_SOLVER_AUTO || type == linear || type == cone) return KAI_OK;
    const bool cones = kai_solver_is_cone(type);
    return kai_error_set(err, KAI_ERROR_ARGUMENT,
                         "solver: type is %s and %s is %s; give one of them", WORDS[type],
                         cones ? "cone" : "linear", WORDS[cones ? cone : linear]);
}

kai_result kai_solver_set(kai_world* world, const kai_solver_def* def)
{
    KAI_CHANGE(world, def);
    kai_error* err = &world->error;
    if (!def || def->cookie != COOKIE)
        return kai_error_set(err, KAI_ERROR_ARGUMENT,
                             "kai_solver_set: def is not from kai_solver_def_default");
    KAI_TRY(kai_world_fail(world, __func__, kai_kind_check(&kai_solver_kind, def, err)));
    KAI_TRY(kai_world_fail(world, __func__, check_families(def, err)));
    const int32_t linear = kai_solver_linear_of(def);
    if (def->matrix_free && (linear == KAI_SOLVER_DIRECT || linear == KAI_SOLVER_CG))
        return kai_error_set(err, KAI_ERROR_ARGUMENT,
                             "kai_solver_set: matrix_free with type %s, which needs a matrix; must "
                             "be auto, minres, gmres or bicgstab",
                             WORDS[linear]);
    world->solver_def = *def;
    world->solver_version++;
    return KAI_OK;
}

kai_solver_def kai_solver_get(const kai_world* world)
{
    KAI_GIVEN_OR((kai_solver_def){0}, world);
    return world->solver_def;
}

kai_solver_figures kai_solver_measured(const kai_world* world)
{
    KAI_GIVEN_OR((kai_solver_figures){0}, world);
    const kai_solver_tally* t = &world->solver_tally;
    const bool cones = t->cones > 0.0;
    const double measured = cones ? t->cones : t->measured, sum = cones ? t->cone_sum : t->sum;
    const kai_body none = {0};
    return (kai_solver_figures){
        .name = world->solver_name ? world->solver_name : "none",
        .iterations = (uint64_t)t->last,
        .iterations_mean = t->steps > 0.0 ? t->iterations / t->steps : 0.0,
        .residual_mean = measured > 0.0 ? sum / measured : 0.0,
        .residual_max = cones ? t->cone_most : t->most,
        .cones = cones,
        .solutions = (uint64_t)t->cones,
        .missed = (uint64_t)t->missed,
        .unsolved = (uint64_t)t->unsolved,
        .retried = (uint64_t)t->retried,
        .tolerance = t->cone_asked,
        .worst_time = t->worst_time,
        .worst = {t->missed > 0.0 ? kai_solver_tally_body_of(world, t->worst[0]) : none,
                  t->missed > 0.0 ? kai_solver_tally_body_of(world, t->worst[1]) : none}};
}

static void name_body(const kai_world* world, kai_body body, char* out, size_t size)
{
    if (kai_body_is_valid(world, body))
        kai_label_body(world, kai_bodies_slot(&world->bodies, body), out, size);
    else
        snprintf(out, size, "a body that is gone");
}

void kai_solver_verdict(const kai_world* world, char* out, size_t size)
{
    if (!out || size == 0) return;
    out[0] = '\0';
    const kai_solver_figures f = kai_solver_measured(world);
    if (f.solutions == 0) return;
    const unsigned long long all = f.solutions;
    if (f.missed == 0) {
        snprintf(out, size, "contacts reached the tolerance of %.3g m/s in each of %llu solutions",
                 f.tolerance, all);
        return;
    }
    char name[2][200];
    for (int k = 0; k < 2; k++) name_body(world, f.worst[k], name[k], sizeof name[k]);
    snprintf(
        out, size,
        "contacts missed the tolerance of %.3g m/s in %llu of %llu solutions; the worst is off "
        "by %.3g m/s at t = %.6g s, between %s and %s; %llu took a second method, %llu stayed "
        "unsolved",
        f.tolerance, (unsigned long long)f.missed, all, f.residual_max, f.worst_time, name[0],
        name[1], (unsigned long long)f.retried, (unsigned long long)f.unsolved);
}

bool kai_solver_is_cone(int32_t type) { return type >= KAI_SOLVER_PSOR; }

int32_t kai_solver_linear_of(const kai_solver_def* def)
{
    if (def->linear != KAI_SOLVER_LINEAR_AUTO) return def->linear; // numbered as in kai_solver_type
    return kai_solver_is_cone(def->type) ? KAI_SOLVER_AUTO : def->type;
}

int32_t kai_solver_cone_of(const kai_solver_def* def)
{
    if (def->cone != KAI_SOLVER_CONE_AUTO)
        return KAI_SOLVER_PSOR + def->cone - KAI_SOLVER_CONE_PSOR;
    return kai_solver_is_cone(def->type) ? def->type : KAI_SOLVER_AUTO;
}

double kai_solver_tolerance(const kai_solver_def* def)
{
    return def->tolerance > 0.0 ? def->tolerance : EXACT;
}

double kai_solver_cone_tolerance(const kai_solver_def* def, kai_vec3 gravity, double h)
{
    if (def->tolerance > 0.0) return def->tolerance;
    const double gain = h * kai_vec3_norm(gravity);
    return gain > 0.0 && isfinite(gain) ? fmax(SHARE * gain, LEAST) : EXACT;
}

double kai_solver_cone_limit(const kai_solver_def* def, kai_vec3 gravity, double h)
{
    if (def->limit > 0.0) return def->limit;
    const double gain = h * kai_vec3_norm(gravity);
    return fmax(isfinite(gain) ? gain : 0.0,
                10.0 * kai_solver_cone_tolerance(def, gravity, h) / EARLY);
}

double kai_solver_cone_retry(const kai_solver_def* def, double limit, size_t contacts)
{
    if (def->unsolved == KAI_SOLVER_UNSOLVED_REPORT) return 0.0;
    return contacts > FEW ? limit : EARLY * limit;
}

bool kai_solver_cone_reaches(const kai_solver_def* def)
{
    return def->tolerance > 0.0 && def->iterations == 0 &&
           def->unsolved != KAI_SOLVER_UNSOLVED_REPORT &&
           kai_solver_cone_of(def) == KAI_SOLVER_AUTO;
}

kai_body kai_solver_tally_body_of(const kai_world* world, double number)
{
    const uint64_t n = number >= 0.0 && number < 0x1p48 ? (uint64_t)number : 0;
    return n == 0 ? (kai_body){0}
                  : (kai_body){.index = (uint32_t)n,
                               .generation = (uint16_t)(n >> 32),
                               .world = world->tag};
}

uint32_t kai_solver_iterations(const kai_solver_def* def)
{
    return (uint32_t)(def->iterations > 0 ? def->iterations : 1000);
}

uint32_t kai_solver_cone_iterations(const kai_solver_def* def)
{
    // Those of a linear solver that is named alone are not for contacts.
    const bool linear =
        kai_solver_linear_of(def) != KAI_SOLVER_AUTO && kai_solver_cone_of(def) == KAI_SOLVER_AUTO;
    return (uint32_t)(def->iterations > 0 && !linear ? def->iterations : 100);
}
