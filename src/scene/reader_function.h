// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Reads functions of time: {KIND: BODY}, with further parameters beside KIND where BODY is its main
// one.
#ifndef SCENE_READER_FUNCTION_H
#define SCENE_READER_FUNCTION_H

#include "scene/reader.h"

/// Reads an object as a function and creates it in the world. False when a problem was reported.
bool kai_reader_function(kai_reader* reader, const kai_document_node* node, kai_function* out);

/// The parameter that a bare value stands for, NULL when the kind has none.
const kai_param* kai_reader_function_main(const kai_kind* kind);

/// True for an object of which some key is a parameter of the kind.
bool kai_reader_function_has_keys(const kai_document_node* node, const kai_kind* kind);

#endif
