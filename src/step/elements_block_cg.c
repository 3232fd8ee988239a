// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Elements as a system of their own, where nothing but their nodes can move.
#include "base/error.h"
#include "step/elements.h"

#include <string.h>

enum { COLOURS = 64 }; // the last one has a group at a time

/// The least colour that none of the groups before has that share a vector; `taken` [vectors]: bits
/// of colours.
static uint32_t colour_of(const uint32_t* members, size_t count, uint64_t* taken)
{
    uint64_t all = 0;
    uint32_t colour = 0;
    for (size_t k = 0; k < count; k++) all |= taken[members[k]];
    while (colour < COLOURS - 1 && (all >> colour & 1)) colour++;
    for (size_t k = 0; k < count; k++) taken[members[k]] |= UINT64_C(1) << colour;
    return colour;
}

kai_result kai_elements_block_cg_colour(kai_elements* e, kai_world* world, const uint32_t* begin,
                                        const uint32_t* members, size_t vectors, kai_error* err)
{
    const kai_fea_batch* batches = e->fea->batches.data;
    kai_memory* m = &world->memory;
    size_t count = 0;
    for (size_t b = 0; b < e->fea->batches.count; b++)
        count += (batches[b].count + KAI_FEA_GROUP - 1) / KAI_FEA_GROUP;
    uint64_t* taken = kai_arena_take(&world->arena, vectors, sizeof *taken, err);
    uint32_t* found = kai_arena_take(&world->arena, 2 * count, sizeof *found, err);
    if (!taken || !found) return KAI_ERROR_MEMORY;
    memset(taken, 0, vectors * sizeof *taken);
    size_t g = 0, sizes[COLOURS] = {0};
    for (size_t b = 0; b < e->fea->batches.count; b++)
        for (size_t i = 0; i < batches[b].count; i += KAI_FEA_GROUP, g++) {
            const size_t first = batches[b].first_element + i,
                         left = batches[b].count - i < KAI_FEA_GROUP ? batches[b].count - i
                                                                     : KAI_FEA_GROUP;
            const uint32_t at = begin[first];
            found[2 * g] = (uint32_t)first;
            found[2 * g + 1] = colour_of(members + at, begin[first + left] - at, taken);
            sizes[found[2 * g + 1]]++;
        }
    e->groups.count = e->colours.count = 0;
    uint32_t end = 0;
    KAI_TRY(kai_array_append(&e->colours, m, &end, 1, err));
    for (uint32_t c = 0; c < COLOURS; c++) {
        for (size_t k = 0; sizes[c] > 0 && k < count; k++) {
            if (found[2 * k + 1] != c) continue;
            KAI_TRY(kai_array_append(&e->groups, m, &found[2 * k], 1, err));
            end = (uint32_t)e->groups.count;
            // Groups of the last colour may share vectors.
            if (c + 1 == COLOURS) KAI_TRY(kai_array_append(&e->colours, m, &end, 1, err));
        }
        if (sizes[c] > 0 && c + 1 < COLOURS)
            KAI_TRY(kai_array_append(&e->colours, m, &end, 1, err));
    }
    return KAI_OK;
}

/// In which elements are added.
static kai_result order_cells(const kai_elements* e, kai_world* world, kai_block_cg_shape* s,
                              kai_error* err)
{
    const kai_fea_batch* batches = e->fea->batches.data;
    uint32_t *order = kai_arena_take(&world->arena, s->cells, sizeof *order, err), at = 0;
    if (!order) return KAI_ERROR_MEMORY;
    for (size_t g = 0; g < e->groups.count; g++) {
        const uint32_t first = ((const uint32_t*)e->groups.data)[g];
        const kai_fea_batch* batch = batches;
        while (first >= batch->first_element + batch->count) batch++;
        const size_t last = batch->first_element + batch->count;
        for (uint32_t k = first; k < first + KAI_FEA_GROUP && k < last; k++) order[at++] = k;
    }
    s->order = order;
    return KAI_OK;
}

/// What the layout is told, in scratch memory.
static kai_result describe(const kai_elements* e, kai_world* world, kai_block_cg_shape* out,
                           kai_error* err)
{
    const kai_fea* f = e->fea;
    const kai_fea_batch* batches = f->batches.data;
    const kai_node_record* nodes = kai_node_all(world);
    const size_t count = world->nodes.count;
    uint32_t* first = kai_arena_take(&world->arena, count + 1, sizeof *first, err);
    uint8_t* fixed = kai_arena_take(&world->arena, f->coordinates / 3, sizeof *fixed, err);
    uint32_t* begin = kai_arena_take(&world->arena, world->elements.count + 1, sizeof *begin, err);
    uint32_t* list = kai_arena_take(&world->arena, f->forces.count / 3, sizeof *list, err);
    if (!first || !fixed || !begin || !list) return KAI_ERROR_MEMORY;
    *out = (kai_block_cg_shape){.nodes = (uint32_t)count,
                                .first = first,
                                .fixed = fixed,
                                .cells = (uint32_t)world->elements.count,
                                .begin = begin,
                                .members = list};
    for (size_t i = 0; i <= count; i++) first[i] = ((const uint32_t*)f->first.data)[i] / 3;
    for (size_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < first[i + 1] - first[i]; k++)
            fixed[first[i] + k] = nodes[i].def.fixed >> 3 * k & 7;
    uint32_t at = 0;
    *begin = 0;
    for (size_t b = 0; b < f->batches.count; b++) {
        const uint32_t* ends = (const uint32_t*)f->ends.data + batches[b].first_end;
        for (size_t i = 0; i < batches[b].count; i++, ends += batches[b].kind->nodes) {
            for (size_t j = 0; j < batches[b].rows / 3; j++)
                list[at++] = kai_fea_vector(f, &batches[b], ends, j);
            *++begin = at;
        }
    }
    return KAI_OK;
}

/// Takes a tangent of the elements; a kai_fea_sink's.
static void take(void* context, size_t element, const double* tangent, size_t rows)
{
    kai_block_cg_add(context, element, tangent, rows);
}

static kai_result lay_out(kai_elements* e, kai_world* world, kai_block_cg* d, kai_error* err)
{
    kai_block_cg_shape shape;
    KAI_TRY(describe(e, world, &shape, err));
    KAI_TRY(kai_elements_block_cg_colour(e, world, shape.begin, shape.members,
                                         shape.first[shape.nodes], err));
    KAI_TRY(order_cells(e, world, &shape, err));
    return kai_block_cg_analyze(d, &shape, err);
}

kai_result kai_elements_block_cg_analyze(kai_elements* e, kai_world* world, kai_block_cg* d,
                                         kai_error* err)
{
    const kai_arena_mark mark = kai_arena_marked(&world->arena);
    const kai_result r = lay_out(e, world, d, err);
    kai_arena_release(&world->arena, mark);
    KAI_TRY(r);
    const size_t vectors = e->fea->coordinates / 3;
    KAI_TRY(kai_array_resize(&e->more, &world->memory, vectors, err));
    memset(e->more.data, 0, vectors * sizeof(double));
    const kai_node_record* nodes = kai_node_all(world);
    for (size_t i = 0; i < world->nodes.count; i++)
        ((double*)e->more.data)[((const uint32_t*)e->fea->first.data)[i] / 3] = nodes[i].def.mass;
    e->fea->sink = (kai_fea_sink){.take = take,
                                  .context = d,
                                  .groups = e->groups.data,
                                  .colours = e->colours.data,
                                  .colour_count = e->colours.count - 1};
    return KAI_OK;
}
