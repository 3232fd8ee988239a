// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// What moves on a page, and in which order: all bodies that are no particles, then particles group
// by group. Groups of balls come last: nobody sees a ball turn, so they have no rotations.
#ifndef VIEW_MOVERS_H
#define VIEW_MOVERS_H

#include "model/world.h"

typedef struct kai_movers {
    size_t count, rotated; // movers, and how many have a rotation: the first ones
    size_t bodies;         // that are no particles: the first ones
    uint32_t* id;          // [count] id index of each mover's body: slots may change
    uint32_t* of_id;       // [id_count] mover of a body's id index; UINT32_MAX: none
    size_t id_count;       // 1 + largest id index
    uint32_t* groups;      // [group_count] index of the groups in their order
    size_t group_count;    // particle groups
    size_t turned;         // 1 + last row, in the order of ids, of a mover that has a rotation
} kai_movers;

/// Finds the movers of a world.
kai_result kai_movers_make(kai_movers* movers, const kai_world* world, kai_error* err);

/// Where the movers are now: positions [count][3] and rotations [rotated][4] w x y z. Those of
/// bodies that are gone are not written.
void kai_movers_gather(const kai_movers* movers, const kai_world* world, double* position,
                       double* rotation);

/// The body of a mover; null when it is gone.
kai_body kai_movers_body(const kai_movers* movers, const kai_world* world, size_t mover);

/// Smallest and largest size of a shape with bounds, m; 0 0 when there is none.
void kai_movers_sizes(const kai_world* world, double* least, double* most);

/// Gives the memory back.
void kai_movers_free(kai_movers* movers);

#endif
