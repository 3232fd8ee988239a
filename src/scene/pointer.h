// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Overrides: a JSON pointer (RFC 6901) and the value that goes there. Items of a list are found by
// index or, when they are objects with a "name", by that name.
#ifndef SCENE_POINTER_H
#define SCENE_POINTER_H

#include "scene/document.h"

/// Puts `value` where `pointer` leads, below `root`. Keys that are missing are added, as objects
/// within each other, unless the first of them is near to one that is there. KAI_ERROR_NAME, with
/// the reason in `err`, when it leads nowhere; nothing has changed then. `err` may be NULL.
/// KAI_ERROR_LIMIT when the overrides of the document are too much work.
kai_result kai_pointer_set(kai_document* document, kai_document_node* root, const char* pointer,
                           kai_document_node* value, kai_error* err);

/// Applies "/pointer=value" as --set gives it. Problems are reported as "--set /pointer=value: …".
void kai_pointer_apply(kai_document* document, kai_document_node* root, const char* set,
                       kai_problems* problems);

#endif
