// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The state of a world, in the layout and the precision of a trajectory's datasets.
#ifndef RECORD_TRAJECTORY_GATHER_H
#define RECORD_TRAJECTORY_GATHER_H

#include <kairos/world.h>
#include <stdbool.h>

/// Where the numbers of all bodies go: double where `doubles`, else float. A column that is NULL is
/// left out.
typedef struct kai_trajectory_gather {
    bool doubles;
    const uint32_t* slot; // [count] of the body of each row; NULL: row i is slot i
    void* position;       // [count][3] origin of the body's own frame, m
    void* rotation;       // [count][4] w x y z, body to world
    void* velocity;       // [count][3] of that origin, world frame, m/s
    const void* still;    // [count][4] rotations to compare with
    bool alike;           // all of these are equal: only the first is read
} kai_trajectory_gather;

/// Gathers on the world's threads. True when a rotation is not, bit by bit, the one in `still`.
bool kai_trajectory_gather_world(const kai_trajectory_gather* gather, const kai_world* world);

/// Index of each row's id, [count].
void kai_trajectory_gather_ids(const kai_world* world, const uint32_t* slot, uint32_t* id);

#endif
