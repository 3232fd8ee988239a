// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Where the blocks of a matrix go: to be factorised (ldl.h), or only multiplied by (saddle.h).
#ifndef SOLVE_BLOCKS_H
#define SOLVE_BLOCKS_H

#include "solve/saddle.h"

typedef struct kai_blocks {
    kai_ldl* ldl;
    kai_saddle* saddle; // NULL: ldl
} kai_blocks;

/// See kai_ldl_clear.
static inline void kai_blocks_clear(const kai_blocks* blocks, int threads)
{
    if (blocks->saddle)
        kai_saddle_clear(blocks->saddle);
    else
        kai_ldl_clear(blocks->ldl, threads);
}

/// See kai_ldl_diagonal.
static inline double* kai_blocks_diagonal(const kai_blocks* blocks, uint32_t node)
{
    return blocks->saddle ? kai_saddle_diagonal(blocks->saddle, node)
                          : kai_ldl_diagonal(blocks->ldl, node);
}

/// See kai_ldl_block.
static inline double* kai_blocks_block(const kai_blocks* blocks, uint32_t edge, bool* flipped)
{
    return blocks->saddle ? kai_saddle_block(blocks->saddle, edge, flipped)
                          : kai_ldl_block(blocks->ldl, edge, flipped);
}

#endif
