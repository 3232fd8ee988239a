// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The section "outputs".
#ifndef SCENE_BUILDER_OUTPUTS_H
#define SCENE_BUILDER_OUTPUTS_H

#include "scene/builder.h"

/// Reads all outputs; keeps accelerations where one of them needs these.
void kai_builder_outputs(kai_builder* builder, const kai_document_node* root);

#endif
