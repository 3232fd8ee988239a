// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The sections "bodies" and "particles".
#ifndef SCENE_BUILDER_BODIES_H
#define SCENE_BUILDER_BODIES_H

#include "scene/builder.h"

/// Makes all bodies with their shapes.
void kai_builder_bodies(kai_builder* builder, const kai_document_node* root);

/// Makes all particle groups from their tables.
void kai_builder_bodies_particles(kai_builder* builder, const kai_document_node* root);

#endif
