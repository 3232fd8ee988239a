// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "base/simd.h"
#include "base/stop.h"
#include "solve/ldl.h"
#include "solve/ldl_kernel.h"

#include <stdatomic.h>
#include <string.h>

enum { NONE = UINT32_MAX, S = KAI_LDL_STRIP };
enum { COLUMNS = 4 }; // strips of columns that a thread takes at once

/// What a factorisation shares.
typedef struct factor_context {
    kai_ldl* ldl;
    const kai_ldl_kernel* kernel;
    double tolerance;
    int threads;
    atomic_uint task;      // next one to take
    atomic_uint bad;       // first bad pivot, in `owner`
    atomic_uint redundant; // rows left out
    atomic_uint stopped;   // 1: a stop was asked for
} factor_context;

// Assembly ---------------------------------------------------------------------------------------

/// Where a local column begins, so that local rows count from there.
KAI_INLINE double* column_of(const kai_ldl_work* w, uint32_t column)
{
    const uint32_t pivots = w->pivot_strips * S;
    const size_t rows = (size_t)w->strips * S;
    if (column < pivots) return w->panel + column * rows;
    return w->update + (column - pivots) * (rows - pivots) - pivots;
}

/// Adds what a child leaves to columns [begin, end).
KAI_CLONES
static void add_child(const kai_ldl_work* w, const double* update, size_t ld,
                      const kai_ldl_run* runs, uint32_t run_count, uint32_t begin, uint32_t end)
{
    for (uint32_t i = 0; i < run_count && runs[i].to < end; i++) {
        if (runs[i].to + runs[i].count <= begin) continue;
        uint32_t q = runs[i].to < begin ? begin - runs[i].to : 0;
        for (; q < runs[i].count && runs[i].to + q < end; q++) {
            const double* from = update + (runs[i].from + q) * ld;
            double* to = column_of(w, runs[i].to + q);
            uint32_t skip = q; // rows above the diagonal
            for (uint32_t j = i; j < run_count; j++, skip = 0) {
                const double* restrict x = from + runs[j].from + skip;
                double* restrict y = to + runs[j].to + skip;
                const uint32_t count = runs[j].count - skip;
#pragma omp simd
                for (uint32_t k = 0; k < count; k++) y[k] += x[k];
            }
        }
    }
}

/// Local columns [begin, end) of a front, both multiples of eight, from the matrix and the
/// children.
static void assemble(const kai_ldl* ldl, const kai_ldl_front* front, const kai_ldl_work* w,
                     uint32_t begin, uint32_t end)
{
    const kai_ldl_fronts* f = &ldl->fronts;
    const kai_ldl_front* fronts = f->fronts.data;
    const uint32_t rows = w->strips * S;
    for (uint32_t c = begin; c < end; c++)
        memset(column_of(w, c) + c / S * S, 0, (rows - c / S * S) * sizeof(double));
    const kai_ldl_piece* piece = (const kai_ldl_piece*)f->pieces.data + front->piece;
    for (uint32_t i = 0; i < front->piece_count; i++, piece++) {
        if (piece->column >= end || piece->column + piece->rows <= begin) continue;
        for (uint32_t r = 0; r < piece->rows; r++) {
            if (piece->column + r < begin || piece->column + r >= end) continue;
            const double* from = (const double*)ldl->values.data + piece->from + r * KAI_LDL_WIDTH;
            double* to = column_of(w, piece->column + r) + piece->row;
            for (uint32_t k = piece->diagonal ? r : 0; k < piece->across; k++) to[k] += from[k];
        }
    }
    for (uint32_t c = front->child; c != NONE; c = fronts[c].next)
        add_child(w, (const double*)f->work.data + fronts[c].update,
                  (size_t)(fronts[c].strips - fronts[c].pivot_strips) * S,
                  (const kai_ldl_run*)f->runs.data + fronts[c].run, fronts[c].run_count, begin,
                  end);
}

