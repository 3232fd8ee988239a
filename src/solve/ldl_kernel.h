// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Dense loops of the fronts (ldl_fronts.h), one set a generation of CPUs. ldl_kernel_loops.h has
// the code.
//
// A front has pivots, which are eliminated, and rows below them, which change. Rows lie in strips
// of eight, the last strip of the pivots and the last one of the others filled up with zeros.
// Factors are stored strip by strip, pivot after pivot, eight rows each, so that products and
// solutions stream through them. While a front is eliminated it lies by columns.
//
//                  pivots
//     ┌─────────┐
//     │ d       │            strips of pivots
//     │ B d     │
//     ├─────────┼─────────┐
//     │ B       │ U       │  other strips: U loses B d⁻¹ Bᵀ and goes to the parent
//     │ B       │ U  U    │
//     └─────────┴─────────┘
//
// Pivots go in panels of KAI_LDL_PANEL: `diagonal` factorises the square of a panel, `rows` finds
// B below it, `products` takes B d⁻¹ Bᵀ from all that comes later. The last two work on ranges that
// threads can share: every number is the same sum in the same order whoever finds it.
#ifndef SOLVE_LDL_KERNEL_H
#define SOLVE_LDL_KERNEL_H

#include "base/cpu.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    KAI_LDL_STRIP = 8,  // rows of a strip
    KAI_LDL_PANEL = 64, // most pivots of a panel
};

/// A front at work.
typedef struct kai_ldl_work {
    uint32_t pivots;
    uint32_t pivot_strips, strips; // strips of pivots, and in all
    double* l;                     // [strips][pivots][8]: B, and the square above it
    double*
        panel; // [8 pivot_strips columns][8 strips rows]: columns of pivots before they are done
    double* update;         // [columns][rows], 8 (strips - pivot_strips) each: U
    double* scaled;         // [strips][KAI_LDL_PANEL][8]: B d⁻¹ of the present panel
    double* inverse;        // [8 pivot_strips]: 1 / d, 0 for what is left out
    const bool* constraint; // [pivots]
    double* scale; // [8 strips]: sums of b² / |d| so far, to judge pivots of constraints by; NULL
                   // where there are none to come
    double tolerance;
    uint32_t redundant; // grows by the pivots left out
    uint32_t bad;       // first bad pivot
} kai_ldl_work;

typedef struct kai_ldl_kernel {
    /// The square of the panel that begins at pivot `first`; false at a bad pivot.
    bool (*diagonal)(kai_ldl_work* work, uint32_t first);
    /// B of that panel in strips [begin, end), all below it.
    void (*rows)(const kai_ldl_work* work, uint32_t first, uint32_t begin, uint32_t end);
    /// Products of that panel, in strips of columns [begin, end) behind it.
    void (*products)(const kai_ldl_work* work, uint32_t first, uint32_t begin, uint32_t end);
    /// x [8 strips] := pivots d⁻¹ L⁻¹ x, and what they take from the rows below.
    void (*forward)(const kai_ldl_work* work, double* x);
    /// Pivots of x := L⁻ᵀ of them, for the rows below as they are.
    void (*backward)(const kai_ldl_work* work, double* x);
} kai_ldl_kernel;

extern const kai_ldl_kernel kai_ldl_kernel_v3; // AVX2
extern const kai_ldl_kernel kai_ldl_kernel_v4; // AVX-512

/// For this CPU.
const kai_ldl_kernel* kai_ldl_kernel_best(void);

/// Without what newer CPUs have; for comparison.
extern const kai_ldl_kernel kai_ldl_kernel_plain;

#endif
