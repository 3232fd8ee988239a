// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The sections "solids", "nodes", "elements" and "structures".
#ifndef SCENE_BUILDER_STRUCTURES_H
#define SCENE_BUILDER_STRUCTURES_H

#include "scene/builder.h"

/// Makes them in that order; bodies are there already.
void kai_builder_structures(kai_builder* builder, const kai_document_node* root);

/// Reports nodes that have no mass, where nothing else is wrong: what was reported may hold them.
void kai_builder_structures_check(kai_builder* builder, const kai_document_node* root);

#endif