/// The sums that pivots of constraints are judged by.
static void gather_scale(const kai_ldl* ldl, const kai_ldl_front* front, const kai_ldl_work* w)
{
    if (!w->scale) return;
    const kai_ldl_fronts* f = &ldl->fronts;
    const kai_ldl_front* fronts = f->fronts.data;
    memset(w->scale, 0, (size_t)w->strips * S * sizeof(double));
    for (uint32_t c = front->child; c != NONE; c = fronts[c].next) {
        if (!fronts[c].constraints) continue;
        const size_t rows = (size_t)(fronts[c].strips - fronts[c].pivot_strips) * S;
        const double* from = (const double*)f->work.data + fronts[c].update + rows * rows;
        const kai_ldl_run* run = (const kai_ldl_run*)f->runs.data + fronts[c].run;
        for (uint32_t i = 0; i < fronts[c].run_count; i++, run++)
            for (uint32_t k = 0; k < run->count; k++) w->scale[run->to + k] += from[run->from + k];
    }
}

/// After the last pivot: what others ask for.
static void close_front(const kai_ldl* ldl, const kai_ldl_front* front, const kai_ldl_work* w)
{
    const uint32_t* row = (const uint32_t*)ldl->fronts.rows.data + front->row;
    for (uint32_t k = 0; k < w->pivots; k++) ((double*)ldl->inverse.data)[row[k]] = w->inverse[k];
    if (!w->scale) return;
    const size_t rows = (size_t)(w->strips - w->pivot_strips) * S;
    memcpy(w->update + rows * rows, w->scale + (size_t)w->pivot_strips * S, rows * sizeof(double));
}

// One front --------------------------------------------------------------------------------------

/// Whether a stop is asked for; all threads see it then.
static bool is_stopped(factor_context* x)
{
    if (!kai_stop_asked(x->ldl->stop)) return false;
    atomic_store(&x->stopped, 1);
    return true;
}

static bool factor_alone(factor_context* x, const kai_ldl_front* front, kai_ldl_work* w)
{
    assemble(x->ldl, front, w, 0, w->strips * S);
    gather_scale(x->ldl, front, w);
    for (uint32_t first = 0; first < w->pivots; first += KAI_LDL_PANEL) {
        if (is_stopped(x) || !x->kernel->diagonal(w, first)) return false;
        uint32_t below = (first + KAI_LDL_PANEL) / S;
        if (below > w->pivot_strips) below = w->pivot_strips;
        x->kernel->rows(w, first, below, w->strips);
        x->kernel->products(w, first, below, w->strips);
    }
    return true;
}

/// A front that all threads share.
typedef struct shared_front {
    const factor_context* x;
    const kai_ldl_front* front;
    kai_ldl_work* w;
    uint32_t first, below; // of the panel: its pivots, and the strips behind it
    uint32_t block;        // strips that a thread takes at once
    atomic_uint next;      // strip to take
} shared_front;

static bool take(shared_front* s, uint32_t* begin, uint32_t* end)
{
    *begin = atomic_fetch_add(&s->next, s->block);
    *end = *begin + s->block < s->w->strips ? *begin + s->block : s->w->strips;
    return *begin < s->w->strips;
}

static void assemble_share(size_t begin, size_t end, void* context)
{
    (void)begin, (void)end;
    shared_front* s = context;
    for (uint32_t first, last; take(s, &first, &last);)
        assemble(s->x->ldl, s->front, s->w, first * S, last * S);
}

static void rows_share(size_t begin, size_t end, void* context)
{
    (void)begin, (void)end;
    shared_front* s = context;
    for (uint32_t first, last; take(s, &first, &last);)
        s->x->kernel->rows(s->w, s->first, first, last);
}

static void products_share(size_t begin, size_t end, void* context)
{
    (void)begin, (void)end;
    shared_front* s = context;
    for (uint32_t first, last; take(s, &first, &last);)
        s->x->kernel->products(s->w, s->first, first, last);
}

static void share(shared_front* s, uint32_t from, kai_range_fn* fn)
{
    const size_t threads = (size_t)s->x->threads;
    atomic_store(&s->next, from);
    kai_parallel_for(s->x->threads, threads, 1, fn, s);
}

