// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Shapes that are made of files.
#ifndef SCENE_BUILDER_SHAPES_H
#define SCENE_BUILDER_SHAPES_H

#include "scene/builder.h"

/// Reads the file that a shape of kind hull, mesh or heightfield names into its instance; other
/// kinds are left alone. False after a report.
bool kai_builder_shapes_load(kai_builder* builder, const kai_document_node* node,
                             const kai_shape_kind* kind, void* instance);

#endif
