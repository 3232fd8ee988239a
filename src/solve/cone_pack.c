// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "solve/cone_pack.h"

#include "base/parallel.h"
#include "solve/cone_layout.h"
#include "solve/cone_schedule.h"
#include "solve/cone_values.h"

#include <string.h>

enum { LANES = KAI_CONE_PACK_LANES, BLOCK = 4096 };

// Values -----------------------------------------------------------------------------------------

// What groups that were laid out for one kind are now: another method may have laid them out.
static uint32_t kind_now(const kai_cone_problem* p, uint32_t sort, bool lean, bool coulomb)
{
    const bool alike = sort == KAI_CONE_EQUAL_MASSES || sort == KAI_CONE_UNIFORM;
    const bool grain = sort == KAI_CONE_GRAIN || sort == KAI_CONE_FRICTIONLESS || alike;
    if (p->smooth && lean) return grain ? KAI_CONE_FRICTIONLESS : KAI_CONE_SMOOTH;
    if (sort == KAI_CONE_COUPLED && p->couple != NULL) return KAI_CONE_COUPLED;
    if (lean && (sort == KAI_CONE_FRICTIONLESS || sort == KAI_CONE_SMOOTH)) return sort;
    if (lean && coulomb && alike) return sort;
    return grain ? KAI_CONE_GRAIN : KAI_CONE_GENERAL;
}

static kai_result place_runs(kai_cone* cone, const kai_cone_problem* p, bool extra, bool lean,
                             bool coulomb, kai_error* err)
{
    kai_cone_run* runs = cone->runs.data;
    size_t value = 0;
    for (size_t r = 0; r < cone->runs.count; r++) {
        const uint32_t kind = kind_now(p, runs[r].sort, lean, coulomb);
        runs[r].kind = kind;
        runs[r].rows = kai_cone_pack_rows(kind);
        if (extra)
            runs[r].rows +=
                kind == KAI_CONE_COUPLED ? KAI_CONE_EXTRA_ROWS_COUPLED : KAI_CONE_EXTRA_ROWS;
        runs[r].value = value;
        value += (size_t)runs[r].count * runs[r].rows * LANES;
    }
    return kai_array_reserve(&cone->values, cone->memory, value, err);
}

void kai_cone_pack_fill(const kai_cone* cone, const kai_cone_problem* problem,
                        const kai_cone_run* run, bool extra)
{
    const uint32_t* at = cone->contact_at.data;
    kai_cone_values_pack(problem, run, at + (size_t)run->first * LANES,
                         extra ? cone->masks.data : NULL, (double*)cone->values.data + run->value);
}

// How many contacts share a body; one with couples counts twice. In place of the colours.
typedef struct counting {
    kai_cone* cone;
    const kai_cone_problem* problem;
} counting;

static bool moves(const kai_cone_problem* p, uint32_t body)
{
    return body != KAI_CONE_NONE && kai_cone_values_moves(&p->motion[body]);
}

static void count_task(size_t t, void* context)
{
    const counting* c = context;
    const kai_cone_problem* p = c->problem;
    const kai_cone_task* task = (const kai_cone_task*)c->cone->tasks.data + t;
    const uint32_t* order = (const uint32_t*)c->cone->order.data + task->order;
    uint64_t* degree = c->cone->masks.data;
    for (uint32_t k = 0; k < task->ordered; k++) {
        const kai_cone_contact* at = &p->contacts[order[k]];
        const uint64_t weight = p->couple && (at->rolling > 0.0 || at->spinning > 0.0) ? 2 : 1;
        // Fixed bodies are in no task's block: what is counted there is not used.
        if (moves(p, at->a)) degree[at->a] += weight;
        if (moves(p, at->b)) degree[at->b] += weight;
    }
}

static kai_result count_contacts(kai_cone* cone, const kai_cone_problem* p, int threads,
                                 kai_error* err)
{
    counting c = {cone, p};
    memset(cone->masks.data, 0, p->body_count * sizeof(uint64_t));
    return kai_cone_schedule(cone, threads, 1, count_task, &c, err);
}

// Bodies -----------------------------------------------------------------------------------------

typedef struct copying {
    kai_cone_motion* to;
    const kai_cone_motion* from;
} copying;

static void copy_range(size_t begin, size_t end, void* context)
{
    const copying* c = context;
    memcpy(c->to + begin, c->from + begin, (end - begin) * sizeof *c->to);
}

void kai_cone_pack_copy(kai_cone_motion* to, const kai_cone_motion* from, size_t count, int threads)
{
    copying c = {to, from};
    kai_parallel_for(threads, count, BLOCK, copy_range, &c);
}

// All --------------------------------------------------------------------------------------------

kai_result kai_cone_pack(kai_cone* cone, const kai_cone_problem* problem, bool extra, bool lean,
                         bool coulomb, int threads, kai_error* err)
{
    if (problem->body_count > UINT32_MAX / 16)
        return kai_error_set(err, KAI_ERROR_LIMIT, "%zu bodies; at most %u", problem->body_count,
                             UINT32_MAX / 16);
    if (!problem->again || !cone->laid) KAI_TRY(kai_cone_layout(cone, problem, lean, threads, err));
    KAI_TRY(place_runs(cone, problem, extra, lean, coulomb, err));
    const size_t spare = 2 * cone->spare; // the ground and a sink for each owner of tasks
    KAI_TRY(kai_array_reserve(&cone->motion, cone->memory, problem->body_count + spare, err));
    kai_cone_motion* motion = cone->motion.data;
    cone->motion.count = problem->body_count + spare;
    kai_cone_pack_copy(motion, problem->motion, problem->body_count, threads);
    memset(motion + problem->body_count, 0, spare * sizeof *motion);
    return extra ? count_contacts(cone, problem, threads, err) : KAI_OK;
}

typedef struct reading {
    const kai_cone* cone;
    const kai_cone_problem* problem;
} reading;

static void read_task(size_t t, void* context)
{
    const reading* k = context;
    const kai_cone_task* task = (const kai_cone_task*)k->cone->tasks.data + t;
    const kai_cone_run* runs = k->cone->runs.data;
    const uint32_t* at = k->cone->contact_at.data;
    for (uint32_t r = task->first; r < task->end; r++)
        kai_cone_values_read(k->problem, &runs[r], at + (size_t)runs[r].first * LANES,
                             (const double*)k->cone->values.data + runs[r].value);
}

void kai_cone_pack_read(const kai_cone* cone, const kai_cone_problem* problem, int threads)
{
    reading k = {cone, problem};
    kai_cone_schedule_free(cone, threads, read_task, &k);
}
