// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Reads one value of any parameter type.
#ifndef SCENE_READER_VALUE_H
#define SCENE_READER_VALUE_H

#include "scene/reader.h"

/// Reads `node` into the field of a parameter. False when a problem was reported.
bool kai_reader_value(kai_reader* reader, const kai_document_node* node, const kai_param* param,
                      void* field);

#endif
