// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Each front has a vector of its own: what its rows below lose goes to the parent with it, so that
// subtrees share nothing on the way up. On the way down they only read what is above them.
#include "solve/ldl.h"
#include "solve/ldl_kernel.h"

#include <stdatomic.h>
#include <string.h>

enum { NONE = UINT32_MAX, S = KAI_LDL_STRIP };

typedef struct solve_context {
    const kai_ldl* ldl;
    const kai_ldl_kernel* kernel;
    double* x;
    atomic_uint task; // next one to take
} solve_context;

static void forward_front(const solve_context* s, uint32_t index)
{
    const kai_ldl_fronts* f = &s->ldl->fronts;
    const kai_ldl_front *fronts = f->fronts.data, *front = &fronts[index];
    const uint32_t* row = (const uint32_t*)f->rows.data + front->row;
    const kai_ldl_work w = kai_ldl_fronts_open(s->ldl, front);
    double* y = (double*)f->vector.data + front->vector;
    for (uint32_t k = 0; k < front->pivots; k++) y[k] = s->x[row[k]];
    memset(y + front->pivots, 0, (front->strips * S - front->pivots) * sizeof *y);
    for (uint32_t c = front->child; c != NONE; c = fronts[c].next) {
        const double* from =
            (const double*)f->vector.data + fronts[c].vector + fronts[c].pivot_strips * S;
        const kai_ldl_run* run = (const kai_ldl_run*)f->runs.data + fronts[c].run;
        for (uint32_t i = 0; i < fronts[c].run_count; i++, run++)
            for (uint32_t k = 0; k < run->count; k++) y[run->to + k] += from[run->from + k];
    }
    s->kernel->forward(&w, y);
}

static void backward_front(const solve_context* s, uint32_t index)
{
    const kai_ldl_fronts* f = &s->ldl->fronts;
    const kai_ldl_front* front = (const kai_ldl_front*)f->fronts.data + index;
    const uint32_t *row = (const uint32_t*)f->rows.data + front->row, *below = row + front->pivots;
    const kai_ldl_work w = kai_ldl_fronts_open(s->ldl, front);
    double *y = (double*)f->vector.data + front->vector, *rest = y + front->pivot_strips * S;
    for (uint32_t k = 0; k < front->rows; k++) rest[k] = s->x[below[k]];
    s->kernel->backward(&w, y);
    for (uint32_t k = 0; k < front->pivots; k++) s->x[row[k]] = y[k];
}

static void forward_tasks(size_t begin, size_t end, void* context)
{
    (void)begin, (void)end;
    solve_context* s = context;
    const kai_ldl_fronts* f = &s->ldl->fronts;
    const kai_ldl_front* fronts = f->fronts.data;
    atomic_uint* pending = f->pending.data;
    for (uint32_t t; (t = atomic_fetch_add(&s->task, 1)) < f->tasks.count;) {
        const kai_ldl_task* task = (const kai_ldl_task*)f->tasks.data + t;
        for (uint32_t i = task->begin; i < task->end; i++) {
            forward_front(s, i);
            // Whoever does the last child of a front of the middle does the front.
            for (uint32_t up = fronts[i].parent; up != NONE && fronts[up].part == KAI_LDL_MIDDLE &&
                                                 atomic_fetch_sub(&pending[up], 1) == 1;
                 up = fronts[up].parent)
                forward_front(s, up);
        }
    }
}

static void backward_branches(size_t begin, size_t end, void* context)
{
    (void)begin, (void)end;
    solve_context* s = context;
    const kai_array* branches = &s->ldl->fronts.branches;
    for (uint32_t t; (t = atomic_fetch_add(&s->task, 1)) < branches->count;) {
        const kai_ldl_task* branch = (const kai_ldl_task*)branches->data + t;
        for (uint32_t i = branch->end; i-- > branch->begin;) backward_front(s, i);
    }
}

void kai_ldl_fronts_solve(const kai_ldl* ldl, int threads, double* x)
{
    const kai_ldl_fronts* f = &ldl->fronts;
    const uint32_t* top = f->top.data;
    solve_context s = {.ldl = ldl, .kernel = kai_ldl_kernel_best(), .x = x};
    if (threads < 1) threads = 1;
    kai_ldl_fronts_begin(ldl);
    kai_parallel_for(threads, (size_t)threads, 1, forward_tasks, &s);
    for (size_t k = 0; k < f->top.count; k++) forward_front(&s, top[k]);
    for (size_t k = f->top.count; k-- > 0;) backward_front(&s, top[k]);
    atomic_store(&s.task, 0);
    kai_parallel_for(threads, (size_t)threads, 1, backward_branches, &s);
}
