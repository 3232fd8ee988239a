// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// How a force on a set of nodes is shared: by the area of faces whose nodes are all in the set,
// else by the length of such edges, else evenly.
#ifndef MODEL_STRUCTURE_FORCE_H
#define MODEL_STRUCTURE_FORCE_H

#include "model/structures/structure.h"

/// Shares of the nodes of a set, by index of their ids.
typedef struct kai_structure_force_shares {
    double* weight; // [size], one in all; negative: not in the set
    size_t size;
    double total; // area or length; zero: shared evenly
} kai_structure_force_shares;

/// Works out the shares of a set that exists; give them back.
kai_result kai_structure_force_share(kai_world* world, kai_structure structure, const char* set,
                                     kai_structure_force_shares* out);

/// Gives shares back.
void kai_structure_force_free(kai_world* world, const kai_structure_force_shares* shares);

#endif
