// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The children of an object in the order of their keys, for objects that are asked often: templates,
// and what instances connect.
#ifndef SCENE_KEYED_H
#define SCENE_KEYED_H

#include "scene/document.h"

typedef struct kai_keyed {
    const kai_document_node** list; // [count]
    size_t count;
} kai_keyed;

/// Sorts the children of an object; of anything else there are none. The list is the document's, and
/// empty when memory ran out.
kai_keyed kai_keyed_of(kai_document* document, const kai_document_node* object);

/// The child of a key of `length` bytes, NULL when there is none.
const kai_document_node* kai_keyed_find(const kai_keyed* keyed, const char* key, size_t length);

#endif
