// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "base/array.h"
#include "base/error.h"
#include "model/check.h"
#include "model/structures/structure_faces.h"

#include <kairos/element_kinds.h>
#include <string.h>

static const kai_element_kind* kind_for(uint32_t corners, int slopes)
{
    static const kai_element_kind* const KINDS[2][4] = {
        {&kai_element_pressure_triangle_frames, &kai_element_pressure_triangle_0,
         &kai_element_pressure_triangle_1, &kai_element_pressure_triangle_2},
        {&kai_element_pressure_quadrangle_frames, &kai_element_pressure_quadrangle_0,
         &kai_element_pressure_quadrangle_1, &kai_element_pressure_quadrangle_2}};
    return KINDS[corners == 4][slopes + 1];
}

static kai_result press(kai_world* world, const kai_array* faces, int slopes, kai_value pressure,
                        size_t* made)
{
    const kai_structure_faces_item* all = faces->data;
    for (size_t i = 0; i < faces->count; i++) {
        if (all[i].count < 3) continue;
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
    if (!kind)
        return kai_error_set(
            &world->error, KAI_ERROR_ARGUMENT,
            "the first element of structure '%s' was removed; press faces while it "
            "is there",
            kai_structure_name(world, structure));
    const size_t count = kai_structure_size(world, structure, set);
    size_t size = 0, made = 0;
    for (size_t i = 0; i < count; i++) {
        const uint32_t index = kai_structure_index(world, structure, set, i);
        if (index >= size) size = (size_t)index + 1;
    }
    uint8_t* inside = kai_memory_allocate_zeroed(&world->memory, size, 1);
    if (!inside)
        return kai_error_set(&world->error, KAI_ERROR_MEMORY, "no memory for %zu nodes", size);
    for (size_t i = 0; i < count; i++) inside[kai_structure_index(world, structure, set, i)] = 1;
    kai_array faces = kai_array_make(sizeof(kai_structure_faces_item));
    kai_result r = kai_structure_faces_find(world, structure, inside, size, &faces);
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
    KAI_CHANGE(world);
    return kai_world_fail(world, __func__, add(world, structure, set, pressure));
}
