// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Solutions with the factors of small systems (ldl.h). Such a solution is not a matter of memory
// but of waiting: each column needs the one before, so what counts is how many instructions stand
// between them, and whether those of the next branch of the tree fit in beside them. Unknowns lie in
// rows of their own of eight numbers, so that all that is added to them is a vector, and blocks have a
// transposed copy for the way back. Sums are those of ldl.c, in the same order.
#ifndef SOLVE_LDL_SMALL_H
#define SOLVE_LDL_SMALL_H

#include "base/cpu.h"
#include "solve/ldl.h"

/// Most columns, and blocks below the diagonal.
enum { KAI_LDL_SMALL_COLUMNS = 96, KAI_LDL_SMALL_BLOCKS = 640 };

/// Numbers of a transposed block.
enum { KAI_LDL_SMALL_BLOCK = KAI_LDL_WIDTH * KAI_LDL_WIDTH };

/// Room for transposed blocks, or none where the layout is not that of a small system.
kai_result kai_ldl_small_lay(kai_ldl* ldl, kai_error* err);

/// The transposed copy of a block of `n` rows and `m` columns, place `reach`.
static inline void kai_ldl_small_turn(const kai_ldl* ldl, size_t reach, int n, int m,
                                      const double* block)
{
    double* out = (double*)ldl->turned.data + KAI_LDL_SMALL_BLOCK * reach;
    for (int r = 0; r < m; r++)
        for (int p = 0; p < n; p++) out[r * KAI_LDL_WIDTH + p] = block[p * KAI_LDL_WIDTH + r];
}

/// A chunk at work.
typedef struct kai_ldl_small {
    const kai_ldl_column* columns;
    const kai_ldl_reach* reach;
    const uint32_t* first_row;
    const bool* idle;
    const double *values, *turned, *inverse;
    double* rows; // of column 0: [KAI_LDL_WIDTH] each; beyond a node's rows: zero
} kai_ldl_small;

/// Forward and back over columns [begin, end), by generation of CPUs.
typedef void kai_ldl_small_fn(const kai_ldl_small* chunk, uint32_t begin, uint32_t end);
kai_ldl_small_fn kai_ldl_small_v3_rows; // AVX2
kai_ldl_small_fn kai_ldl_small_v4_rows; // AVX-512

/// kai_ldl_chunk_solve, where ldl->turned is there.
void kai_ldl_small_solve(const kai_ldl* ldl, uint32_t begin, uint32_t end, double* x);

#endif
