// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "base/array.h"

#include <stdbool.h>
#include <string.h>

kai_array kai_array_make(size_t stride)
{
    KAI_ASSERT(stride > 0);
    return (kai_array){.stride = stride};
}

static char* place(const kai_array* array, size_t index)
{
    return (char*)array->data + index * array->stride;
}

/// Items that the address space has room for.
static size_t most_of(const kai_array* array) { return (SIZE_MAX - KAI_ALIGNMENT) / array->stride; }

kai_result kai_array_fit(kai_array* array, kai_memory* memory, size_t capacity, kai_error* err)
{
    if (capacity <= array->capacity) return KAI_OK;
    if (capacity > most_of(array)) {
        return kai_error_set(err, KAI_ERROR_LIMIT,
                             "an array of %zu items of %zu bytes exceeds the address space",
                             capacity, array->stride);
    }
    const size_t bytes =
        (capacity * array->stride + KAI_ALIGNMENT - 1) & ~(size_t)(KAI_ALIGNMENT - 1);
    const size_t used = array->count * array->stride;
    // What is of no use goes first, unless it can grow.
    if (used == 0 && !kai_memory_grows(memory, array->capacity * array->stride))
        kai_array_free(array, memory);
    char* data = kai_memory_grow(memory, array->data, array->capacity * array->stride, used, bytes);
    if (data == NULL) {
        return kai_error_set(err, KAI_ERROR_MEMORY, "no memory for an array of %zu bytes", bytes);
    }
    memset(data + used, 0, bytes - used);
    array->data = data;
    array->capacity = bytes / array->stride;
    return KAI_OK;
}

kai_result kai_array_reserve(kai_array* array, kai_memory* memory, size_t capacity, kai_error* err)
{
    if (capacity <= array->capacity) return KAI_OK;
    // Half as much again keeps appends cheap.
    const size_t half_more = array->capacity + array->capacity / 2;
    const bool more = capacity < half_more && half_more <= most_of(array);
    return kai_array_fit(array, memory, more ? half_more : capacity, err);
}

kai_result kai_array_resize(kai_array* array, kai_memory* memory, size_t count, kai_error* err)
{
    KAI_TRY(kai_array_reserve(array, memory, count, err));
    // Bytes past count are kept zero, so growing needs no work here and shrinking does.
    if (count < array->count)
        memset(place(array, count), 0, (array->count - count) * array->stride);
    array->count = count;
    return KAI_OK;
}

kai_result kai_array_append(kai_array* array, kai_memory* memory, const void* items, size_t n,
                            kai_error* err)
{
    if (n > SIZE_MAX - array->count) {
        return kai_error_set(err, KAI_ERROR_LIMIT, "an array of %zu + %zu items is too long",
                             array->count, n);
    }
    // The items may lie in this very array, which growing moves.
    const uintptr_t source = (uintptr_t)items, start = (uintptr_t)array->data;
    const bool own =
        array->count > 0 && source >= start && source < start + array->count * array->stride;
    const size_t old_count = array->count;
    KAI_TRY(kai_array_resize(array, memory, array->count + n, err));
    if (own) items = (const char*)array->data + (source - start);
    if (items != NULL && n > 0) memmove(place(array, old_count), items, n * array->stride);
    return KAI_OK;
}

void* kai_array_at(const kai_array* array, size_t index)
{
    KAI_ASSERT(index < array->count);
    return place(array, index);
}

void kai_array_swap_remove(kai_array* array, size_t index)
{
    KAI_ASSERT(index < array->count);
    const size_t last = array->count - 1;
    if (index != last) memcpy(place(array, index), place(array, last), array->stride);
    memset(place(array, last), 0, array->stride);
    array->count = last;
}

void kai_array_free(kai_array* array, kai_memory* memory)
{
    kai_memory_release(memory, array->data, array->capacity * array->stride);
    *array = (kai_array){.stride = array->stride}; // of a world half made it may be 0
}
