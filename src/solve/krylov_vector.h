// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Vectors of Krylov methods, on threads. A reduction adds up one partial result a block of
// KAI_KRYLOV_VECTOR_BLOCK entries, in order of the blocks.
#ifndef SOLVE_KRYLOV_VECTOR_H
#define SOLVE_KRYLOV_VECTOR_H

#include "base/parallel.h"
#include "base/stop.h"
#include "solve/krylov.h"

enum { KAI_KRYLOV_VECTOR_BLOCK = 2048 };

/// The i-th vector of the workspace.
static inline double* kai_krylov_vector_at(const kai_krylov* work, size_t i)
{
    return (double*)work->vectors.data + i * work->stride;
}

/// Calls fn for every block of entries and adds up its `width` sums.
void kai_krylov_vector_sum(const kai_krylov* work, kai_sum_fn* fn, void* context, size_t width,
                           double* out);

/// a · b
double kai_krylov_vector_dot(const kai_krylov* work, const double* a, const double* b);

/// |a|
double kai_krylov_vector_norm(const kai_krylov* work, const double* a);

/// out := s a + t b; b may be NULL, and out one of them.
void kai_krylov_vector_combine(const kai_krylov* work, double* out, double s, const double* a,
                               double t, const double* b);

/// Whether a cycle is to end because a stop is asked for; notes it there.
static inline bool kai_krylov_vector_stopped(kai_krylov_cycle* cycle)
{
    if (!kai_stop_asked(cycle->options->stop)) return false;
    cycle->end = KAI_KRYLOV_STOPPED;
    return true;
}

#endif
