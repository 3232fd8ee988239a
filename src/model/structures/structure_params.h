// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// What sets of structures are kept as.
#ifndef MODEL_STRUCTURE_PARAMS_H
#define MODEL_STRUCTURE_PARAMS_H

#include <kairos/structure.h>

/// What a set of nodes is kept as.
typedef struct kai_structure_set {
    kai_string name;
    kai_table nodes; // numbers in the mesh
} kai_structure_set;

#endif