static bool factor_together(factor_context* x, const kai_ldl_front* front, kai_ldl_work* w)
{
    shared_front s = {.x = x, .front = front, .w = w, .block = COLUMNS};
    share(&s, 0, assemble_share);
    gather_scale(x->ldl, front, w);
    for (uint32_t first = 0; first < w->pivots; first += KAI_LDL_PANEL) {
        if (is_stopped(x) || !x->kernel->diagonal(w, first)) return false;
        s.first = first;
        s.below = (first + KAI_LDL_PANEL) / S;
        if (s.below > w->pivot_strips) s.below = w->pivot_strips;
        share(&s, s.below, rows_share);
        share(&s, s.below, products_share);
    }
    return true;
}

/// One front; false when it has a bad pivot.
static bool factor_front(factor_context* x, uint32_t index, bool together)
{
    const kai_ldl_front* front = (const kai_ldl_front*)x->ldl->fronts.fronts.data + index;
    kai_ldl_work w = kai_ldl_fronts_open(x->ldl, front);
    w.tolerance = x->tolerance;
    const bool fine = together ? factor_together(x, front, &w) : factor_alone(x, front, &w);
    if (fine) {
        close_front(x->ldl, front, &w);
        if (w.redundant > 0) atomic_fetch_add(&x->redundant, w.redundant);
        return true;
    }
    if (atomic_load(&x->stopped)) return false;
    // Every task gets as far as it can, so the first bad pivot of all is always found.
    const unsigned bad = front->pivot + w.bad;
    unsigned seen = atomic_load(&x->bad);
    while (bad < seen && !atomic_compare_exchange_weak(&x->bad, &seen, bad)) {}
    return false;
}

// All fronts -------------------------------------------------------------------------------------

/// Fronts of the middle whose last child has just been done, from `index` on upwards.
static void climb(factor_context* x, uint32_t index)
{
    const kai_ldl_front* fronts = x->ldl->fronts.fronts.data;
    atomic_uint* pending = x->ldl->fronts.pending.data;
    while (index != NONE && fronts[index].part == KAI_LDL_MIDDLE &&
           atomic_fetch_sub(&pending[index], 1) == 1 && factor_front(x, index, false))
        index = fronts[index].parent;
}

static void factor_tasks(size_t begin, size_t end, void* context)
{
    (void)begin, (void)end;
    factor_context* x = context;
    const kai_ldl_front* fronts = x->ldl->fronts.fronts.data;
    const kai_array* tasks = &x->ldl->fronts.tasks;
    for (uint32_t t; (t = atomic_fetch_add(&x->task, 1)) < tasks->count;) {
        const kai_ldl_task* task = (const kai_ldl_task*)tasks->data + t;
        for (uint32_t i = task->begin; i < task->end && factor_front(x, i, false); i++)
            climb(x, fronts[i].parent);
    }
}

bool kai_ldl_fronts_factor(kai_ldl* ldl, int threads, double tolerance, uint32_t* node)
{
    const kai_ldl_fronts* f = &ldl->fronts;
    const uint32_t* top = f->top.data;
    factor_context x = {.ldl = ldl,
                        .kernel = kai_ldl_kernel_best(),
                        .tolerance = tolerance,
                        .threads = threads > 1 ? threads : 1,
                        .bad = UINT32_MAX};
    kai_ldl_fronts_begin(ldl);
    kai_parallel_for(x.threads, (size_t)x.threads, 1, factor_tasks, &x);
    for (size_t k = 0; k < f->top.count && atomic_load(&x.bad) == UINT32_MAX; k++)
        if (!factor_front(&x, top[k], x.threads > 1)) break;
    if (atomic_load(&x.stopped)) {
        *node = KAI_LDL_STOPPED;
        return false;
    }
    const uint32_t bad = atomic_load(&x.bad);
    if (bad != UINT32_MAX) {
        *node = ((const uint32_t*)f->owner.data)[bad];
        return false;
    }
    ldl->redundant = atomic_load(&x.redundant);
    return true;
}
