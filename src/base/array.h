// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// A growable, aligned array of equal items. Owners keep typed pointers beside it or cast `data`.
#ifndef BASE_ARRAY_H
#define BASE_ARRAY_H

#include "base/error.h"
#include "base/memory.h"

typedef struct kai_array {
    void* data;      // [capacity * stride] bytes, 64-byte aligned; bytes past count are zero
    size_t count;    // items in use
    size_t capacity; // items there is room for
    size_t stride;   // bytes an item
} kai_array;

/// An empty array for items of `stride` bytes; allocates nothing.
kai_array kai_array_make(size_t stride);

/// Makes room for at least `capacity` items, growing by half so that appends are cheap. On failure
/// (KAI_ERROR_MEMORY, KAI_ERROR_LIMIT) no item has changed; an array without items may have lost
/// its room.
kai_result kai_array_reserve(kai_array* array, kai_memory* memory, size_t capacity, kai_error* err);

/// The same without the half: room for `capacity` items, and what fills a cache line.
kai_result kai_array_fit(kai_array* array, kai_memory* memory, size_t capacity, kai_error* err);

/// Sets the count; new items are zero.
kai_result kai_array_resize(kai_array* array, kai_memory* memory, size_t count, kai_error* err);

/// Appends `n` items copied from `items` (zero items when NULL).
kai_result kai_array_append(kai_array* array, kai_memory* memory, const void* items, size_t n,
                            kai_error* err);

/// The item at `index`; in debug builds the index is checked.
void* kai_array_at(const kai_array* array, size_t index);

/// Removes an item by moving the last one into its place.
void kai_array_swap_remove(kai_array* array, size_t index);

/// Gives all memory back and leaves an empty array of the same stride.
void kai_array_free(kai_array* array, kai_memory* memory);

#endif
