// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Elements as a system of their own, where nothing but their nodes can move.
#include "base/error.h"
#include "step/elements.h"

#include <string.h>

/// What the layout is told, in scratch memory.
static kai_result describe(const kai_elements* e, kai_world* world, kai_definite_shape* out,
                           kai_error* err)
{
    const kai_fea* f = e->fea;
    const kai_fea_batch* batches = f->batches.data;
    const kai_node_def* nodes = kai_node_all(world);
    size_t members = 0;
    for (size_t b = 0; b < f->batches.count; b++) members += batches[b].count * batches[b].rows / 3;
    const size_t count = world->nodes.count;
    uint32_t* first = kai_arena_take(&world->arena, count + 1, sizeof *first, err);
    uint8_t* fixed = kai_arena_take(&world->arena, f->coordinates / 3, sizeof *fixed, err);
    kai_definite_cell* cells =
        kai_arena_take(&world->arena, world->elements.count, sizeof *cells, err);
    uint32_t* list = kai_arena_take(&world->arena, members, sizeof *list, err);
    if (!first || !fixed || !cells || !list) return KAI_ERROR_MEMORY;
    *out = (kai_definite_shape){.nodes = (uint32_t)count,
                                .first = first,
                                .fixed = fixed,
                                .cells = cells,
                                .cell_count = world->elements.count,
                                .members = list};
    for (size_t i = 0; i <= count; i++) first[i] = ((const uint32_t*)f->first.data)[i] / 3;
    for (size_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < first[i + 1] - first[i]; k++)
            fixed[first[i] + k] = nodes[i].fixed >> 3 * k & 7;
    uint32_t at = 0;
    for (size_t b = 0; b < f->batches.count; b++) {
        const uint32_t* ends = (const uint32_t*)f->ends.data + batches[b].first_end;
        const size_t n = batches[b].rows;
        for (size_t i = 0; i < batches[b].count; i++, ends += batches[b].kind->nodes) {
            *cells++ = (kai_definite_cell){.at = batches[b].first_tangent + i * n * n,
                                           .first = at,
                                           .count = (uint8_t)(n / 3),
                                           .stride = (uint8_t)n};
            for (size_t j = 0; j < n / 3; j++) list[at++] = kai_fea_vector(f, &batches[b], ends, j);
        }
    }
    return KAI_OK;
}

kai_result kai_elements_definite_analyze(kai_elements* e, kai_world* world, kai_definite* d,
                                         kai_error* err)
{
    kai_definite_shape shape;
    const kai_arena_mark mark = kai_arena_marked(&world->arena);
    kai_result r = describe(e, world, &shape, err);
    if (r == KAI_OK) r = kai_definite_analyze(d, &shape, world->threads, err);
    kai_arena_release(&world->arena, mark);
    KAI_TRY(r);
    const size_t vectors = e->fea->coordinates / 3;
    KAI_TRY(kai_array_resize(&e->more, &world->memory, vectors, err));
    memset(e->more.data, 0, vectors * sizeof(double));
    const kai_node_def* nodes = kai_node_all(world);
    for (size_t i = 0; i < world->nodes.count; i++)
        ((double*)e->more.data)[((const uint32_t*)e->fea->first.data)[i] / 3] = nodes[i].mass;
    return KAI_OK;
}

kai_definite_numbers kai_elements_definite_numbers(const kai_elements* e)
{
    return (kai_definite_numbers){.cells = e->fea->tangents.data, .more = e->more.data};
}
