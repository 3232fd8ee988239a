// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "scene/keyed.h"

#include <stdlib.h>
#include <string.h>

static int by_key(const void* a, const void* b)
{
    const kai_document_node *const *x = a, *const *y = b;
    return strcmp((*x)->key, (*y)->key);
}

kai_keyed kai_keyed_of(kai_document* document, const kai_document_node* object)
{
    kai_keyed keyed = {0};
    if (!object || object->kind != KAI_DOCUMENT_OBJECT || object->count == 0) return keyed;
    keyed.list = kai_document_allocate(document, object->count, sizeof(void*));
    if (!keyed.list) return keyed;
    for (const kai_document_node* child = object->first; child; child = child->next)
        keyed.list[keyed.count++] = child;
    qsort(keyed.list, keyed.count, sizeof(void*), by_key);
    return keyed;
}

const kai_document_node* kai_keyed_find(const kai_keyed* keyed, const char* key, size_t length)
{
    size_t low = 0, high = keyed->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const char* other = keyed->list[middle]->key;
        int order = strncmp(key, other, length);
        if (order == 0 && other[length] != '\0') order = -1;
        if (order == 0) return keyed->list[middle];
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return NULL;
}
