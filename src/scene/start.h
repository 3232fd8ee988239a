// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// "start": a scene begins with the state of a saved world.
#ifndef SCENE_START_H
#define SCENE_START_H

#include "scene/builder.h"

/// The keys of "start".
typedef struct kai_start_keys {
    kai_string file;
    bool keep_time;
} kai_start_keys;

/// Their description.
extern const kai_kind kai_start_kind;

/// Gives the builder's world, which is whole, the state that the scene or `def` asks for; problems
/// are reported. `model`: hash of what the world is made of.
void kai_start_apply(kai_builder* builder, const kai_document_node* root, const kai_scene_def* def,
                     uint64_t model);

#endif
