// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "model/structures/structure_faces.h"

#include "base/array.h"

#include <stdlib.h>
#include <string.h>

typedef kai_structure_faces_item face;

static int by_number(const void* a, const void* b)
{
    const uint32_t x = *(const uint32_t*)a, y = *(const uint32_t*)b;
    return (x > y) - (x < y);
}

static int by_key(const void* a, const void* b)
{
    const face *x = a, *y = b;
    for (int k = 0; k < 4; k++)
        if (x->key[k] != y->key[k]) return x->key[k] < y->key[k] ? -1 : 1;
    return 0;
}

static kai_result collect(kai_world* world, kai_structure structure, const uint8_t* inside,
                          size_t size, kai_array* out)
{
    const size_t count = kai_structure_element_count(world, structure);
    for (size_t i = 0; i < count; i++) {
        const kai_element element = kai_structure_element_at(world, structure, i);
        const kai_element_kind* kind = kai_element_kind_of(world, element);
        const kai_node* nodes = kai_element_params(world, element);
        for (size_t f = 0; kind && f < kind->face_count; f++) {
            face one = {.count = kind->faces[f].count, .element = element};
            bool in = true;
            for (uint32_t k = 0; k < one.count; k++) {
                one.nodes[k] = nodes[kind->faces[f].nodes[k]];
                one.key[k] = one.nodes[k].index;
                in = in && (!inside || (one.key[k] < size && inside[one.key[k]]));
            }
            qsort(one.key, one.count, sizeof one.key[0], by_number);
            if (in) KAI_TRY(kai_array_append(out, &world->memory, &one, 1, &world->error));
        }
    }
    return KAI_OK;
}

kai_result kai_structure_faces_find(kai_world* world, kai_structure structure,
                                    const uint8_t* inside, size_t size, kai_array* out)
{
    KAI_TRY(collect(world, structure, inside, size, out));
    face* all = out->data;
    size_t kept = 0;
    if (out->count > 0) qsort(all, out->count, sizeof *all, by_key);
    for (size_t i = 0, end; i < out->count; i = end) {
        for (end = i + 1; end < out->count && by_key(&all[i], &all[end]) == 0;) end++;
        // A line is never inside.
        if (end == i + 1 || all[i].count == 2) all[kept++] = all[i];
    }
    return kai_array_resize(out, &world->memory, kept, &world->error);
}
