// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The outer faces of a structure.
#ifndef MODEL_STRUCTURE_FACES_H
#define MODEL_STRUCTURE_FACES_H

#include "model/structures/structure.h"

/// A face, or a line of two nodes.
typedef struct kai_structure_faces_item {
    uint32_t key[4];   ///< indices of its nodes, smallest first, zeros behind
    kai_node nodes[4]; ///< or bodies; as the face goes round
    uint32_t count;
    kai_element element; ///< that it belongs to
} kai_structure_faces_item;

/// Appends faces to `out`, sorted by key, without those that two cells share. `inside`
/// [size]: only faces whose nodes are all in it, by index of their ids; NULL: all.
kai_result kai_structure_faces_find(kai_world* world, kai_structure structure,
                                    const uint8_t* inside, size_t size, kai_array* out);

#endif
