// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Names of objects: a hash table from text to id that owns the texts.
#ifndef BASE_NAMES_H
#define BASE_NAMES_H

#include "base/error.h"
#include "base/memory.h"

#include <kairos/id.h>
#include <stdbool.h>

typedef struct kai_names_entry {
    char* text; // NULL: free place
    kai_id id;
} kai_names_entry;

typedef struct kai_names {
    kai_memory* memory;
    kai_names_entry* entries; // [capacity], open addressing, capacity a power of two
    size_t capacity;
    size_t count;
} kai_names;

/// Longest name accepted, in bytes without the end.
#define KAI_NAMES_LONGEST 255

/// An empty table; allocates nothing.
void kai_names_init(kai_names* names, kai_memory* memory);

/// Adds a name. KAI_ERROR_NAME when it is taken, empty, too long or has control characters; `what`
/// is the kind of object for the message ("body"). `*text` receives the table's own copy, valid
/// until the name is removed; `text` may be NULL. The id must not be null. Also KAI_ERROR_MEMORY.
/// On failure nothing has changed.
kai_result kai_names_add(kai_names* names, const char* what, const char* name, kai_id id,
                         const char** text, kai_error* err);

/// The id of a name, null when there is none.
kai_id kai_names_find(const kai_names* names, const char* name);

/// Removes a name if it is there.
void kai_names_remove(kai_names* names, const char* name);

/// The known name most like `name`, the first in the alphabet of equals, or NULL when none is near:
/// for "did you mean".
const char* kai_names_nearest(const kai_names* names, const char* name);

/// Gives all memory back.
void kai_names_free(kai_names* names);

#endif
