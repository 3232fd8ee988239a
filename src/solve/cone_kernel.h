// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Loops over groups of contacts (cone_pack.h), one set a generation of CPUs. cone_kernel_loops.h
// has the code.
#ifndef SOLVE_CONE_KERNEL_H
#define SOLVE_CONE_KERNEL_H

#include "base/cpu.h"
#include "solve/cone_pack.h"

/// What a pass over contacts works with.
typedef struct kai_cone_pass {
    double* values;
    kai_cone_motion* motion; // velocities, read and written
    bool associated;
    bool prefetch;               // groups and bodies exceed the caches: prefetch them
    double relaxation;           // sweep
    double friction, compliance; // of contacts that are alike
    // gradient: from the point z = x + theta (y - x), x the extra rows and y the others
    const kai_cone_motion* from; // velocities at z; steps are added to `motion`
    double theta;
    double step; // in units of the masses of contacts
    bool keep;   // x becomes z, else y; y becomes the point that was found
} kai_cone_pass;

/// What a pass may leave behind, one a task.
typedef struct kai_cone_sums {
    double worst;    // measure: square of the largest residual
    double spoilt;   // prepare, measure: NaN where some number is not finite
    double length2;  // gradient, d the step from z: d·W d, W the weights (1 / masses)
    double slope;    // gradient: d·g
    double stretch;  // gradient: part of d·N d that compliance has
    double turn;     // gradient: d·W (new y - old y): negative where momentum leads astray
    double spare[2]; // one cache line
} kai_cone_sums;

typedef void kai_cone_loop(const kai_cone_pass* pass, const kai_cone_run* run, kai_cone_sums* sums);

typedef struct kai_cone_kernel {
    kai_cone_loop* prepare;  // masses, admissible guesses; motion += M⁻¹ D γ. To be called once
    kai_cone_loop* sweep;    // each contact solved alone, its impulse applied at once
    kai_cone_loop* apply;    // motion += M⁻¹ D γ
    kai_cone_loop* measure;  // residuals
    kai_cone_loop* gradient; // a projected step from z
    kai_cone_loop* mix;      // y becomes z
} kai_cone_kernel;

extern const kai_cone_kernel kai_cone_kernel_v3; // AVX2
extern const kai_cone_kernel kai_cone_kernel_v4; // AVX-512

/// For this CPU.
const kai_cone_kernel* kai_cone_kernel_best(void);

#endif
