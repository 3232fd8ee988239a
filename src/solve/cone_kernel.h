// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Loops over groups of contacts (cone_pack.h), one set a generation of CPUs. cone_kernel_loops.h
// has the code.
#ifndef SOLVE_CONE_KERNEL_H
#define SOLVE_CONE_KERNEL_H

#include "solve/cone_pack.h"

/// What a pass over contacts works with.
typedef struct kai_cone_pass {
    double* values;
    kai_cone_motion* motion;     // velocities
    const kai_cone_motion* from; // gradient: velocities that it is taken at; `motion` is added to
    bool associated;
    double relaxation; // psor
} kai_cone_pass;

/// What a pass may leave behind, one a task.
typedef struct kai_cone_sums {
    double worst;    // measure: largest residual
    double spoilt;   // measure: NaN where some residual is not finite
    double step_n;   // gradient: d·W d, d the step, W the weights
    double step_g;   // gradient: d·g
    double spare[4]; // one cache line
} kai_cone_sums;

typedef void kai_cone_loop(const kai_cone_pass* pass, const kai_cone_run* run, kai_cone_sums* sums);

typedef struct kai_cone_kernel {
    kai_cone_loop* sweep;   // each contact solved alone, its impulse applied at once
    kai_cone_loop* apply;   // motion += M⁻¹ D γ
    kai_cone_loop* measure; // residuals
} kai_cone_kernel;

// GCC on x86-64 makes all of them; others, the plain one.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define KAI_CONE_KERNEL_CPUS
extern const kai_cone_kernel kai_cone_kernel_v3; // AVX2
extern const kai_cone_kernel kai_cone_kernel_v4; // AVX-512
#endif

/// For this CPU.
const kai_cone_kernel* kai_cone_kernel_best(void);

#endif
