// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// What the benchmark programs share: options, bars and joints, ceilings of the machine. A call that
// fails ends the program with its message.
#ifndef BENCH_COMMON_H
#define BENCH_COMMON_H

#include <kairos/joint.h>
#include <kairos/world.h>
#include <stdio.h>

/// Options of every program.
typedef struct common_options {
    FILE* csv;        // --csv FILE: receives every figure; NULL: none
    int size;         // --size N: only this size; 0: all
    int repetitions;  // --repetitions N
    const char* only; // --only WORD: only what is called so; NULL: all
    const char* file; // --file FILE: what to work on, where a program says so; NULL: its own
} common_options;

/// Reads the options; with --help, or a word that is none, ends the program.
common_options common_read_options(int argc, char** argv, const char* what);

/// Whether --only lets something of this name through.
bool common_wanted(const common_options* options, const char* name);

/// Ends the program when a call on the world failed.
void common_check(const kai_world* world, kai_result result);

/// A world with gravity and a fixed body, the ground.
kai_world* common_world(int threads, kai_vec3 gravity, kai_body* ground);

/// A bar of square section from one point of the plane z = 0 to another, 500 kg/m³.
kai_body common_bar(kai_world* world, kai_vec3 from, kai_vec3 to, double width);

/// A joint with its axis along z.
kai_joint common_joint(kai_world* world, const kai_joint_kind* kind, kai_body a, kai_body b,
                       kai_vec3 at);

/// Largest violation of all joints.
double common_gap(kai_world* world);

/// Takes steps.
void common_step(kai_world* world, double h, int count);

/// GB/s of a triad over arrays that fit in no cache, and GFLOP/s of fused multiply-adds, one
/// thread.
double common_triad(void);
double common_fma(void);

#endif
