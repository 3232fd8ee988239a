// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "base/array.h"
#include "base/error.h"
#include "model/id.h"
#include "model/structure.h"

#include <kairos/element_kinds.h>
#include <stdlib.h>
#include <string.h>

/// A face of a structure by its nodes, smallest first, so that equal ones stand together.
typedef struct face {
    uint32_t key[4];
    kai_node nodes[4];
    uint32_t count;
} face;

static int by_number(const void* a, const void* b)
{
    const uint32_t x = *(const uint32_t*)a, y = *(const uint32_t*)b;
    return (x > y) - (x < y);
}

static int by_key(const void* a, const void* b)
{
    return memcmp(((const face*)a)->key, ((const face*)b)->key, sizeof((const face*)a)->key);
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
            face one = {.count = kind->faces[f].count};
            bool in = one.count >= 3;
            for (uint32_t k = 0; in && k < one.count; k++) {
                one.nodes[k] = nodes[kind->faces[f].nodes[k]];
                one.key[k] = one.nodes[k].index;
                in = one.key[k] < size && inside[one.key[k]];
            }
            qsort(one.key, one.count, sizeof one.key[0], by_number);
            if (in) KAI_TRY(kai_array_append(out, &world->memory, &one, 1, &world->error));
        }
    }
    return KAI_OK;
}

static const kai_element_kind* kind_for(uint32_t corners, int slopes)
{
    static const kai_element_kind* const KINDS[2][4] = {
        {&kai_element_pressure_triangle_frames, &kai_element_pressure_triangle_0,
         &kai_element_pressure_triangle_1, &kai_element_pressure_triangle_2},
        {&kai_element_pressure_quadrangle_frames, &kai_element_pressure_quadrangle_0,
         &kai_element_pressure_quadrangle_1, &kai_element_pressure_quadrangle_2}};
    return KINDS[corners == 4][slopes + 1];
}

/// A face that two cells share is inside.
static kai_result press(kai_world* world, const kai_array* faces, int slopes, kai_value pressure,
                        size_t* made)
{
    const face* all = faces->data;
    for (size_t i = 0; i < faces->count; i++) {
        if ((i > 0 && by_key(&all[i - 1], &all[i]) == 0) ||
            (i + 1 < faces->count && by_key(&all[i], &all[i + 1]) == 0))
            continue;
        kai_element_pressure_params p = {.pressure = pressure};
        kai_element element;
        memcpy(p.nodes, all[i].nodes, sizeof p.nodes);
        KAI_TRY(kai_element_create(world, kind_for(all[i].count, slopes), &p, NULL, &element));
        ++*made;
    }
    return KAI_OK;
}

static kai_result add(kai_world* world, kai_structure structure, const char* set,
                      kai_value pressure)
{
    bool frames;
    KAI_TRY(kai_structure_check(world, structure, set, &frames));
    const kai_element_kind* kind =
        kai_element_kind_of(world, kai_structure_element_at(world, structure, 0));
    const size_t count = kai_structure_size(world, structure, set);
    size_t size = 0, made = 0;
    for (size_t i = 0; i < count; i++) {
        const uint32_t index = kai_structure_index(world, structure, set, i);
        if (index >= size) size = (size_t)index + 1;
    }
    uint8_t* inside = kai_memory_allocate_zeroed(&world->memory, size, 1);
    if (!inside || !kind)
        return kai_error_set(&world->error, KAI_ERROR_MEMORY, "no memory for %zu nodes", size);
    for (size_t i = 0; i < count; i++) inside[kai_structure_index(world, structure, set, i)] = 1;
    kai_array faces = kai_array_make(sizeof(face));
    kai_result r = collect(world, structure, inside, size, &faces);
    if (r == KAI_OK && faces.count > 0) qsort(faces.data, faces.count, sizeof(face), by_key);
    if (r == KAI_OK) r = press(world, &faces, kind->slopes, pressure, &made);
    if (r == KAI_OK && made == 0)
        r = kai_error_set(&world->error, KAI_ERROR_ARGUMENT,
                          "set '%s' of structure '%s' has no face to press on", set ? set : "all",
                          kai_structure_name(world, structure));
    kai_array_free(&faces, &world->memory);
    kai_memory_release(&world->memory, inside, size);
    return r;
}

kai_result kai_structure_pressure(kai_world* world, kai_structure structure, const char* set,
                                  kai_value pressure)
{
    return kai_world_fail(world, __func__, add(world, structure, set, pressure));
}
