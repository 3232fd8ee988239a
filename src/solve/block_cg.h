// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Large symmetric positive definite systems A x = b, where A is a sum of small dense matrices
// (those of finite elements), by conjugate gradients.
//
// Unknowns are *vectors* of three numbers; vectors in a row make a *node*. A *cell* adds a dense
// matrix over some vectors. With D = C Cᵀ the diagonal blocks of 3 × 3,
//
//     A = C (L + I + Lᵀ) Cᵀ       P = (I + L) (I + L)ᵀ: symmetric Gauss-Seidel
//     Â = (I + L)⁻¹ (L + I + Lᵀ) (I + L)⁻ᵀ,   Â p = t + (I + L)⁻¹ (p - t),   t = (I + L)⁻ᵀ p
//
// Iterations work on Â, whose product costs no more than one of A (Eisenstat, SIAM J. Sci. Stat.
// Comput. 2, 1981). Nodes have colours, so that no two of a colour are coupled: those of a colour
// are done side by side, colour after colour, with the same bits for any number of threads.
//
// Cells add to blocks of double precision, one for each pair of vectors. Blocks and vectors of the
// iterations are of single precision: what they cost is bytes. A cycle of them improves x by the
// residual b - A x that the blocks of double precision give; cycle after cycle that residual goes
// to rounding.
//
// L has each block once, by columns of L: what a place tells those after it. Going back they come
// row by row as they lie in memory; going forth they are looked up, and most are still in a cache
// nearby. Bytes: 72 a pair for A, and in an iteration 48 a pair and 156 a vector.
#ifndef SOLVE_BLOCK_CG_H
#define SOLVE_BLOCK_CG_H

#include "base/array.h"
#include "solve/krylov.h"

/// What kai_block_cg_analyze is told.
typedef struct kai_block_cg_shape {
    uint32_t nodes;
    const uint32_t* first;   // [nodes + 1]: first vector of each
    const uint8_t* fixed;    // [vectors]: bit k: number k of the vector is none of the system
    uint32_t cells;          // how many
    const uint32_t* begin;   // [cells + 1]: first vector of each in `members`
    const uint32_t* members; // vectors of all cells
    const uint32_t* order;   // [cells]: in which they will be added where they share a vector
} kai_block_cg_shape;

#define KAI_BLOCK_CG_SOON 64 ///< blocks by which those of the lower triangle are asked for ahead

/// One triangle of the matrix, row by row in order of the iterations.
typedef struct kai_block_cg_half {
    kai_array first;  // uint32_t [vectors + 1]
    kai_array column; // uint32_t: places
    kai_array source; // uint32_t: twice the block, and 1 where it is to be transposed
    kai_array
        transpose; // uint32_t: of the lower one alone, the number of the block in the upper one;
                   // KAI_BLOCK_CG_SOON zeros follow
} kai_block_cg_half;

typedef struct kai_block_cg {
    kai_memory* memory;
    uint32_t nodes, vectors;
    kai_array place;      // uint32_t [vectors]: of a vector in the order of the iterations
    kai_array vector_at;  // uint32_t [vectors]: the vector in a place
    kai_array node_first; // uint32_t [nodes + 1]: first place of each node in that order
    kai_array colours;    // uint32_t [colours + 1]: first node of each
    kai_array fixed;      // uint8_t [vectors]
    kai_array cell_first; // uint32_t [cells + 1]: in `slots`
    kai_array slots;  // uint32_t: of each pair a ≤ b of a cell, four times the block, 2 for the
                      // first that writes it, 1 where it is to be transposed; UINT32_MAX: no block
    kai_array counts; // uint8_t [cells]: vectors of each
    kai_array blocks; // double [9 a block, and a few]: diagonal ones, then pairs a < b by rows of a
    kai_block_cg_half half[2]; // lower, upper
    kai_array value;           // float [9 a block, and a few]: the upper triangle Lᵀ, by columns
    kai_array scale;           // float [9 a vector, and a few]: C⁻¹, by columns
    kai_array vector;          // float: p, t, w, r, x of the iterations
    kai_array residual;        // double [3 vectors]: residual, x before a cycle, guess, its product
    bool guessed;              // there is a guess
    kai_array partial;         // double: sums of blocks of work
} kai_block_cg;

/// An empty system; allocates nothing.
void kai_block_cg_init(kai_block_cg* d, kai_memory* memory);

/// Colours nodes and lays out the memory.
kai_result kai_block_cg_analyze(kai_block_cg* d, const kai_block_cg_shape* shape, kai_error* err);

/// Adds the matrix of a cell, by rows, `stride` from one to the next; its upper triangle counts.
/// All cells are added before each kai_block_cg_fill, those that share a vector in the order told.
void kai_block_cg_add(const kai_block_cg* d, size_t cell, const double* matrix, size_t stride);

/// Finds what the iterations need. `more` [vectors] is added to all three numbers on the diagonal,
/// here and below. `guess` (may be NULL): the x that kai_block_cg_solve will begin with, as far as
/// is known; its product is found on the way. False when a diagonal block is not positive definite;
/// `*vector` names the first one.
bool kai_block_cg_fill(kai_block_cg* d, const double* more, const double* guess, int threads,
                       uint32_t* vector);

/// y := A x; numbers that are fixed stay as they are, and must be zero where others are not to see
/// them.
void kai_block_cg_apply(const kai_block_cg* d, const double* more, int threads, const double* x,
                        double* y);

/// Solves A x = b from the guess x; both have zeros where numbers are fixed. KAI_KRYLOV_INDEFINITE
/// when A proves not to be positive definite; KAI_KRYLOV_STAGNATED where single precision is too
/// little; KAI_KRYLOV_STOPPED, when x is of no use.
void kai_block_cg_solve(kai_block_cg* d, const double* more, const kai_krylov_options* options,
                        const double* b, double* x, kai_krylov_result* result);

/// Gives all memory back.
void kai_block_cg_free(kai_block_cg* d);

// Iterations (block_cg_cycle.c) ------------------------------------------------------------------

/// Improves x by what `goal` |r| leaves of the residual r; returns the iterations made, `limit` at
/// most. `size`: |C⁻¹ r|.
uint32_t kai_block_cg_cycle(kai_block_cg* d, const double* r, double size, double goal,
                            uint32_t limit, const kai_krylov_options* options, double* x,
                            kai_krylov_breakdown* end);

/// |C⁻¹ r|² of vector v.
static inline double kai_block_cg_square(const kai_block_cg* d, size_t v, const double* r)
{
    const float* m = (const float*)d->scale.data + 9 * (size_t)((const uint32_t*)d->place.data)[v];
    const double a = (double)m[0] * r[0], b = (double)m[1] * r[0] + (double)m[4] * r[1],
                 c = (double)m[2] * r[0] + (double)m[5] * r[1] + (double)m[8] * r[2];
    return a * a + b * b + c * c;
}

/// y := P⁻¹ x, to single precision; zero where numbers are fixed and x is.
void kai_block_cg_cycle_precondition(kai_block_cg* d, int threads, const double* x, double* y);

#endif
