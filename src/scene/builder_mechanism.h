// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The sections "joints", "motors", "forces", "shafts" and "driveline".
#ifndef SCENE_BUILDER_MECHANISM_H
#define SCENE_BUILDER_MECHANISM_H

#include "scene/builder.h"

/// Makes all joints, then motors, then other loads; the later ones may refer to joints by name.
void kai_builder_mechanism(kai_builder* builder, const kai_document_node* root);

#endif
